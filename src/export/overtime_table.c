/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overtime_table.c - reads time series back from the CSV files of `dump csv series` and `dump csv
 * mem`.
 *
 * A table has a row for each core (or channel) and sample, in that order. Columns are found by
 * name, so tables of other versions of ctascope can be read; a missing column gives unknown values.
 * Both tables must have the same samples.
 */
#include "export/export_part.h"
#include "base/memory.h"
#include "export/overtime.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sample_time {
	cycle_t end, span;
	uint32_t kernel;
};

struct overtime_table {
	unsigned samples, instances[OVERTIME_GROUPS];
	struct sample_time *times;
	float *v[OVERTIME_GROUPS]; /* sample, instance, field */
};

struct overtime_table *
overtime_table_new(void)
{
	return memory_new(1, sizeof(struct overtime_table));
}

void
overtime_table_free(struct overtime_table *t)
{
	if (!t)
		return;
	for (unsigned g = 0; g < OVERTIME_GROUPS; g++)
		free(t->v[g]);
	free(t->times);
	free(t);
}

/* The column that counts instances: "core" or "channel"; -1: this is no such table. */
static int
find_instance_column(const struct export_rows *r, enum overtime_group *g)
{
	int core = export_rows_column(r, "core"), channel = export_rows_column(r, "channel");

	if (export_rows_column(r, "span_cycles") < 0 || (core < 0 && channel < 0))
		return -1;
	*g = core >= 0 ? OVERTIME_CORE : OVERTIME_MEM;
	return core >= 0 ? core : channel;
}

bool
overtime_table_fits(const struct export_rows *r)
{
	enum overtime_group g;

	return find_instance_column(r, &g) >= 0;
}

static const char *
get_cell(const struct export_rows *r, size_t row, int column)
{
	return r->cell[(row + 1) * r->n_columns + (unsigned)column];
}

static int
report_row(const struct export_rows *r, const char *path, size_t row, const char *what,
	   const char *found, struct err *e)
{
	return err_at(e, path, r->line[row + 1], NULL, 0, 1, "%s, found '%.40s'", what, found);
}

/* Reads a count from a cell. -1 with e. */
static int
read_count(const struct export_rows *r, const char *path, size_t row, int column, uint64_t *v,
	   struct err *e)
{
	const char *text = column < 0 ? "" : get_cell(r, row, column);
	char *end;

	*v = strtoull(text, &end, 10);
	return *text && !*end ? 0 : report_row(r, path, row, "expected a number", text, e);
}

/* Reads a field of every row; a missing column leaves its values unknown. */
static int
read_field(const struct export_rows *r, const char *path, const char *name, float *to,
	   unsigned step, unsigned rows, struct err *e)
{
	int column = export_rows_column(r, name);

	for (size_t i = 0; i * rows < r->n_rows; i++, to += step) {
		const char *text = column < 0 ? "" : get_cell(r, i * rows, column);
		char *end = NULL;

		*to = *text ? strtof(text, &end) : NAN;
		if (end && *end)
			return report_row(r, path, i * rows, "expected a number", text, e);
	}
	return 0;
}

static int
read_group(struct overtime_table *t, enum overtime_group g, const struct export_rows *r,
	   const char *path, struct err *e)
{
	unsigned fields = overtime_fields(g),
		 rows = g == OVERTIME_GPU ? t->instances[OVERTIME_CORE] : 1;
	float *v = calloc((size_t)t->samples * t->instances[g] * fields, sizeof(*v));

	free(t->v[g]);
	t->v[g] = v;
	if (!v)
		return err_nomem(e);
	for (unsigned f = 0; f < fields; f++) {
		const struct series_row *row = overtime_row(g, f);
		char name[COLUMN_NAME], column[COLUMN_NAME];

		snprintf(name, sizeof(name), "%s%s", g == OVERTIME_GPU ? "gpu_" : "", row->name);
		export_column_name(name, row->unit, column, sizeof(column));
		if (read_field(r, path, column, v + f, fields, rows, e) < 0)
			return -1;
	}
	return 0;
}

/* Reads the time of each sample. The rows of a sample are adjacent, one for each instance in
 * order. */
