/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halves.h - a stretch of cycles on two threads: the cores, and the memory side of the machine, or
 * that and a second team of cores.
 */
#ifndef SIM_HALVES_H
#define SIM_HALVES_H

#include "ctascope/sim.h"

#define HALVES_LEAST 64 /* cycles; for fewer it does not pay */

/* Why this machine cannot be divided between two threads; NULL: it can. */
const char *halves_refusal(const struct sim *s);

/* What the two threads need. NULL: it cannot be divided, or out of memory. */
struct halves *halves_new(struct sim *s);
void halves_free(struct halves *h);

/* The clusters of the second team, which the partner has beside the memory side. */
enum halves_team { TEAM_NONE, TEAM_QUARTER, TEAM_HALF, TEAM_SIZES };

/* May there be a second team? Not where a policy hears of warps. */
bool halves_may_team(const struct halves *h);

/* Runs to `end`, or less far; there must be a partner (base/partner.h), no sample before `end`, and
 * nobody who stops the run within a cycle. team: none if halves_may_team() says so. The state is
 * then that after as many sim_step(). Returns false if it ran none, because a kernel may end soon.
 */
bool halves_run(struct halves *h, cycle_t end, enum halves_team team);

#endif
