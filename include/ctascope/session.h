/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session.h - one debugging session: executes commands, independent of who types them.
 *
 * A session owns a sim and everything that a user sets up around it: stops, displays, focus,
 * checkpoints, the log. Front ends (the readline prompt, the full screen, a script) pass it command
 * lines and show its output. Each key of the screen stands for a line for session_exec(), so a
 * script can do the same.
 */
#ifndef CTASCOPE_SESSION_H
#define CTASCOPE_SESSION_H

#include "ctascope/sim.h"
#include <stdio.h>

struct session;
struct compare;
struct race;

enum say {
	SAY_RESULT, /* the result of a command: stdout */
	SAY_STOP,   /* the line that a stop prints: stdout */
	SAY_NOTE,   /* progress and warnings: stderr */
	SAY_ERROR
}; /* stderr */

/* The hooks of the front end. out() gets whole lines without '\n'. Any hook may be NULL. */
struct session_ui {
	void *ctx;
	void (*out)(void *ctx, enum say kind, const char *line);
	/* Called about every 8 ms of wall time while the model runs, to draw and to read keys.
	 * Returns true if the run should stop. */
	bool (*tick)(void *ctx);
	/* Waits for that long in a run with a limited `pace`, less if a key or a signal arrives. */
	void (*wait)(void *ctx, double seconds);
	/* Executes a screen command (the SCREEN rows of session/commands.def), or returns -1 with
	 * e. words() calls fn for the words after such a command that only the front end knows. */
	int (*screen)(void *ctx, const char *verb, const char *args, struct err *e);
	void (*words)(void *ctx, const char *verb, void (*fn)(void *to, const char *word),
		      void *to);
	/* Shows a race (lab/race.h) until the user leaves it. Returns 0, 128 + n after signal n, or
	 * -1 with e. NULL: the race runs to its end without a picture. */
	int (*race)(void *ctx, struct race *r, struct err *e);
	/* Shows the comparison of two finished runs (export/compare.h) until the user leaves it, in
	 * the column of that name, or NULL for the default. Returns like race(). NULL: the
	 * comparison is printed as text. */
	int (*compare)(void *ctx, const struct compare *c, const char *column, struct err *e);
	bool interactive; /* a person is present: Enter repeats, progress is shown, quit may ask */
	unsigned width;	  /* columns for tables; 0: unlimited */
	unsigned columns, rows; /* of the terminal; 0: unknown */
	/* It is a screen: while session_records() it passes what it draws to session_record(). */
	bool draws;
};

/* Borrows c and t; `set` changes c. t may be NULL: there is no workload until session_load(). */
struct session *session_new(struct config *c, struct trace *t, const struct session_ui *ui,
			    struct err *e);
void session_free(struct session *s);
int session_load(struct session *s, struct trace *t,
		 struct err *e); /* builds the machine around t */
void session_set_ui(struct session *s, const struct session_ui *ui); /* copies ui */

enum session_status {
	SESSION_OK = 0,
	SESSION_ERROR = 1,  /* wrong command or simulation error: exit status 1 */
	SESSION_ASSERT = 3, /* assert or expect failed */
	SESSION_LIMIT = 4,  /* a limit was reached */
	SESSION_DEADLOCK = 5,
	SESSION_QUIT = 100,	  /* quit; session_exit_code() tells the exit status */
	SESSION_INTERRUPTED = 130 /* not interactive, and Ctrl-C ended the run */
};

/* Executes one command line as it was typed: it may have abbreviations or a comment, or be empty.
 * Errors are printed through ui->out. */
enum session_status session_exec(struct session *s, const char *line);
/* Executes a file of commands ("-": standard input). Stops at the first error unless keep_going. */
enum session_status session_source(struct session *s, const char *path, bool keep_going);
/* The same for a stream that the caller opened and closes. */
enum session_status session_source_stream(struct session *s, const char *name, FILE *f,
					  bool keep_going);
/* Standard input of the session, as "-" reads it; NULL if memory runs out. A caught Ctrl-C or
 * signal ends a wait for it. */
FILE *session_input(struct session *s);
/* Executes a line typed while the model runs if it is one of the few commands that are allowed then
 * (pace ...). Returns false if it is not. */
bool session_exec_running(struct session *s, const char *line);
/* session_collects() tells whether the next line belongs to a construct (if, while, define,
 * commands ...) or answers a question, so that it is not a separate command. session_give_up()
 * drops the construct or question, as Ctrl-C does. */
bool session_collects(const struct session *s);
void session_give_up(struct session *s);
bool session_asks(const struct session *s); /* the next line answers a question */
/* A person has ended the input (Ctrl-D). True: leave the program. Otherwise a construct was
 * dropped, or the session now asks whether to leave; then another end of input means yes. */
bool session_end_input(struct session *s);
/* No more lines follow: prints what `printf` has begun. A construct without `end` is an error. */
enum session_status session_end_lines(struct session *s);
int session_exit_code(const struct session *s);
/* The number of `expect`s that failed; *of receives how many were executed. */
unsigned session_unexpected(const struct session *s, unsigned *of);

