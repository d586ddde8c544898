/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gallery_judge.c - checks that apply to every picture of the screen, whatever it shows.
 *
 * Text is readable: its contrast with the background is at least 3 (WCAG 2). The terminal's own
 * colours are white on black and, for text, also black on white; the theme light is checked on
 * white only, since it is for such terminals. Lines between panes and unknown cells may be fainter.
 * With few colours a heat cell with a value never has the colour of a blank. Every strip has its
 * legend in its title: the start of the ramp, its colours, its end; where cells are digits, each
 * digit that is in a cell. Header, keys and prompt are present. An ASCII picture is ASCII and
 * contains no replacement for a character without an ASCII form.
 */
#include "tests/tui/gallery.h"
#include "tests/tui/contrast.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BLACK 0x000000
#define WHITE 0xffffff
#define MOST_FAULTS 40 /* faults to print; all are counted */

static unsigned faults;

unsigned
judge_faults(void)
{
	return faults;
}

__attribute__((format(printf, 3, 4))) static void
fault(const char *name, const struct way *w, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (faults++ < MOST_FAULTS)
		printf("# %s, %dx%d, depth %d, theme %s%s: %s\n", name, w->w, w->h, (int)w->depth,
		       w->theme, w->ascii ? ", ASCII" : "", text);
}

/* ---------------------------------------------------------------- colours */

/* Returns the colours of a glyph on a terminal whose background is `paper`. */
static void
on_paper(const struct glyph *g, uint32_t paper, uint32_t *fg, uint32_t *bg)
{
	*fg = color_rgb(g->fg, paper ^ WHITE);
	*bg = color_rgb(g->bg, paper);
	if (g->attr & ATTR_REVERSE) {
		uint32_t swap = *fg;
		*fg = *bg;
		*bg = swap;
	}
}

static bool
is_block(uint32_t wc)
{
	return wc >= 0x2580 && wc <= 0x259f;
}

bool
is_inked(const struct screen *s, int x, int y)
{
	const struct cell *c = canvas_at(s->canvas, x, y);
	struct glyph g = paint_cell(&s->painter, c);

	return c->kind != CELL_RIGHT &&
	       (g.wc != ' ' || g.bg >= 0 || g.attr & (ATTR_REVERSE | ATTR_UNDERLINE));
}

/* Returns the least contrast that a cell must have; 0: it is not text. */
static double
least_contrast(const struct cell *c, const struct glyph *g)
{
	if (g->wc == ' ' || is_block(g->wc))
		return 0;
	if (c->kind == CELL_HEAT && (c->hi < HEAT_LEVELS || c->lo < HEAT_LEVELS) && !c->wc &&
	    !c->cursor)
		return 0; /* a shade, whose density shows the value */
	if (c->kind == CELL_HEAT && (c->hi == HEAT_UNKNOWN || c->lo == HEAT_UNKNOWN))
		return 2;
	if (c->kind == CELL_TEXT && (c->role == ROLE_FRAME || c->role == ROLE_UNKNOWN))
		return 2;
	return 3;
}

static void
judge_cell(const struct screen *s, const char *name, const struct way *w, int x, int y)
{
	const struct cell *c = canvas_at(s->canvas, x, y);
	struct glyph g = paint_cell(&s->painter, c);
	bool white = strcmp(w->theme, "light") == 0,
	     both = c->kind == CELL_TEXT && c->role < ROLE_ACTIVE;
	double least = least_contrast(c, &g);
	uint32_t fg, bg;

	for (unsigned p = 0; least > 0 && p < 2; p++) {
		uint32_t paper = p ? WHITE : BLACK;
		if (paper == (white ? BLACK : WHITE) && (white || !both))
			continue;
		on_paper(&g, paper, &fg, &bg);
		if (contrast(fg, bg) < least)
			fault(name, w, "row %d, column %d: '%c' in %s, %06x on %06x: contrast %.1f",
			      y, x, g.wc < 0x80 ? (char)g.wc : '*',
			      c->kind == CELL_TEXT ? role_rows[c->role].name : "heat", fg, bg,
			      contrast(fg, bg));
	}
	if (w->ascii && (g.wc > 126 || g.wc < ' ' || g.mark))
		fault(name, w, "row %d, column %d: U+%04X is not ASCII", y, x, g.wc);
	if (w->ascii && g.wc == '?' && c->kind == CELL_TEXT && c->wc != '?')
		fault(name, w, "row %d, column %d: nothing stands for U+%04X", y, x, c->wc);
}

/* ---------------------------------------------------------------- parts */

static bool
is_heat(const struct screen *s, int x, int y)
{
	const struct cell *c = canvas_at(s->canvas, x, y);

	return c && c->kind == CELL_HEAT;
}

static bool
is_digit(const struct screen *s, int x, int y)
{
	const struct cell *c = canvas_at(s->canvas, x, y);

	return c && c->kind == CELL_TEXT && c->wc >= '0' && c->wc <= '9';
}

