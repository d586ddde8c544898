/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sass.h - PTX instructions as the machine instructions a compiler makes of them (sass.c). */
#ifndef PTX_SASS_H
#define PTX_SASS_H

#include "ctascope/trace.h"
#include "record/ptx/decode/prog.h"

#define SASS_MAX 96 /* machine instructions of one PTX instruction */
#define SASS_TEXT 64

/* Columns of arch.def. */
enum generation { GEN_VOLTA, GEN_TURING, GEN_AMPERE, GENERATIONS };

/* Instructions, and suffixes, with a name per generation. */
enum sass_named {
#define NAMED(what, volta, turing, ampere) SASS_##what,
#include "record/ptx/arch.def"
	SASS_NAMED
};
const char *sass_named(enum sass_named what, uint32_t generation);

struct sass {
	char op[SASS_TEXT];
	bool memory; /* it is the one that the addresses belong to */
	uint8_t imm; /* of DEPBAR: groups that may be left */
	uint8_t n_dst, n_src;
	uint8_t dst[INST_MAX_DST], src[INST_MAX_SRC];
};

/* The machine instructions of a function: those of instruction i are inst[first[i]] to
 * inst[first[i + 1] - 1], none for one that leaves none. n of them. */
struct sass_list {
	uint32_t n, *first;
	struct sass inst[];
};

/* Those of m's function func, made when it is asked for first and kept with the module, so that a
 * thousand launches of a kernel write their texts once. NULL with e filled: no memory. */
const struct sass_list *sass_of(struct ptx_module *m, uint32_t func, struct err *e);
/* The machine instructions of f's instruction i, how many there are, for an access through a
 * generic address that turned out to go to shared memory, where that is another instruction (atom,
 * red). */
uint32_t sass_expand_shared(const struct prog_func *f, uint32_t i, uint32_t generation,
			    struct sass out[SASS_MAX]);

#endif
