/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_async.c - decodes cp.async, cp.async.bulk, cp.reduce.async.bulk and mbarrier.
 *
 *     cp.async            src[0] the shared address, src[1] the global one (its displacement in
 *                         target), src[2] bytes to read (none: vec), vec bytes written
 *     cp.async.mbarrier   as mbarrier; sub2: .noinc
 *     cp.async.bulk       src[0] the destination, src[1] the source (displacement in target),
 *                         src[2] bytes, src[3] the mbarrier (displacement in ext);
 *                         sub: enum bulk_kind
 *     cp.reduce           as cp.async.bulk; type: that of an element; sub2: the row of atom.def
 *     mbarrier            src[0] the address; sub: enum mbar_op; src[1] count, state or parity;
 *                         of an arrive sub2: src[1] is the number of announced bytes
 *                         (.expect_tx)
 *
 * Not supported: tensor maps, clusters of more than one CTA.
 */
#include "record/ptx/exec/exec.h"
#include "record/ptx/mem/async.h"

/* ---------------------------------------------------------------- cp.async */

/* Decodes operand k, an address whose displacement goes to *to. */
static int
decode_near_address(struct decode *d, uint32_t k, struct opnd *base, uint32_t *to)
{
	const struct ast_var *v = NULL;
	int64_t disp;

	if (decode_address(d, decode_opnd(d, k), base, &disp, &v))
		return -1;
	if (disp < INT32_MIN || disp > INT32_MAX)
		return decode_error(d, "the displacement has more than 32 bits");
	*to = (uint32_t)(int32_t)disp;
	return 0;
}

/* Decodes operand 1, an address in global memory: base and displacement. */
static int
decode_source_address(struct decode *d, struct prog_inst *in)
{
	if (decode_near_address(d, 1, &in->src[1], &in->target))
		return -1;
	if (in->src[1].bytes != 8)
		return decode_unsupported(d, "a 32-bit address of global memory");
	return 0;
}

static int
decode_copy(struct decode *d, struct prog_inst *in)
{
	const struct ast_opnd *o;
	bool hint;
	uint32_t n;

	if (decode_has(d, W_commit_group) || decode_has(d, W_wait_all)) {
		in->fn = exec_nop;
		return decode_count(d, 0, 0);
	}
	if (decode_has(d, W_wait_group)) {
		in->fn = exec_nop;
		o = decode_opnd(d, 0);
		if (decode_count(d, 1, 1))
			return -1;
		in->imm = o->kind == AST_INT ? (int64_t)MIN(o->bits, UINT8_MAX) : 0;
		return o->kind == AST_INT ? 0 : decode_error(d, "expected a constant");
	}
	hint = decode_has(d, W_l2_cache_hint);
	decode_mem_hints(d);
	if (decode_space(d) != SP_SHARED || !decode_has(d, W_global))
		return decode_unsupported(d, "anything but a copy from global to shared memory");
	in->space = SP_SHARED;
	in->fn = exec_cp_async;
	in->n_src = 3;
	if (decode_count(d, 3, 4u + hint) || decode_mem_address(d, 0, in) ||
	    decode_source_address(d, in))
		return -1;
	o = decode_opnd(d, 2);
	if (o->kind != AST_INT || (o->bits != 4 && o->bits != 8 && o->bits != 16))
		return decode_error(d, "expected 4, 8 or 16 bytes");
	in->vec = (uint8_t)o->bits;
	in->type = TY_B8;
	n = d->a->n_opnd - 3u - hint;
	if (hint)
		decode_opnd(d, d->a->n_opnd - 1u);
	return n ? decode_value(d, decode_opnd(d, 3), TY_B32, &in->src[2]) : 0;
}

