/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * banner.c - draws the caption of `note`, or the question of a vote, in rows of its own below the
 * header: bold on a reversed bar, wrapped, in the middle.
 */
#include "session/session.h"
#include "tui/screen_part.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_ROWS = 3, ROOMY_H = 30 };

static const char vote_key[] = "The outcome is hidden until Space";

struct banner {
	const char *text;
	char line[TEXT_ROWS][512];
	int n;
	bool vote, roomy; /* roomy: a blank row above and below */
};

/* Returns the bytes of the longest part of text that fits into w columns, up to a blank if there
 * is one. */
static size_t
part_that_fits(const char *text, int w)
{
	size_t n = strlen(text), blank = 0;
	char part[512];

	if (text_width(text) <= w && n < sizeof(part))
		return n;
	for (size_t i = 1; i <= n && i < sizeof(part); i++) {
		if (((unsigned char)text[i] & 0xc0) == 0x80)
			continue; /* inside a character */
		memcpy(part, text, i);
		part[i] = '\0';
		if (text_width(part) > w)
			return blank ? blank : MAX(i - 1, (size_t)1);
		if (text[i] == ' ')
			blank = i;
	}
	return blank ? blank : n;
}

static void
read_banner(const struct screen *s, struct banner *b)
{
	const char *at = session_note(s->session);
	enum session_steps steps = session_steps(s->session);
	int w = MAX(s->canvas->w - 8, 8);

	b->n = 0;
	b->text = at;
	b->vote = steps == STEPS_VOTE || steps == STEPS_PRESENT_VOTE;
	b->roomy = s->canvas->h >= ROOMY_H;
	while (*at && b->n < TEXT_ROWS) {
		size_t n = part_that_fits(at, w);

		snprintf(b->line[b->n++], sizeof(b->line[0]), "%.*s", (int)n, at);
		at += n;
		at += strspn(at, " ");
	}
}

int
screen_banner_rows(const struct screen *s)
{
	struct banner b;

	read_banner(s, &b);
	return b.n ? b.n + b.vote + 2 * b.roomy : 0;
}

static void
draw_centred(struct canvas *c, int y, enum role role, const char *text)
{
	canvas_fit(c, MAX((c->w - text_width(text)) / 2, 1), y, c->w - 2, role, text);
}

void
screen_draw_banner(const struct screen *s)
{
	struct canvas c = screen_part(s, s->layout.banner);
	struct banner b;
	int y = 0;

	if (!c.h)
		return;
	read_banner(s, &b);
	canvas_fill(&c, 0, 0, c.w, c.h, ROLE_CAPTION, ' ');
	y += b.roomy;
	for (int i = 0; i < b.n; i++)
		draw_centred(&c, y++, ROLE_CAPTION, b.line[i]);
	if (b.vote)
		draw_centred(&c, y, ROLE_NOTICE, vote_key);
}
