/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart_table.c - the table of a chart: columns, parameters in texts, and names as numbers.
 *
 * Some columns name what was measured (keys), the others are results. In the table of a sweep the
 * keys stand before the column `status`; in any other table they are the columns with texts.
 */
#include "plot/chart_part.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/words.h"
#include "export/overtime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double
chart_number(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	return end == text || *end || !isfinite(v) ? (double)NAN : v;
}

const char *
chart_cell(const struct chart_table *t, size_t row, unsigned column)
{
	return t->rows.cell[(row + 1) * t->rows.n_columns + column];
}

/* Is every text of the column a number or empty, and some a number? */
static bool
is_numeric_column(const struct chart_table *t, unsigned column)
{
	bool any = false;

	for (size_t i = 0; i < t->rows.n_rows; i++) {
		const char *text = chart_cell(t, i, column);

		if (*text && isnan(chart_number(text)))
			return false;
		any |= *text != '\0';
	}
	return any;
}

static void
find_keys(struct chart_table *t)
{
	static const char *const never[] = {"run", "status", "error", "note"};
	int status = export_rows_column(&t->rows, "status");
	bool sweep = export_rows_is_sweep(&t->rows);

	t->is_key = memory_new(t->rows.n_columns, sizeof(*t->is_key));
	for (unsigned i = 0; i < t->rows.n_columns; i++) {
		bool key = sweep ? i < (unsigned)status : !is_numeric_column(t, i);

		for (unsigned k = 0; k < ARRAY_LEN(never); k++)
			key &= strcmp(t->rows.cell[i], never[k]) != 0;
		t->is_key[i] = key;
	}
}

int
chart_table_read(struct chart_table *t, const char *path, struct err *e)
{
	*t = (struct chart_table){.path = path};
	if (export_rows_read(path, &t->rows, e) < 0)
		return -1;
	if (!t->rows.n_rows) {
		export_rows_free(&t->rows);
		return err_set(e, "plot: '%.200s' has no rows; expected a header and rows", path);
	}
	find_keys(t);
	return 0;
}

void
chart_table_free(struct chart_table *t)
{
	export_rows_free(&t->rows);
	free(t->is_key);
	t->is_key = NULL;
}

/* ---------------------------------------------------------------- fields */

static bool
ends_in(const char *column, const char *name)
{
	size_t n = strlen(column), m = strlen(name);

	return m && n > m && column[n - m - 1] == '.' && strcmp(column + n - m, name) == 0;
}

/* A series of `dump csv series` or `mem`, by its path: gpu.ipc, or core.*.ipc, core.ipc and ipc. */
struct series_search {
	const struct export_rows *rows;
	const char *wanted;
	int column; /* -1: not found */
};

static void
match_series(void *ctx, const char *path, const char *unit, const char *help ATTR_UNUSED)
{
	struct series_search *s = ctx;
	const char *field = strrchr(path, '.') + 1, *star = strstr(path, ".*.");
	char text[160], column[160];

	snprintf(text, sizeof(text), "%.*s.%s", (int)(star ? star - path : 0), path, field);
	if (s->column >= 0 ||
	    (strcmp(s->wanted, path) != 0 &&
	     !(star && (strcmp(s->wanted, field) == 0 || strcmp(s->wanted, text) == 0))))
		return;
	snprintf(text, sizeof(text), "%s%s", star ? "" : "gpu_", field);
	column_name(text, unit, column, sizeof(column));
	s->column = export_rows_column(s->rows, column);
}

static int
find_series_column(const struct chart_table *t, const char *name)
{
	struct series_search s = {&t->rows, name, -1};

	if (overtime_table_fits(&t->rows))
		overtime_each_name(match_series, &s);
	return s.column;
}

int
chart_find_column(const struct chart_table *t, const char *name)
{
	int found = export_rows_column(&t->rows, name);

	for (unsigned i = 0; found < 0 && i < t->rows.n_columns; i++) {
		if (!ends_in(t->rows.cell[i], name))
			continue;
		for (unsigned k = i + 1; k < t->rows.n_columns; k++)
			if (ends_in(t->rows.cell[k], name))
				return -1;
		found = (int)i;
	}
	return found < 0 ? find_series_column(t, name) : found;
}

/* Finds NAME=VALUE after a ':' or ',' in a text. all: the two with the separator before them. */
static bool
find_parameter(const char *text, const char *name, struct span *all, struct span *value)
{
	size_t n = strlen(name);

	for (const char *p = text; n && (p = strstr(p, name)); p++) {
		if (p == text || (p[-1] != ':' && p[-1] != ',') || p[n] != '=')
			continue;
		*value = (struct span){p + n + 1, strcspn(p + n + 1, ",+")};
		*all = (struct span){p - 1, n + 2 + value->n};
		return true;
	}
	return false;
}

/* The column in whose texts the parameter occurs; -1: none. */
static int
parameter_column(const struct chart_table *t, const char *name)
{
	struct span all, value;

	for (unsigned c = 0; c < t->rows.n_columns; c++)
		for (size_t i = 0; t->is_key[c] && i < t->rows.n_rows; i++)
			if (find_parameter(chart_cell(t, i, c), name, &all, &value))
				return (int)c;
	return -1;
}

#define NEAR_NAMES 200

struct path_list {
	const struct chart_table *t;
	const char *name[NEAR_NAMES];
	char path[NEAR_NAMES][48];
	unsigned n;
};

static void
add_path(void *ctx, const char *path, const char *unit ATTR_UNUSED, const char *help ATTR_UNUSED)
{
	struct path_list *l = ctx;

	if (l->n == NEAR_NAMES || find_series_column(l->t, path) < 0)
		return;
	snprintf(l->path[l->n], sizeof(l->path[0]), "%s", path);
	l->name[l->n] = l->path[l->n];
	l->n++;
}

