/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgraph.c - finds which functions may call which, and how deep the stack can become.
 *
 * A direct call is an edge. An indirect call is an edge to every function of its .calltargets table
 * or, without a table, to every function whose address is taken anywhere.
 *
 * The stack bound follows the longest chain of frames. Functions that call each other recursively
 * have no such bound; they get PROG_MAX_DEPTH times the sum of their frames. Exceeding that is a
 * fault of the run, not of the module.
 */
#include <stdlib.h>
#include "record/ptx/decode/module.h"

/* Calls fn for o and all its parts. top: o is not a part of another operand. */
static void
visit_opnds(const struct ast_module *a, const struct ast_opnd *o, bool top,
	    void (*fn)(void *ctx, const struct ast_opnd *o, bool top), void *ctx)
{
	fn(ctx, o, top);
	for (uint32_t k = 0; k < o->n_elem; k++)
		visit_opnds(a, &a->opnd[o->elem + k], false, fn, ctx);
}

/* ---- edges ---- */

struct edges {
	struct ptx_module *m;
	uint8_t *taken; /* functions whose address is taken */
	const struct ast_func *f;
	bool call, target; /* the instruction is a call, and its targets are known */
	bool indirect;	   /* f has a call whose targets are not known */
	uint32_t *to;
	uint32_t n, cap;
	bool failed;
};

static void
add_edge(struct edges *s, uint32_t to)
{
	if (s->n == s->cap) {
		uint32_t cap = s->cap ? s->cap * 2 : 64;
		uint32_t *p = realloc(s->to, cap * sizeof(*p));

		if (!p) {
			s->failed = true;
			return;
		}
		s->to = p;
		s->cap = cap;
	}
	s->to[s->n++] = to;
}

static void
note_taken(void *ctx, const struct ast_opnd *o, bool top)
{
	struct edges *s = ctx;

	if (o->kind == AST_FUNC && !(s->call && top))
		s->taken[o->index] = 1;
}

static void
note_target(void *ctx, const struct ast_opnd *o, bool top)
{
	struct edges *s = ctx;
	const struct ast_table *t;

	if (!top)
		return;
	if (o->kind == AST_FUNC) {
		s->target = true;
		add_edge(s, o->index);
	} else if (o->kind == AST_TABLE && s->f->table[o->index].calls) {
		t = &s->f->table[o->index];
		s->target = true;
		for (uint32_t i = 0; i < t->n; i++)
			add_edge(s, t->index[i]);
	}
}

static void
visit_inst_opnds(struct edges *s, const struct ast_inst *in,
		 void (*fn)(void *ctx, const struct ast_opnd *o, bool top))
{
	const struct ast_module *a = s->m->ast;

	s->call = in->op == PTX_call;
	for (uint32_t k = 0; k < in->n_opnd; k++)
		visit_opnds(a, &a->opnd[in->opnd + k], true, fn, s);
}

static void
note_taken_by_vars(struct edges *s, const struct ast_var *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < v[i].n_reloc; k++)
			if (v[i].reloc[k].is_func)
				s->taken[v[i].reloc[k].index] = 1;
}

static void
find_taken(struct edges *s)
{
	const struct ast_module *a = s->m->ast;

	note_taken_by_vars(s, a->var, a->n_var);
	for (uint32_t f = 0; f < a->n_func; f++) {
		note_taken_by_vars(s, a->func[f].var, a->func[f].n_var);
		for (uint32_t i = 0; i < a->func[f].n_inst; i++)
			visit_inst_opnds(s, &a->func[f].inst[i], note_taken);
	}
}

static void
find_edges(struct edges *s, uint32_t f)
{
	const struct ast_module *a = s->m->ast;

	s->f = &a->func[f];
	s->indirect = false;
	for (uint32_t i = 0; i < s->f->n_inst; i++) {
		if (s->f->inst[i].op != PTX_call)
			continue;
		s->target = false;
		visit_inst_opnds(s, &s->f->inst[i], note_target);
		s->indirect |= !s->target;
	}
	for (uint32_t g = 0; s->indirect && g < a->n_func; g++)
		if (s->taken[g])
			add_edge(s, g);
}

/* ---- depth: Tarjan's strongly connected components, which come callees first ---- */

struct tarjan {
	const struct ptx_module *m;
	struct call_graph *g;
	uint32_t *index, *low, *next; /* index 0: not visited; next: the next edge of a node */
	uint32_t *stack, *path;	      /* nodes without a component yet; the path of the search */
	uint8_t *done;
	uint32_t n_stack, n_path, n_index;
};

