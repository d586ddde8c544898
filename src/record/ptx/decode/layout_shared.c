/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout_shared.c - assigns offsets in the shared memory of kernels. A kernel has exactly the
 * variables that its call graph names. An address is a constant of an instruction, so a variable
 * that several kernels use must have the same offset in all of them:
 *
 *     0        variables of several kernels (a kernel ends after the last one it uses)
 *     ...      variables of this kernel alone; other kernels have theirs at the same place
 *     aligned  dynamic shared memory: all .extern variables start here
 *
 * Kernels that share a function which uses dynamic memory get a common start of it, the largest.
 */
#include <stdlib.h>
#include "record/ptx/decode/module.h"

#define DYNAMIC_ALIGN 16u
/* Far more than any machine has; launches check their machine's limit. */
#define MAX_SHARED (1u << 20)

struct shared_item {
	const struct ast_var *var;
	uint32_t func;	  /* the function that owns it; PROG_NONE: the module */
	uint32_t index;	  /* index of the variable there */
	uint32_t kernels; /* number of kernels that use it, counted in the first pass */
	uint32_t last;	  /* the last kernel that was found to use it, plus 1 */
	uint32_t off;
	bool common; /* several kernels use it */
};

struct shared {
	struct ptx_module *m;
	const struct call_graph *g;
	struct shared_item
		*item;	 /* all variables, those of the module first; not only shared ones */
	uint32_t *first; /* of each function: its first item */
	uint32_t n;
	uint32_t kernel, func; /* currently examined */
	uint8_t *mark;
	uint32_t *list;
	/* dynamic memory */
	uint32_t *owner; /* for each function that uses it: a kernel of the group, plus 1 */
	/* For each kernel another one of its group, or itself at the end of the chain. */
	uint32_t *group;
	uint32_t *dyn; /* for each kernel the start that it needs; 0: it uses none */
	bool dynamic;  /* the function names an .extern variable */
	uint32_t dyn_align;
};

static void
note_use(void *ctx, bool local, uint32_t index)
{
	struct shared *s = ctx;
	struct shared_item *x = &s->item[local ? s->first[s->func] + index : index];

	if (x->var->space != SP_SHARED)
		return;
	if (x->var->is_extern) {
		s->dynamic = true;
		s->dyn_align = MAX(s->dyn_align, x->var->align);
	} else if (x->last != s->kernel + 1) {
		x->last = s->kernel + 1;
		x->kernels++;
	}
}

static uint32_t
find_group(struct shared *s, uint32_t k)
{
	while (s->group[k] != k)
		k = s->group[k] = s->group[s->group[k]];
	return k;
}

/* Notes everything that kernel k uses. */
static void
note_kernel_uses(struct shared *s, uint32_t k)
{
	const struct ast_module *a = s->m->ast;
	uint32_t n = callgraph_reach(s->g, s->m->kernel_func[k], s->mark, s->list);

	s->kernel = k;
	s->dyn_align = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t f = s->func = s->list[i];

		s->dynamic = false;
		callgraph_each_var(a, &a->func[f], note_use, s);
		if (!s->dynamic)
			continue;
		if (s->owner[f])
			s->group[find_group(s, k)] = find_group(s, s->owner[f] - 1);
		s->owner[f] = k + 1;
	}
}

static int
place_item(struct shared *s, struct shared_item *x, uint64_t *end, struct err *e)
{
	uint64_t off = layout_align(*end, x->var->align);

	if (x->var->bytes > MAX_SHARED || off + x->var->bytes > MAX_SHARED) {
		char text[240];

		ast_line(s->m->ast, x->var->line, text, sizeof(text));
		return err_at(e, s->m->ast->name, x->var->line, text, 0, 1,
			      "%s: more than 1 MiB of shared memory", x->var->name);
	}
	x->off = (uint32_t)off;
	*end = off + x->var->bytes;
	return 0;
}

static int
layout_common(struct shared *s, struct err *e)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		struct shared_item *x = &s->item[i];

		x->common = x->kernels > 1;
		x->last = 0; /* for the second pass */
		if (x->common && place_item(s, x, &end, e))
			return -1;
	}
	return 0;
}

