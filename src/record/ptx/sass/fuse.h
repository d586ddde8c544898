/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuse.h - two optimizations of a compiler: pairs of PTX instructions that become one machine
 * instruction (fuse.c), and 64-bit values that become 32-bit ones (narrow.c). */
#ifndef PTX_FUSE_H
#define PTX_FUSE_H

#include "record/ptx/decode/prog.h"

/* Fills f->fused. */
int fuse_analyse(struct ptx_module *m, struct prog_func *f, struct err *e);

/* Fills f->narrow. */
int narrow_analyse(struct ptx_module *m, struct prog_func *f, struct err *e);

/* Bytes of an operand in machine code. */
static inline uint32_t
narrow_bytes(const struct prog_func *f, struct opnd o)
{
	bool reg = o.base == BASE_FRAME && o.reg < f->ast->n_reg;

	return o.bytes == 8 && reg && f->narrow[o.reg] ? 4 : o.bytes;
}

/* Is instruction i the first of a pair, so that a later one does its work? */
static inline bool
fuse_is_done(const struct prog_func *f, uint32_t i)
{
	return f->fused[i] == i;
}

/* The first instruction of a pair whose second one is i, or NULL. */
static inline const struct prog_inst *
fuse_first(const struct prog_func *f, uint32_t i)
{
	return f->fused[i] != PROG_NONE && f->fused[i] != i ? &f->inst[f->fused[i]] : NULL;
}

#endif
