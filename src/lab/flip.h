/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flip.h - gives a decision another outcome, on a new branch. */
#ifndef LAB_FLIP_H
#define LAB_FLIP_H

#include "lab/comparison.h"

/* Is the event a decision about that core that can have another outcome? kernel: whose, from 1; 0:
 * of any. */
bool flip_is_possible(const struct sim *s, const struct event *ev, unsigned core, unsigned kernel);
/* Checks that the decision can have this outcome and had another. 0, 1 interrupted, -1 with e. */
int flip_check(const struct machine *m, const struct decision_view *v, const char *outcome,
	       struct err *e);
/* Searches the next cycles, in a copy, for the first decision about a core that can be flipped. 1:
 * *at is its cycle and text its sentence; 0: there is none up to *at; -1: no copy could be made. */
int flip_find_next(const struct machine *m, unsigned core, unsigned kernel, cycle_t cycles,
		   const struct lab_progress *p, cycle_t *at, bool *ended, char *text, size_t size);

/* Makes a branch that leaves the present path at a cycle, with one choice. The machine returns to
 * the present. 0, 1 interrupted, -1 with e. */
int branch_with_choice(const struct machine *m, const char *name, cycle_t cycle,
		       const struct choice *c, char *note, size_t size, unsigned *id,
		       struct err *e);
/* The first change that the present path makes after that cycle; NULL: none. */
const struct choice *branch_left_out(const struct machine *m, cycle_t cycle);
/* Runs the present path and the branch from the cycle where the branch leaves it, both without the
 * changes that the present path makes later, which the branch does not have. The caller fills
 * c with the flipped decision and the names, and frees its copies, also on failure. 0; 1
 * interrupted before the runs; -1 with e. *stopped: interrupted during the runs, with results so
 * far. */
int branch_compare(const struct machine *m, unsigned branch, cycle_t cycle, cycle_t for_cycles,
		   struct comparison *c, const struct lab_progress *p, bool *stopped,
		   struct err *e);

#endif
