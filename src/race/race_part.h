/* SPDX-License-Identifier: GPL-3.0-or-later */
/* race_part.h - private to src/race: the parent's side of a lane, and what its files use of each
 * other. */
#ifndef RACE_RACE_PART_H
#define RACE_RACE_PART_H

#include "race/race.h"
#include "race/wire.h"

/* ---------------------------------------------------------------- samples.c */

#define RACE_SAMPLES 2048 /* kept of a lane */

int samples_take(struct race_samples *s, const struct race_sample *at, const float *core,
		 unsigned cores); /* -1: out of memory */
void samples_drop(struct race_samples *s);

/* ---------------------------------------------------------------- differ.c */

/* A decision that was received, with its sentence. */
struct told_decision {
	struct decision d;
	char *says; /* owned */
};

/* Decisions of each lane not compared yet: from `at` on. Each lane is compared with the first. */
struct differ {
	struct {
		struct told_decision *d;
		unsigned n, cap;
		uint64_t base; /* place of d[0] in all that came */
	} lane[RACE_LANES];
	struct {
		uint64_t at; /* equal before this place */
		struct race_difference first;
	} pair[RACE_LANES];
};
/* Copies what it takes; -1: out of memory. */
int differ_take(struct differ *d, unsigned lane, const struct decision *what, const char *says,
		size_t n);
/* Compares what is there. Lane i has said all before cycle to[i]; CYCLE_NEVER: all it ever will. */
void differ_compare(struct differ *d, unsigned lanes, const cycle_t *to);
/* The earliest difference of any pair, NULL: none yet. */
const struct race_difference *differ_first(const struct differ *d, unsigned lanes);
/* Could more decisions say more? */
bool differ_open(const struct differ *d, unsigned lanes, const cycle_t *to);
void differ_free(struct differ *d);

/* ---------------------------------------------------------------- racer.c */

/* What a lane is to run: a stack on a machine of its own, or a branch. */
struct racer_job {
	struct config *config;
	const char *stack, *path;
	const struct race_branch *branch; /* NULL: the three above */
	int parent;			  /* the number of the process that made it */
};
/* The child: never returns. */
void racer_main(int fd, const struct racer_job *job) __attribute__((noreturn));

/* ---------------------------------------------------------------- race.c */

struct race_private {
	struct {
		int pid, fd; /* -1: none */
		struct strbuf in;
	} child[RACE_LANES];
	struct differ differ, policies; /* of all decisions; of those that policies alone take */
	bool wanted;			/* of all, as the lanes were told */
	double told;			/* wall clock of the start, then of the last race_go() */
	cycle_t step;			/* length of a step of a race that runs by itself */
};

/* Takes in one frame of a lane. -1: it is damaged. */
int race_take(struct race *r, unsigned lane, const struct wire_head *h, const char *body);

#endif
