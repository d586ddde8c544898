/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart.c - a chart from a plan: cells, order of the axis, means, titles, notes.
 *
 * Texts keep the order of the table, numbers ascend. A mean over applications is taken over the
 * places at which a series has a value; the note says where some are missing.
 */
#include "plot/chart_part.h"

#include "base/memory.h"
#include "base/strbuf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- cells */

static void
series_label(const struct chart_plan *p, size_t row, unsigned value, struct strbuf *label)
{
	sb_clear(label);
	sb_str(label, "");
	for (unsigned i = 0; i < p->n_groups; i++)
		sb_printf(label, "%s%s", i ? ", " : "", p->group[i].text[row]);
	if (p->n_values > 1 || !p->n_groups)
		sb_printf(label, "%s%s", p->n_groups ? ", " : "", p->value[value].name);
	if (label->failed)
		memory_end();
}

/* The place and series of each row's values, as indices; UINT32_MAX: no value. */
struct row_index {
	uint32_t place, series[CHART_VALUES];
};

/* Is it a table of `dump csv stats`, which has a row for each statistic of a run? */
static bool
is_stats(const struct chart_table *t)
{
	return export_rows_column(&t->rows, "name") == 0 &&
	       export_rows_column(&t->rows, "value") == 1 &&
	       export_rows_column(&t->rows, "unit") == 2;
}

static int
check_size(const struct chart_plan *p, const struct chart *c, struct err *e)
{
	if (c->bars && c->place.n > CHART_BARS && is_stats(p->t))
		return err_set(
			e,
			"plot: '%.200s' is a table of 'dump csv stats': %zu statistics of one "
			"run, too many for bars (at most %d); choose some, as with -w "
			"'name=gpu.*', or compare two such tables with 'ctascope compare'",
			p->t->path, p->t->rows.n_rows, CHART_BARS);
	if (c->series.n > CHART_SERIES)
		return err_set(e,
			       "plot: %u groups are too many to tell apart (at most %d); choose "
			       "some with -g COLUMN or -w COLUMN=VALUE",
			       c->series.n, CHART_SERIES);
	if (c->bars && c->place.n > CHART_BARS)
		return err_set(e,
			       "plot: %u places on the x axis are too many for bars (at most %d); "
			       "choose some with -x COLUMN or -w COLUMN=VALUE",
			       c->place.n, CHART_BARS);
	return 0;
}

static int
index_rows(const struct chart_plan *p, struct chart *c, struct row_index *at, struct err *e)
{
	struct strbuf label = {0};
	int rc = 0;

	for (size_t i = 0; i < p->t->rows.n_rows && rc == 0; i++) {
		at[i].place = UINT32_MAX;
		for (unsigned k = 0; k < p->n_values; k++) {
			at[i].series[k] = UINT32_MAX;
			if (!p->keep[i] || !*p->x.text[i] || isnan(p->y[i * p->n_values + k]))
				continue;
			series_label(p, i, k, &label);
			at[i].series[k] = chart_names_add(&c->series, label.p);
			at[i].place = chart_names_add(&c->place, p->x.text[i]);
		}
		rc = check_size(p, c, e);
	}
	sb_free(&label);
	if (rc == 0 && !c->series.n)
		rc = err_set(e, "plot: no row has both '%.80s' and a number in '%.80s'%s",
			     p->x.name, p->value[0].name,
			     p->n_without_baseline ? " and a baseline to divide it by" : "");
	return rc;
}

static void
fill_cells(const struct chart_plan *p, struct chart *c, const struct row_index *at,
	   const uint32_t *rank)
{
	c->cell = memory_new((size_t)c->n_series * c->n_places, sizeof(*c->cell));
	for (size_t i = 0; i < p->t->rows.n_rows; i++)
		for (unsigned k = 0; k < p->n_values; k++) {
			double y = p->y[i * p->n_values + k];
			struct chart_cell *cell;

			if (at[i].series[k] == UINT32_MAX)
				continue;
			cell = &c->cell[(size_t)at[i].series[k] * c->n_places + rank[at[i].place]];
			if (!cell->n++)
				cell->first = i;
			cell->sum += y;
			cell->squares += y * y;
			cell->logs += y > 0 ? log(y) : (double)NAN;
		}
}

static void
average_cells(struct chart *c, bool geometric)
{
	for (size_t i = 0; i < (size_t)c->n_series * c->n_places; i++) {
		struct chart_cell *k = &c->cell[i];
		double n = k->n;

		k->mean = !k->n ? (double)NAN : geometric ? exp(k->logs / n) : k->sum / n;
		k->deviation = k->n < 2 || geometric
				       ? (double)NAN
				       : sqrt(fmax(k->squares - k->sum * k->sum / n, 0) / (n - 1));
	}
}

/* ---------------------------------------------------------------- the x axis */

struct place {
	double v;
	uint32_t index;
};