/* The columns, and in a table of series their paths, which the screen and `print` use. */
static struct hint
near_column(const struct chart_table *t, const char *name)
{
	const char *const *columns = (const char *const *)t->rows.cell;
	struct path_list l = {.t = t};
	struct hint near = near_hint(name, columns, t->rows.n_columns, "");

	if (!near.text[0] && overtime_table_fits(&t->rows)) {
		overtime_each_name(add_path, &l);
		near = near_hint(name, l.name, l.n, "");
	}
	return near;
}

int
chart_no_column(const struct chart_table *t, const char *name, struct err *e)
{
	const char *const *columns = (const char *const *)t->rows.cell;
	struct hint near = near_column(t, name);
	char list[260];
	size_t n = 0;

	for (unsigned i = 0; i < t->rows.n_columns && n < sizeof(list); i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s", i ? ", " : "",
				      columns[i]);
	if (n >= sizeof(list))
		snprintf(list + sizeof(list) - 4, 4, "...");
	return err_set(e, "plot: no column '%.80s'%.100s; the columns are %s", name, near.text,
		       list);
}

static void
set_numeric(const struct chart_table *t, struct chart_field *f)
{
	bool any = false;

	f->is_numeric = false;
	for (size_t i = 0; i < t->rows.n_rows; i++) {
		if (*f->text[i] && isnan(chart_number(f->text[i])))
			return;
		any |= *f->text[i] != '\0';
	}
	f->is_numeric = any;
}

void
chart_field_column(const struct chart_table *t, unsigned column, struct chart_field *f)
{
	*f = (struct chart_field){.column = column};
	snprintf(f->name, sizeof(f->name), "%s", t->rows.cell[column]);
	f->text = memory_new(t->rows.n_rows, sizeof(*f->text));
	for (size_t i = 0; i < t->rows.n_rows; i++)
		f->text[i] = chart_cell(t, i, column);
	set_numeric(t, f);
}

/* Replaces all texts by copies in one block; make() writes a copy and returns its end. */
static void
copy_texts(const struct chart_table *t, struct chart_field *f, const char *name,
	   char *(*make)(char *to, const char *text, const char *name))
{
	size_t size = 0;
	char *to, *old = f->owned; /* the present texts may be in it */

	for (size_t i = 0; i < t->rows.n_rows; i++)
		size += strlen(f->text[i]) + 1;
	to = memory_new(size, 1);
	f->owned = to;
	for (size_t i = 0; i < t->rows.n_rows; i++) {
		char *end = make(to, f->text[i], name);

		*end = '\0';
		f->text[i] = to;
		to = end + 1;
	}
	free(old);
}

static char *
put_text(char *to, const char *text, size_t n)
{
	memcpy(to, text, n);
	return to + n;
}

static char *
make_value(char *to, const char *text, const char *name)
{
	struct span all, value;

	return find_parameter(text, name, &all, &value) ? put_text(to, value.p, value.n) : to;
}

static char *
make_rest(char *to, const char *text, const char *name)
{
	struct span all, value;
	const char *after;

	if (!find_parameter(text, name, &all, &value))
		return put_text(to, text, strlen(text));
	to = put_text(to, text, (size_t)(all.p - text));
	after = all.p + all.n;
	if (*all.p == ':' && *after == ',') { /* the next parameter becomes the first */
		*to++ = ':';
		after++;
	}
	return put_text(to, after, strlen(after));
}

int
chart_field_find(const struct chart_table *t, const char *name, struct chart_field *f,
		 struct err *e)
{
	int column = chart_find_column(t, name);
	bool parameter = column < 0;

	if (parameter)
		column = parameter_column(t, name);
	if (column < 0)
		return chart_no_column(t, name, e);
	chart_field_column(t, (unsigned)column, f);
	if (!parameter)
		return 0;
	f->is_parameter = true;
	snprintf(f->name, sizeof(f->name), "%s", name);
	copy_texts(t, f, name, make_value);
	set_numeric(t, f);
	return 0;
}

void
chart_field_strip(const struct chart_table *t, struct chart_field *f,
		  const struct chart_field *parameter)
{
	if (parameter->is_parameter && !f->is_parameter && f->column == parameter->column)
		copy_texts(t, f, parameter->name, make_rest);
}

void
chart_field_free(struct chart_field *f)
{
	free(f->text);
	free(f->owned);
	f->text = NULL;
	f->owned = NULL;
}

/* ---------------------------------------------------------------- names */

static void
grow_slots(struct chart_names *l)
{
	uint32_t n = l->n_slots ? 2 * l->n_slots : 64;

	free(l->slot);
	l->slot = memory_new(n, sizeof(*l->slot));
	l->n_slots = n;
	for (uint32_t i = 0; i < l->n; i++) {
		uint64_t at = hash64(l->name[i], strlen(l->name[i]), 0);

		while (l->slot[at % n])
			at++;
		l->slot[at % n] = i + 1;
	}
}

uint32_t
chart_names_add(struct chart_names *l, const char *text)
{
	uint64_t at = hash64(text, strlen(text), 0);

	if (2 * l->n >= l->n_slots)
		grow_slots(l);
	for (; l->slot[at % l->n_slots]; at++) {
		uint32_t i = l->slot[at % l->n_slots] - 1;

		if (strcmp(l->name[i], text) == 0)
			return i;
	}
	l->slot[at % l->n_slots] = l->n + 1;
	l->name = array_grow(l->name, l->n, sizeof(*l->name));
	l->name[l->n] = memory_text(text, strlen(text));
	return l->n++;
}

void
chart_names_free(struct chart_names *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
	free(l->slot);
	*l = (struct chart_names){0};
}
