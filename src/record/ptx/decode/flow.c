/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow.c - finds the reconvergence point of each branch: its immediate post-dominator.
 *
 * The function is divided into basic blocks. Dominators of the reversed graph are computed by the
 * iteration of Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm"), which needs a few
 * passes over the blocks.
 *
 * A function may end in several places. Lanes that exit early do not hold back the others, so an
 * early exit must not move the reconvergence point of the rest to the end of the function (a
 * barrier in between would look divergent). Therefore one end is chosen, the unguarded ret or exit
 * that most instructions can reach, and post-dominators are computed among the blocks that reach
 * it. The remaining blocks are treated in the same way with the next end. Every path from a branch
 * then passes its reconvergence point or leaves the function, which is all that the stack of exec.c
 * needs. Guarded ends are chosen only when no other is left. Blocks that reach no end (endless
 * loops, trap) have no reconvergence point, and unreachable code is not analysed: reconv stays
 * PROG_NONE.
 *
 * Also set here: prog_inst.slow and prog_func.stack_align.
 */
#include "record/ptx/decode/flow.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* Ends chosen by how many instructions reach them; the rest follow in order. */
#define MAX_ROUNDS 32
#define MAX_CANDIDATES 16 /* ends compared in each round */

enum end { END_NONE, END_SOME, END_ALL }; /* lanes that leave the function at the end of a block */

struct cfg {
	const struct ptx_module *m;
	struct prog_func *f;
	uint32_t n;		  /* blocks */
	uint32_t *first;	  /* first instruction of each block, and n */
	uint32_t *block_of;	  /* the block of each instruction */
	uint32_t *succ_at, *succ; /* of block b: succ[succ_at[b]] up to succ[succ_at[b + 1]] */
	uint32_t *pred_at, *pred;
	uint8_t *end; /* enum end */
	bool *reachable;
	uint32_t *level; /* the round in which it got its end; NONE: not yet */
	uint32_t *seen;	 /* number of the last walk that visited it */
	uint32_t stamp;
	uint32_t *ipdom, *rank;		/* rank: position in post-order of the reversed graph */
	uint32_t *order, *stack, *next; /* scratch space of the walks */
};

/* ---------------------------------------------------------------- instructions */

static bool
flow_guarded(const struct prog_inst *in)
{
	return in->flags & (PF_GUARD | PF_GUARD_NOT);
}

/* Whether the next instruction may be executed after `in`. */
static bool
flow_falls_through(const struct ptx_module *m, const struct prog_inst *in)
{
	if (flow_guarded(in))
		return true;
	switch (in->op) {
	case PTX_bra:
	case PTX_brx:
	case PTX_ret:
	case PTX_exit:
	case PTX_trap:
		return false;
	case PTX_call:
		return in->target == PROG_NONE || !m->ast->func[in->target].noreturn;
	default:
		return true;
	}
}

uint32_t
flow_next(const struct ptx_module *m, const struct prog_func *f, uint32_t i, uint32_t *to,
	  uint32_t max)
{
	const struct prog_inst *in = &f->inst[i];
	uint32_t n = 0, k;

	if (in->op == PTX_bra && in->target < f->n_inst) {
		if (n < max)
			to[n] = in->target;
		n++;
	} else if (in->op == PTX_brx) {
		const struct ast_table *t = &f->ast->table[in->target];

		for (k = 0; k < t->n; k++) {
			if (t->index[k] >= f->n_inst)
				continue;
			if (n < max)
				to[n] = t->index[k];
			n++;
		}
	}
	if (i + 1 < f->n_inst && flow_falls_through(m, in) && !(n == 1 && max && to[0] == i + 1)) {
		if (n < max)
			to[n] = i + 1;
		n++;
	}
	return n;
}

