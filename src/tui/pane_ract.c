/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_ract.c - shows RACT of every core over time. */
#include "tui/panes.h"

static const struct heat_source source = {
	.title = "RACT",
	.field = SC_RACT,
	.kind = HEAT_MEAN,
	.decimals = 2,
	.hi = 1,
};

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	heat_draw(s, v, c, &source);
}

const struct pane_ops pane_ract = {
	.name = "ract",
	.help = "RACT, the share of cycles in which a core could issue a warp: 0: always waiting; "
		"1: always busy.",
	.read = "From 0 to 1: on a dark core (0) all warps wait, mostly for memory; a bright core "
		"(1) always has something to issue. Where RACT is low with many CTAs, fewer may be "
		"faster.",
	.range = "From 0 to 1." HEAT_RANGE,
	.also = "pane classes, pane heat core.memory, info core, explain RACT",
	.min_w = 20,
	.min_h = 3,
	.kind = PANE_STRIP,
	.draw = draw_pane,
};
