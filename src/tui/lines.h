/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines.h - draws lines and bands over the time axis with dots finer than a cell.
 *
 * A plot is an area of a canvas, as wide as the time axis, with a range of values from its bottom
 * to its top. Values come as one number per column (or any other number of points, spread evenly);
 * NaN is a gap. A value holds for the whole width of its point: a line consists of steps, so that a
 * mean over a sample does not look like a slope.
 *
 * The dots depend on the terminal: 2 x 4 per cell with braille, 1 x 2 with half blocks, one in
 * ASCII. Dots of several lines in one cell add up, in the colour of the last line. Without colours
 * the lines differ in style: dashes, or letters in ASCII.
 */
#ifndef TUI_LINES_H
#define TUI_LINES_H

#include "tui/canvas.h"
#include "tui/paint.h"

enum lines_dots { LINES_ASCII, LINES_HALF, LINES_BRAILLE };

struct lines {
	struct canvas area;
	enum lines_dots dots;
	bool dashes;   /* the terminal has no colours to distinguish lines by */
	double lo, hi; /* values at the lower and upper edge; lo < hi */
};

/* How a line looks. The styles in lines_style[] differ from each other on every terminal. */
struct lines_style {
	uint8_t role;
	char letter;	 /* drawn in ASCII */
	uint8_t on, off; /* lengths of the dots drawn and left out in turn; off 0: solid */
};
#define LINES_STYLES 4
extern const struct lines_style lines_style[LINES_STYLES];

/* Begins a plot with that range. Equal or reversed limits are corrected. */
void lines_init(struct lines *l, const struct canvas *area, const struct painter *p, double lo,
		double hi);

/* Draws n values from the left to the right edge. */
void lines_line(struct lines *l, const double *v, int n, const struct lines_style *style);
/* Fills from low[i] to high[i] with thinner dots. Draw a band before the lines that it surrounds.
 */
void lines_band(struct lines *l, const double *low, const double *high, int n, unsigned role);
/* Draws one value from edge to edge (a threshold, a reference). */
void lines_level(struct lines *l, double v, unsigned role, bool dashed);
/* Draws the time cursor, unless column is -1. It does not overwrite other dots. */
void lines_cursor(struct lines *l, int column);

/* Writes numbers into the columns left of the area: the ends of the range, and more between them if
 * there is room. The gutter is as high as the area; its last column stays blank. */
void lines_numbers(const struct lines *l, struct canvas *gutter);

/* Draws the glyph of a line and its name at x; returns the columns used. */
int lines_key(struct canvas *c, int x, int y, int w, const struct painter *p,
	      const struct lines_style *style, const char *name);

/* Widens lo..hi so that it contains 0 and ends on round numbers, four round steps apart. Unknown
 * ends become 0 and 1. */
void lines_round(double *lo, double *hi);

/* Formats a number in at most w columns, w >= 3: "0.47", "212", "1.3k", "-4". Returns buf. */
const char *lines_number(char *buf, size_t size, double v, int w);

#endif
