/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame.h - the effect of each decision about a core, measured by running with the other outcome.
 *
 * blame.c measures, with a worker for each decision. In a script the session calls it directly; for
 * a user a process beside the session does (blame_worker.c), which sends each result as soon as it
 * has it.
 */
#ifndef LAB_BLAME_H
#define LAB_BLAME_H

#include "base/worker.h"
#include "lab/comparison.h"

/* The work done up to a cycle, by the GPU and by the core in question. */
struct blame_sums {
	cycle_t cycle;
	uint64_t insts, core; /* thread instructions */
	uint64_t class[CC_CLASSES];
};

struct suspect {
	char name[DECISION_TEXT], other[32]; /* the decision; the outcome that the flip gives it */
	char text[200];			     /* its sentence: cause and actual outcome */
	cycle_t cycle;
	bool measured, stuck; /* stuck: the flip led to a deadlock */
	struct blame_sums end;
};

enum blame_state { BLAME_RUNS, BLAME_DONE, BLAME_STOPPED, BLAME_FAILED };

struct blame {
	unsigned core, most;
	cycle_t from;
	struct horizon to; /* a cycle; or a kernel's end, when all runs have done the same work */
	unsigned branch;
	char branch_name[64], against[64]; /* against: another branch, "" none */

	/* the results */
	struct suspect *suspect;
	unsigned n, room, found; /* n of the decisions found are measured */
	bool has_range;		 /* the four sums below are known */
	struct blame_sums begin, end, other_begin, other_end;
	enum blame_state state;
	char why[200]; /* of a failure */

	struct worker worker; /* measures, if it runs */
	double share, began;  /* the part that is done; wall clock of the start */
	bool news;	      /* it has ended, and the user has not seen that */

	/* used by whoever measures */
	struct machine_copy *copy;
	/* Called when the range is known (suspect -1), then after each suspect, in the order in
	 * which they end. May be NULL. */
	void (*on_found)(void *ctx, const struct blame *b, int suspect);
	void (*on_fork)(void *ctx); /* called in the worker of a decision; may be NULL */
	void *ctx;
};

/* Measures. 0; 1: interrupted, with the results so far; -1 with e. */
int blame_measure(const struct machine *m, struct blame *b, const struct lab_progress *p,
		  struct err *e);

/* Starts a worker that measures. -1 with e. */
int blame_start(const struct machine *m, struct blame *b, struct err *e);
bool blame_read(struct blame *b); /* reads new results; true: the worker has ended */
void blame_stop(struct blame *b); /* ends the worker and keeps the results */
void blame_free(struct blame *b); /* NULL is fine */

#endif
