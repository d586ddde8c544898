/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines.c - draws lines with dots; see lines.h.
 *
 * It stores no dots: the character of a cell tells which ones it has. Rows of dots count from the
 * top, as rows of cells do.
 */
#include "tui/lines.h"
#include "tui/fmt.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BRAILLE 0x2800

const struct lines_style lines_style[LINES_STYLES] = {
	{ROLE_LINE1, '*', 1, 0},
	{ROLE_LINE2, 'o', 4, 2},
	{ROLE_LINE3, '+', 1, 1},
	{ROLE_LINE4, 'x', 1, 3},
};

/* Return the width and the height of a cell in dots. */
static int
dots_wide(const struct lines *l)
{
	return l->dots == LINES_BRAILLE ? 2 : 1;
}

static int
dots_high(const struct lines *l)
{
	return l->dots == LINES_BRAILLE ? 4 : l->dots == LINES_HALF ? 2 : 1;
}

void
lines_init(struct lines *l, const struct canvas *area, const struct painter *p, double lo,
	   double hi)
{
	*l = (struct lines){.area = *area, .lo = lo, .hi = hi};
	l->dashes = p->unicode && p->depth == DEPTH_MONO; /* ASCII has letters */
	l->dots = !p->unicode ? LINES_ASCII : p->braille ? LINES_BRAILLE : LINES_HALF;
	if (!(l->lo < l->hi))
		l->hi = l->lo + 1;
}

/* ---------------------------------------------------------------- dots */

static uint32_t
with_dot(const struct lines *l, uint32_t wc, int x, int y)
{
	static const uint8_t bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

	if (l->dots == LINES_BRAILLE)
		return (wc >= BRAILLE && wc < BRAILLE + 256 ? wc : BRAILLE) | bit[y][x];
	if (wc == 0x2588 || wc == (y ? 0x2580u : 0x2584u))
		return 0x2588;
	return y ? 0x2584 : 0x2580;
}

/* Sets the dot at x, y (in dots). In ASCII the line's letter fills the cell. */
static void
draw_dot(struct lines *l, int x, int y, unsigned role, char letter)
{
	int w = dots_wide(l), h = dots_high(l), cx = x / w, cy = y / h;
	const struct cell *k = canvas_at(&l->area, cx, cy);

	if (!k || x < 0 || y < 0)
		return;
	/* A line replaces the dots of a band in its cells, so that it stays visible; half blocks
	 * those of every other line, so that each cell has the colour of its line. */
	bool keeps = l->dots == LINES_HALF ? k->role == role
					   : k->role != ROLE_FRAME || role == ROLE_FRAME;
	uint32_t there = k->kind == CELL_TEXT && keeps ? k->wc : 0;

	canvas_put(&l->area, cx, cy, role,
		   l->dots == LINES_ASCII ? (unsigned char)letter
					  : with_dot(l, there, x % w, y % h));
}

/* Returns the row of dots of a value. A value outside of the range is drawn at its edge. */
static int
row_of(const struct lines *l, double v)
{
	int last = MAX(l->area.h * dots_high(l) - 1, 0);
	double at = (v - l->lo) / (l->hi - l->lo) * last;

	return last - (int)(fmin(fmax(at, 0), last) + 0.5);
}

/* Returns the first column of dots of point i of n. */
static int
column_of(const struct lines *l, int i, int n)
{
	return (int)((int64_t)i * l->area.w * dots_wide(l) / n);
}

/* ---------------------------------------------------------------- drawing */

static bool
is_on(const struct lines *l, const struct lines_style *k, int x)
{
	return k->off == 0 || !l->dashes || x % (k->on + k->off) < k->on;
}

void
lines_line(struct lines *l, const double *v, int n, const struct lines_style *k)
{
	int before = -1;

	for (int i = 0; i < n; i++) {
		if (isnan(v[i])) {
			before = -1;
			continue;
		}
		int y = row_of(l, v[i]), x = column_of(l, i, n), end = column_of(l, i + 1, n);
		/* A step up or down is drawn without gaps: the dashes run along the line. */
		int from = before < 0 ? y : before < y ? before + 1 : before > y ? before - 1 : y;
		for (int r = from; x < end && r != y; r += y > r ? 1 : -1)
			draw_dot(l, x, r, k->role, l->dots == LINES_ASCII ? '|' : k->letter);
		for (; x < end; x++)
			if (is_on(l, k, x))
				draw_dot(l, x, y, k->role, k->letter);
		before = y;
	}
}

void
lines_band(struct lines *l, const double *low, const double *high, int n, unsigned role)
{
	for (int i = 0; i < n; i++) {
		if (isnan(low[i]) || isnan(high[i]))
			continue;
		int top = row_of(l, high[i]), bottom = row_of(l, low[i]);
		for (int x = column_of(l, i, n); x < column_of(l, i + 1, n); x++)
			for (int y = top; y <= bottom; y++)
				if ((x + y) % 2 == 0 || l->dots != LINES_BRAILLE)
					draw_dot(l, x, y, role, ':');
	}
}

