/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * comparison.h - two machine copies that were the same, run side by side to a horizon: what each
 * has done, and the first decision in which they differ.
 */
#ifndef LAB_COMPARISON_H
#define LAB_COMPARISON_H

#include "lab/machine_copy.h"
#include "lab/race.h"

/* What a machine has done so far. */
struct counts {
	cycle_t cycle;
	uint64_t insts; /* thread instructions */
	unsigned n_cores;
	uint64_t core[MAX_CORES];
	uint64_t class[MAX_CORES][CC_CLASSES];
};
void counts_take(const struct sim *s, struct counts *t);

/* ---------------------------------------------------------------- the horizon */

/* Where a run ends: at a cycle, or at the end of a kernel. */
struct horizon {
	cycle_t cycles;	 /* from where the runs were the same; 0: to the end of a kernel */
	cycle_t until;	 /* the cycle that makes; CYCLE_NEVER */
	unsigned kernel; /* that ends, as an ordinal */
};
/* Of a run that is where s is. for_cycles 0: the kernel's end. */
void horizon_set(struct horizon *h, const struct sim *s, cycle_t for_cycles);
/* Is this run there? A run that has ended, is. */
bool horizon_reached(const struct horizon *h, const struct machine_copy *copy);
/* At most that many cycles towards it, never beyond. */
void horizon_stretch(const struct horizon *h, struct machine_copy *copy, cycle_t cycles);
/* Runs a copy there; 0, or 1 when interrupted. share: of all the work, this run's part. */
int horizon_run(const struct horizon *h, struct machine_copy *copy, const struct lab_progress *p,
		double from, double share);

/* ---------------------------------------------------------------- the first difference */

/* The decision that a flip gave another outcome: the user knows that it differs, so it is not
 * compared. kinds 0: none was. */
struct flipped {
	cycle_t cycle;
	unsigned core;
	uint64_t kinds; /* of events: struct decision_view */
};

/* The first decision in which two copies differ. Both are listened to from first_difference_begin()
 * on, and compared up to where they are by each first_difference_look(). */
struct first_difference {
	struct machine_copy *copy[2];
	struct flipped flipped;
	struct differ differ;
	bool known, lost; /* lost: memory ran out for some, so nothing is known */
	cycle_t cycle;
	char text[2][400]; /* what each did then */
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
/* 0; 1: interrupted, and what was reached by then is in it. */
int comparison_run(struct comparison *c, const struct lab_progress *p);
/* IPC of a core of copy i since the copies were the same, and the cycles of a kernel of it; NaN: no
 * cycle has passed, it has not ended. */
double comparison_core_ipc(const struct comparison *c, unsigned i, unsigned core);
double comparison_kernel_cycles(const struct comparison *c, unsigned i, unsigned kernel);

/* Two branches, each in a copy where they part. */
struct branch_pair {
	const struct branch *branch[2];
	struct machine_copy *copy[2];
	struct timeline *timeline;
	cycle_t at; /* where they part */
};
int branch_pair_take(const struct machine *m, struct branch_pair *p, const char *a, const char *b,
		     struct err *e);
void branch_pair_free(struct branch_pair *p); /* after branch_pair_take(), in any case */

#endif
