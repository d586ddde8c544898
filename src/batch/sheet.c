/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sheet.c - the CSV file of a sweep: run, the key, status, error, statistics; a row per point.
 *
 * The file is a valid table at any time, with its rows in the order of the sweep. One write appends
 * a row, when all rows before it are there; so the bytes do not depend on the number of processes.
 * From its first row on the file is locked, so that no other sweep adds to it. When a resumed sweep
 * fills gaps, or a sweep ends early while rows still wait, the whole file is replaced at once.
 */
#include "batch/batch_part.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/strbuf.h"
#include "export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPLACE_SECONDS 1.0 /* time between two replacements that fill gaps */

/* If the file did not exist at the start, it must not be another sweep's at the end. */
static unsigned
file_flags(const struct sheet *t)
{
	return t->flags | (t->held >= 0 ? OUTPUT_HELD : OUTPUT_NEW);
}

/* Opens the output of the rows: a stream, or a file, which is locked if it exists. */
static int
find_file(struct sheet *t, struct err *e)
{
	char *target;

	if (strcmp(t->path, "-") == 0) {
		t->stream = stdout;
		return 0;
	}
	if (output_target(t->path, &target, e))
		return -1;
	free(target);
	if (!target) {
		t->pipe = output_open(t->path, t->flags, e);
		t->stream = t->pipe ? output_stream(t->pipe) : NULL;
		return t->pipe ? 0 : -1;
	}
	t->held = output_lock(t->path, e);
	return t->held == -1 ? -1 : output_check(t->path, file_flags(t), e);
}

int
sheet_new(struct sheet *t, const struct points *p, const struct columns *k, const char *path,
	  const bool *mine, unsigned flags, struct err *e)
{
	unsigned n = 0;

	*t = (struct sheet){.points = p, .path = path, .mine = mine, .flags = flags, .held = -2};
	t->n_fields = 1 + p->n_keys + 2 + k->n;
	t->header = memory_new(t->n_fields, sizeof(*t->header));
	t->row = memory_new(p->n, sizeof(*t->row));
	t->ok = memory_new(p->n, sizeof(*t->ok));
	t->header[n++] = "run";
	for (unsigned i = 0; i < p->n_keys; i++)
		t->header[n++] = i < DIMS ? point_key_names[i] : p->spec->options.w[i - DIMS].text;
	t->header[n++] = "status";
	t->header[n++] = "error";
	for (unsigned i = 0; i < k->n; i++)
		t->header[n++] = k->c[i].name;
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < i; j++)
			if (strcmp(t->header[i], t->header[j]) == 0) {
				err_set(e, "%s: two columns are named %s", p->spec->path,
					t->header[i]);
				sheet_free(t);
				return -1;
			}
	if (find_file(t, e)) {
		sheet_free(t);
		return -1;
	}
	return 0;
}

void
sheet_free(struct sheet *t)
{
	for (unsigned i = 0; t->row && i < t->points->n; i++)
		free(t->row[i]);
	free(t->row);
	free(t->ok);
	free(t->header);
	output_abort(t->pipe);
	if (t->held >= 0 && t->points)
		close(t->held);
	*t = (struct sheet){0};
}

/* ---------------------------------------------------------------- rows */

/* Formats the fields as a line of the file. */
static char *
format_row(const char *const *field, unsigned n)
{
	struct strbuf text = {0};
	FILE *f = sb_stream(&text);

	if (f) {
		export_row(f, field, n);
		fclose(f);
	}
	return sb_take(&text);
}

/* The number of the run is that in the present sweep. */
int
sheet_keep(struct sheet *t, unsigned point, const char *const *field, struct err *e)
{
	const char **copy = memory_new(t->n_fields, sizeof(*copy));
	char number[16], *line;

	snprintf(number, sizeof(number), "%u", t->points->p[point].number);
	memcpy(copy, field, t->n_fields * sizeof(*copy));
	copy[0] = number;
	line = format_row(copy, t->n_fields);
	free(copy);
	if (!line)
		return err_nomem(e);
	free(t->row[point]);
	t->row[point] = line;
	t->ok[point] = run_name_is_good(field[SHEET_STATUS]);
	return 0;
}

static int
put_result(struct sheet *t, unsigned point, const struct result *r, struct err *e)
{
	const char **field = memory_new(t->n_fields, sizeof(*field));
	char(*text)[40] = memory_new(r->n, sizeof(*text));
	unsigned n = 1;
	int rc;

	for (unsigned i = 0; i < t->points->n_keys; i++)
		field[n++] = t->points->p[point].key[i];
	field[n++] = run_status_names[r->status];
	field[n++] = r->error;
	for (unsigned i = 0; i < r->n; i++) {
		export_number(r->value[i], text[i], sizeof(text[i]));
		field[n++] = text[i];
	}
	rc = sheet_keep(t, point, field, e);
	free(text);
	free(field);
	return rc;
}

/* ---------------------------------------------------------------- the file */

static void
write_known(const struct sheet *t, FILE *to)
{
	export_row(to, t->header, t->n_fields);
	for (unsigned i = 0; i < t->points->n; i++)
		if (t->row[i])
			fputs(t->row[i], to);
}

/* Advances `next` to the first missing row, and finds whether there are rows after it. */
static void
find_next(struct sheet *t)
{
	while (t->next < t->points->n && (!t->mine[t->next] || t->row[t->next]))
		t->next++;
	t->gaps = false;
	for (unsigned i = t->next; i < t->points->n; i++)
		t->gaps |= t->row[i] != NULL;
}

