/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline_part.h - private to src/timeline: the struct its files share. */
#ifndef TIMELINE_TIMELINE_PART_H
#define TIMELINE_TIMELINE_PART_H

#include "timeline/timeline.h"

/* Where a state of the machine belongs: so many choices of a branch are done, and all before. */
struct spot {
	unsigned at, applied;
	cycle_t cycle;
};

struct kept {
	struct spot spot;
	struct snapshot *snap;
	uint64_t events[EV_KINDS]; /* there had been, by kind */
	unsigned pins; /* who wants it kept whatever it costs: cycle 0, marks, a move under way */
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
	struct branch *root;	/* the first one's memory: a timeline can always begin */
	unsigned n_branches;
	unsigned here;	      /* the branch of the present */
	unsigned at, applied; /* of the state the machine is in, as in struct spot */
	uint64_t changes;

	struct kept **kept; /* by branch, then in the order of time */
	unsigned n_kept, kept_room;
	size_t bytes;
	unsigned dropped;
	bool keeping; /* somebody has gone back: runs are worth snapshots */
	bool starved; /* memory ran out */
	bool told_starved;
	/* Processor time: a machine that is busy with other things is not to change what is kept.
	 */
	double last, cost; /* when the last snapshot was taken or put back; what one costs */
	cycle_t last_at;
	double speed; /* cycles per second */

	struct named **named;
	unsigned n_named, next_name;

	/* a replay, and the part of the move it is: from done on, so much */
	cycle_t from, to;
	double done, share;
	bool dense; /* the nearer its end, the more snapshots */
};

/* branches.c */
struct branch *timeline_branch_new(struct timeline *t, const char *name, unsigned parent,
				   struct err *e);
void timeline_branch_forget(struct timeline *t, unsigned id);
void timeline_touch(const struct timeline *t); /* the tip of the present branch */
/* The part of branch `at` that lies on the path to the tip of `end`: up to that many choices, and
 * that cycle. False: none. */
bool timeline_on_path(const struct timeline *t, unsigned end, unsigned at, unsigned *choices,
		      cycle_t *cycle);
/* Can p be reached from a state by going forward? */
bool timeline_leads_to(const struct timeline *t, const struct spot *s, struct place p);
const struct branch *timeline_child(const struct timeline *t, unsigned at);
struct spot timeline_spot(struct timeline *t); /* of the present state */
void timeline_parted(struct timeline *t, uint64_t seq, uint64_t told);
/* The first event at which the paths to two branches differ. */
uint64_t timeline_common(const struct timeline *t, unsigned a, unsigned b);

/* choices.c */
int timeline_apply_due(struct timeline *t, struct err *e);
int timeline_arrive(void *timeline, struct err *e); /* from a run, at a cycle boundary */
cycle_t timeline_next_date(void *timeline);	    /* it wants to be let in at */
void timeline_choice_free(struct choice *c);

/* marks.c: those of a branch from a cycle on go; note says so */
void timeline_forget_marks(struct timeline *t, unsigned branch, cycle_t from, char *note,
			   size_t size);

bool timeline_is_marked(struct timeline *t); /* the present */

/* keeper.c */
struct kept *timeline_keep(struct timeline *t, struct err *e); /* the present */
/* The latest that leads to p and is of a cycle below `below`; NULL: none. */
struct kept *timeline_find_kept(const struct timeline *t, struct place p, cycle_t below);
void timeline_thin(struct timeline *t);
void timeline_forget_kept(struct timeline *t, unsigned branch, cycle_t from); /* from there on */
void timeline_unpin(struct timeline *t, struct kept *k);
void timeline_forget_all_kept(struct timeline *t);
bool timeline_keep_due(const struct timeline *t);
cycle_t timeline_keep_date(const struct timeline *t); /* when to ask that again */
void timeline_kept_now(struct timeline *t);	      /* one has been taken or put back */

/* replay.c */
int timeline_put(struct timeline *t, const struct kept *k, struct err *e);
/* Forward from the present state, on the path of t->here, in silence (or while a scan looks on). */
int timeline_replay(struct timeline *t, cycle_t to, struct err *e);
/* Around moves: nothing limits the machine, and nobody listens. The origin is kept. */
struct travel {
	struct kept *origin; /* pinned; NULL: out of memory */
	unsigned branch;
	char insts[32], deadlock[32];
	bool profile;
	bool stopped; /* one has come there by a run of the debugger's, which knows more */
};
void timeline_depart(struct timeline *t, struct travel *v);
/* After a move that failed, or was interrupted, it goes back to the origin. Returns failed. */
int timeline_land(struct timeline *t, struct travel *v, int failed);
/* The state nearest to p, then forward. */
int timeline_seek(struct timeline *t, struct place p, struct err *e);

#endif
