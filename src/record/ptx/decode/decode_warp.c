/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_warp.c - decodes barriers and exchange between lanes: bar barrier vote match activemask
 * shfl redux elect; nanosleep and pmevent do nothing.
 *
 * A barrier may be in divergent code with and without .aligned, see barrier.c. Not supported: redux
 * on .f32.
 */
#include "record/ptx/exec/exec.h"

static const struct opnd no_opnd = {.bytes = OPND_NONE, .reg = 0xffff};

static void
decode_none(struct prog_inst *in)
{
	uint32_t k;

	for (k = 0; k < ARRAY_LEN(in->dst); k++)
		in->dst[k] = no_opnd;
	for (k = 0; k < ARRAY_LEN(in->src); k++)
		in->src[k] = no_opnd;
}

/* Decodes the destination d or d|p. */
static int
decode_pair(struct decode *d, const struct ast_opnd *o, struct prog_inst *in)
{
	const struct ast_opnd *p;
	bool negated;

	in->n_dst = 2;
	if (o->kind != AST_PAIR)
		return decode_dst(d, o, TY_B32, false, &in->dst[0]);
	if (decode_dst(d, decode_elem(d, o, 0), TY_B32, false, &in->dst[0]))
		return -1;
	p = decode_elem(d, o, 1);
	if (p->kind == AST_SINK)
		return 0;
	return decode_pred(d, p, &in->dst[1], &negated);
}

/* Decodes a predicate source; sub2: it is negated. */
static int
decode_vote_pred(struct decode *d, uint32_t k, uint32_t to, struct prog_inst *in)
{
	bool negated = false;

	if (decode_pred(d, decode_opnd(d, k), &in->src[to], &negated))
		return -1;
	in->sub2 = negated;
	return 0;
}

/* Decodes n operands, starting at `from`, as u32 values to src[to..]. */
static int
decode_words(struct decode *d, uint32_t from, uint32_t n, uint32_t to, struct prog_inst *in)
{
	uint32_t k;

	for (k = 0; k < n; k++)
		if (decode_value(d, decode_opnd(d, from + k), TY_B32, &in->src[to + k]))
			return -1;
	return 0;
}

/* ---------------------------------------------------------------- barriers */

static int
decode_bar_red(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word ops[] = {W_popc, W_and, W_or};
	int op = decode_one_of(d, ops, ARRAY_LEN(ops));
	bool negated;

	if (op < 0)
		return decode_error(d, "expected .popc, .and or .or");
	if (decode_type(d, 0) != (op == 0 ? TY_U32 : TY_PRED))
		return decode_error(d, "expected .popc.u32, .and.pred or .or.pred");
	if (decode_count(d, 3, 4))
		return -1;
	in->sub = (uint8_t)op;
	in->type = op == 0 ? TY_U32 : TY_PRED;
	in->n_dst = 1;
	if (op == 0 ? decode_dst(d, decode_opnd(d, 0), TY_U32, false, &in->dst[0])
		    : decode_pred(d, decode_opnd(d, 0), &in->dst[0], &negated))
		return -1;
	in->fn = exec_bar_red;
	if (decode_opnd(d, 3))
		return decode_words(d, 1, 2, 0, in) || decode_vote_pred(d, 3, 2, in) ? -1 : 0;
	return decode_words(d, 1, 1, 0, in) || decode_vote_pred(d, 2, 2, in) ? -1 : 0;
}

static int
decode_bar_cluster(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word order[] = {W_release, W_acquire, W_relaxed, W_aligned};
	bool wait = decode_has(d, W_wait);

	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		decode_has(d, order[i]);
	if (wait == decode_has(d, W_arrive))
		return decode_error(d, "expected .arrive or .wait");
	in->fn = wait ? exec_bar_sync : exec_nop;
	in->sub2 = BAR_CLUSTER;
	in->n_src = wait ? 1 : 0;
	if (decode_count(d, 0, 0))
		return -1;
	return wait ? decode_const(d, CLUSTER_BARRIER, 4, &in->src[0]) : 0;
}

static int
decode_bar(struct decode *d, struct prog_inst *in)
{
	if (decode_has(d, W_warp)) {
		in->n_src = 1;
		in->fn = exec_bar_warp;
		if (!decode_has(d, W_sync))
			return decode_error(d, "expected bar.warp.sync");
		return decode_count(d, 1, 1) || decode_words(d, 0, 1, 0, in) ? -1 : 0;
	}
	if (decode_has(d, W_cluster))
		return decode_bar_cluster(d, in);
	decode_has(d, W_cta);
	if (decode_has(d, W_aligned) || in->op == PTX_bar)
		in->flags |= PF_UNI;
	in->n_src = 3;
	if (decode_has(d, W_red))
		return decode_bar_red(d, in);
	if (decode_has(d, W_arrive)) {
		in->fn = exec_bar_arrive;
		return decode_count(d, 2, 2) || decode_words(d, 0, 2, 0, in) ? -1 : 0;
	}
	if (!decode_has(d, W_sync))
		return decode_error(d, "expected .sync, .arrive or .red");
	in->fn = exec_bar_sync;
	if (decode_count(d, 1, 2))
		return -1;
	return decode_words(d, 0, decode_opnd(d, 1) ? 2 : 1, 0, in);
}

/* ---------------------------------------------------------------- lanes */

