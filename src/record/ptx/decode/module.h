/* SPDX-License-Identifier: GPL-3.0-or-later */
/* module.h - the functions that module.c, layout.c, callgraph.c and decode*.c share while they
 * build a module. */
#ifndef PTX_MODULE_H
#define PTX_MODULE_H

#include "record/ptx/decode/prog.h"

/* ---- callgraph.c ---- */

struct call_graph {
	uint32_t n;
	uint32_t *first; /* n + 1: function f may call to[first[f]] .. to[first[f + 1] - 1] */
	uint32_t *to;
	uint64_t *depth; /* bytes of the deepest stack that starts in f, from callgraph_depths */
};

struct call_graph *callgraph_new(struct ptx_module *m, struct err *e);
void callgraph_free(struct call_graph *g);
/* Call it when stack_bytes of all functions are known. */
int callgraph_depths(const struct ptx_module *m, struct call_graph *g, struct err *e);
/* Lists all functions that f may execute, f first; returns their number. mark: n zeros, which are
 * zero again afterwards. */
uint32_t callgraph_reach(const struct call_graph *g, uint32_t f, uint8_t *mark, uint32_t *list);
/* Calls fn for every variable that an operand of f names. local: it belongs to the function. */
void callgraph_each_var(const struct ast_module *a, const struct ast_func *f,
			void (*fn)(void *ctx, bool local, uint32_t index), void *ctx);

/* ---- layout.c, layout_shared.c ---- */

/* Compute the offsets of registers, stack variables and kernel parameters. Call them before
 * decoding, since constants of the instructions depend on the offsets. */
int layout_func(struct ptx_module *m, struct prog_func *f, struct err *e);
int layout_kernel(struct ptx_module *m, struct ptx_kernel *k, const struct ast_func *f,
		  struct err *e);
/* The same for shared variables; fills kernel[].shared_bytes. */
int layout_shared(struct ptx_module *m, const struct call_graph *g, struct err *e);

static inline uint64_t
layout_align(uint64_t off, uint64_t align)
{
	return align > 1 ? (off + align - 1) / align * align : off;
}

/* ---- decode.c ---- */

int decode_func(struct ptx_module *m, uint32_t func, struct err *e);

/* ---- decode_opnd.c ---- */

/* Whether variable o (AST_VAR) is on the thread's stack. */
bool decode_on_stack(struct decode *d, const struct ast_opnd *o);

/* The private part of struct decode: a hash table of the function's constant vectors, and notes. */
struct decode_const {
	uint64_t bits;
	uint32_t bytes, off; /* bytes 0: the entry is empty */
};

struct decode_consts {
	struct decode_const *slot;
	uint32_t n, n_slots;
	uint32_t cap;	      /* bytes allocated at prog_func.consts */
	uint32_t first_fixup; /* the first fixup of this function */
	uint32_t seen;	      /* a bit for each operand of the instruction that was used */
	bool unsupported;     /* decoding stopped at an unsupported feature */
};

#endif
