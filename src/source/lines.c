/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - profiles by source line (source.h). */
#include "source/source.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const lines_order_names[LINES_ORDERS] = {"source", "cycles", "issued", "lanes",
						     "misses"};

static int
by_source(const void *a, const void *b)
{
	const struct line_stat *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->inst < y->inst ? -1 : x->inst > y->inst;
}

static int
by_cycles(const void *a, const void *b)
{
	const struct line_stat *x = a, *y = b;

	return x->all != y->all ? (x->all < y->all ? 1 : -1) : by_source(a, b);
}

static int
by_issued(const void *a, const void *b)
{
	const struct line_stat *x = a, *y = b;

	return x->issued != y->issued ? (x->issued < y->issued ? 1 : -1) : by_source(a, b);
}

/* The most divergent first; lines never issued last. */
static int
by_lanes(const void *a, const void *b)
{
	const struct line_stat *x = a, *y = b;
	double p = isnan(x->lanes) ? WARP_SIZE + 1 : x->lanes,
	       q = isnan(y->lanes) ? WARP_SIZE + 1 : y->lanes;

	return p != q ? (p < q ? -1 : 1) : by_source(a, b);
}

static int
by_misses(const void *a, const void *b)
{
	const struct line_stat *x = a, *y = b;

	return x->l1_misses != y->l1_misses ? (x->l1_misses < y->l1_misses ? 1 : -1)
					    : by_cycles(a, b);
}

void
lines_sort(struct line_stat *l, unsigned n, enum lines_order order)
{
	static int (*const by[LINES_ORDERS])(const void *, const void *) = {by_source, by_cycles,
									    by_issued, by_lanes,
									    by_misses};

	if (n)
		qsort(l, n, sizeof(*l), by[order]);
}

static void
add_profile(struct line_stat *l, const struct inst_profile *p, uint32_t warps)
{
	double lanes = isnan(l->lanes) ? 0 : l->lanes * (double)l->issued;

	l->n_inst++;
	l->warps += warps;
	l->issued += p->issued;
	lanes += (double)p->lanes;
	l->lanes = l->issued ? lanes / (double)l->issued : (double)NAN;
	l->l1_accesses += p->l1_accesses;
	l->l1_misses += p->l1_misses;
	l->paused += p->paused;
	l->all += p->paused;
	for (unsigned i = 0; i < WARP_STATUSES; i++) {
		l->waits[i] += p->waits[i];
		l->all += p->waits[i];
	}
}

struct line_stat *
lines_read(struct sim *s, uint32_t kernel, unsigned from, unsigned to, unsigned *n, struct err *e)
{
	const struct trace_kernel *k = &sim_trace(s)->kernel[kernel];
	const struct inst_profile *p = sim_profile(s, kernel);
	struct line_stat *l;
	uint32_t *warps;

	*n = 0;
	if (!p && sim_profile_since(s, NULL))
		err_nomem(e);
	else if (!p)
		err_set(e, "nothing has been counted by line yet; 'profile on' starts it");
	if (!p)
		return NULL;
	warps = source_warps(s, k, from, to);
	l = memory_new(k->n_inst, sizeof(*l));
	for (uint32_t i = 0; i < k->n_inst; i++)
		l[i] = (struct line_stat){.file = k->inst[i].line ? k->inst[i].file : UINT32_MAX,
					  .line = k->inst[i].line,
					  .inst = i,
					  .lanes = (double)NAN};
	lines_sort(l, k->n_inst, LINES_SOURCE);
	for (uint32_t i = 0; i < k->n_inst; i++) {
		struct line_stat one = l[i];
		bool same =
			*n && one.line && l[*n - 1].line == one.line && l[*n - 1].file == one.file;

		if (!same)
			l[(*n)++] = one;
		add_profile(&l[*n - 1], &p[one.inst], warps[one.inst]);
	}
	free(warps);
	return l;
}

const char *
line_waits_for(const struct line_stat *l, double *share)
{
	uint64_t most = l->paused;
	const char *word = "paused";

	for (unsigned i = 0; i < WARP_STATUSES; i++)
		if (l->waits[i] > most) {
			most = l->waits[i];
			word = warp_status_names[i];
		}
	*share = l->all ? (double)most / (double)l->all : (double)NAN;
	return most ? word : "";
}
