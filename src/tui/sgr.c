/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sgr.c - see sgr.h. Only sequences that set attributes (ESC [ ... m) are read; all else passes. */
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
		bool color = n == 2 && (p[0] == '3' || p[0] == '4') && p[1] == '8' && next &&
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

void
sgr_write_out(const struct sgr *s, const char *from, size_t n, struct strbuf *to)
{
	const char *end = from + n, *p = from;

	while (p < end) {
		const char *escape = memmem(p, (size_t)(end - p), "\033[", 2), *last;

		if (!escape)
			break;
		last = escape + 2;
		while (last < end && ((*last >= '0' && *last <= '9') || *last == ';'))
			last++;
		sb_add(to, p, (size_t)(escape + 2 - p));
		p = escape + 2;
		if (last == end || *last != 'm')
			continue;
		parameters(s, p, last, to);
		p = last;
	}
	sb_add(to, p, (size_t)(end - p));
}

bool
sgr_exact_wanted(void)
{
	const char *color = getenv("COLORTERM"), *term = getenv("TERM");
	bool screen = term && strncmp(term, "screen", 6) == 0 && getenv("STY");

	return color && (strcmp(color, "truecolor") == 0 || strcmp(color, "24bit") == 0) && !screen;
}
