/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * debug.h - stops, tracepoints and the reasons of decisions, for one sim.
 *
 * A struct debug outlives its sim: what the user set up is kept as text and bound again
 * (debug_attach) when a run restarts with another configuration. It owns the only listener of the
 * sim. It prints nothing: answers are records and lines of text that the front end shows.
 */
#ifndef DEBUG_DEBUG_H
#define DEBUG_DEBUG_H

#include "base/strbuf.h"
#include "ctascope/sim.h"
#include "eval/eval.h"

struct debug;

struct debug *debug_new(void);
void debug_free(struct debug *d);
/* Attaches to s (NULL: to nothing). Stops whose expressions are invalid for s are disabled and
 * named in lost, one line each. */
void debug_attach(struct debug *d, struct sim *s, struct strbuf *lost);
void debug_rewound(struct debug *d); /* the machine jumped to another time: forget old values */
/* The machine has moved to another time of the same run. Watches then compare with the present
 * values. With anew, the policy stack has changed: stops and conditions are compiled again; one
 * that is invalid under the new stack does not hold there, but is kept and holds again where it is
 * valid. */
void debug_moved(struct debug *d, bool anew);
/* Names the stops that are invalid under the present policy stack, one line each. */
void debug_silent(struct debug *d, struct strbuf *out);
void debug_restarted(struct debug *d); /* the run restarts: counts restart at 0 */

/* Calls fn for every event while the machine runs; NULL ends this. fn may only read. */
void debug_each_event(struct debug *d, void (*fn)(void *ctx, const struct event *ev), void *ctx);

/* ---------------------------------------------------------------- names */

/* Paths of the machine; $cycle $period $core $cta $slot $kernel $_; questions about the present
 * such as stop.is(EVENT), events.EVENT and ended. While a condition on an event is evaluated or the
 * machine has stopped at an event, also that event's numbers by name ($c_mem). */
const struct eval_names *debug_names(struct debug *d);
/* Parses an expression that is evaluated at the end of cycles, where no number of an event is
 * known: such a name is an error. */
struct expr *debug_parse_per_cycle(struct debug *d, const char *text, struct err *e);
void debug_each_variable(struct debug *d, void (*fn)(void *ctx, const char *name, const char *help),
			 void *ctx);
/* Other names that begin with '$' or "option." are passed to `more` (ctx borrowed), whose ids have
 * 48 bits; a '$' name that it knows hides a number of an event. debug_is_variable(): is a name one
 * of ours, which `more` never sees? */
void debug_more_names(struct debug *d, const struct eval_names *more);
bool debug_is_variable(const char *name);
/* The meaning of such a name has changed: expressions that use one are compiled again, and are
 * disabled and named in lost if they have become invalid. */
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
	enum event_kind event;	   /* STOP_EVENT, STOP_TRACE without a rule */
	char rule[64], policy[32]; /* rule "": no rule; policy "": any that has it */
	int core;		   /* -1: any */
	int64_t cta;		   /* -1: any */
	unsigned kernel;	   /* its number from 1; 0: any */
	char *kernel_name;	   /* of the rule kernel-start, as typed; NULL: any */
	struct expr *watch, *cond; /* cond NULL: always. Either is also NULL while it is invalid */
	char *watch_text, *cond_text;
	uint64_t changing; /* the only events that can change the watch; 0: unknown */
	struct value old;  /* of watch */
	uint64_t hits, ignore;
	bool unhit_noted;
	unsigned order; /* of its first hit in the last run, among the stops; 0: not hit */
	char **command;
	unsigned n_commands;
	uint64_t bucket[TRACE_BUCKETS]; /* STOP_TRACE: cycles between hits, by powers of two */
	cycle_t last_hit, first_hit;
	uint64_t told; /* STOP_TRACE: the first event not counted yet */
};

/* Parses the arguments of `break`, `tbreak`, `catch`, `watch` or `trace`: "5000", "pause core 3
 * if core.3.n < 2", "core.*.n". Returns the new stop, or NULL. */
const struct stop *debug_stop_add(struct debug *d, enum stop_kind kind, bool temporary,
				  const char *text, struct err *e);
unsigned debug_stop_count(const struct debug *d);
const struct stop *debug_stop_at(const struct debug *d, unsigned i);
const struct stop *debug_stop_find(const struct debug *d, unsigned id);
void debug_stop_delete(struct debug *d, unsigned id);	       /* 0: all */
void debug_stop_enable(struct debug *d, unsigned id, bool on); /* 0: all */
/* Whether the stop could stop this run and has not been hit in it; true once for each stop. */
bool debug_stop_take_unhit(struct debug *d, unsigned id);
void debug_stop_ignore(struct debug *d, unsigned id, uint64_t count);
int debug_stop_condition(struct debug *d, unsigned id, const char *text,
			 struct err *e); /* "" removes the condition */