static int
read_sample_times(struct overtime_table *t, const struct export_rows *r, const char *path,
		  int instance, unsigned n, struct sample_time *times, struct err *e)
{
	int cycle = export_rows_column(r, "cycle"), span = export_rows_column(r, "span_cycles"),
	    kernel = export_rows_column(r, "kernel"), run = export_rows_column(r, "run");
	uint64_t v[5], first_run = 0;

	for (size_t i = 0; i < r->n_rows; i++) {
		struct sample_time *w = &times[i / n];

		if (read_count(r, path, i, instance, &v[0], e) < 0 ||
		    read_count(r, path, i, cycle, &v[1], e) < 0 ||
		    read_count(r, path, i, span, &v[2], e) < 0 ||
		    read_count(r, path, i, kernel, &v[3], e) < 0 ||
		    read_count(r, path, i, run, &v[4], e) < 0)
			return -1;
		if (i == 0)
			first_run = v[4];
		if (v[4] != first_run)
			return report_row(r, path, i, "expected one run", get_cell(r, i, run), e);
		if (v[0] != i % n || (i % n && v[1] != w->end))
			return report_row(r, path, i,
					  "expected every core or channel in each sample",
					  get_cell(r, i, instance), e);
		if (i && i % n == 0 && v[1] <= times[i / n - 1].end)
			return report_row(r, path, i, "expected a later cycle",
					  get_cell(r, i, cycle), e);
		*w = (struct sample_time){v[1], v[2], (uint32_t)(v[3] ? v[3] - 1 : 0)};
		if (t->times && (t->times[i / n].end != w->end || t->times[i / n].span != w->span))
			return report_row(r, path, i, "expected the samples of the table before it",
					  get_cell(r, i, cycle), e);
	}
	return 0;
}

int
overtime_table_add(struct overtime_table *t, const struct export_rows *r, const char *path,
		   struct err *e)
{
	enum overtime_group g;
	int instance = find_instance_column(r, &g);
	unsigned n = 0, samples;
	struct sample_time *times;
	int rc;

	if (instance < 0)
		return err_set(e, "'%.200s' is not a table of time series", path);
	if (!r->n_rows)
		return err_set(e, "'%.200s' has no rows", path);
	while (n < r->n_rows && strtoul(get_cell(r, n, instance), NULL, 10) == n)
		n++;
	if (!n || r->n_rows % n)
		return report_row(r, path, n ? r->n_rows - 1 : 0,
				  "expected every core or channel in each sample", "less", e);
	samples = (unsigned)(r->n_rows / n);
	if (t->times && t->samples != samples)
		return err_set(e,
			       "'%.200s' has %u samples, the table before it %u: the tables of a "
			       "report are of one run; 'ctascope compare' compares two",
			       path, samples, t->samples);
	times = calloc(samples, sizeof(*times));
	if (!times)
		return err_nomem(e);
	rc = read_sample_times(t, r, path, instance, n, times, e);
	free(t->times);
	t->times = times;
	t->samples = samples;
	t->instances[g] = n;
	if (rc < 0 || read_group(t, g, r, path, e) < 0)
		return -1;
	t->instances[OVERTIME_GPU] = 1;
	return g == OVERTIME_CORE ? read_group(t, OVERTIME_GPU, r, path, e) : 0;
}

/* ---------------------------------------------------------------- the source */

static double
value_at(const void *ctx, enum overtime_group g, unsigned field, unsigned k, unsigned sample)
{
	const struct overtime_table *t = ctx;

	return t->v[g] ? (double)t->v[g]
				     [((size_t)sample * t->instances[g] + k) * overtime_fields(g) +
				      field]
		       : (double)NAN;
}

static unsigned
sample_count(const void *ctx)
{
	const struct overtime_table *t = ctx;

	return t->samples;
}

static cycle_t
sample_end(const void *ctx, unsigned sample)
{
	const struct overtime_table *t = ctx;

	return t->times[sample].end;
}

static cycle_t
sample_span(const void *ctx, unsigned sample)
{
	const struct overtime_table *t = ctx;

	return t->times[sample].span;
}

static uint32_t
sample_kernel(const void *ctx, unsigned sample)
{
	const struct overtime_table *t = ctx;

	return t->times[sample].kernel;
}

struct overtime_source
overtime_table_source(const struct overtime_table *t)
{
	return (struct overtime_source){.ctx = t,
					.instances = {t->instances[OVERTIME_CORE],
						      t->instances[OVERTIME_MEM], 1},
					.value = value_at,
					.count = sample_count,
					.end = sample_end,
					.span = sample_span,
					.kernel = sample_kernel};
}