/* Returns the digits of the ramp in rows y0..y1 of a strip, one bit each. */
static unsigned
digits_in(const struct screen *s, const struct rect *r, int y0, int y1)
{
	unsigned digits = 0;

	for (int y = y0; y < y1; y++)
		for (int x = r->x; x < r->x + r->w; x++) {
			const struct cell *c = canvas_at(s->canvas, x, y);
			uint32_t wc = paint_cell(&s->painter, c).wc;

			if (c->kind == CELL_HEAT && c->hi < HEAT_LEVELS && !c->wc && wc >= '0' &&
			    wc <= '9')
				digits |= 1u << (wc - '0');
		}
	return digits;
}

/* Checks "0 <eight or more cells> 8", or for states a cell beside each word; a gauge that is cut at
 * its thresholds has two cells for each band. Cells whose digit is their value need no ends. */
static bool
has_legend(const struct screen *s, const struct rect *r)
{
	int cells = 0, words = 0, first = -1, last = -1, bands = 0;
	unsigned most = 0;

	for (int x = r->x; x < r->x + r->w; x++) {
		unsigned code = canvas_at(s->canvas, x, r->y)->hi;

		if (!is_heat(s, x, r->y))
			continue;
		bands += code >= HEAT_BAND && code < HEAT_BAND + HEAT_BANDS * HEAT_BAND_STEPS;
		cells++;
		if (first < 0)
			first = x;
		if (code < HEAT_LEVELS)
			last = x;
		else
			words += !is_heat(s, x + 1, r->y);
	}
	if (bands)
		return bands == 2 * HEAT_BANDS;
	if (last < 0)
		return words >= (r->w < 60 ? 3 : 4);
	if (s->painter.digits) {
		most = canvas_at(s->canvas, first, r->y)->most;
		if (digits_in(s, r, r->y + 1, r->y + r->h) & ~digits_in(s, r, r->y, r->y + 1))
			return false;
	}
	if (most)
		return digits_in(s, r, r->y, r->y + 1) == (2u << most) - 1;
	return cells >= 8 && is_digit(s, first - 2, r->y) && is_digit(s, last + 2, r->y);
}

static bool
row_has_role(const struct screen *s, int y, unsigned role)
{
	unsigned n = 0;

	for (int x = 0; x < s->canvas->w; x++) {
		const struct cell *c = canvas_at(s->canvas, x, y);
		n += c->kind == CELL_TEXT && c->role == role && c->wc > ' ';
	}
	return n >= 2;
}

/* Whether the active pane has its mark, in the corner of its place. */
static bool
has_mark(const struct screen *s)
{
	unsigned n = 0;

	for (int y = 0; y < s->canvas->h; y++)
		for (int x = 0; x < s->canvas->w; x++) {
			const struct cell *c = canvas_at(s->canvas, x, y);
			bool corner = x == 0 || x == s->layout.sep_x + 1;

			for (unsigned i = 0; i < s->layout.n_main; i++)
				corner |= x == s->layout.main[i].x;
			n += corner && c->role == ROLE_FOCUS && c->wc == 0x25b8;
		}
	return n >= 1;
}

void
judge_picture(const struct screen *s, const char *name, const struct way *w)
{
	const struct layout *l = &s->layout;

	for (int y = 0; y < s->canvas->h; y++)
		for (int x = 0; x < s->canvas->w; x++)
			judge_cell(s, name, w, x, y);
	/* Without the inspector, its pane may replace the first of the others. */
	for (unsigned i = s->pane->ops->kind == PANE_SIDE && l->sep_x < 0; i < l->n_main; i++)
		if (s->main[i]->ops->kind == PANE_STRIP && !has_legend(s, &l->main[i]))
			fault(name, w, "the strip %s %s has no legend", s->main[i]->ops->name,
			      s->main[i]->arg);
	if (!row_has_role(s, l->header.y, ROLE_HEADER))
		fault(name, w, "no header");
	if (!row_has_role(s, l->keys.y, ROLE_KEY))
		fault(name, w, "no keys");
	if (!row_has_role(s, l->prompt.y, ROLE_DIM))
		fault(name, w, "no prompt");
	if (!has_mark(s))
		fault(name, w, "no pane is marked as the active one");
}

/* ---------------------------------------------------------------- ramps */

unsigned
judge_ramp(const struct way *w, unsigned *steps)
{
	uint32_t paper = strcmp(w->theme, "light") == 0 ? WHITE : BLACK;
	struct glyph last = {0};
	struct painter p;
	struct theme t;
	struct err e = {0};
	unsigned bad = 0;

	*steps = HEAT_LEVELS;
	if (theme_load(&t, w->theme, &e) < 0 || t.shades)
		return e.msg[0] ? HEAT_LEVELS : 0;
	*steps = 0;
	painter_init(&p, &t, w->depth, !w->ascii);
	for (unsigned i = 0; i < HEAT_LEVELS; i++) {
		struct cell c = {.kind = CELL_HEAT, .hi = (uint8_t)i, .lo = (uint8_t)i};
		struct glyph g = paint_cell(&p, &c);
		uint32_t fg, bg;

		on_paper(&g, paper, &fg, &bg);
		bad += contrast(bg, paper) < 1.5 && (g.wc == ' ' || contrast(fg, paper) < 1.5);
		*steps += i == 0 || g.wc != last.wc || g.fg != last.fg || g.bg != last.bg;
		last = g;
	}
	return bad;
}
