/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_warps.c - shows the warps of the core in focus, one row each, over the last cycles: where a
 * warp issued, and what it waited for elsewhere. One column is one cycle.
 *
 * The model records the past of one core while this pane is shown (sim_past).
 */
#include "tui/fmt.h"
#include "tui/panes.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const struct {
	char letter;
	uint8_t role;
	const char *legend;
} look[WARP_STATUSES] = {
	[WARP_FREE] = {' ', ROLE_TEXT, NULL},
	[WARP_READY] = {'.', ROLE_TEXT, "ready"},
	[WARP_MEMORY] = {'m', ROLE_MEMORY, "memory"},
	[WARP_DEPENDENCE] = {'d', ROLE_DEPEND, "dependence"},
	[WARP_BARRIER] = {'b', ROLE_THRESHOLD, "barrier"},
	[WARP_MEMBAR] = {'f', ROLE_THRESHOLD, "fence"},
	[WARP_ATOMIC] = {'a', ROLE_THRESHOLD, "atomic"},
	[WARP_UNFETCHED] = {'u', ROLE_IDLE, "unfetched"},
	[WARP_DRAINING] = {'e', ROLE_DRAINING, "ends"},
};

static void
forget_past(struct screen *s, struct pane_view *v ATTR_UNUSED)
{
	if (screen_sim(s))
		sim_past_off(screen_sim(s));
}

/* ---------------------------------------------------------------- drawing */

enum { W_LABEL = 11, W_LANES = 3 };

/* Where the legend begins, and the blanks between its words. */
struct legend {
	int x, gap;
};

/* Draws the meaning of the letters in at most `most` rows, with draws false only counts these;
 * returns the rows. */
static int
draw_legend(struct canvas *c, struct legend l, int y, int most, bool draws)
{
	int x = l.x, rows = 1;

	for (unsigned i = WARP_FREE; i <= WARP_STATUSES; i++) {
		bool paused = i == WARP_STATUSES, issued = i == WARP_FREE;
		const char *word = issued ? "issued" : paused ? "paused" : look[i].legend;

		if (x + 2 + text_width(word) > c->w) {
			if (rows == most)
				break;
			x = l.x;
			y++;
			rows++;
		}
		if (draws)
			canvas_put(c, x, y,
				   issued   ? ROLE_ACTIVE
				   : paused ? ROLE_PAUSED
					    : look[i].role,
				   issued   ? 0x2588
				   : paused ? 'p'
					    : (unsigned char)look[i].letter);
		if (draws)
			canvas_text(c, x + 2, y, ROLE_DIM, word);
		x += 2 + text_width(word) + l.gap;
	}
	return rows;
}

/* Returns the first form of the legend that has room for every letter. */
static struct legend
fit_legend(struct canvas *c, int most)
{
	static const struct legend forms[] = {{W_LABEL + 2, 2}, {1, 2}, {1, 1}};

	/* In a single row the heads of the columns precede it. */
	for (size_t i = 0; i < ARRAY_LEN(forms) && most > 1; i++)
		if (draw_legend(c, forms[i], 1, INT_MAX, false) <= most)
			return forms[i];
	return forms[0];
}

static void
draw_cell(struct canvas *c, int x, int y, uint8_t what)
{
	unsigned status = what & PAST_STATUS;

	if (status >= WARP_STATUSES || status == WARP_FREE)
		return;
	if (what & PAST_ISSUED)
		canvas_put(c, x, y, what & PAST_PAUSED ? ROLE_PAUSED : ROLE_ACTIVE, 0x2588);
	else if (what & PAST_PAUSED && status == WARP_READY)
		canvas_put(c, x, y, ROLE_PAUSED, 'p');
	else
		canvas_put(c, x, y, what & PAST_PAUSED ? ROLE_PAUSED : look[status].role,
			   (unsigned char)look[status].letter);
}

/* Draws one warp: its CTA, its last w cycles, its active lanes now, and its next instruction if
 * there is room. */
static void
draw_warp(const struct sim *sim, struct canvas *c, int y, unsigned w, const struct warp_view *v,
	  bool first, int cycles, int text)
{
	cycle_t now = sim_cycle(sim);
	char buf[40];

	snprintf(buf, sizeof(buf), "%u", v->cta);
	if (first)
		canvas_right(c, 1, y, 6, v->paused ? ROLE_PAUSED : ROLE_VALUE, buf);
	canvas_put(c, 7, y, ROLE_FRAME, first ? 0x252c : 0x2502);
	snprintf(buf, sizeof(buf), "%u", v->warp_in_cta);
	canvas_right(c, 8, y, 2, ROLE_DIM, buf);
	for (int x = 0; x < cycles; x++) {
		const uint8_t *what = now >= (cycle_t)(cycles - 1 - x)
					      ? sim_past(sim, now - (cycle_t)(cycles - 1 - x))
					      : NULL;
		if (what)
			draw_cell(c, W_LABEL + x, y, what[w]);
	}
	int x = W_LABEL + cycles + 1;
	snprintf(buf, sizeof(buf), "%d", __builtin_popcount(v->mask));
	canvas_right(c, x, y, W_LANES - 1, v->mask == UINT32_MAX ? ROLE_DIM : ROLE_VALUE, buf);
	if (text)
		canvas_fit(c, x + W_LANES, y, text - 1, ROLE_TEXT,
			   v->next && v->next->text ? v->next->text : "");
}

