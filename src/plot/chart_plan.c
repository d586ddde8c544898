/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart_plan.c - what is drawn of a table: which rows, which x, which values, which groups.
 *
 * What is not named is chosen: the first of the usual columns that varies. All keys that vary and
 * are not x form the group, so that rows of different runs never share a bar unless the user says
 * so.
 */
#include "plot/chart_part.h"

#include "base/memory.h"
#include "base/words.h"
#include "eval/eval.h"
#include "export/overtime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- conditions */

static bool
matches_one(const char *text, struct span pattern)
{
	if (pattern.n && pattern.p[pattern.n - 1] == '*')
		return strncmp(text, pattern.p, pattern.n - 1) == 0;
	return span_is(pattern, text);
}

/* a|b: one of them; a*: begins with a. */
static bool
name_matches(const char *text, const char *pattern)
{
	struct span rest = span_of(pattern), part;

	while (span_part(&rest, '|', &part))
		if (matches_one(text, part))
			return true;
	return !*pattern && !*text;
}

int
chart_where(const struct chart_table *t, const char *condition, bool *keep, struct err *e)
{
	const char *equal = strchr(condition, '=');
	bool differs = equal && equal > condition && equal[-1] == '!', any = false;
	struct chart_field f;
	char name[200];

	if (!equal || equal == condition)
		return err_set(e, "plot: expected COLUMN=VALUE or COLUMN!=VALUE, found '%.80s'",
			       condition);
	snprintf(name, sizeof(name), "%.*s", (int)(equal - condition - differs), condition);
	if (chart_field_find(t, name, &f, e) < 0)
		return -1;
	for (size_t i = 0; i < t->rows.n_rows; i++) {
		keep[i] &= name_matches(f.text[i], equal + 1) != differs;
		any |= keep[i];
	}
	chart_field_free(&f);
	return any ? 0 : err_set(e, "plot: no row has %.200s", condition);
}

static int
apply_conditions(struct chart_plan *p, const struct chart_job *j, struct err *e)
{
	p->keep = memory_new(p->t->rows.n_rows, sizeof(*p->keep));
	memset(p->keep, true, p->t->rows.n_rows);
	for (unsigned i = 0; i < j->n_where; i++)
		if (chart_where(p->t, j->where[i], p->keep, e) < 0)
			return -1;
	return 0;
}

/* ---------------------------------------------------------------- x and groups */

/* Does the column have several texts in the selected rows? */
static bool
column_varies(const struct chart_plan *p, unsigned column)
{
	const char *first = NULL;

	for (size_t i = 0; i < p->t->rows.n_rows; i++) {
		const char *text = chart_cell(p->t, i, column);

		if (!p->keep[i])
			continue;
		if (first && strcmp(first, text) != 0)
			return true;
		first = text;
	}
	return false;
}

static int
first_varying(const struct chart_plan *p, bool key)
{
	for (unsigned i = 0; i < p->t->rows.n_columns; i++)
		if (p->t->is_key[i] == key && strcmp(p->t->rows.cell[i], "run") != 0 &&
		    column_varies(p, i))
			return (int)i;
	return -1;
}

static int
choose_x(struct chart_plan *p, struct err *e)
{
	static const char *const usual[] = {"workload", "application", "app", "kernel",
					    "benchmark"};
	int column = -1;

	if (overtime_table_fits(&p->t->rows)) /* its kernels are a part of the time */
		column = export_rows_column(&p->t->rows, "cycle");
	for (unsigned i = 0; i < ARRAY_LEN(usual) && column < 0; i++) {
		column = export_rows_column(&p->t->rows, usual[i]);
		if (column >= 0 && !column_varies(p, (unsigned)column))
			column = -1;
	}
	if (column < 0)
		column = first_varying(p, true);
	if (column < 0)
		column = first_varying(p, false);
	if (column < 0)
		return err_set(e, "plot: all rows are the same; choose the column of the x axis "
				  "with -x COLUMN");
	chart_field_column(p->t, (unsigned)column, &p->x);
	return 0;
}

