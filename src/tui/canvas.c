/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * canvas.c - draws text and heat codes into cells, clips them to the view, and decodes UTF-8.
 *
 * Invariant: a wide character is a CELL_TEXT cell followed by a CELL_RIGHT cell in the same view.
 * Overwriting one half blanks the other. A cell keeps one combining character and drops the rest.
 */
#include "base/memory.h"
#include "tui/canvas.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct canvas *
canvas_new(int w, int h)
{
	struct canvas *c = memory_new(1, sizeof(*c));

	c->w = MAX(w, 0);
	c->h = MAX(h, 0);
	c->stride = (unsigned)c->w;
	c->cell = memory_new((size_t)c->w * (size_t)c->h + 1, sizeof(*c->cell));
	return c;
}

void
canvas_free(struct canvas *c)
{
	if (!c)
		return;
	free(c->cell);
	free(c);
}

struct canvas
canvas_sub(const struct canvas *c, int x, int y, int w, int h)
{
	struct canvas s = *c;
	int x0 = MIN(MAX(x, 0), c->w), y0 = MIN(MAX(y, 0), c->h);
	int x1 = MIN(MAX(x + w, x0), c->w), y1 = MIN(MAX(y + h, y0), c->h);

	s.cell = c->cell + (size_t)y0 * c->stride + (size_t)x0;
	s.w = x1 - x0;
	s.h = y1 - y0;
	return s;
}

void
canvas_clear(struct canvas *c)
{
	for (int y = 0; y < c->h; y++)
		memset(c->cell + (size_t)y * c->stride, 0, (size_t)c->w * sizeof(*c->cell));
}

static struct cell *
get_cell(const struct canvas *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->w || y >= c->h)
		return NULL;
	return c->cell + (size_t)y * c->stride + (size_t)x;
}

const struct cell *
canvas_at(const struct canvas *c, int x, int y)
{
	return get_cell(c, x, y);
}

/* Empties a cell that is about to be written. If it held half of a wide character, the other half
 * becomes a blank. */
static struct cell *
claim_cell(struct canvas *c, int x, int y)
{
	struct cell *p = get_cell(c, x, y);

	if (!p)
		return NULL;
	if (p->kind == CELL_RIGHT && x > 0)
		p[-1].wc = 0;
	if (x + 1 < c->w && p[1].kind == CELL_RIGHT)
		memset(p + 1, 0, sizeof(*p));
	memset(p, 0, sizeof(*p));
	return p;
}

uint32_t
utf8_next(const char **s)
{
	const unsigned char *p = (const unsigned char *)*s;
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned n = p[0] < 0x80   ? 1
		     : p[0] < 0xc2 ? 0
		     : p[0] < 0xe0 ? 2
		     : p[0] < 0xf0 ? 3
		     : p[0] < 0xf5 ? 4
				   : 0;
	uint32_t wc;

	if (!p[0])
		return 0;
	if (n == 1) {
		++*s;
		return p[0];
	}
	wc = n ? p[0] & (0x7fu >> n) : 0;
	for (unsigned i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			n = 0;
		else
			wc = wc << 6 | (p[i] & 0x3f);
	}
	if (!n || wc < least[n] || wc > 0x10ffff || (wc >= 0xd800 && wc < 0xe000)) {
		++*s;
		return 0xfffd;
	}
	*s += n;
	return wc;
}

unsigned
utf8_put(char to[4], uint32_t wc)
{
	if (wc < 0x80) {
		to[0] = (char)wc;
		return 1;
	}
	if (wc < 0x800) {
		to[0] = (char)(0xc0 | wc >> 6);
		to[1] = (char)(0x80 | (wc & 63));
		return 2;
	}
	if (wc < 0x10000) {
		to[0] = (char)(0xe0 | wc >> 12);
		to[1] = (char)(0x80 | (wc >> 6 & 63));
		to[2] = (char)(0x80 | (wc & 63));
		return 3;
	}
	to[0] = (char)(0xf0 | wc >> 18);
	to[1] = (char)(0x80 | (wc >> 12 & 63));
	to[2] = (char)(0x80 | (wc >> 6 & 63));
	to[3] = (char)(0x80 | (wc & 63));
	return 4;
}

int
char_width(uint32_t wc)
{
	int w;

	if (wc < 0x300) /* shortcut: these are one column wide in every locale */
		return 1;
	/* The panes count on one column for the arrows, blocks and dots they draw, but some locales
	 * give these two. */
	if ((wc >= 0x2190 && wc < 0x2300) || (wc >= 0x2500 && wc < 0x2600) ||
	    (wc >= 0x2800 && wc < 0x2900))
		return 1;
	w = wcwidth((wchar_t)wc);
	return w < 0 ? 1 : w;
}

int
text_width(const char *s)
{
	int w = 0;

	for (uint32_t wc; (wc = utf8_next(&s));)
		w += char_width(wc);
	return w;
}