/* Reads the two spaces of a copy, the destination first. */
static int
decode_bulk_spaces(struct decode *d, struct prog_inst *in)
{
	enum ptx_space space[2] = {SP_NONE, SP_NONE};
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->a->n_word; i++) {
		enum ptx_space s = ast_word_space((enum ptx_word)d->a->word[i]);

		if (s != SP_NONE && n < 2)
			space[n++] = s;
	}
	decode_has(d, W_shared_cluster);
	decode_has(d, W_shared);
	decode_has(d, W_global);
	in->space = (uint8_t)space[0];
	if (space[0] == SP_SHARED && space[1] == SP_GLOBAL)
		in->sub = BULK_LOAD;
	else if (space[0] == SP_SHARED && space[1] == SP_SHARED)
		in->sub = BULK_MOVE;
	else if (space[0] == SP_GLOBAL && space[1] == SP_SHARED)
		in->sub = BULK_STORE;
	else
		return decode_error(d, "expected a copy between .global and .shared");
	return 0;
}

/* Reads .add.u32 and so on. */
static int
decode_bulk_reduce(struct decode *d, struct prog_inst *in)
{
	int row;

	decode_has(d, W_noftz);
	in->type = (uint8_t)decode_type(d, 0);
	row = atom_find(d, (enum ptx_type)in->type);
	if (row < 0)
		return -1;
	in->sub2 = (uint8_t)row;
	return 0;
}

static int
decode_bulk(struct decode *d, struct prog_inst *in)
{
	bool group = decode_has(d, W_commit_group), wait = decode_has(d, W_wait_group);
	uint32_t more = 0;

	if (group || wait || decode_has(d, W_prefetch)) {
		decode_has(d, W_read);
		decode_has(d, W_l2);
		decode_has(d, W_global);
		more = decode_has(d, W_l2_cache_hint);
		in->fn = exec_nop;
		for (uint32_t k = 0; k < d->a->n_opnd; k++)
			decode_opnd(d, k);
		more += group ? 0 : wait ? 1 : 2;
		return decode_count(d, more, more);
	}
	in->fn = exec_bulk;
	in->vec = 16;
	if (decode_bulk_spaces(d, in) || (decode_has(d, W_reduce) && decode_bulk_reduce(d, in)))
		return -1;
	if (!decode_has(d, in->sub == BULK_STORE ? W_bulk_group : W_complete_tx_bytes))
		return decode_error(d, "expected .%s",
				    ast_word_text(in->sub == BULK_STORE ? W_bulk_group
									: W_complete_tx_bytes));
	in->n_src = in->sub == BULK_STORE ? 3 : 4;
	more = decode_has(d, W_l2_cache_hint);
	if (more)
		decode_opnd(d, in->n_src);
	if (decode_count(d, in->n_src + more, in->n_src + more) || decode_mem_address(d, 0, in) ||
	    decode_near_address(d, 1, &in->src[1], &in->target) ||
	    decode_value(d, decode_opnd(d, 2), TY_B32, &in->src[2]))
		return -1;
	return in->sub == BULK_STORE ? 0 : decode_near_address(d, 3, &in->src[3], &in->ext);
}

static int
decode_copy_arrive(struct decode *d, struct prog_inst *in)
{
	if (!decode_has(d, W_arrive) || !decode_has(d, W_b64))
		return decode_error(d, "expected cp.async.mbarrier.arrive.b64");
	in->sub2 = decode_has(d, W_noinc);
	in->sub = MBAR_COPIED;
	in->space = (uint8_t)decode_space(d);
	in->fn = exec_mbarrier;
	in->type = TY_B64;
	in->n_src = 1;
	return decode_count(d, 1, 1) || decode_mem_address(d, 0, in) ? -1 : 0;
}

/* ---------------------------------------------------------------- mbarrier */

