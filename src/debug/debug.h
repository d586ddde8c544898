/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * debug.h - stops, tracepoints and the reasons of decisions, around one sim.
 *
 * A struct debug outlives the sim it looks at: what the user set up is kept as text and bound again
 * (debug_attach) when a run starts over with another configuration. It owns the sim's one listener.
 * It prints nothing: answers are records and lines of text for the front end to show.
 */
#ifndef DEBUG_DEBUG_H
#define DEBUG_DEBUG_H

#include "base/strbuf.h"
#include "ctascope/sim.h"
#include "eval/eval.h"

struct debug;

struct debug *debug_new(void);
void debug_free(struct debug *d);
/* Looks at s from now on (NULL: at nothing). Stops whose expressions mean nothing there are
 * disabled and named in lost, one line each. */
void debug_attach(struct debug *d, struct sim *s, struct strbuf *lost);
void debug_rewound(struct debug *d); /* the machine jumped to another time: forget old values */
/* It has been brought to another time of the same run: watches compare with what is now, and what
 * stops and conditions mean follows the policy stack, if that is another one (compiled anew). What
 * means nothing under it does not hold there, and does again where it means something. */
void debug_moved(struct debug *d, bool anew);
/* Names the stops that mean nothing where one is, one line each. */
void debug_silent(struct debug *d, struct strbuf *out);
void debug_restarted(struct debug *d); /* and begins anew: counts start at 0 */

/* Calls fn for every event while the machine runs; NULL: no more. It may only look. */
void debug_each_event(struct debug *d, void (*fn)(void *ctx, const struct event *ev), void *ctx);

/* ---------------------------------------------------------------- names */

/* Paths of the machine and $cycle $period $core $cta $slot $kernel $_ and, while a condition on an
 * event is asked or the machine stands at one, the event's own numbers by name ($c_mem). */
const struct eval_names *debug_names(struct debug *d);
void debug_each_variable(struct debug *d, void (*fn)(void *ctx, const char *name, const char *help),
			 void *ctx);
/* Names that begin with '$' and are none of those go to more (its ctx borrowed). Its ids have 48
 * bits. debug_is_variable(): whether a name is one of ours, which more never sees. */
void debug_more_names(struct debug *d, const struct eval_names *more);
bool debug_is_variable(struct debug *d, const char *name);
/* What such a name means has changed: what speaks of one is compiled again, and disabled and named
 * in lost when it means nothing now. */
void debug_rebind(struct debug *d, struct strbuf *lost);
int debug_set_last(struct debug *d, const struct value *v); /* $_ */
const struct value *debug_last(const struct debug *d);

/* ---------------------------------------------------------------- stops */

enum stop_kind { STOP_CYCLE, STOP_EVENT, STOP_WATCH, STOP_TRACE, STOP_LINE };
#define TRACE_BUCKETS 32

struct stop {
	unsigned id;
	enum stop_kind kind;
	bool enabled, temporary;
	cycle_t cycle; /* STOP_CYCLE */
	char *file;    /* STOP_LINE; NULL: any */
	uint32_t line;
	enum event_kind event;	   /* STOP_EVENT, STOP_TRACE */
	int core;		   /* -1: any */
	int64_t cta;		   /* -1: any */
	struct expr *watch, *cond; /* cond NULL: always. Either NULL too when it lost its meaning */
	char *watch_text, *cond_text;
	uint64_t changing; /* events that alone can change the watch; 0: not known */
	struct value old;  /* of watch */
	uint64_t hits, ignore;
	char **command;
	unsigned n_commands;
	uint64_t bucket[TRACE_BUCKETS]; /* STOP_TRACE: cycles between hits, by powers of two */
	cycle_t last_hit, first_hit;
	uint64_t told; /* STOP_TRACE: the first event not looked at yet */
};

/* Reads what follows `break`, `tbreak`, `catch`, `watch` or `trace`: "5000", "pause core 3 if
 * core.3.n < 2", "core.*.n". The new stop, or NULL. */
const struct stop *debug_stop_add(struct debug *d, enum stop_kind kind, bool temporary,
				  const char *text, struct err *e);
unsigned debug_stop_count(const struct debug *d);
const struct stop *debug_stop_at(const struct debug *d, unsigned i);
const struct stop *debug_stop_find(const struct debug *d, unsigned id);
void debug_stop_delete(struct debug *d, unsigned id);	       /* 0: all */
void debug_stop_enable(struct debug *d, unsigned id, bool on); /* 0: all */
void debug_stop_ignore(struct debug *d, unsigned id, uint64_t count);
int debug_stop_condition(struct debug *d, unsigned id, const char *text,
			 struct err *e); /* "": none */
/* Takes over the lines and the array. */
void debug_stop_commands(struct debug *d, unsigned id, char **line, unsigned n);
/* The command that makes this stop: "tbreak pause core 3 if core.3.n < 2". */
void debug_stop_text(const struct stop *p, char *buf, size_t size);
bool debug_core_has_stop(const struct debug *d, unsigned core);
/* Commands that bring all stops back, numbers aside. */
void debug_stops_save(const struct debug *d, struct strbuf *out);
/* Takes all stops out of the way, with what one stands at, and brings them back in the same place.
 * Those added meanwhile go. */
struct debug_aside {
	struct stop **stop;
	unsigned n_stops, next_id, watched;
	int watched_core;
	uint64_t stopped_seq;
	cycle_t stopped_at;
};
void debug_put_aside(struct debug *d, struct debug_aside *a);
void debug_bring_back(struct debug *d, const struct debug_aside *a);
/* All stops with their numbers and counts, as text for a program; and in place of those there are.
 * A stop that means nothing with this machine is named in lost. -1 with e: the text is damaged, and
 * nothing changed. */
