/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sass.h - the machine instructions into which a compiler translates PTX instructions (sass.c). */
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
const char *sass_get_name(enum sass_named what, uint32_t generation);

struct sass {
	char op[SASS_TEXT];
	bool accesses_memory; /* at the addresses of the PTX instruction */
	uint8_t imm;	      /* of DEPBAR: groups that may be left */
	uint8_t n_dst, n_src;
	uint8_t dst[INST_MAX_DST], src[INST_MAX_SRC];
};

/* The n machine instructions of a function: those of PTX instruction i are inst[first[i]] to
 * inst[first[i + 1] - 1], possibly none. */
struct sass_list {
	uint32_t n, *first;
	struct sass inst[];
};

/* The list of function func. The first call makes it and the module keeps it, so that later
 * launches reuse it. NULL with e filled: out of memory. */
const struct sass_list *sass_of(struct ptx_module *m, uint32_t func, struct err *e);
/* Writes the machine instructions of an atom or red through a generic address that accessed shared
 * memory, which needs another machine instruction; returns their number. */
uint32_t sass_expand_shared(const struct prog_func *f, uint32_t i, uint32_t generation,
			    struct sass out[SASS_MAX]);

#endif
