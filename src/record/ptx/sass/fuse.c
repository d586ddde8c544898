/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuse.c - finds pairs of PTX instructions that ptxas combines into one machine instruction:
 *
 *     mul.wide + add.s64    IMAD.WIDE        mul.lo.s32 + add.s32    IMAD
 *     shl.b64  + add.s64    LEA, LEA.HI.X    shl.b32    + add.s32    LEA
 *     add.s32  + add.s32    IADD3            and or xor + and or xor LOP3
 *
 * A pair is fused when every reader of the first's result is such a second instruction; then the
 * first leaves no record in a trace. 64-bit address arithmetic may have several readers, the rest
 * one. The operands of the first must be unchanged at the second: they are written only once, or
 * both instructions are in one basic block and nothing between them writes the operands. An
 * instruction is part of one pair only.
 *
 * Not done: contracting float mul and add (the recorder computes the values of the PTX), sums that
 * negate or use the carry, rotations made of two shifts.
 */
#include "record/ptx/sass/fuse.h"

#include "record/ptx/decode/flow.h"

#include <stdlib.h>

struct use {
	uint32_t n_defs, n_uses, def; /* the last definition seen */
};

struct fuse {
	const struct ptx_module *m;
	struct prog_func *f;
	struct use *u;
	uint32_t *block; /* of each instruction: the first instruction of its basic block */
};

#define GUARDED (PF_GUARD | PF_GUARD_NOT)
#define CARRY (PF_CC_IN | PF_CC_OUT)

enum first {
	FIRST_NONE,
	FIRST_WIDE,
	FIRST_SHIFT64,
	FIRST_MUL,
	FIRST_SHIFT,
	FIRST_ADD,
	FIRST_LOGIC
};

static uint32_t
find_reg(const struct prog_func *f, struct opnd o)
{
	return o.bytes != OPND_NONE && o.base == BASE_FRAME && o.reg < f->ast->n_reg ? o.reg
										     : UINT32_MAX;
}

static bool
is_int(const struct prog_inst *in, uint32_t bytes)
{
	return in->type != TY_PRED && !ptx_is_float((enum ptx_type)in->type) &&
	       ptx_type_bytes((enum ptx_type)in->type) == bytes;
}

static enum first
get_first_kind(const struct prog_inst *in)
{
	if ((in->flags & (GUARDED | CARRY | PF_SAT | PF_SILENT)) || in->n_dst != 1)
		return FIRST_NONE;
	switch (in->op) {
	case PTX_mul:
		if (in->flags & PF_WIDE)
			return is_int(in, 4) ? FIRST_WIDE : FIRST_NONE;
		return !(in->flags & PF_HI) && is_int(in, 4) ? FIRST_MUL : FIRST_NONE;
	case PTX_shl:
		if (in->n_src != 2 || in->src[1].base != BASE_CONST)
			return FIRST_NONE;
		return is_int(in, 8) ? FIRST_SHIFT64 : is_int(in, 4) ? FIRST_SHIFT : FIRST_NONE;
	case PTX_add:
		return is_int(in, 4) ? FIRST_ADD : FIRST_NONE;
	case PTX_and:
	case PTX_or:
	case PTX_xor:
		return is_int(in, 4) ? FIRST_LOGIC : FIRST_NONE;
	}
	return FIRST_NONE;
}

static bool
second_fits(const struct prog_inst *in, enum first k)
{
	if ((in->flags & (CARRY | PF_SAT | PF_SILENT)) || in->n_src != 2)
		return false;
	if (k == FIRST_LOGIC)
		return (in->op == PTX_and || in->op == PTX_or || in->op == PTX_xor) &&
		       is_int(in, 4);
	return in->op == PTX_add && is_int(in, k == FIRST_WIDE || k == FIRST_SHIFT64 ? 8 : 4);
}

/* Are the operands of instruction first unchanged at instruction second? */
static bool
operands_unchanged(const struct fuse *x, uint32_t first, uint32_t second)
{
	const struct prog_inst *in = &x->f->inst[first];

	for (uint32_t k = 0; k < in->n_src; k++) {
		uint32_t r = find_reg(x->f, in->src[k]);

		if (r == UINT32_MAX || x->u[r].n_defs == 1)
			continue;
		if (second <= first || x->block[first] != x->block[second])
			return false;
		for (uint32_t i = first; i < second; i++)
			for (uint32_t d = 0; d < x->f->inst[i].n_dst; d++)
				if (find_reg(x->f, x->f->inst[i].dst[d]) == r)
					return false;
	}
	return true;
}

/* Finds the readers of the result of instruction first, and marks them if mark. True: each of them
 * can be the second of a pair. */