struct sim *session_sim(struct session *s); /* NULL while no workload is loaded */
struct config *session_config(struct session *s);
bool session_running(const struct session *s); /* a run command is running */
/* Whether the session is moving backwards, or a command works beside it: *done is the part that is
 * done, 0 to 1, *left the seconds left, below 0 if it has taken less than a second so far. *what,
 * unless NULL, becomes the command, NULL for a move. */
bool session_seeking(const struct session *s, double *done, double *left, const char **what);
/* Whether the present is before the furthest cycle that has been run, *tip. */
bool session_behind(const struct session *s, cycle_t *tip);
/* The model waits for its pace, so other work costs it nothing. */
bool session_ahead(const struct session *s);
/* Writes the speed limit of a run: "2 periods/s", "auto", or if brief "2 per/s"; "" if there is
 * none. */
#define TEMPO_TEXT 48 /* enough for what session_pace() writes */
void session_pace(const struct session *s, bool brief, char *buf, size_t size);
/* Async-signal-safe: stops at the next cycle boundary. */
void session_interrupt(struct session *s);
void session_want_stats(struct session *s); /* async-signal-safe: a run prints its statistics */
/* From now on a run that reaches a limit prints its statistics before the limit's message. */
void session_print_stats_at_limit(struct session *s);

/* A signal that ends the program (base/signals.h). A handler notes it, which also interrupts a run;
 * front ends return from their loop when session_signal() is not 0. Both are async-signal-safe. */
void session_note_signal(struct session *s, int signo);
int session_signal(const struct session *s);
/* For a front end that waits at a prompt: whether one of these requests came. The call clears it.
 */
bool session_take_interrupt(struct session *s);
bool session_take_want_stats(struct session *s);
/* Whether there is such a request, or session_signal() is not 0. */
bool session_has_request(const struct session *s);

/* Writes the prompt, "(ctascope 22,528 core 5) ". */
void session_prompt(const struct session *s, char *buf, size_t size);

/* Whether `record session` is recording. A front end that draws then passes all output to the
 * terminal to session_record(). */
bool session_records(const struct session *s);
void session_record(struct session *s, const char *bytes, size_t n);
/* Ends the recording; returns -1 with e if it could not be written. */
int session_record_end(struct session *s, struct err *e);
/* Closes all files that the session writes over some time, such as those of `log`. */
int session_files_end(struct session *s, struct err *e);
/*
 * A run to compare the present one with, which `reference` measures while the session goes on: the
 * same machine and workload with another policy stack, or with the best n of a policy that has no
 * other parameter. Point i: that many thread instructions had been executed at that cycle. The view
 * is borrowed until the next call that may change the session.
 */
enum reference_kind { REFERENCE_STACK, REFERENCE_BEST };
struct reference_point {
	cycle_t cycle;
	uint64_t insts;
};
struct reference_view {
	const char *name; /* its policy stack */
	double limit;	  /* the best n, if it limits CTAs; else NaN */
	bool measured;	  /* measured to its end; otherwise as far as it has come */
	cycle_t cycles;
	uint64_t insts;
	const struct reference_point *point;
	unsigned n;
};
/* Returns false if there is none. */
bool session_reference(const struct session *s, enum reference_kind kind, struct reference_view *v);
/* Returns the cycle at which the reference had executed that many instructions, interpolated
 * between two points; NaN: unknown. */
double reference_cycle(const struct reference_view *v, double insts);
/* Writes "NAME 34 %, 12 s left, 1 more"; "" if nothing is being measured. */
void session_reference_progress(const struct session *s, char *buf, size_t size);
/*
 * Measurements of `reference` and `blame`, made while the session goes on. session_beside() returns
 * descriptors that become readable when there is news, for a front end that waits, and their
 * number. session_beside_read() reads the news; it returns true if there is something to print,
 * which session_beside_say() does, as does the next command.
 */
#define SESSION_BESIDE 17
unsigned session_beside(const struct session *s, int fd[SESSION_BESIDE]);
bool session_beside_read(struct session *s);
void session_beside_say(struct session *s);

/*
 * Looks at another cycle of the present branch on a second machine; the session's own does not
 * move. Each purpose has a machine of its own, which stays where it is until it is asked for
 * another cycle.
 */
enum look_back {
	LOOK_STATE,   /* the state, and the past of the warps of a core */
	LOOK_PROFILE, /* a profile of the last cycles */
	LOOK_SAMPLES, /* short samples */
	LOOKS
};
struct look_back_want {
	cycle_t cycle, from; /* records are of the cycles in (from, cycle] */
	int core;	     /* whose warps are recorded for sim_past(); -1: none */
	bool profile;	     /* for sim_profile() */
	uint32_t sample;     /* cycles per sample; 0: as in the run */
};
/* Whose cycle it is: the session's, or that of the run beside it (session_split()). */
enum session_side { SIDE_SESSION, SIDE_TWIN, SIDES };
/* Works for at most so many seconds. 1: the machine is there, in *sim; 0: not yet, and *done says
 * which part of the way is done; -1 with e. */
