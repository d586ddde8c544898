/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine_copy.h - makes copies of a machine for experiments, and runs them.
 *
 * A copy begins at a place of the timeline, with the state there, and follows its branch: it makes
 * later choices of the branch at their cycles. Only its owner receives its events. To make a copy,
 * the machine itself is moved to the place and back, unless it is there, without any message.
 */
#ifndef LAB_MACHINE_COPY_H
#define LAB_MACHINE_COPY_H

#include "debug/debug.h"
#include "timeline/timeline.h"

struct event_log;

/* A machine with its history, and the hooks that an experiment calls in its owner. */
struct machine {
	struct sim *sim;
	struct config *config; /* the current settings */
	struct trace *trace;
	struct timeline *timeline;
	struct debug *debug;
	struct event_log **log; /* NULL while the machine is elsewhere */
	volatile int *poll;	/* set: the user interrupts the experiment */
	unsigned workers; /* of an experiment (jobs.h) that run at once; 0: one per processor */
	void (*seek)(void *ctx, bool on);	  /* called before and after a move */
	void (*lost)(void *ctx, const char *why); /* the machine could not return */
	void (*detach)(void *ctx); /* called in a worker: stop drawing, printing and logging */
	void *ctx;
};

/* Reports the progress of an experiment. stop gets the share that is done, 0 to 1, and returns true
 * to end the experiment. */
struct lab_progress {
	bool (*stop)(void *ctx, double share);
	void *ctx;
};
bool lab_progress_stop(const struct lab_progress *p, double share);

/* ---------------------------------------------------------------- moving the machine */

struct machine_origin {
	struct timeline_hold hold;
	struct debug_standing at;
	struct event_log *log;
	struct profile *profile;
};
/* Move the machine without messages, and keep the last stop. 0, 1, -1 as timeline_goto(). */
int machine_leave(const struct machine *m, struct machine_origin *o, struct err *e);
int machine_move(const struct machine *m, struct place p, struct err *e);
void machine_return(const struct machine *m, struct machine_origin *o); /* after machine_leave() */

/* ---------------------------------------------------------------- copies */

struct machine_copy {
	struct timeline *timeline; /* NULL: it has no later choices */
	struct sim *sim;
	unsigned branch, choice; /* the next choice on the path to it */
	enum sim_stop how;	 /* how the last run ended */
	struct err why;		 /* of a deadlock or failure */
	bool stops_at_kernels;	 /* runs stop where a kernel begins or ends */
	bool listens;		 /* keeps events in ev */

	/* Events since copy_listen(), from index `at` on not yet taken. */
	struct event *ev;
	size_t n_ev, room, at;
	bool lost; /* memory ran out for some events */
};

/* Makes a machine at cycle 0 without later choices. The trace is borrowed. */
struct machine_copy *copy_new(const struct config *c, struct trace *t, struct err *e);
/* Makes n copies at a place. 0, 1 interrupted, -1 with e. The machine returns in all cases. */
int copy_take(const struct machine *m, struct place p, struct machine_copy **copy, unsigned n,
	      struct err *e);
/* A twin of the machine (sim_twin()) at cycle 0, which follows the timeline. */
struct machine_copy *copy_twin(const struct machine *m, struct err *e);
void copy_free(struct machine_copy *copy);
/* Makes the choices of its branch that are due; -1 with copy->why. */
int copy_make_choices(struct machine_copy *copy);

/* Runs to a cycle, or until the run ends earlier (copy->how). */
enum sim_stop copy_run(struct machine_copy *copy, cycle_t until);
bool copy_ended(const struct machine_copy *copy);
/* The cycle before which all events have happened; CYCLE_NEVER: the run has ended. */
cycle_t copy_known_before(const struct machine_copy *copy);
void copy_listen(struct machine_copy *copy, bool on);	   /* to all events but samples */
const struct event *copy_event(struct machine_copy *copy); /* the oldest not taken, or NULL */
void copy_next_event(struct machine_copy *copy);	   /* takes that event */

/* A state of a copy to return to. */
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
