/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live.c - allocates machine registers for the values of a function.
 *
 * The result is a machine register per PTX register, for the trace's scoreboard, and a count for
 * occupancy, which is close to that of ptxas.
 *
 * 0. Pairs of instructions that become one are found first (fuse.c), and 64-bit values that become
 *    32-bit ones (narrow.c).
 * 1. Liveness backwards over basic blocks, then a list of live ranges with holes per register. At
 *    position 2i instruction i reads, at 2i+1 it writes, so that a result may take the place of an
 *    operand that dies there. A guarded instruction does not end the life of the value it may keep.
 * 2. Values that are constants of the machine need no register: kernel parameters (ld.param of an
 *    entry: they stay in the constant bank), immediates, addresses of variables, %ntid, %nctaid,
 *    and copies of these, if they are written once and only arithmetic reads them. Memory
 *    addresses, stored data and arguments of calls must be in registers.
 * 3. Copies (mov, cvta, conversions between integers that change no bit) share the register of
 *    their source when the two do not live at the same time, or when both are written once: then
 *    they are the same value for as long as either lives.
 * 4. Linear scan over the shared ranges in order of their first position, lowest free register
 *    first. R1 is the stack pointer and not used. 64-bit values take an aligned pair, vectors an
 *    aligned group, 16 bits and less a whole register, predicates none (255).
 *
 * Each function is numbered from R0. A kernel's count is the largest of the functions it can reach
 * (module.c): a callee takes the numbers of its caller, as if the caller had saved what it still
 * needs. A machine has R0 to R254; numbers from R254 on wrap to R2 (modulo 252, which keeps pairs
 * aligned), and the count stays at 255: ptxas would spill to local memory, which is not modelled.
 *
 * Not done: spilling, rematerialization, scheduling of instructions as in ptxas.
 */
#include "record/ptx/sass/live.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- operands */

static uint32_t
get_reg_width(const struct ast_reg *r)
{
	uint32_t bytes = ptx_type_bytes((enum ptx_type)r->type);

	return r->type == TY_PRED ? 0 : (bytes == 8 ? 2 : 1) * MAX(r->vec, 1u);
}

uint32_t
live_reg(const struct prog_func *f, struct opnd o)
{
	if (o.bytes == OPND_NONE || o.base != BASE_FRAME || o.reg >= f->ast->n_reg)
		return UINT32_MAX;
	return o.reg;
}

uint32_t
live_phys(const struct prog_func *f, struct opnd o)
{
	uint32_t r = live_reg(f, o), bytes;

	if (r == UINT32_MAX || f->phys[r] == NO_REG)
		return NO_REG;
	if (f->ast->reg[r].vec <= 1)
		return f->phys[r];
	bytes = o.bytes == 8 ? 8 : 4;
	r = f->phys[r] + (o.off - f->reg_off[r]) / (bytes * WARP_SIZE) * (bytes / 4);
	return MIN(r, NO_REG - 1);
}

/* Calls fn for the registers of a matrix. */
static void
each_more(struct live *l, uint32_t i, uint32_t mat, visit_fn *fn, void *ctx)
{
	const struct prog_inst *in = &l->f->inst[i];
	const struct prog_more *m;
	uint32_t r;

	if (!prog_has_more(in) || in->ext >= l->f->n_more)
		return;
	m = &l->f->more[in->ext];
	for (uint32_t k = 0; k < m->n[mat]; k++)
		if ((r = live_reg(l->f, m->o[mat][k])) != UINT32_MAX)
			fn(l, r, i, ctx);
}

void
live_each_use(struct live *l, uint32_t i, visit_fn *fn, void *ctx)
{
	const struct prog_inst *in = &l->f->inst[i];
	const struct prog_inst *first = fuse_first(l->f, i);
	const struct prog_call *c;
	uint32_t k, r, taken = first ? live_reg(l->f, first->dst[0]) : UINT32_MAX;

	if (fuse_is_done(l->f, i))
		return;
	for (k = 0; k < in->n_src; k++)
		if ((r = live_reg(l->f, in->src[k])) != UINT32_MAX && r != taken)
			fn(l, r, i, ctx);
	for (k = 0; first && k < first->n_src; k++)
		if ((r = live_reg(l->f, first->src[k])) != UINT32_MAX)
			fn(l, r, i, ctx);
	for (k = MAT_A; k < MATS; k++)
		each_more(l, i, k, fn, ctx);
	if (in->op != PTX_call || in->ext == PROG_NONE || in->ext >= l->f->n_call)
		return;
	c = &l->f->call[in->ext];
	for (k = 0; k < c->n_arg; k++)
		if ((r = live_reg(l->f, c->arg[k].value)) != UINT32_MAX)
			fn(l, r, i, ctx);
	if (in->target == PROG_NONE && (r = live_reg(l->f, c->callee)) != UINT32_MAX)
		fn(l, r, i, ctx);
}

