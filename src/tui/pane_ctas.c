/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_ctas.c - running CTAs of every core over time. */
#include "tui/panes.h"

static const struct heat_source source = {
	.title = "CTAs running",
	.field = SC_RUNNING,
	.kind = HEAT_MEAN,
	.decimals = 1,
};

static void
draw(struct screen *s, struct canvas *c)
{
	heat_draw(s, c, &source, PANE_CTAS);
}

const struct pane_ops pane_ctas = {
	.name = "ctas",
	.help = "CTAs running on each core: what the policies limit and pause. Paused CTAs do not "
		"count.",
	.min_w = 20,
	.min_h = 3,
	.heat = true,
	.draw = draw,
};
