/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settled.h - which cores' limits have come to rest, for the pane converge. */
#ifndef TUI_SETTLED_H
#define TUI_SETTLED_H

#include "ctascope/base.h"

struct screen;
struct sim;

#define SETTLED_PERIODS 4 /* without a change of the limit, as `until converged` wants them */

struct settled {
	unsigned cores, settled; /* those with CTAs; and of these */
	double lo, hi;		 /* their limits: of the settled ones, or of all when none is */
};

/* The limit of a core at the end of a sample; NaN for one that is off or holds no CTA: what its
 * limit is there says nothing. */
double limit_of_core(const struct sim *sim, unsigned core, unsigned sample);

/* At the cursor. False: no sample, or no policy decides at periods (cores and limits are told). */
bool settled_at_cursor(const struct screen *s, struct settled *r);

#endif
