/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halves.h - a stretch of cycles on two threads: the cores, and the memory side of the machine.
 */
#ifndef SIM_HALVES_H
#define SIM_HALVES_H

#include "ctascope/sim.h"

#define HALVES_LEAST 64 /* cycles; for fewer it does not pay */

/* What the two threads need. NULL: out of memory, or requests reach the L2 queue so soon that two
 * threads would only wait. */
struct halves *halves_new(struct sim *s);
void halves_free(struct halves *h);

/* Runs to `end`, or less far; there must be a partner (base/partner.h), no sample before `end`, and
 * nobody who stops the run within a cycle. The state is then that after as many sim_step(). Returns
 * false if it ran none, because a kernel may end soon. */
bool halves_run(struct halves *h, cycle_t end);

#endif
