/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_subcores.c - shows the schedulers of the core in focus (its sub-cores, if it has them): the
 * warps of each now, and its issue slot over the last cycles, one column each: used, or why not.
 *
 * The model records the past of one core while this pane is shown (sim_past). The issue slot of a
 * cycle belongs to scheduler w mod n, where w is the warp that issued. If none of the scheduler's
 * warps issued, the letter is that of the warp that was closest to issuing: ready before dependence
 * before memory.
 */
#include "tui/fmt.h"
#include "tui/panes.h"
#include <stdio.h>

enum {
	LABEL_W = 11,
	ROWS = 4 /* rows of a scheduler: numbers, issue slot, ready warps, a blank one */
};

/* The issue slot of a cycle shows the first of these that one of the scheduler's warps was. */
static const struct {
	enum warp_status status;
	char letter;
	uint8_t role;
	const char *legend;
} nearest[] = {
	{WARP_READY, '.', ROLE_TEXT, "ready, not taken"},
	{WARP_DEPENDENCE, 'd', ROLE_DEPEND, "dependence"},
	{WARP_UNFETCHED, 'u', ROLE_IDLE, "unfetched"},
	{WARP_MEMORY, 'm', ROLE_MEMORY, "memory"},
	{WARP_ATOMIC, 'a', ROLE_THRESHOLD, "atomic"},
	{WARP_MEMBAR, 'f', ROLE_THRESHOLD, "fence"},
	{WARP_BARRIER, 'b', ROLE_THRESHOLD, "barrier"},
	{WARP_DRAINING, 'e', ROLE_DRAINING, "ends"},
};

/* The warps of a scheduler in one cycle. */
struct slot {
	bool issued;
	unsigned ready, resident;
	unsigned best; /* index into nearest */
};

static struct slot
look_at_slot(const struct sim *sim, const uint8_t *what, unsigned scheduler)
{
	unsigned step = sim_instances(sim, "sub");
	struct slot k = {.best = ARRAY_LEN(nearest)};

	for (unsigned w = scheduler; w < sim_warps(sim); w += step) {
		unsigned status = what[w] & PAST_STATUS;

		if (status == WARP_FREE)
			continue;
		k.resident++;
		k.issued |= (what[w] & PAST_ISSUED) != 0;
		k.ready += status == WARP_READY;
		for (unsigned i = 0; i < k.best; i++)
			if (nearest[i].status == status)
				k.best = i;
	}
	return k;
}

/* Draws the issue slot of each of the last cycles in row y, and the number of ready warps below it.
 */
static void
draw_past(const struct sim *sim, struct canvas *c, int y, unsigned scheduler, int cycles)
{
	cycle_t now = sim_cycle(sim);

	for (int x = 0; x < cycles; x++) {
		cycle_t ago = (cycle_t)(cycles - 1 - x);
		const uint8_t *what = now >= ago ? sim_past(sim, now - ago) : NULL;
		struct slot k;

		if (!what)
			continue;
		k = look_at_slot(sim, what, scheduler);
		if (k.issued)
			canvas_put(c, LABEL_W + x, y, ROLE_ACTIVE, 0x2588);
		else if (k.best < ARRAY_LEN(nearest))
			canvas_put(c, LABEL_W + x, y, nearest[k.best].role,
				   (unsigned char)nearest[k.best].letter);
		if (k.resident)
			canvas_put(c, LABEL_W + x, y + 1, k.ready ? ROLE_VALUE : ROLE_DIM,
				   k.ready < 10 ? '0' + k.ready : '+');
	}
}

/* Draws "sub-core 2   5 warps  0 ready  5 wait 37 % used  375 issued". */
static void
draw_numbers(const struct sim *sim, struct canvas *c, int y, unsigned core, unsigned scheduler,
	     const char *name)
{
	struct sub_view v;
	char num[FMT_MAX];
	double slots;
	int x;

	sim_sub_view(sim, core, scheduler, &v);
	slots = (double)(v.issued + v.stalled);
	canvas_printf(c, 1, y, ROLE_TITLE, "%s %u", name, scheduler);
	canvas_right(c, LABEL_W, y, 3, ROLE_VALUE, fmt_num(num, v.warps, 0));
	x = LABEL_W + 4 + canvas_text(c, LABEL_W + 4, y, ROLE_TEXT, "warps") + 1;
	canvas_right(c, x, y, 2, ROLE_VALUE, fmt_num(num, v.ready, 0));
	x += 3 + canvas_text(c, x + 3, y, ROLE_TEXT, "ready") + 1;
	canvas_right(c, x, y, 2, ROLE_VALUE, fmt_num(num, v.warps - v.ready - v.done, 0));
	x += 3 + canvas_text(c, x + 3, y, ROLE_TEXT, "wait") + 1;
	canvas_right(c, x - 1, y, 3, ROLE_VALUE,
		     fmt_num(num, slots > 0 ? 100 * (double)v.issued / slots : 0, 0));
	x += 3 + canvas_text(c, x + 3, y, ROLE_TEXT, "% used") + 2;
	if (x + 8 + text_width(fmt_u64(num, v.issued)) < c->w)
		canvas_printf(c, x, y, ROLE_DIM, "%s issued", num);
}

