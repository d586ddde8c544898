/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cast.c - writes a recording of a terminal (cast.h).
 *
 * A line is a JSON array: the seconds since the beginning, "o" (output) or "r" (a new size), a
 * string. Strings must be UTF-8, so the beginning of a character waits for its rest, and an invalid
 * one becomes U+FFFD.
 */
#include "session/cast.h"

#include "base/clock.h"
#include "base/output.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct cast {
	struct output *file;
	FILE *to; /* the stream of the output file */
	char path[PATH_MAX];
	double began;
	unsigned columns, rows;
	char kept[4]; /* the beginning of a character */
	unsigned n_kept;
};

/* Returns the length of the UTF-8 character at p, of which n bytes are there; 0 if more must
 * follow; -1 if it is invalid. */
static int
measure_character(const unsigned char *p, size_t n)
{
	unsigned need = p[0] < 0x80   ? 1
			: p[0] < 0xc2 ? 0
			: p[0] < 0xe0 ? 2
			: p[0] < 0xf0 ? 3
			: p[0] < 0xf5 ? 4
				      : 0;

	if (!need)
		return -1;
	for (unsigned i = 1; i < need; i++) {
		if (i >= n)
			return 0;
		if ((p[i] & 0xc0) != 0x80)
			return -1;
	}
	return (int)need;
}

/* Writes text inside the quotes of a string; returns how many bytes it consumed. */
static size_t
put_text(FILE *to, const char *text, size_t n)
{
	size_t at = 0;

	while (at < n) {
		const unsigned char *p = (const unsigned char *)text + at;
		int len = measure_character(p, n - at);

		if (len == 0)
			break;
		if (len < 0)
			fputs("\\ufffd", to);
		else if (*p == '"' || *p == '\\')
			fprintf(to, "\\%c", *p);
		else if (*p < ' ' || *p == 0x7f)
			fprintf(to, "\\u%04x", *p);
		else
			fwrite(p, 1, (size_t)len, to);
		at += len < 0 ? 1 : (size_t)len;
	}
	return at;
}

struct cast *
cast_open(const char *path, unsigned columns, unsigned rows, const char *title, struct err *e)
{
	struct cast *c = calloc(1, sizeof(*c));
	const char *term = getenv("TERM");

	if (!c) {
		err_nomem(e);
		return NULL;
	}
	snprintf(c->path, sizeof(c->path), "%s", path);
	c->file = output_open(path, 0, e);
	if (!c->file) {
		free(c);
		return NULL;
	}
	c->to = output_stream(c->file);
	c->columns = columns;
	c->rows = rows;
	c->began = clock_seconds();
	fprintf(c->to, "{\"version\": 2, \"width\": %u, \"height\": %u, \"title\": \"", columns,
		rows);
	put_text(c->to, title, strlen(title));
	fputs("\", \"env\": {\"TERM\": \"", c->to);
	put_text(c->to, term ? term : "", term ? strlen(term) : 0);
	fputs("\"}}\n", c->to);
	return c;
}

static void
begin_line(struct cast *c, char kind)
{
	fprintf(c->to, "[%.6f, \"%c\", \"", clock_seconds() - c->began, kind);
}

void
cast_add(struct cast *c, const char *bytes, size_t n)
{
	char joined[8];
	size_t taken;

	if (!n)
		return;
	begin_line(c, 'o');
	while (c->n_kept && n) { /* byte by byte until the character is complete */
		memcpy(joined, c->kept, c->n_kept);
		joined[c->n_kept] = *bytes;
		taken = put_text(c->to, joined, c->n_kept + 1);
		c->n_kept = (unsigned)(c->n_kept + 1 - taken);
		memcpy(c->kept, joined + taken, c->n_kept);
		bytes++;
		n--;
	}
	taken = put_text(c->to, bytes, n);
	if (n > taken) {
		c->n_kept = (unsigned)(n - taken);
		memcpy(c->kept, bytes + taken, c->n_kept);
	}
	fputs("\"]\n", c->to);
}

void
cast_size(struct cast *c, unsigned columns, unsigned rows)
{
	if (columns == c->columns && rows == c->rows)
		return;
	c->columns = columns;
	c->rows = rows;
	begin_line(c, 'r');
	fprintf(c->to, "%ux%u\"]\n", columns, rows);
}

const char *
cast_path(const struct cast *c)
{
	return c->path;
}

int
cast_close(struct cast *c, struct err *e)
{
	int rc;

	if (!c)
		return 0;
	rc = output_close(c->file, e);
	free(c);
	return rc;
}
