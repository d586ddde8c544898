/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bottleneck.h - which part of the machine limits a run: the whole workload again with each part
 * made twice as fast (bottleneck.def), under the present settings and policy.
 *
 * The gain of a part is the cycles of the run without any change over its own. Gains do not add up:
 * a part that is not the first limit gains nothing until the first one is lifted.
 */
#ifndef LAB_BOTTLENECK_H
#define LAB_BOTTLENECK_H

#include "lab/machine_copy.h"

#define BOTTLENECK_RUNS 8 /* the run as it is, then every part */

struct bottleneck_run {
	const char *part;  /* NULL: as it is */
	char changes[240]; /* "gpu.clock_noc 1300, ...": the options that changed */
	bool tried;	   /* false: its options are at their ends */
	bool done;
	cycle_t cycles;
	uint64_t insts; /* thread instructions */
	char why[200];	/* not done: the reason */
};

struct bottleneck {
	struct bottleneck_run run[BOTTLENECK_RUNS];
};

/* Runs all of it, each in a worker, as many at once as there are processors. 0; 1: interrupted;
 * -1 with e. A run that fails is not an error here. */
int bottleneck_measure(const struct machine *m, struct bottleneck *b, const struct lab_progress *p,
		       struct err *e);
/* Cycles as it is over those of a run; NaN when one of them is not known. */
double bottleneck_gain(const struct bottleneck *b, const struct bottleneck_run *r);
/* Writes a row for each run, in the order of bottleneck.def; "-" is standard output. -1 with e. */
int bottleneck_csv(const struct bottleneck *b, const char *path, struct err *e);

#endif
