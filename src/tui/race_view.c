/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_view.c - one picture of a race: what is where, and the lines around the strips
 * (race_view.h). Heights follow from the size of the screen and the number of lanes only.
 */
#include "tui/race_view.h"
#include "tui/fmt.h"
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define IPC_ROWS 5 /* fewer show no shape */
#define LABEL_W 13 /* names at the left of strips that stand above each other */

void
race_view_init(struct race_view *v, const struct race *r, const char *workload)
{
	*v = (struct race_view){.race = r};
	snprintf(v->workload, sizeof(v->workload), "%s", workload);
	axis_init(&v->axis);
}

/* ---------------------------------------------------------------- what is where */

void
race_layout_compute(struct race_layout *l, const struct race_view *v, int w, int h)
{
	int n = (int)MAX(v->race->n, 1u), bottom = h, roomy = h >= 36;

	memset(l, 0, sizeof(*l));
	l->keys_y = --bottom;
	if (h >= 20) {
		l->differ_h = 3;
		l->differ_y = bottom -= 3;
	}
	bottom -= roomy;
	l->table_h = MAX(MIN(n + 1, bottom - 1), 0);
	l->table_y = bottom -= l->table_h;
	bottom -= roomy;
	if (bottom - 2 > n + 1)
		l->axis_y = --bottom;
	l->legend_y = 1;
	l->side = n > 1 && w / n >= RACE_LANE_W && h >= 30;
	l->lanes_y = 2;
	l->lanes_h = MAX(bottom - 2, 0);
	l->lane_w = l->side ? (w - (n - 1)) / n : w;
	l->lane_h = l->side ? l->lanes_h : l->lanes_h / n;
	l->label = l->side || w < 40 ? 0 : LABEL_W;
	l->strip_w = MAX(l->lane_w - l->label, 1);
	l->strip_h = l->lane_h - l->side;
	if (l->side)
		l->strip_h = race_strip_rows(v->race, l->strip_h - MAX(l->strip_h / 4, IPC_ROWS));
	else if (l->strip_h >= 4)
		l->strip_h--; /* a blank line between two */
}

/* ---------------------------------------------------------------- lines */

/* Of a stack with many parameters the beginning. */
static const char *
short_name(const struct lane *l, char buf[24])
{
	snprintf(buf, 24, strlen(l->stack) < 24 ? "%s" : "%.20s...", l->stack);
	return buf;
}

/* "one leads: 1.26x two" while the race is on. The best against the first lane, or when that is
 * the best, against the next. */
static void
verdict(const struct race *r, char *buf, size_t size)
{
	unsigned best = 0, second = r->n > 1;
	double most = 0;
	char a[24], b[24];

	buf[0] = '\0';
	for (unsigned i = 0; i < r->n; i++)
		if (race_speedup(r, i) > most) {
			most = race_speedup(r, i);
			best = i;
		}
	if (r->n < 2 || most <= 0)
		return;
	if (best != 0)
		second = 0;
	else
		for (unsigned i = 1; i < r->n; i++)
			if (race_speedup(r, i) > race_speedup(r, second))
				second = i;
	most /= race_speedup(r, second);
	if (most < 1.0005)
		snprintf(buf, size, "a draw so far");
	else
		snprintf(buf, size, most < 1.01 ? "%s %s: %.3fx %s" : "%s %s: %.2fx %s",
			 short_name(&r->lane[best], a), race_ended(r) ? "wins" : "leads", most,
			 short_name(&r->lane[second], b));
	if (most < 1.0005 && race_ended(r))
		snprintf(buf, size, "a draw");
}

static void
draw_header(const struct race_view *v, struct canvas *c)
{
	const struct race *r = v->race;
	struct canvas in = canvas_sub(c, 0, 0, c->w, 1);
	const char *state = race_ended(r) ? "done" : v->running ? "running" : "stopped";
	char num[FMT_MAX], text[160];
	int x = 1, w;

	canvas_fill(&in, 0, 0, in.w, 1, ROLE_HEADER, ' ');
	canvas_put(&in, x, 0, ROLE_HEADER, v->running && !race_ended(r) ? 0x25b6 : 0x25a0);
	x += 2 + canvas_printf(&in, x + 2, 0, ROLE_HEADER, "%-8s", state);
	w = canvas_fit(&in, x, 0, MIN(16, in.w - x), ROLE_HEADER, v->workload);
	canvas_attr(&in, x, 0, w, ATTR_BOLD);
	x += w + 2;
	snprintf(text, sizeof(text), "cycle %s", fmt_u64(num, race_view_now(r)));
	canvas_fit(&in, x, 0, in.w - x, ROLE_HEADER, text);
	x += MAX(text_width(text), 16) + 2;
	verdict(r, text, sizeof(text));
	w = text_width(text);
	if (w && x + w + 1 <= in.w) {
		canvas_text(&in, in.w - w - 1, 0, ROLE_HEADER, text);
		canvas_attr(&in, in.w - w - 1, 0, w, ATTR_BOLD);
	}
}

