/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_async.c - cp.async and mbarrier.
 *
 *     cp.async            src[0] the shared address, src[1] the global one (its displacement in
 *                         target), src[2] bytes to read (none: vec), vec bytes written
 *     cp.async.mbarrier   as mbarrier; sub2: .noinc
 *     mbarrier            src[0] the address; sub: enum mbar_op; src[1] count, state or parity
 *
 * Left out: cp.async.bulk and what belongs to it (expect_tx, complete_tx, tensor maps), clusters.
 */
#include "record/ptx/exec/exec.h"
#include "record/ptx/mem/async.h"

/* ---------------------------------------------------------------- cp.async */

/* Operand 1, an address in global memory: base and displacement. */
static int
decode_from(struct decode *d, struct prog_inst *in)
{
	const struct ast_var *v = NULL;
	int64_t disp;

	if (decode_address(d, decode_opnd(d, 1), &in->src[1], &disp, &v))
		return -1;
	if (in->src[1].bytes != 8)
		return decode_unsupported(d, "a 32-bit address of global memory");
	if (disp < INT32_MIN || disp > INT32_MAX)
		return decode_error(d, "the displacement has more than 32 bits");
	in->target = (uint32_t)(int32_t)disp;
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
		return o->kind == AST_INT ? 0 : decode_error(d, "expected a constant");
	}
	hint = decode_has(d, W_l2_cache_hint);
	decode_mem_hints(d);
	if (decode_space(d) != SP_SHARED || !decode_has(d, W_global))
		return decode_unsupported(d, "anything but a copy from global to shared memory");
	in->space = SP_SHARED;
	in->fn = exec_cp_async;
	in->n_src = 3;
	if (decode_count(d, 3, 4u + hint) || decode_mem_address(d, 0, in) || decode_from(d, in))
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
	int8_t address;		 /* which one is the address; -1: none */
} ops[] = {
	{W_init, MBAR_INIT, 2, 2, 0},
	{W_inval, MBAR_INVAL, 1, 1, 0},
	{W_arrive_drop, MBAR_DROP, 2, 3, 1},
	{W_arrive, MBAR_ARRIVE, 2, 3, 1},
	{W_test_wait, MBAR_TEST, 3, 3, 1},
	{W_try_wait, MBAR_TEST, 3, 4, 1},
	{W_pending_count, MBAR_PENDING, 2, 2, -1},
};

/* What comes before and after the address. */
static int
decode_mbarrier_rest(struct decode *d, struct prog_inst *in)
{
	bool parity = decode_has(d, W_parity), negated = false;
	struct opnd ignored;

	in->sub2 = parity;
	in->n_src = 2;
	switch (in->sub) {
	case MBAR_INIT:
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
		if (decode_dst(d, decode_opnd(d, 0), TY_B64, false, &in->dst[0]))
			return -1;
		return decode_opnd(d, 2) ? decode_value(d, decode_opnd(d, 2), TY_B32, &in->src[1])
					 : 0;
	}
}

static int
decode_mbarrier(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word order[] = {W_release, W_acquire, W_relaxed, W_cta, W_noComplete};
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
	return decode_has(d, W_mbarrier) ? decode_copy_arrive(d, in) : decode_copy(d, in);
}
