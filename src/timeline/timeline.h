/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline.h - a run as something one can go back in: places, choices, branches.
 *
 * A timeline stands around one sim and its debugger. It is a tree of branches. A choice is what the
 * user made different at a cycle: an option, the policy stack, the outcome of a decision. A branch
 * is a parent, the cycle it left it at, and a list of choices of its own. A place is a branch and a
 * cycle of it or of what it came from.
 *
 * The state of the machine at a place is a function of configuration, workload and the choices on
 * the path from the root up to that cycle, those at that cycle included; never of the way one got
 * there. Going back before a choice undoes it, going forward over it does it again. The past is
 * reached by a snapshot and a replay, in silence: nobody is told of what has been told before.
 *
 * Functions that move return 0, -1 with e, or 1 when *poll became non-zero; unless they return 0
 * one stands where one stood before. It prints nothing.
 */
#ifndef TIMELINE_TIMELINE_H
#define TIMELINE_TIMELINE_H

#include "debug/debug.h"

struct timeline;

struct place {
	unsigned branch;
	cycle_t cycle;
};

enum choice_kind { CHOICE_OPTION, CHOICE_POLICY, CHOICE_OUTCOME };
struct choice {
	enum choice_kind kind;
	cycle_t cycle;
	char *key, *value, *before; /* key: the option; before: its value until then */
};

#define BRANCH_NONE (~0u)
struct branch {
	char name[64];	       /* "main" is the root */
	unsigned id, parent;   /* BRANCH_NONE: the root */
	cycle_t from, tip;     /* where it left its parent; the furthest cycle it has been run to */
	struct choice *choice; /* in order */
	unsigned n_choices;
	unsigned inherits; /* so many choices of the parent hold in it */
	uint64_t from_seq; /* the first event that is its own */
	uint64_t told;	   /* the first event that nobody has been told of */
	cycle_t left;	   /* where one stood on it last; CYCLE_NEVER: at its tip */
	cycle_t held;	   /* the same, from timeline_hold() to timeline_return() */
};

struct timeline *timeline_new(struct debug *d); /* borrowed; NULL: out of memory */
void timeline_free(struct timeline *t);

/* How it is done. */
struct timeline_options {
	size_t memory;		  /* bytes for automatic snapshots */
	cycle_t every;		  /* cycles between them; 0: by time */
	bool keep;		  /* take them during runs; else from the first way back on */
	bool drop;		  /* a change in the past drops the future instead of keeping it */
	const volatile int *poll; /* looked at while replaying; NULL: none */
	/* Called now and then while replaying; done: the part of the move, 0 to 1. */
	void (*progress)(void *ctx, double done);
	/* The present is on another path from now on: the events before this one are the same. */
	void (*parted)(void *ctx, uint64_t seq);
	void *ctx;
};
void timeline_set_options(struct timeline *t, const struct timeline_options *o); /* copied */

/* A fresh sim at cycle 0, whose debugger looks at it; all before is forgotten. NULL: no sim. */
int timeline_begin(struct timeline *t, struct sim *s, struct err *e);

struct place timeline_here(const struct timeline *t);
/* The stretch of automatic snapshots, for `info timeline`. */
struct timeline_state {
	unsigned snapshots; /* all of them */
	size_t bytes;	    /* of memory they take */
	unsigned dropped;   /* automatic ones, so far */
	cycle_t speed;	    /* cycles per second of replays */
};
void timeline_state(const struct timeline *t, struct timeline_state *v);
/* What the user should know, once: automatic snapshots were given up for want of memory. */
const char *timeline_news(struct timeline *t);
/* Changes whenever options or the policy stack have been put to what they were or will be. */
uint64_t timeline_changes(const struct timeline *t);

/* ---------------------------------------------------------------- moving */

/* Stands at p afterwards: on that branch, at a cycle up to its tip. */
int timeline_goto(struct timeline *t, struct place p, struct err *e);
/* The present, to come back to from wherever one has gone meanwhile: at once, and without memory.
 * Where one stood last on each branch there was is as before. One at a time. */
