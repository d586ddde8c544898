/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * teams.h - the cores in two teams, each visited by its own thread in every cycle.
 */
#ifndef SIM_TEAMS_H
#define SIM_TEAMS_H

#include "ctascope/sim.h"

struct teams;

/* NULL: out of memory, or there is only one cluster. */
struct teams *teams_new(struct sim *s);
void teams_free(struct teams *t);

/* Runs to `end`, or less far if the run is to stop; there must be a partner (base/partner.h), and
 * nobody who listens to the cores. The state is then that after as many sim_step(). Returns the
 * cycles in which both teams had work. */
cycle_t teams_run(struct teams *t, cycle_t end);

/* Visits the awake cores in a cycle of teams_run(). */
void teams_tick(struct teams *t);
/* sim_step(), with teams_tick() for the cores; NULL: without it (step.c). */
void sim_step_in_teams(struct sim *s, struct teams *t);

#endif