/* Returns whether none, some or all lanes leave the function after instruction i. */
static enum end
flow_end(const struct ptx_module *m, const struct prog_func *f, uint32_t i)
{
	const struct prog_inst *in = &f->inst[i];
	bool leaves = in->op == PTX_ret || in->op == PTX_exit;
	uint32_t k;

	if (in->op == PTX_bra)
		leaves = in->target >= f->n_inst;
	if (in->op == PTX_brx)
		for (k = 0; k < f->ast->table[in->target].n; k++)
			leaves |= f->ast->table[in->target].index[k] >= f->n_inst;
	/* A function returns after its last instruction. */
	if (i + 1 == f->n_inst && flow_falls_through(m, in))
		return in->op == PTX_bra && !leaves ? END_SOME : END_ALL;
	if (!leaves)
		return END_NONE;
	return flow_guarded(in) || in->op == PTX_brx ? END_SOME : END_ALL;
}

static bool
flow_ends_block(const struct prog_inst *in)
{
	return in->op == PTX_bra || in->op == PTX_brx || in->op == PTX_ret || in->op == PTX_exit ||
	       in->op == PTX_trap || in->op == PTX_call;
}

/* ---------------------------------------------------------------- the graph */

static void
cfg_free(struct cfg *g)
{
	free(g->first);
	free(g->block_of);
	free(g->succ_at);
	free(g->succ);
	free(g->pred_at);
	free(g->pred);
	free(g->end);
	free(g->reachable);
	free(g->level);
	free(g->seen);
	free(g->ipdom);
	free(g->rank);
	free(g->order);
	free(g->stack);
	free(g->next);
}

static uint32_t *
cfg_alloc_array(size_t n)
{
	return calloc(n + 2, sizeof(uint32_t));
}

/* Divides the function into blocks. */
static int
cfg_find_blocks(struct cfg *g)
{
	const struct prog_func *f = g->f;
	uint32_t i, k, n;
	bool *leader = calloc(f->n_inst + 1, sizeof(*leader));

	g->block_of = cfg_alloc_array(f->n_inst);
	g->first = cfg_alloc_array(f->n_inst);
	if (!leader || !g->block_of || !g->first) {
		free(leader);
		return -1;
	}
	leader[0] = true;
	for (i = 0; i < f->n_inst; i++) {
		const struct prog_inst *in = &f->inst[i];

		if (!flow_ends_block(in))
			continue;
		leader[i + 1] = true;
		if (in->op == PTX_bra)
			leader[MIN(in->target, f->n_inst)] = true;
		if (in->op == PTX_brx)
			for (k = 0; k < f->ast->table[in->target].n; k++)
				leader[MIN(f->ast->table[in->target].index[k], f->n_inst)] = true;
	}
	for (i = n = 0; i < f->n_inst; i++) {
		if (leader[i])
			g->first[n++] = i;
		g->block_of[i] = n - 1;
	}
	g->first[n] = f->n_inst;
	g->n = n;
	free(leader);
	return 0;
}

static int
cfg_find_edges(struct cfg *g)
{
	uint32_t b, k, n = 0, *fill;

	g->succ_at = cfg_alloc_array(g->n);
	g->pred_at = cfg_alloc_array(g->n);
	g->end = calloc(g->n + 1, 1);
	if (!g->succ_at || !g->pred_at || !g->end)
		return -1;
	for (b = 0; b < g->n; b++) {
		g->succ_at[b] = n;
		n += flow_next(g->m, g->f, g->first[b + 1] - 1, NULL, 0);
	}
	g->succ = cfg_alloc_array(n + 1);
	g->pred = cfg_alloc_array(n + 1);
	fill = cfg_alloc_array(g->n);
	if (!g->succ || !g->pred || !fill) {
		free(fill);
		return -1;
	}
	for (b = n = 0; b < g->n; b++) {
		uint32_t last = g->first[b + 1] - 1, cnt;

		g->succ_at[b] = n;
		cnt = flow_next(g->m, g->f, last, g->succ + n, UINT32_MAX);
		for (k = 0; k < cnt; k++) {
			g->succ[n + k] = g->block_of[g->succ[n + k]];
			g->pred_at[g->succ[n + k] + 1]++;
		}
		n += cnt;
		g->end[b] = (uint8_t)flow_end(g->m, g->f, last);
	}
	g->succ_at[g->n] = n;
	for (b = 0; b < g->n; b++)
		g->pred_at[b + 1] += g->pred_at[b];
	for (b = 0; b < g->n; b++)
		for (k = g->succ_at[b]; k < g->succ_at[b + 1]; k++) {
			uint32_t s = g->succ[k];

			g->pred[g->pred_at[s] + fill[s]++] = b;
		}
	free(fill);
	return 0;
}