void
live_each_def(struct live *l, uint32_t i, visit_fn *fn, void *ctx)
{
	const struct prog_inst *in = &l->f->inst[i];
	const struct prog_call *c;
	uint32_t k, r;

	if (fuse_is_done(l->f, i))
		return;
	for (k = 0; k < in->n_dst; k++)
		if ((r = live_reg(l->f, in->dst[k])) != UINT32_MAX)
			fn(l, r, i, ctx);
	each_more(l, i, MAT_D, fn, ctx);
	if (in->op != PTX_call || in->ext == PROG_NONE || in->ext >= l->f->n_call)
		return;
	c = &l->f->call[in->ext];
	for (k = 0; k < c->n_ret; k++)
		if ((r = live_reg(l->f, c->ret[k].value)) != UINT32_MAX)
			fn(l, r, i, ctx);
}

/* Does instruction i replace the whole value of a register? A guarded one does so only if nothing
 * else writes the register. */
static bool
overwrites_register(const struct live *l, uint32_t i, uint32_t reg)
{
	return l->f->ast->reg[reg].vec <= 1 &&
	       (!(l->f->inst[i].flags & (PF_GUARD | PF_GUARD_NOT)) || l->v[reg].n_defs == 1);
}

bool
live_is_copy(const struct prog_inst *in)
{
	if (in->n_dst != 1 || in->n_src != 1)
		return false;
	return in->op == PTX_mov || in->op == PTX_cvta;
}

/* ---------------------------------------------------------------- blocks */

static int
make_blocks(struct live *l)
{
	const struct prog_func *f = l->f;
	uint32_t *to = l->to, i, k, n;
	uint8_t *head = calloc(f->n_inst + 1, 1);

	if (!head)
		return -1;
	head[0] = 1;
	for (i = 0; i < f->n_inst; i++) {
		n = flow_next(l->m, f, i, to, l->n_to);
		if (n == 1 && to[0] == i + 1)
			continue;
		head[i + 1] = 1;
		for (k = 0; k < n; k++)
			if (to[k] < f->n_inst)
				head[to[k]] = 1;
	}
	for (i = 0; i < f->n_inst; i++)
		l->n_block += head[i];
	l->block = calloc(l->n_block + 1, sizeof(*l->block));
	l->block_of = calloc(f->n_inst + 1, sizeof(*l->block_of));
	if (!l->block || !l->block_of) {
		free(head);
		return -1;
	}
	for (i = 0, k = 0; i < f->n_inst; i++) {
		if (head[i])
			l->block[k++].first = i;
		l->block[k - 1].last = i;
		l->block_of[i] = k - 1;
	}
	free(head);
	return 0;
}

static bool
set_has(const uint64_t *set, uint32_t r)
{
	return set[r >> 6] >> (r & 63) & 1;
}

struct gen_kill {
	uint64_t *gen, *kill;
};

static void
gen_use(struct live *l, uint32_t reg, uint32_t i ATTR_UNUSED, void *ctx)
{
	const struct gen_kill *g = ctx;

	if (l->v[reg].width && !set_has(g->kill, reg))
		g->gen[reg >> 6] |= UINT64_C(1) << (reg & 63);
}

static void
kill_def(struct live *l, uint32_t reg, uint32_t i, void *ctx)
{
	const struct gen_kill *g = ctx;

	if (overwrites_register(l, i, reg))
		g->kill[reg >> 6] |= UINT64_C(1) << (reg & 63);
}

/* Makes one pass over all blocks, backwards. True: a set grew. */
static bool
propagate_liveness(struct live *l)
{
	uint32_t *to = l->to, b, k, n, w;
	bool grew = false;

	for (b = l->n_block; b-- > 0;) {
		uint64_t *out = l->out + (size_t)b * l->words, *in = l->in + (size_t)b * l->words;
		const uint64_t *gen = l->gen + (size_t)b * l->words;
		const uint64_t *kill = l->kill + (size_t)b * l->words;

		n = flow_next(l->m, l->f, l->block[b].last, to, l->n_to);
		for (k = 0; k < n; k++) {
			const uint64_t *next;

			if (to[k] >= l->f->n_inst)
				continue;
			next = l->in + (size_t)l->block_of[to[k]] * l->words;
			for (w = 0; w < l->words; w++)
				out[w] |= next[w];
		}
		for (w = 0; w < l->words; w++) {
			uint64_t now = gen[w] | (out[w] & ~kill[w]);

			grew |= now != in[w];
			in[w] = now;
		}
	}
	return grew;
}

