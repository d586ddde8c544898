/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns.c - the statistics of a sweep's table: expressions over the values of a run.
 *
 * A column is compiled anew for every run, since what can be named follows from machine and
 * policies: policy.dyncta.period is unknown, an empty field, in a run under rr. But some run of the
 * sweep must know it, and columns_new() looks for one before anything runs.
 */
#include "batch/batch_part.h"

#include "ctascope/trace.h"
#include "eval/eval.h"
#include "export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 256 /* machines looked at for a column that the first ones do not know */

/* As far as the machine has them; and all values of the group power. */
static const char *const usual[] = {
	"gpu.cycles",
	"gpu.thread_insts",
	"gpu.warp_insts",
	"gpu.ipc",
	"gpu.ract",
	"gpu.util",
	"gpu.lat_rt",
	"gpu.amat",
	"gpu.ctas_done",
	"gpu.active_cycles",
	"gpu.stall_cycles",
	"gpu.memory_cycles",
	"gpu.dependence_cycles",
	"gpu.idle_cycles",
	"gpu.gated_cycles",
	"l1.accesses",
	"l1.misses",
	"l2.accesses",
	"l2.misses",
	"noc.request_flits",
	"noc.reply_flits",
	"dram.reads",
	"dram.writes",
	"dram.activates",
};

static int
add(struct columns *k, const char *name, const struct word *expr)
{
	struct column *grown = realloc(k->c, (k->n + 1) * sizeof(*grown));

	if (!grown)
		return -1;
	k->c = grown;
	k->c[k->n++] = (struct column){name, *expr};
	return 0;
}

static struct expr *
compile(struct sim *s, const struct column *c, struct err *e)
{
	struct eval_names names = {s, export_resolve, export_get};
	struct expr *x = expr_parse(c->expr.text, &names, e);

	if (x && expr_size(x) != 1) {
		err_at(e, "", 0, c->expr.text, 0, c->expr.len,
		       "%.100s is a vector of %u values; say sum(), mean(), min() or max() of it",
		       c->expr.text, expr_size(x));
		expr_free(x);
		return NULL;
	}
	return x;
}

void
columns_values(const struct columns *k, struct sim *s, double *out)
{
	for (unsigned i = 0; i < k->n; i++) {
		struct expr *x = compile(s, &k->c[i], NULL);

		out[i] = x ? expr_run(x)[0] : NAN;
		expr_free(x);
	}
}

/* ---------------------------------------------------------------- before the first run */

struct trial {
	struct columns *k;
	bool *known;
	unsigned n_known;
	struct err *why; /* of the column, from the first machine */
	bool first;
};

static int
usual_columns(struct columns *k, struct sim *s)
{
	struct word w = {.line = 0};
	uint64_t id;

	for (unsigned i = 0; i < ARRAY_LEN(usual); i++) {
		w.text = usual[i];
		w.len = (int)strlen(w.text);
		if (export_resolve(s, usual[i], &id, NULL) == 1 && add(k, usual[i], &w))
			return -1;
	}
	return 0;
}

/* power.* in the order of its rows. The names live as long as the spec. */
static int
power_columns(struct columns *k, struct spec *spec, struct sim *s)
{
	struct word w = {.line = 0};
	char name[128];
	uint64_t id;

	for (unsigned i = 0; i < n_view_rows; i++) {
		int n = snprintf(name, sizeof(name), "%s.%s", view_rows[i].group,
				 view_rows[i].field);

		if (strcmp(view_rows[i].group, "power") != 0 ||
		    export_resolve(s, name, &id, NULL) != 1)
			continue;
		w.text = spec_keep(spec, name, (size_t)n);
		w.len = n;
		if (!w.text || add(k, w.text, &w))
			return -1;
	}
	return 0;
}

static void
try_machine(struct trial *t, struct sim *s)
{
	for (unsigned i = 0; i < t->k->n; i++) {
		struct err why = {0};
		struct expr *x;

		if (t->known[i])
			continue;
		x = compile(s, &t->k->c[i], &why);
		t->known[i] = x != NULL;
		t->n_known += x != NULL;
		if (t->first)
			t->why[i] = why;
		expr_free(x);
	}
	t->first = false;
}

/* Points that differ in machine or policy only. */
static bool
same_machine(const struct points *p, unsigned i, unsigned j)
{
	return strcmp(p->p[i].key[DIM_MACHINE], p->p[j].key[DIM_MACHINE]) == 0 &&
	       strcmp(p->p[i].key[DIM_POLICY], p->p[j].key[DIM_POLICY]) == 0;
}

static int
report(const struct spec *s, const struct trial *t, struct err *e)
{
	for (unsigned i = 0; i < t->k->n; i++) {
		const struct err *why = &t->why[i];
		struct word at = t->k->c[i].expr;

		if (t->known[i])
			continue;
		if (why->text[0] && why->col < at.len) {
			at.col += why->col;
			at.len = MIN(why->len, at.len - why->col);
		}
		return spec_error(s, &at, e, "%s", why->msg);
	}
	return 0;
}

/* Builds machines of the sweep until every column is known. A workload that cannot be read or a
 * machine that cannot be built is a matter for its run, not for this. */
static int
look(struct columns *k, const struct points *p, struct spec *spec, struct err *e)
{
	struct trial t = {.k = k, .first = true};
	unsigned tries = 0, built = 0;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < p->n && tries < TRIES; i++) {
		struct config *c;
		struct trace *trace;
		struct sim *s;

		if (built && (t.n_known == k->n || same_machine(p, i, built - 1)))
			continue;
		tries++;
		c = run_config(spec, &p->p[i], NULL);
		trace = run_trace(spec, &p->p[i], NULL);
		s = c && trace ? sim_new(c, trace, NULL) : NULL;
		if (s && !built && !spec->n_columns)
			rc = usual_columns(k, s) || power_columns(k, spec, s) ? spec_no_memory(e)
									      : 0;
		if (s && !built && rc == 0) {
			t.known = calloc(k->n + 1, sizeof(*t.known));
			t.why = calloc(k->n + 1, sizeof(*t.why));
			rc = t.known && t.why ? 0 : spec_no_memory(e);
		}
		if (s && rc == 0) {
			try_machine(&t, s);
			built = i + 1;
		}
		sim_free(s);
		trace_close(trace);
		config_free(c);
	}
	if (rc == 0 && built)
		rc = report(spec, &t, e);
	free(t.known);
	free(t.why);
	return rc;
}

int
columns_new(struct columns *k, const struct points *p, struct err *e)
{
	struct spec *spec = (struct spec *)(uintptr_t)p->spec; /* keeps names for us */
	int rc = 0;

	*k = (struct columns){0};
	for (unsigned i = 0; rc == 0 && i < spec->n_columns; i++)
		if (add(k, spec->column[i].name, &spec->column[i].expr))
			rc = spec_no_memory(e);
	if (rc == 0)
		rc = look(k, p, spec, e);
	if (rc)
		columns_free(k);
	return rc;
}

void
columns_free(struct columns *k)
{
	free(k->c);
	*k = (struct columns){0};
}
