/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contest.h - private to src/session: two labs that were the same, run side by side to a horizon,
 * and what came of it.
 */
#ifndef SESSION_CONTEST_H
#define SESSION_CONTEST_H

#include "session/lab.h"

/* What has been done so far. */
struct tally {
	cycle_t cycle;
	uint64_t insts; /* thread instructions */
	unsigned n_cores;
	uint64_t core[MAX_CORES];
	uint64_t class[MAX_CORES][CC_CLASSES];
};
void tally_take(const struct sim *s, struct tally *t);

/* To where it goes. Both 0: to the end of the kernel. */
struct horizon {
	cycle_t cycles;	 /* so many, from where both were the same; 0: to the end of a kernel */
	cycle_t until;	 /* the cycle that makes; CYCLE_NEVER */
	unsigned kernel; /* that ends, as an ordinal */
};

/* The decision that a flip gave another outcome: the user knows that it differs, so it is not
 * compared. kinds 0: none was. */
struct flipped {
	cycle_t cycle;
	unsigned core;
	uint64_t kinds; /* of events: struct decision_view */
};

/* The first decision in which two labs differ. Both are listened to from first_difference_begin()
 * on, and compared up to where they stand by each first_difference_look(). */
struct first_difference {
	struct lab *lab[2];
	struct flipped flipped;
	struct differ differ;
	bool known, lost; /* lost: memory ran out for some, so nothing is known */
	cycle_t cycle;
	char text[2][400]; /* what each did then */
};
void first_difference_begin(struct first_difference *f, struct lab *const lab[2]);
bool first_difference_look(struct first_difference *f); /* f->known */
void first_difference_end(struct first_difference *f);
/* all: what to call the decisions when none differs, "every decision after it" */
void first_difference_say(struct session *s, const struct first_difference *f,
			  const char *const name[2], const char *all);

struct contest {
	struct lab *lab[2];
	const char *name[2];
	struct horizon to;
	struct tally from[2], end[2];
	struct first_difference first;
};

/* Where a run that stands here goes. for_cycles 0: the kernel's end. */
void horizon_set(struct horizon *h, const struct sim *s, cycle_t for_cycles);
/* Has this run come there? A run that has ended, has. */
bool horizon_reached(const struct horizon *h, const struct lab *l);
/* At most so many cycles towards it, never beyond. */
void horizon_stretch(const struct horizon *h, struct lab *l, cycle_t cycles);
/* Runs a lab there; 0, or 1 when interrupted. share: of all the work, this run's part. */
int horizon_run(const struct horizon *h, struct lab *l, struct lab_watch *w, double from,
		double share);

/* 0; 1: interrupted, and what was reached by then is in it. */
int contest_run(struct session *s, struct contest *c, const char *what);
void contest_say(struct session *s, const struct contest *c);

/* Two branches, each in a lab where they part. */
struct pair {
	struct session *s;
	const struct branch *b[2];
	struct lab *lab[2];
	cycle_t at; /* where they part */
};
int pair_take(struct session *s, struct pair *p, const char *a, const char *b, struct err *e);
void pair_free(struct pair *p); /* after pair_take(), in any case */

#endif
