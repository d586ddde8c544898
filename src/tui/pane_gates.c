/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_gates.c - shows the state of every core over time: active, draining, throttled, paused, off
 * or empty. */
#include "base/memory.h"
#include "tui/panes.h"
#include <stdlib.h>

/* Whether a policy has ever changed a core's state in this run. */
struct gates {
	unsigned seen; /* samples examined */
	bool any;
};

static int
open_gates(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e ATTR_UNUSED)
{
	v->own = memory_new(1, sizeof(struct gates));
	return 0;
}

static void
close_gates(struct pane_view *v)
{
	free(v->own);
	v->own = NULL;
}

static bool
is_present(const struct screen *s, const struct pane_view *v)
{
	const struct sim *sim = screen_sim(s);
	struct gates *g = v->own;
	unsigned n = series_count(sim);

	if (g->seen > n)
		/* This is another run, or samples were merged. */
		*g = (struct gates){0};
	for (; !g->any && g->seen < n; g->seen++)
		for (unsigned c = 0; c < screen_cores(s); c++) {
			double state = series_core(sim, SC_STATE, c, g->seen);
			g->any |= state > CORE_ACTIVE && state <= CORE_OFF;
		}
	return g->any;
}

static const struct heat_source source = {
	.title = "gates",
	.field = SC_STATE,
	.kind = HEAT_CATEGORY,
	.hi = HEAT_STATES,
};

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	heat_draw(s, v, c, &source);
}

const struct pane_ops pane_gates = {
	.name = "gates",
	.help = "State of each core: active, draining (ends its CTAs, takes none), throttled (no "
		"memory access), "
		"paused, off (gated), or empty (holds no CTA).",
	.read = "A colour and a letter for each state: active has its colour alone (- without "
		"colours), d drains, t is "
		"throttled, p paused, a cross off, a dot empty. A column shows the last state in "
		"it.",
	.also = "info gates, break gate, break ungate, pane heat core.power",
	.min_w = 20,
	.min_h = 3,
	.kind = PANE_STRIP,
	.open = open_gates,
	.close = close_gates,
	.present = is_present,
	.draw = draw_pane,
};