static void
draw_warps(struct screen *s, struct pane_view *view, struct canvas *c, unsigned core)
{
	int text = c->w >= 100 ? 26 : 0, cycles = c->w - W_LABEL - W_LANES - 1 - text;
	const struct sim *sim = screen_sim(s);
	struct scroll *o = view->own;
	uint32_t last = UINT32_MAX;
	int most = c->h >= 12 ? 4 : c->h >= 9 ? 3 : c->h >= 8 ? 2 : 1, top;
	unsigned row = 0;

	cycles = MAX(MIN(cycles, PAST_CYCLES), 0);
	top = 1 + draw_legend(c, fit_legend(c, most), 1, most, true);
	top += top > 2; /* the column heads get their own row below a legend of several rows */
	o->shown = (unsigned)MAX(c->h - top, 1);
	canvas_right(c, 1, top - 1, 6, ROLE_DIM, "CTA");
	canvas_right(c, 7, top - 1, 5, ROLE_DIM, "warp");
	if (top > 2)
		canvas_right(c, W_LABEL + cycles - 4, top - 1, 8, ROLE_DIM, "lanes");
	for (unsigned w = 0; w < sim_warps(sim); w++) {
		struct warp_view v;

		sim_warp_view(sim, core, w, &v);
		if (v.status == WARP_FREE)
			continue;
		if (row >= o->top && row < o->top + o->shown)
			draw_warp(sim, c, top + (int)(row - o->top), w, &v,
				  v.cta != last || row == o->top, cycles, text);
		last = v.cta;
		row++;
	}
	scroll_fit(o, row);
	if (row == 0)
		canvas_text(c, W_LABEL, top + 1, ROLE_DIM, "no warp is on this core");
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	unsigned core = session_focus_core(s->session);
	struct sim *sim = screen_sim(s);
	bool active = s->pane == v;
	char num[FMT_MAX], last[FMT_MAX + 20];
	struct err e;
	int x;

	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	x = 1 + canvas_text(c, 1, 0, active ? ROLE_FOCUS : ROLE_TITLE, "warps") + 1;
	if (!sim || core >= screen_cores(s) || sim_past_on(sim, core, &e) < 0)
		return;
	x += canvas_printf(c, x, 0, ROLE_DIM, "of core %u; a column is a cycle", core);
	snprintf(last, sizeof(last), ", the last is %s", fmt_u64(num, sim_cycle(sim)));
	if (x + text_width(last) < c->w)
		canvas_text(c, x, 0, ROLE_DIM, last);
	draw_warps(s, v, c, core);
}

static const char *
key_command(struct screen *s ATTR_UNUSED, struct pane_view *v ATTR_UNUSED, int k,
	    char *buf ATTR_UNUSED, size_t size ATTR_UNUSED)
{
	return k == K_PGUP || k == K_PGDN ? keys_scroll(k) : NULL;
}

const struct pane_ops pane_warps = {
	.name = "warps",
	.help = "The warps of the core in focus over the last cycles, a column each: a block where "
		"it issued, a letter for what it waited for. By CTA; at the right its active lanes "
		"and next instruction. PgUp PgDn scroll.",
	.read = "A row is a warp of the core in focus, a column one cycle, the newest at the "
		"right. A block is a cycle in which it issued, a letter what it waited for, as the "
		"legend says: a row of m waits for memory, a column of b for a barrier. A line "
		"below a CTA's number connects its warps. At the right its lanes now and, where "
		"there is room, its next instruction. With the cursor in the past the last column "
		"is its cycle.",
	.keys = "PgUp and PgDn scroll, j and k choose the core.",
	.also = "info warps, info warp, why warp, warp, step, layout core",
	.min_w = 30,
	.min_h = 5,
	.kind = PANE_PAGE,
	.looks = PANE_LOOKS_PAST,
	.open = scroll_open,
	.close = scroll_close,
	.hidden = forget_past,
	.draw = draw_pane,
	.scroll = scroll_move,
	.key = key_command,
};
