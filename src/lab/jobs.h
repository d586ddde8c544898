/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jobs.h - runs the jobs of an experiment in parallel, each in a worker (base/worker.h).
 *
 * A worker begins with the parent's memory as it is at that time. So a job can continue from the
 * state that a machine copy of the parent has then, without a snapshot, and both share the memory
 * that neither of them changes. Jobs end in any order. An experiment whose results depend on the
 * order keeps a result until it has those before it.
 */
#ifndef LAB_JOBS_H
#define LAB_JOBS_H

#include "base/strbuf.h"
#include "lab/machine_copy.h"

#define JOBS_AT_ONCE 16 /* the most workers at once, since each may need a machine's memory */
#define JOB_NONE UINT32_MAX

struct job_result {
	const char *body; /* what work() added to its result; NULL: the job failed */
	size_t n;
	const struct err *why; /* of the failure */
};

struct jobs {
	unsigned n; /* jobs that are expected, for the progress */
	/* In the parent: prepares the next job and stores its number; JOB_NONE: no job can start
	 * before another has ended. p tells whether the user interrupts. 0; 1: interrupted; -1 with
	 * e. */
	int (*next)(void *ctx, unsigned *job, const struct lab_progress *p, struct err *e);
	/* In the worker: adds the result; p takes the share of the job that is done. -1 with e. */
	int (*work)(void *ctx, unsigned job, const struct lab_progress *p, struct strbuf *result,
		    struct err *e);
	/* In the parent: a job has ended. -1 with e ends the others. */
	int (*took)(void *ctx, unsigned job, const struct job_result *r, struct err *e);
	void *ctx;
};

/* The number of workers that run at once: m->workers, or one per processor. */
unsigned jobs_at_once(const struct machine *m);
/* Runs jobs until next() has none and all have ended. Progress is reported from `from` to from +
 * share. 0; 1: interrupted; -1 with e. No worker is left in any case. */
int jobs_run(const struct jobs *j, const struct machine *m, const struct lab_progress *p,
	     double from, double share, struct err *e);

#endif