void debug_stops_write(const struct debug *d, struct strbuf *out);
int debug_stops_read(struct debug *d, const char *text, struct strbuf *lost, struct err *e);

/* ---------------------------------------------------------------- running */

struct debug_goal {
	cycle_t until;	 /* CYCLE_NEVER: none */
	uint64_t events; /* kinds that count, 0: none */
	uint64_t count;	 /* the goal is the count-th of them */
	/* Ends when it holds at the end of a cycle; NULL: none. Compiled here, and again whenever
	 * the policy stack changes on the way: where it means nothing it does not hold. */
	const char *expr;
	bool converged; /* ends when no limit changed for CONVERGED_PERIODS periods */
};
#define CONVERGED_PERIODS 4

enum debug_end {
	DEBUG_GOAL,
	DEBUG_STOP,  /* a stop was hit (hits say which) */
	DEBUG_LIMIT, /* run.max_thread_insts */
	DEBUG_INTERRUPTED,
	DEBUG_DONE,
	DEBUG_DEADLOCK,
	DEBUG_FAILED
};

#define DEBUG_HITS 16
struct debug_hit {
	unsigned id;	/* stop, 0: the goal's event */
	char text[400]; /* what follows "stopped: " */
};
struct debug_result {
	unsigned n_hits; /* kept below */
	uint64_t hits;	 /* in all: of one cycle, or several stops at once */
	struct debug_hit hit[DEBUG_HITS];
	bool goal; /* reached, also when a stop was hit in the same cycle */
};
enum debug_end debug_run(struct debug *d, const struct debug_goal *g, struct debug_result *r,
			 struct err *e);
/* Of several hits in a cycle, that of this core comes first and is the one stopped at; -1: the
 * first. */
void debug_prefer_core(struct debug *d, int core);
/* The core that what stopped the machine where it stands is about, -1: none. */
int debug_stopped_core(const struct debug *d);
/* During runs fn is called between two cycles, first at once. It returns after how many more cycles
 * it wants to be called again: CYCLE_NEVER not in this run, 0: the run ends (DEBUG_INTERRUPTED). fn
 * NULL: none. It may look at the machine as at any stop. */
void debug_between(struct debug *d, cycle_t (*fn)(void *ctx), void *ctx);
void debug_between_now(struct debug *d); /* calls it at the end of this cycle */

/* ---------------------------------------------------------------- time travel */

/* What a timeline wants of runs. next: the cycle after the present one at which a run shall let it
 * in (CYCLE_NEVER: none); arrive: called at a cycle boundary on the way and at the end of a run.
 * -1 ends the run (DEBUG_FAILED). */
struct debug_dates {
	void *ctx;
	cycle_t (*next)(void *ctx);
	int (*arrive)(void *ctx, struct err *e);
};
void debug_set_dates(struct debug *d, const struct debug_dates *dates); /* borrowed; NULL: none */
/* While it is muted nothing of the machine is listened to: it may be run, set and put back without
 * a stop. Mutes nest: each needs its unmute. */
void debug_mute(struct debug *d);
void debug_unmute(struct debug *d);
/* What one stands at, to be put back when one has been elsewhere and has come back to the cycle. */
struct debug_standing {
	uint64_t seq;
	cycle_t cycle;
	unsigned watched;
	int watched_core;
};
struct debug_standing debug_standing(const struct debug *d);
void debug_stand(struct debug *d, const struct debug_standing *at);
/* The decision about a core that was taken in this cycle: the event stopped at, if it is about that
 * core or the whole GPU, else the last that can have another outcome. core -1: any core's. NULL:
 * there is none. */
const struct event *debug_decision(const struct debug *d, int core);
/* Tracepoints have been told of every event before this one. */
void debug_told(struct debug *d, uint64_t seq);

/* What a run would have stopped at, in the order of time; id 0: the goal. */
struct debug_seen {
	cycle_t cycle;
	unsigned id;
};
struct debug_scan {
	struct debug_seen *seen; /* owned by the caller */
	size_t n, room;
	cycle_t from, to; /* the cycles that are looked through, those after from */
	bool failed;	  /* out of memory */
	/* private */
	size_t stamped;
	const struct debug_goal *goal;
};
/* From now on the machine is looked at as in a run towards the goal (NULL: none), but nothing is
 * counted and nothing stops it: what would, is added to scan. NULL: no more. */
void debug_scan(struct debug *d, struct debug_scan *scan, const struct debug_goal *goal);
/* Could a scan of these cycles find anything, when `events` are the kinds that happened in them? */
bool debug_scan_worth(const struct debug *d, const struct debug_goal *goal, cycle_t from,
		      cycle_t to, uint64_t events);
/* A stop has been hit so often in the past, and it was to be ignored. */
void debug_passed(struct debug *d, unsigned id, uint64_t hits);
void debug_watch_anew(struct debug *d);	    /* watches compare with what is now */
bool debug_can_stop(const struct debug *d); /* is any stop enabled that a run could hit? */

/* Stop ids of r whose commands shall run now, once each, in the order they were hit. Temporary
 * stops of r are deleted by this; their commands still run, so lines are copied: the caller frees.
 */
char **debug_take_commands(struct debug *d, const struct debug_result *r, unsigned *n);

/* ---------------------------------------------------------------- why */

/* The n-th last decision (1: the last) of that core (-1: any) with rule, numbers and what would
 * have changed it: lines into out. n 0: the decision stopped at, or that changed the value of the
 * watch stopped at (-1 when none did), if the stop is about that core or about none, else the last
 * one. */
int debug_why(struct debug *d, uint64_t n, int core, struct strbuf *out, struct err *e);
const char *debug_refusal_name(enum refusal r); /* "registers", "policy limit" */
char *debug_number(char buf[32], uint64_t v);	/* "22,528" */

#endif
