/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * twin.h - a second run beside that of the session: the same workload under another policy stack,
 * or another branch of its timeline, brought to the same cycle.
 *
 * A twin owns a machine, a debugger without stops, and a timeline, so it can go back as far as the
 * session can. It works in slices, so a front end stays responsive. The machine of the session is
 * not moved, except once while a twin of a branch is built.
 */
#ifndef LAB_TWIN_H
#define LAB_TWIN_H

#include "lab/comparison.h"

struct twin;

/* Both make a twin at cycle 0 and copy the name; NULL with e. Automatic snapshots take at most
 * `memory` bytes. twin_of_stack(): the current settings under another stack, as in a race. The
 * trace of m is borrowed. twin_of_branch(): the choices of the branch as they are now; beyond its
 * tip the twin goes on without further ones. NULL without e: interrupted. */
struct twin *twin_of_stack(const struct machine *m, const char *stack, size_t memory,
			   struct err *e);
struct twin *twin_of_branch(const struct machine *m, const struct branch *b, size_t memory,
			    struct err *e);
void twin_free(struct twin *t); /* NULL is fine */

const char *twin_name(const struct twin *t); /* the stack or the branch */
struct sim *twin_sim(const struct twin *t);
struct debug *twin_debug(const struct twin *t);
/* For a replica of the twin: its machine and its timeline; the other members are NULL. */
struct machine twin_machine(const struct twin *t);
struct place twin_here(const struct twin *t);

/* Moves the twin to the cycle, or to the end of its workload if that is earlier, for at most so
 * many seconds. CYCLE_NEVER: to the end. 1: it is there; 0: not yet; -1 with e. */
int twin_reach(struct twin *t, cycle_t cycle, double seconds, struct err *e);

/* Looks, for at most so many seconds, for the first decision in which the twin and the present
 * branch of m differ, up to the cycle that both have reached. 1: it is known, or the search has
 * reached that cycle; 0: not yet; -1 with e. A change of the branch begins the search again. */
int twin_compare(struct twin *t, const struct machine *m, double seconds, struct err *e);
struct twin_difference {
	bool known;
	cycle_t cycle;	     /* of the difference; until it is known, that the search has reached */
	const char *text[2]; /* what the session's run and the twin did then */
};
void twin_difference(const struct twin *t, struct twin_difference *d); /* borrowed texts */

#endif
