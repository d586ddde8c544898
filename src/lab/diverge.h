/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diverge.h - finds the first event, decision or state in which two branches differ. */
#ifndef LAB_DIVERGE_H
#define LAB_DIVERGE_H

#include "lab/comparison.h"

struct event_difference {
	bool known;
	cycle_t cycle;
	char text[2][400]; /* the event of each branch in that cycle */
};

/* All run both copies of a pair from where they are. 0; 1 interrupted; -1 with e. */
int diverge_by_events(struct branch_pair *p, struct event_difference *d,
		      const struct lab_progress *progress);
int diverge_by_decisions(struct branch_pair *p, struct first_difference *f,
			 const struct lab_progress *progress);
/* part SIM_PARTS: any part. If *found, both copies are at the first cycle after which the states
 * differ. */
int diverge_by_state(struct branch_pair *p, unsigned part, bool *found,
		     const struct lab_progress *progress, struct err *e);

#endif
