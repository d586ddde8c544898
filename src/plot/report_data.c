/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report_data.c - collects the data of a report, from a run or from dumped tables.
 *
 * Tables do not contain workload, policy and machine, and for kernels only the sample in which they
 * ran. The page then has the file's name as title, and kernels begin at the end of a sample.
 */
#include "plot/report_part.h"

#include "base/memory.h"
#include "export/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void
report_add_stat(void *report, const char *name, double value, const char *unit)
{
	struct report *r = report;
	struct report_stat *added;

	r->stat = array_grow(r->stat, r->n_stats, sizeof(*r->stat));
	added = &r->stat[r->n_stats++];
	snprintf(added->name, sizeof(added->name), "%s", name);
	snprintf(added->unit, sizeof(added->unit), "%s", unit);
	added->value = value;
}

struct report_decision *
report_add_decision(struct report *r)
{
	size_t n = r->n_decisions;
	struct report_decision *grown = array_try_grow(r->decision, n, sizeof(*grown));

	if (!grown) {
		r->failed = true;
		return NULL;
	}
	r->decision = grown;
	r->n_decisions++;
	grown[n] = (struct report_decision){0};
	return &grown[n];
}

void
report_free(struct report *r)
{
	free(r->stat);
	free(r->decision);
	free(r->kernel);
}

/* ---------------------------------------------------------------- a run */

static void
add_events(struct report *r, struct sim *s)
{
	const struct event_ring *ring = sim_events(s);

	r->dropped = ring->first;
	for (uint64_t seq = ring->first; seq < ring->next; seq++) {
		const struct event *ev = event_ring_get(ring, seq);
		struct report_decision *d;

		if (!sim_event_is_decision(ev))
			continue;
		d = report_add_decision(r);
		if (!d)
			return;
		d->cycle = ev->cycle;
		d->seq = seq;
		snprintf(d->event, sizeof(d->event), "%s", event_rows[ev->kind].name);
		snprintf(d->by, sizeof(d->by), "%s %s", sim_event_policy(s, ev),
			 sim_event_rule(s, ev)->name);
		sim_event_text(s, ev, d->text, sizeof(d->text));
	}
}

static void
take_run(struct report *r, struct sim *s)
{
	r->kernel = memory_new(sim_kernels_started(s), sizeof(*r->kernel));
	plot_title(s, r->title, sizeof(r->title));
	r->run = plot_run_sim(s, "", r->kernel);
	r->machine = config_machine_name(sim_config(s));
	r->policy = config_policy_text(sim_config(s));
	export_each_stat(s, report_add_stat, r);
	add_events(r, s);
}

int
plot_report_sims(struct sim *const *s, const char *const *name, unsigned n,
		 const struct report_difference *difference, const char *path, struct err *e)
{
	struct report r[REPORT_RUNS] = {{.failed = false}};
	bool failed = false;
	int rc;

	for (unsigned i = 0; i < n; i++) {
		take_run(&r[i], s[i]);
		snprintf(r[i].name, sizeof(r[i].name), "%s", n > 1 ? name[i] : "");
		r[i].run.title = r[i].name;
		failed |= r[i].failed;
	}
	if (n > 1)
		snprintf(r[0].title, sizeof(r[0].title), "%s and %s of %s", r[0].name, r[1].name,
			 plot_workload(s[0]));
	rc = failed ? err_nomem(e) : report_write(r, n, difference, path, e);
	for (unsigned i = 0; i < n; i++)
		report_free(&r[i]);
	return rc;
}

int
plot_report_sim(struct sim *s, const char *path, struct err *e)
{
	return plot_report_sims(&s, NULL, 1, NULL, path, e);
}

/* ---------------------------------------------------------------- tables */

static const char *
find_cell(const struct export_rows *t, size_t row, const char *column)
{
	int c = export_rows_column(t, column);

	return c < 0 ? "" : t->cell[(row + 1) * t->n_columns + (unsigned)c];
}

/* Reads rows of `events`, only those of a policy; or of `decisions`, which has one row per
 * number. */
static void
read_decisions(struct report *r, const struct export_rows *t)
{
	bool numbers = export_rows_column(t, "value") >= 0;

	for (size_t i = 0; i < t->n_rows; i++) {
		uint64_t seq = strtoull(find_cell(t, i, "seq"), NULL, 10);
		struct report_decision *d =
			r->n_decisions ? &r->decision[r->n_decisions - 1] : NULL;

		if (!numbers && strcmp(find_cell(t, i, "policy"), "host") == 0)
			continue;
		if (!numbers || !d || d->seq != seq) {
			d = report_add_decision(r);
			if (!d)
				return;
			d->seq = seq;
			d->cycle = strtoull(find_cell(t, i, "cycle"), NULL, 10);
			snprintf(d->event, sizeof(d->event), "%s", find_cell(t, i, "event"));
			snprintf(d->by, sizeof(d->by), "%s %s", find_cell(t, i, "policy"),
				 find_cell(t, i, "rule"));
			if (numbers)
				snprintf(d->text, sizeof(d->text), "%s, core %s, cycle %s",
					 d->event, find_cell(t, i, "core"),
					 find_cell(t, i, "cycle"));
			else
				snprintf(d->text, sizeof(d->text), "%s", find_cell(t, i, "text"));
		}
		if (numbers && *find_cell(t, i, "name")) {
			size_t n = strlen(d->text);

			snprintf(d->text + n, sizeof(d->text) - n, ", %s %s",
				 find_cell(t, i, "name"), find_cell(t, i, "value"));
		}
	}
	if (t->n_rows)
		r->dropped = strtoull(find_cell(t, 0, "seq"), NULL, 10);
}

