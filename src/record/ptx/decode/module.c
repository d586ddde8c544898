/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * module.c - turns the text of a module into functions ready to run: parses, lays out, decodes and
 * analyses it.
 *
 * An unsupported instruction prevents only those kernels from running that may reach it.
 *
 * Properties of a kernel that a launch needs are computed over its call graph:
 *
 * - regs: .maxnreg if the kernel has it; otherwise the most registers that any function of the
 *   graph needs (a caller spills the values that it keeps during a call to its stack).
 * - local_bytes: the deepest stack, see callgraph.c.
 * - shared_bytes: see layout_shared.c.
 */
#include <stdio.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/strbuf.h"
#include "base/textfile.h"
#include "base/words.h"
#include "record/ptx/decode/flow.h"
#include "record/ptx/decode/module.h"

/* ---- memory ---- */

struct block {
	struct block *next;
	max_align_t data[];
};

void *
prog_alloc(struct ptx_module *m, size_t bytes, struct err *e)
{
	struct block *b = calloc(1, sizeof(*b) + bytes);

	if (!b) {
		err_nomem(e);
		return NULL;
	}
	b->next = m->mem;
	m->mem = b;
	return b->data;
}

void
ptx_module_free(struct ptx_module *m)
{
	if (!m)
		return;
	for (uint32_t f = 0; m->func && f < m->ast->n_func; f++)
		free(m->func[f].consts);
	ast_free(m->ast);
	for (struct block *b = m->mem, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(m->fixup);
	free(m);
}

/* ---- building ---- */

static bool
is_kernel(const struct ast_func *f)
{
	return f->entry && f->defined;
}

/* Whether an instruction may need room in prog_func.more. */
static bool
may_have_more(const struct ast_inst *a)
{
	bool eight = false, four = false, wide = false;

	for (uint32_t i = 0; i < a->n_word; i++) {
		enum ptx_word w = (enum ptx_word)a->word[i];

		eight |= w == W_v8;
		four |= w == W_v4;
		wide |= ptx_type_bytes(ast_word_type(w)) == 8;
	}
	return a->op == PTX_mma || a->op == PTX_wmma || a->op == PTX_sust || eight ||
	       (four && wide);
}

static int
func_new(struct ptx_module *m, uint32_t i, struct err *e)
{
	const struct ast_func *a = &m->ast->func[i];
	struct prog_func *f = &m->func[i];
	uint32_t calls = 0, more = 0;

	f->name = a->name;
	f->ast = a;
	f->n_inst = a->n_inst;
	for (uint32_t k = 0; k < a->n_inst; k++) {
		calls += a->inst[k].op == PTX_call;
		more += may_have_more(&a->inst[k]);
	}
	f->inst = prog_alloc(m, a->n_inst * sizeof(*f->inst), e);
	f->call = prog_alloc(m, calls * sizeof(*f->call), e);
	f->more = prog_alloc(m, more * sizeof(*f->more), e);
	f->phys = prog_alloc(m, a->n_reg, e); /* live_analyse fills it in */
	return f->inst && f->call && f->more && f->phys ? layout_func(m, f, e) : -1;
}

static int
arrays_new(struct ptx_module *m, struct err *e)
{
	const struct ast_module *a = m->ast;
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->n_func; i++)
		m->n_kernels += is_kernel(&a->func[i]);
	m->kernel = prog_alloc(m, m->n_kernels * sizeof(*m->kernel), e);
	m->kernel_func = prog_alloc(m, m->n_kernels * sizeof(*m->kernel_func), e);
	m->var_addr = prog_alloc(m, a->n_var * sizeof(*m->var_addr), e);
	m->func = prog_alloc(m, a->n_func * sizeof(*m->func), e);
	if (!m->kernel || !m->kernel_func || !m->var_addr || !m->func)
		return -1;
	for (uint32_t i = 0; i < a->n_func; i++) {
		if (func_new(m, i, e))
			return -1;
		if (!is_kernel(&a->func[i]))
			continue;
		m->kernel_func[n] = i;
		if (layout_kernel(m, &m->kernel[n++], &a->func[i], e))
			return -1;
	}
	return 0;
}

/* Adds the function, unless it is the only one, and the place in the source to its error. */
static void
name_function(const struct ptx_module *m, const struct ast_func *f, struct err *e)
{
	size_t n = strlen(e->msg);
	char place[PLACE_TEXT];
	bool known = prog_place_of_line(m, f, e->line, place, sizeof(place));

	if (m->ast->n_func == 1 && !known)
		return;
	e->n_what = (int)n;
	snprintf(e->msg + n, sizeof(e->msg) - n, ": %s %s%s%s%s", f->entry ? "kernel" : "function",
		 f->name, known ? " (" : "", known ? place : "", known ? ")" : "");
}

/* Marks function i as unable to run for the reason in why. An error without a line, such as a lack
 * of memory, is not an error of the function and ends the build: -1. */
static int
mark_unusable(struct ptx_module *m, uint32_t i, const struct err *why, struct err *e)
{
	struct err *bad;

	if (!why->line) {
		if (e)
			*e = *why;
		return -1;
	}
	bad = prog_alloc(m, sizeof(*bad), e);
	if (!bad)
		return -1;
	*bad = *why;
	name_function(m, &m->ast->func[i], bad);
	m->func[i].bad = bad;
	m->func[i].n_inst = 0;
	return 0;
}

