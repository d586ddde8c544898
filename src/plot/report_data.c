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

int
plot_report_sim(struct sim *s, const char *path, struct err *e)
{
	struct report r = {0};
	int rc;

	r.kernel = memory_new(sim_kernels_started(s), sizeof(*r.kernel));
	plot_title(s, r.title, sizeof(r.title));
	r.run = plot_run_sim(s, "", r.kernel);
	r.machine = config_machine_name(sim_config(s));
	r.policy = config_policy_text(sim_config(s));
	export_each_stat(s, report_add_stat, &r);
	add_events(&r, s);
	rc = r.failed ? err_nomem(e) : report_write(&r, path, e);
	report_free(&r);
	return rc;
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

static int
read_table(struct report *r, struct overtime_table *series, const char *path, struct err *e)
{
	struct export_rows t;
	int rc = 0;

	if (export_rows_read(path, &t, e) < 0)
		return -1;
	if (overtime_table_fits(&t))
		rc = overtime_table_add(series, &t, path, e);
	else if (export_rows_column(&t, "seq") >= 0 && export_rows_column(&t, "rule") >= 0)
		read_decisions(r, &t);
	else if (export_rows_column(&t, "name") == 0 && export_rows_column(&t, "unit") == 2)
		rc = export_read_stats(path, report_add_stat, r, e);
	else
		rc = err_set(e,
			     "'%.200s' is no table that a report knows: expected one of series, "
			     "mem, stats, events, decisions",
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

static void
name_of(const char *path, char *buf, size_t size)
{
	const char *slash = strrchr(path, '/');

	snprintf(buf, size, "%s", slash ? slash + 1 : path);
}

int
plot_report_tables(const char *const *csv, unsigned n, const char *title, const char *path,
		   struct err *e)
{
	struct overtime_table *series = overtime_table_new();
	struct report r = {0};
	int rc = 0;

	if (title)
		snprintf(r.title, sizeof(r.title), "%s", title);
	else
		name_of(csv[0], r.title, sizeof(r.title));
	for (unsigned i = 0; i < n && rc == 0; i++)
		rc = read_table(&r, series, csv[i], e);
	if (rc == 0) {
		r.run.from = overtime_table_source(series);
		r.run.title = "";
		find_kernels(&r);
		if (!r.run.from.instances[OVERTIME_CORE])
			rc = err_set(e, "report: none of these is a table of 'dump csv series'");
		else if (r.failed)
			rc = err_nomem(e);
		else
			rc = report_write(&r, path, e);
	}
	overtime_table_free(series);
	report_free(&r);
	return rc;
}
