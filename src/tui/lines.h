/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines.h - lines and bands over the time axis, drawn with dots finer than a cell.
 *
 * A plot is an area of a canvas, as wide as the time axis, and a range of values from its bottom to
 * its top. Values come as one number per column (or any other number of points, spread evenly);
 * NaN is a gap. A value holds for the whole of its point: the line is made of steps, so a mean over
 * a sample is not drawn as something that rises within it.
 *
 * What is finer than a cell depends on the terminal: braille has 2 x 4 dots, half blocks 1 x 2,
 * ASCII one. Dots of several lines in one cell add up; its colour is that of the last. Without
 * colours lines differ by their style: dashes where there are dots, letters in ASCII.
 */
#ifndef TUI_LINES_H
#define TUI_LINES_H

#include "tui/canvas.h"
#include "tui/paint.h"

enum lines_dots { LINES_ASCII, LINES_HALF, LINES_BRAILLE };

struct lines {
	struct canvas area;
	enum lines_dots dots;
	bool dashes;   /* there are no colours to tell lines by */
	double lo, hi; /* values at the lower and the upper edge; lo < hi */
};

/* How a line looks; lines_style[] are unlike each other on every terminal. */
struct lines_style {
	uint8_t role;
	char letter;	 /* in ASCII */
	uint8_t on, off; /* dots drawn and left out in turn; off 0: solid */
};
#define LINES_STYLES 4
extern const struct lines_style lines_style[LINES_STYLES];

/* A plot with that range; equal or reversed limits are mended. */
void lines_init(struct lines *l, const struct canvas *area, const struct painter *p, double lo,
		double hi);

/* n values from the left to the right edge. */
void lines_line(struct lines *l, const double *v, int n, const struct lines_style *style);
/* From low[i] to high[i], as thinner dots: draw it before the lines that it is about. */
void lines_band(struct lines *l, const double *low, const double *high, int n, unsigned role);
/* A value from edge to edge (a threshold, a reference). */
void lines_level(struct lines *l, double v, unsigned role, bool dashed);
/* The time cursor; -1: none. What stands in its way stays. */
void lines_cursor(struct lines *l, int column);

/* Numbers of the range in the columns left of the area: its ends, and between them where there is
 * room. gutter is as high as the area; the last column stays free. */
void lines_numbers(const struct lines *l, struct canvas *gutter);

/* The glyph of a line and its name at x; returns the columns used. */
int lines_key(struct canvas *c, int x, int y, int w, const struct painter *p,
	      const struct lines_style *style, const char *name);

/* Widens lo..hi to hold 0 and to end on round numbers, four round steps apart; unknown ends become
 * 0 and 1. */
void lines_round(double *lo, double *hi);

/* A number in at most w columns, w >= 3: "0.47", "212", "1.3k", "-4". Returns buf. */
const char *lines_number(char *buf, size_t size, double v, int w);

#endif