/* Title, ramp with its range, and what a row is. */
static void
draw_legend(const struct race_view *v, struct canvas *c, const struct race_layout *l, double hi)
{
	unsigned fold = race_strip_fold(v->race, l->strip_h);
	struct canvas in = canvas_sub(c, 0, l->legend_y, c->w, 1);
	char num[FMT_MAX], text[96];
	int x = 1 + canvas_text(&in, 1, 0, ROLE_TITLE, race_shown[v->series].title) + 2;

	x += canvas_text(&in, x, 0, ROLE_DIM, "0 ");
	for (unsigned i = 0; i < 8; i++) {
		unsigned k = (HEAT_LEVELS - 1) * i / 7;

		canvas_heat(&in, x++, 0, k, k, false);
	}
	x += 1 + canvas_text(&in, x + 1, 0, ROLE_DIM, fmt_num(num, hi, 0)) + 2;
	if (fold > 1)
		snprintf(text, sizeof(text), "%u cores, a half row is the mean of %u",
			 v->race->cores, fold);
	else
		snprintf(text, sizeof(text), "%u cores from top to bottom", v->race->cores);
	if (!v->painter->half && fold > 1)
		snprintf(text, sizeof(text), "%u cores, a row is the mean of %u", v->race->cores,
			 2 * fold);
	canvas_fit(&in, x, 0, in.w - x - 1, ROLE_DIM, text);
	snprintf(text, sizeof(text), "1 column = %s cycles", fmt_u64(num, v->axis.per));
	if (c->w >= 110)
		canvas_right(&in, c->w - 40, 0, 39, ROLE_DIM, text);
}

/* The words at the left of a strip, or above it. */
static void
draw_lane_name(const struct race_view *v, struct canvas *c, unsigned lane,
	       const struct race_layout *l)
{
	const struct lane *k = &v->race->lane[lane];
	char text[64], num[FMT_MAX];

	if (l->side) {
		int w = canvas_fit(c, 1, 0, c->w - 12, ROLE_FOCUS, k->stack);

		snprintf(text, sizeof(text), "kernel %u/%u", k->kernel, v->race->kernels);
		if (c->w - w - 3 > 12 && k->kernel)
			canvas_right(c, c->w - 16, 0, 15, ROLE_DIM, text);
		return;
	}
	if (!l->label)
		return;
	canvas_fit(c, 1, 0, l->label - 2, ROLE_FOCUS, k->stack);
	snprintf(text, sizeof(text), "mean n %s", fmt_num(num, k->number[RACE_MEAN_N], 1));
	if (c->h >= 2)
		canvas_fit(c, 1, 1, l->label - 2, ROLE_DIM, text);
	snprintf(text, sizeof(text), "kernel %u/%u", k->kernel, v->race->kernels);
	if (c->h >= 3 && k->kernel)
		canvas_fit(c, 1, 2, l->label - 2, ROLE_DIM, text);
}

static void
draw_lanes(const struct race_view *v, struct canvas *c, const struct race_layout *l, double hi)
{
	for (unsigned i = 0; i < v->race->n; i++) {
		int x = l->side ? (int)i * (l->lane_w + 1) : 0,
		    y = l->lanes_y + (l->side ? 0 : (int)i * l->lane_h);
		struct canvas lane = canvas_sub(c, x, y, l->lane_w, l->lane_h);
		struct canvas strip = canvas_sub(&lane, 0, l->side, lane.w, l->strip_h);
		struct canvas ipc = canvas_sub(&lane, 0, l->side + l->strip_h, lane.w,
					       lane.h - l->side - l->strip_h);

		race_strip_draw(v, &strip, i, l->label, hi);
		if (l->side)
			race_strip_ipc(v, &ipc, i);
		draw_lane_name(v, &lane, i, l);
		if (l->side && i)
			canvas_fill(c, x - 1, l->lanes_y, 1, l->lanes_h + (l->axis_y > 0),
				    ROLE_FRAME, 0x2502);
		if (l->axis_y && (l->side || i == 0)) {
			struct canvas axis = canvas_sub(c, x, l->axis_y, l->lane_w, 1);

			race_strip_axis(v, &axis, l->label);
		}
	}
}

static void
draw_differ(const struct race_view *v, struct canvas *c, const struct race_layout *l)
{
	struct canvas in = canvas_sub(c, 0, l->differ_y, c->w, l->differ_h);
	struct strbuf text = {0};
	char *save = NULL;
	int y = 0;

	if (!l->differ_h)
		return;
	race_difference_brief(v->race, &text);
	for (char *p = text.p ? strtok_r(text.p, "\n", &save) : NULL; p;
	     p = strtok_r(NULL, "\n", &save), y++)
		canvas_fit(&in, 1, y, in.w - 2, y ? ROLE_TEXT : ROLE_TITLE, p);
	sb_free(&text);
}

/* Columns for time: behind a lane that waits for the others stands why. */
static int
time_width(const struct race_view *v, const struct race_layout *l)
{
	bool waits = false;

	for (unsigned i = 0; i < v->race->n; i++)
		waits |= v->race->lane[i].state >= LANE_DONE;
	return waits && !race_ended(v->race) ? l->strip_w - MIN(18, l->strip_w / 4) : l->strip_w;
}

void
race_view_draw(struct race_view *v, struct canvas *c)
{
	struct race_layout l;
	double hi;

	canvas_clear(c);
	race_layout_compute(&l, v, c->w, c->h);
	v->axis.from = v->race->from / MAX(v->race->sample, (cycle_t)1) * v->race->sample;
	axis_update(&v->axis, race_view_now(v->race), race_ended(v->race), v->race->sample,
		    time_width(v, &l));
	hi = race_strip_hi(v);
	draw_lanes(v, c, &l, hi);
	draw_header(v, c);
	if (hi >= 2 && hi <= 9 && hi == floor(hi))
		canvas_digits(c, (unsigned)hi);
	draw_legend(v, c, &l, hi);
	struct canvas table = canvas_sub(c, 0, l.table_y, c->w, l.table_h);
	race_result_draw(v, &table);
	draw_differ(v, c, &l);
}
