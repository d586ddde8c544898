/* SPDX-License-Identifier: GPL-3.0-or-later */
/* race_part.h - private to src/lab: the parent's state of a race, and the functions that the files
 * of a race share. */
#ifndef LAB_RACE_PART_H
#define LAB_RACE_PART_H

#include "lab/race.h"
#include "lab/wire.h"

/* ---------------------------------------------------------------- samples.c */

#define RACE_SAMPLES 2048 /* most samples of a lane */

int samples_take(struct race_samples *s, const struct race_sample *at, const float *core,
		 unsigned cores); /* -1: out of memory */
void samples_drop(struct race_samples *s);

/* ---------------------------------------------------------------- racer.c */

/* What a lane runs: a stack on the trace, or the copy of a branch. */
struct racer_job {
	struct config *config;
	const char *stack, *path;
	struct machine_copy *copy; /* NULL: the lane runs the three above */
};
/* The main function of the lane's process; returns its exit status. */
int racer_main(struct channel *c, const struct racer_job *job);

/* ---------------------------------------------------------------- race.c */

struct race_private {
	struct worker worker[RACE_LANES];
	struct differ differ, policies; /* compare all decisions; only those of policies */
	bool wants_all;			/* of all, as the lanes were told */
	double go_time;			/* wall clock of the start, later of the last race_go() */
	cycle_t step;			/* length of a step of a race that runs by itself */
};

/* Handles one frame of a lane. -1: it is damaged. */
int race_take(struct race *r, unsigned lane, const struct frame *f);

#endif