/* A name of the machine in the condition that is also, with '$', a number of the events of the
 * stop; n: how many values it has. NULL: there is none, or memory ran out, as e says. */
const char *debug_bare_number(struct debug *d, const struct stop *p, unsigned *n, struct err *e);
/* Takes ownership of the lines and the array. */
void debug_stop_commands(struct debug *d, unsigned id, char **line, unsigned n);
/* The command that creates this stop: "tbreak pause core 3 if core.3.n < 2". */
void debug_stop_text(const struct stop *p, char *buf, size_t size);
/* Does a policy, of the stack or not, have this RULE or POLICY.RULE? True also for the rules
 * kernel-start and kernel-end, and for the name of a kernel of this trace. */
bool debug_knows_rule(const struct debug *d, const char *word);
/* Calls fn with the name of every kernel of this trace, each once, as a person wrote it
 * (plain_name.h). */
void debug_each_kernel_name(const struct debug *d, void (*fn)(void *ctx, const char *name),
			    void *ctx);
/* The number, from 1, of the kernel that the word names by its number or its name. Returns -1 with
 * e if there is none, or several have that name. */
int debug_kernel_number(const struct debug *d, const char *word, unsigned *kernel, struct err *e);
/* Does a policy of the present stack have the rule of the stop? */
bool debug_stack_has_rule(const struct debug *d, const struct stop *p);
/* Does an instruction of this trace begin this source line? */
bool debug_has_line(const struct debug *d, uint64_t line);
bool debug_core_has_stop(const struct debug *d, unsigned core);
/* Writes commands that restore all stops, except for their numbers. */
void debug_stops_save(const struct debug *d, struct strbuf *out);
/* Sets all stops and the present stop event aside, and restores them later. Stops added in
 * between are dropped. */
struct debug_aside {
	struct stop **stop;
	unsigned n_stops, next_id, watched;
	int watched_core;
	uint64_t stopped_seq;
	cycle_t stopped_at;
};
void debug_put_aside(struct debug *d, struct debug_aside *a);
void debug_bring_back(struct debug *d, const struct debug_aside *a);
/* Writes all stops with numbers and counts as text for a program, and replaces the present stops
 * by such a text. Stops that are invalid for this machine are named in lost. Returns -1 with e set,
 * without changes, if the text is damaged. */
void debug_stops_write(const struct debug *d, struct strbuf *out);
int debug_stops_read(struct debug *d, const char *text, struct strbuf *lost, struct err *e);
/* The same for one stop, and for stops that are added to those that are set, in the order of their
 * numbers, which must be free. */
struct debug_again {
	uint64_t told;	   /* tracepoints have counted every event before this one */
	bool is_other_run; /* the text was written in another run: its counts are dropped */
};
void debug_stop_write(const struct debug *d, unsigned id, struct strbuf *out);
int debug_stops_add(struct debug *d, const char *text, const struct debug_again *how,
		    struct strbuf *lost, struct err *e);

/* ---------------------------------------------------------------- running */

struct debug_goal {
	cycle_t until;	 /* CYCLE_NEVER: none */
	uint64_t events; /* kinds that count, 0: none */
	uint64_t count;	 /* kinds that count, 0: none */
	/* Ends the run when it holds at the end of a cycle; NULL: none. It is compiled here and
	 * again whenever the policy stack changes on the way; where it is invalid, it does not
	 * hold. */
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
	char text[400]; /* the text after "stopped: " */
};
struct debug_result {
	unsigned n_hits; /* kept below */
	uint64_t hits;	 /* in total: one for each event, however many stops it hit */
	struct debug_hit hit[DEBUG_HITS];
	bool goal; /* reached, even if a stop was hit in the same cycle */
};
enum debug_end debug_run(struct debug *d, const struct debug_goal *g, struct debug_result *r,
			 struct err *e);
/* Of several hits in a cycle, the one of this core comes first and is the one stopped at; -1:
 * the first hit. */
void debug_prefer_core(struct debug *d, int core);
/* The core of the stop at which the machine is, -1: none. */
int debug_stopped_core(const struct debug *d);
/* During runs, calls fn between two cycles, for the first time immediately. fn returns the
 * number of cycles until its next call: CYCLE_NEVER: no more in this run; 0: the run ends
 * (DEBUG_INTERRUPTED). fn NULL: none. fn may read the machine as at any stop. */
void debug_between(struct debug *d, cycle_t (*fn)(void *ctx), void *ctx);
void debug_between_now(struct debug *d); /* calls it at the end of this cycle */

/* ---------------------------------------------------------------- time travel */

