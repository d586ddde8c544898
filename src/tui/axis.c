/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * axis.c - scrolls and zooms the time axis; see axis.h.
 *
 * Every position is clamped to the cycles of the run: a command that asks for more moves to the
 * end.
 */
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
count_visible_cycles(const struct axis *a)
{
	return a->per * (cycle_t)a->w;
}

/* At the finest scale a sample takes AXIS_FINEST columns, or fewer if its length cannot be halved
 * that often. */
static cycle_t
find_finest_scale(const struct axis *a)
{
	cycle_t per = a->base;

	for (int n = 1; n < AXIS_FINEST && per % 2 == 0; n *= 2)
		per /= 2;
	return per;
}

/* A scale is the length of a sample, multiplied by a whole number or halved some times. */
static bool
is_scale(const struct axis *a, cycle_t per)
{
	cycle_t half = a->base;

	if (per >= a->base)
		return per % a->base == 0;
	while (half > per)
		half /= 2;
	return per && half == per;
}

/* Returns the smallest scale of whole samples, or of whole parts of a sample, whose column holds at
 * least `need` cycles. */
static cycle_t
find_whole_scale(const struct axis *a, cycle_t need)
{
	cycle_t per = find_finest_scale(a);

	if (need > a->base)
		return (need + a->base - 1) / a->base * a->base;
	while (per < need)
		per *= 2;
	return per;
}

/* Shows the whole run. The scale grows only when all columns are used, so that columns on the
 * screen keep their place. A column is whole samples, or a whole part of one, unless that would
 * leave more than a quarter of the width empty: then a scale in between leaves at most a fifth
 * empty. A run that has ended fills the whole width. */
static void
fit_run(struct axis *a)
{
	cycle_t need = MAX((a->now - MIN(a->from, a->now) + (cycle_t)a->w - 1) / (cycle_t)a->w,
			   find_finest_scale(a)); /* cycles per column */
	cycle_t step = find_finest_scale(a);

	a->t0 = a->from;
	a->per = find_whole_scale(a, need);
	if (a->ended && (need > a->base || 4 * need < 3 * a->per))
		a->per = need;
	else if (4 * need < 3 * a->per) {
		while (8 * step <= need)
			step *= 2;
		a->per = (need + step - 1) / step * step;
	}
}

/* Brings a cycle into view. If it is not visible yet, the view jumps so that it is in the middle.
 */
static void
show_cycle(struct axis *a, cycle_t cycle)
{
	cycle_t half = (cycle_t)(a->w / 2) * a->per;

	if (cycle > a->t0 && cycle <= a->t0 + count_visible_cycles(a))
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
		fit_run(a);
		return;
	}
	if (!is_scale(a, a->per)) {
		a->per = MAX(a->base, a->per / a->base * a->base);
		a->t0 = a->t0 / a->per * a->per;
	}
	if (a->follow)
		show_cycle(a, MAX(now, (cycle_t)1));
}

int
axis_column(const struct axis *a, cycle_t cycle)
{
	if (cycle == 0 && a->t0 == 0)
		return 0;
	if (cycle <= a->t0 || cycle > a->t0 + count_visible_cycles(a))
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

/* Returns the next coarser scale or, with by > 0, the next finer one, down to one cycle. */
static cycle_t
find_next_scale(const struct axis *a, int by)
{
	cycle_t per = a->base;

	while (by > 0 ? 2 * per < a->per : per <= a->per)
		per *= 2;
	while (by > 0 ? per >= a->per && per > 1 : per / 2 > a->per)
		per /= 2;
	return per;
}

void
axis_zoom(struct axis *a, int by)
{
	cycle_t c = axis_cursor(a), per = find_next_scale(a, by);
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
		a->follow = false; /* keep the cycle under the pointer in view, not the newest */
	a->cursor = cursor;
}

void
axis_show_range(struct axis *a, cycle_t from, cycle_t to)
{
	a->per = 1;
	for (;;) {
		a->t0 = from / a->per * a->per;
		if (to <= a->t0 + count_visible_cycles(a))
			break;
		a->per = find_next_scale(a, -1);
	}
	a->fit = a->follow = false;
}

void
axis_fit(struct axis *a)
{
	a->fit = true;
	fit_run(a);
}

void
axis_pan(struct axis *a, int columns)
{
	cycle_t by = (cycle_t)(columns < 0 ? -columns : columns) * a->per;
	cycle_t last = a->now > a->per ? (a->now - 1) / a->per * a->per : 0;

	if (a->fit && count_visible_cycles(a) >= a->now)
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
		show_cycle(a, a->cursor);
}

void
axis_move(struct axis *a, int columns)
{
	cycle_t c = axis_cursor(a),
		/* a column or, where all of the run is shown, a sample if that is longer */
		step = a->fit ? MAX(a->per, a->base) : a->per;
	cycle_t edge = c ? (c - 1) / step * step : 0; /* the start of that step */
	cycle_t by = (cycle_t)(columns < 0 ? -columns : columns) * step;

	if (a->now == 0)
		return;
	if (columns > 0 && edge + by >= a->now) {
		a->cursor =
			CYCLE_NEVER; /* past the newest cycle, the cursor follows the run again */
		if (!a->fit)
			show_cycle(a, a->now);
		return;
	}
	if (columns < 0 && edge == 0) { /* no step lies before the first one */
		axis_goto(a, 1);
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
		show_cycle(a, a->now);
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
