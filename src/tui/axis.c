/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axis.c - see axis.h. All arithmetic saturates: the axis is for looking, not for counting. */
#include "tui/axis.h"

void
axis_init(struct axis *a)
{
	*a = (struct axis){.per = 512,
			   .base = 512,
			   .cursor = CYCLE_NEVER,
			   .fit = true,
			   .follow = true,
			   .w = 1};
}

static cycle_t
span(const struct axis *a)
{
	return a->per * (cycle_t)a->w;
}

/* The finest scale: a sample in AXIS_FINEST columns, or as many halvings as its length allows. */
static cycle_t
finest(const struct axis *a)
{
	cycle_t per = a->base;

	for (int n = 1; n < AXIS_FINEST && per % 2 == 0; n *= 2)
		per /= 2;
	return per;
}

/* Scales are the length of a sample times a whole number or over a power of two. */
static bool
is_scale(const struct axis *a, cycle_t per)
{
	return per && (per % a->base == 0 || a->base % per == 0) && per >= finest(a);
}

/* The least scale of whole samples, or whole parts of one, that holds so many cycles a column. */
static cycle_t
whole_scale(const struct axis *a, cycle_t need)
{
	cycle_t per = finest(a);

	if (need > a->base)
		return (need + a->base - 1) / a->base * a->base;
	while (per < need)
		per *= 2;
	return per;
}

/* The whole run: zooming out happens only when the columns are used up, and what is drawn stays.
 * Columns are whole samples, or whole parts of one, unless more than a quarter of the width would
 * be empty: then a scale in between leaves a fifth at most. A run that has ended fills all. */
static void
fit(struct axis *a)
{
	cycle_t need = MAX((a->now - MIN(a->from, a->now) + (cycle_t)a->w - 1) / (cycle_t)a->w,
			   finest(a)); /* cycles in each */
	cycle_t step = finest(a);

	a->t0 = a->from;
	a->per = whole_scale(a, need);
	if (a->ended && (need > a->base || 4 * need < 3 * a->per))
		a->per = need;
	else if (4 * need < 3 * a->per) {
		while (8 * step <= need)
			step *= 2;
		a->per = (need + step - 1) / step * step;
	}
}

/* Brings a cycle into view, jumping to where it stands in the middle of the screen. */
static void
show(struct axis *a, cycle_t cycle)
{
	cycle_t half = (cycle_t)(a->w / 2) * a->per;

	if (cycle > a->t0 && cycle <= a->t0 + span(a))
		return;
	a->t0 = cycle > half ? (cycle - half) / a->per * a->per : 0;
}

void
axis_update(struct axis *a, cycle_t now, bool ended, cycle_t base, int w)
{
	a->now = now;
	a->ended = ended;
	a->base = base ? base : 1;
	a->w = MAX(w, 1);
	if (a->cursor != CYCLE_NEVER && a->cursor > now)
		a->cursor = CYCLE_NEVER;
	if (a->fit) {
		fit(a);
		return;
	}
	if (!is_scale(a, a->per)) {
		a->per = MAX(a->base, a->per / a->base * a->base);
		a->t0 = a->t0 / a->per * a->per;
	}
	if (a->follow)
		show(a, MAX(now, (cycle_t)1));
}

int
axis_column(const struct axis *a, cycle_t cycle)
{
	if (cycle == 0 && a->t0 == 0)
		return 0;
	if (cycle <= a->t0 || cycle > a->t0 + span(a))
		return -1;
	return (int)((cycle - a->t0 - 1) / a->per);
}

int
axis_cursor_column(const struct axis *a)
{
	return a->cursor == CYCLE_NEVER ? -1 : axis_column(a, a->cursor);
}

cycle_t
axis_cursor(const struct axis *a)
{
	return a->cursor == CYCLE_NEVER ? a->now : a->cursor;
}

/* The next coarser scale, or the next finer, or the finest. */
static cycle_t
next_scale(const struct axis *a, int by)
{
	cycle_t per = finest(a);

	while (by > 0 ? 2 * per < a->per : per <= a->per)
		per *= 2;
	return per;
}

void
axis_zoom(struct axis *a, int by)
{
	cycle_t c = axis_cursor(a), per = next_scale(a, by);
	int col = axis_column(a, c);

	if (by < 0 && per * (cycle_t)a->w >= a->now) {
		axis_fit(a);
		return;
	}
	if (per == a->per)
		return;
	a->per = per;
	a->fit = false;
	if (col < 0)
		col = a->w / 2;
	cycle_t left = (cycle_t)col * a->per;
	a->t0 = c > left ? (c - left) / a->per * a->per : 0;
}

void
axis_zoom_at(struct axis *a, int by, int column)
{
	cycle_t cursor = a->cursor, per = a->per;

	a->cursor = MAX(MIN(a->t0 + (cycle_t)column * a->per + 1, a->now), (cycle_t)1);
	axis_zoom(a, by);
	if (!a->fit && a->per != per)
		a->follow = false; /* what is under the pointer stays, not the newest */
	a->cursor = cursor;
}

void
axis_show_range(struct axis *a, cycle_t from, cycle_t to)
{
	a->per = finest(a);
	for (;;) {
		a->t0 = from / a->per * a->per;
		if (to <= a->t0 + span(a))
			break;
		a->per *= 2;
	}
	a->fit = a->follow = false;
}

void
axis_fit(struct axis *a)
{
	a->fit = true;
	fit(a);
}

void
axis_pan(struct axis *a, int columns)
{
	cycle_t by = (cycle_t)(columns < 0 ? -columns : columns) * a->per;
	cycle_t last = a->now > a->per ? (a->now - 1) / a->per * a->per : 0;

	if (a->fit && span(a) >= a->now)
		return; /* everything is in view */
	a->fit = a->follow = false;
	if (columns < 0)
		a->t0 = a->t0 > by ? a->t0 - by : 0;
	else
		a->t0 = MIN(a->t0 + by, last);
}

void
axis_goto(struct axis *a, cycle_t cycle)
{
	a->cursor = MAX(MIN(cycle, a->now), (cycle_t)1);
	a->follow = false;
	if (!a->fit)
		show(a, a->cursor);
}

void
axis_move(struct axis *a, int columns)
{
	cycle_t c = axis_cursor(a), step = MAX(a->per, a->base); /* a column, or a sample */
	cycle_t edge = c ? (c - 1) / step * step : 0;		 /* where that begins */
	cycle_t by = (cycle_t)(columns < 0 ? -columns : columns) * step;

	if (a->now == 0)
		return;
	if (columns > 0 && edge + by >= a->now) {
		a->cursor = CYCLE_NEVER; /* beyond the newest: live again */
		if (!a->fit)
			show(a, a->now);
		return;
	}
	if (columns < 0)
		edge = edge > by ? edge - by : 0;
	else
		edge += by;
	axis_goto(a, edge + step);
}

void
axis_follow(struct axis *a)
{
	a->cursor = CYCLE_NEVER;
	a->follow = true;
	if (!a->fit && a->now)
		show(a, a->now);
}

cycle_t
axis_tick(const struct axis *a, int columns)
{
	cycle_t want = a->per * (cycle_t)MAX(columns, 1), t = 1;

	for (;;) {
		if (t >= want)
			return t;
		if (2 * t >= want)
			return 2 * t;
		if (5 * t >= want)
			return 5 * t;
		if (t > UINT64_MAX / 100)
			return t;
		t *= 10;
	}
}
