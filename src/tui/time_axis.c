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

static bool
is_free(const struct canvas *c, int x, int n)
{
	for (int i = x; i < x + n; i++) {
		const struct cell *k = canvas_at(c, i, 0);
		if (k && k->wc && k->wc != ' ')
			return false;
	}
	return true;
}

/* Draws kernel boundaries in free columns: a bar, and the kernel's number if it fits before the
 * next bar. */
static void
draw_kernels(const struct screen *s, struct canvas *c, int label)
{
	const struct sim *sim = screen_sim(s);
	unsigned n = sim_kernels_started(sim);

	for (unsigned k = 1; k < n; k++) {
		int x = axis_column(&s->axis, sim_kernel_start(sim, k) + 1), next = c->w - label;
		char text[16];
		if (x < 0)
			continue;
		if (k + 1 < n && axis_column(&s->axis, sim_kernel_start(sim, k + 1) + 1) >= 0)
			next = axis_column(&s->axis, sim_kernel_start(sim, k + 1) + 1);
		if (!is_free(c, label + x, 1))
			continue;
		canvas_put(c, label + x, 0, ROLE_TITLE, 0x2502);
		snprintf(text, sizeof(text), "k%u", k + 1);
		if (x + 1 + (int)strlen(text) < next &&
		    is_free(c, label + x + 1, (int)strlen(text) + 1))
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

/* What the user changed: a mark, and its name at the right of it or, at the edge, at the left. */
static void
draw_changes(const struct screen *s, struct canvas *c, int label)
{
	struct session_change change, next;
	int end = c->w, w, x;
	unsigned n = 0;

	while (session_change(s->session, n, &next))
		n++;
	/* From the last, so that each knows where the one after it stands. */
	while (n && session_change(s->session, --n, &change)) {
		x = axis_column(&s->axis, change.cycle);
		w = text_width(change.label);
		if (x < 0 || label + x == end) /* of several in a column the last has its name */
			continue;
		x += label;
		canvas_put(c, x, 0, ROLE_STOP, 0x25bc);
		if (x + 1 + w < end)
			canvas_text(c, x + 1, 0, ROLE_STOP, change.label);
		else if (end == c->w)
			text_if_free(c, x - w, ROLE_STOP, change.label);
		end = x;
	}
}

static bool
is_blank(const struct cell *k)
{
	return !k->wc || k->wc == ' ';
}

/* Next to a letter, and so perhaps between two words. */
static bool
in_words(const struct canvas *c, int x, int y)
{
	const struct cell *k[2] = {canvas_at(c, x - 1, y), canvas_at(c, x + 1, y)};

	for (int i = 0; i < 2; i++)
		if (k[i] && k[i]->kind == CELL_TEXT && k[i]->wc > ' ' && k[i]->wc < 0x80)
			return true;
	return false;
}

void
time_axis_draw_changes(const struct screen *s, struct canvas *c)
{
	struct session_change change;

	for (unsigned i = 0; session_change(s->session, i, &change); i++) {
		int x = axis_column(&s->axis, change.cycle),
		    label = heat_label_width(screen_cores(s));

		for (int y = 1; x >= 0 && y < c->h; y++) {
			const struct cell *k = canvas_at(c, label + x, y);
			if (k && k->kind == CELL_TEXT && is_blank(k) && !in_words(c, label + x, y))
				canvas_put(c, label + x, y, ROLE_STOP, 0x22ee);
		}
	}
}

/* Draws the numbers of cycles at round distances. */
static void
draw_cycles(const struct screen *s, struct canvas *c, int label)
{
	const struct axis *a = &s->axis;
	cycle_t tick = axis_tick(a, 9), end = a->t0 + a->per * (cycle_t)a->w;
	char num[FMT_MAX];

	/* A number begins in the column that contains its cycle, as the marks of events do. */
	for (cycle_t t = (a->t0 + tick - 1) / tick * tick; t <= end; t += tick) {
		int x = axis_column(a, t);

		if (x >= 0)
			text_if_free(c, label + x, ROLE_DIM, fmt_short(num, t));
	}
}

/* Returns true if the kernels in view begin so close together that their bars would leave no room
 * for the numbers of cycles. */
static bool
are_kernels_dense(const struct screen *s)
{
	const struct sim *sim = screen_sim(s);
	int n = 0;

	for (unsigned k = 1; k < sim_kernels_started(sim); k++)
		n += axis_column(&s->axis, sim_kernel_start(sim, k) + 1) >= 0;
	return n * 12 > s->axis.w;
}

static void
draw_line(const struct screen *s, struct canvas *c)
{
	int label = heat_label_width(screen_cores(s));
	const struct axis *a = &s->axis;

	draw_changes(s, c, label);
	draw_bookmarks(s, c, label);
	if (are_kernels_dense(s))
		draw_cycles(s, c, label);
	draw_kernels(s, c, label);
	draw_cycles(s, c, label);
	draw_period_ticks(s, c, label);
	screen_draw_hits(s, c);
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
