/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads.h - a run on two threads, where that is allowed and faster.
 */
#ifndef SIM_THREADS_H
#define SIM_THREADS_H

#include "ctascope/sim.h"

struct threads *threads_new(struct sim *s); /* NULL: the run has one thread */
void threads_free(struct threads *t);

/* The cycle from which threads_run() may be called; CYCLE_NEVER: not in this call of sim_run(). */
cycle_t threads_begin(struct sim *s);
/* Runs some cycles, at most up to `until`. The state is then that after as many sim_step(). Returns
 * false if it ran none. *again: the cycle from which to call it again. */
bool threads_run(struct sim *s, cycle_t until, cycle_t *again);
/* The part of the cycles that ran on two threads. */
double threads_share(const struct sim *s);

#endif
