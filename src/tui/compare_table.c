/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_table.c - the lower part of a comparison (compare_view.h): the core cycles of both runs
 * by class, on one scale, and the table of what differs, with each change as a bar.
 */
#include "tui/compare_view.h"
#include "tui/fmt.h"
#include "tui/lines.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- where the cycles went */

static double
total(const struct compare *c, unsigned side)
{
	double sum = 0;

	for (unsigned k = 0; k < CC_CLASSES; k++)
		sum += c->class_cycles[side][k];
	return sum;
}

/* The colour of a class, with its letter where there are letters instead. */
static void
swatch(struct canvas *c, int x, int y, int w, unsigned class)
{
	for (int i = 0; i < w; i++)
		canvas_heat(c, x + i, y, HEAT_CLASS + class, HEAT_CLASS + class, false);
}

/* One bar for a run, classes one behind the other. */
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
		swatch(in, x + from, y, to - from, k);
	}
}

/* "core cycles  active  stall ..." over a bar of A and one of B. */
static void
draw_short(const struct compare *c, struct canvas *in, double most, bool letters)
{
	int x = 1 + canvas_text(in, 1, 0, ROLE_TITLE, "core cycles") + 1,
	    room = (in->w - x) / CC_CLASSES;

	for (unsigned k = 0; k < CC_CLASSES && room >= 4; k++) {
		bool in_name = letters && class_glyph(k) == (unsigned char)*cycle_class_names[k];

		swatch(in, x + (int)k * room, 0, 1, k);
		canvas_fit(in, x + (int)k * room + 1, 0, room - 2, ROLE_DIM,
			   cycle_class_names[k] + in_name);
	}
	for (unsigned side = 0; side < 2; side++)
		draw_stack(c, in, 1 + (int)side, side, 3, in->w - 4, most);
}

/* A row for each class: of both runs a bar and its share, and by how many cycles they differ. */
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

		swatch(in, 1, y, 1, k);
		canvas_fit(in, 3, y, NAME - 3, ROLE_TEXT, cycle_class_names[k]);
		for (unsigned side = 0; side < 2; side++) {
			double v = c->class_cycles[side][k];
			int w = (int)lround(v / largest * bar);

			x = NAME + 1 + (int)side * (bar + SHARE + 1);
			swatch(in, x, y, MAX(w, 0), k);
			snprintf(text, sizeof(text), "%.1f %%", 100 * v / total(c, side));
			canvas_right(in, x + bar, y, SHARE, ROLE_VALUE, text);
		}
		snprintf(text, sizeof(text), "%s%s", more > 0 ? "+" : "", fmt_num(num, more, 0));
		canvas_right(in, in->w - MORE - 1, y, MORE, more ? ROLE_TEXT : ROLE_DIM, text);
	}
}

void
compare_classes_draw(const struct compare_view *v, struct canvas *c)
{
	const struct compare *k = v->compare;
	double most = fmax(total(k, 0), total(k, 1));

	if (c->h > CC_CLASSES)
		draw_rows(k, c);
	else
		draw_short(k, c, most, v->painter->shades || v->depth <= DEPTH_16);
}

/* ---------------------------------------------------------------- what differs */

static bool
in_table(const struct compare_view *v, unsigned i)
{
	return i == v->item || compare_differs(&v->compare->item[i]);
}

/* Rows above the chosen one. */
static unsigned
place_of_chosen(const struct compare_view *v)
{
	unsigned n = 0;

	for (unsigned i = 0; i < v->item; i++)
		n += in_table(v, i);
	return n;
}

/* The change in percent, as words and for the bar; NaN: there is none. */
static double
change_of(const struct compare_item *i, char *buf, size_t size)
{
	double change = 100 * (i->value[1] / i->value[0] - 1);

	if (!compare_differs(i))
		snprintf(buf, size, "same");
	else if (compare_spread(i))
		snprintf(buf, size, "spread");
	else if (!isfinite(change))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, fabs(change) >= 9999.5 ? "%+.3g %%" : "%+.1f %%", change);
	return isfinite(change) ? change : (double)NAN;
}