static int
add_group(struct chart_plan *p, const char *name, struct err *e)
{
	if (p->n_groups == CHART_GROUPS)
		return err_set(e, "plot: a group has at most %d columns", CHART_GROUPS);
	if (chart_field_find(p->t, name, &p->group[p->n_groups], e) < 0)
		return -1;
	p->n_groups++;
	return 0;
}

/* All keys that vary, but not the column that is x. */
static void
choose_groups(struct chart_plan *p)
{
	for (unsigned i = 0; i < p->t->rows.n_columns && p->n_groups < CHART_GROUPS; i++) {
		bool is_x = i == p->x.column && !p->x.is_parameter;

		if (p->t->is_key[i] && !is_x && column_varies(p, i))
			chart_field_column(p->t, i, &p->group[p->n_groups++]);
	}
}

/* Splits a list at commas outside parentheses, and calls add() with each part. */
static int
each_item(struct chart_plan *p, const char *list, const char *what,
	  int (*add)(struct chart_plan *p, const char *name, struct err *e), struct err *e)
{
	const char *at = list;

	for (bool more = true; more;) {
		struct span part = span_list_item(&at, &more);
		char item[512];

		if (!span_copy(part, item, sizeof(item)) || !*item)
			return err_set(e,
				       "plot: %s: expected names with commas between them, "
				       "found '%.80s'",
				       what, list);
		if (add(p, item, e) < 0)
			return -1;
	}
	return 0;
}

/* Does the field have several texts in the rows that have an x? */
static bool
field_varies(const struct chart_plan *p, const struct chart_field *f)
{
	const char *first = NULL;

	for (size_t i = 0; i < p->t->rows.n_rows; i++) {
		if (!p->keep[i] || !*p->x.text[i])
			continue;
		if (first && strcmp(first, f->text[i]) != 0)
			return true;
		first = f->text[i];
	}
	return false;
}

/* Without its parameter a chosen group may be the same everywhere. */
static void
drop_constant_groups(struct chart_plan *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->n_groups; i++)
		if (field_varies(p, &p->group[i]))
			p->group[n++] = p->group[i];
		else
			chart_field_free(&p->group[i]);
	p->n_groups = n;
}

static int
pick_groups(struct chart_plan *p, const struct chart_job *j, struct err *e)
{
	if (!j->group)
		choose_groups(p);
	else if (*j->group && each_item(p, j->group, "group", add_group, e) < 0)
		return -1;
	for (unsigned i = 0; i < p->n_groups; i++) {
		chart_field_strip(p->t, &p->group[i], &p->x);
		for (unsigned k = 0; k < p->n_groups; k++)
			chart_field_strip(p->t, &p->group[i], &p->group[k]);
	}
	if (!j->group)
		drop_constant_groups(p);
	return 0;
}

/* ---------------------------------------------------------------- values */

static int
resolve_column(void *plan, const char *path, uint64_t *id, struct err *e)
{
	const struct chart_plan *p = plan;
	int column = chart_find_column(p->t, path);

	if (column < 0)
		return chart_no_column(p->t, path, e);
	*id = (uint64_t)column;
	return 1;
}

static double
get_number(void *plan, uint64_t id, unsigned i ATTR_UNUSED)
{
	const struct chart_plan *p = plan;

	return chart_number(chart_cell(p->t, p->at, (unsigned)id));
}

static bool
has_number(const struct chart_plan *p, unsigned column)
{
	for (size_t i = 0; i < p->t->rows.n_rows; i++)
		if (p->keep[i] && !isnan(chart_number(chart_cell(p->t, i, column))))
			return true;
	return false;
}