static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->v != y->v ? (x->v > y->v) - (x->v < y->v)
			    : (x->index > y->index) - (x->index < y->index);
}

/* Orders the places; rank[i] is where place i goes. Equal numbers share one. */
static void
order_places(struct chart *c, bool numeric, uint32_t *rank)
{
	struct place *p = memory_new(c->place.n, sizeof(*p));

	for (uint32_t i = 0; i < c->place.n; i++)
		p[i] = (struct place){numeric ? chart_number(c->place.name[i]) : i, i};
	qsort(p, c->place.n, sizeof(*p), compare_places);
	c->at = memory_new(c->place.n, sizeof(*c->at));
	for (uint32_t i = 0; i < c->place.n; i++) {
		if (!i || p[i].v != p[i - 1].v)
			c->at[c->n_places++] = p[i].v;
		rank[p[i].index] = c->n_places - 1;
	}
	free(p);
}

/* Puts the names of the places in their order; of equal numbers the first name stays. */
static void
order_names(struct chart *c, const uint32_t *rank)
{
	char **name = memory_new(c->n_places, sizeof(*name));

	for (uint32_t i = 0; i < c->place.n; i++) {
		if (name[rank[i]])
			free(c->place.name[i]);
		else
			name[rank[i]] = c->place.name[i];
	}
	free(c->place.name);
	c->place.name = name;
	c->place.n = c->n_places;
}

/* ---------------------------------------------------------------- means */

static double
mean_of_series(const struct chart *c, uint32_t s, bool geometric)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n_places; i++) {
		double v = chart_at(c, s, i)->mean;

		if (isnan(v))
			continue;
		if (geometric && v <= 0)
			return NAN;
		sum += geometric ? log(v) : v;
		n++;
	}
	return !n ? (double)NAN : geometric ? exp(sum / n) : sum / n;
}

static void
add_means(struct chart *c, enum chart_mean mean)
{
	static const char *const names[CHART_MEANS] = {"mean", "geomean"};
	static const enum chart_mean only[CHART_MEANS] = {CHART_ARITHMETIC, CHART_GEOMETRIC};

	if (!c->bars || mean == CHART_NONE ||
	    (mean == CHART_MEAN_AUTO && (c->n_places < 2 || c->at)))
		return;
	for (unsigned i = 0; i < CHART_MEANS; i++) {
		double *of;

		if (mean != CHART_MEAN_AUTO && mean != CHART_MEAN_BOTH && mean != only[i])
			continue;
		of = memory_new(c->n_series, sizeof(*of));
		for (uint32_t s = 0; s < c->n_series; s++)
			of[s] = mean_of_series(c, s, i == 1);
		c->mean_name[c->n_means] = names[i];
		c->mean[c->n_means++] = of;
	}
}

/* ---------------------------------------------------------------- titles and notes */

/* The keys in which rows that share a cell differ. */
static void
differing_keys(const struct chart_plan *p, const struct chart *c, const struct row_index *at,
	       const uint32_t *rank, struct strbuf *list)
{
	for (unsigned col = 0; col < p->t->rows.n_columns; col++) {
		bool differs = false;

		for (size_t i = 0; p->t->is_key[col] && i < p->t->rows.n_rows && !differs; i++)
			for (unsigned k = 0; k < p->n_values && !differs; k++) {
				const struct chart_cell *cell;

				if (at[i].series[k] == UINT32_MAX)
					continue;
				cell = chart_at(c, at[i].series[k], rank[at[i].place]);
				differs = strcmp(chart_cell(p->t, i, col),
						 chart_cell(p->t, cell->first, col)) != 0;
			}
		if (differs && (col != p->x.column || !p->x.is_parameter))
			sb_printf(list, "%s%s", list->n ? ", " : "", p->t->rows.cell[col]);
	}
}

static void
note_repetitions(const struct chart_plan *p, const struct chart *c, const struct row_index *at,
		 const uint32_t *rank, bool geometric, struct strbuf *note)
{
	struct strbuf keys = {0};
	uint32_t least = UINT32_MAX, most = 0;
	const char *what = c->bars ? "bar" : "point";

	for (size_t i = 0; i < (size_t)c->n_series * c->n_places; i++)
		if (c->cell[i].n) {
			least = MIN(least, c->cell[i].n);
			most = MAX(most, c->cell[i].n);
		}
	if (most < 2)
		return;
	differing_keys(p, c, at, rank, &keys);
	sb_printf(note, "each %s: mean of ", what);
	if (least != most)
		sb_printf(note, "%u to ", least);
	sb_printf(note, "%u rows", most);
	if (keys.n)
		sb_printf(note, " that differ in %s", keys.p);
	if (keys.failed)
		memory_end();
	sb_str(note, geometric ? ", geometric; " : ", with one standard deviation; ");
	sb_free(&keys);
}