static void
cfg_mark_reachable(struct cfg *g)
{
	uint32_t n = 0, k;

	g->reachable[0] = true;
	g->stack[n++] = 0;
	while (n) {
		uint32_t b = g->stack[--n];

		for (k = g->succ_at[b]; k < g->succ_at[b + 1]; k++)
			if (!g->reachable[g->succ[k]]) {
				g->reachable[g->succ[k]] = true;
				g->stack[n++] = g->succ[k];
			}
	}
}

static int
cfg_build(struct cfg *g)
{
	uint32_t b;

	if (cfg_find_blocks(g) || cfg_find_edges(g))
		return -1;
	g->reachable = calloc(g->n + 1, sizeof(*g->reachable));
	g->level = cfg_alloc_array(g->n);
	g->seen = cfg_alloc_array(g->n);
	g->ipdom = cfg_alloc_array(g->n);
	g->rank = cfg_alloc_array(g->n);
	g->order = cfg_alloc_array(g->n);
	g->stack = cfg_alloc_array(g->n);
	g->next = cfg_alloc_array(g->n);
	if (!g->reachable || !g->level || !g->seen || !g->ipdom || !g->rank || !g->order ||
	    !g->stack || !g->next)
		return -1;
	for (b = 0; b < g->n; b++)
		g->level[b] = g->ipdom[b] = NONE;
	cfg_mark_reachable(g);
	return 0;
}

/* ---------------------------------------------------------------- post-dominators */

/* Walks backwards from `end` over reachable blocks without a level and stores them in order[], in
 * post-order (`end` is the last). Returns their number. */
static uint32_t
cfg_walk(struct cfg *g, uint32_t end)
{
	uint32_t n = 0, depth = 0;

	g->stamp++;
	g->seen[end] = g->stamp;
	g->stack[depth] = end;
	g->next[depth++] = g->pred_at[end];
	while (depth) {
		uint32_t b = g->stack[depth - 1], k = g->next[depth - 1]++;

		if (k == g->pred_at[b + 1]) {
			g->rank[b] = n;
			g->order[n++] = b;
			depth--;
		} else {
			uint32_t p = g->pred[k];

			if (g->seen[p] == g->stamp || g->level[p] != NONE || !g->reachable[p])
				continue;
			g->seen[p] = g->stamp;
			g->stack[depth] = p;
			g->next[depth++] = g->pred_at[p];
		}
	}
	return n;
}

/* Returns the nearest block that post-dominates both. */
static uint32_t
cfg_find_meet(const struct cfg *g, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (g->rank[a] < g->rank[b])
			a = g->ipdom[a];
		while (g->rank[b] < g->rank[a])
			b = g->ipdom[b];
	}
	return a;
}

/* Computes the post-dominators of the blocks that reach `end` and have no level yet, and gives them
 * one. */
static void
cfg_solve(struct cfg *g, uint32_t end, uint32_t level)
{
	uint32_t n = cfg_walk(g, end), i, k;
	bool changed = true;

	for (i = 0; i < n; i++)
		g->level[g->order[i]] = level;
	g->ipdom[end] = end;
	while (changed) {
		changed = false;
		for (i = n - 1; i-- > 0;) {
			uint32_t b = g->order[i], best = NONE;

			for (k = g->succ_at[b]; k < g->succ_at[b + 1]; k++) {
				uint32_t s = g->succ[k];

				if (g->level[s] != level || g->ipdom[s] == NONE)
					continue;
				best = best == NONE ? s : cfg_find_meet(g, s, best);
			}
			if (best != g->ipdom[b]) {
				g->ipdom[b] = best;
				changed = true;
			}
		}
	}
	g->ipdom[end] = NONE;
}

