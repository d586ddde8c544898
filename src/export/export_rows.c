/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export_rows.c - writes a row of a table of texts, and reads a whole table.
 *
 * The input is what export_row() and spreadsheets write: RFC 4180 with LF or CR LF. A file is read
 * up to its last line end; anything after that is a row that was being written when the machine
 * stopped. Every row must have as many fields as the header, otherwise the file is rejected.
 */
#include "export/export_part.h"

#include "base/memory.h"
#include "base/textfile.h"

#include <csv.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void
export_row(FILE *to, const char *const *field, unsigned n)
{
	char buf[1024];
	struct csv_out o = {.to = to, .eol = "\n", .buf = buf, .size = sizeof(buf)};

	for (unsigned i = 0; i < n; i++)
		csv_text(&o, field[i] ? field[i] : "");
	csv_end(&o);
	csv_flush(&o);
}

/* ---------------------------------------------------------------- reading */

/* libcsv returns one field at a time. Their texts go into one block as long as the file, which
 * always suffices: a field with its end is never longer than its source including the comma. */
struct reading {
	struct export_rows *r;
	const char *path;
	size_t n_cells, used, n_lines;
	unsigned column;
	uint64_t line;
	size_t since; /* bytes passed to libcsv since the last end of a field, or slightly more */
	struct err *e;
	bool failed;
};

static void
report_failure(struct reading *g, const char *msg)
{
	if (!g->failed)
		err_at(g->e, g->path, g->line, NULL, 0, 1, "%s", msg);
	g->failed = true;
}

static void
fail_memory(struct reading *g)
{
	report_failure(g, "out of memory");
	err_as(g->e, ERR_MEMORY);
}

static void
on_field(void *text, size_t n, void *ctx)
{
	struct reading *g = ctx;
	char *to = g->r->text + g->used, **grown;

	g->since = 0;
	if (g->failed)
		return;
	grown = array_try_grow(g->r->cell, g->n_cells, sizeof(*grown));
	if (!grown) {
		fail_memory(g);
		return;
	}
	g->r->cell = grown;
	if (n)
		memcpy(to, text, n);
	to[n] = '\0';
	g->used += n + 1;
	g->r->cell[g->n_cells++] = to;
	g->column++;
}

static void
on_row(int c ATTR_UNUSED, void *ctx)
{
	struct reading *g = ctx;
	struct export_rows *r = g->r;
	uint64_t *grown;
	char msg[80];

	if (g->failed)
		return;
	grown = array_try_grow(r->line, g->n_lines, sizeof(*grown));
	if (!grown) {
		fail_memory(g);
		return;
	}
	r->line = grown;
	if (g->n_lines == 0)
		r->n_columns = g->column;
	if (g->column != r->n_columns) {
		snprintf(msg, sizeof(msg), "expected %u fields as in the header, found %u",
			 r->n_columns, g->column);
		report_failure(g, msg);
		return;
	}
	r->line[g->n_lines++] = g->line;
	r->n_rows = g->n_lines - 1;
	g->column = 0;
}

/* The content of the file, *n bytes. */
static char *
read_file(const char *path, size_t *n, struct err *e)
{
	struct strbuf text = {0};

	if (text_read(path, TEXT_MOST_MADE, &text, e)) {
		sb_free(&text);
		return NULL;
	}
	*n = text.n;
	return sb_take(&text);
}

/* Parses in pieces, so that an endless field is detected before libcsv has grown with it. */
static void
parse_line(struct reading *g, struct csv_parser *p, const char *text, size_t len, uint64_t line)
{
	for (size_t at = 0, n; at < len && !g->failed; at += n) {
		const char *why = NULL;

		n = MIN(len - at, 4096);
		if (csv_parse(p, text + at, n, on_field, on_row, g) != n)
			why = csv_strerror(csv_error(p));
		else if ((g->since += n) > CSV_FIELD_MOST)
			why = "a field of more than 64 KiB";
		if (why && !g->failed) {
			g->line = line;
			report_failure(g, why);
		}
	}
}

/* Parses line by line, so that the start of each row is known; quoted line ends stay within a
 * row. */
static void
parse_lines(struct reading *g, const char *text, size_t n)
{
	struct csv_parser p;
	uint64_t line = 1;

	if (csv_init(&p, CSV_STRICT | CSV_STRICT_FINI)) {
		fail_memory(g);
		return;
	}
	for (size_t at = 0; at < n && !g->failed; line++) {
		const char *eol = memchr(text + at, '\n', n - at);
		size_t len = eol ? (size_t)(eol - text) + 1 - at : n - at;

		if (g->column == 0)
			g->line = line;
		parse_line(g, &p, text + at, len, line);
		at += len;
	}
	if (!g->failed && csv_fini(&p, on_field, on_row, g))
		report_failure(g, csv_strerror(csv_error(&p)));
	csv_free(&p);
}

int
export_rows_read(const char *path, struct export_rows *r, struct err *e)
{
	struct reading g = {.r = r, .path = path, .line = 1, .e = e};
	size_t n, whole;
	char *text = read_file(path, &n, e);

	*r = (struct export_rows){0};
	if (!text)
		return -1;
	for (whole = n; whole && text[whole - 1] != '\n';)
		whole--;
	r->cut = whole != n;
	/* a field needs one byte more than its text, as it does in the file */
	r->text = malloc(whole + 1);
	if (r->text)
		parse_lines(&g, text, whole);
	else
		fail_memory(&g);
	free(text);
	if (g.failed)
		export_rows_free(r);
	return g.failed ? -1 : 0;
}

void
export_rows_free(struct export_rows *r)
{
	free(r->cell);
	free(r->line);
	free(r->text);
	*r = (struct export_rows){0};
}

int
export_rows_column(const struct export_rows *r, const char *name)
{
	for (unsigned i = 0; i < r->n_columns; i++)
		if (strcmp(r->cell[i], name) == 0)
			return (int)i;
	return -1;
}

bool
export_rows_is_sweep(const struct export_rows *r)
{
	return r->n_columns && export_rows_column(r, "run") == 0 &&
	       export_rows_column(r, "policy") > 0 && export_rows_column(r, "status") > 0;
}
