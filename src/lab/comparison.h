/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * comparison.h - runs two machine copies that started in the same state side by side to a horizon,
 * and reports what each has done and the first decision in which they differ.
 */
#ifndef LAB_COMPARISON_H
#define LAB_COMPARISON_H

#include "lab/machine_copy.h"
#include "lab/race.h"

/* The work that a machine has done so far. */
struct counts {
	cycle_t cycle;
	uint64_t insts; /* thread instructions */
	unsigned n_cores;
	uint64_t core[MAX_CORES];
	uint64_t class[MAX_CORES][CC_CLASSES];
};
void counts_take(const struct sim *s, struct counts *t);

/* ---------------------------------------------------------------- the horizon */

#define HORIZON_WORKLOAD UINT32_MAX /* instead of a kernel: all of them */

/* Where a run ends: at a cycle, at the end of a kernel, or at that of the workload. */
struct horizon {
	cycle_t cycles;	 /* distance from the common start; 0: the run ends with a kernel */
	cycle_t until;	 /* the last cycle; CYCLE_NEVER if cycles is 0 */
	unsigned kernel; /* ordinal of the kernel, or HORIZON_WORKLOAD */
};
/* Sets the horizon of a run that is where s is. for_cycles 0: the end of the kernel. */
void horizon_set(struct horizon *h, const struct sim *s, cycle_t for_cycles);
/* The same with the end of the workload instead of that of the kernel. */
void horizon_set_workload(struct horizon *h, const struct sim *s, cycle_t for_cycles);
/* Has this run reached the horizon, or ended before it? */
bool horizon_reached(const struct horizon *h, const struct machine_copy *copy);
/* Runs a copy for at most that many cycles, and not beyond the horizon. */
void horizon_stretch(const struct horizon *h, struct machine_copy *copy, cycle_t cycles);
/* Runs a copy to the horizon; 0, or 1 when interrupted. Progress is reported from `from` to
 * from + share. */
int horizon_run(const struct horizon *h, struct machine_copy *copy, const struct lab_progress *p,
		double from, double share);

/* ---------------------------------------------------------------- the first difference */

/* The decision that a flip gave another outcome. It is not compared, since the user knows that it
 * differs. kinds 0: there is no such decision. */
struct flipped {
	cycle_t cycle;
	unsigned core, kernel; /* kernel: its number from 1 */
	uint64_t kinds;	       /* of events: struct decision_view */
};

/* The first decision in which two copies differ. first_difference_begin() starts to listen to both;
 * first_difference_look() compares the decisions since then. */
struct first_difference {
	struct machine_copy *copy[2];
	struct flipped flipped;
	struct differ differ;
	bool known, lost; /* lost: memory ran out for some decisions, so it stays unknown */
	cycle_t cycle;
	char text[2][400]; /* what each copy did then */
};
void first_difference_begin(struct first_difference *f, struct machine_copy *const copy[2]);
bool first_difference_look(struct first_difference *f); /* f->known */
void first_difference_end(struct first_difference *f);

/* ---------------------------------------------------------------- side by side */

struct comparison {
	struct machine_copy *copy[2];
	const char *name[2];
	struct horizon to;
	struct counts from[2], end[2];
	struct first_difference first;
};
/* 0; 1: interrupted before a copy reached the horizon, with the results so far. */
int comparison_run(struct comparison *c, const struct lab_progress *p);
/* Did both copies reach the horizon or end before it? False: one was interrupted or failed. */
bool comparison_is_complete(const struct comparison *c);
/* In copy i, the IPC of a core since the common start (NaN: no cycle has passed), and the cycles of
 * a kernel (NaN: it has not ended). */
double comparison_core_ipc(const struct comparison *c, unsigned i, unsigned core);
double comparison_kernel_cycles(const struct comparison *c, unsigned i, unsigned kernel);

/* Two branches, each as a copy at the cycle where they part. */
struct branch_pair {
	const struct branch *branch[2];
	struct machine_copy *copy[2];
	struct timeline *timeline;
	cycle_t at; /* where they part */
};
/* 0; 1: interrupted; -1 with e. */
int branch_pair_take(const struct machine *m, struct branch_pair *p, const char *a, const char *b,
		     struct err *e);
void branch_pair_free(struct branch_pair *p); /* also after branch_pair_take() failed */

#endif
