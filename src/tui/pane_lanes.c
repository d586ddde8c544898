/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_lanes.c - shows the heat strips of the lanes of a race (race_strip.c) over the same cycles.
 *
 * If each lane gets LANE_W columns, the strips are side by side, each with its IPC below and, where
 * there is room, its lead over the first lane; else they are one above the other. Heights depend
 * only on the room and the number of lanes.
 */
#include "tui/fmt.h"
#include "tui/panes.h"
#include "tui/race_page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LANE_W 48      /* columns of a lane that is beside others */
#define SIDE_FROM_H 30 /* screens of fewer rows place lanes above each other */
#define IPC_ROWS 5     /* with fewer rows a curve has no shape */
#define LABEL_W 15     /* columns of names at the left of strips that are above each other */

/* The places of the parts of the pane. */
struct lanes_layout {
	bool side; /* lanes are side by side */
	bool axis; /* the last row is a time axis */
	int lanes_h, lane_w, lane_h, label, strip_w, strip_h;
};

static void
compute_layout(struct lanes_layout *l, const struct screen *s, int w, int h)
{
	const struct race *r = race_view_of(s)->race;
	int n = (int)MAX(r->n, 1u);

	l->axis = h - 1 > n + 1;
	l->side = n > 1 && w / n >= LANE_W && s->canvas->h >= SIDE_FROM_H;
	l->lanes_h = MAX(h - 1 - l->axis, 0);
	l->lane_w = l->side ? (w - (n - 1)) / n : w;
	l->lane_h = l->side ? l->lanes_h : l->lanes_h / n;
	l->label = l->side || w < 40 ? 0 : LABEL_W;
	l->strip_w = MAX(l->lane_w - l->label, 1);
	l->strip_h = l->lane_h - l->side;
	if (l->side)
		l->strip_h = race_strip_rows(r, l->strip_h - MAX(l->strip_h / 4, IPC_ROWS));
	else if (l->strip_h >= 4)
		l->strip_h--; /* a blank line between two lanes */
}

/* Draws the title, the ramp with its range, and what a row means. */
static void
draw_legend(const struct race_view *v, const struct painter *p, struct canvas *in, int strip_h,
	    double hi)
{
	unsigned fold = race_strip_fold(v->race, strip_h);
	char num[FMT_MAX], text[96];
	int x = 1 + canvas_text(in, 1, 0, ROLE_TITLE, race_shown[v->series].title) + 2;

	fmt_num(num, hi, 0);
	x += heat_draw_ramp(p, in, x, 8, heat_whole_range(0, hi), "0", num) + 2;
	if (fold > 1)
		snprintf(text, sizeof(text), "%u cores, a half row is the mean of %u",
			 v->race->cores, fold);
	else
		snprintf(text, sizeof(text), "%u cores from top to bottom", v->race->cores);
	if (!p->half && fold > 1)
		snprintf(text, sizeof(text), "%u cores, a row is the mean of %u", v->race->cores,
			 2 * fold);
	canvas_fit(in, x, 0, in->w - x - 1, ROLE_DIM, text);
	snprintf(text, sizeof(text), "1 column = %s cycles", fmt_u64(num, v->axis.per));
	if (in->w >= 110)
		canvas_right(in, in->w - 40, 0, 39, ROLE_DIM, text);
}

/* Draws the lane's name and numbers at the left of its strip, or above it. */
static void
draw_lane_name(const struct race_view *v, struct canvas *c, unsigned lane,
	       const struct lanes_layout *l)
{
	const struct lane *k = &v->race->lane[lane];
	char text[64], num[FMT_MAX], name[RACE_NAME];

	if (v->lane == lane && (l->side || l->label))
		canvas_put(c, 0, 0, ROLE_FOCUS, 0x25b8);
	if (l->side) {
		int w = canvas_fit(c, 1, 0, c->w - 12, ROLE_FOCUS,
				   race_view_name(v, lane, c->w - 12, name));

		snprintf(text, sizeof(text), "kernel %u/%u", k->kernel, v->race->kernels);
		if (c->w - w - 3 > 12 && k->kernel)
			canvas_right(c, c->w - 16, 0, 15, ROLE_DIM, text);
		return;
	}
	if (!l->label)
		return;
	canvas_fit(c, 1, 0, l->label - 2, ROLE_FOCUS, race_view_name(v, lane, l->label - 2, name));
	snprintf(text, sizeof(text), "mean n %s", fmt_num(num, k->number[RACE_MEAN_N], 1));
	if (c->h >= 2)
		canvas_fit(c, 1, 1, l->label - 2, ROLE_DIM, text);
	snprintf(text, sizeof(text), "kernel %u/%u", k->kernel, v->race->kernels);
	if (c->h >= 3 && k->kernel)
		canvas_fit(c, 1, 2, l->label - 2, ROLE_DIM, text);
}

