/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.h - private to live.c (liveness), live_const.c (values without a register) and live_alloc.c
 * (register allocation). */
#ifndef PTX_LIVE_H
#define PTX_LIVE_H

#include "record/ptx/decode/flow.h"
#include "record/ptx/sass/fuse.h"

#define NO_REG 255u

struct range {
	uint32_t from, to; /* positions from .. to-1 */
};

struct value {		  /* a PTX register, or the representative of a class of several */
	uint32_t same_as; /* union-find parent */
	uint32_t n_defs;
	uint32_t n, cap;
	struct range *range; /* descending: range[n-1] is the first */
	uint32_t phys;
	uint8_t width;	   /* machine registers; 0: none */
	bool constant;	   /* a constant of the machine, which needs no register */
	bool immediate;	   /* a constant that the PTX gives, not the launch */
	bool in_memory;	   /* read by an instruction that needs it in a register */
	bool in_address;   /* an address of shared, local or constant memory, which may be an
			      immediate but not a parameter */
	bool is_one_value; /* of a class: all members have the same value, written once */
};

struct block {
	uint32_t first, last; /* instructions */
};

struct live {
	const struct ptx_module *m;
	struct prog_func *f;
	struct value *v;
	uint32_t n, words; /* registers; words of a set of them */
	struct block *block;
	uint32_t n_block, *block_of;
	uint32_t *to, n_to; /* successors of one instruction; n_to: room for the most of any */
	uint64_t *gen, *kill, *in, *out; /* of each block, words each */
	bool failed;			 /* memory ran out */
};

/* ---- live.c ---- */

/* The PTX register of an operand, or UINT32_MAX. */
uint32_t live_reg(const struct prog_func *f, struct opnd o);

/* Calls fn for every register that instruction i reads or writes. */
typedef void visit_fn(struct live *l, uint32_t reg, uint32_t i, void *ctx);
void live_each_use(struct live *l, uint32_t i, visit_fn *fn, void *ctx);
void live_each_def(struct live *l, uint32_t i, visit_fn *fn, void *ctx);
/* Does the instruction copy a value without changing it? */
bool live_is_copy(const struct prog_inst *in);
/* Adds a range to a value; calls go from the last range to the first. */
void live_add_range(struct live *l, struct value *v, uint32_t from, uint32_t to);

/* ---- live_const.c ---- */

/* Fills n_defs and constant; constants get width 0. */
void live_find_constants(struct live *l);

/* ---- live_alloc.c ---- */

/* Lets copies share ranges, then gives each range a register: fills f->phys and f->regs. */
int live_allocate(struct live *l);

#endif
