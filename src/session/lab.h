/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lab.h - private to src/session: copies of the machine that are run on beside it.
 *
 * A lab begins at a place of the timeline, with the state there, and goes on as its branch does:
 * choices that lie ahead are done at their cycles. Nobody listens to it but who made it. The
 * machine of the session stays, or is brought back to, where it stands.
 */
#ifndef SESSION_LAB_H
#define SESSION_LAB_H

#include "session/session_part.h"

struct lab {
	struct session *s;
	struct sim *sim;
	unsigned branch, k; /* the next choice on the path to it */
	enum sim_stop how;  /* of the last run */
	struct err why;	    /* deadlock, failure */
	bool halt;	    /* runs stop where a kernel begins or ends */
	bool listens;

	/* Events since lab_listen() that have not been taken. */
	struct event *ev;
	size_t n_ev, room, at;
	bool lost; /* some, for want of memory */
};

/* n labs at a place. 0, 1 interrupted, -1 with e. One stands where one stood in any case. */
int lab_take(struct session *s, struct place p, struct lab **lab, unsigned n, struct err *e);
void lab_free(struct lab *l);

/* Up to a cycle, or to where it ends by itself (l->how). */
enum sim_stop lab_run(struct lab *l, cycle_t until);
bool lab_ended(const struct lab *l);
/* Everything before this cycle has happened in it; CYCLE_NEVER: nothing will happen any more. */
cycle_t lab_told(const struct lab *l);
void lab_listen(struct lab *l, bool on);      /* to all events but samples */
const struct event *lab_event(struct lab *l); /* the oldest not taken; NULL: none */
void lab_next_event(struct lab *l);	      /* takes it */

/* The last cycle that the paths to two branches have in common. */
cycle_t lab_parting(const struct timeline *t, unsigned a, unsigned b);

/* A place of its own to come back to. */
struct lab_mark {
	struct snapshot *snap;
	unsigned k;
};
int lab_mark(struct lab *l, struct lab_mark *m, struct err *e);
int lab_back(struct lab *l, const struct lab_mark *m, struct err *e);
void lab_mark_free(struct lab_mark *m);

/* What is being done, for who waits. */
struct lab_watch {
	struct session *s;
	const char *what;
	double began, drawn; /* wall clock */
	bool shown;
	void (*tell)(void *ctx, double share); /* NULL: nobody else wants to know */
	void *ctx;
};
void lab_watch(struct lab_watch *w, struct session *s, const char *what);
/* share: done so far, 0..1. True: the user wants no more of it. */
bool lab_going(struct lab_watch *w, double share);
void lab_watched(struct lab_watch *w); /* it is over */

/* Moves without a word: what one stood at is kept. 0, 1, -1 as timeline_goto(). */
struct lab_origin {
	struct timeline_hold hold;
	struct debug_standing at;
	struct event_log *events;
	struct profile *profile;
};
int lab_leave(struct session *s, struct lab_origin *o, struct err *e);
int lab_move(struct session *s, struct place p, struct err *e);
void lab_return(struct session *s, struct lab_origin *o); /* after lab_leave(), in any case */

#endif
