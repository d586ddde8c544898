/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame.h - what each decision about a core did to it, measured by giving it
 * the other outcome.
 *
 * blame.c measures; in a script the session does it itself, for a user a process beside the session
 * (blame_worker.c), which sends what it has found as it finds it.
 */
#ifndef LAB_BLAME_H
#define LAB_BLAME_H

#include "base/worker.h"
#include "lab/comparison.h"

/* What was done by some cycle: by the GPU, by the core in question. */
struct blame_sums {
	cycle_t cycle;
	uint64_t insts, core; /* thread instructions */
	uint64_t class[CC_CLASSES];
};

struct suspect {
	char name[DECISION_TEXT], other[32]; /* the decision; the outcome it is given */
	char text[200];			     /* why, and what it was */
	cycle_t cycle;
	bool measured, stuck; /* stuck: it ended in a deadlock */
	struct blame_sums end;
};

enum blame_state { BLAME_RUNS, BLAME_DONE, BLAME_STOPPED, BLAME_FAILED };

struct blame {
	unsigned core, most;
	cycle_t from;
	struct horizon to; /* a cycle; or a kernel's end, where all do the same work */
	unsigned branch;
	char branch_name[64], against[64]; /* against: another branch, "" none */

	/* what is found */
	struct suspect *suspect;
	unsigned n, room, found; /* n are measured of those found */
	bool has_range;		 /* the four below are known */
	struct blame_sums begin, end, other_begin, other_end;
	enum blame_state state;
	char why[200]; /* of a failure */

	struct worker worker; /* that measures, if it runs */
	double share, began;  /* done so far; wall clock */
	bool news;	      /* it has ended, and nobody was told */

	/* the same, for who measures */
	struct machine_copy *copy;
	/* After each piece that is known: the range and how many there are to flip (-1), or one of
	 * them. NULL: nobody wants to know. */
	void (*told)(void *ctx, const struct blame *b, int suspect);
	void *ctx;
};

/* Fills in what is found. 0; 1: interrupted, and what is known by then is in it; -1 with e. */
int blame_measure(const struct machine *m, struct blame *b, const struct lab_progress *p,
		  struct err *e);

/* In a worker. -1 with e: there is none. */
int blame_start(const struct machine *m, struct blame *b, struct err *e);
bool blame_read(struct blame *b); /* takes what has come; true: it has ended meanwhile */
void blame_stop(struct blame *b); /* ends it; what is known stays */
void blame_free(struct blame *b); /* NULL is fine */

#endif
