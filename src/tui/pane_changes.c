/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_changes.c - shows the table of what differs between two runs, with each change as a bar
 * where there is room. The chosen row is the column that pane delta shows.
 */
#include "tui/compare_page.h"
#include "base/human.h"
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CHANGE 10 /* columns of the change in percent */
#define BAR 15	  /* columns of a bar with both ends of its scale; a long name is cut for it */
#define NAME 24	  /* columns that such a name keeps */
#define BAR_MIN 9 /* a smaller bar is left out */
#define BAR_MOST 41

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

/* The columns of the table: a name, two numbers, the change and its bar. */
struct table_shape {
	int name, number; /* widths */
	int half;     /* cells of a bar to each side of its axis; 0: no room, or nothing to draw */
	double scale; /* the change in percent that fills them */
};

static int
x_of_change(const struct table_shape *t)
{
	return t->name + 2 + 2 * t->number;
}

static int
x_of_bars(const struct table_shape *t)
{
	return x_of_change(t) + CHANGE + 1;
}

/* Returns the change in percent for the bar, NaN if there is none, and writes it as text. */
static double
change_of(const struct compare_item *i, char *buf, size_t size)
{
	double change = 100 * (i->value[1] / i->value[0] - 1);
	const char *why_none = !compare_differs(i)	 ? "same"
			       : compare_totals_equal(i) ? "spread"
			       : !isfinite(change)	 ? "-"
							 : NULL;
	char num[HUMAN];

	snprintf(buf, size, "%s", why_none ? why_none : human_change(num, change, 1));
	return why_none ? (double)NAN : change;
}

/* Returns the change in percent that fills a bar: the largest in the table, rounded up to a round
 * number, but at most 100. 0: the table has no bar. */
static double
scale_of_bars(const struct compare_view *v)
{
	static const double round[] = {1, 2, 5, 10, 20, 50, 100};
	double most = 0;
	size_t k = 0;
	char text[64];

	for (unsigned i = 0; i < v->compare->n_items; i++)
		if (in_table(v, i))
			most = fmax(most,
				    fabs(change_of(&v->compare->item[i], text, sizeof(text))));
	while (k + 1 < ARRAY_LEN(round) && round[k] < most)
		k++;
	return most > 0 ? round[k] : 0;
}

/* Draws the bar from the middle. Even the smallest change has one cell, which shows its direction;
 * a change above the scale fills the bar. */
static void
draw_change(const struct table_shape *t, struct canvas *c, int y, double change)
{
	int middle = x_of_bars(t) + t->half, n = 0;
	unsigned code = heat_diff(change < 0 ? -0.75 : 0.75, 1);

	if (!isnan(change))
		n = MAX((int)lround(fmin(fabs(change) / t->scale, 1) * t->half), 1);
	canvas_put(c, middle, y, ROLE_FRAME, 0x2502);
	for (int i = 1; i <= n; i++)
		canvas_heat(c, middle + (change < 0 ? -i : i), y, code, code, false);
}

static void
draw_row(const struct compare_view *v, const struct table_shape *t, struct canvas *c, int y,
	 unsigned item)
{
	const struct compare_item *i = &v->compare->item[item];
	bool chosen = item == v->item;
	char text[64], num[2][HUMAN];
	double change = change_of(i, text, sizeof(text));

	human_pair(num[0], num[1], i->value[0], i->value[1]);
	canvas_put(c, 0, y, ROLE_FOCUS, chosen ? 0x25b8 : ' ');
	canvas_fit(c, 1, y, t->name, chosen ? ROLE_FOCUS : ROLE_TEXT, i->name);
	canvas_right(c, x_of_change(t), y, CHANGE, chosen ? ROLE_VALUE : ROLE_TEXT, text);
	if (t->half)
		draw_change(t, c, y, change);
	for (int side = 0; side < 2; side++)
		canvas_right(c, t->name + 2 + side * t->number, y, t->number - 1, ROLE_TEXT,
			     num[side]);
}