int session_look_back(struct session *s, enum session_side side, enum look_back purpose,
		      const struct look_back_want *want, double seconds, struct sim **sim,
		      double *done, struct err *e);
/* Moves what that machine has recorded to the machine of the side, which is at the same cycle. */
void session_take_records(struct session *s, enum session_side side, enum look_back purpose);

/*
 * A second run beside the session's, in step with it: the same workload under another policy stack,
 * or another branch. session_split() begins it at cycle 0, and ends the one before; "" only ends
 * it. -1 with e: nothing has changed. A branch needs a model that is stopped. A restart or another
 * workload begins it again. Commands go to the session's machine, never to the twin's.
 */
int session_split(struct session *s, const char *what, struct err *e);
/* What session_split() would take names the session's own run: its stack or its branch. */
bool session_is_own_run(const struct session *s, const char *what);
const char *session_twin_name(const struct session *s); /* NULL: there is none */
struct sim *session_twin(const struct session *s);	/* NULL: none, or not built yet */
/* Works for at most so many seconds to bring the twin to the session's cycle, to its end if the
 * session's workload has ended, and to find the first difference. 1: done; 0: not yet; -1 with e:
 * the twin has been ended. */
int session_twin_follow(struct session *s, double seconds, struct err *e);
/* The first decision in which both runs differ. */
struct session_difference {
	bool known;
	cycle_t cycle;	     /* of it; until it is known, up to which all decisions are the same */
	const char *text[2]; /* what each side did then, borrowed until the twin is moved */
};
bool session_twin_difference(const struct session *s, struct session_difference *d);
/* Prints why the twin took its last decision about the core at or before the cycle. */
void session_twin_why(struct session *s, unsigned core, cycle_t cycle);

/* The core in focus, shared by prompt and panes. */
unsigned session_focus_core(const struct session *s);
void session_set_focus_core(struct session *s, unsigned core);

/*
 * A parameter of the policies at work, which can change while the model runs, or (the first) their
 * stack. False: there are fewer.
 */
struct opt_row;
struct session_knob {
	char key[128];		   /* "dyncta.t_mem_h", "policy" */
	const struct opt_row *row; /* its range, unit and meaning; NULL: the stack */
	char now[POLICY_TEXT];	   /* its value */
	char next[POLICY_TEXT];	   /* the value from the next period on; "" if it stays */
};
bool session_knob(const struct session *s, unsigned i, struct session_knob *k);
/* The cycle at which knobs change next; CYCLE_NEVER: none waits. */
cycle_t session_knobs_due(const struct session *s);

/* The i-th change on the present branch, in the order of their cycles. False: there are fewer. */
struct session_change {
	cycle_t cycle;
	char label[64]; /* "t_mem_h 300", "static:n=2" */
};
bool session_change(const struct session *s, unsigned i, struct session_change *c);

/*
 * The cycles that `find` found on the present branch, in order, borrowed until the next command;
 * *text is what was looked for. Returns their number, 0 with *text NULL: nothing was looked for.
 */
unsigned session_hits(const struct session *s, const cycle_t **hit, const char **text);
/* Text is something to look for in time, an event or a comparison: `find` accepts it. */
bool session_can_find(struct session *s, const char *text);

/* What a word is to the names of the commands, those of the screen included. */
enum session_word { SESSION_WORD_UNKNOWN, SESSION_WORD_BEGINS_COMMAND, SESSION_WORD_IS_COMMAND };
enum session_word session_match_command(const char *word);

/* The selection, cycles (from, to], which commands accept as the range `selection`; to 0: none. */
void session_select(struct session *s, cycle_t from, cycle_t to);
bool session_selection(const struct session *s, cycle_t *from, cycle_t *to);

/* The option ui.mouse, for the front end. */
bool session_mouse(const struct session *s);
void session_set_mouse(struct session *s, bool on);
/* The option ui.line_rate: bytes a second for frames of a run; 0: the front end finds out. */
unsigned session_line_rate(const struct session *s);
/* The option ui.thick_lines: curves are drawn with half blocks. */
bool session_thick_lines(const struct session *s);

/* Whether any stop is set on that core, for the panes. */
bool session_core_has_stop(const struct session *s, unsigned core);

/* Returns the last stop line ("stopped: pause, core 5, ..."); "" before the first one, and when the
 * machine is no longer at that place, as after undo. */
const char *session_last_stop(const struct session *s);

/*
 * Returns the candidates for the word line[start..end) as a NULL-terminated malloc'ed array of
 * malloc'ed strings, all of which the caller frees, or NULL if there are none. *is_path: the caller
 * should complete file names instead.
 */
char **session_complete(struct session *s, const char *line, int start, int end, bool *is_path);

/* The log: the last ui.log_lines lines printed so far, the newest last, and the number of dropped
 * lines before them. */
unsigned session_log_count(const struct session *s);
uint64_t session_log_dropped(const struct session *s);
const char *session_log_line(const struct session *s, unsigned i, enum say *kind);

#endif
