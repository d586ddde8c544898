/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_changes.c - shows the table of what differs between two runs, with each change as a bar. The
 * chosen row is the column that pane delta shows.
 */
#include "tui/compare_page.h"
#include "base/human.h"
#include "tui/fmt.h"
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool
in_table(const struct compare_view *v, unsigned i)
{
	return i == v->item || compare_differs(&v->compare->item[i]);
}

/* Returns how many rows of the table are above the chosen one. */
static unsigned
place_of_chosen(const struct compare_view *v)
{
	unsigned n = 0;

	for (unsigned i = 0; i < v->item; i++)
		n += in_table(v, i);
	return n;
}

/* Returns the change in percent for the bar, NaN if there is none, and writes it as text. */
static double
change_of(const struct compare_item *i, char *buf, size_t size)
{
	double change = 100 * (i->value[1] / i->value[0] - 1);

	char num[HUMAN];

	if (!compare_differs(i))
		snprintf(buf, size, "same");
	else if (compare_totals_equal(i))
		snprintf(buf, size, "spread");
	else if (!isfinite(change))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%s", human_change(num, change, 1));
	return isfinite(change) ? change : (double)NAN;
}

/* Draws the bar from the middle, clipped at 100 percent. */
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

static void
draw_pane(struct screen *s, struct pane_view *pane ATTR_UNUSED, struct canvas *c)
{
	static const char *const head[] = {
		[COMPARE_SERIES] = "value", [COMPARE_NOW] = "sum", [COMPARE_STATS] = "statistic"};
	struct compare_view *v = compare_view_of(s);
	const struct compare *k = v->compare;
	unsigned at = place_of_chosen(v), row = 0, all = 0;
	int name = 12, number = 10, y = 1;
	char num[FMT_MAX], title[80];

	snprintf(title, sizeof(title), "%s, %u of %u differ", head[k->kind], k->differ,
		 k->differ + k->same);
	for (unsigned i = 0; i < k->n_items; i++) {
		if (!in_table(v, i))
			continue;
		all++;
		name = MAX(name, text_width(k->item[i].name));
		for (unsigned side = 0; side < 2; side++)
			number = MAX(number,
				     text_width(value_text(num, k->item[i].value[side])) + 1);
	}
	number = MIN(number, MAX((c->w - 24) / 2, 8));
	name = MAX(name, text_width(title) - number + 3); /* the title ends before "A" */
	name = MIN(name, MAX(c->w - 2 * number - 14, 6));
	v->rows = c->h - 1;
	if (v->rows < 1)
		return;
	if (at < v->top)
		v->top = at;
	if (at >= v->top + (unsigned)v->rows)
		v->top = at - (unsigned)v->rows + 1;
	/* The pane is higher than in the last frame where the map has fewer rows. */
	v->top = MIN(v->top, all - MIN(all, (unsigned)v->rows));
	/* A narrow screen shows the count alone. */
	canvas_fit(c, 1, 0, name + number - 3, ROLE_TITLE,
		   text_width(title) > name + number - 3 ? strchr(title, ' ') + 1 : title);
	canvas_right(c, name + 2, 0, number - 1, ROLE_DIM, "A");
	canvas_right(c, name + 2 + number, 0, number - 1, ROLE_DIM, "B");
	canvas_right(c, name + 2 + 2 * number, 0, 10, ROLE_DIM, "change");
	for (unsigned i = 0; i < k->n_items && y < c->h; i++)
		if (in_table(v, i) && row++ >= v->top)
			draw_row(v, c, y++, i, name, number);
}

const struct pane_ops pane_changes = {
	.name = "changes",
	.help = "The values that differ between the runs: totals of counts, and means over the "
		"cycles. - marks a column that has neither; spread, equal values of different "
		"samples.",
	.kind = PANE_PAGE,
	.when = WHEN_COMPARE,
	.draw = draw_pane,
};
