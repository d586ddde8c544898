/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sgr.c - rewrites the colour sequences that curses prints; see sgr.h.
 *
 * Only sequences that set attributes (ESC [ ... m) change; all other bytes pass unchanged.
 *
 * When one colour changes, curses resets both and then sets foreground and background in a sequence
 * each. Such sequences make up three quarters of a frame. Here a colour is only remembered when it
 * is set. Before the next character the colours that differ from the terminal's are written in one
 * sequence.
 */
#include "tui/sgr.h"

#include <stdlib.h>
#include <string.h>

static unsigned
square_difference(uint32_t a, uint32_t b, int shift)
{
	int d = (int)(a >> shift & 255) - (int)(b >> shift & 255);

	return (unsigned)(d * d);
}

int
sgr_color(struct sgr *s, uint32_t rgb)
{
	unsigned best = 0, least = ~0u;

	for (unsigned i = 0; i < s->n; i++) {
		unsigned d = square_difference(s->rgb[i], rgb, 16) +
			     square_difference(s->rgb[i], rgb, 8) +
			     square_difference(s->rgb[i], rgb, 0);

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

/* Returns the number at p, which ends before ';' or 'm'. */
static unsigned
parse_number(const char *p, const char *end)
{
	unsigned v = 0;

	for (; p < end && *p >= '0' && *p <= '9' && v < 1000; p++)
		v = 10 * v + (unsigned)(*p - '0');
	return v;
}

/* Writes the parameters from p to end, separated by ';'. Numbers that stand for an exact colour
 * become that colour. */
static void
write_parameters(const struct sgr *s, const char *p, const char *end, struct strbuf *to)
{
	while (p < end) {
		const char *next = memchr(p, ';', (size_t)(end - p));
		size_t n = (size_t)((next ? next : end) - p);
		bool color = s && n == 2 && (p[0] == '3' || p[0] == '4') && p[1] == '8' && next &&
			     end - next > 3 && strncmp(next, ";5;", 3) == 0;
		unsigned i = color ? parse_number(next + 3, end) : 0;

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

/* ---------------------------------------------------------------- sequences */

/* The parameters of a colour, inside the bytes that are read; p is NULL while it is unknown. */
struct color {
	const char *p;
	size_t n;
};

enum { FOREGROUND, BACKGROUND, GROUNDS };

struct writer {
	const struct sgr *s; /* NULL: colour numbers are the terminal's own */
	struct strbuf *to;
	struct color wanted[GROUNDS], is[GROUNDS]; /* set by curses, and set on the terminal */
};

static bool
are_same_color(const struct color *a, const struct color *b)
{
	return a->p && b->p && a->n == b->n && memcmp(a->p, b->p, a->n) == 0;
}

/* Sets the colours that curses wants on the terminal, both in one sequence. Called before text. */
static void
write_colors(struct writer *w)
{
	const char *begin = "\033[";

	for (unsigned g = 0; g < GROUNDS; g++) {
		const struct color *c = &w->wanted[g];

		if (!c->p || are_same_color(c, &w->is[g]))
			continue;
		sb_add(w->to, begin, strlen(begin));
		write_parameters(w->s, c->p, c->p + c->n, w->to);
		w->is[g] = *c;
		begin = ";";
	}
	if (*begin == ';')
		sb_char(w->to, 'm');
}

/* Returns the length of the colour at the start of the parameters, or 0 if they start with another
 * attribute. */
static size_t
match_color(const char *p, const char *end, unsigned *ground)
{
	const char *last = memchr(p, ';', (size_t)(end - p));
	size_t n = (size_t)((last ? last : end) - p);
	unsigned v = parse_number(p, end), more;

	if (n == 3 && v >= 100 && v < 108) /* bright background colours */
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

/* Handles the parameters of ESC [ ... m: remembers the colours and writes all other attributes. */
static void
handle_attributes(struct writer *w, const char *p, const char *end)
{
	static const struct color none[GROUNDS] = {{"39", 2}, {"49", 2}};
	const char *begin = "\033[";

	do {
		unsigned ground = FOREGROUND;
		size_t n = match_color(p, end, &ground);

		if (n) {
			w->wanted[ground] = (struct color){p, n};
		} else {
			const char *last = memchr(p, ';', (size_t)(end - p));

			n = (size_t)((last ? last : end) - p);
			sb_add(w->to, begin, strlen(begin));
			sb_add(w->to, p, n);
			begin = ";";
			if (parse_number(p, p + n) == 0) {
				memcpy(w->wanted, none, sizeof(none));
				memcpy(w->is, none, sizeof(none));
			}
		}
		p += n;
	} while (p++ < end);
	if (*begin == ';')
		sb_char(w->to, 'm');
}

/* Handles the sequence at p and returns its end. An unknown sequence may change the colours, so
 * they are unknown after it. */
static const char *
handle_sequence(struct writer *w, const char *p, const char *end)
{
	const char *last = p + 2;

	while (last < end && ((*last >= '0' && *last <= '9') || *last == ';'))
		last++;
	if (last < end && *last == 'm') {
		handle_attributes(w, p + 2, last);
		return last + 1;
	}
	if (last == end || !strchr("ABCDGHd", *last)) { /* it does more than move the cursor */
		write_colors(w);
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
			p = handle_sequence(&w, p, end);
			continue;
		}
		write_colors(&w);
		sb_add(to, p, (size_t)((escape ? escape : end) - p));
		p = escape ? escape : end;
	}
	write_colors(&w);
}

bool
sgr_exact_wanted(void)
{
	const char *color = getenv("COLORTERM"), *term = getenv("TERM");
	bool screen = term && strncmp(term, "screen", 6) == 0 && getenv("STY");

	return color && (strcmp(color, "truecolor") == 0 || strcmp(color, "24bit") == 0) && !screen;
}