/* Chooses ends of the given kind one after the other until none is left. list: scratch space for
 * all of them. */
static void
cfg_choose_ends(struct cfg *g, enum end kind, uint32_t *list, uint32_t *level)
{
	uint32_t n = 0, b, i, round;

	for (b = g->n; b-- > 0;)
		if (g->reachable[b] && g->end[b] == kind && g->level[b] == NONE)
			list[n++] = b;
	for (round = 0; n && round < MAX_ROUNDS; round++) {
		uint32_t best = 0, most = 0, left = 0;

		for (i = 0; i < n && i < MAX_CANDIDATES && n > 1; i++) {
			uint32_t blocks = cfg_walk(g, list[i]), insts = 0;

			for (b = 0; b < blocks; b++)
				insts += g->first[g->order[b] + 1] - g->first[g->order[b]];
			if (insts > most) {
				most = insts;
				best = i;
			}
		}
		cfg_solve(g, list[best], (*level)++);
		for (i = 0; i < n; i++)
			if (g->level[list[i]] == NONE)
				list[left++] = list[i];
		n = left;
	}
	for (i = 0; i < n; i++)
		if (g->level[list[i]] == NONE)
			cfg_solve(g, list[i], (*level)++);
}

/* ---------------------------------------------------------------- results */

static bool
flow_reads_clock(const struct prog_inst *in)
{
	uint32_t k;

	for (k = 0; k < in->n_src && k < ARRAY_LEN(in->src); k++)
		if (in->src[k].bytes != OPND_NONE && in->src[k].base == BASE_SREG &&
		    in->src[k].off >= SREG_CLOCK * SREG_STRIDE &&
		    in->src[k].off < (SREG_GLOBALTIMER_HI + 1) * SREG_STRIDE)
			return true;
	return false;
}

static void
flow_set_slow(struct prog_func *f)
{
	uint32_t i, k;

	for (i = 0; i < f->n_inst; i++) {
		struct prog_inst *in = &f->inst[i];

		in->slow = (uint8_t)((in->flags & PF_GUARD ? SLOW_GUARD : 0) |
				     (in->flags & PF_GUARD_NOT ? SLOW_GUARD_NOT : 0) |
				     (flow_reads_clock(in) ? SLOW_CLOCK : 0));
		if (in->slow && (in->op == PTX_bra || in->op == PTX_brx))
			in->slow |= SLOW_BRANCH;
	}
	f->stack_align = 16;
	for (k = 0; k < f->ast->n_var; k++)
		if (f->ast->var[k].space == SP_LOCAL || f->ast->var[k].space == SP_PARAM)
			f->stack_align = MAX(f->stack_align, f->ast->var[k].align);
}

int
flow_analyse(struct ptx_module *m, struct prog_func *f, struct err *e)
{
	struct cfg g = {.m = m, .f = f};
	uint32_t i, level = 0, *list;

	flow_set_slow(f);
	if (f->n_inst == 0)
		return 0;
	list = cfg_alloc_array(f->n_inst);
	if (!list || cfg_build(&g)) {
		free(list);
		cfg_free(&g);
		return err_nomem(e);
	}
	cfg_choose_ends(&g, END_ALL, list, &level);
	cfg_choose_ends(&g, END_SOME, list, &level);
	for (i = 0; i < f->n_inst; i++) {
		uint32_t b = g.block_of[i];

		if (f->inst[i].op != PTX_bra && f->inst[i].op != PTX_brx)
			continue;
		f->inst[i].reconv = g.ipdom[b] == NONE ? PROG_NONE : g.first[g.ipdom[b]];
	}
	free(list);
	cfg_free(&g);
	return 0;
}
