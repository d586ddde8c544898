/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sgr.c - see sgr.h. Only sequences that set attributes (ESC [ ... m) are changed; all else passes.
 *
 * Curses sets foreground and background, in a sequence each, whenever one of them changes, and sets
 * both back before. Three quarters of a frame are such sequences. So colours are written when
 * something is written in them, those that have changed, in one sequence.
 */
#include "tui/sgr.h"

#include <stdlib.h>
#include <string.h>

static unsigned
square(uint32_t a, uint32_t b, int shift)
{
	int d = (int)(a >> shift & 255) - (int)(b >> shift & 255);

	return (unsigned)(d * d);
}

int
sgr_color(struct sgr *s, uint32_t rgb)
{
	unsigned best = 0, least = ~0u;

	for (unsigned i = 0; i < s->n; i++) {
		unsigned d = square(s->rgb[i], rgb, 16) + square(s->rgb[i], rgb, 8) +
			     square(s->rgb[i], rgb, 0);

		if (d >= least)
			continue;
		best = i;
		least = d;
	}
	if (least && s->n < SGR_COLORS) {
		best = s->n++;
		s->rgb[best] = rgb;
	}
	return SGR_FIRST + (int)best;
}

/* The number at p, which ends at a ';' or an 'm'. */
static unsigned
number(const char *p, const char *end)
{
	unsigned v = 0;

	for (; p < end && *p >= '0' && *p <= '9' && v < 1000; p++)
		v = 10 * v + (unsigned)(*p - '0');
	return v;
}

/* The parameters from p to end, each behind its ';' but for the first. */
static void
parameters(const struct sgr *s, const char *p, const char *end, struct strbuf *to)
{
	while (p < end) {
		const char *next = memchr(p, ';', (size_t)(end - p));
		size_t n = (size_t)((next ? next : end) - p);
		bool color = s && n == 2 && (p[0] == '3' || p[0] == '4') && p[1] == '8' && next &&
			     end - next > 3 && strncmp(next, ";5;", 3) == 0;
		unsigned i = color ? number(next + 3, end) : 0;

		if (i >= SGR_FIRST && i - SGR_FIRST < s->n) {
			uint32_t rgb = s->rgb[i - SGR_FIRST];

			sb_printf(to, "%c8;2;%u;%u;%u", p[0], rgb >> 16, rgb >> 8 & 255, rgb & 255);
			next = memchr(next + 3, ';', (size_t)(end - next - 3));
		} else {
			sb_add(to, p, n);
		}
		if (!next)
			return;
		sb_char(to, ';');
		p = next + 1;
	}
}

/* ---------------------------------------------------------------- what is written */

/* The parameters of a colour, as they stand in what is read; p NULL: it is what it was before. */
struct color {
	const char *p;
	size_t n;
};

enum { FOREGROUND, BACKGROUND, GROUNDS };

struct writer {
	const struct sgr *s; /* NULL: numbers are the terminal's */
	struct strbuf *to;
	struct color wanted[GROUNDS], is[GROUNDS]; /* from here on, and on the terminal */
};

static bool
same(const struct color *a, const struct color *b)
{
	return a->p && b->p && a->n == b->n && memcmp(a->p, b->p, a->n) == 0;
}

/* Something is written: the terminal gets the colours it is wanted in, both in one sequence. */
static void
settle(struct writer *w)
{
	const char *begin = "\033[";

	for (unsigned g = 0; g < GROUNDS; g++) {
		const struct color *c = &w->wanted[g];

		if (!c->p || same(c, &w->is[g]))
			continue;
		sb_add(w->to, begin, strlen(begin));
		parameters(w->s, c->p, c->p + c->n, w->to);
		w->is[g] = *c;
		begin = ";";
	}
	if (*begin == ';')
		sb_char(w->to, 'm');
}

/* The colour that the parameters from p on begin with; 0: they do not. */
static size_t
color_at(const char *p, const char *end, unsigned *ground)
{
	const char *last = memchr(p, ';', (size_t)(end - p));
	size_t n = (size_t)((last ? last : end) - p);
	unsigned v = number(p, end), more;

	if (n == 3 && v >= 100 && v < 108) /* the bright ones */
		v -= 60;
	else if (n == 2 && v >= 90 && v < 98)
		v -= 60;
	if (n < 2 || v < 30 || v > 49)
		return 0;
	*ground = v >= 40 ? BACKGROUND : FOREGROUND;
	if (v % 10 != 8)
		return n;
	more = last && end - last > 2 ? (last[1] == '5' ? 2 : last[1] == '2' ? 4 : 0) : 0;
	for (unsigned i = 0; more && i < more; i++)
		if (last && (last = memchr(last + 1, ';', (size_t)(end - last - 1))) == NULL)
			return i + 1 == more ? (size_t)(end - p) : 0;
	return more && last ? (size_t)(last - p) : 0;
}

/* Parameters of ESC [ ... m: colours are kept until something is written, the others are not. */
static void
attributes(struct writer *w, const char *p, const char *end)
{
	static const struct color none[GROUNDS] = {{"39", 2}, {"49", 2}};
	const char *begin = "\033[";

	do {
		unsigned ground = FOREGROUND;
		size_t n = color_at(p, end, &ground);

		if (n) {
			w->wanted[ground] = (struct color){p, n};
		} else {
			const char *last = memchr(p, ';', (size_t)(end - p));

			n = (size_t)((last ? last : end) - p);
			sb_add(w->to, begin, strlen(begin));
			sb_add(w->to, p, n);
			begin = ";";
			if (number(p, p + n) == 0) {
				memcpy(w->wanted, none, sizeof(none));
				memcpy(w->is, none, sizeof(none));
			}
		}
		p += n;
	} while (p++ < end);
	if (*begin == ';')
		sb_char(w->to, 'm');
}

/* A sequence that begins at p; returns its end. Of those that are not known, what the colours are
 * behind them is not known either. */
static const char *
sequence(struct writer *w, const char *p, const char *end)
{
	const char *last = p + 2;

	while (last < end && ((*last >= '0' && *last <= '9') || *last == ';'))
		last++;
	if (last < end && *last == 'm') {
		attributes(w, p + 2, last);
		return last + 1;
	}
	if (last == end || !strchr("ABCDGHd", *last)) { /* it does not only move the cursor */
		settle(w);
		memset(w->wanted, 0, sizeof(w->wanted));
		memset(w->is, 0, sizeof(w->is));
	}
	last = last < end ? last + 1 : end;
	sb_add(w->to, p, (size_t)(last - p));
	return last;
}

void
sgr_write_out(const struct sgr *s, const char *from, size_t n, struct strbuf *to)
{
	const char *end = from + n, *p = from;
	struct writer w = {.s = s, .to = to};

	while (p < end) {
		const char *escape = memmem(p, (size_t)(end - p), "\033[", 2);

		if (escape == p) {
			p = sequence(&w, p, end);
			continue;
		}
		settle(&w);
		sb_add(to, p, (size_t)((escape ? escape : end) - p));
		p = escape ? escape : end;
	}
	settle(&w);
}

bool
sgr_exact_wanted(void)
{
	const char *color = getenv("COLORTERM"), *term = getenv("TERM");
	bool screen = term && strncmp(term, "screen", 6) == 0 && getenv("STY");

	return color && (strcmp(color, "truecolor") == 0 || strcmp(color, "24bit") == 0) && !screen;
}
