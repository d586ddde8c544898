/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lesson_text.c - draws the text of the open lesson and pages through it; see lesson_text.h. */
#include "tui/lesson_text.h"

#include "base/memory.h"
#include "session/session.h"
#include "tui/screen.h"
#include "tui/screen_part.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MORE_W 8	 /* columns of the mark that text is left out, with a blank at each side */
#define MORE_BESIDE_W 60 /* from this width on the mark is beside the text */
#define PAGE_LEAST 2	 /* rows of text that the open task leaves */

struct lesson_row {
	enum lesson_line kind;
	char *text;
};

/* A command is being typed, so no key acts. */
static bool
types_command(const struct screen *s)
{
	return s->mode != MODE_KEYS && !session_lesson_question(s->session) &&
	       !session_presents(s->session);
}

static void
clear_rows(struct lesson_text *t)
{
	for (unsigned i = 0; i < t->n; i++)
		free(t->row[i].text);
	t->n = 0;
	t->page = t->passed = 0;
	t->open = UINT_MAX;
	t->is_new = true;
	t->rereads = false;
}

void
lesson_text_free(struct lesson_text *t)
{
	clear_rows(t);
	free(t->row);
	t->row = NULL;
	t->cap = 0;
}

static void
add_row(void *to, enum lesson_line kind, const char *line)
{
	struct lesson_text *t = to;

	if (t->n == t->cap) {
		t->row = array_grow(t->row, t->n, sizeof(*t->row));
		t->cap = t->n + 1;
	}
	if (kind == LESSON_HEADING && (!t->n || t->row[t->n - 1].kind != LESSON_HEADING)) {
		t->page = t->n;
		t->is_new = true;
	}
	if ((kind == LESSON_DONE || kind == LESSON_WRONG) && *line == '[')
		t->passed = t->n;
	if (kind == LESSON_OPEN && t->open == UINT_MAX)
		t->open = t->n;
	t->is_new &= kind == LESSON_HEADING || kind == LESSON_TEXT || t->open != UINT_MAX;
	t->rereads |= kind == LESSON_REREAD;
	t->row[t->n++] = (struct lesson_row){kind, memory_text(line, strlen(line))};
}

/* The reader's place stays as long as the open task does; a hint for it is shown. */
static void
read_rows(struct screen *s, int width)
{
	struct lesson_text *t = &s->lesson;
	unsigned page = t->page, open = t->open, before = t->n;
	bool same;

	if (session_running(s->session) && t->n && width == t->width)
		return;
	clear_rows(t);
	session_lesson_text(s->session, (unsigned)MAX(width, 8), add_row, t);
	t->open = MIN(t->open, t->n);
	same = t->page == page && t->open == open && width == t->width;
	t->width = width;
	t->is_paged &= same;
	t->shows_note = same && (t->shows_note || t->n > before);
}

static int
last_top(const struct lesson_text *t)
{
	return MAX((int)t->n - t->rows, 1); /* row 0 is the title, which stays */
}

static int
choose_top(const struct lesson_text *t)
{
	/* What was said about the last task of the page before is read first. */
	if (t->is_new && t->passed && (int)(t->n - t->passed) <= t->rows)
		return MIN((int)t->passed, last_top(t));
	if ((int)(t->n - t->page) <= t->rows || t->is_new || t->rereads)
		return MAX((int)t->page, 1);
	return t->passed ? MIN((int)t->passed, last_top(t)) : last_top(t);
}

/* Returns how many rows at the bottom show the open task, because it is below the part in view, and
 * in *from the first of them: all of it, or if it is too long the end of a new hint, or else the
 * task alone. */
static int
count_pinned(const struct lesson_text *t, int *from)
{
	int n = (int)(t->n - t->open), most = t->rows - PAGE_LEAST, rows = 0;

	*from = (int)t->open;
	if (!n)
		return 0;
	if (n > most && t->shows_note) {
		rows = MIN(n, t->rows);
		*from = (int)t->n - rows;
		return rows;
	}
	if (n > most)
		for (n = 0; t->row[*from + n].kind == LESSON_OPEN && n < t->rows / 2;)
			n++;
	return *from + n > t->top + t->rows ? n : 0;
}

