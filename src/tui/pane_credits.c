/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_credits.c - shows the credit register of every core over time, if a policy of the stack
 * declares one. */
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>

/* Says that no policy of the stack has credits, instead of showing an unknown value everywhere. */
static bool
explain_missing(const struct screen *s, char *buf, size_t size)
{
	struct sim *sim = screen_sim(s);
	const struct cta_sched_ops *o = config_credit_policy(sim_config(sim));
	struct core_view v;

	sim_core_view(sim, 0, &v);
	if (v.has_credits || (series_count(sim) && !isnan(series_core(sim, SC_CREDITS, 0, 0))))
		return false;
	snprintf(buf, size, "No policy of this run uses credits.");
	if (o)
		snprintf(buf, size,
			 "No policy of this run uses credits.\n\n%s does: start with  -p %s  or "
			 "type  set policy %s  at the prompt.",
			 o->name, o->name, o->name);
	return true;
}

static bool
is_applicable(const struct screen *s)
{
	char why[200];

	return !explain_missing(s, why, sizeof(why));
}

static const struct heat_source source = {
	.title = "local credits",
	.field = SC_CREDITS,
	.kind = HEAT_LAST,
	.missing = explain_missing,
};

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	heat_draw(s, v, c, &source);
}

const struct pane_ops pane_credits = {
	.name = "credits",
	.help = "Local credits of each core: a core without credits takes no CTA.",
	.read = "From dark to bright: the credits that a core can still spend on new CTAs. A dark "
		"core takes no CTA until credits return. Only policies with credits have this "
		"pane.",
	.range = "From 0 to the most credits a core has." HEAT_RANGE,
	.also = "info credits, break credit, break credit-exhausted, why",
	.min_w = 20,
	.min_h = 3,
	.kind = PANE_STRIP,
	.applies = is_applicable,
	.draw = draw_pane,
};