static void
note_missing(const struct chart_plan *p, const struct chart *c, struct strbuf *note)
{
	uint32_t least = c->n_places;

	if (p->n_without_baseline)
		sb_printf(note, "%zu rows without a baseline were skipped; ",
			  p->n_without_baseline);
	for (uint32_t s = 0; c->n_means && s < c->n_series; s++) {
		uint32_t n = 0;

		for (uint32_t i = 0; i < c->n_places; i++)
			n += !isnan(chart_at(c, s, i)->mean);
		least = MIN(least, n);
	}
	if (least < c->n_places)
		sb_printf(note, "means are over the rows with a value, at least %u of %u; ", least,
			  c->n_places);
}

static void
write_titles(const struct chart_plan *p, const struct chart_job *j, struct chart *c)
{
	const char *slash = strrchr(j->path, '/'), *file = slash ? slash + 1 : j->path;
	size_t n = 0;

	for (unsigned i = 0; i < p->n_values && n < sizeof(c->y_title); i++)
		n += (size_t)snprintf(c->y_title + n, sizeof(c->y_title) - n, "%s%s", i ? ", " : "",
				      p->value[i].name);
	snprintf(c->x_title, sizeof(c->x_title), "%s", p->x.name);
	if (j->title)
		snprintf(c->title, sizeof(c->title), "%s", j->title);
	else
		snprintf(c->title, sizeof(c->title), "%.*s: %.80s over %.60s",
			 (int)MIN(strcspn(file, "."), 40u), file, c->y_title, p->x.name);
	if (*p->baseline) {
		n = MIN(strlen(c->y_title), sizeof(c->y_title) - 40);
		snprintf(c->y_title + n, sizeof(c->y_title) - n, " / %s", p->baseline);
	}
}

/* ---------------------------------------------------------------- the chart */

static void
set_axes(struct chart *c)
{
	c->lo = 0;
	c->hi = c->baseline ? 1 : 0;
	for (size_t i = 0; i < (size_t)c->n_series * c->n_places; i++) {
		const struct chart_cell *k = &c->cell[i];
		double d = isnan(k->deviation) ? 0 : k->deviation;

		if (isnan(k->mean))
			continue;
		c->lo = fmin(c->lo, k->mean < 0 ? k->mean - d : 0);
		c->hi = fmax(c->hi, k->mean + d);
	}
	scale_round(&c->lo, &c->hi);
	if (!c->at)
		return;
	c->x_lo = c->at[0];
	c->x_hi = c->at[c->n_places - 1];
	if (!(c->x_hi > c->x_lo)) {
		c->x_lo -= 1;
		c->x_hi += 1;
	}
}

static int
chart_fill(const struct chart_plan *p, const struct chart_job *j, struct chart *c, struct err *e)
{
	struct row_index *at = memory_new(p->t->rows.n_rows, sizeof(*at));
	struct strbuf note = {0};
	uint32_t *rank = NULL;
	int rc;

	c->bars = j->kind == CHART_AUTO ? !p->x.is_numeric : j->kind == CHART_BARS_ALWAYS;
	c->baseline = *p->baseline != '\0';
	rc = index_rows(p, c, at, e);
	if (rc == 0) {
		rank = memory_new(c->place.n, sizeof(*rank));
		order_places(c, p->x.is_numeric, rank);
		order_names(c, rank);
		c->n_series = c->series.n;
		fill_cells(p, c, at, rank);
		average_cells(c, j->mean == CHART_GEOMETRIC);
		if (!p->x.is_numeric) {
			free(c->at);
			c->at = NULL;
		}
		add_means(c, j->mean);
		set_axes(c);
		write_titles(p, j, c);
		note_repetitions(p, c, at, rank, j->mean == CHART_GEOMETRIC, &note);
		note_missing(p, c, &note);
		if (note.failed)
			memory_end();
		if (note.n > 2)
			snprintf(c->note, sizeof(c->note), "%.*s",
				 (int)MIN(note.n - 2, sizeof(c->note) - 1), note.p);
	}
	sb_free(&note);
	free(rank);
	free(at);
	return rc;
}

int
chart_make(const struct chart_job *j, struct chart *c, struct err *e)
{
	struct chart_table t;
	struct chart_plan p;
	int rc;

	*c = (struct chart){.bars = false};
	if (chart_table_read(&t, j->path, e) < 0)
		return -1;
	rc = chart_plan_make(&p, &t, j, e);
	if (rc == 0)
		rc = chart_fill(&p, j, c, e);
	chart_plan_free(&p);
	chart_table_free(&t);
	if (rc)
		chart_free(c);
	return rc;
}

void
chart_free(struct chart *c)
{
	chart_names_free(&c->series);
	chart_names_free(&c->place);
	free(c->at);
	free(c->cell);
	for (unsigned i = 0; i < c->n_means; i++)
		free(c->mean[i]);
	*c = (struct chart){.bars = false};
}
