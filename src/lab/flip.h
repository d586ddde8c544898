/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flip.h - a decision with another outcome, on a branch of its own. */
#ifndef LAB_FLIP_H
#define LAB_FLIP_H

#include "lab/comparison.h"

/* Is it a decision about that core that can have another outcome? */
bool flip_is_possible(const struct sim *s, const struct event *ev, unsigned core);
/* Is it an outcome of that decision, and another than it had? 0, 1 interrupted, -1 with e. */
int flip_check(const struct machine *m, const struct decision_view *v, const char *outcome,
	       struct err *e);
/* Looks in a copy for the first decision about a core after the present that can be flipped, for so
 * many cycles. 1: *at and its sentence are known; 0: there is none up to *at; -1: no copy. */
int flip_find_next(const struct machine *m, unsigned core, cycle_t cycles,
		   const struct lab_progress *p, cycle_t *at, bool *ended, char *text, size_t size);

/* A branch that leaves the present path at a cycle of it, with one choice; the machine is back
 * afterwards. 0, 1 interrupted, -1 with e. */
int branch_with_choice(const struct machine *m, const char *name, cycle_t cycle,
		       const struct choice *c, char *note, size_t size, unsigned *id,
		       struct err *e);
/* Runs both from where the branch leaves the present path. c says which decision was flipped and
 * what both are called; its copies are the caller's, in any case. 0, 1 interrupted: *stopped when
 * something can be compared, -1 with e. */
int branch_compare(const struct machine *m, unsigned branch, cycle_t cycle, cycle_t for_cycles,
		   struct comparison *c, const struct lab_progress *p, bool *stopped,
		   struct err *e);

#endif
