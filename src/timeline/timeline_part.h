/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline_part.h - private to src/timeline: the struct shared by its files. */
#ifndef TIMELINE_TIMELINE_PART_H
#define TIMELINE_TIMELINE_PART_H

#include "timeline/timeline.h"

/* The position of a state: `applied` choices of branch `at` have been applied, and all inherited
 * ones. */
struct spot {
	unsigned at, applied;
	cycle_t cycle;
};

struct kept {
	struct spot spot;
	struct snapshot *snap;
	uint64_t events[EV_KINDS]; /* so far, by kind */
	unsigned pins; /* holders that want it kept at any cost: cycle 0, marks, a move in progress
			*/
};

struct named {
	struct mark mark;
	struct kept *kept;
};

struct timeline {
	struct debug *debug;
	struct sim *sim; /* NULL: none */
	struct timeline_options opt;
	struct debug_dates dates;

	struct branch **branch; /* by id; NULL: deleted */
	struct branch *root; /* reserved memory of the first branch: a timeline can always begin */
	unsigned n_branches;
	unsigned here;	      /* the branch of the present */
	unsigned at, applied; /* of the present state, as in struct spot */
	uint64_t changes;
	uint64_t n_dropped; /* times that known cycles or choices were dropped */

	struct kept **kept; /* ordered by branch, then by time */
	unsigned n_kept, kept_room;
	size_t bytes;
	unsigned dropped;
	bool keeping; /* the user has gone back once: runs take snapshots */
	bool starved; /* memory ran out */
	bool told_starved;
	/* Processor time, so that a busy host does not change which snapshots are kept. */
	double last, cost; /* when the last snapshot was taken or restored; the cost of one */
	cycle_t last_at;
	double speed; /* cycles per second */

	struct named **named;
	unsigned n_named, next_name;

	/* the current replay, and its part of the move: it begins at `done` and has this share
	 * */
	cycle_t from, to;
	double done, share;
	bool dense; /* take more snapshots near the end */
};

/* branches.c */
struct branch *timeline_branch_new(struct timeline *t, const char *name, unsigned parent,
				   struct err *e);
void timeline_branch_forget(struct timeline *t, unsigned id);
/* Notes the present place as the last one on its branch. */
void timeline_leave(struct timeline *t);
void timeline_touch(const struct timeline *t); /* updates the tip of the present branch */
/* The part of branch `at` on the path to the tip of `end`: up to that many choices and that
 * cycle. Returns false if there is none. */
bool timeline_on_path(const struct timeline *t, unsigned end, unsigned at, unsigned *choices,
		      cycle_t *cycle);
/* Can p be reached from a state by running forward? */
bool timeline_leads_to(const struct timeline *t, const struct spot *s, struct place p);
const struct branch *timeline_child(const struct timeline *t, unsigned at);
struct spot timeline_spot(struct timeline *t); /* of the present state */
void timeline_parted(struct timeline *t, uint64_t seq, uint64_t told);
/* The first event at which the paths to two branches differ. */
uint64_t timeline_common(const struct timeline *t, unsigned a, unsigned b);

/* choices.c */
int timeline_apply_due(struct timeline *t, struct err *e);
int timeline_arrive(void *timeline, struct err *e); /* called by a run, at a cycle boundary */
cycle_t timeline_next_date(void *timeline);	    /* the cycle of the next call */
void timeline_choice_free(struct choice *c);

/* marks.c: deletes the marks of a branch from a cycle on; note says so */
void timeline_forget_marks(struct timeline *t, unsigned branch, cycle_t from, char *note,
			   size_t size);

bool timeline_is_marked(struct timeline *t); /* is the present place marked? */

/* keeper.c */
struct kept *timeline_keep(struct timeline *t, struct err *e); /* of the present state */
/* The latest snapshot that leads to p and is before cycle `below`; NULL: none. */
struct kept *timeline_find_kept(const struct timeline *t, struct place p, cycle_t below);
void timeline_thin(struct timeline *t);
void timeline_forget_kept(struct timeline *t, unsigned branch,
			  cycle_t from); /* from that cycle on */
void timeline_unpin(struct timeline *t, struct kept *k);
void timeline_forget_all_kept(struct timeline *t);
bool timeline_keep_due(const struct timeline *t);
cycle_t timeline_keep_date(const struct timeline *t); /* when to check again */
void timeline_kept_now(struct timeline *t);	      /* a snapshot has been taken or restored */

/* replay.c */
int timeline_put(struct timeline *t, const struct kept *k, struct err *e);
/* Runs forward from the present state on the path of t->here, with listeners muted (or a scan
 * attached). */
int timeline_replay(struct timeline *t, cycle_t to, struct err *e);
/* A move: the limits of the machine are lifted and listeners are muted. The origin is kept. */
struct travel {
	struct kept *origin; /* pinned; NULL: out of memory */
	unsigned branch;
	char insts[32], deadlock[32];
	bool profile;
	bool stopped; /* the move ended with a run of the debugger, which has set its own state */
};
void timeline_depart(struct timeline *t, struct travel *v);
/* Ends a move. If it failed or was interrupted, returns to the origin. Returns `failed`. */
int timeline_land(struct timeline *t, struct travel *v, int failed);
/* Restores the snapshot nearest to p, then runs forward. */
int timeline_seek(struct timeline *t, struct place p, struct err *e);

#endif