#define USED_MEANS "% used: of its issue slots"

/* Draws the meaning of the letters in at most `most` rows; returns the rows used. */
static int
draw_legend(struct canvas *c, int y, int most)
{
	int x = 1, rows = 1;

	canvas_put(c, x, y, ROLE_ACTIVE, 0x2588);
	x += 2 + canvas_text(c, x + 2, y, ROLE_DIM, "issued") + 2;
	for (unsigned i = 0; i < ARRAY_LEN(nearest); i++) {
		if (x + 2 + text_width(nearest[i].legend) > c->w) {
			if (rows == most)
				break;
			x = 1;
			y++;
			rows++;
		}
		canvas_put(c, x, y, nearest[i].role, (unsigned char)nearest[i].letter);
		x += 2 + canvas_text(c, x + 2, y, ROLE_DIM, nearest[i].legend) + 2;
	}
	if (x + text_width(USED_MEANS) <= c->w)
		canvas_text(c, x, y, ROLE_DIM, USED_MEANS);
	return rows;
}

static void
draw_schedulers(struct screen *s, struct canvas *c, unsigned core, unsigned n, bool sub_cores)
{
	struct sim *sim = screen_sim(s);
	int cycles = MAX(MIN(c->w - LABEL_W, PAST_CYCLES), 0);
	int y = 1 + draw_legend(c, 1, c->h >= 12 ? 3 : 1), rows = ROWS;

	while (rows > 2 && y + (int)n * rows > c->h + (rows == ROWS))
		rows--; /* leave out the blank row first, then that of the ready warps */
	for (unsigned i = 0; i < n; i++, y += rows) {
		struct canvas part = canvas_sub(c, 0, y, c->w, MIN(MIN(rows, 3), c->h - y));

		draw_numbers(sim, &part, 0, core, i, sub_cores ? "sub-core" : "sched.");
		canvas_text(&part, 1, 1, ROLE_DIM, "slot");
		canvas_text(&part, 1, 2, ROLE_DIM, "ready");
		draw_past(sim, &part, 1, i, cycles);
	}
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	unsigned core = session_focus_core(s->session), n;
	struct sim *sim = screen_sim(s);
	bool active = s->pane == v, sub_cores = sim && sim_sub_cores(sim);
	char num[FMT_MAX], last[FMT_MAX + 20];
	struct err e;
	int x;

	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	x = 1 + canvas_text(c, 1, 0, active ? ROLE_FOCUS : ROLE_TITLE, "subcores") + 1;
	if (!sim || core >= screen_cores(s))
		return;
	n = sim_instances(sim, "sub");
	if (n < 2) {
		canvas_fit(c, 1, 2, c->w - 2, ROLE_DIM,
			   "A core has one scheduler here, no sub-cores.");
		return;
	}
	if (sim_past_on(sim, core, &e) < 0)
		return;
	x += canvas_printf(c, x, 0, ROLE_DIM, "of core %u; a column is a cycle", core);
	snprintf(last, sizeof(last), ", the last is %s", fmt_u64(num, sim_cycle(sim)));
	if (x + text_width(last) < c->w)
		canvas_text(c, x, 0, ROLE_DIM, last);
	draw_schedulers(s, c, core, n, sub_cores);
}

static void
forget_past(struct screen *s, struct pane_view *v ATTR_UNUSED)
{
	if (screen_sim(s))
		sim_past_off(screen_sim(s));
}

const struct pane_ops pane_subcores = {
	.name = "subcores",
	.help = "The schedulers, or sub-cores, of the core in focus: their warps, and over the "
		"last "
		"cycles their issue slots: a block where one issued, a letter for why not.",
	.read = "A part for each scheduler of the core in focus, which is a sub-core where the "
		"machine has them. The first line has its warps, how many are ready and how many "
		"wait, and the share of its issue slots that it has used: one in every cycle in "
		"which the core held a CTA. Below, a column is one cycle, the newest at the right. "
		"A block is a slot that was used; a letter says what the warp waited for that was "
		"nearest to it, as the legend says: all of them waited for that or for longer. A "
		"dot is a warp that was ready and could not issue, mostly because the slot of its "
		"class was taken. The last line counts the ready warps at the end of the cycle, + "
		"for more than 9. With the cursor in the past the last column is its "
		"cycle.",
	.keys = "j and k choose the core.",
	.also = "pane warps, info core, explain sub-core, step",
	.min_w = 30,
	.min_h = 5,
	.kind = PANE_PAGE,
	.looks = PANE_LOOKS_PAST,
	.hidden = forget_past,
	.draw = draw_pane,
};
