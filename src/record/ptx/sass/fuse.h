/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuse.h - what a compiler makes of single values: pairs of instructions that are one to the
 * machine (fuse.c), 64-bit values that are 32-bit ones to it (narrow.c). */
#ifndef PTX_FUSE_H
#define PTX_FUSE_H

#include "record/ptx/decode/prog.h"

/* Fills f->fused. */
int fuse_analyse(struct ptx_module *m, struct prog_func *f, struct err *e);

/* Fills f->narrow. */
int narrow_analyse(struct ptx_module *m, struct prog_func *f, struct err *e);

/* Bytes of an operand as the machine sees it. */
static inline uint32_t
narrow_bytes(const struct prog_func *f, struct opnd o)
{
	bool reg = o.base == BASE_FRAME && o.reg < f->ast->n_reg;

	return o.bytes == 8 && reg && f->narrow[o.reg] ? 4 : o.bytes;
}

/* Has instruction i nothing left to do because later ones do its work? */
static inline bool
fuse_is_done(const struct prog_func *f, uint32_t i)
{
	return f->fused[i] == i;
}

/* The instruction whose work i does as well, or NULL. */
static inline const struct prog_inst *
fuse_first(const struct prog_func *f, uint32_t i)
{
	return f->fused[i] != PROG_NONE && f->fused[i] != i ? &f->inst[f->fused[i]] : NULL;
}

#endif
