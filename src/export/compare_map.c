/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_map.c - computes the map of a column of two tables over cores and time (compare.h). */
#include "export/compare.h"
#include "export/export_part.h"
#include "export/overtime.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LATEST 1e15 /* a row with a later cycle is damaged and is skipped */

/* Returns the last cycle of a table and raises *n to the number of its instances. */
static cycle_t
find_extent(const struct export_rows *r, int instance, unsigned *n)
{
	int cycle = export_rows_column(r, "cycle");
	double end = 0;

	for (size_t k = 0; k < r->n_rows; k++) {
		double at = compare_number(r, k, instance), now = compare_number(r, k, cycle);

		if (now < LATEST)
			end = fmax(end, now);
		if (at >= 0 && at < 1024)
			*n = MAX(*n, (unsigned)at + 1);
	}
	return (cycle_t)end;
}

/* The rows of a table that belong to an instance over time. */
struct map_source {
	const struct export_rows *r;
	int cycle, span, column;
	bool level; /* the column was read at the ends of samples */
};

static const struct series_row *
find_row(enum overtime_group g, const char *prefix, const char *column)
{
	char name[COLUMN_NAME], with_prefix[COLUMN_NAME];

	for (unsigned i = 0; i < overtime_fields(g); i++) {
		const struct series_row *row = overtime_row(g, i);

		snprintf(with_prefix, sizeof(with_prefix), "%s%s", prefix, row->name);
		export_column_name(with_prefix, row->unit, name, sizeof(name));
		if (strcmp(name, column) == 0)
			return row;
	}
	return NULL;
}

/* Does the column have one value for all cores, which every row of a sample repeats? */
static bool
is_of_gpu(const struct export_rows *r, const char *column)
{
	return export_rows_column(r, "core") >= 0 && find_row(OVERTIME_GPU, "gpu_", column);
}

const struct series_row *
compare_series_row(const struct export_rows *r, const char *column)
{
	bool mem = export_rows_column(r, "channel") >= 0;
	const struct series_row *row = find_row(mem ? OVERTIME_MEM : OVERTIME_CORE, "", column);

	return row || mem ? row : find_row(OVERTIME_GPU, "gpu_", column);
}

/* Adds a row to the columns of its instance that the sample overlaps. A level counts only for the
 * column in which the sample ends. */
static void
add_to_map(const struct map_source *s, size_t k, const struct compare_map *m, double *value,
	   double *weight)
{
	double end = compare_number(s->r, k, s->cycle), v = compare_number(s->r, k, s->column),
	       start = end - compare_number(s->r, k, s->span), per = (double)m->per;

	if (isnan(v) || !(start >= 0) || !(start <= end) || !(end < LATEST))
		return;
	if (s->level)
		start = fmax(start, ceil(end / per) * per - per);
	for (unsigned x = (unsigned)(start / per); x < m->columns && x * per < end; x++) {
		double w = fmin(end, (x + 1) * per) - fmax(start, x * per);

		value[x] = weight[x] > 0 ? value[x] + v * w : v * w;
		weight[x] += w;
	}
}

/* A level holds until it is read again: columns without a reading take the last one before. The
 * table has no values after its end. */
static void
hold_levels(const struct compare_map *m, double *value, const double *weight)
{
	unsigned last = m->columns;

	while (last > 0 && !(weight[last - 1] > 0))
		last--;
	for (unsigned x = 1; x < last; x++)
		if (!(weight[x] > 0))
			value[x] = value[x - 1];
}

/* Fills the cells of the map with a column of one table, as the screen shows it: a rate is the mean
 * of the samples that overlap the cell, a level is the last value read by the end of the cell. */
static void
fill_map(const struct export_rows *r, int instance, int column, struct compare_map *m,
	 double *value)
{
	const struct series_row *series = compare_series_row(r, r->cell[column]);
	struct map_source s = {.r = r,
			       .cycle = export_rows_column(r, "cycle"),
			       .span = export_rows_column(r, "span_cycles"),
			       .column = column,
			       .level = series && series->level};
	size_t cells = (size_t)m->instances * m->columns;
	double *weight = memory_new(cells, sizeof(*weight));

	for (size_t k = 0; k < r->n_rows; k++) {
		double at = compare_number(r, k, instance);
		size_t row = at >= 0 && at < m->instances ? (size_t)at * m->columns : cells;

		if (row < cells)
			add_to_map(&s, k, m, value + row, weight + row);
	}
	for (size_t i = 0; i < cells; i++)
		value[i] = weight[i] > 0 ? value[i] / weight[i] : (double)NAN;
	for (unsigned i = 0; s.level && i < m->instances; i++)
		hold_levels(m, value + (size_t)i * m->columns, weight + (size_t)i * m->columns);
	free(weight);
}

int
compare_map(const struct compare *c, const char *column, unsigned w, struct compare_map *m,
	    struct err *e)
{
	int at = compare_column(c, column, e),
	    instance = export_rows_column(&c->rows[0], "core") >= 0
			       ? export_rows_column(&c->rows[0], "core")
			       : export_rows_column(&c->rows[0], "channel");
	cycle_t end;

	*m = (struct compare_map){0};
	if (at < 0)
		return -1;
	end = find_extent(&c->rows[0], instance, &m->instances);
	end = MAX(end, find_extent(&c->rows[1], instance, &m->instances));
	m->title = c->rows[0].cell[at];
	m->is_gpu = is_of_gpu(&c->rows[0], m->title);
	if (m->is_gpu)
		m->instances = 1; /* the rows of core 0 have the values */
	w = MAX(w, 1u);
	m->per = MAX((end + w - 1) / w, (cycle_t)1);
	m->columns = (unsigned)((end + m->per - 1) / m->per);
	for (unsigned side = 0; side < 2; side++) {
		m->value[side] = memory_new((size_t)m->instances * m->columns, sizeof(double));
		fill_map(&c->rows[side], instance, at, m, m->value[side]);
	}
	for (size_t i = 0; i < (size_t)m->instances * m->columns; i++)
		m->most = fmax(m->most, fabs(m->value[1][i] - m->value[0][i]));
	return 0;
}

void
compare_map_name(const struct compare_map *m, unsigned instance, char *buf, size_t size)
{
	if (m->is_gpu)
		snprintf(buf, size, "GPU");
	else
		snprintf(buf, size, "%u", instance);
}

void
compare_map_free(struct compare_map *m)
{
	free(m->value[0]);
	free(m->value[1]);
	*m = (struct compare_map){0};
}
