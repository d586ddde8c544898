/* SPDX-License-Identifier: GPL-3.0-or-later */
/* debug_part.h - private to src/debug: the struct its files share. */
#ifndef DEBUG_DEBUG_PART_H
#define DEBUG_DEBUG_PART_H

#include "debug/debug.h"

struct debug {
	bool lines; /* the model tells of lines */
	struct sim *sim;
	struct eval_names names, more; /* more: of the session, behind '$' */
	const struct event *now;       /* while a condition on it is asked, else NULL */
	struct value last;	       /* $_ */

	struct stop **stop; /* in the order of their ids */
	unsigned n_stops;
	unsigned next_id;

	void (*each)(void *ctx, const struct event *ev); /* of every event; NULL: nobody asks */
	void *each_ctx;
	cycle_t (*between)(void *ctx); /* NULL: none */
	void *between_ctx;
	cycle_t between_at;

	const struct debug_dates *dates; /* NULL: none */
	struct debug_scan *scan;	 /* NULL: none */
	unsigned mutes;			 /* that have no unmute yet */
	bool always;			 /* every cycle is looked at when it is over */
	uint64_t dirty;			 /* events after which the cycle they are of is */

	/* one run */
	const struct debug_goal *goal;
	struct expr *expr; /* of the goal, or of the scan's; NULL: none, or it means nothing here */
	struct debug_result *result;
	uint64_t left;	      /* events of the goal still to come */
	uint64_t quiet;	      /* periods without a change of a limit */
	cycle_t period_at;    /* cycle of the last period event */
	uint64_t stopped_seq; /* the event of the first hit, when it was one */
	cycle_t stopped_at;   /* and the cycle the machine stood at then; CYCLE_NEVER: none */
	unsigned watched;     /* the stop whose watch changed first in the last run, 0: none did; */
	int watched_core;     /* the core it is about, -1: none. stopped_seq is what changed it */
	int prefer;	      /* of several hits those of this core come first */
	bool preferred;	      /* one has */
};

/* The event a condition is asked about, or the one stopped at; NULL: none. */
const struct event *debug_event(const struct debug *d);
/* scan.c: a hit while the past is looked through */
void debug_scan_hit(struct debug *d, unsigned id);
void debug_scan_event(struct debug *d, const struct event *ev); /* may be the goal's */
void debug_scan_cycle(struct debug *d);				/* one is over */
bool debug_scan_always(const struct debug *d);			/* must it look at every cycle? */
void debug_look_at_cycle(struct debug *d);			/* this one, when it is over */
/* The events that alone can change the value of an expression, choices aside; 0: not known. */
uint64_t debug_changing_events(const char *text);
void debug_check_watches(struct debug *d);
void debug_listen(struct debug *d); /* sets listener and hook to what is wanted now */
void debug_hit(struct debug *d, struct stop *p, const char *fmt, ...) ATTR_PRINTF(3, 4);
void debug_watch_from_here(struct debug *d, struct stop *p); /* what it compares with is now */
void debug_watch_cause(struct debug *d, const struct stop *p, const struct value *old,
		       const struct value *now); /* after the first hit of a run */
struct stop *debug_find(const struct debug *d, unsigned id);
void debug_stop_free(struct stop *p);
/* line.c: reads FILE:LINE, or the number behind `line`; and lets the model tell of what is wanted.
 */
int debug_read_line(struct debug *d, struct stop *p, const char *word, const char **at,
		    struct err *e);
void debug_lines_listen(struct debug *d);
/* run.c: compiles the expression of the goal again; it may mean nothing under this policy. -1: out
 * of memory. */
int debug_goal_bind(struct debug *d);
/* Compiles watch and condition again; -1 when one means nothing now. */
int debug_stop_bind(struct debug *d, struct stop *p, struct err *e);

#endif
