/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_shares.c - shows the core cycles of two runs by class, on one scale: a row for each class,
 * or on a low screen one for each run.
 */
#include "tui/compare_page.h"
#include "tui/fmt.h"
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>

#define FROM_H 14 /* screens of fewer rows show one row per run */

static double
total_cycles(const struct compare *c, unsigned side)
{
	double sum = 0;

	for (unsigned k = 0; k < CC_CLASSES; k++)
		sum += c->class_cycles[side][k];
	return sum;
}

/* Draws the colour of a class, or its letter on terminals that use letters. */
static void
draw_swatch(struct canvas *c, int x, int y, int w, unsigned class)
{
	for (int i = 0; i < w; i++)
		canvas_heat(c, x + i, y, HEAT_CLASS + class, HEAT_CLASS + class, false);
}

/* Draws one bar for a run, with its classes one after the other. */
static void
draw_stack(const struct compare *c, struct canvas *in, int y, unsigned side, int x, int w,
	   double most)
{
	double before = 0;

	canvas_text(in, 1, y, ROLE_TITLE, side ? "B" : "A");
	for (unsigned k = 0; k < CC_CLASSES; k++) {
		int from = (int)lround(before / most * w), to;

		before += c->class_cycles[side][k];
		to = (int)lround(before / most * w);
		draw_swatch(in, x + from, y, to - from, k);
	}
}

/* Draws "core cycles  active  stall ..." over a bar of A and one of B. */
static void
draw_short(const struct compare *c, struct canvas *in, double most, bool letters)
{
	int x = 1 + canvas_text(in, 1, 0, ROLE_TITLE, "core cycles") + 1,
	    room = (in->w - x) / CC_CLASSES;

	for (unsigned k = 0; k < CC_CLASSES && room >= 4; k++) {
		bool in_name = letters && class_glyph(k) == (unsigned char)*cycle_class_names[k];

		draw_swatch(in, x + (int)k * room, 0, 1, k);
		canvas_fit(in, x + (int)k * room + 1, 0, room - 2, ROLE_DIM,
			   cycle_class_names[k] + in_name);
	}
	for (unsigned side = 0; side < 2; side++)
		draw_stack(c, in, 1 + (int)side, side, 3, in->w - 4, most);
}

/* Draws a row for each class: a bar and a share for each run, and the difference in cycles. */
static void
draw_rows(const struct compare *c, struct canvas *in)
{
	enum { NAME = 13, SHARE = 8, MORE = 14 };
	int bar = (in->w - NAME - 2 * SHARE - MORE - 4) / 2, x;
	double largest = 0;
	char text[FMT_MAX + 8], num[FMT_MAX];

	for (unsigned k = 0; k < CC_CLASSES; k++)
		for (unsigned side = 0; side < 2; side++)
			largest = fmax(largest, c->class_cycles[side][k]);
	canvas_text(in, 1, 0, ROLE_TITLE, "core cycles");
	canvas_text(in, NAME + 1, 0, ROLE_TITLE, "A");
	canvas_text(in, NAME + 1 + bar + SHARE + 1, 0, ROLE_TITLE, "B");
	canvas_right(in, in->w - MORE - 1, 0, MORE, ROLE_DIM, "B - A");
	for (unsigned k = 0; k < CC_CLASSES && (int)k + 1 < in->h; k++) {
		double more = c->class_cycles[1][k] - c->class_cycles[0][k];
		int y = (int)k + 1;

		draw_swatch(in, 1, y, 1, k);
		canvas_fit(in, 3, y, NAME - 3, ROLE_TEXT, cycle_class_names[k]);
		for (unsigned side = 0; side < 2; side++) {
			double v = c->class_cycles[side][k];
			int w = (int)lround(v / largest * bar);

			x = NAME + 1 + (int)side * (bar + SHARE + 1);
			draw_swatch(in, x, y, MAX(w, 0), k);
			snprintf(text, sizeof(text), "%.1f %%", 100 * v / total_cycles(c, side));
			canvas_right(in, x + bar, y, SHARE, ROLE_VALUE, text);
		}
		snprintf(text, sizeof(text), "%s%s", more > 0 ? "+" : "", fmt_num(num, more, 0));
		canvas_right(in, in->w - MORE - 1, y, MORE, more ? ROLE_TEXT : ROLE_DIM, text);
	}
}

static int
wanted_height(struct screen *s, struct pane_view *pane ATTR_UNUSED)
{
	return compare_has_classes(compare_view_of(s)->compare) && s->canvas->h >= FROM_H
		       ? CC_CLASSES + 1
		       : 0;
}

static void
draw_pane(struct screen *s, struct pane_view *pane ATTR_UNUSED, struct canvas *c)
{
	const struct compare *k = compare_view_of(s)->compare;
	double most = fmax(total_cycles(k, 0), total_cycles(k, 1));

	if (c->h > CC_CLASSES)
		draw_rows(k, c);
	else
		draw_short(k, c, most, s->painter.shades || s->painter.depth <= DEPTH_16);
}

const struct pane_ops pane_shares = {
	.name = "shares",
	.help = "The core cycles of both runs by class.",
	.kind = PANE_PAGE,
	.when = WHEN_COMPARE,
	.min_h = 3,
	.height = wanted_height,
	.draw = draw_pane,
};
