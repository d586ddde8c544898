/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_kernels.c - shows the kernels over time: a row for each stream, a bar for each kernel.
 *
 * Kernels of one stream follow each other, so the bars of a row never overlap.
 */
#include "base/plain_name.h"
#include "tui/cta_bars.h"
#include "tui/panes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define GLYPH_BAR 0x2586   /* a block with a gap above it, so that rows stay apart */
#define GLYPH_WAITS 0x2500 /* launched, and no CTA issued */
#define MOST_ROWS 64

/* Stores the streams of the kernels that have started, in the order of their first kernels. */
static unsigned
list_streams(const struct sim *sim, uint64_t id[MOST_ROWS])
{
	unsigned n = 0;

	for (unsigned k = 0; k < sim_kernels_started(sim); k++) {
		uint64_t stream = sim_kernel(sim, k)->stream;
		unsigned i = 0;

		while (i < n && id[i] != stream)
			i++;
		if (i == n && n < MOST_ROWS)
			id[n++] = stream;
	}
	return n;
}

static unsigned
count_rows(const struct screen *s, const struct pane_view *v ATTR_UNUSED)
{
	uint64_t id[MOST_ROWS];

	return screen_sim(s) ? 2 * MAX(list_streams(screen_sim(s), id), 1) : 2;
}

/* The columns of the cycles after `from` up to `to`; false: none of them is in view. */
static bool
find_columns(const struct axis *a, cycle_t from, cycle_t to, int *x0, int *x1)
{
	if (to <= from || to <= a->t0 || a->w <= 0)
		return false;
	from = MAX(from, a->t0);
	if ((from - a->t0) / a->per >= (cycle_t)a->w)
		return false;
	*x0 = (int)((from - a->t0) / a->per);
	*x1 = (int)MIN((to - 1 - a->t0) / a->per, (cycle_t)a->w - 1);
	return true;
}

/* The cycle up to which a kernel waits for its first CTA; known where several run together. */
static cycle_t
first_cta(const struct sim *sim, unsigned k)
{
	struct kernel_view v;

	sim_kernel_view(sim, k, &v);
	return sim_runs_together(sim) ? v.first_cta : v.start;
}

/* Draws the bar of a kernel, with its number and name where they fit. */
static void
draw_kernel(const struct screen *s, struct canvas *c, int x, int y, unsigned k)
{
	const struct sim *sim = screen_sim(s);
	char name[120], text[160];
	cycle_t start = sim_kernel_start(sim, k), first, end;
	int x0, x1, w;

	if (start == CYCLE_NEVER)
		return;
	end = MIN(sim_kernel_end(sim, k), s->axis.now);
	first = MIN(first_cta(sim, k), end);
	if (find_columns(&s->axis, start, first, &x0, &x1))
		canvas_fill(c, x + x0, y, x1 - x0 + 1, 1, kernel_role(k), GLYPH_WAITS);
	if (!find_columns(&s->axis, first, end, &x0, &x1))
		return;
	canvas_fill(c, x + x0, y, x1 - x0 + 1, 1, kernel_role(k), GLYPH_BAR);
	snprintf(text, sizeof(text), "k%u %s", k + 1,
		 plain_name_shown(sim_kernel(sim, k)->name, name, sizeof(name)));
	w = canvas_fit(c, x + x0, y, x1 - x0, kernel_role(k), text);
	canvas_attr(c, x + x0, y, w, ATTR_REVERSE);
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	const struct sim *sim = screen_sim(s);
	int label = heat_label_width(screen_cores(s)), cursor = axis_cursor_column(&s->axis);
	struct scroll *p = v->own;
	uint64_t id[MOST_ROWS];
	bool active = s->pane == v;
	char num[24];

	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	canvas_fit(c, 1, 0, c->w - 2, active ? ROLE_FOCUS : ROLE_TITLE, "kernels");
	if (!sim || !p)
		return;
	p->shown = (unsigned)MAX(c->h - 1, 1);
	scroll_fit(p, list_streams(sim, id));
	for (unsigned i = 0; i < p->shown && p->top + i < p->rows; i++) {
		int y = 1 + (int)i;

		snprintf(num, sizeof(num), "%" PRIu64, id[p->top + i]);
		canvas_right(c, 1, y, label - 2, ROLE_DIM, num);
		for (unsigned k = 0; k < sim_kernels_started(sim); k++)
			if (sim_kernel(sim, k)->stream == id[p->top + i])
				draw_kernel(s, c, label, y, k);
		if (cursor >= 0)
			canvas_put(c, label + cursor, y, ROLE_CURSOR, 0x2502);
	}
}

static void
say_kernels(struct screen *s, struct pane_view *v ATTR_UNUSED, char *buf, size_t size)
{
	*buf = '\0';
	if (screen_sim(s))
		screen_kernels_text(screen_sim(s), axis_cursor(&s->axis), buf, size);
}

const struct pane_ops pane_kernels = {
	.name = "kernels",
	.help = "The kernels over time: a row for each stream, and a bar for each kernel from its "
		"start to its end.",
	.read = "A bar bears the kernel's number and name where they fit; four colours take turns. "
		"Bars above each other run at the same time (gpu.concurrent_kernels); a thin line "
		"before one: the kernel runs, but no core has taken a CTA of it. A gap is a "
		"stream that has no work, or waits: for another stream, an event or the program.",
	.also = "info kernel, info streams, pane grid, break kernel-start",
	.min_w = 20,
	.min_h = 2,
	.kind = PANE_TIME,
	.rows = count_rows,
	.open = scroll_open,
	.close = scroll_close,
	.scroll = scroll_move,
	.draw = draw_pane,
	.at = say_kernels,
};