void
lines_level(struct lines *l, double v, unsigned role, bool dashed)
{
	int w = l->area.w * dots_wide(l), dash = dots_wide(l) * 2;

	if (isnan(v))
		return;
	for (int x = 0; x < w; x++)
		if (!dashed || x % (2 * dash) < dash)
			draw_dot(l, x, row_of(l, v), role, '-');
}

void
lines_cursor(struct lines *l, int column)
{
	for (int y = 0; column >= 0 && y < l->area.h; y++) {
		const struct cell *k = canvas_at(&l->area, column, y);
		if (k && (k->wc == 0 || k->wc == ' '))
			canvas_put(&l->area, column, y, ROLE_CURSOR, 0x2502);
		else
			canvas_attr(&l->area, column, y, 1, ATTR_REVERSE);
	}
}

/* ---------------------------------------------------------------- numbers */

const char *
lines_number(char *buf, size_t size, double v, int w)
{
	static const char unit[] = "\0kMGTP";
	char num[64];
	size_t u = 0;

	if (!isfinite(v)) {
		snprintf(buf, size, "-");
		return buf;
	}
	for (; fabs(v) >= (w > 4 && u == 0 ? 9999.5 : 999.5) && u + 2 < sizeof(unit); u++)
		v /= 1000;
	/* Use as many decimals as fit, without trailing zeros. */
	for (int decimals = 3; decimals >= 0; decimals--) {
		size_t n = (size_t)snprintf(num, sizeof(num), "%.*f", decimals, v);
		while (decimals && n && num[n - 1] == '0')
			num[--n] = '\0';
		if (decimals && n && num[n - 1] == '.')
			num[--n] = '\0';
		if ((int)n + (u > 0) <= w || decimals == 0)
			break;
	}
	snprintf(buf, size, "%s%.*s", strcmp(num, "-0") == 0 ? "0" : num, u > 0, unit + u);
	return buf;
}

/* The number at an axis: a fraction does without the 0 before its point, ".75". */
static const char *
axis_number(char *buf, size_t size, double v, int w)
{
	lines_number(buf, size, v, v > 0 && v < 1 ? w + 1 : w);
	return buf + (strncmp(buf, "0.", 2) == 0);
}

/* Whether a text of axis_number() is the number but for so much. */
static bool
reads_as(const char *text, double v, double room)
{
	static const char unit[] = "kMGTP";
	char *end;
	double x = strtod(text, &end);
	const char *u = *end ? strchr(unit, *end) : NULL;

	for (; u && u >= unit; u--)
		x *= 1000;
	return fabs(x - v) <= room;
}

void
lines_numbers(const struct lines *l, struct canvas *gutter)
{
	int h = l->area.h, parts = h >= 12 ? 4 : h >= 5 ? 2 : 1;
	double range = l->hi - l->lo;
	char buf[64];

	for (int i = h > 1 ? 0 : 1; i <= parts && h > 0; i++) {
		double v = l->lo + range * (1 - (double)i / parts);
		const char *num = "";
		bool is_right = false;

		/* the blank before the lines is given up for a number that is wrong without it */
		for (int w = gutter->w - 1; w <= gutter->w && !is_right; w++) {
			num = axis_number(buf, sizeof(buf), v, w);
			is_right = reads_as(num, v, range / parts / 10);
		}
		if (is_right)
			canvas_right(gutter, 0, i * (h - 1) / parts,
				     MAX(gutter->w - 1, text_width(num)), ROLE_DIM, num);
	}
}

void
lines_round(double *lo, double *hi)
{
	static const double nice[] = {1, 1.5, 2, 2.5, 3, 4, 5, 7.5};
	double unit, step = 0, from = 0;

	if (!isfinite(*lo) || !isfinite(*hi) || *hi < *lo) {
		*lo = 0;
		*hi = 1;
		return;
	}
	/* If the range does not reach down to 0, the height of a line above the bottom means
	 * little. */
	if (*lo > 0)
		*lo = 0;
	if (*hi < 0)
		*hi = 0;
	if (*hi - *lo <= 0)
		*hi = *lo + 1;
	/* Use four steps of the smallest round size that cover both. */
	unit = pow(10, floor(log10(*hi - *lo)) - 1);
	for (size_t k = 0;; k++) {
		if (k == ARRAY_LEN(nice))
			k = 0, unit *= 10;
		step = nice[k] * unit;
		from = floor(*lo / step + 1e-9) * step;
		if (from + 4 * step >= *hi * (1 - 1e-9))
			break;
	}
	*lo = from;
	*hi = from + 4 * step;
}

int
lines_key(struct canvas *c, int x, int y, int w, const struct painter *p,
	  const struct lines_style *k, const char *name)
{
	struct canvas area = canvas_sub(c, x, y, MIN(p->unicode ? 2 : 1, w), 1);
	struct lines l;
	double v[1] = {0.5};

	if (w < 4)
		return 0;
	lines_init(&l, &area, p, 0, 1);
	lines_line(&l, v, 1, k);
	return area.w + 1 + canvas_fit(c, x + area.w + 1, y, w - area.w - 1, ROLE_DIM, name);
}
