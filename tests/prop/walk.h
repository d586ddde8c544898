/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.h - a random walk through time: its state, and its steps (walk_steps.c). */
#ifndef TESTS_PROP_WALK_H
#define TESTS_PROP_WALK_H

#include "sim/config.h"
#include "tests/sim/model.h"
#include "timeline/timeline.h"

#define MOST_VISITS 400
#define TRACED EV_CTA_ISSUE

struct visit {
	struct place place;
	uint64_t digest;
};

struct walk {
	struct config *c;
	struct trace *t;
	struct sim *sim;
	struct debug *d;
	struct timeline *tl;
	uint64_t random;
	cycle_t far;	  /* it goes no further */
	bool quiet;	  /* changes nothing, and checks the tracepoint */
	uint64_t traced0; /* events counted before it */
	struct visit visit[MOST_VISITS];
	unsigned n_visits;
	unsigned places; /* places compared in all */
	char last[400];	 /* its last actions */
	char bad[600];	 /* the first wrong place; "": none */
};

/* Stacks in which every policy decides something within a few thousand cycles; NULL ends them. */
extern const char *const walk_stacks[];

/* Returns a random number below n; 0 for n = 0. */
uint64_t walk_below(struct walk *w, uint64_t n);

/* Takes a random step, and notes where it led. */
void walk_step(struct walk *w);

/* Compares all noted places with plain runs, and forgets them; the first wrong one goes to w->bad.
 */
void walk_check_visits(struct walk *w);

#endif
