/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_credits.c - the local credit register of every core over time (CLASO). */
#include "tui/panes.h"
#include <math.h>

/* Unknown everywhere means that no policy of the stack has credits; then say so instead. */
static const char *
missing(const struct screen *s)
{
	struct sim *sim = screen_sim(s);
	struct core_view v;

	sim_core_view(sim, 0, &v);
	if (v.has_credits || (series_count(sim) && !isnan(series_core(sim, SC_CREDITS, 0, 0))))
		return NULL;
	return "No policy of this run uses credits.\n\nclaso does: start with  -p claso  or, on "
	       "top of another "
	       "policy,  -p dyncta+claso  or type  set policy claso  at the prompt.";
}

static const struct heat_source source = {
	.title = "local credits",
	.field = SC_CREDITS,
	.kind = HEAT_LAST,
	.missing = missing,
};

static void
draw(struct screen *s, struct canvas *c)
{
	heat_draw(s, c, &source, &pane_credits);
}

const struct pane_ops pane_credits = {
	.name = "credits",
	.help = "Local credits of each core (claso): a core without credits takes no CTA.",
	.min_w = 20,
	.min_h = 3,
	.heat = true,
	.draw = draw,
};