/* Writes the keys that matter here, as many as the width has room for beside the title. */
static void
list_keys(const struct screen *s, bool wide, char *buf, size_t size)
{
	const struct lesson_text *t = &s->lesson;

	if (types_command(s)) /* it has all keys */
		snprintf(buf, size, " ");
	else if (session_presents(s->session))
		snprintf(buf, size, " Space next  Left back ");
	else
		snprintf(buf, size, "%s%s%s ", wide && s->mode == MODE_KEYS ? "  : command" : "",
			 wide && (t->top > 1 || t->shown < 1) ? "  [ back" : "",
			 session_lesson_has_hint(s->session) ? "  H hint" : "");
	if (buf[1] == ' ') /* every key is preceded by two blanks, the first one by one */
		memmove(buf, buf + 1, strlen(buf));
}

static void
draw_title(const struct screen *s, struct canvas *c)
{
	const struct lesson_text *t = &s->lesson;
	char keys[80];

	list_keys(s, c->w > 60, keys, sizeof(keys));

	canvas_fill(c, 0, 0, c->w, 1, ROLE_FRAME, 0x2500);
	canvas_fit(c, 1, 0, MAX(c->w - 2 - text_width(keys), 0), ROLE_TITLE,
		   t->n ? t->row[0].text : "lesson");
	canvas_right(c, c->w - text_width(keys), 0, text_width(keys), ROLE_DIM, keys);
}

/* Whether one of these rows, which are not in view, has text. */
static bool
leaves_out(const struct lesson_text *t, int from, int to)
{
	while (from < to && !t->row[from].text[0])
		from++;
	return from < to;
}

/* Marks the row after which text is left out: beside it, or where the text takes the whole width in
 * place of it. */
static void
draw_more(const struct screen *s, struct canvas *c, int y, bool beside)
{
	if (!beside)
		canvas_fill(c, 0, y, c->w, 1, ROLE_TEXT, ' ');
	canvas_right(c, MAX(c->w - MORE_W, 0), y, MORE_W - 1, ROLE_FOCUS,
		     types_command(s) ? "more" : "] more");
}

void
lesson_text_draw(struct screen *s, struct canvas *c)
{
	static const enum role role[] = {[LESSON_TITLE] = ROLE_TITLE, [LESSON_HEADING] = ROLE_TITLE,
					 [LESSON_TEXT] = ROLE_TEXT,   [LESSON_DONE] = ROLE_VALUE,
					 [LESSON_WRONG] = ROLE_ERROR, [LESSON_OPEN] = ROLE_FOCUS,
					 [LESSON_HOWTO] = ROLE_KEY,   [LESSON_NOTE] = ROLE_DIM,
					 [LESSON_REREAD] = ROLE_FOCUS};
	struct lesson_text *t = &s->lesson;
	bool beside = c->w >= MORE_BESIDE_W;
	int pinned, from;

	if (c->w < 1 || c->h < 1)
		return;
	read_rows(s, c->w - 2 - (beside ? MORE_W : 0));
	t->rows = c->h - 1;
	if (!t->is_paged)
		t->top = choose_top(t);
	pinned = count_pinned(t, &from);
	t->shown = t->rows - pinned;
	draw_title(s, c);
	for (int y = 0; y < t->rows; y++) {
		int i = y < t->shown ? t->top + y : from + y - t->shown;

		if (i < (int)t->n)
			canvas_fit(c, 1, 1 + y, c->w - 1, role[t->row[i].kind], t->row[i].text);
	}
	if (t->shown > 0 && leaves_out(t, t->top + t->shown, pinned ? from : (int)t->n))
		draw_more(s, c, t->shown, beside);
}

int
screen_do_turn(struct screen *s, const char *arg, struct err *e)
{
	struct lesson_text *t = &s->lesson;
	bool back = strcmp(arg, "previous") == 0, hidden = t->shown < 1;
	int top;

	if (*arg && !back && strcmp(arg, "next") != 0)
		return screen_wrong_word("turn", arg, e);
	if (!session_has_lesson(s->session)) {
		screen_notice(s, "no lesson is open; 'lesson' opens the next one");
		return 0;
	}
	t->shows_note = false;
	if (hidden) /* a hint took all rows: the text returns to where it was read */
		return 0;
	top = MAX(1, MIN(t->top + (back ? -1 : 1) * MAX(t->shown - 1, 1), last_top(t)));
	if (top == t->top)
		screen_notice(s, back ? "this is the first page of the lesson"
				      : "the lesson continues when its open task is done");
	t->top = top;
	t->is_paged = true;
	return 0;
}
