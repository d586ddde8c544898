/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * labels.c - `explain` knows every label on the screen.
 *
 * Labels are the words in the titles and legends of the panes, those before the numbers of the
 * inspector, and the names of the lines below, of every pane and every layout over a real run.
 * Sentences, decisions and source lines are not labels.
 */
#include "ctascope/sim.h"
#include "ctascope/trace.h"
#include "tests/tap.h"
#include "tui/panes.h"
#include "tui/screen.h"
#include <locale.h>
#include <stdlib.h>

static struct {
	struct session *session;
	char seen[16384]; /* " word word " */
	unsigned n;
	bool quiet; /* errors are expected */
} all;

static void
told(void *ctx, enum say kind, const char *line)
{
	(void)ctx;
	if (kind == SAY_ERROR && !all.quiet)
		ok(false, "%s", line);
}

/* Whether the word is a part of the unit of a series. */
static bool
is_unit(const char *word)
{
	const struct series_row *rows[] = {series_core_rows, series_mem_rows, series_gpu_rows};
	const unsigned n[] = {SC_FIELDS, SM_FIELDS, SG_FIELDS};

	for (size_t k = 0; k < ARRAY_LEN(rows); k++)
		for (unsigned i = 0; i < n[k]; i++)
			for (const char *at = strstr(rows[k][i].unit, word); at;
			     at = strstr(at + 1, word))
				if ((at == rows[k][i].unit || strchr(" /", at[-1])) &&
				    strchr(" /", at[strlen(word)]))
					return true;
	return false;
}

/* Checks each word once. Words that only join others, keys and their commands, expressions, files
 * and units need no entry. */
static void
check_word(const char *word, const char *where)
{
	static const char *const plain[] = {"of",     "to",	     "by",   "per",    "since",
					    "is",     "a",	     "in",   "o",      "b",
					    "j",      "k",	     "here", "order",  "stop",
					    "line",   "Tab",	     "no",   "the",    "number",
					    "column", "instruction", "both", "colours"};
	char key[80], line[96];

	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		if (strcmp(word, plain[i]) == 0)
			return;
	if (strpbrk(word, "(*/") || is_unit(word))
		return;
	snprintf(key, sizeof(key), " %s ", word);
	if (strstr(all.seen, key))
		return;
	strncat(all.seen, key + 1, sizeof(all.seen) - strlen(all.seen) - 1);
	snprintf(line, sizeof(line), "explain %s", word);
	all.n++;
	if (session_exec(all.session, line) != SESSION_OK)
		ok(false, "%s: the screen says '%s', explain does not know it", where, word);
}

/* Returns the character in a cell of a label; 0: none. The first letter of a word may be its glyph.
 */
static char
letter_at(const struct screen *s, int x, int y)
{
	const struct cell *c = canvas_at(s->canvas, x, y);
	uint32_t wc = c && c->kind == CELL_HEAT ? paint_cell(&s->painter, c).wc : 0;

	if (c && c->kind == CELL_TEXT &&
	    (c->role == ROLE_DIM || c->role == ROLE_TITLE || c->role == ROLE_FOCUS))
		wc = c->wc;
	if (wc == 0x2026)
		return '~'; /* the word is cut off */
	return wc > ' ' && wc < 0x7f ? (char)wc : 0;
}

/* Checks at most that many labels from x to end in row y. */
static void
check_row(const struct screen *s, const char *where, int x, int end, int y, unsigned most)
{
	char word[64];
	size_t n = 0;

	for (unsigned found = 0; x <= end && found < most; x++) {
		char letter = x < end ? letter_at(s, x, y) : 0;

		if (letter && n + 1 < sizeof(word)) {
			word[n++] = letter;
			continue;
		}
		while (n && strchr(",:;()", word[n - 1]))
			n--;
		word[n] = '\0';
		if (n &&
		    strcspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") < n &&
		    !strchr(word, '~')) {
			check_word(word, where);
			found++;
		}
		n = 0;
	}
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void
check_screen(const struct screen *s, const char *where)
{
	const struct layout *k = &s->layout;

	for (unsigned i = 0; i < k->n_main; i++) {
		const struct rect *r = &k->main[i];
		int rows = s->main[i]->ops->kind == PANE_STRIP ? 1 : 2;

		for (int y = r->y; y < r->y + rows; y++)
			check_row(s, where, r->x + 1, r->x + r->w, y, 99);
	}
	for (int y = k->sep_y0; k->sep_x >= 0 && y < k->sep_y1; y++)
		if (is_letter(letter_at(s, k->sep_x + 2, y)))
			check_row(s, where, k->sep_x + 2, s->canvas->w, y, 1);
	check_row(s, where, 0, 6, k->at.y, 1);
	check_row(s, where, 0, 6, k->last.y, 1);
}

static void
check(const char *verb, const char *name)
{
	static const int size[][2] = {{80, 24}, {120, 40}, {200, 60}};
	struct theme t;
	struct err e = {0};
	char line[80];

	if (theme_load(&t, "cividis", &e) < 0)
		ok(false, "%s", e.msg);
	for (size_t i = 0; i < ARRAY_LEN(size); i++) {
		struct screen s;

		screen_init(&s, all.session, &t, DEPTH_256, true);
		s.replay.slice = 1e9; /* whatever the load of the host */
		screen_resize(&s, size[i][0], size[i][1]);
		screen_draw(&s);
		if (strcmp(verb, "pane") == 0)
			screen_command(&s, "layout single", &e);
		snprintf(line, sizeof(line), "%s %s", verb, name);
		if (screen_command(&s, line, &e) != 1)
			ok(false, "%s: %s", line, e.msg);
		screen_draw(&s);
		screen_draw(&s);
		check_screen(&s, line);
		screen_free(&s);
	}
}

int
main(void)
{
	struct session_ui ui = {.out = told};
	struct config *c;
	struct err e = {0};
	struct trace *trace;
	struct session *session;

	if (tap_skip_slow())
		return done();
	c = config_new();
	trace = trace_open("traces/short/lkc.ctr", &e);
	session = c && trace ? session_new(c, trace, &ui, &e) : NULL;
	setlocale(LC_CTYPE, "C.UTF-8");
	if (!session) {
		printf("Bail out! %s\n", e.msg);
		return 99;
	}
	all.session = session;
	session_exec(session, "set policy dyncta+dyncore+claso");
	session_exec(session, "advance 20000");
	all.quiet = true;
	for (unsigned i = 0; pane_table[i]; i++)
		if (pane_is_of(pane_table[i], WHEN_ALWAYS) && pane_table[i]->kind != PANE_OVER)
			check("pane", pane_table[i]->name);
	for (unsigned i = 0; i < n_layout_rows; i++)
		if (layout_rows[i].when & WHEN_ALWAYS)
			check("layout", layout_rows[i].name);
	ok(all.n >= 40, "%u labels are explained", all.n);
	diag("%s", all.seen);
	session_free(session);
	trace_close(trace);
	config_free(c);
	return done();
}
