/* SPDX-License-Identifier: GPL-3.0-or-later */
/* debug_part.h - private to src/debug: the struct shared by its files. */
#ifndef DEBUG_DEBUG_PART_H
#define DEBUG_DEBUG_PART_H

#include "base/plain_name.h"
#include "debug/debug.h"

/* Where an expression is evaluated, which decides what numbers of events it may name. */
enum debug_scope {
	SCOPE_ANY,   /* at the event stopped at, whichever that is */
	SCOPE_STOP,  /* at the events of a stop */
	SCOPE_CYCLE, /* at the end of cycles, without an event */
};

struct debug {
	enum debug_scope scope;	   /* of the expression being parsed */
	const struct stop *parsed; /* SCOPE_STOP: whose condition it is */
	const char *bare; /* a name in it that the event has, too, with a '$'; NULL: none */
	unsigned bare_n;  /* how many values it has without */
	bool lines;	  /* the model reports source lines */
	struct sim *sim;
	struct eval_names names, more; /* more: those of the session that begin with '$' */
	const struct event *now;       /* the event whose condition is being evaluated, or NULL */
	struct value last;	       /* $_ */

	struct stop **stop; /* in the order of their ids */
	unsigned n_stops;
	unsigned next_id;

	void (*each)(void *ctx, const struct event *ev); /* for every event; NULL: none */
	void *each_ctx;
	cycle_t (*between)(void *ctx); /* NULL: none */
	void *between_ctx;
	cycle_t between_at;

	const struct debug_dates *dates; /* NULL: none */
	struct debug_scan *scan;	 /* NULL: none */
	unsigned mutes;			 /* not yet unmuted */
	bool always;			 /* every cycle is examined at its end */
	uint64_t dirty;			 /* events after which their cycle is examined at its end */

	/* one run */
	const struct debug_goal *goal;
	struct expr *expr; /* of the goal or the scan; NULL: none, or invalid here */
	struct debug_result *result;
	uint64_t left;	      /* events of the goal still to come */
	uint64_t quiet;	      /* periods in which no limit changed */
	cycle_t period_at;    /* cycle of the last period event */
	uint64_t hit_seq;     /* the last event that was a hit; defined after the first hit */
	unsigned ordered;     /* stops hit in the last run */
	uint64_t stopped_seq; /* the event of the first hit, if it was one */
	cycle_t stopped_at;   /* the cycle of that stop; CYCLE_NEVER: none */
	unsigned watched;     /* the stop whose watch changed first in the last run; 0: none */
	int watched_core;     /* the core of that watch, -1: none; stopped_seq is the cause */
	int prefer;	      /* of several hits, those of this core come first */
	bool preferred;	      /* such a hit was found */
};

void debug_names_begin(struct debug *d); /* names.c */
/* "'WORD' is no event", with the nearest names; `instead` is what could also stand there. stop.c */
int debug_unknown_event(const char *instead, const char *word, struct err *e);
/* The event whose condition is being evaluated, or the one stopped at; NULL: none. */
const struct event *debug_event(const struct debug *d);
/* scan.c: records a hit while the past is scanned */
void debug_scan_hit(struct debug *d, unsigned id);
void debug_scan_event(struct debug *d, const struct event *ev); /* may be an event of the goal */
void debug_scan_cycle(struct debug *d);				/* a cycle has ended */
bool debug_scan_always(const struct debug *d);			/* must every cycle be examined? */
void debug_look_at_cycle(struct debug *d); /* examine the present cycle at its end */
/* The only events, apart from choices, that can change the value of an expression; 0: unknown.
 * */
uint64_t debug_changing_events(const char *text);
void debug_check_watches(struct debug *d);
/* change.c: writes what changed in the value of a watch, as the line of its stop. */
void debug_change_text(const struct debug *d, const struct stop *p, const struct value *old,
		       const struct value *now, char *buf, size_t size);
void debug_listen(struct debug *d); /* sets listener and hook according to what is needed now */
void debug_hit(struct debug *d, struct stop *p, const char *fmt, ...) ATTR_PRINTF(3, 4);
void debug_watch_from_here(struct debug *d,
			   struct stop *p); /* the present values become the old values */
void debug_watch_cause(struct debug *d, const struct stop *p, const struct value *old,
		       const struct value *now); /* after the first hit of a run */
struct stop *debug_find(const struct debug *d, unsigned id);
void debug_stop_free(struct stop *p);
/* line.c: parses FILE:LINE or the number after `line`, and makes the model report the lines
 * needed. */
int debug_read_line(struct debug *d, struct stop *p, const char *word, const char **at,
		    struct err *e);
void debug_lines_listen(struct debug *d);
/* rule.c: makes the stop one at "RULE" or "POLICY.RULE"; false: no known policy has it. */
bool debug_find_rule(const struct debug *d, struct stop *p, const char *word);
/* The names of all rules, each once; returns how many. */
unsigned debug_rule_names(const struct debug *d, const char **names, unsigned max);
bool debug_names_policy(const struct debug *d, const char *word); /* does "POLICY.RULE"? */
/* Whether the event is the first of a decision by the rule of the stop. */
bool debug_rule_decides(const struct debug *d, const struct stop *p, const struct event *ev);
uint64_t debug_stop_events(const struct stop *p); /* the events at which it can be hit */
/* stop.c: is the event of the core, CTA and kernel to which the stop is restricted? */
bool debug_stop_admits(const struct stop *p, const struct event *ev);
bool debug_is_kernel_rule(const char *name); /* "kernel-start", "kernel-end" */
/* kernel.c: makes the stop one at the starts of the kernels of that name; false: this trace has
 * none. */
bool debug_find_kernel(const struct debug *d, struct stop *p, const char *word);
/* Is the event of a kernel with the name of the stop, if that has one? */
bool debug_starts_kernel(const struct debug *d, const struct stop *p, const struct event *ev);
/* The names of the kernels of this trace, as many as fit; all: how many there are. */
struct debug_kernel_names {
	char name[16][PLAIN_NAME];
	unsigned n, all;
};
void debug_kernel_names(const struct debug *d, struct debug_kernel_names *l);
/* Writes "; kernels of this trace: a, b", for a message; "" if there is no trace. */
void debug_list_kernels(const struct debug_kernel_names *l, char *buf, size_t size);
const struct cta_sched_ops *const *debug_known_policies(const struct debug *d, unsigned *n);
/* numbers.c: calls fn for every name of a number that the expression being parsed may use, until it
 * returns true; returns that name, or NULL. A name may come several times. */
typedef bool debug_number_fn(void *ctx, const char *name);
const char *debug_each_number(const struct debug *d, debug_number_fn *fn, void *ctx);
/* Says that name, with its '$', is no number there, and which are. Returns -1. */
int debug_refuse_number(const struct debug *d, const char *name, struct err *e);
/* Parses the condition of a stop. */
struct expr *debug_parse_condition(struct debug *d, const struct stop *p, const char *text,
				   struct err *e);
/* run.c: compiles the expression of the goal again; it may be invalid under this policy. -1: out
 * of memory. */
int debug_goal_bind(struct debug *d);
/* Compiles watch and condition again; -1 if one is invalid now. */
int debug_stop_bind(struct debug *d, struct stop *p, struct err *e);

#endif
