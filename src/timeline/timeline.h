/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline.h - a run in which the user can go back: places, choices, branches.
 *
 * A timeline belongs to one sim and its debugger. It is a tree of branches. A choice is a change
 * that the user made at a cycle: an option, the policy stack, the outcome of a decision. A branch
 * has a parent, the cycle at which it left the parent, and its own list of choices. A place is a
 * branch and a cycle of this branch or of an ancestor.
 *
 * The state of the machine at a place is a function of configuration, workload and the choices on
 * the path from the root to that cycle, including those at that cycle; it never depends on the way
 * there. Moving back before a choice undoes it, moving forward past it applies it again. The past
 * is reached by a snapshot and a silent replay: listeners are not notified again of old events.
 *
 * Functions that move return 0, -1 with e, or 1 when *poll became non-zero; unless they return 0,
 * the place is unchanged. The timeline prints nothing.
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
/* What the user meant by a choice: a change, taking the last change back, making it again. */
enum choice_role { CHOICE_CHANGE, CHOICE_UNDO, CHOICE_REDO };
struct choice {
	enum choice_kind kind;
	cycle_t cycle;
	char *key, *value, *before; /* key: the option; before: its previous value */
	enum choice_role role;
	uint64_t made; /* as timeline_options.made; 0: it was read from a file */
};

#define BRANCH_NONE (~0u)

/* What to do where no snapshot leads to a place: ends the message. */
#define NEW_SNAPSHOTS "'run' starts again at cycle 0 and takes new ones"
struct branch {
	char name[64];	       /* "main" is the root */
	unsigned id, parent;   /* BRANCH_NONE: the root */
	cycle_t from, tip;     /* where it left its parent; the furthest cycle reached */
	struct choice *choice; /* in order */
	unsigned n_choices;
	unsigned inherits; /* number of inherited choices of the parent */
	uint64_t from_seq; /* the first event of this branch itself */
	uint64_t told;	   /* the first event of which listeners have not been notified */
	cycle_t left;	   /* the last place on it; CYCLE_NEVER: its tip */
	cycle_t held;	   /* `left`, from timeline_hold() to timeline_return() */
	struct debug_standing stood, held_stood; /* the stops at both places */
};

struct timeline *timeline_new(struct debug *d); /* borrowed; NULL: out of memory */
void timeline_free(struct timeline *t);

struct timeline_options {
	size_t memory; /* bytes for automatic snapshots */
	cycle_t every; /* cycles between them; 0: by time */
	bool keep;     /* take them during runs; otherwise only after the first move back */
	bool drop;     /* a change in the past drops the future instead of keeping it */
	bool fork;     /* a change at the tip begins a branch, too, so that both futures are kept */
	enum choice_role role;	  /* of the choices that are made from now on */
	uint64_t made;		  /* their number among all changes of the caller */
	const volatile int *poll; /* checked during replays; NULL: none */
	/* Called now and then during a replay; done: the completed part of the move, 0 to 1. */
	void (*progress)(void *ctx, double done);
	/* The present is on another path from now on; the events before seq are the same. */
	void (*parted)(void *ctx, uint64_t seq);
	void *ctx;
};
void timeline_set_options(struct timeline *t, const struct timeline_options *o); /* copied */

/* Starts with a fresh sim at cycle 0, to which the debugger is attached; forgets everything
 * else. NULL: no sim. */
int timeline_begin(struct timeline *t, struct sim *s, struct err *e);

struct place timeline_here(const struct timeline *t);
/* Statistics of the automatic snapshots, for `info timeline`. */
struct timeline_state {
	unsigned snapshots; /* all of them */
	size_t bytes;	    /* of memory they take */
	unsigned dropped;   /* automatic ones, so far */
	cycle_t speed;	    /* cycles per second of replays */
};
void timeline_state(const struct timeline *t, struct timeline_state *v);
/* A message that the user should see once: automatic snapshots were dropped because memory ran
 * out. */
const char *timeline_news(struct timeline *t);
/* Changes whenever a move has changed options or the policy stack. */
uint64_t timeline_changes(const struct timeline *t);

/* For a second machine (sim_twin()) that follows the run: the latest snapshot from which p is
 * reached by running forward, at or before a cycle, and how many choices of the path to p it
 * includes. NULL: none. It stays valid until the timeline moves or a snapshot is taken. */
const struct snapshot *timeline_nearest(const struct timeline *t, struct place p, cycle_t at_most,
					unsigned *choices);
