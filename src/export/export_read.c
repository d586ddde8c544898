/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export_read.c - reads a table written by `dump csv stats`, for comparing runs.
 *
 * The header must be name,value,unit; every row must have these three fields, and every value must
 * be a number or empty (unknown). Any other file is rejected at its first wrong row.
 */
#include "export/export_part.h"

#include "base/textfile.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS 3

struct reading {
	const char *path;
	void (*fn)(void *ctx, const char *name, double value, const char *unit);
	void *ctx;
	struct err *e;
	unsigned line, n; /* n: fields of the current row */
	size_t since; /* bytes passed to libcsv since the last end of a field, or slightly more */
	char field[FIELDS][128];
	bool failed;
};

static void
report_wrong_row(struct reading *r, const char *what, const char *found)
{
	if (!r->failed)
		err_set(r->e,
			"'%.200s' line %u: %s, found '%.40s'; expected a table of dump csv stats",
			r->path, r->line, what, found);
	r->failed = true;
}

static void
end_of_field(void *text, size_t n, void *ctx)
{
	struct reading *r = ctx;

	if (r->n < FIELDS)
		snprintf(r->field[r->n], sizeof(r->field[0]), "%.*s", (int)MIN(n, 127),
			 (const char *)text);
	r->n++;
	r->since = 0;
}

static void
end_of_row(int c ATTR_UNUSED, void *ctx)
{
	static const char *const head[FIELDS] = {"name", "value", "unit"};
	struct reading *r = ctx;
	char *end, *value = r->field[1];
	double v = *value ? strtod(value, &end) : (double)NAN;

	r->line++;
	if (r->n != FIELDS)
		report_wrong_row(r, "not three fields", r->field[0]);
	else if (r->line == 1)
		for (unsigned i = 0; i < FIELDS && !r->failed; i++) {
			if (strcmp(r->field[i], head[i]))
				report_wrong_row(r, "the header is not name,value,unit",
						 r->field[i]);
		}
	else if (*value && (*end || end == value))
		report_wrong_row(r, "the value is not a number", value);
	else if (!r->failed)
		r->fn(r->ctx, r->field[0], v, r->field[2]);
	r->n = 0;
	memset(r->field, 0, sizeof(r->field));
}

int
export_read_stats(const char *path,
		  void (*fn)(void *ctx, const char *name, double value, const char *unit),
		  void *ctx, struct err *e)
{
	struct reading r = {.path = path, .fn = fn, .ctx = ctx, .e = e};
	FILE *f = text_open(path, TEXT_MOST, NULL, NULL);
	struct csv_parser p;
	char buf[4096], why[64];
	size_t n;

	if (!f)
		return err_set(e, "cannot read '%.200s': %s", path, strerror(errno));
	if (csv_init(&p, CSV_STRICT | CSV_STRICT_FINI)) {
		fclose(f);
		return err_of(e, ERR_MEMORY, "out of memory to read '%.200s'", path);
	}
	while (!r.failed && (n = fread(buf, 1, sizeof(buf), f)) > 0) {
		if (csv_parse(&p, buf, n, end_of_field, end_of_row, &r) != n)
			r.line++, report_wrong_row(&r, csv_strerror(csv_error(&p)), r.field[0]);
		r.since += n;
		if (r.since > CSV_FIELD_MOST)
			r.line++, report_wrong_row(&r, "a field of more than 64 KiB", r.field[0]);
	}
	if (!r.failed && ferror(f)) {
		err_set(e, "cannot read '%.200s': %s", path, text_why(errno, TEXT_MOST, why));
		r.failed = true;
	}
	if (!r.failed && csv_fini(&p, end_of_field, end_of_row, &r))
		r.line++, report_wrong_row(&r, "a quoted field has no end", r.field[0]);
	if (!r.failed && r.line < 2) {
		err_set(e, "'%.200s' has no rows; expected a table of dump csv stats", path);
		r.failed = true;
	}
	csv_free(&p);
	fclose(f);
	return r.failed ? -1 : 0;
}