void
canvas_put(struct canvas *c, int x, int y, unsigned role, uint32_t wc)
{
	int w = char_width(wc);
	struct cell *p;

	if (w == 0) { /* a combining character joins the cell to its left */
		p = get_cell(c, x - 1, y);
		if (p && p->kind == CELL_RIGHT)
			p = get_cell(c, x - 2, y);
		if (p)
			p->mark = wc;
		return;
	}
	if (w == 2 && !get_cell(c, x + 1, y))
		wc = ' ', w = 1;
	p = claim_cell(c, x, y);
	if (!p)
		return;
	p->wc = wc < ' ' || wc == 0x7f || (wc >= 0x80 && wc < 0xa0) ? ' ' : wc;
	p->role = (uint8_t)role;
	if (w == 2) {
		p = claim_cell(c, x + 1, y);
		p->kind = CELL_RIGHT;
		p->role = (uint8_t)role;
	}
}

/* Draws the text up to column `end` and returns the column where the uncut text would end. */
static int
draw_text_until(struct canvas *c, int x, int y, int end, unsigned role, const char *s)
{
	for (uint32_t wc; (wc = utf8_next(&s));) {
		int w = char_width(wc);
		if (x + w <= end)
			canvas_put(c, x, y, role, wc);
		x += w;
	}
	return x;
}

int
canvas_text(struct canvas *c, int x, int y, unsigned role, const char *s)
{
	return draw_text_until(c, x, y, c->w, role, s) - x;
}

int
canvas_printf(struct canvas *c, int x, int y, unsigned role, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return canvas_text(c, x, y, role, buf);
}

int
canvas_fit(struct canvas *c, int x, int y, int w, unsigned role, const char *s)
{
	int need = text_width(s);

	if (w <= 0)
		return 0;
	if (need <= w)
		return canvas_text(c, x, y, role, s);
	int end = draw_text_until(c, x, y, x + w - 1, role, s);
	canvas_put(c, MIN(end, x + w - 1), y, role, 0x2026);
	return w;
}

int
canvas_right(struct canvas *c, int x, int y, int w, unsigned role, const char *s)
{
	int need = text_width(s);

	if (need >= w)
		return canvas_fit(c, x, y, w, role, s);
	return canvas_text(c, x + w - need, y, role, s);
}

int
canvas_wrap(struct canvas *c, int x, int y, int w, int h, unsigned role, const char *s)
{
	return canvas_wrap_below(c, x, y, w, h, role, s, 0);
}

int
canvas_wrap_below(struct canvas *c, int x, int y, int w, int h, unsigned role, const char *s,
		  int column)
{
	int line = 0;

	if (w <= 0)
		return 0;
	while (*s) {
		const char *p = s, *cut = NULL, *after = NULL;
		int n = 0;
		if (line == 1)
			x += column, w -= column;
		while (*p && *p != '\n') {
			const char *q = p;
			uint32_t wc = utf8_next(&q);
			if (wc == ' ')
				cut = p, after = q;
			if (n + char_width(wc) > w)
				break;
			n += char_width(wc);
			p = q;
		}
		if (!*p || *p == '\n')
			cut = p, after = *p ? p + 1 : p;
		else if (!cut || cut == s)
			cut = after = p > s ? p : p + 1;
		if (line < h) {
			char buf[512];
			size_t len = MIN((size_t)(cut - s), sizeof(buf) - 1);
			memcpy(buf, s, len);
			buf[len] = '\0';
			int end = draw_text_until(c, x, y + line, x + w, role, buf);
			if (line == h - 1 && *after) /* the text continues but no row is left */
				canvas_put(c, MIN(end, x + w - 1), y + line, role, 0x2026);
		}
		line++;
		s = after;
	}
	return line;
}

void
canvas_fill(struct canvas *c, int x, int y, int w, int h, unsigned role, uint32_t wc)
{
	for (int j = y; j < y + h; j++)
		for (int i = x; i < x + w; i++)
			canvas_put(c, i, j, role, wc);
}

void
canvas_attr(struct canvas *c, int x, int y, int w, unsigned attr)
{
	for (int i = x; i < x + w; i++) {
		struct cell *p = get_cell(c, i, y);
		if (p)
			p->attr |= (uint8_t)attr;
	}
}

void
canvas_heat(struct canvas *c, int x, int y, unsigned hi, unsigned lo, bool cursor)
{
	struct cell *p = claim_cell(c, x, y);

	if (!p)
		return;
	p->kind = CELL_HEAT;
	p->hi = (uint8_t)hi;
	p->lo = (uint8_t)lo;
	p->cursor = cursor;
}

void
canvas_heat_text(struct canvas *c, int x, int y, const char *ascii)
{
	for (; *ascii; ascii++, x++) {
		struct cell *p = get_cell(c, x, y);
		if (p && p->kind == CELL_HEAT)
			p->wc = (unsigned char)*ascii;
	}
}

void
canvas_digits(struct canvas *c, unsigned most)
{
	for (int y = 0; y < c->h; y++)
		for (int x = 0; x < c->w; x++)
			if (get_cell(c, x, y)->kind == CELL_HEAT)
				get_cell(c, x, y)->most = (uint8_t)most;
}