/* Changes whenever cycles or choices that were known are dropped. */
uint64_t timeline_dropped(const struct timeline *t);

/* ---------------------------------------------------------------- moving */

/* Moves to p: that branch, at a cycle up to its tip. */
int timeline_goto(struct timeline *t, struct place p, struct err *e);
/* Holds the present place, so that it can be restored at once and without memory after moves.
 * The last places on the existing branches are restored, too. Only one hold at a time. */
struct kept;
struct timeline_hold {
	struct place place;
	struct kept *kept;
	unsigned n_branches; /* number of branches at that time */
};
int timeline_hold(struct timeline *t, struct timeline_hold *h, struct err *e);
int timeline_return(struct timeline *t, struct timeline_hold *h,
		    struct err *e); /* and releases the hold */
/*
 * Moves backwards to the latest earlier hit of a stop, the count-th last event of the goal, the
 * latest cycle in which its expression held, or its cycle `until` (CYCLE_NEVER: none), whichever
 * comes first. It stops, counts and reports like debug_run(); ignore counts are those of a forward
 * run. DEBUG_DONE: there is none, and the run is at the oldest place.
 */
enum debug_end timeline_back(struct timeline *t, const struct debug_goal *g, struct debug_result *r,
			     struct err *e);
/* The cycle of the next choice to be applied again, CYCLE_NEVER: none. Runs (debug_run()) stop
 * there by themselves and apply it. */
cycle_t timeline_next_choice(const struct timeline *t);

/* ---------------------------------------------------------------- choices and branches */

/*
 * Makes a choice here and applies it. Before the tip of the branch this starts a new branch or
 * drops the future. note receives lines for the user: what a policy hand-over keeps and loses, the
 * new branch, what was dropped; "" if nothing.
 */
int timeline_choose(struct timeline *t, enum choice_kind k, const char *key, const char *value,
		    char *note, size_t size, struct err *e);
/* Creates a branch from here and switches to it. name "": the next free b2, b3 ... */
int timeline_fork(struct timeline *t, const char *name, struct err *e);
/* Moves to the last place on the branch, initially its tip. */
int timeline_switch(struct timeline *t, unsigned branch, struct err *e);
/* Fails for the present branch, and for one with children or marks. */
int timeline_delete(struct timeline *t, unsigned branch, struct err *e);
unsigned timeline_branches(const struct timeline *t); /* ids are below this; some may be deleted */
const struct branch *timeline_branch(const struct timeline *t, unsigned id); /* NULL: deleted */
const struct branch *timeline_branch_find(const struct timeline *t, const char *name,
					  struct err *e);
/* The branch to which the cycles of `branch` up to this one belong: itself or an ancestor. */
unsigned timeline_owner(const struct timeline *t, unsigned branch, cycle_t cycle);
/* The k-th choice, from the oldest, on the path to the tip of a branch; NULL: there are fewer.
 * */
const struct choice *timeline_path_choice(const struct timeline *t, unsigned branch, unsigned k);

/* ---------------------------------------------------------------- marks */

/* A place with a name, whose snapshot is never dropped to save memory. */
struct mark {
	char name[64];
	struct place place;
	unsigned kernel;	  /* number of kernels started */
	char policy[POLICY_TEXT]; /* the stack there */
	const struct snapshot *snap;
};
/* Marks the present place. name "": the next free c1, c2 ... Returns NULL when the name is taken
 * or memory runs out. */
const struct mark *timeline_mark(struct timeline *t, const char *name, struct err *e);
const struct mark *timeline_mark_find(const struct timeline *t, const char *name, struct err *e);
int timeline_mark_delete(struct timeline *t, const char *name, struct err *e);
unsigned timeline_marks(const struct timeline *t);
const struct mark *timeline_mark_at(const struct timeline *t, unsigned i);

/* ---------------------------------------------------------------- files */

/* Writes branches, choices, marks and the present place as text. */
void timeline_write(struct timeline *t, struct strbuf *out);
/* Reads such a text into a timeline that has just begun, with its machine at cycle 0. state
 * returns the machine's state at a mark or (NULL) at the present as a snapshot that is freed here,
 * or NULL with e set. Returns -1 with e set; the timeline then restarts. */
int timeline_read(struct timeline *t, const char *text,
		  struct snapshot *(*state)(void *ctx, const char *mark, struct err *e), void *ctx,
		  struct err *e);

#endif
