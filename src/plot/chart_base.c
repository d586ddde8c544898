/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart_base.c - normalizes the values of a chart to those of a baseline.
 *
 * The baseline of a row is the mean of the rows that have the wanted value in one column (rr in the
 * column policy) and are equal to it in all other keys, in x and in the groups. Parameters of the
 * wanted column do not count: rr has no n. Conditions select baseline rows as well, except those on
 * the wanted column.
 */
#include "plot/chart_part.h"

#include "base/memory.h"
#include "base/strbuf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct baseline {
	struct chart_field field;
	char value[120];
	bool *keep; /* rows that may be part of it */
};

/* The value alone: the first key column in which it occurs. */
static int
find_value_column(const struct chart_plan *p, const char *value)
{
	for (unsigned c = 0; c < p->t->rows.n_columns; c++)
		for (size_t i = 0; p->t->is_key[c] && i < p->t->rows.n_rows; i++)
			if (strcmp(chart_cell(p->t, i, c), value) == 0)
				return (int)c;
	return -1;
}

/* Understands VALUE and COLUMN=VALUE. */
static int
find_baseline(const struct chart_plan *p, const char *text, struct baseline *b, struct err *e)
{
	const char *equal = strchr(text, '=');
	int column = find_value_column(p, text);
	char name[80];

	snprintf(b->value, sizeof(b->value), "%s", text);
	if (column >= 0) {
		chart_field_column(p->t, (unsigned)column, &b->field);
		return 0;
	}
	if (!equal)
		return err_set(e,
			       "plot: no row is '%.80s'; expected COLUMN=VALUE, or a text of the "
			       "table",
			       text);
	snprintf(name, sizeof(name), "%.*s", (int)(equal - text), text);
	snprintf(b->value, sizeof(b->value), "%s", equal + 1);
	return chart_field_find(p->t, name, &b->field, e);
}

/* Is the condition about the column of the baseline? */
static bool
is_about(const struct chart_plan *p, const char *condition, const struct chart_field *f)
{
	char name[200];
	int column;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(condition, "!="), condition);
	column = chart_find_column(p->t, name);
	return column < 0 ? strcmp(name, f->name) == 0 : (unsigned)column == f->column;
}

static int
select_rows(const struct chart_plan *p, const struct chart_job *j, struct baseline *b,
	    struct err *e)
{
	bool any = false;

	b->keep = memory_new(p->t->rows.n_rows, sizeof(*b->keep));
	memset(b->keep, true, p->t->rows.n_rows);
	for (unsigned i = 0; i < j->n_where; i++)
		if (!is_about(p, j->where[i], &b->field) &&
		    chart_where(p->t, j->where[i], b->keep, e) < 0)
			return -1;
	for (size_t i = 0; i < p->t->rows.n_rows; i++) {
		b->keep[i] &= strcmp(b->field.text[i], b->value) == 0;
		any |= b->keep[i];
	}
	return any ? 0 : err_set(e, "plot: no row has %.80s=%.80s", b->field.name, b->value);
}

static void
add_field(struct strbuf *key, const struct chart_plan *p, const struct chart_field *f,
	  const struct baseline *b, size_t row)
{
	if (f->column == b->field.column || p->t->is_key[f->column])
		return; /* the baseline's own; or added with the keys */
	sb_str(key, f->text[row]);
	sb_char(key, '\x1f');
}

/* What a row and its baseline have in common. */
static const char *
common_key(struct strbuf *key, const struct chart_plan *p, const struct baseline *b, size_t row)
{
	sb_clear(key);
	for (unsigned c = 0; c < p->t->rows.n_columns; c++) {
		if (!p->t->is_key[c] || c == b->field.column)
			continue;
		sb_str(key, chart_cell(p->t, row, c));
		sb_char(key, '\x1f');
	}
	add_field(key, p, &p->x, b, row);
	for (unsigned i = 0; i < p->n_groups; i++)
		add_field(key, p, &p->group[i], b, row);
	if (key->failed)
		memory_end();
	return key->p ? key->p : "";
}

struct mean {
	double sum;
	uint32_t n;
};

static void
divide_rows(struct chart_plan *p, const struct baseline *b)
{
	struct chart_names keys = {0};
	struct strbuf text = {0};
	size_t rows = p->t->rows.n_rows;
	struct mean *base = memory_new(rows * p->n_values, sizeof(*base));

	for (size_t i = 0; i < rows; i++) {
		struct mean *m;

		if (!b->keep[i])
			continue;
		m = &base[(size_t)chart_names_add(&keys, common_key(&text, p, b, i)) * p->n_values];
		for (unsigned k = 0; k < p->n_values; k++) {
			double y = p->y[i * p->n_values + k];

			m[k].sum += isnan(y) ? 0 : y;
			m[k].n += !isnan(y);
		}
	}
	for (size_t i = 0; i < rows; i++) {
		const struct mean *m;

		if (!p->keep[i])
			continue;
		/* a key without baseline gets a number of its own, whose mean is empty */
		m = &base[(size_t)chart_names_add(&keys, common_key(&text, p, b, i)) * p->n_values];
		p->n_without_baseline += m->n == 0;
		for (unsigned k = 0; k < p->n_values; k++) {
			double of = m[k].n ? m[k].sum / m[k].n : 0;

			p->y[i * p->n_values + k] =
				of != 0 ? p->y[i * p->n_values + k] / of : (double)NAN;
		}
	}
	free(base);
	chart_names_free(&keys);
	sb_free(&text);
}

int
chart_normalize(struct chart_plan *p, const struct chart_job *j, struct err *e)
{
	struct baseline b = {.keep = NULL};
	int rc = find_baseline(p, j->normalize, &b, e);

	if (rc == 0)
		rc = select_rows(p, j, &b, e);
	if (rc == 0) {
		divide_rows(p, &b);
		/* a text of a key column says what it is; a number, such as 0, does not */
		if (p->t->is_key[b.field.column] && !b.field.is_parameter && !b.field.is_numeric)
			snprintf(p->baseline, sizeof(p->baseline), "%s", b.value);
		else
			snprintf(p->baseline, sizeof(p->baseline), "%.50s=%.60s", b.field.name,
				 b.value);
	}
	chart_field_free(&b.field);
	free(b.keep);
	return rc;
}
