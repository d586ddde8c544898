/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_count.c - a number before a key repeats it, as in vim: 5j is five cores down.
 *
 * A digit alone chooses a layout, and does so at once. But who types another digit or a motion
 * right behind it has typed one word, a count: the layout is then put back. So a single digit is a
 * count for less than half a second; from two digits on the number is shown and waits for its key.
 */
#include "tui/key_count.h"

#include "base/ascii.h"

#include <stdio.h>
#include <string.h>

#define ONE_WORD 0.5	/* seconds between keys that are typed as one word */
#define MOST_COUNT 9999 /* more does not help, and each step may be drawn */

/* Does the command of a key take a number? */
static bool
is_repeatable(const char *command)
{
	static const char *const words[] = {"step",
					    "next",
					    "reverse-step",
					    "reverse-next",
					    "cursor up",
					    "cursor down",
					    "cursor left",
					    "cursor right",
					    "cursor next-event",
					    "cursor next-period",
					    "cursor previous-event",
					    "cursor previous-period"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(command, words[i]) == 0)
			return true;
	return false;
}

static bool
is_pending(const struct screen *s)
{
	const struct key_count *k = &s->count;

	return k->n && (k->shown || (k->typed_at > 0 && s->key_at - k->typed_at < ONE_WORD));
}

static void
save_layout(struct screen *s)
{
	s->count.want = s->want;
	s->count.pane = s->pane;
	s->count.front = s->front;
}

static void
put_layout_back(struct screen *s)
{
	if (s->count.shown) /* this was done at the second digit */
		return;
	s->want = s->count.want;
	s->pane = s->count.pane;
	s->front = s->count.front;
}

/* Returns "" if the digit belongs to a number, or NULL if it chooses a layout. */
static const char *
take_digit(struct screen *s, unsigned digit)
{
	struct key_count *k = &s->count;

	if (!is_pending(s)) {
		k->n = digit;
		k->shown = false;
		k->typed_at = s->key_at;
		save_layout(s);
		return NULL;
	}
	put_layout_back(s);
	k->n = MIN(k->n * 10 + digit, MOST_COUNT);
	k->shown = true;
	screen_notice(s, "%u: h j k l [ ] { } s n S N repeat it; Enter: core %u; Escape drops it",
		      k->n, k->n);
	return "";
}

const char *
key_count_take(struct screen *s, int key, char *buf, size_t size)
{
	const struct key_row *row;
	const char *command;
	unsigned n = s->count.n;

	if (keymap_is_own(&s->keymap, key))
		return NULL;
	if (key < 128 && ascii_is_digit((char)key) && key >= '0')
		return take_digit(s, (unsigned)(key - '0'));
	if (!is_pending(s)) {
		s->count.n = 0;
		return NULL;
	}
	s->count.n = 0;
	command = keymap_find(&s->keymap, key, screen_when(s), &row);
	if (key == '\r') {
		put_layout_back(s);
		snprintf(buf, size, "core %u", n);
		return buf;
	}
	/* some panes have a meaning of their own for the arrows */
	if (command && is_repeatable(command) && (key < 256 || !s->pane->ops->key)) {
		put_layout_back(s);
		snprintf(buf, size, "%s %u", command, n);
		return buf;
	}
	if (key == K_ESCAPE && s->count.shown)
		return "";
	return NULL;
}
