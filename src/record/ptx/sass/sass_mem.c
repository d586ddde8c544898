/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sass_mem.c - expands memory accesses and atomics. Signed bytes and halves are written .U8 and
 * .U16, since src/trace and the reference simulator read widths only from these.
 */
#include "record/ptx/sass/sass_part.h"

#include <string.h>

/* The suffix that gives the width: U and a number, or a number alone; none for 32 bits. */
static const char *
get_width_text(uint32_t bytes)
{
	return bytes == 1    ? ".U8"
	       : bytes == 2  ? ".U16"
	       : bytes == 8  ? ".64"
	       : bytes == 16 ? ".128"
			     : "";
}

/* An access of 32 bytes: two machine instructions, each with half of the registers. */
static void
expand_halves(struct expand *x, const char *op)
{
	bool load = x->in->op != PTX_st;
	const struct prog_more *m = &x->f->more[x->in->ext];
	uint32_t mat = load ? MAT_D : MAT_C, half = m->n[mat] / 2u;

	for (uint32_t i = 0; i < 2; i++) {
		struct sass *s = sass_add(x, op);

		s->accesses_memory = true;
		sass_all_sources(x, s, false);
		for (uint32_t k = 0; k < half; k++) {
			uint32_t reg = sass_reg(x, m->o[mat][i * half + k], false);

			if (load)
				sass_add_dst(s, reg);
			else
				sass_add_src(s, reg);
		}
	}
}

void
sass_access(struct expand *x)
{
	const struct prog_inst *in = x->in;
	bool load = in->op != PTX_st, halves = prog_has_more(in), strong;
	const char *name, *extra = "";
	char op[SASS_TEXT];
	struct sass *s;
	uint32_t k;

	if (in->space == SP_CONST) {
		if (in->src[0].base == BASE_CONST)
			return; /* an operand c[][] of the instructions that use it */
		name = "LDC";
	} else if (in->space == SP_SHARED) {
		name = load ? "LDS" : "STS";
	} else if (in->space == SP_LOCAL) {
		name = load ? "LDL" : "STL";
	} else {
		name = in->space == SP_GLOBAL ? (load ? "LDG.E" : "STG.E") : load ? "LD.E" : "ST.E";
		strong = sass_has_word(x, W_cg) || sass_has_word(x, W_relaxed) ||
			 sass_has_word(x, W_acquire) || sass_has_word(x, W_release);
		extra = (in->flags & PF_VOLATILE) || (strong && sass_has_word(x, W_sys))
				? ".STRONG.SYS"
			: strong && !sass_has_word(x, W_cta)
				? ".STRONG.GPU"
				: sass_get_name(sass_has_word(x, W_nc) ? SASS_CONSTANT
								       : SASS_SYSTEM,
						x->generation);
	}
	snprintf(op, sizeof(op), "%s%s%s", name,
		 halves ? ".128"
			: get_width_text(ptx_type_bytes((enum ptx_type)in->type) *
					 MAX(in->vec, 1u)),
		 extra);
	if (halves) {
		expand_halves(x, op);
		return;
	}
	s = sass_add(x, op);
	s->accesses_memory = in->space != SP_CONST;
	for (k = 0; load && k < in->n_dst; k++)
		sass_add_dst(s, sass_reg(x, in->dst[k], false));
	sass_all_sources(x, s, false);
}

/* Adds one instruction of an atomic's loop, which reads the operands and updates the value. */
static struct sass *
loop_step(struct expand *x, const char *op)
{
	struct sass *s = sass_add(x, op);
	uint32_t value = x->in->n_dst ? sass_reg(x, x->in->dst[0], false) : NO_REG;

	sass_all_sources(x, s, false);
	if (x->wrote)
		sass_add_src(s, value);
	sass_add_dst(s, value);
	x->wrote = true;
	return s;
}

/* Shared memory has no atomics on floats, and on 64 bits only exchange and compare-and-swap. */
static void
expand_loop(struct expand *x, enum ptx_type t, const char *wide)
{
	char op[SASS_TEXT];

	snprintf(op, sizeof(op), "LDS%s", wide);
	loop_step(x, op)->accesses_memory = true;
	loop_step(x, t == TY_F64       ? "DADD"
		     : t == TY_F32     ? "FADD"
		     : ptx_is_float(t) ? "HADD2"
				       : "IADD3");
	snprintf(op, sizeof(op), "ATOMS.CAST.SPIN%s", wide);
	loop_step(x, op)->accesses_memory = true;
	sass_add_src(sass_add(x, "ISETP.EQ.U32.AND"),
		     x->in->n_dst ? sass_reg(x, x->in->dst[0], false) : NO_REG);
	sass_add(x, "BRA");
}

void
sass_atomic(struct expand *x)
{
	static const enum ptx_word what[] = {W_add, W_inc, W_dec, W_min,  W_max,
					     W_and, W_or,  W_xor, W_exch, W_cas};
	const struct prog_inst *in = x->in;
	enum ptx_type t = (enum ptx_type)in->type;
	bool shared = in->space == SP_SHARED || x->shared;
	const char *wide = ptx_type_bytes(t) == 8 ? ".64" : "", *kind;
	char name[12], op[SASS_TEXT];
	struct sass *s;

	sass_name(x, what, ARRAY_LEN(what), "ADD", name);
	if (shared &&
	    (ptx_is_float(t) || (*wide && strcmp(name, "EXCH") != 0 && strcmp(name, "CAS") != 0))) {
		expand_loop(x, t, wide);
		return;
	}
	kind = in->op == PTX_red ? "RED" : in->space == SP_GLOBAL ? "ATOMG" : "ATOM";
	if (shared)
		snprintf(op, sizeof(op), "ATOMS.%s%s", name, wide);
	else
		snprintf(op, sizeof(op), "%s.E.%s%s%s.STRONG.GPU", kind, name, wide,
			 ptx_is_float(t) ? ".F.FTZ.RN" : "");
	s = sass_add(x, op);
	s->accesses_memory = true;
	sass_all_sources(x, s, false);
	for (uint32_t k = 0; k < in->n_dst; k++)
		sass_add_dst(s, sass_reg(x, in->dst[k], false));
}