static const struct {
	uint16_t word;
	uint8_t op, least, most; /* operands */
	int8_t address;		 /* index of the address; -1: none */
} ops[] = {
	{W_init, MBAR_INIT, 2, 2, 0},
	{W_inval, MBAR_INVAL, 1, 1, 0},
	{W_arrive_drop, MBAR_DROP, 2, 3, 1},
	{W_arrive, MBAR_ARRIVE, 2, 3, 1},
	{W_test_wait, MBAR_TEST, 3, 3, 1},
	{W_try_wait, MBAR_TEST, 3, 4, 1},
	{W_pending_count, MBAR_PENDING, 2, 2, -1},
	{W_expect_tx, MBAR_EXPECT, 2, 2, 0},
	{W_complete_tx, MBAR_COMPLETE, 2, 2, 0},
};

/* Decodes what precedes and follows the address. */
static int
decode_mbarrier_rest(struct decode *d, struct prog_inst *in)
{
	bool parity = decode_has(d, W_parity), negated = false;
	bool announces = in->sub != MBAR_EXPECT && decode_has(d, W_expect_tx);
	struct opnd ignored;

	in->sub2 = parity;
	in->n_src = 2;
	switch (in->sub) {
	case MBAR_INIT:
	case MBAR_EXPECT:
	case MBAR_COMPLETE:
		return decode_value(d, decode_opnd(d, 1), TY_B32, &in->src[1]);
	case MBAR_INVAL:
		return 0;
	case MBAR_TEST:
		in->n_dst = 1;
		if (decode_pred(d, decode_opnd(d, 0), &in->dst[0], &negated) ||
		    decode_value(d, decode_opnd(d, 2), parity ? TY_B32 : TY_B64, &in->src[1]))
			return -1;
		return decode_opnd(d, 3) ? decode_value(d, decode_opnd(d, 3), TY_B32, &ignored) : 0;
	case MBAR_PENDING:
		in->n_dst = 1;
		if (decode_dst(d, decode_opnd(d, 0), TY_B32, false, &in->dst[0]))
			return -1;
		return decode_value(d, decode_opnd(d, 1), TY_B64, &in->src[1]);
	default:
		in->n_dst = 1;
		in->sub2 = announces;
		if (announces && d->a->n_opnd != 3)
			return decode_error(d, "expected a count of bytes");
		if (decode_dst(d, decode_opnd(d, 0), TY_B64, false, &in->dst[0]))
			return -1;
		return decode_opnd(d, 2) ? decode_value(d, decode_opnd(d, 2), TY_B32, &in->src[1])
					 : 0;
	}
}

static int
decode_mbarrier(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word order[] = {W_release, W_acquire, W_relaxed,
					      W_cta,	 W_cluster, W_noComplete};
	size_t i = 0;

	if (!decode_has(d, W_b64))
		return decode_error(d, "expected .b64");
	for (size_t k = 0; k < ARRAY_LEN(order); k++)
		decode_has(d, order[k]);
	while (i < ARRAY_LEN(ops) && !decode_has(d, (enum ptx_word)ops[i].word))
		i++;
	if (i == ARRAY_LEN(ops))
		return decode_unsupported(d, "this operation");
	in->space = (uint8_t)decode_space(d);
	in->sub = ops[i].op;
	in->type = TY_B64;
	in->fn = exec_mbarrier;
	if (in->space != SP_NONE && in->space != SP_SHARED)
		return decode_error(d, "expected .shared");
	if (decode_count(d, ops[i].least, ops[i].most) ||
	    (ops[i].address >= 0 && decode_mem_address(d, (uint32_t)ops[i].address, in)))
		return -1;
	return decode_mbarrier_rest(d, in);
}

int
decode_async(struct decode *d, struct prog_inst *in)
{
	if (in->op == PTX_mbarrier)
		return decode_mbarrier(d, in);
	if (!decode_has(d, W_async))
		return decode_unsupported(d, "anything but cp.async");
	if (decode_has(d, W_bulk))
		return decode_bulk(d, in);
	return decode_has(d, W_mbarrier) ? decode_copy_arrive(d, in) : decode_copy(d, in);
}
