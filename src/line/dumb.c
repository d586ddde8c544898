/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dumb.c - draws the line in one row, for a terminal that cannot move its cursor up.
 *
 * readline would scroll the line sideways there, and read beyond the end of its buffer. Such a
 * terminal can return to the first column, which is enough: the row is written, then blanks over
 * the rest of the old row, then the row once more up to the cursor.
 */
#define _GNU_SOURCE 1
#include "line/line_part.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* A character as it appears on the terminal. */
struct piece {
	char text[MB_LEN_MAX + 1];
	int width;
};

/* Reads one character of n bytes at p and returns its length. A control character becomes ^X, and a
 * byte that is no character becomes '?'. */
static size_t
read_piece(const char *p, size_t n, struct piece *to)
{
	unsigned char c = (unsigned char)*p;
	mbstate_t state;
	wchar_t wc;
	size_t m;

	memset(&state, 0, sizeof(state));
	m = mbrtowc(&wc, p, n, &state);
	if (c < ' ' || c == 0x7f) {
		snprintf(to->text, sizeof(to->text), "^%c", c ^ 0x40);
		to->width = 2;
		return 1;
	}
	if (m == 0 || m > n || m > MB_LEN_MAX || wcwidth(wc) < 0) {
		strcpy(to->text, "?");
		to->width = 1;
		return 1;
	}
	memcpy(to->text, p, m);
	to->text[m] = '\0';
	to->width = wcwidth(wc);
	return m;
}

/* The columns that n bytes take. */
static int
count_columns(const char *p, size_t n)
{
	struct piece piece;
	int columns = 0;

	for (size_t i = 0; i < n; columns += piece.width)
		i += read_piece(p + i, n - i, &piece);
	return columns;
}

/* Appends the columns from..to of n bytes. Returns how many columns it has appended. */
static int
add_columns(struct strbuf *b, const char *p, size_t n, int from, int to)
{
	struct piece piece;
	int at = 0, added = 0;

	for (size_t i = 0; i < n; at += piece.width) {
		i += read_piece(p + i, n - i, &piece);
		if (at < from || at + piece.width > to)
			continue;
		sb_str(b, piece.text);
		added += piece.width;
	}
	return added;
}

/* True when the terminal shows the beginning of the new row, and nothing after its cursor. */
static bool
is_longer(const struct dumb_row *old, const struct strbuf *new)
{
	return old->ends_at_cursor && old->text.n &&
	       new->n > old->text.n &&memcmp(old->text.p, new->p, old->text.n) == 0;
}

void
dumb_new_row(struct dumb_row *r)
{
	sb_clear(&r->text);
	r->columns = 0;
}

void
dumb_draw(FILE *f, struct dumb_row *r, const struct dumb_line *l, int columns)
{
	int cursor = count_columns(l->text, l->point), room = MAX(columns - 1, 1), from = 0, drawn;
	bool ends_at_cursor = l->point == l->n;
	struct strbuf row = {0}, head = {0};

	if (cursor >= room) /* the cursor is at two thirds of the row */
		from = cursor - 2 * room / 3;
	drawn = add_columns(&row, l->text, l->n, from, from + room);
	add_columns(&head, l->text, l->point, from, from + room);
	if (l->grows && ends_at_cursor && is_longer(r, &row)) {
		fputs(row.p + r->text.n, f);
	} else {
		fprintf(f, "\r%s", row.p ? row.p : "");
		for (int i = drawn; i < MIN(r->columns, room); i++)
			fputc(' ', f);
		if (!ends_at_cursor || drawn < r->columns)
			fprintf(f, "\r%s", head.p ? head.p : "");
	}
	fflush(f);
	sb_free(&head);
	sb_free(&r->text);
	*r = (struct dumb_row){.text = row,
			       .columns = drawn,
			       .ends_at_cursor = ends_at_cursor && !row.failed};
}
