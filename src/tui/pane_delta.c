/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_delta.c - the heat strip of a comparison: cores from top to bottom, time from left to right,
 * B - A in the cells.
 *
 * Two hues for less and more meet in a neutral colour. The range is symmetric and covers what is
 * shown. If there are more cores than rows, each row shows the mean of several neighbours or their
 * largest difference; the legend says which.
 */
#include "tui/axis.h"
#include "tui/compare_page.h"
#include "tui/fmt.h"
#include "tui/lines.h"
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TABLE_ROWS \
	26 /* kept free below the strip on a tall screen: as many as a series has columns */
#define NAME_MIN 12 /* columns of the name in the legend */
#define ROOM_MIN 6  /* fewer rows for all panes leave no room for the strip */

/* How instances are folded into rows: `fold` instances form a band, and each of n bands is `tall`
 * parts of a row high. */
struct bands {
	unsigned fold, n, tall, parts; /* parts of a row: 2 if the terminal can show halves */
};

static struct bands
bands_of(const struct compare_view *v, const struct painter *p, int rows)
{
	bool halves = p->half && p->depth > DEPTH_16;
	struct bands b = {.parts = halves ? 2 : 1};
	unsigned room = b.parts * (unsigned)MAX(rows, 1), all = MAX(v->map.instances, 1u);

	b.fold = (all + room - 1) / room;
	b.n = (all + b.fold - 1) / b.fold;
	b.tall = MAX(room / b.n, 1u);
	if (b.tall > 1)
		b.tall -= b.tall % b.parts; /* use whole rows */
	return b;
}

static int
label_width(int w)
{
	return w < 50 ? 0 : 5;
}

/* Computes the map of the chosen column for that screen width. */
static void
prepare_map(struct compare_view *v, int w)
{
	const struct compare *c = v->compare;

	w = MAX(w - label_width(w), 1);
	if (v->mapped_w == w && v->mapped == v->item)
		return;
	compare_map_free(&v->map);
	v->mapped = v->item;
	v->mapped_w = w;
	v->why = (struct err){0};
	if (compare_map(c, c->item[v->item].name, (unsigned)w, &v->map, &v->why))
		compare_map_free(&v->map); /* `why` says why there is no map */
}

/* Returns the difference of a band in a column. NaN means that there is none; *code then says what
 * to draw. */
static double
difference_of_band(const struct compare_view *v, const struct bands *b, unsigned band, unsigned x,
		   unsigned *code)
{
	const struct compare_map *m = &v->map;
	double sum = 0, largest = 0;
	unsigned n = 0, known[2] = {0, 0};

	for (unsigned i = band * b->fold; i < (band + 1) * b->fold && i < m->instances; i++) {
		double p = m->value[0][(size_t)i * m->columns + x],
		       q = m->value[1][(size_t)i * m->columns + x];

		known[0] += !isnan(p);
		known[1] += !isnan(q);
		if (isnan(p) || isnan(q))
			continue;
		n++;
		sum += q - p;
		if (fabs(q - p) > fabs(largest))
			largest = q - p;
	}
	*code = known[0] ? HEAT_LEFT : known[1] ? HEAT_RIGHT : HEAT_NONE;
	return !n ? (double)NAN : v->largest ? largest : sum / n;
}

/* What the strip shows: the largest difference, and whether some cell is of A or of B only. */
struct extent {
	double most;
	bool only[2];
};

static struct extent
extent_of(const struct compare_view *v, const struct bands *b)
{
	struct extent to = {0};
	unsigned code;

	for (unsigned i = 0; i < b->n; i++)
		for (unsigned x = 0; x < v->map.columns; x++) {
			double d = difference_of_band(v, b, i, x, &code);

			to.most = fmax(to.most, fabs(d));
			to.only[0] |= isnan(d) && code == HEAT_LEFT;
			to.only[1] |= isnan(d) && code == HEAT_RIGHT;
		}
	return to;
}

static unsigned
code_at(const struct compare_view *v, const struct bands *b, unsigned band, unsigned x, double most)
{
	unsigned code;
	double d = band < b->n ? difference_of_band(v, b, band, x, &code) : (code = HEAT_NONE, NAN);

	return isnan(d) ? code : heat_diff(d, most);
}

static void
draw_strip(const struct compare_view *v, struct canvas *c, int label, const struct bands *b,
	   double most)
{
	for (unsigned y = 0; y < (unsigned)c->h; y++) {
		unsigned up = y * b->parts / b->tall, low = (y * b->parts + b->parts - 1) / b->tall;
		char num[FMT_MAX];

		if (up >= b->n)
			break;
		if (label && (y == 0 || (y * b->parts - 1) / b->tall != up)) {
			compare_map_name(&v->map, up * b->fold, num, sizeof(num));
			canvas_right(c, 0, (int)y, label - 1, ROLE_DIM, num);
		}
		for (unsigned x = 0; x < v->map.columns; x++) {
			unsigned hi = code_at(v, b, up, x, most), lo = code_at(v, b, low, x, most);

			if (hi != HEAT_NONE || lo != HEAT_NONE)
				canvas_heat(c, label + (int)x, (int)y, hi, lo, false);
		}
	}
}

/* Draws a text of the legend if there is room and returns its columns with the gap after it. */
static int
draw_part(struct canvas *c, int x, const char *text)
{
	int w = text_width(text);

	return w && x + w < c->w ? canvas_text(c, x, 0, ROLE_DIM, text) + 2 : 0;
}