static int
find_live(struct live *l)
{
	size_t size;
	uint32_t b, i;

	l->words = (l->n + 63) / 64;
	size = (size_t)l->n_block * l->words;
	l->gen = calloc(size * 4 + 1, sizeof(*l->gen));
	if (!l->gen)
		return -1;
	l->kill = l->gen + size;
	l->in = l->kill + size;
	l->out = l->in + size;
	for (b = 0; b < l->n_block; b++) {
		struct gen_kill g = {l->gen + (size_t)b * l->words, l->kill + (size_t)b * l->words};

		for (i = l->block[b].first; i <= l->block[b].last; i++) {
			live_each_use(l, i, gen_use, &g);
			live_each_def(l, i, kill_def, &g);
		}
	}
	while (propagate_liveness(l))
		;
	return 0;
}

/* ---------------------------------------------------------------- ranges */

void
live_add_range(struct live *l, struct value *v, uint32_t from, uint32_t to)
{
	struct range *grown;
	uint32_t cap;

	if (v->n && v->range[v->n - 1].from <= to) {
		v->range[v->n - 1].from = MIN(v->range[v->n - 1].from, from);
		v->range[v->n - 1].to = MAX(v->range[v->n - 1].to, to);
		return;
	}
	if (v->n == v->cap) {
		cap = v->cap ? v->cap * 2 : 2;
		grown = realloc(v->range, cap * sizeof(*grown));
		if (!grown) {
			l->failed = true;
			return;
		}
		v->range = grown;
		v->cap = cap;
	}
	v->range[v->n++] = (struct range){from, to};
}

static void
add_def_range(struct live *l, uint32_t reg, uint32_t i, void *ctx ATTR_UNUSED)
{
	struct value *v = &l->v[reg];
	bool lives =
		v->n && v->range[v->n - 1].from <= 2 * i + 1 && v->range[v->n - 1].to > 2 * i + 1;

	if (!v->width)
		return;
	if (!lives) /* nothing reads it, but writing it needs a register */
		live_add_range(l, v, 2 * i + 1, 2 * i + 2);
	else if (overwrites_register(l, i, reg))
		v->range[v->n - 1].from = 2 * i + 1;
}

static void
add_use_range(struct live *l, uint32_t reg, uint32_t i, void *ctx)
{
	const struct block *b = ctx;

	if (l->v[reg].width)
		live_add_range(l, &l->v[reg], 2 * b->first, 2 * i + 1);
}

static void
find_ranges(struct live *l)
{
	uint32_t b, i, r;

	for (b = l->n_block; b-- > 0;) {
		struct block *at = &l->block[b];
		const uint64_t *out = l->out + (size_t)b * l->words;

		for (r = 0; r < l->n; r++)
			if (set_has(out, r) && l->v[r].width)
				live_add_range(l, &l->v[r], 2 * at->first, 2 * at->last + 2);
		for (i = at->last + 1; i-- > at->first;) {
			live_each_def(l, i, add_def_range, NULL);
			live_each_use(l, i, add_use_range, at);
		}
	}
}

/* ---------------------------------------------------------------- all */

static int
analyse_function(struct live *l)
{
	uint32_t i;

	l->n_to = 2;
	for (i = 0; i < l->f->ast->n_table; i++)
		l->n_to = MAX(l->n_to, l->f->ast->table[i].n + 1);
	l->to = calloc(l->n_to, sizeof(*l->to));
	l->v = calloc(l->n + 1, sizeof(*l->v));
	if (!l->to || !l->v)
		return -1;
	for (i = 0; i < l->n; i++) {
		l->v[i].same_as = i;
		l->v[i].width = l->f->narrow[i] ? 1 : (uint8_t)get_reg_width(&l->f->ast->reg[i]);
	}
	live_find_constants(l);
	for (i = 0; i < l->n; i++)
		l->v[i].is_one_value = l->v[i].n_defs == 1;
	if (make_blocks(l) || find_live(l))
		return -1;
	find_ranges(l);
	if (l->failed)
		return -1;
	return live_allocate(l);
}

int
live_analyse(struct ptx_module *m, struct prog_func *f, struct err *e)
{
	struct live l = {.m = m, .f = f, .n = f->ast->n_reg};
	uint32_t i;
	int r;

	f->regs = 2;
	f->phys = prog_alloc(m, l.n + 1, e);
	if (!f->phys || narrow_analyse(m, f, e) || fuse_analyse(m, f, e))
		return -1;
	r = f->n_inst ? analyse_function(&l) : 0;
	for (i = 0; l.v && i < l.n; i++)
		free(l.v[i].range);
	free(l.v);
	free(l.block);
	free(l.block_of);
	free(l.to);
	free(l.gen);
	return r ? err_of(e, ERR_MEMORY, "%s: out of memory", f->name) : 0;
}