/* How a timeline takes part in runs. next: the cycle after the present one in which the run must
 * call it (CYCLE_NEVER: none). arrive: called at a cycle boundary on the way and at the end of a
 * run; -1 ends the run (DEBUG_FAILED). */
struct debug_dates {
	void *ctx;
	cycle_t (*next)(void *ctx);
	int (*arrive)(void *ctx, struct err *e);
};
void debug_set_dates(struct debug *d, const struct debug_dates *dates); /* borrowed; NULL: none */
/* While muted, nothing in the machine is listened to: it may be run, set and restored without a
 * stop. Mutes nest; each needs its unmute. */
void debug_mute(struct debug *d);
void debug_unmute(struct debug *d);
/* The present stop, to be restored after moving elsewhere and back to the same cycle. */
struct debug_standing {
	uint64_t seq;
	cycle_t cycle;
	unsigned watched;
	int watched_core;
};
struct debug_standing debug_standing(const struct debug *d);
void debug_stand(struct debug *d, const struct debug_standing *at);
/* The decision about a core that was taken in this cycle: the event stopped at, if it is about
 * that core or the whole GPU, otherwise the last one whose outcome can be forced, of the policy or
 * (issues) of the hand-out of CTAs, else the last of the other kind. core -1: any core. kernel:
 * whose, from 1; 0: of any kernel. NULL: none. */
const struct event *debug_decision(const struct debug *d, int core, unsigned kernel, bool issues);
/* Tracepoints have counted every event before this one. */
void debug_told(struct debug *d, uint64_t seq);

/* What a run would have stopped at, in order of time; id 0: the goal. */
struct debug_seen {
	cycle_t cycle;
	unsigned id;
};
struct debug_scan {
	struct debug_seen *seen; /* owned by the caller */
	size_t n, room;
	cycle_t from, to; /* the cycles searched are those after `from`, up to `to` */
	bool failed;	  /* out of memory */
	/* private */
	size_t stamped;
	const struct debug_goal *goal;
};
/* From now on the machine is observed as in a run to the goal (NULL: none), but nothing is
 * counted and nothing stops it: each hit is added to scan instead. scan NULL ends this. */
void debug_scan(struct debug *d, struct debug_scan *scan, const struct debug_goal *goal);
/* Can a scan of these cycles find anything, given the kinds of events that happened in them? */
bool debug_scan_worth(const struct debug *d, const struct debug_goal *goal, cycle_t from,
		      cycle_t to, uint64_t events);
/* Counts hits of a stop in the past that were ignored. */
void debug_passed(struct debug *d, unsigned id, uint64_t hits);
void debug_watch_restart(struct debug *d);  /* watches compare with the present values */
bool debug_can_stop(const struct debug *d); /* is any stop enabled that a run could hit? */

/* The commands of the stops that the last run hit, once each, in the order of the hits. Deletes the
 * temporary ones; therefore the lines are copied, and the caller frees them. */
char **debug_take_commands(struct debug *d, unsigned *n);

/* ---------------------------------------------------------------- why */

/* The machine is at a stop about a decision or a watch, of that core or of none (-1: any). */
bool debug_stands_on_decision(const struct debug *d, int core);
/* Adds the line that tells what keeps a core from issuing at the end of this cycle. */
void debug_why_idle(const struct sim *s, unsigned core, struct strbuf *out);
/* Adds the line that tells what a warp waits for at the end of this cycle. */
void debug_why_warp(const struct sim *s, unsigned core, unsigned warp, struct strbuf *out);
/* Explains the n-th last decision (1: the last) of that core (-1: any) for that kernel (its number
 * from 1; 0: any) with its rule, its numbers and what would have changed it, as lines in out. n 0:
 * the decision stopped at, or the one that changed the watch stopped at (-1 if there is none), if
 * the stop is about that core or about none; otherwise the last one. */
int debug_why(struct debug *d, uint64_t n, int core, unsigned kernel, struct strbuf *out,
	      struct err *e);
/* Explains the last decision about that core (-1: any) at or before a cycle. */
int debug_why_at(struct debug *d, int core, cycle_t cycle, struct strbuf *out, struct err *e);
/* The events of a CTA that are kept, and the last decision about it. kernel: ordinal; UINT32_MAX:
 * the latest kernel that has events of such a CTA. */
int debug_why_cta(struct debug *d, uint32_t cta, uint32_t kernel, struct strbuf *out,
		  struct err *e);
/* The same lines about any decision of the machine, which needs no debug. The gauges that it
 * weighed are among them only until the next period ends. */
void debug_explain(const struct sim *s, const struct event *ev, struct strbuf *out);
const char *debug_refusal_name(enum refusal r); /* "registers", "policy limit" */
char *debug_number(char buf[32], uint64_t v);	/* "22,528" */

#endif
