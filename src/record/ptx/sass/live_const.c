/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live_const.c - finds values that need no register, because machine instructions read them from
 * the constant bank or as immediates: point 2 of live.c.
 *
 * Not modelled: an instruction can have only one such operand, and ptxas moves the others into
 * registers.
 */
#include "record/ptx/sass/live.h"

static bool
wants_registers(const struct prog_inst *in)
{
	switch (in->op) {
	case PTX_ld:
	case PTX_ldu:
	case PTX_st:
	case PTX_atom:
	case PTX_red:
	case PTX_prefetch:
	case PTX_tex:
	case PTX_tld4:
	case PTX_shfl:
	case PTX_call:
	case PTX_brx:
		return true;
	}
	return false;
}

static void
count_def(struct live *l, uint32_t reg, uint32_t i ATTR_UNUSED, void *ctx ATTR_UNUSED)
{
	l->v[reg].n_defs++;
}

/* Notes that instruction i reads a value in a register or as an address. Addresses of shared and
 * local memory may be immediates, those of global memory may not. */
static void
note_wanted(struct live *l, uint32_t reg, uint32_t i, void *ctx ATTR_UNUSED)
{
	const struct prog_inst *in = &l->f->inst[i];
	bool small = in->space == SP_SHARED || in->space == SP_LOCAL || in->space == SP_CONST;
	uint32_t k = small && in->op != PTX_call && live_reg(l->f, in->src[0]) == reg;

	if (!wants_registers(in))
		return;
	for (; k && k < in->n_src; k++)
		if (live_reg(l->f, in->src[k]) == reg)
			break;
	if (!k || k < in->n_src)
		l->v[reg].in_memory = true;
	else
		l->v[reg].in_address = true;
}

/* Is the operand a constant of the machine: an immediate, an address, a dimension of the launch? */
static bool
is_constant_source(const struct live *l, struct opnd o)
{
	uint32_t r = live_reg(l->f, o), s;

	if (o.base == BASE_CONST)
		return true;
	if (o.base == BASE_SREG) {
		s = o.off / SREG_STRIDE;
		return (s >= SREG_NTID_X && s <= SREG_NTID_Z) ||
		       (s >= SREG_NCTAID_X && s <= SREG_NCTAID_Z);
	}
	return r != UINT32_MAX && l->v[r].constant;
}

static bool
is_immediate_source(const struct live *l, struct opnd o)
{
	uint32_t r = live_reg(l->f, o);

	return o.base == BASE_CONST || (r != UINT32_MAX && l->v[r].immediate);
}

/* Does the instruction compute an immediate: a copy of one, or the sum of two? */
static bool
is_immediate(const struct live *l, const struct prog_inst *in)
{
	if (in->op == PTX_add && in->n_src == 2 && !ptx_is_float((enum ptx_type)in->type) &&
	    !(in->flags & (PF_CC_IN | PF_CC_OUT)))
		return is_immediate_source(l, in->src[0]) && is_immediate_source(l, in->src[1]);
	return (in->op == PTX_mov || in->op == PTX_cvta) && in->n_src == 1 && in->n_dst == 1 &&
	       is_immediate_source(l, in->src[0]);
}

/* Constants propagate forward through copies. A value that is needed in a register gets one, and so
 * does the value that it is a copy of; both share it. */
void
live_find_constants(struct live *l)
{
	const struct prog_func *f = l->f;
	uint32_t i, d, s;

	for (i = 0; i < f->n_inst; i++) {
		live_each_def(l, i, count_def, NULL);
		live_each_use(l, i, note_wanted, NULL);
	}
	for (i = f->n_inst; i-- > 0;) {
		const struct prog_inst *in = &f->inst[i];

		if (live_is_copy(in) && (d = live_reg(f, in->dst[0])) != UINT32_MAX &&
		    (s = live_reg(f, in->src[0])) != UINT32_MAX) {
			l->v[s].in_memory |= l->v[d].in_memory;
			l->v[s].in_address |= l->v[d].in_address;
		}
	}
	for (i = 0; i < f->n_inst; i++) {
		const struct prog_inst *in = &f->inst[i];
		bool param = in->op == PTX_ld &&
			     ((f->ast->entry && in->space == SP_PARAM) || in->space == SP_CONST);
		bool immediate = is_immediate(l, in);
		uint32_t k;

		if ((in->flags & (PF_GUARD | PF_GUARD_NOT)) ||
		    !(immediate || (param ? in->src[0].base == BASE_CONST
					  : live_is_copy(in) && is_constant_source(l, in->src[0]))))
			continue;
		for (k = 0; k < in->n_dst; k++)
			if ((d = live_reg(f, in->dst[k])) != UINT32_MAX && l->v[d].n_defs == 1 &&
			    !l->v[d].in_memory && (immediate || !l->v[d].in_address)) {
				l->v[d].constant = true;
				l->v[d].immediate = immediate;
			}
	}
	for (i = 0; i < l->n; i++)
		if (l->v[i].constant)
			l->v[i].width = 0;
}
