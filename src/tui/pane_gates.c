/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_gates.c - the state of every core over time: active, draining, throttled, paused, off,
 * empty. */
#include "tui/panes.h"

static const struct heat_source source = {
	.title = "gates",
	.field = SC_STATE,
	.kind = HEAT_CATEGORY,
	.hi = HEAT_STATES,
};

static void
draw(struct screen *s, struct pane_view *v, struct canvas *c)
{
	heat_draw(s, v, c, &source);
}

const struct pane_ops pane_gates = {
	.name = "gates",
	.help = "State of each core: active, draining (ends its CTAs, takes none), throttled (no "
		"memory access), "
		"paused, off (gated), or empty (holds no CTA).",
	.min_w = 20,
	.min_h = 3,
	.kind = PANE_STRIP,
	.draw = draw,
};
