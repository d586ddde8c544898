/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pick.c - a list that typing filters. A row matches if its name has the letters typed in their
 * order, best where they begin words or follow each other; or if its help has them as they are.
 */
#include "tui/pick.h"

#include "base/ascii.h"
#include "base/memory.h"
#include "tui/keys.h"
#include "tui/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
pick_add(struct pick *p, const char *name, const char *help, const char *key, bool is_complete)
{
	p->row = array_grow(p->row, p->n, sizeof(*p->row));
	p->row[p->n++] = (struct pick_row){.name = memory_text(name, strlen(name)),
					   .help = memory_text(help, strlen(help)),
					   .key = key,
					   .is_complete = is_complete};
}

void
pick_free(struct pick *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		free(p->row[i].name);
		free(p->row[i].help);
	}
	free(p->row);
	free(p->shown);
	*p = (struct pick){.n = 0};
}

/* ---------------------------------------------------------------- matching */

unsigned
pick_score(const char *text, const char *typed)
{
	unsigned score = 1;
	const char *last = NULL;

	for (const char *p = text; *typed; p++) {
		while (*typed == ' ')
			typed++;
		if (!*typed)
			break;
		if (!*p)
			return 0;
		if (ascii_lower(*p) != ascii_lower(*typed))
			continue;
		score += p == text ? 12 : last == p - 1 ? 8 : !ascii_is_alnum(p[-1]) ? 6 : 1;
		last = p;
		typed++;
	}
	return score;
}

static unsigned
score_of(const struct pick *p, unsigned i)
{
	const struct pick_row *r = &p->row[i];
	unsigned name = pick_score(r->name, p->filter);

	if (name && *p->filter) /* of two that match alike, the shorter */
		return 1000 + 16 * name - (unsigned)MIN(strlen(r->name), (size_t)200);
	return name || ascii_has(r->help, p->filter) ? 1 : 0;
}

void
pick_match(struct pick *p)
{
	unsigned *score = memory_new(MAX(p->n, 1u), sizeof(*score));

	p->shown = memory_resize(p->shown, MAX(p->n, 1u), sizeof(*p->shown));
	p->n_shown = p->at = p->top = 0;
	for (unsigned i = 0; i < p->n; i++) {
		unsigned k = p->n_shown;

		score[i] = score_of(p, i);
		if (!score[i])
			continue;
		for (; k > 0 && score[p->shown[k - 1]] < score[i]; k--)
			p->shown[k] = p->shown[k - 1];
		p->shown[k] = i;
		p->n_shown++;
	}
	free(score);
}

const struct pick_row *
pick_chosen(const struct pick *p)
{
	return p->at < p->n_shown ? &p->row[p->shown[p->at]] : NULL;
}

/* ---------------------------------------------------------------- keys */

static void
note_choice(struct pick *p)
{
	if (p->at < p->n_shown)
		p->last = p->shown[p->at];
}

static void
move_choice(struct pick *p, int by)
{
	int at = (int)p->at + by;

	p->at = (unsigned)MAX(0, MIN(at, (int)p->n_shown - 1));
}

/* A shorter filter shows more rows; the mark stays on the row where it was. */
static void
keep_choice(struct pick *p)
{
	for (unsigned i = 0; i < p->n_shown; i++)
		if (p->shown[i] == p->last)
			p->at = i;
}

bool
pick_leaves(int key)
{
	return key == K_CTRL('c') || key == K_CTRL('d');
}

bool
pick_key(struct pick *p, int key)
{
	size_t n = strlen(p->filter);

	note_choice(p);
	switch (key) {
	case K_UP:
	case K_CTRL('p'):
		move_choice(p, -1);
		return true;
	case K_DOWN:
	case K_CTRL('n'):
		move_choice(p, 1);
		return true;
	case K_PGUP:
	case K_PGDN:
		move_choice(p, key == K_PGUP ? -8 : 8);
		return true;
	case K_BACKSPACE:
	case K_CTRL('u'):
		p->filter[key == K_BACKSPACE && n ? n - 1 : 0] = '\0';
		pick_match(p);
		keep_choice(p);
		return true;
	default:
		if (key < ' ' || key > '~')
			return false;
		if (n + 1 < sizeof(p->filter)) {
			p->filter[n] = (char)key;
			p->filter[n + 1] = '\0';
		}
	}
	pick_match(p);
	return true;
}

/* ---------------------------------------------------------------- drawing */

void
pick_draw(struct pick *p, struct canvas *c, int help_x, bool active)
{
	unsigned rows = (unsigned)MAX(c->h - 1, 1);
	int x = 1;
	char count[40];

	canvas_put(c, 0, 0, ROLE_PROMPT, active ? '>' : ' ');
	x += 1 + canvas_text(c, x + 1, 0, ROLE_VALUE, p->filter);
	if (active)
		canvas_put(c, x, 0, ROLE_CURSOR, '_');
	snprintf(count, sizeof(count), "%u of %u", p->n_shown, p->n);
	if (*p->filter && x + 2 + text_width(count) < c->w)
		canvas_right(c, x + 2, 0, c->w - x - 3, ROLE_DIM, count);
	p->top = p->at < p->top ? p->at : p->at >= p->top + rows ? p->at + 1 - rows : p->top;
	for (unsigned i = p->top; i < MIN(p->n_shown, p->top + rows); i++) {
		const struct pick_row *r = &p->row[p->shown[i]];
		int y = 1 + (int)(i - p->top);
		bool chosen = i == p->at;

		canvas_put(c, 0, y, ROLE_FOCUS, chosen ? 0x25b8 : ' ');
		canvas_fit(c, 1, y, (help_x ? help_x : c->w) - 2, chosen ? ROLE_FOCUS : ROLE_TEXT,
			   r->name);
		if (help_x && r->key)
			canvas_fit(c, help_x, y, 9, ROLE_KEY, r->key);
		if (help_x && c->w - help_x > 12)
			canvas_fit(c, help_x + 10, y, c->w - help_x - 11, ROLE_DIM, r->help);
	}
}