static int
decode_vote(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word modes[] = {W_all, W_any, W_uni, W_ballot};
	bool sync = decode_has(d, W_sync), negated;
	int mode = decode_one_of(d, modes, ARRAY_LEN(modes));
	enum ptx_type t = decode_type(d, 0);

	if (mode < 0)
		return decode_error(d, "expected .all, .any, .uni or .ballot");
	if (t != (mode == VOTE_BALLOT ? TY_B32 : TY_PRED))
		return decode_error(d, "expected %s", mode == VOTE_BALLOT ? ".b32" : ".pred");
	if (decode_count(d, 2 + sync, 2 + sync))
		return -1;
	in->sub = (uint8_t)mode;
	in->n_dst = 1;
	in->n_src = 2;
	in->fn = exec_vote;
	if (mode == VOTE_BALLOT ? decode_dst(d, decode_opnd(d, 0), TY_B32, false, &in->dst[0])
				: decode_pred(d, decode_opnd(d, 0), &in->dst[0], &negated))
		return -1;
	return decode_vote_pred(d, 1, 0, in) || decode_words(d, 2, sync, 1, in) ? -1 : 0;
}

static int
decode_match(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word modes[] = {W_any, W_all};
	int mode = decode_one_of(d, modes, ARRAY_LEN(modes));
	enum ptx_type t = decode_type(d, 0);

	if (mode < 0 || !decode_has(d, W_sync))
		return decode_error(d, "expected match.any.sync or match.all.sync");
	if (t != TY_B32 && t != TY_B64)
		return decode_error(d, "expected .b32 or .b64");
	if (decode_count(d, 3, 3) || decode_pair(d, decode_opnd(d, 0), in))
		return -1;
	if (mode == 0 && decode_opnd(d, 0)->kind == AST_PAIR)
		return decode_error(d, "match.any has no predicate");
	in->n_src = 2;
	in->type = (uint8_t)t;
	in->fn = mode ? exec_match_all : exec_match_any;
	return decode_value(d, decode_opnd(d, 1), t, &in->src[0]) ? -1
								  : decode_words(d, 2, 1, 1, in);
}

static int
decode_shfl(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word modes[] = {W_up, W_down, W_bfly, W_idx};
	int mode = decode_one_of(d, modes, ARRAY_LEN(modes));
	bool sync = decode_has(d, W_sync);

	if (mode < 0)
		return decode_error(d, "expected .up, .down, .bfly or .idx");
	if (decode_type(d, 0) != TY_B32)
		return decode_error(d, "expected .b32");
	if (decode_count(d, 4 + sync, 4 + sync) || decode_pair(d, decode_opnd(d, 0), in))
		return -1;
	in->sub = (uint8_t)mode;
	in->n_src = (uint8_t)(3 + sync);
	in->fn = exec_shfl;
	return decode_words(d, 1, 3u + sync, 0, in);
}

static int
decode_redux(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word ops[] = {W_add, W_min, W_max, W_and, W_or, W_xor};
	int op = decode_one_of(d, ops, ARRAY_LEN(ops));
	enum ptx_type t = decode_type(d, 0);

	if (op < 0 || !decode_has(d, W_sync))
		return decode_error(d, "expected redux.sync and .add .min .max .and .or or .xor");
	if (op >= REDUX_AND ? t != TY_B32 : t != TY_U32 && t != TY_S32)
		return decode_error(d, "expected %s", op >= REDUX_AND ? ".b32" : ".u32 or .s32");
	if (decode_count(d, 3, 3) || decode_dst(d, decode_opnd(d, 0), t, false, &in->dst[0]))
		return -1;
	in->sub = (uint8_t)op;
	in->type = (uint8_t)t;
	in->n_dst = 1;
	in->n_src = 2;
	in->fn = exec_redux;
	return decode_words(d, 1, 2, 0, in);
}

static int
decode_elect(struct decode *d, struct prog_inst *in)
{
	if (!decode_has(d, W_sync))
		return decode_error(d, "expected elect.sync");
	if (decode_count(d, 2, 2) || decode_pair(d, decode_opnd(d, 0), in))
		return -1;
	in->n_src = 1;
	in->fn = exec_elect;
	return decode_words(d, 1, 1, 0, in);
}

static int
decode_activemask(struct decode *d, struct prog_inst *in)
{
	if (decode_type(d, 0) != TY_B32)
		return decode_error(d, "expected .b32");
	in->n_dst = 1;
	in->fn = exec_activemask;
	return decode_count(d, 1, 1) ? -1
				     : decode_dst(d, decode_opnd(d, 0), TY_B32, false, &in->dst[0]);
}

int
decode_warp(struct decode *d, struct prog_inst *in)
{
	decode_none(in);
	switch (in->op) {
	case PTX_bar:
	case PTX_barrier:
		return decode_bar(d, in);
	case PTX_vote:
		return decode_vote(d, in);
	case PTX_match:
		return decode_match(d, in);
	case PTX_activemask:
		return decode_activemask(d, in);
	case PTX_shfl:
		return decode_shfl(d, in);
	case PTX_redux:
		return decode_redux(d, in);
	case PTX_elect:
		return decode_elect(d, in);
	case PTX_nanosleep:
		decode_type(d, 0);
		in->fn = exec_nop;
		in->n_src = 1;
		return decode_count(d, 1, 1) ? -1 : decode_words(d, 0, 1, 0, in);
	case PTX_pmevent:
		in->fn = exec_nop;
		decode_opnd(d, 0);
		return decode_count(d, 1, 1);
	default:
		return decode_unsupported(d, "this instruction");
	}
}
