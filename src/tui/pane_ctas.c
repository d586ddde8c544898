/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_ctas.c - shows the running CTAs of every core over time. */
#include "tui/panes.h"

/* Returns N, the most CTAs of the running kernel that fit on a core. */
static double
most_ctas(const struct screen *s)
{
	struct core_view v;

	sim_core_view(screen_sim(s), 0, &v);
	return v.n_max;
}

static const struct heat_source source = {
	.least_hi = most_ctas,
	.title = "CTAs running",
	.field = SC_RUNNING,
	.kind = HEAT_MEAN,
	.decimals = 1,
};

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	heat_draw(s, v, c, &source);
}

const struct pane_ops pane_ctas = {
	.name = "ctas",
	.help = "CTAs running on each core: what the policies limit and pause. Paused CTAs do not "
		"count.",
	.read = "From dark to bright: how many CTAs may issue. Where a row gets darker, a policy "
		"lowers the limit of the core; where all rows are the same, the policy has "
		"settled.",
	.range = "From 0 to the most CTAs of the kernel that fit on a core." HEAT_RANGE,
	.also = "pane gates, pane policy, layout watch, info core, info ctas",
	.min_w = 20,
	.min_h = 3,
	.kind = PANE_STRIP,
	.draw = draw_pane,
};