static bool
find_readers(struct fuse *x, uint32_t first, enum first kind, bool mark)
{
	uint32_t r = find_reg(x->f, x->f->inst[first].dst[0]), left = x->u[r].n_uses;
	const uint32_t far = 4096; /* instructions between the two */

	for (uint32_t i = first + 1; left && i < x->f->n_inst && i < first + far; i++) {
		const struct prog_inst *in = &x->f->inst[i];
		uint32_t here = 0;

		for (uint32_t k = 0; k < in->n_src; k++)
			here += find_reg(x->f, in->src[k]) == r;
		if (!here)
			continue;
		if (here > 1 || !second_fits(in, kind) || x->f->fused[i] != PROG_NONE ||
		    !operands_unchanged(x, first, i))
			return false;
		if (mark)
			x->f->fused[i] = first;
		left--;
	}
	return left == 0;
}

static void
find_pairs(struct fuse *x)
{
	struct prog_func *f = x->f;

	for (uint32_t i = 0; i < f->n_inst; i++) {
		enum first kind = get_first_kind(&f->inst[i]);
		uint32_t r = kind ? find_reg(f, f->inst[i].dst[0]) : UINT32_MAX;
		uint32_t most = kind == FIRST_WIDE ? 16 : kind == FIRST_SHIFT64 ? 4 : 1;

		if (r == UINT32_MAX || f->fused[i] != PROG_NONE || x->u[r].n_defs != 1 ||
		    x->u[r].n_uses == 0 || x->u[r].n_uses > most ||
		    !find_readers(x, i, kind, false))
			continue;
		find_readers(x, i, kind, true);
		f->fused[i] = i;
	}
}

/* The readers and writers in prog_func.more prevent fusing, as do those of a call. */
static void
count_more(struct fuse *x, const struct prog_inst *in)
{
	const struct prog_more *m;
	uint32_t r;

	if (!prog_has_more(in))
		return;
	m = &x->f->more[in->ext];
	for (uint32_t mat = 0; mat < MATS; mat++) {
		for (uint32_t k = 0; k < m->n[mat]; k++) {
			if ((r = find_reg(x->f, m->o[mat][k])) == UINT32_MAX)
				continue;
			if (mat == MAT_D)
				x->u[r].n_defs += 2;
			else
				x->u[r].n_uses += UINT16_MAX;
		}
	}
}

static void
count_uses(struct fuse *x)
{
	struct prog_func *f = x->f;
	uint32_t i, k, r, start = 0, to[2];

	for (i = 0; i < f->n_inst; i++) {
		const struct prog_inst *in = &f->inst[i];

		for (k = 0; k < in->n_dst; k++)
			if ((r = find_reg(f, in->dst[k])) != UINT32_MAX)
				x->u[r].n_defs++;
		for (k = 0; k < in->n_src; k++)
			if ((r = find_reg(f, in->src[k])) != UINT32_MAX)
				x->u[r].n_uses++;
		count_more(x, in);
		if (in->op == PTX_call &&
		    in->ext < f->n_call) { /* readers and writers that prevent fusing */
			const struct prog_call *c = &f->call[in->ext];

			for (k = 0; k < c->n_arg; k++)
				if ((r = find_reg(f, c->arg[k].value)) != UINT32_MAX)
					x->u[r].n_uses += UINT16_MAX;
			for (k = 0; k < c->n_ret; k++)
				if ((r = find_reg(f, c->ret[k].value)) != UINT32_MAX)
					x->u[r].n_defs += 2;
		}
		x->block[i] = start;
		if (flow_next(x->m, f, i, to, 2) != 1 || to[0] != i + 1)
			start = i + 1;
	}
	/* targets of branches begin blocks, too */
	for (i = 0; i < f->n_inst; i++)
		if ((f->inst[i].op == PTX_bra) && f->inst[i].target < f->n_inst)
			x->block[f->inst[i].target] = f->inst[i].target;
	for (k = 0; k < f->ast->n_table; k++)
		for (i = 0; !f->ast->table[k].calls && i < f->ast->table[k].n; i++)
			if (f->ast->table[k].index[i] < f->n_inst)
				x->block[f->ast->table[k].index[i]] = f->ast->table[k].index[i];
	for (i = 1; i < f->n_inst; i++)
		if (x->block[i] != i && x->block[i] < x->block[i - 1])
			x->block[i] = x->block[i - 1];
}

int
fuse_analyse(struct ptx_module *m, struct prog_func *f, struct err *e)
{
	struct fuse x = {.m = m, .f = f};
	uint32_t i;

	f->fused = prog_alloc(m, (f->n_inst + 1) * sizeof(*f->fused), e);
	if (!f->fused)
		return -1;
	for (i = 0; i < f->n_inst; i++)
		f->fused[i] = PROG_NONE;
	x.u = calloc(f->ast->n_reg + 1, sizeof(*x.u));
	x.block = calloc(f->n_inst + 1, sizeof(*x.block));
	if (x.u && x.block) {
		count_uses(&x);
		find_pairs(&x);
	}
	i = x.u && x.block;
	free(x.u);
	free(x.block);
	return i ? 0 : err_of(e, ERR_MEMORY, "%s: out of memory", f->name);
}
