/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * narrow.c - finds 64-bit integers of which only the low half is read.
 *
 * PTX computes addresses of shared, local and constant memory in 64 bits; those of the machine have
 * 32, so ptxas computes them in 32. A register is narrow if nothing reads its high half. Only these
 * do not read it: such an address, a conversion to 32 bits or less, and sums, products, left
 * shifts, moves and logic with a narrow result. All instructions that write the register must be of
 * the latter kind.
 */
#include "record/ptx/sass/fuse.h"

#include <stdlib.h>

static uint32_t
find_reg(const struct prog_func *f, struct opnd o)
{
	return o.bytes == 8 && o.base == BASE_FRAME && o.reg < f->ast->n_reg ? o.reg : UINT32_MAX;
}

static bool
is_small_space(const struct prog_inst *in)
{
	return in->space == SP_SHARED || in->space == SP_LOCAL || in->space == SP_CONST;
}

/* Does the low half of the result depend only on the low halves of the operands? */
static bool
is_low_from_low(const struct prog_inst *in)
{
	if ((in->flags & (PF_CC_IN | PF_CC_OUT | PF_SAT | PF_HI)) || in->n_dst != 1 ||
	    ptx_is_float((enum ptx_type)in->type))
		return false;
	switch (in->op) {
	case PTX_add:
	case PTX_sub:
	case PTX_mul:
	case PTX_mad:
	case PTX_shl:
	case PTX_and:
	case PTX_or:
	case PTX_xor:
	case PTX_not:
	case PTX_neg:
		return true;
	case PTX_mov:
		return in->n_src == 1;
	case PTX_cvt:
		return !ptx_is_float((enum ptx_type)in->type2) && in->n_src == 1;
	}
	return false;
}

/* Does the instruction ignore the high half of source k? */
static bool
ignores_high(const struct prog_func *f, const struct prog_inst *in, uint32_t k)
{
	uint32_t d;

	switch (in->op) {
	case PTX_ld:
	case PTX_ldu:
	case PTX_st:
	case PTX_atom:
	case PTX_red:
		return k == 0 && is_small_space(in);
	}
	if (!is_low_from_low(in))
		return false;
	if (in->op == PTX_cvt && ptx_type_bytes((enum ptx_type)in->type) <= 4)
		return true;
	d = find_reg(f, in->dst[0]);
	return d != UINT32_MAX && f->narrow[d] && (in->op != PTX_shl || k == 0);
}

static bool
widen_registers(struct prog_func *f)
{
	bool changed = false;
	uint32_t i, k, r;

	for (i = f->n_inst; i-- > 0;) {
		const struct prog_inst *in = &f->inst[i];

		for (k = 0; k < in->n_src; k++) {
			r = find_reg(f, in->src[k]);
			if (r == UINT32_MAX || !f->narrow[r] || ignores_high(f, in, k))
				continue;
			f->narrow[r] = 0;
			changed = true;
		}
	}
	return changed;
}

/* The registers of prog_func.more are read and written whole. */
static void
widen_more(struct prog_func *f, const struct prog_inst *in)
{
	uint32_t r;

	if (!prog_has_more(in))
		return;
	for (uint32_t mat = 0; mat < MATS; mat++)
		for (uint32_t k = 0; k < f->more[in->ext].n[mat]; k++)
			if ((r = find_reg(f, f->more[in->ext].o[mat][k])) != UINT32_MAX)
				f->narrow[r] = 0;
}

int
narrow_analyse(struct ptx_module *m, struct prog_func *f, struct err *e)
{
	uint32_t i, k, r;

	f->narrow = prog_alloc(m, f->ast->n_reg + 1, e);
	if (!f->narrow)
		return -1;
	for (i = 0; i < f->ast->n_reg; i++)
		f->narrow[i] = f->ast->reg[i].vec <= 1 &&
			       !ptx_is_float((enum ptx_type)f->ast->reg[i].type) &&
			       ptx_type_bytes((enum ptx_type)f->ast->reg[i].type) == 8;
	for (i = 0; i < f->n_inst; i++) {
		const struct prog_inst *in = &f->inst[i];

		for (k = 0; k < in->n_dst; k++)
			if ((r = find_reg(f, in->dst[k])) != UINT32_MAX && !is_low_from_low(in))
				f->narrow[r] = 0;
		widen_more(f, in);
		if (in->op == PTX_call && in->ext < f->n_call) {
			const struct prog_call *c = &f->call[in->ext];

			for (k = 0; k < c->n_arg; k++)
				if ((r = find_reg(f, c->arg[k].value)) != UINT32_MAX)
					f->narrow[r] = 0;
			for (k = 0; k < c->n_ret; k++)
				if ((r = find_reg(f, c->ret[k].value)) != UINT32_MAX)
					f->narrow[r] = 0;
			if ((r = find_reg(f, c->callee)) != UINT32_MAX)
				f->narrow[r] = 0;
		}
	}
	while (widen_registers(f))
		;
	return 0;
}
