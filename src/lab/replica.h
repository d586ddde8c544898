/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replica.h - a second machine that shows other cycles of the run.
 *
 * A replica restores the nearest snapshot of the timeline, or one of its own, and runs forward to
 * the cycle that is wanted, with the choices of the branch. The machine of the session is not moved
 * and its state does not change. A replica works in slices, so a front end stays responsive, and
 * keeps where it is: a later cycle that is wanted next is reached from there.
 *
 * On the last cycles it can record what a view needs beside the state: what the warps of a core did
 * (sim_past()), a profile (sim_profile()), samples of any length.
 */
#ifndef LAB_REPLICA_H
#define LAB_REPLICA_H

#include "lab/machine_copy.h"

struct replica;

struct replica_want {
	struct place place;
	cycle_t from;	 /* records are of the cycles after this one, up to the place */
	int core;	 /* whose warps are recorded; -1: none */
	bool profile;	 /* instructions are profiled */
	uint32_t sample; /* cycles per sample; 0: samples are those of the run */
};

/* The machine and its timeline are borrowed. NULL with e. */
struct replica *replica_new(const struct machine *m, struct err *e);
void replica_free(struct replica *r);
/* Works towards what is wanted for at most so many seconds. 1: the machine is there; 0: not yet; -1
 * with e: it cannot be reached. */
int replica_reach(struct replica *r, const struct replica_want *w, double seconds, struct err *e);
/* Moves the records to the session's machine, which must be in the same cycle of the same run. */
void replica_give_records(struct replica *r);
double replica_done(const struct replica *r);	  /* the part of the way that is done, 0 to 1 */
struct sim *replica_sim(const struct replica *r); /* as the last call left it */

#endif
