/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sass_part.h - private to sass.c, sass_mem.c and sass_mma.c: one PTX instruction being
 * expanded. */
#ifndef PTX_SASS_PART_H
#define PTX_SASS_PART_H

#include "record/ptx/sass/sass.h"

#define NO_REG 255u

struct expand {
	const struct prog_func *f;
	const struct prog_inst *in;
	const struct ast_inst *a;
	const struct prog_inst *first; /* the other instruction of its pair (fuse.c), or NULL */
	struct sass *out;
	uint32_t n;
	bool wrote;  /* an earlier machine instruction has written the result */
	bool shared; /* a generic address that is in shared memory */
	uint32_t generation;
};

bool sass_has_word(const struct expand *x,
		   enum ptx_word w); /* does the instruction have that modifier? */
/* Writes the first of n words that the instruction has, in capitals; else `otherwise`. */
void sass_name(const struct expand *x, const enum ptx_word *w, uint32_t n, const char *otherwise,
	       char buf[12]);
/* Adds a machine instruction. */
struct sass *sass_add(struct expand *x, const char *op);
void sass_add_src(struct sass *s, uint32_t reg); /* ignores NO_REG */
void sass_add_dst(struct sass *s, uint32_t reg);
/* The machine register of an operand, or of its high half; NO_REG if it has none. */
uint32_t sass_reg(const struct expand *x, struct opnd o, bool high);
void sass_all_sources(const struct expand *x, struct sass *s, bool high);

/* ---- sass_mem.c ---- */

void sass_access(struct expand *x); /* ld, ldu, st */
void sass_atomic(struct expand *x); /* atom, red */

/* ---- sass_mma.c ---- */

void sass_matrix(struct expand *x); /* mma, wmma, ldmatrix, cp, mbarrier, suld, sust ... */

#endif