/* The tables of one or two runs. */
struct report_tables {
	struct report run[REPORT_RUNS];
	struct overtime_table *series[REPORT_RUNS];
	unsigned n;
};

static void
name_of(const char *path, char *buf, size_t size)
{
	const char *slash = strrchr(path, '/');

	snprintf(buf, size, "%s", slash ? slash + 1 : path);
}

static int
begin_run(struct report_tables *k, const char *path, struct err *e)
{
	if (k->n == REPORT_RUNS)
		return err_set(e, "report: '%.200s' would be a third run; two fit on a page", path);
	k->series[k->n] = overtime_table_new();
	name_of(path, k->run[k->n].name, sizeof(k->run[k->n].name));
	k->n++;
	return 0;
}

/* A second table of `dump csv series` begins the second run. */
static int
take_series(struct report_tables *k, const struct export_rows *t, const char *path, struct err *e)
{
	struct overtime_source now = overtime_table_source(k->series[k->n - 1]);

	if (export_rows_column(t, "core") >= 0 && now.instances[OVERTIME_CORE]) {
		if (begin_run(k, path, e))
			return -1;
	} else if (export_rows_column(t, "core") >= 0) {
		name_of(path, k->run[k->n - 1].name, sizeof(k->run[0].name));
	}
	return overtime_table_add(k->series[k->n - 1], t, path, e);
}

static int
read_table(struct report_tables *k, const char *path, struct err *e)
{
	struct report *r = &k->run[k->n - 1];
	struct export_rows t;
	int rc = 0;

	if (export_rows_read(path, &t, e) < 0)
		return -1;
	if (overtime_table_fits(&t))
		rc = take_series(k, &t, path, e);
	else if (export_rows_column(&t, "seq") >= 0 && export_rows_column(&t, "rule") >= 0)
		read_decisions(r, &t);
	else if (export_rows_column(&t, "name") == 0 && export_rows_column(&t, "unit") == 2)
		rc = export_read_stats(path, report_add_stat, r, e);
	else if (export_rows_is_sweep(&t))
		rc = err_set(e,
			     "'%.200s' is the table of a race or sweep, which has no time series; "
			     "draw it "
			     "with 'ctascope plot %.100s'",
			     path, path);
	else
		rc = err_set(e,
			     "'%.200s' is not a table for a report: expected one of series, mem, "
			     "stats, events or decisions",
			     path);
	export_rows_free(&t);
	return rc;
}

/* Finds the starts of kernels, as precisely as the samples allow. */
static void
find_kernels(struct report *r)
{
	const struct overtime_source *s = &r->run.from;
	unsigned n = s->count(s->ctx), kernels = n ? s->kernel(s->ctx, n - 1) + 1 : 0;

	r->kernel = memory_new(kernels, sizeof(*r->kernel));
	for (unsigned i = 1; i < n; i++)
		for (unsigned k = s->kernel(s->ctx, i - 1) + 1; k <= s->kernel(s->ctx, i); k++)
			if (k < kernels)
				r->kernel[k] = s->end(s->ctx, i - 1);
	r->run.kernel_start = r->kernel;
	r->run.n_kernels = kernels;
}

/* Completes the runs when all tables are read. */
static int
finish_runs(struct report_tables *k, const char *title, const char *first, struct err *e)
{
	struct report *r = k->run;

	for (unsigned i = 0; i < k->n; i++) {
		r[i].run.from = overtime_table_source(k->series[i]);
		r[i].run.title = k->n > 1 ? r[i].name : "";
		find_kernels(&r[i]);
		if (!r[i].run.from.instances[OVERTIME_CORE])
			return err_set(e,
				       "report: expected at least one table of 'dump csv series'");
		if (r[i].failed)
			return err_nomem(e);
	}
	if (title)
		snprintf(r->title, sizeof(r->title), "%s", title);
	else if (k->n > 1)
		snprintf(r->title, sizeof(r->title), "%s and %s", r[0].name, r[1].name);
	else
		name_of(first, r->title, sizeof(r->title));
	return 0;
}

int
plot_report_tables(const char *const *csv, unsigned n, const char *title, const char *path,
		   struct err *e)
{
	struct report_tables k = {.n = 0};
	int rc = begin_run(&k, csv[0], e);

	for (unsigned i = 0; i < n && rc == 0; i++)
		rc = read_table(&k, csv[i], e);
	if (rc == 0)
		rc = finish_runs(&k, title, csv[0], e);
	if (rc == 0)
		rc = report_write(k.run, k.n, NULL, path, e);
	for (unsigned i = 0; i < k.n; i++) {
		overtime_table_free(k.series[i]);
		report_free(&k.run[i]);
	}
	return rc;
}
