/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_run.h - private to src/session: runs the model to a goal, and prints how the run ended.
 */
#ifndef SESSION_SESSION_RUN_H
#define SESSION_SESSION_RUN_H

#include "ctascope/session.h"
#include "debug/debug.h"
#include "session/tempo.h"

struct cmd_args;
struct strbuf;

/*
 * Changes that wait while the model runs (cmd_knob.c): lines of `set`, made at the end of this
 * cycle, and values of knobs, set at the next period. `is_applying` is true while one is being
 * made, which then keeps the old future as a branch.
 */
#define LIVE_MOST 16
struct waiting_knob {
	char *key, *value; /* of an option, or of "policy" */
	bool was_running;  /* the model ran when it was typed */
	uint64_t made;	   /* session_time.made by then, or when it was undone */
};
struct session_live {
	bool takes_lines, is_applying;
	char *line[LIVE_MOST];
	unsigned n_lines;
	struct waiting_knob knob[LIVE_MOST], undone[LIVE_MOST]; /* undone: what `undo` took back */
	unsigned n_knobs, n_undone;
	/* Lines that were typed during this run when it was recorded, in the order of cycles. */
	const struct session_typed_change *replayed;
	unsigned n_replayed;
};

/* The current run, and the requests to end it. */
struct session_control {
	volatile int poll;	 /* set by session_interrupt() */
	volatile int want_stats; /* set by session_want_stats() */
	volatile int signal;	 /* a signal that ends the program; 0: none */
	bool running, interrupted, timed_out;
	bool stats_at_limit; /* session_print_stats_at_limit() */
	double deadline;     /* wall-clock limit of this run command; 0: none */
	struct tempo tempo;
	struct session_live live;
	double ticked; /* wall clock of the last tick */
};

/* A text_stop (base/textfile.h): whether a signal or the front end asks the session to stop its
 * work. */
bool session_is_asked_to_stop(void *session);
/* Creates a sim of the present configuration. */
enum session_status session_build(struct session *s);
/* Replaces the sim. options: those it was built with, as text. `lost` receives a line for each stop
 * and display that is invalid on it. Takes over `fresh`, also on an error. */
int session_adopt(struct session *s, struct sim *fresh, const char *options, struct strbuf *lost,
		  struct err *e);
/* After a command that was to reach that cycle: reports that the program ended before it. */
void session_say_early_end(struct session *s, cycle_t wanted);
/* Returns the N of the command, 1 if there is none; reports 0 as an error and returns it. */
uint64_t session_count_of(struct session *s, const struct cmd_args *a);
/* The parts that step and reverse-step share: N and a unit, and functions for each unit. */
struct step_way {
	enum session_status (*cycles)(struct session *s, uint64_t n);
	enum session_status (*periods)(struct session *s, uint64_t n);
	enum session_status (*go)(struct session *s, struct debug_goal g);
};
enum session_status session_step(struct session *s, struct cmd_args *a, const struct step_way *way);
/* Runs to the goal, or until something else ends the run. True: the goal was reached, and r holds
 * what happened there; the caller reports it. False: the run ended otherwise, which has been
 * reported; *status is the command's status. */
bool session_reach(struct session *s, struct debug_goal g, struct debug_result *r,
		   enum session_status *status);
/* The same, but it also reports that the goal was reached. */
typedef enum session_status session_go_fn(struct session *s, struct debug_goal g);
session_go_fn session_go;
/* Runs to the next event of a kind, in the direction of `go`. */
enum session_status session_go_to_event(struct session *s, const char *text, session_go_fn *go);
/* Called from time to time during a run; true: the run should stop. */
bool session_tick(struct session *s);
/* Prints "stopped: TEXT". */
void session_say_stop(struct session *s, const char *text);
/* Prints what always follows that line. */
enum session_status session_say_here(struct session *s);
/* Reports how a run or a move backwards ended. True: it reached its goal, which the caller reports.
 */
bool session_ended(struct session *s, enum debug_end end, const struct debug_result *r,
		   const struct err *e, enum session_status *status);
/* Ctrl-C has ended the work of a command: ends the loops around it, and returns the status that
 * ends a script, or SESSION_OK where a person typed the command. */
enum session_status session_end_interrupted(struct session *s);
void session_follow_stop(struct session *s);
void session_say_hits(struct session *s, const struct debug_result *r);
enum session_status session_say_period(struct session *s);
/* Around a run: between two cycles it makes the changes that wait. live_end() makes the lines that
 * came too late for that. live_take() copies a line; false: it takes none now. */
void live_begin(struct session *s);
void live_end(struct session *s);
bool live_take(struct session *s, const char *line);
void live_forget(struct session *s);	    /* all changes that wait */
void live_forget_undone(struct session *s); /* what live_redo_knob() could bring back */
/* Takes back the knob that was turned last and still waits, or lets the one that was taken back
 * last wait again, with a message. False: there is none. */
bool live_undo_knob(struct session *s);
bool live_redo_knob(struct session *s, enum session_status *status);
/* A line that was typed during the run, as any other: what Enter repeats stays as it is. */
void session_exec_between(struct session *s, const char *text);
bool session_has_periods(const struct session *s);
bool session_cores_decide(const struct session *s);
enum session_status session_no_periods(struct session *s);
/* Notes that the policies of this run never make the event that the stop waits for. */
void session_note_no_event(struct session *s, const struct stop *p);
/* The same, and what else the text of a new stop may have meant. */
/* Notes that the condition has a name without the '$' that makes it a number of the event. */
void session_note_bare_number(struct session *s, const struct stop *p);
void session_note_stop(struct session *s, const struct stop *p, const char *text);
/* The workload has ended: names the stops that were not hit, once each. */
void session_note_unhit(struct session *s);

#endif
