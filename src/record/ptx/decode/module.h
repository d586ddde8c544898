/* SPDX-License-Identifier: GPL-3.0-or-later */
/* module.h - what module.c, layout.c, callgraph.c and decode*.c share while a module is built. */
#ifndef PTX_MODULE_H
#define PTX_MODULE_H

#include "record/ptx/decode/prog.h"

/* ---- callgraph.c ---- */

struct call_graph {
	uint32_t n;
	uint32_t *first; /* n + 1: function f may call to[first[f]] .. to[first[f + 1] - 1] */
	uint32_t *to;
	uint64_t *depth; /* bytes of the deepest stack that starts in f: callgraph_depths */
};

struct call_graph *callgraph_new(struct ptx_module *m, struct err *e);
void callgraph_free(struct call_graph *g);
/* After stack_bytes of all functions is known. */
int callgraph_depths(const struct ptx_module *m, struct call_graph *g, struct err *e);
/* All functions that f may come to run, f first, into list; returns how many. mark: n zeros, which
 * they are again afterwards. */
uint32_t callgraph_reach(const struct call_graph *g, uint32_t f, uint8_t *mark, uint32_t *list);
/* Calls fn for every variable an operand of f names. local: of the function's own variables. */
void callgraph_each_var(const struct ast_module *a, const struct ast_func *f,
			void (*fn)(void *ctx, bool local, uint32_t index), void *ctx);

/* ---- layout.c, layout_shared.c ---- */

/* Offsets of registers, stack variables and kernel parameters, before anything is decoded:
 * constants of the instructions depend on them. */
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

/* Does variable o (AST_VAR) lie in the thread's stack? */
bool decode_on_stack(struct decode *d, const struct ast_opnd *o);

/* decode.more: a hash table of the function's constant vectors, and a few notes. */
struct decode_const {
	uint64_t bits;
	uint32_t bytes, off; /* bytes 0: empty */
};

struct decode_consts {
	struct decode_const *slot;
	uint32_t n, n_slots;
	uint32_t cap;	      /* bytes allocated at prog_func.consts */
	uint32_t first_fixup; /* of this function */
	uint32_t seen;	      /* operands of the instruction that were asked for, one bit each */
	bool unsupported;     /* what stopped decoding is a feature that is not there */
};

#endif