static int
replace_file(struct sheet *t, struct err *e)
{
	struct output *o = output_open(t->path, file_flags(t), e);
	int fd;

	if (!o)
		return -1;
	write_known(t, output_stream(o));
	fd = output_close_kept(o, e);
	if (fd < 0)
		return -1;
	if (t->held >= 0)
		close(t->held);
	t->held = fd;
	t->replaced = clock_seconds();
	find_next(t);
	return 0;
}

static int
append_text(struct sheet *t, const char *text, size_t n, struct err *e)
{
	struct stat st;

	if (t->stream) {
		bool bad = fwrite(text, 1, n, t->stream) != n || fflush(t->stream);

		if (t->pipe)
			return output_flush(t->pipe, e);
		return bad ? err_set(e, "cannot write '%.200s': %s", t->path, strerror(errno)) : 0;
	}
	if (t->held < 0 || fstat(t->held, &st) || st.st_nlink == 0)
		return replace_file(t, e); /* another process removed the file */
	return output_more(t->held, t->path, text, n, e);
}

/* Appends the rows that need not wait any more. */
static int
append_ready(struct sheet *t, struct err *e)
{
	struct strbuf text = {0};
	int rc = 0;

	for (; t->next < t->points->n; t->next++) {
		if (t->mine[t->next] && !t->row[t->next])
			break;
		if (t->mine[t->next])
			sb_str(&text, t->row[t->next]);
	}
	if (text.failed)
		rc = err_nomem(e);
	else if (text.n)
		rc = append_text(t, text.p, text.n, e);
	sb_free(&text);
	return rc;
}

int
sheet_start(struct sheet *t, struct err *e)
{
	if (!t->stream)
		return replace_file(t, e);
	export_row(t->stream, t->header, t->n_fields);
	return append_ready(t, e);
}

int
sheet_add(struct sheet *t, unsigned point, const struct result *r, struct err *e)
{
	if (put_result(t, point, r, e))
		return -1;
	if (!t->gaps)
		return append_ready(t, e);
	return clock_seconds() - t->replaced >= REPLACE_SECONDS ? replace_file(t, e) : 0;
}

/* Writes also rows that still wait, although rows before them are missing. */
int
sheet_end(struct sheet *t, struct err *e)
{
	bool waiting = t->gaps;

	for (unsigned i = t->next; i < t->points->n; i++)
		waiting |= t->row[i] != NULL;
	if (!waiting)
		return 0;
	if (!t->stream)
		return replace_file(t, e);
	for (unsigned i = t->next; i < t->points->n; i++)
		if (t->row[i] && append_text(t, t->row[i], strlen(t->row[i]), e))
			return -1;
	t->next = t->points->n;
	return 0;
}

/* ---------------------------------------------------------------- files of earlier sweeps */

/* Finds the index of each of our columns in the file. */
static int
match_columns(const struct sheet *t, const char *path, const struct export_rows *r, int *place,
	      struct err *e)
{
	for (unsigned i = 0; i < t->n_fields; i++) {
		place[i] = export_rows_column(r, t->header[i]);
		if (place[i] < 0)
			return err_at(e, path, 1, NULL, 0, 1,
				      "it has no column %s: it was written by another sweep or "
				      "another version of this one",
				      t->header[i]);
	}
	for (unsigned i = 0; i < r->n_columns; i++) {
		unsigned k = 0;

		while (k < t->n_fields && strcmp(t->header[k], r->cell[i]) != 0)
			k++;
		if (k == t->n_fields)
			return err_at(e, path, 1, NULL, 0, 1,
				      "it has a column %.80s that this sweep does not write",
				      r->cell[i]);
	}
	return 0;
}

int
sheet_match(const struct sheet *t, const char *path, const struct export_rows *r,
	    int (*fn)(void *ctx, unsigned point, const char *const *field, uint64_t line,
		      struct err *e),
	    void *ctx, struct err *e)
{
	int *place = memory_new(t->n_fields, sizeof(*place));
	const char **field = memory_new(t->n_fields, sizeof(*field));
	int rc = match_columns(t, path, r, place, e);

	for (size_t i = 1; rc == 0 && i <= r->n_rows; i++) {
		int point;

		for (unsigned k = 0; k < t->n_fields; k++)
			field[k] = r->cell[i * r->n_columns + (size_t)place[k]];
		point = points_find(t->points, field + 1);
		if (point < 0)
			rc = err_at(e, path, r->line[i], NULL, 0, 1,
				    "run %.20s (%.40s, %.40s, %.60s) is not in the sweep", field[0],
				    field[1], field[2], field[3]);
		else
			rc = fn(ctx, (unsigned)point, field, r->line[i], e);
	}
	free(place);
	free(field);
	return rc;
}

static int
take_row(void *ctx, unsigned point, const char *const *field, uint64_t line, struct err *e)
{
	struct sheet *t = ctx;

	if (!t->mine[point])
		return err_at(e, t->path, line, NULL, 0, 1, "run %u belongs to another shard",
			      t->points->p[point].number);
	if (!run_name_is_good(field[SHEET_STATUS]))
		return 0;
	return sheet_keep(t, point, field, e);
}

int
sheet_resume(struct sheet *t, struct err *e)
{
	struct export_rows r;
	int rc;

	if (t->stream)
		return err_set(e, "--resume needs -o FILE, a file of the sweep so far");
	if (access(t->path, F_OK) && errno == ENOENT)
		return 0;
	if (export_rows_read(t->path, &r, e))
		return -1;
	/* An empty file has no table. */
	rc = r.line ? sheet_match(t, t->path, &r, take_row, t, e) : 0;
	export_rows_free(&r);
	return rc;
}