static int
add_value(struct chart_plan *p, const char *name, struct err *e)
{
	struct chart_value *v = &p->value[p->n_values];
	int column = chart_find_column(p->t, name);

	if (p->n_values == CHART_VALUES)
		return err_set(e, "plot: at most %d values", CHART_VALUES);
	*v = (struct chart_value){.column = column};
	snprintf(v->name, sizeof(v->name), "%s", column < 0 ? name : p->t->rows.cell[column]);
	if (column >= 0 && !has_number(p, (unsigned)column))
		return err_set(e, "plot: column '%.80s' has no number in the rows to draw", name);
	if (column < 0) {
		struct eval_names names = {p, resolve_column, get_number};

		v->x = expr_parse(name, &names, e);
		if (!v->x)
			return -1;
		if (expr_size(v->x) != 1) {
			expr_free(v->x);
			return err_set(e, "plot: '%.80s' is not a single number", name);
		}
	}
	p->n_values++;
	return 0;
}

/* Does the column say where a row belongs in a run? Such numbers are the last choice. */
static bool
is_place(const char *name)
{
	static const char *const places[] = {"cycle", "kernel",	 "span_cycles",
					     "core",  "channel", "cluster"};

	for (unsigned i = 0; i < ARRAY_LEN(places); i++)
		if (strcmp(name, places[i]) == 0)
			return true;
	return false;
}

static int
choose_value(struct chart_plan *p, struct err *e)
{
	static const char *const usual[] = {"gpu.ipc", "ipc", "measured", "value"};
	const bool series = overtime_table_fits(&p->t->rows);

	for (unsigned i = 0; i < ARRAY_LEN(usual); i++) {
		int column = series ? chart_find_column(p->t, usual[i])
				    : export_rows_column(&p->t->rows, usual[i]);

		if (column >= 0 && (unsigned)column != p->x.column)
			return add_value(p, usual[i], e);
	}
	for (unsigned i = 0; i < 2 * p->t->rows.n_columns; i++) {
		const unsigned c = i % p->t->rows.n_columns;
		const char *name = p->t->rows.cell[c];

		if (is_place(name) == (i == c)) /* places come in the second round */
			continue;
		if (!p->t->is_key[c] && (c != p->x.column || p->x.is_parameter) &&
		    strcmp(name, "run") != 0 && has_number(p, c))
			return add_value(p, name, e);
	}
	return err_set(e, "plot: no column of '%.200s' has numbers to draw", p->t->path);
}

static void
read_values(struct chart_plan *p)
{
	p->y = memory_new(p->t->rows.n_rows * p->n_values, sizeof(*p->y));
	for (p->at = 0; p->at < p->t->rows.n_rows; p->at++)
		for (unsigned i = 0; i < p->n_values; i++) {
			const struct chart_value *v = &p->value[i];
			double y = v->x ? *expr_run(v->x) : get_number(p, (uint64_t)v->column, 0);

			p->y[p->at * p->n_values + i] = y;
		}
}

/* ---------------------------------------------------------------- the plan */

int
chart_plan_make(struct chart_plan *p, const struct chart_table *t, const struct chart_job *j,
		struct err *e)
{
	*p = (struct chart_plan){.t = t};
	if (apply_conditions(p, j, e) < 0)
		return -1;
	if (j->x ? chart_field_find(t, j->x, &p->x, e) : choose_x(p, e))
		return -1;
	if (pick_groups(p, j, e) < 0)
		return -1;
	if (j->y ? each_item(p, j->y, "values", add_value, e) : choose_value(p, e))
		return -1;
	read_values(p);
	return j->normalize ? chart_normalize(p, j, e) : 0;
}

void
chart_plan_free(struct chart_plan *p)
{
	chart_field_free(&p->x);
	for (unsigned i = 0; i < p->n_groups; i++)
		chart_field_free(&p->group[i]);
	for (unsigned i = 0; i < p->n_values; i++)
		expr_free(p->value[i].x);
	free(p->keep);
	free(p->y);
}
