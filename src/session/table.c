/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.c - prints tables with aligned columns. A table that is wider than the screen leaves out
 * whole columns, the least important first, and names them. Text in the last column that is still
 * too long goes on below itself; any other row that is too long ends in "...".
 */
#include "session/table.h"
#include "session/session_part.h"

#include "base/ascii.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
table_begin(struct table *t, const char *spec)
{
	*t = (struct table){0};
	while (*(spec = skip_blanks(spec)) && t->n_columns < TABLE_COLUMNS) {
		struct span head;

		if (ascii_is_digit(*spec))
			t->column[t->n_columns].drop = (unsigned)(*spec++ - '0');
		t->column[t->n_columns].right = *spec++ == '>';
		head = is_blank(*spec) ? span_of("") : word_next(&spec);
		span_copy(head, t->column[t->n_columns].head, sizeof(t->column[0].head));
		/* "~" in a head stands for a blank */
		for (char *p = t->column[t->n_columns].head; *p; p++)
			if (*p == '~')
				*p = ' ';
		t->column[t->n_columns].width = (unsigned)strlen(t->column[t->n_columns].head);
		t->n_columns++;
	}
}

void
table_text(struct table *t, const char *fmt, ...)
{
	char text[300];
	va_list ap;
	unsigned c = t->n_cells % t->n_columns;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (t->n_cells == t->room) {
		unsigned room = t->room ? 2 * t->room : 64;
		char **grown = realloc(t->cell, room * sizeof(*grown));

		if (!grown) {
			t->failed = true;
			return;
		}
		t->cell = grown;
		t->room = room;
	}
	t->cell[t->n_cells] = strdup(text);
	if (!t->cell[t->n_cells]) {
		t->failed = true;
		return;
	}
	t->n_cells++;
	t->column[c].width = MAX(t->column[c].width, (unsigned)strlen(text));
}

void
table_u64(struct table *t, uint64_t v)
{
	char buf[HUMAN];

	table_text(t, "%s", human_cycle(buf, v));
}

void
table_num(struct table *t, double v)
{
	char buf[HUMAN];

	table_text(t, "%s", human_num(buf, v));
}

void
table_pair(struct table *t, double a, double b)
{
	char num[2][HUMAN];

	human_pair(num[0], num[1], a, b);
	table_text(t, "%s", num[0]);
	table_text(t, "%s", num[1]);
}

static unsigned
total_width(const struct table *t, const bool *out)
{
	unsigned w = 0;

	for (unsigned c = 0; c < t->n_columns; c++)
		if (!out[c])
			w += t->column[c].width + (w ? 2 : 0);
	return w;
}

/* Leaves out columns until the rest fits, and names them. */
static void
drop_columns(const struct table *t, unsigned width, bool *out, char *names, size_t size)
{
	names[0] = '\0';
	while (width && total_width(t, out) > width) {
		unsigned worst = 0;

		for (unsigned c = 1; c < t->n_columns; c++)
			if (!out[c] && (out[worst] || t->column[c].drop >= t->column[worst].drop))
				worst = c;
		if (out[worst] || t->column[worst].drop == 0)
			return;
		out[worst] = true;
		snprintf(names + strlen(names), size - strlen(names), "%s%s", *names ? ", " : "",
			 t->column[worst].head);
	}
}

/* Cuts a line to a width, between characters, and shows that it was cut. */
static void
cut_line(struct strbuf *line, unsigned width)
{
	static const char mark[] = "...";
	size_t at = width - MIN(width, sizeof(mark) - 1);

	while (at && ((unsigned char)line->p[at] & 0xc0) == 0x80)
		at--;
	snprintf(line->p + at, line->n - at, "%.*s", (int)width, mark);
}

/* Says what of a line fits, up to a blank after `text_at`, and leaves the rest in the line, below
 * the text. Returns false if there is no such blank. */
static bool
say_beginning(struct session *s, struct strbuf *line, size_t text_at, unsigned width)
{
	size_t end = width;

	while (end > text_at && line->p[end] != ' ')
		end--;
	if (end <= text_at)
		return false;
	say(s, SAY_RESULT, "%.*s", (int)end, line->p);
	line->n -= end + 1 - text_at;
	memmove(line->p + text_at, line->p + end + 1, line->n - text_at + 1);
	memset(line->p, ' ', text_at);
	return true;
}

static void
say_row(struct session *s, const struct table *t, const bool *out, char *const *cell,
	unsigned width)
{
	struct strbuf line = {0};
	size_t text_at = 0; /* of a last column with text; else 0 */

	for (unsigned c = 0; c < t->n_columns; c++) {
		const char *text = cell ? cell[c] : t->column[c].head;

		if (out[c])
			continue;
		if (line.n)
			sb_str(&line, "  ");
		text_at = t->column[c].right ? 0 : line.n;
		sb_printf(&line, t->column[c].right ? "%*s" : "%-*s", (int)t->column[c].width,
			  text);
	}
	while (line.n && line.p[line.n - 1] == ' ')
		line.p[--line.n] = '\0';
	while (text_at && width && line.n > width && say_beginning(s, &line, text_at, width))
		;
	if (width && line.n > width)
		cut_line(&line, width);
	say(s, SAY_RESULT, "%s", text_so_far(s, &line));
	sb_free(&line);
}

void
table_end(struct session *s, struct table *t)
{
	bool out[TABLE_COLUMNS] = {false};
	char names[200];
	unsigned width = session_width(s);

	s->log.lost |= t->failed;
	drop_columns(t, width, out, names, sizeof(names));
	if (t->n_cells)
		say_row(s, t, out, NULL, width);
	else
		names[0] = '\0';
	for (unsigned i = 0; i + t->n_columns <= t->n_cells; i += t->n_columns)
		say_row(s, t, out, &t->cell[i], width);
	if (*names)
		say(s, SAY_NOTE, "(no room for: %s)", names);
	for (unsigned i = 0; i < t->n_cells; i++)
		free(t->cell[i]);
	free(t->cell);
	*t = (struct table){0};
}