/* Computes the depth of the component on top of the stack, down to f, which is now complete. */
static void
close_component(struct tarjan *t, uint32_t f)
{
	struct call_graph *g = t->g;
	uint64_t frames = 0, below = 0;
	uint32_t from = t->n_stack;
	bool circle;

	while (t->stack[--from] != f)
		;
	circle = t->n_stack - from > 1;
	for (uint32_t i = from; i < t->n_stack; i++) {
		uint32_t x = t->stack[i];

		frames += t->m->func[x].stack_bytes;
		for (uint32_t k = g->first[x]; k < g->first[x + 1]; k++) {
			circle |= g->to[k] == x;
			if (t->done[g->to[k]])
				below = MAX(below, g->depth[g->to[k]]);
		}
	}
	for (uint32_t i = from; i < t->n_stack; i++) {
		g->depth[t->stack[i]] = frames * (circle ? PROG_MAX_DEPTH : 1) + below;
		t->done[t->stack[i]] = 1;
	}
	t->n_stack = from;
}

static void
enter_node(struct tarjan *t, uint32_t f)
{
	t->index[f] = t->low[f] = ++t->n_index;
	t->next[f] = t->g->first[f];
	t->stack[t->n_stack++] = f;
	t->path[t->n_path++] = f;
}

static void
visit_component(struct tarjan *t, uint32_t root)
{
	enter_node(t, root);
	while (t->n_path) {
		uint32_t f = t->path[t->n_path - 1];

		if (t->next[f] < t->g->first[f + 1]) {
			uint32_t to = t->g->to[t->next[f]++];

			if (!t->index[to])
				enter_node(t, to);
			else if (!t->done[to])
				t->low[f] = MIN(t->low[f], t->index[to]);
			continue;
		}
		t->n_path--;
		if (t->n_path) {
			uint32_t up = t->path[t->n_path - 1];

			t->low[up] = MIN(t->low[up], t->low[f]);
		}
		if (t->low[f] == t->index[f])
			close_component(t, f);
	}
}

int
callgraph_depths(const struct ptx_module *m, struct call_graph *g, struct err *e)
{
	size_t n = (size_t)g->n + 1;
	uint32_t *mem = calloc(n, 5 * sizeof(*mem));
	uint8_t *done = calloc(n, 1);
	struct tarjan t = {.m = m, .g = g, .done = done};

	if (mem && done) {
		t.index = mem;
		t.low = mem + n;
		t.next = mem + 2 * n;
		t.stack = mem + 3 * n;
		t.path = mem + 4 * n;
		for (uint32_t f = 0; f < g->n; f++)
			if (!t.index[f])
				visit_component(&t, f);
	}
	free(mem);
	free(done);
	return mem && done ? 0 : err_nomem(e);
}

/* ---- the graph ---- */

struct call_graph *
callgraph_new(struct ptx_module *m, struct err *e)
{
	uint32_t n = m->ast->n_func;
	struct call_graph *g = calloc(1, sizeof(*g));
	struct edges s = {.m = m, .taken = calloc((size_t)n + 1, 1)};

	if (g) {
		g->n = n;
		g->first = calloc((size_t)n + 1, sizeof(*g->first));
		g->depth = calloc((size_t)n + 1, sizeof(*g->depth));
	}
	s.failed = !g || !g->first || !g->depth || !s.taken;
	if (!s.failed)
		find_taken(&s);
	for (uint32_t f = 0; f < n && !s.failed; f++) {
		find_edges(&s, f);
		g->first[f + 1] = s.n;
	}
	free(s.taken);
	if (g)
		g->to = s.to;
	else
		free(s.to);
	if (!s.failed)
		return g;
	callgraph_free(g);
	err_nomem(e);
	return NULL;
}

void
callgraph_free(struct call_graph *g)
{
	if (!g)
		return;
	free(g->first);
	free(g->to);
	free(g->depth);
	free(g);
}

uint32_t
callgraph_reach(const struct call_graph *g, uint32_t f, uint8_t *mark, uint32_t *list)
{
	uint32_t n = 0;

	mark[f] = 1;
	list[n++] = f;
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = g->first[list[i]]; k < g->first[list[i] + 1]; k++) {
			if (!mark[g->to[k]]) {
				mark[g->to[k]] = 1;
				list[n++] = g->to[k];
			}
		}
	}
	for (uint32_t i = 0; i < n; i++)
		mark[list[i]] = 0;
	return n;
}

struct each_var {
	void (*fn)(void *ctx, bool local, uint32_t index);
	void *ctx;
};

static void
call_for_var(void *ctx, const struct ast_opnd *o, bool top)
{
	const struct each_var *v = ctx;

	(void)top;
	if (o->kind == AST_VAR)
		v->fn(v->ctx, o->local, o->index);
}

void
callgraph_each_var(const struct ast_module *a, const struct ast_func *f,
		   void (*fn)(void *ctx, bool local, uint32_t index), void *ctx)
{
	struct each_var v = {fn, ctx};

	for (uint32_t i = 0; i < f->n_inst; i++)
		for (uint32_t k = 0; k < f->inst[i].n_opnd; k++)
			visit_opnds(a, &a->opnd[f->inst[i].opnd + k], true, call_for_var, &v);
}