static int
layout_one(struct shared *s, uint32_t k, struct err *e)
{
	uint64_t end = 0;

	note_kernel_uses(s, k); /* notes again what it uses, in `last` */
	for (uint32_t i = 0; i < s->n; i++) {
		struct shared_item *x = &s->item[i];

		if (x->last == k + 1 && x->common)
			end = MAX(end, x->off + x->var->bytes);
	}
	for (uint32_t i = 0; i < s->n; i++) {
		struct shared_item *x = &s->item[i];

		if (x->last == k + 1 && !x->common && place_item(s, x, &end, e))
			return -1;
	}
	s->m->kernel[k].shared_bytes = (uint32_t)end;
	if (s->dyn_align)
		s->dyn[k] = (uint32_t)layout_align(end, MAX(s->dyn_align, DYNAMIC_ALIGN));
	return 0;
}

/* Gives each group a common start of dynamic memory. */
static void
layout_dynamic(struct shared *s)
{
	struct ptx_module *m = s->m;

	for (uint32_t k = 0; k < m->n_kernels; k++) {
		uint32_t g = find_group(s, k);

		s->dyn[g] = MAX(s->dyn[g], s->dyn[k]);
	}
	for (uint32_t k = 0; k < m->n_kernels; k++)
		m->kernel[k].shared_bytes =
			MAX(m->kernel[k].shared_bytes, s->dyn[find_group(s, k)]);
	for (uint32_t f = 0; f < m->ast->n_func; f++)
		if (s->owner[f])
			m->func[f].dyn_shared = s->dyn[find_group(s, s->owner[f] - 1)];
}

static int
layout_all(struct shared *s, struct err *e)
{
	struct ptx_module *m = s->m;

	for (uint32_t k = 0; k < m->n_kernels; k++)
		note_kernel_uses(s, k);
	if (layout_common(s, e))
		return -1;
	for (uint32_t k = 0; k < m->n_kernels; k++)
		if (layout_one(s, k, e))
			return -1;
	layout_dynamic(s);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct shared_item *x = &s->item[i];

		if (x->var->space != SP_SHARED)
			continue;
		if (x->func == PROG_NONE)
			m->var_addr[x->index] = x->off;
		else
			m->func[x->func].var_off[x->index] = x->off;
	}
	for (uint32_t k = 0; k < m->n_kernels; k++)
		m->shared_bytes = MAX(m->shared_bytes, m->kernel[k].shared_bytes);
	return 0;
}

static void
list_items(struct shared *s)
{
	const struct ast_module *a = s->m->ast;

	for (uint32_t i = 0; i < a->n_var; i++)
		s->item[s->n++] =
			(struct shared_item){.var = &a->var[i], .func = PROG_NONE, .index = i};
	for (uint32_t f = 0; f < a->n_func; f++) {
		s->first[f] = s->n;
		for (uint32_t i = 0; i < a->func[f].n_var; i++)
			s->item[s->n++] = (struct shared_item){.var = &a->func[f].var[i],
							       .func = f,
							       .index = i};
	}
	for (uint32_t k = 0; k < s->m->n_kernels; k++)
		s->group[k] = k;
}

int
layout_shared(struct ptx_module *m, const struct call_graph *g, struct err *e)
{
	size_t n_func = (size_t)m->ast->n_func + 1, n_kern = (size_t)m->n_kernels + 1;
	size_t n = (size_t)m->ast->n_var + 1;
	struct shared s = {.m = m, .g = g};
	uint32_t *mem = calloc(3 * n_func + 2 * n_kern, sizeof(*mem));
	int rc = -1;

	for (uint32_t f = 0; f < m->ast->n_func; f++)
		n += m->ast->func[f].n_var;
	s.item = calloc(n, sizeof(*s.item));
	s.mark = calloc(n_func, 1);
	if (mem && s.item && s.mark) {
		s.first = mem;
		s.list = mem + n_func;
		s.owner = mem + 2 * n_func;
		s.group = mem + 3 * n_func;
		s.dyn = s.group + n_kern;
		list_items(&s);
		rc = layout_all(&s, e);
	} else {
		err_nomem(e);
	}
	free(s.item);
	free(s.mark);
	free(mem);
	return rc;
}
