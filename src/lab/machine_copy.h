/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine_copy.h - copies of a machine that run beside it.
 *
 * A copy begins at a place of the timeline, with the state there, and continues as its branch does:
 * choices that lie ahead are made at their cycles. Only its owner listens to it. The machine itself
 * is moved to the place and back, unless it is there already, and nobody notices.
 */
#ifndef LAB_MACHINE_COPY_H
#define LAB_MACHINE_COPY_H

#include "debug/debug.h"
#include "timeline/timeline.h"

struct event_log;

/* A machine with its past, and what its owner needs to know of an experiment on it. */
struct machine {
	struct sim *sim;
	struct config *config; /* as it is set now */
	struct trace *trace;
	struct timeline *timeline;
	struct debug *debug;
	struct event_log **log; /* nothing is written to it while the machine is elsewhere */
	volatile int *poll;	/* set: the user wants no more of it */
	void (*seek)(void *ctx, bool on);	  /* around a move */
	void (*lost)(void *ctx, const char *why); /* it could not be brought back */
	void (*detach)(void *ctx); /* in a worker: nothing is drawn, printed or logged any more */
	void *ctx;
};

/* Who waits for an experiment. stop: a share of it is done, 0 to 1; true: end it. */
struct lab_progress {
	bool (*stop)(void *ctx, double share);
	void *ctx;
};
bool lab_progress_stop(const struct lab_progress *p, double share);

/* ---------------------------------------------------------------- the machine elsewhere */

struct machine_origin {
	struct timeline_hold hold;
	struct debug_standing at;
	struct event_log *log;
	struct profile *profile;
};
/* Moves without a word: what it stopped at is kept. 0, 1, -1 as timeline_goto(). */
int machine_leave(const struct machine *m, struct machine_origin *o, struct err *e);
int machine_move(const struct machine *m, struct place p, struct err *e);
void machine_return(const struct machine *m, struct machine_origin *o); /* after machine_leave() */

/* ---------------------------------------------------------------- copies */

struct machine_copy {
	struct timeline *timeline; /* NULL: no choices lie ahead */
	struct sim *sim;
	unsigned branch, choice; /* the next choice on the path to it */
	enum sim_stop how;	 /* of the last run */
	struct err why;		 /* deadlock, failure */
	bool stops_at_kernels;	 /* runs stop where a kernel begins or ends */
	bool listens;

	/* Events since copy_listen() that have not been taken. */
	struct event *ev;
	size_t n_ev, room, at;
	bool lost; /* some, for want of memory */
};

/* A machine at cycle 0, with no choices ahead. The trace is borrowed. */
struct machine_copy *copy_new(const struct config *c, struct trace *t, struct err *e);
/* n copies at a place. 0, 1 interrupted, -1 with e. The machine is where it was in any case. */
int copy_take(const struct machine *m, struct place p, struct machine_copy **copy, unsigned n,
	      struct err *e);
void copy_free(struct machine_copy *copy);

/* Up to a cycle, or to where it ends by itself (copy->how). */
enum sim_stop copy_run(struct machine_copy *copy, cycle_t until);
bool copy_ended(const struct machine_copy *copy);
/* Everything before this cycle has happened in it; CYCLE_NEVER: nothing will happen any more. */
cycle_t copy_known_before(const struct machine_copy *copy);
void copy_listen(struct machine_copy *copy, bool on);	   /* to all events but samples */
const struct event *copy_event(struct machine_copy *copy); /* the oldest not taken; NULL: none */
void copy_next_event(struct machine_copy *copy);	   /* takes it */

/* A state of its own to come back to. */
struct copy_mark {
	struct snapshot *snapshot;
	unsigned choice;
};
int copy_keep_mark(struct machine_copy *copy, struct copy_mark *m, struct err *e);
int copy_go_back(struct machine_copy *copy, const struct copy_mark *m, struct err *e);
void copy_mark_free(struct copy_mark *m);

/* The last cycle that the paths to two branches have in common. */
cycle_t branches_part_at(const struct timeline *t, unsigned a, unsigned b);

#endif