/* From the middle, as far as 100 percent. */
static void
draw_change(struct canvas *c, int x, int y, int w, double change)
{
	int half = (w - 1) / 2, n = (int)lround(fmin(fabs(change), 100) / 100 * half);
	unsigned code = heat_diff(change < 0 ? -0.75 : 0.75, 1);

	canvas_put(c, x + half, y, ROLE_FRAME, 0x2502);
	for (int i = 1; i <= n && !isnan(change); i++)
		canvas_heat(c, x + half + (change < 0 ? -i : i), y, code, code, false);
}

static const char *
value_text(char buf[FMT_MAX], double v)
{
	if (v != 0 && fabs(v) < 0.01) {
		snprintf(buf, FMT_MAX, "%.3g", v);
		return buf;
	}
	return fmt_num(buf, v, v == floor(v) || fabs(v) >= 1e4 ? 0 : fabs(v) >= 10 ? 2 : 4);
}

static void
draw_row(const struct compare_view *v, struct canvas *c, int y, unsigned item, int name, int number)
{
	const struct compare_item *i = &v->compare->item[item];
	bool chosen = item == v->item;
	char text[64];
	double change = change_of(i, text, sizeof(text));
	int x = name + 2, bar = MIN(c->w - x - 2 * number - 12, 41);

	canvas_put(c, 0, y, ROLE_FOCUS, chosen ? 0x25b8 : ' ');
	canvas_fit(c, 1, y, name, chosen ? ROLE_FOCUS : ROLE_TEXT, i->name);
	canvas_right(c, x + 2 * number, y, 10, chosen ? ROLE_VALUE : ROLE_TEXT, text);
	if (bar >= 9)
		draw_change(c, x + 2 * number + 11, y, bar, change);
	for (unsigned side = 0; side < 2; side++)
		canvas_right(c, x + (int)side * number, y, number - 1, ROLE_TEXT,
			     value_text(text, i->value[side]));
}

void
compare_table_draw(struct compare_view *v, struct canvas *c)
{
	static const char *const head[] = {
		[COMPARE_SERIES] = "mean", [COMPARE_NOW] = "sum", [COMPARE_STATS] = "statistic"};
	const struct compare *k = v->compare;
	unsigned at = place_of_chosen(v), row = 0;
	int name = 12, number = 10, y = 1;
	char num[FMT_MAX], title[80];

	for (unsigned i = 0; i < k->n_items; i++) {
		if (!in_table(v, i))
			continue;
		name = MAX(name, text_width(k->item[i].name));
		for (unsigned side = 0; side < 2; side++)
			number = MAX(number,
				     text_width(value_text(num, k->item[i].value[side])) + 1);
	}
	number = MIN(number, MAX((c->w - 24) / 2, 8));
	name = MIN(name, MAX(c->w - 2 * number - 14, 6));
	v->rows = c->h - 1;
	if (v->rows < 1)
		return;
	if (at < v->top)
		v->top = at;
	if (at >= v->top + (unsigned)v->rows)
		v->top = at - (unsigned)v->rows + 1;
	snprintf(title, sizeof(title), "%s, %u of %u differ", head[k->kind], k->differ, k->n_items);
	canvas_fit(c, 1, 0, name + number - 3, ROLE_TITLE, title);
	canvas_right(c, name + 2, 0, number - 1, ROLE_DIM, "A");
	canvas_right(c, name + 2 + number, 0, number - 1, ROLE_DIM, "B");
	canvas_right(c, name + 2 + 2 * number, 0, 10, ROLE_DIM, "change");
	for (unsigned i = 0; i < k->n_items && y < c->h; i++)
		if (in_table(v, i) && row++ >= v->top)
			draw_row(v, c, y++, i, name, number);
}