struct kept;
struct timeline_hold {
	struct place place;
	struct kept *kept;
	unsigned n_branches; /* those that were there */
};
int timeline_hold(struct timeline *t, struct timeline_hold *h, struct err *e);
int timeline_return(struct timeline *t, struct timeline_hold *h, struct err *e); /* and lets go */
/*
 * Backwards to the latest earlier hit of a stop, the count-th last event of the goal, the latest
 * cycle at which its expression held, or its cycle `until` (CYCLE_NEVER: none), whichever comes
 * first; as debug_run() stands, counts and reports there. Ignored hits are counted as forwards.
 * DEBUG_DONE: there is none; one stands at the oldest place.
 */
enum debug_end timeline_back(struct timeline *t, const struct debug_goal *g, struct debug_result *r,
			     struct err *e);
/* The cycle of the next choice that is going to be done again, CYCLE_NEVER: none. Runs
 * (debug_run()) stop there by themselves and do it. */
cycle_t timeline_next_choice(const struct timeline *t);

/* ---------------------------------------------------------------- choices and branches */

/*
 * Makes the choice here and does it. Before the tip of the branch that begins a new branch, or
 * drops the future. note receives what to say, lines: what a policy hand-over keeps and loses, the
 * new branch, what was dropped; "" nothing.
 */
int timeline_choose(struct timeline *t, enum choice_kind k, const char *key, const char *value,
		    char *note, size_t size, struct err *e);
/* A new branch from here, and stands on it. name "": the next free b2, b3 ... */
int timeline_fork(struct timeline *t, const char *name, struct err *e);
/* To where one stood on it last, its tip at first. */
int timeline_switch(struct timeline *t, unsigned branch, struct err *e);
/* Not the one one stands on, nor one that others come from or a mark lies on. */
int timeline_delete(struct timeline *t, unsigned branch, struct err *e);
unsigned timeline_branches(const struct timeline *t); /* ids are below; some may be gone */
const struct branch *timeline_branch(const struct timeline *t, unsigned id); /* NULL: gone */
const struct branch *timeline_branch_find(const struct timeline *t, const char *name,
					  struct err *e);
/* The branch that the cycles up to this one of a branch are of: itself, or what it came from. */
unsigned timeline_owner(const struct timeline *t, unsigned branch, cycle_t cycle);
/* The k-th choice on the path to the tip of a branch, from the oldest on; NULL: there are fewer. */
const struct choice *timeline_path_choice(const struct timeline *t, unsigned branch, unsigned k);

/* ---------------------------------------------------------------- marks */

/* A place with a name, whose snapshot is never dropped to save memory. */
struct mark {
	char name[64];
	struct place place;
	unsigned kernel;	  /* kernels started */
	char policy[POLICY_TEXT]; /* the stack there */
	const struct snapshot *snap;
};
/* Here. name "": the next free c1, c2 ... NULL when the name is taken or memory runs out. */
const struct mark *timeline_mark(struct timeline *t, const char *name, struct err *e);
const struct mark *timeline_mark_find(const struct timeline *t, const char *name, struct err *e);
int timeline_mark_delete(struct timeline *t, const char *name, struct err *e);
unsigned timeline_marks(const struct timeline *t);
const struct mark *timeline_mark_at(const struct timeline *t, unsigned i);

/* ---------------------------------------------------------------- files */

/* Branches, choices, marks and the present place, as text. */
void timeline_write(struct timeline *t, struct strbuf *out);
/* They take the place of those of a timeline that has just begun, its machine at cycle 0. state
 * gives the machine's state at a mark, or (NULL) in the present, as a snapshot that is freed here;
 * NULL with e: it cannot. -1 with e: the timeline begins anew. */
int timeline_read(struct timeline *t, const char *text,
		  struct snapshot *(*state)(void *ctx, const char *mark, struct err *e), void *ctx,
		  struct err *e);

#endif