static void
draw_lane(const struct race_view *v, const struct painter *p, struct canvas *c, unsigned lane,
	  const struct lanes_layout *l, double hi)
{
	struct canvas strip = canvas_sub(c, 0, l->side, c->w, l->strip_h);
	int y = l->side + l->strip_h, rows = c->h - y;
	int lead = rows - IPC_ROWS >= RACE_LEAD_ROWS ? MAX(rows / 2, RACE_LEAD_ROWS) : 0;
	struct canvas ipc = canvas_sub(c, 0, y, c->w, rows - lead),
		      below = canvas_sub(c, 0, c->h - lead, c->w, lead);

	race_strip_draw(v, p, &strip, lane, l->label, hi);
	if (l->side)
		race_strip_ipc(v, p, &ipc, lane);
	if (l->side && lead)
		race_strip_lead(v, p, &below, lane);
	draw_lane_name(v, c, lane, l);
}

static void
draw_lanes(const struct race_view *v, const struct painter *p, struct canvas *c,
	   const struct lanes_layout *l, double hi)
{
	for (unsigned i = 0; i < v->race->n; i++) {
		int x = l->side ? (int)i * (l->lane_w + 1) : 0,
		    y = 1 + (l->side ? 0 : (int)i * l->lane_h);
		struct canvas lane = canvas_sub(c, x, y, l->lane_w, l->lane_h),
			      axis = canvas_sub(c, x, c->h - 1, l->lane_w, 1);

		draw_lane(v, p, &lane, i, l, hi);
		if (l->side && i)
			canvas_fill(c, x - 1, 1, 1, c->h - 1, ROLE_FRAME, 0x2502);
		if (l->axis && (l->side || i == 0))
			race_strip_axis(v, &axis, l->label);
	}
}

/* Returns the columns for time. The columns after a lane that waits for the others tell why it
 * waits. */
static int
time_width(const struct race_view *v, const struct lanes_layout *l)
{
	bool waits = false;

	for (unsigned i = 0; i < v->race->n; i++)
		waits |= v->race->lane[i].state >= LANE_DONE;
	return waits && !race_ended(v->race) ? l->strip_w - MIN(18, l->strip_w / 4) : l->strip_w;
}

static void
draw_pane(struct screen *s, struct pane_view *pane ATTR_UNUSED, struct canvas *c)
{
	struct race_view *v = race_view_of(s);
	const struct race *r = v->race;
	struct canvas legend = canvas_sub(c, 0, 0, c->w, 1);
	struct lanes_layout l;
	double hi = race_strip_hi(v);

	compute_layout(&l, s, c->w, c->h);
	v->spotlight = s->spotlight;
	v->axis.from = r->from / MAX(r->sample, (cycle_t)1) * r->sample;
	axis_update(&v->axis, race_view_now(r), race_ended(r), r->sample, time_width(v, &l));
	draw_lanes(v, &s->painter, c, &l, hi);
	draw_legend(v, &s->painter, &legend, l.strip_h, hi);
	canvas_digits(c, heat_whole_range(0, hi));
}

/* Moves the focus to the core of the row and the cycle of the column, in all lanes. Another click
 * on the row chooses the next of its cores. */
static void
click_pane(struct screen *s, struct pane_view *pane ATTR_UNUSED, int x, int y)
{
	struct race_view *v = race_view_of(s);
	struct lanes_layout l;
	unsigned lane, first, n;
	int row;

	compute_layout(&l, s, s->layout.main[0].w, s->layout.main[0].h);
	y--;
	if (y < 0 || y >= l.lanes_h || l.lane_h < 1 || l.strip_h < 1)
		return;
	lane = (unsigned)(l.side ? x / (l.lane_w + 1) : y / l.lane_h);
	row = l.side ? y - 1 : y % l.lane_h;
	v->lane = lane < v->race->n ? lane : v->lane;
	x = (l.side ? x % (l.lane_w + 1) : x) - l.label;
	n = row < 0 || row >= l.strip_h ? 0 : race_strip_cores(v->race, l.strip_h, row, &first);
	if (lane >= v->race->n || x < 0 || x >= l.strip_w || !n)
		return;
	v->core = v->focus && v->core >= first && v->core + 1 < first + n ? v->core + 1 : first;
	v->focus = true;
	v->cycle = v->axis.t0 + (cycle_t)(x + 1) * v->axis.per;
	race_view_focus_text(v, s->notice, sizeof(s->notice));
}

const struct pane_ops pane_lanes = {
	.name = "lanes",
	.help = "A strip is a lane, a policy stack or a branch, cycle by cycle: time from left to "
		"right, cores from top to bottom, all on one scale. Where there is room the IPC is "
		"below "
		"and, from the second lane on, the cumulative lead over the first: how many "
		"cycles later that one had done the same work.",
	.kind = PANE_PAGE,
	.when = WHEN_RACE,
	.draw = draw_pane,
	.click = click_pane,
};
