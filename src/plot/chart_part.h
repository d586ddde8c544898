/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart_part.h - private to src/plot: charts of a table.
 *
 * A table is read as texts. A field is one value per row: a column, or a parameter in the texts of
 * one. The chart holds one cell per series and place on the x axis; several rows of a cell are
 * averaged.
 */
#ifndef PLOT_CHART_PART_H
#define PLOT_CHART_PART_H

#include "export/export.h"
#include "plot/plot_part.h"

/* ---------------------------------------------------------------- the table */

struct chart_table {
	struct export_rows rows;
	const char *path;
	bool *is_key; /* of each column: it names what was measured, and is no result */
};

int chart_table_read(struct chart_table *t, const char *path, struct err *e);
void chart_table_free(struct chart_table *t);
const char *chart_cell(const struct chart_table *t, size_t row, unsigned column);
/* The number of a text; NaN: it is none. */
double chart_number(const char *text);
/* A column by its name or, if only one ends so, by the end of it: ipc for gpu.ipc. -1: none. */
int chart_find_column(const struct chart_table *t, const char *name);
int chart_no_column(const struct chart_table *t, const char *name, struct err *e); /* -1 */

struct chart_field {
	char name[80];
	unsigned column;
	bool is_parameter; /* of the column's texts: n of static:n=3 */
	bool is_numeric;   /* every text is a number, or empty; and some is a number */
	const char **text; /* of each row; "": none */
	char *owned;	   /* what text points into, of a parameter; or NULL */
};

/* -1 with e, which lists the columns: neither a column nor a parameter. */
int chart_field_find(const struct chart_table *t, const char *name, struct chart_field *f,
		     struct err *e);
void chart_field_column(const struct chart_table *t, unsigned column, struct chart_field *f);
/* Takes a parameter out of the texts of its column: static:n=3 becomes static. */
void chart_field_strip(const struct chart_table *t, struct chart_field *f,
		       const struct chart_field *parameter);
void chart_field_free(struct chart_field *f);

/* Numbers texts 0, 1, 2 ... in the order in which they first come. */
struct chart_names {
	char **name; /* n; owned */
	uint32_t n, n_slots;
	uint32_t *slot; /* index + 1; 0: empty */
};
uint32_t chart_names_add(struct chart_names *l, const char *text);
void chart_names_free(struct chart_names *l);

/* ---------------------------------------------------------------- selecting rows */

#define CHART_GROUPS 8
#define CHART_VALUES 8

struct expr;

/* A drawn value: a column, or an expression over columns. */
struct chart_value {
	char name[96];
	int column;	/* -1: an expression */
	struct expr *x; /* owned; NULL: a column */
};

/* What is drawn of a table, all options resolved. */
struct chart_plan {
	const struct chart_table *t;
	struct chart_field x, group[CHART_GROUPS];
	struct chart_value value[CHART_VALUES];
	unsigned n_groups, n_values;
	bool *keep;	    /* of each row: it fulfils the conditions */
	double *y;	    /* rows x values; NaN: unknown, or no baseline */
	char baseline[120]; /* "rr"; "": values are not normalized */
	size_t n_without_baseline;
	size_t at; /* the row that expressions read */
};

/* -1 with e. The plan borrows t; it must be freed in any case. */
int chart_plan_make(struct chart_plan *p, const struct chart_table *t, const struct chart_job *j,
		    struct err *e);
void chart_plan_free(struct chart_plan *p);
/* Divides all values by those of the baseline. (chart_base.c) */
int chart_normalize(struct chart_plan *p, const struct chart_job *j, struct err *e);
/* Selects rows by a condition COLUMN=VALUE or COLUMN!=VALUE; only: rows that another condition
 * left. */
int chart_where(const struct chart_table *t, const char *condition, bool *keep, struct err *e);

/* ---------------------------------------------------------------- the chart */

struct chart_cell {
	double sum, squares, logs;
	uint32_t n;
	double mean, deviation; /* deviation NaN: of a single row */
	size_t first;		/* row */
};

#define CHART_SERIES 64
#define CHART_BARS 400 /* places on the x axis, where they are texts */
#define CHART_MEANS 2

struct chart {
	char title[200], x_title[100], y_title[200], note[400];
	bool bars, baseline; /* baseline: a line at 1 */
	struct chart_names series, place;
	uint32_t n_series, n_places;
	double *at;		 /* of each place; NULL: places are texts */
	struct chart_cell *cell; /* series x places, in the order of the axis */
	unsigned n_means;
	const char *mean_name[CHART_MEANS];
	double *mean[CHART_MEANS]; /* of each series; NaN: none */
	double lo, hi, x_lo, x_hi; /* of the axes */
};

int chart_make(const struct chart_job *j, struct chart *c, struct err *e);
void chart_free(struct chart *c);
static inline const struct chart_cell *
chart_at(const struct chart *c, uint32_t series, uint32_t place)
{
	return &c->cell[(size_t)series * c->n_places + place];
}

#endif
