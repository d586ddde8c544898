/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_axis.c - draws the line below the panes over time: cycles, kernels, periods, marks of
 * events, bookmarks, the cursor. Each of them uses only columns that the ones before it left free.
 */
#include "tui/time_axis.h"
#include "tui/fmt.h"
#include "tui/heat.h"
#include "tui/screen_part.h"
#include <stdio.h>
#include <string.h>

/* Draws text if its columns, and one on either side, are free. */
static void
text_if_free(struct canvas *c, int x, unsigned role, const char *text)
{
	int w = text_width(text);

	if (x < 0 || x + w > c->w)
		return;
	for (int i = x - 1; i <= x + w; i++) {
		const struct cell *k = canvas_at(c, i, 0);
		if (k && k->wc && k->wc != ' ')
			return;
	}
	canvas_text(c, x, 0, role, text);
}

/* Draws kernel boundaries: a bar, and the kernel's number if it fits before the next bar. */
static void
draw_kernels(const struct screen *s, struct canvas *c, int label)
{
	const struct sim *sim = screen_sim(s);
	unsigned n = sim_kernels_started(sim);

	for (unsigned k = 1; k < n; k++) {
		int x = axis_column(&s->axis, sim_kernel_start(sim, k) + 1), next = c->w;
		char text[16];
		if (x < 0)
			continue;
		if (k + 1 < n && axis_column(&s->axis, sim_kernel_start(sim, k + 1) + 1) >= 0)
			next = axis_column(&s->axis, sim_kernel_start(sim, k + 1) + 1);
		canvas_put(c, label + x, 0, ROLE_TITLE, 0x2502);
		snprintf(text, sizeof(text), "k%u", k + 1);
		if (x + 1 + (int)strlen(text) < next)
			canvas_text(c, label + x + 1, 0, ROLE_TITLE, text);
	}
}

/* Draws the ends of periods in free columns if they are at least three columns apart. */
static void
draw_period_ticks(const struct screen *s, struct canvas *c, int label)
{
	cycle_t end = s->axis.t0 + s->axis.per * (cycle_t)s->axis.w, done;
	cycle_t p = screen_sim(s) ? sim_period(screen_sim(s), &done) : 0;

	if (!p || p < 3 * s->axis.per)
		return;
	for (cycle_t t = (s->axis.t0 / p + 1) * p; t <= end; t += p) {
		int x = label + axis_column(&s->axis, t);
		const struct cell *k = canvas_at(c, x, 0);
		if (k && !k->wc)
			canvas_put(c, x, 0, ROLE_DIM, 0x2575);
	}
}

/* Draws the letters of bookmarks. */
static void
draw_bookmarks(const struct screen *s, struct canvas *c, int label)
{
	for (int i = 0; i < BOOKMARKS; i++) {
		int x = s->bookmark[i] ? axis_column(&s->axis, s->bookmark[i]) : -1;
		if (x >= 0)
			canvas_put(c, label + x, 0, ROLE_STOP, (uint32_t)('a' + i));
	}
}

static void
draw_line(const struct screen *s, struct canvas *c)
{
	int label = heat_label_width(screen_cores(s));
	const struct axis *a = &s->axis;
	cycle_t tick = axis_tick(a, 9), end = a->t0 + a->per * (cycle_t)a->w;
	char num[FMT_MAX];

	draw_kernels(s, c, label);
	draw_bookmarks(s, c, label);
	for (cycle_t t = (a->t0 + tick - 1) / tick * tick; t < end; t += tick)
		text_if_free(c, label + (int)((t - a->t0) / a->per), ROLE_DIM, fmt_short(num, t));
	draw_period_ticks(s, c, label);
	if (axis_cursor_column(a) >= 0)
		canvas_put(c, label + axis_cursor_column(a), 0, ROLE_CURSOR, 0x25b2);
}

void
time_axis_draw(struct screen *s, struct canvas *c)
{
	struct canvas line = canvas_sub(c, 0, c->h - 1, c->w, 1);

	if (!screen_sim(s))
		return;
	if (c->h > 1)
		axis_marks_draw(s, c);
	draw_line(s, &line);
}