static int
draw_ramp(struct canvas *c, int x, const char *num, int w)
{
	int at = x + canvas_printf(c, x, 0, ROLE_DIM, "-%s ", num);

	for (int i = 0; i < w; i++) {
		unsigned code = HEAT_DIFF + (unsigned)((HEAT_DIFFS - 1) * i / (w - 1));

		canvas_heat(c, at++, 0, code, code, false);
	}
	return at + canvas_printf(c, at, 0, ROLE_DIM, " +%s", num) + 2 - x;
}

/* Draws "ctas_running, B - A  -6 [ramp] +6  a row: mean of 2  < only A  > only B". Where that is
 * too long, "a row:" is left out and then the name is cut, so that the marks stay explained. */
static void
draw_legend(const struct compare_view *v, struct canvas *c, const struct bands *b,
	    const struct extent *shown)
{
	static const char *const marks[2][2] = {{"", "> only B"},
						{"< only A", "< only A  > only B"}};
	static const char what[] = ", B - A", row[] = "a row: ";
	const char *mark = marks[shown->only[0]][shown->only[1]],
		   *name = v->compare->item[v->item].name;
	char num[FMT_MAX], fold[32] = "", text[64];
	const char *part = fold;
	int x = 1, ramp = c->w >= 100 ? 17 : 9, room;

	lines_number(num, sizeof(num), shown->most, 4);
	if (b->fold > 1)
		snprintf(fold, sizeof(fold), "%s%s of %u", row, v->largest ? "largest" : "mean",
			 b->fold);
	room = c->w - x - (int)strlen(what) - ramp - 2 * text_width(num) - 8 -
	       (*mark ? text_width(mark) + 2 : 0);
	if (*fold && room - text_width(fold) - 2 < text_width(name))
		part += strlen(row);
	if (*fold)
		room -= text_width(part) + 2;
	x += canvas_fit(c, x, 0, MAX(room, NAME_MIN), ROLE_TITLE, name);
	x += canvas_text(c, x, 0, ROLE_TITLE, what) + 2;
	if (shown->most > 0) {
		x += draw_ramp(c, x, num, ramp);
		if (x + text_width(part) + 2 + text_width(mark) < c->w || !*mark)
			x += draw_part(c, x, part);
	} else {
		x += draw_part(c, x, *mark ? "no difference" : "the same in every sample");
	}
	x += draw_part(c, x, mark);
	snprintf(text, sizeof(text), "1 column = %s cycles", fmt_u64(num, v->map.per));
	if (x + text_width(text) < c->w)
		canvas_right(c, x, 0, c->w - x - 1, ROLE_DIM, text);
}

static void
draw_axis(const struct compare_view *v, struct canvas *c, int label)
{
	struct axis a = {.per = v->map.per, .w = (int)v->map.columns};
	cycle_t tick = axis_tick(&a, 9);
	char num[FMT_MAX];

	for (cycle_t t = 0; t < a.per * (cycle_t)a.w; t += tick) {
		int x = label + (int)(t / a.per);

		fmt_short(num, t);
		if (x + text_width(num) <= c->w)
			canvas_text(c, x, 0, ROLE_DIM, num);
	}
}

/* Returns the rows of the strip when all panes have `room` rows: one or two per core if that leaves
 * enough for the others. */
static int
strip_rows(const struct compare_view *v, int room)
{
	int cores = (int)v->map.instances, most = MAX(room * 2 / 5, MIN(room, 3));

	if (room >= 34)
		most = MAX(room / 2, room - TABLE_ROWS);
	if (2 * cores <= most)
		return 2 * cores;
	if (cores <= most)
		return cores;
	return MIN((cores + 1) / 2, most);
}

/* The height depends on the number of cores. */
static int
wanted_height(struct screen *s, struct pane_view *pane ATTR_UNUSED)
{
	struct compare_view *v = compare_view_of(s);
	int room = s->canvas->h - 2;

	if (v->compare->kind != COMPARE_SERIES)
		return 0;
	prepare_map(v, s->canvas->w);
	return room >= ROOM_MIN ? strip_rows(v, room - 2) + 2 : 0;
}

/* Draws the legend, the strip and the time axis. */
static void
draw_pane(struct screen *s, struct pane_view *pane ATTR_UNUSED, struct canvas *c)
{
	const struct compare_view *v = compare_view_of(s);
	int label = label_width(c->w);
	struct canvas legend = canvas_sub(c, 0, 0, c->w, 1),
		      strip = canvas_sub(c, 0, 1, c->w, c->h - 2),
		      axis = canvas_sub(c, 0, c->h - 1, c->w, 1);
	struct bands b;
	struct extent shown;

	if (!v->map.columns) {
		canvas_fit(&legend, 1, 0, c->w - 2, ROLE_ERROR, v->why.msg);
		return;
	}
	b = bands_of(v, &s->painter, strip.h);
	shown = extent_of(v, &b);
	draw_legend(v, &legend, &b, &shown);
	draw_strip(v, &strip, label, &b, shown.most);
	draw_axis(v, &axis, label);
}

const struct pane_ops pane_delta = {
	.name = "delta",
	.help = "The difference B - A of a time series, by core and time, over the same cycles of "
		"both runs. The two hues meet at no difference; < marks where only A has samples, "
		"> where only B has.",
	.kind = PANE_PAGE,
	.when = WHEN_COMPARE,
	.height = wanted_height,
	.draw = draw_pane,
};
