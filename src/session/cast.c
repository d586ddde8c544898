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
#include "base/json.h"
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
	json_put_text(c->to, title, strlen(title));
	fputs("\", \"env\": {\"TERM\": \"", c->to);
	json_put_text(c->to, term ? term : "", term ? strlen(term) : 0);
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
		taken = json_put_text(c->to, joined, c->n_kept + 1);
		c->n_kept = (unsigned)(c->n_kept + 1 - taken);
		memcpy(c->kept, joined + taken, c->n_kept);
		bytes++;
		n--;
	}
	taken = json_put_text(c->to, bytes, n);
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