/* Chooses widths for the columns. A bar with room for its scale is worth the end of a long name. */
static struct table_shape
choose_shape(const struct compare_view *v, int w, const char *title)
{
	const struct compare *k = v->compare;
	struct table_shape t = {.name = 12, .number = 10, .scale = scale_of_bars(v)};
	char num[2][HUMAN];
	int rest;

	for (unsigned i = 0; i < k->n_items; i++) {
		if (!in_table(v, i))
			continue;
		t.name = MAX(t.name, text_width(k->item[i].name));
		human_pair(num[0], num[1], k->item[i].value[0], k->item[i].value[1]);
		t.number = MAX(t.number, MAX(text_width(num[0]), text_width(num[1])) + 1);
	}
	t.number = MIN(t.number, MAX((w - 24) / 2, 8));
	t.name = MAX(t.name, text_width(title) - t.number + 3); /* the title ends before "A" */
	rest = w - 2 - 2 * t.number - CHANGE - 2;
	if (t.scale > 0 && rest - BAR >= NAME)
		t.name = MIN(t.name, rest - BAR);
	t.name = MIN(t.name, MAX(rest, 6));
	if (t.scale > 0 && rest - t.name >= BAR_MIN)
		t.half = (MIN(rest - t.name, BAR_MOST) - 1) / 2;
	return t;
}

/* Draws the headline: how many differ, the names of the columns, and the scale of the bars. */
static void
draw_head(const struct table_shape *t, struct canvas *c, const char *title)
{
	int room = t->name + t->number - 3, x = x_of_bars(t);
	char text[16];

	/* A narrow screen shows the count alone. */
	canvas_fit(c, 1, 0, room, ROLE_TITLE,
		   text_width(title) > room ? strchr(title, ' ') + 1 : title);
	canvas_right(c, t->name + 2, 0, t->number - 1, ROLE_DIM, "A");
	canvas_right(c, t->name + 2 + t->number, 0, t->number - 1, ROLE_DIM, "B");
	canvas_right(c, x_of_change(t), 0, CHANGE, ROLE_DIM, "change");
	if (!t->half)
		return;
	snprintf(text, sizeof(text), "-%.0f %%", t->scale);
	if (text_width(text) <= t->half)
		canvas_text(c, x, 0, ROLE_DIM, text);
	text[0] = '+';
	canvas_right(c, x + t->half, 0, t->half + 1, ROLE_DIM,
		     text_width(text) > t->half ? text + 1 : text);
}

static void
draw_pane(struct screen *s, struct pane_view *pane ATTR_UNUSED, struct canvas *c)
{
	static const char *const head[] = {
		[COMPARE_SERIES] = "value", [COMPARE_NOW] = "sum", [COMPARE_STATS] = "statistic"};
	struct compare_view *v = compare_view_of(s);
	const struct compare *k = v->compare;
	unsigned at = place_of_chosen(v), row = 0, all = 0;
	struct table_shape t;
	char title[80];
	int y = 1;

	v->rows = c->h - 1;
	if (v->rows < 1)
		return;
	for (unsigned i = 0; i < k->n_items; i++)
		all += in_table(v, i);
	if (at < v->top)
		v->top = at;
	if (at >= v->top + (unsigned)v->rows)
		v->top = at - (unsigned)v->rows + 1;
	/* The pane is higher than in the last frame where the map has fewer rows. */
	v->top = MIN(v->top, all - MIN(all, (unsigned)v->rows));
	snprintf(title, sizeof(title), "%s, %u of %u differ", head[k->kind], k->differ,
		 k->differ + k->same);
	t = choose_shape(v, c->w, title);
	draw_head(&t, c, title);
	for (unsigned i = 0; i < k->n_items && y < c->h; i++)
		if (in_table(v, i) && row++ >= v->top)
			draw_row(v, &t, c, y++, i);
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