static int
decode_all(struct ptx_module *m, struct err *e)
{
	for (uint32_t i = 0; i < m->ast->n_func; i++) {
		struct err why = {0};

		if (m->ast->func[i].bad)
			why = *m->ast->func[i].bad;
		if (why.set || decode_func(m, i, &why)) {
			if (mark_unusable(m, i, &why, e))
				return -1;
			continue;
		}
		if (flow_analyse(m, &m->func[i], e) || spin_analyse(&m->func[i], e) ||
		    live_analyse(m, &m->func[i], e))
			return -1;
	}
	return 0;
}

/* A module without any kernel that can run is an error. */
static int
check_any_usable(const struct ptx_module *m, struct err *e)
{
	const struct err *bad = NULL;

	for (uint32_t i = 0; i < m->ast->n_func && !m->n_kernels; i++)
		bad = bad ? bad : m->func[i].bad;
	for (uint32_t i = 0; i < m->n_kernels; i++) {
		if (!m->kernel[i].bad)
			return 0;
		bad = bad ? bad : m->kernel[i].bad;
	}
	if (!bad)
		return 0;
	if (e)
		*e = *bad;
	return -1;
}

static int
sum_up_kernels(struct ptx_module *m, const struct call_graph *g, struct err *e)
{
	uint32_t *list = calloc((size_t)g->n + 1, sizeof(*list));
	uint8_t *mark = calloc((size_t)g->n + 1, 1);
	int rc = list && mark ? 0 : err_nomem(e);

	for (uint32_t i = 0; !rc && i < m->n_kernels; i++) {
		struct ptx_kernel *k = &m->kernel[i];
		uint32_t f = m->kernel_func[i], n = callgraph_reach(g, f, mark, list);

		for (uint32_t j = 0; j < n; j++) {
			k->regs = MAX(k->regs, m->func[list[j]].regs);
			k->bad = k->bad ? k->bad : m->func[list[j]].bad;
		}
		if (k->maxnreg)
			k->regs = k->maxnreg;
		k->regs_known = k->maxnreg != 0;
		k->local_bytes = (uint32_t)MIN(g->depth[f], PTX_WINDOW_BYTES);
	}
	free(list);
	free(mark);
	return rc;
}

struct ptx_module *
prog_build(struct ast_module *a, struct err *e)
{
	struct ptx_module *m = calloc(1, sizeof(*m));
	struct call_graph *g = NULL;
	int rc = -1;

	if (!m) {
		ast_free(a);
		err_nomem(e);
		return NULL;
	}
	m->ast = a;
	if (!arrays_new(m, e))
		g = callgraph_new(m, e);
	if (g)
		rc = layout_shared(m, g, e) || callgraph_depths(m, g, e) || decode_all(m, e) ||
				     sum_up_kernels(m, g, e) || check_any_usable(m, e)
			     ? -1
			     : 0;
	callgraph_free(g);
	if (!rc)
		return m;
	ptx_module_free(m);
	return NULL;
}

/* ---- the facade ---- */

struct ptx_module *
ptx_parse(const char *name, const char *text, size_t n, struct err *e)
{
	struct ast_module *a = ast_parse(name, text, n, e);

	return a ? prog_build(a, e) : NULL;
}

struct ptx_module *
ptx_parse_file(const char *path, struct err *e)
{
	struct strbuf s = {0};
	struct ptx_module *m = NULL;

	if (text_read(path, TEXT_MOST_MADE, &s, e) == 0)
		m = ptx_parse(path, s.p, s.n, e);
	sb_free(&s);
	return m;
}

uint32_t
ptx_n_kernels(const struct ptx_module *m)
{
	return m->n_kernels;
}

const struct ptx_kernel *
ptx_kernel_at(const struct ptx_module *m, uint32_t i)
{
	return i < m->n_kernels ? &m->kernel[i] : NULL;
}

void
ptx_kernel_set_regs(struct ptx_module *m, uint32_t i, uint32_t regs)
{
	m->kernel[i].regs = regs;
	m->kernel[i].regs_known = true;
}

const struct ptx_kernel *
ptx_kernel(const struct ptx_module *m, const char *name, struct err *e)
{
	const char **names;
	char has[200];

	for (uint32_t i = 0; i < m->n_kernels; i++)
		if (strcmp(m->kernel[i].name, name) == 0)
			return &m->kernel[i];
	if (!m->n_kernels) {
		err_set(e, "no kernel '%s' in %s, which has no kernel at all", name, m->ast->name);
		return NULL;
	}
	names = calloc(m->n_kernels, sizeof(*names));
	if (!names) {
		err_nomem(e);
		return NULL;
	}
	for (uint32_t i = 0; i < m->n_kernels; i++)
		names[i] = m->kernel[i].name;
	snprintf(has, sizeof(has), "; it has %.80s%s%.80s%s", names[0],
		 m->n_kernels > 1 ? ", " : "", m->n_kernels > 1 ? names[1] : "",
		 m->n_kernels > 2 ? ", ..." : "");
	err_set(e, "no kernel '%s' in %s%s", name, m->ast->name,
		near_hint(name, names, m->n_kernels, has).text);
	free(names);
	return NULL;
}
