/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line.c - stops at a source line: `break km.cu:34`, `break line 34`.
 *
 * A line is reached when a warp issues the first of its consecutive instructions. The model reports
 * only these instructions (sim_on_issue), and none while there is no such stop.
 */
#include "base/number.h"
#include "base/words.h"
#include "base/human.h"
#include "debug/debug_part.h"
#include "source/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool
is_at(const struct stop *p, const struct trace_kernel *k, const struct inst *i)
{
	return p->kind == STOP_LINE && p->enabled && i->line == p->line &&
	       (!p->file || strcmp(last_part(source_file(k, i->file)), last_part(p->file)) == 0);
}

static bool
begins_line(const struct trace_kernel *k, const struct inst *i)
{
	return i->line && (i == k->inst || i[-1].line != i->line || i[-1].file != i->file);
}

/* ---------------------------------------------------------------- hits */

static bool
is_line_wanted(void *ctx, uint32_t kernel, const struct inst *i)
{
	const struct debug *d = ctx;
	const struct trace_kernel *k = &sim_trace(d->sim)->kernel[kernel];

	for (unsigned s = 0; begins_line(k, i) && s < d->n_stops; s++)
		if (is_at(d->stop[s], k, i))
			return true;
	return false;
}

static void
on_issue(void *ctx, unsigned core, unsigned warp, const struct inst *i)
{
	struct debug *d = ctx;
	const struct trace_kernel *k;
	struct warp_view v;
	char cycle[HUMAN];

	sim_warp_view(d->sim, core, warp, &v);
	k = &sim_trace(d->sim)->kernel[v.kernel];

	for (unsigned s = 0; s < d->n_stops; s++) {
		struct stop *p = d->stop[s];

		if (!is_at(p, k, i) || (p->core >= 0 && p->core != (int)core) ||
		    (p->kernel && p->kernel != v.kernel + 1) ||
		    (p->cond_text && !(p->cond && expr_true(p->cond))))
			continue;
		debug_hit(d, p, "%.100s:%u, core %u, warp %u, cycle %s: issued %.100s",
			  last_part(source_file(k, i->file)), i->line, core, warp,
			  human(cycle, sim_cycle(d->sim)), i->text ? i->text : "an instruction");
	}
}

void
debug_lines_listen(struct debug *d)
{
	bool any = false;

	for (unsigned i = 0; !d->mutes && i < d->n_stops; i++)
		any |= d->stop[i]->kind == STOP_LINE && d->stop[i]->enabled;
	if (any || d->lines)
		sim_on_issue(d->sim, is_line_wanted, any ? on_issue : NULL, d);
	d->lines = any;
}

/* ---------------------------------------------------------------- reading */

/* The number of kernels in this trace with an instruction at the line; *with_file: kernels from
 * such a file. */
static unsigned
kernels_with(const struct debug *d, const struct stop *p, unsigned *with_file)
{
	const struct trace_info *t = sim_trace(d->sim);
	unsigned n = 0;

	*with_file = 0;
	for (uint32_t k = 0; k < t->n_kernels; k++) {
		const struct trace_kernel *q = &t->kernel[k];
		bool here = false, file = !p->file && q->n_files;

		for (uint32_t f = 0; f < q->n_files && p->file; f++)
			file |= strcmp(last_part(q->files[f]), last_part(p->file)) == 0;
		for (uint32_t i = 0; i < q->n_inst; i++)
			here |= begins_line(q, &q->inst[i]) && is_at(p, q, &q->inst[i]);
		n += here;
		*with_file += file;
	}
	return n;
}

/* What to do if no kernel of the trace has lines other than those of PTX, else "". */
static const char *
lineinfo_hint(const struct debug *d)
{
	const struct trace_info *t = sim_trace(d->sim);

	for (uint32_t k = 0; k < t->n_kernels; k++)
		if (!source_is_ptx(&t->kernel[k]))
			return "";
	return SOURCE_NEEDS_LINEINFO;
}

bool
debug_has_line(const struct debug *d, uint64_t line)
{
	struct stop p = {.kind = STOP_LINE, .enabled = true, .line = (uint32_t)line};
	unsigned files;

	return d->sim && line && line <= UINT32_MAX && kernels_with(d, &p, &files) > 0;
}

int
debug_read_line(struct debug *d, struct stop *p, const char *word, const char **at, struct err *e)
{
	const char *colon = strrchr(word, ':');
	char number[64];
	unsigned files;
	uint64_t line;

	if (colon) {
		p->file = colon > word ? strndup(word, (size_t)(colon - word)) : NULL;
		if (colon > word && !p->file)
			return err_nomem(e);
		snprintf(number, sizeof(number), "%s", colon + 1);
	} else {
		span_copy(word_next(at), number, sizeof(number));
	}
	if (number_count(number, &line) || line == 0 || line > UINT32_MAX)
		return err_set(e, "expected a line after '%s', found '%s'", colon ? ":" : "line",
			       number);
	p->kind = STOP_LINE;
	p->line = (uint32_t)line;
	if (!d->sim || kernels_with(d, p, &files))
		return 0;
	if (!files)
		return p->file ? err_set(e, "no kernel of this trace comes from file '%.80s'%s",
					 p->file, lineinfo_hint(d))
			       : err_set(e, "this trace has no source lines");
	return err_set(e,
		       "no instruction begins line %u%s%.80s; 'list' shows those that have warps%s",
		       p->line, p->file ? " of " : "", p->file ? p->file : "", lineinfo_hint(d));
}
