/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns.c - the statistics of a sweep's table: expressions over the values of a run.
 *
 * A column is compiled again for every run, since the machine and the policies determine which
 * names exist: policy.NAME.period is unknown, an empty field, in a run without NAME. But some run
 * of the sweep must know it, and columns_new() looks for one before anything runs.
 */
#include "batch/batch_part.h"

#include "ctascope/trace.h"
#include "base/datadir.h"
#include "base/memory.h"
#include "eval/eval.h"
#include "export/export.h"
#include "workload/workload.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 256 /* most machines to try for a column that the first ones do not know */

/* Columns that are used if the machine has them, in addition to all values of the group power. */
static const char *const usual[] = {
	"gpu.cycles",
	"gpu.thread_insts",
	"gpu.warp_insts",
	"gpu.ipc",
	"gpu.ract",
	"gpu.util",
	"gpu.lat_rt",
	"gpu.mean_n",
	"gpu.amat",
	"gpu.ctas_done",
	"gpu.active_cycles",
	"gpu.stall_cycles",
	"gpu.blocked_cycles",
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

static struct expr *
compile_column(struct sim *s, const struct word *text, struct err *e)
{
	struct eval_names names = {s, export_resolve, export_get};
	struct expr *x = expr_parse(text->text, &names, e);

	if (x && expr_size(x) != 1) {
		err_at(e, "", 0, text->text, 0, text->len,
		       "%.100s is a vector of %u values; use sum(), mean(), min() or max() of it",
		       text->text, expr_size(x));
		expr_free(x);
		return NULL;
	}
	return x;
}

int
columns_values(const struct columns *k, struct sim *s, double *out, struct err *e)
{
	for (unsigned i = 0; i < k->n; i++) {
		struct expr *x = NULL;
		struct err why = {0};

		for (unsigned j = 0; !x && j < k->c[i].expr.n; j++)
			x = compile_column(s, &k->c[i].expr.w[j], &why);
		/* A value that this machine lacks is unknown; failing to read one is an error. */
		if (!x && why.kind == ERR_MEMORY)
			return err_nomem(e);
		out[i] = x ? expr_run(x)[0] : NAN;
		expr_free(x);
	}
	return 0;
}

/* ---------------------------------------------------------------- which there are */

static void
add_usual(struct columns *k, struct spec *spec, const char *name)
{
	struct word w = {.line = 0};

	w.text = spec_keep(spec, name, strlen(name));
	w.len = (int)strlen(name);
	column_add(&k->c, &k->n, w.text, false, &w);
}

/* Uses the columns that the machine has, or all if no machine can be built, since no run is good
 * then. */
static void
usual_columns(struct columns *k, struct spec *spec, struct sim *s)
{
	char name[128];
	uint64_t id;

	for (unsigned i = 0; i < ARRAY_LEN(usual); i++)
		if (!s || export_resolve(s, usual[i], &id, NULL) == 1)
			add_usual(k, spec, usual[i]);
	for (unsigned i = 0; s && i < n_view_rows; i++) {
		snprintf(name, sizeof(name), "%s.%s", view_rows[i].group, view_rows[i].field);
		if (strcmp(view_rows[i].group, "power") == 0 &&
		    export_resolve(s, name, &id, NULL) == 1)
			add_usual(k, spec, name);
	}
}

static void
all_columns(struct columns *k, struct spec *spec, struct sim *s)
{
	if (!spec->own_columns)
		usual_columns(k, spec, s);
	for (unsigned i = 0; i < spec->n_columns; i++) {
		const struct column *c = &spec->column[i];

		column_add(&k->c, &k->n, c->name, c->let, &c->expr.w[0]);
		for (unsigned j = 1; j < c->expr.n; j++)
			words_add(&k->c[k->n - 1].expr, &c->expr.w[j]);
	}
}

/* ---------------------------------------------------------------- are they known */

struct check { /* an expression of a column */
	const struct word *text;
	struct err why; /* while unknown: the error of the first machine */
	bool known;
};

struct trial {
	struct check *check;
	unsigned n, n_known;
	unsigned tried[TRIES], n_tried; /* points whose machine has been tried */
};

static void
begin_checks(struct trial *t, const struct columns *k)
{
	for (unsigned i = 0; i < k->n; i++)
		t->n += k->c[i].expr.n;
	t->check = memory_new(t->n, sizeof(*t->check));
	t->n = 0;
	for (unsigned i = 0; i < k->n; i++)
		for (unsigned j = 0; j < k->c[i].expr.n; j++)
			t->check[t->n++].text = &k->c[i].expr.w[j];
}

static void
ask_machine(struct trial *t, struct sim *s)
{
	for (unsigned i = 0; i < t->n; i++) {
		struct check *c = &t->check[i];
		struct err why = {0};
		struct expr *x;

		if (c->known)
			continue;
		x = compile_column(s, c->text, &why);
		c->known = x != NULL;
		t->n_known += c->known;
		if (!c->why.set)
			c->why = why;
		expr_free(x);
	}
}

/* Only the machine and the policy determine which names a point has. */
static bool
was_tried(const struct trial *t, const struct points *p, unsigned i)
{
	for (unsigned j = 0; j < t->n_tried; j++) {
		const char **a = p->p[i].key, **b = p->p[t->tried[j]].key;

		if (strcmp(a[DIM_MACHINE], b[DIM_MACHINE]) == 0 &&
		    strcmp(a[DIM_POLICY], b[DIM_POLICY]) == 0)
			return true;
	}
	return false;
}

static int
report_trial(const struct spec *s, const struct trial *t, struct err *e)
{
	for (unsigned i = 0; i < t->n; i++) {
		const struct err *why = &t->check[i].why;
		struct word at = *t->check[i].text;

		if (t->check[i].known)
			continue;
		if (why->text[0] && why->col < at.len) {
			at.col += why->col;
			at.len = MIN(why->len, at.len - why->col);
		}
		return spec_error(s, &at, e, "%s", why->msg);
	}
	return 0;
}

/* For a workload that is not recorded yet, uses any other one, since the names do not depend on it.
 */
static int
stand_in(void *ctx, const char *name ATTR_UNUSED, const char *path)
{
	struct trace **t = ctx;

	*t = trace_open(path, NULL);
	return *t != NULL;
}

static struct trace *
some_trace(const struct spec *s, const struct point *p)
{
	const char *name = p->key[DIM_WORKLOAD];
	struct trace *t = NULL;
	char path[PATH_MAX];

	if (strchr(name, '/') || workload_find(name, path, sizeof(path), NULL) == 0)
		return run_trace(s, p, NULL);
	datadir_each("traces", ".ctr", stand_in, &t);
	return t;
}

/* Builds machines of the sweep until every column is known. A workload that cannot be read, or a
 * machine that cannot be built, is an error of its run only. */
int
columns_new(struct columns *k, const struct points *p, struct err *e)
{
	struct spec *spec = (struct spec *)(uintptr_t)p->spec; /* keeps names for us */
	struct trial t = {.n = 0};
	unsigned builds = 0;
	int rc;

	*k = (struct columns){0};
	for (unsigned i = 0; i < p->n && builds < TRIES; i++) {
		struct config *c;
		struct trace *trace;
		struct sim *s;

		if (t.check && t.n_known == t.n)
			break;
		if (was_tried(&t, p, i))
			continue;
		builds++;
		c = run_config(spec, &p->p[i], NULL);
		trace = some_trace(spec, &p->p[i]);
		s = c && trace ? sim_new(c, trace, NULL) : NULL;
		if (s && !t.check) {
			all_columns(k, spec, s);
			begin_checks(&t, k);
		}
		if (s) {
			ask_machine(&t, s);
			t.tried[t.n_tried++] = i;
		}
		sim_free(s);
		trace_close(trace);
		config_free(c);
	}
	if (!t.check)
		all_columns(k, spec, NULL);
	rc = report_trial(spec, &t, e);
	free(t.check);
	if (rc)
		columns_free(k);
	return rc;
}

void
columns_free(struct columns *k)
{
	for (unsigned i = 0; i < k->n; i++)
		free(k->c[i].expr.w);
	free(k->c);
	*k = (struct columns){0};
}
