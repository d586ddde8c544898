/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sass.h - PTX instructions as the machine instructions a compiler makes of them (sass.c). */
#ifndef PTX_SASS_H
#define PTX_SASS_H

#include "ctascope/trace.h"
#include "record/ptx/decode/prog.h"

#define SASS_MAX 96 /* machine instructions of one PTX instruction */
#define SASS_TEXT 64

struct sass {
	char op[SASS_TEXT];
	bool memory; /* it is the one that the addresses belong to */
	uint8_t n_dst, n_src;
	uint8_t dst[INST_MAX_DST], src[INST_MAX_SRC];
};

/* Machine instructions of f's instruction i into out; how many there are, 0 for one that leaves
 * none. */
uint32_t sass_expand(const struct prog_func *f, uint32_t i, struct sass out[SASS_MAX]);
/* The same for an access through a generic address that turned out to go to shared memory, where
 * that is another instruction (atom, red). */
uint32_t sass_expand_shared(const struct prog_func *f, uint32_t i, struct sass out[SASS_MAX]);

#endif
