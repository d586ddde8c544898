/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.h - one test for any table of options.
 *
 * decl_table_check(db) prints one TAP line per row. It checks that the row has a help text in house
 * style; that its range is sane and contains the default; that both ends are accepted and anything
 * beyond is rejected; that every value prints as text that reads back the same; and that the key
 * leads to this row and no other. The options are left unchanged. Include tests/tap.h first.
 */
#ifndef TESTS_DECL_TABLE_H
#define TESTS_DECL_TABLE_H

#include "ctascope/decl.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

struct decl_table {
	struct optdb *db;
	unsigned rows;
};

static bool
decl_table_help_sound(const char *help)
{
	size_t n = help ? strlen(help) : 0;

	if (n < 3 || n > 90 || help[n - 1] == '.' || strchr(help, '\n'))
		return false;
	/* lower case, except for words such as CTA or L1 */
	return !isupper((unsigned char)help[0]) || !islower((unsigned char)help[1]);
}

static bool
decl_table_range_sound(const struct opt_row *r)
{
	static const double least[] = {0, 0, INT32_MIN, -INFINITY, 0, 0};
	static const double most[] = {UINT32_MAX, 0x1p64, INT32_MAX, INFINITY, 1, UINT32_MAX};
	unsigned n = 0;

	if (!(r->min <= r->def && r->def <= r->max))
		return false;
	if (!(least[r->type] <= r->min && r->max <= most[r->type]))
		return false;
	while (r->type == OPT_T_enum && r->names[n])
		n++;
	return r->type != OPT_T_enum || (r->min == 0 && r->max == n - 1.0);
}

/* Writes a whole or real value as text, and the word of an enum or bool. */
static void
decl_table_text(const struct opt_row *r, double v, char *buf, size_t size)
{
	if (r->type == OPT_T_bool)
		snprintf(buf, size, "%s", v != 0 ? "on" : "off");
	else if (r->type == OPT_T_enum)
		snprintf(buf, size, "%s", r->names[(unsigned)v]);
	else if (r->type == OPT_T_f64)
		snprintf(buf, size, "%.17g", v);
	else if (v >= 0x1p64)
		snprintf(buf, size, "%" PRIu64, UINT64_MAX);
	else
		snprintf(buf, size, "%.0f", v);
}

/* Writes the nearest value above (dir 1) or below (dir -1) the range. */
static void
decl_table_beyond(const struct opt_row *r, int dir, char *buf, size_t size)
{
	double end = dir > 0 ? r->max : r->min;

	if (r->type == OPT_T_bool)
		snprintf(buf, size, "%s", dir > 0 ? "2" : "-1");
	else if (r->type == OPT_T_enum)
		snprintf(buf, size, "no-such-choice");
	else if (r->type == OPT_T_f64)
		snprintf(buf, size, "%.17g", nextafter(end, dir * INFINITY));
	else if (end >= 0x1p64)
		snprintf(buf, size, "18446744073709551616");
	else if (end >= 0x1p53)
		snprintf(buf, size, "%.0f", nextafter(end, INFINITY));
	else
		snprintf(buf, size, "%.0f", end + dir);
}

/* Sets text, prints it, sets what was printed and prints again: both prints must agree. */
static bool
decl_table_round_trip(struct optdb *db, const char *key, const char *text)
{
	char first[64], second[64];

	return opt_set(db, key, text, NULL) == 0 &&
	       opt_get(db, key, first, sizeof(first), NULL) == 0 &&
	       opt_set(db, key, first, NULL) == 0 &&
	       opt_get(db, key, second, sizeof(second), NULL) == 0 && strcmp(first, second) == 0;
}

static bool
decl_table_refused(struct optdb *db, const char *key, const char *text)
{
	char before[64], after[64];
	struct err e = {0};

	opt_get(db, key, before, sizeof(before), NULL);
	if (opt_set(db, key, text, &e) == 0 || !e.set || !strstr(e.msg, key))
		return false;
	opt_get(db, key, after, sizeof(after), NULL);
	return strcmp(before, after) == 0;
}

/* Returns NULL if the row is valid, otherwise what is wrong with it. */
static const char *
decl_table_row(struct optdb *db, const char *key, const struct opt_group *g,
	       const struct opt_row *r)
{
	const struct opt_group *found = NULL;
	char text[64];

	if (opt_find(db, key, &found) != r || found != g)
		return "its key leads to another row";
	if (!r->unit)
		return "its unit is NULL (\"\" means none)";
	if (!decl_table_help_sound(r->help))
		return "help is missing or not one lower-case line without a full stop";
	if (!decl_table_range_sound(r))
		return "its default or range is out of order";
	decl_table_text(r, r->def, text, sizeof(text));
	if (!decl_table_round_trip(db, key, text))
		return "its default does not round-trip";
	decl_table_text(r, r->min, text, sizeof(text));
	if (!decl_table_round_trip(db, key, text))
		return "its minimum is refused or does not round-trip";
	decl_table_text(r, r->max, text, sizeof(text));
	if (!decl_table_round_trip(db, key, text))
		return "its maximum is refused or does not round-trip";
	decl_table_beyond(r, 1, text, sizeof(text));
	if (!decl_table_refused(db, key, text))
		return "a value above its maximum is accepted";
	decl_table_beyond(r, -1, text, sizeof(text));
	if (!decl_table_refused(db, key, text))
		return "a value below its minimum is accepted";
	return decl_table_refused(db, key, "") ? NULL : "an empty value is accepted";
}

static void
decl_table_visit(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct decl_table *t = ctx;
	const char *wrong;
	char before[64] = "", after[64] = "";

	opt_get(t->db, key, before, sizeof(before), NULL);
	wrong = decl_table_row(t->db, key, g, r);
	if (opt_set(t->db, key, before, NULL) || opt_get(t->db, key, after, sizeof(after), NULL) ||
	    strcmp(before, after) != 0)
		wrong = wrong ? wrong : "its value could not be put back";
	ok(!wrong, "option %s%s%s", key, wrong ? ": " : "", wrong ? wrong : "");
	t->rows++;
}

/* Returns how many rows were checked. */
static inline unsigned
decl_table_check(struct optdb *db)
{
	struct decl_table t = {.db = db};

	opt_each(db, decl_table_visit, &t);
	return t.rows;
}

#endif
