/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * settled.h - finds the cores whose limits have settled, and the phase of a policy, for pane
 * converge.
 */
#ifndef TUI_SETTLED_H
#define TUI_SETTLED_H

#include "ctascope/base.h"

struct screen;
struct sim;

/* Periods without a change of the limit; the same number as for `until converged`. */
#define SETTLED_PERIODS 4

struct settled {
	unsigned cores, settled; /* cores with CTAs, and how many of them have settled */
	/* Range of their limits: of the settled cores, or of all if none has settled. */
	double lo, hi;
};

/* Returns the limit of a core at the end of a sample; NaN for a core that is off or holds no CTA,
 * because its limit has no effect. */
double limit_of_core(const struct sim *sim, unsigned core, unsigned sample);

/* Returns false if there is no sample, or if no policy decides at periods (cores and limits are set
 * all the same). */
bool settled_at_cursor(const struct screen *s, struct settled *r);

/* Of a stack that decides no limits, but goes through phases: "tcs: phase reduce". Its state has a
 * field for all cores whose values have names; in the past the value is not known. Returns false
 * for other stacks. */
bool settled_phase(const struct screen *s, char *buf, size_t size);

#endif
