/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session.h - one debugging session: the commands, apart from whoever types them.
 *
 * A session owns a sim and everything a user sets up around it: stops, displays, focus,
 * checkpoints, history of what was printed. Front ends (the readline prompt, the full screen, a
 * script) hand it lines and show what it says. Whatever a key does on the screen is a line given to
 * session_exec(), so a script can do it too.
 */
#ifndef CTASCOPE_SESSION_H
#define CTASCOPE_SESSION_H

#include "ctascope/sim.h"
#include <stdio.h>

struct session;
struct compare;
struct race;

enum say {
	SAY_RESULT, /* what was asked for: stdout */
	SAY_STOP,   /* the line a stop prints: stdout */
	SAY_NOTE,   /* progress, warnings: stderr */
	SAY_ERROR
}; /* stderr */

/* The front end. out gets whole lines without '\n'. Any hook may be NULL. */
struct session_ui {
	void *ctx;
	void (*out)(void *ctx, enum say kind, const char *line);
	/* While the model runs, about every 33 ms of wall time: draw, read keys. True: stop the
	 * run. */
	bool (*tick)(void *ctx);
	/* A run that is held back (`pace`) waits so long, less when a key or a signal comes. */
	void (*wait)(void *ctx, double seconds);
	/* A screen command (the SCREEN rows of session/commands.def): the front end does it or says
	 * why not. words: calls fn for what only it knows of the words that may follow one. */
	int (*screen)(void *ctx, const char *verb, const char *args, struct err *e);
	void (*words)(void *ctx, const char *verb, void (*fn)(void *to, const char *word),
		      void *to);
	/* Shows a race (lab/race.h) until the user leaves it: 0, 128 + n for a signal, or -1 with
	 * e. NULL: it is run to its end without a picture. */
	int (*race)(void *ctx, struct race *r, struct err *e);
	/* Shows two finished runs (export/compare.h), in the column of that name or, NULL, the
	 * usual one, until the user leaves it: likewise. NULL: they are set against each other in
	 * words. */
	int (*compare)(void *ctx, const struct compare *c, const char *column, struct err *e);
	bool interactive; /* a person is there: Enter repeats, progress is shown, quit may ask */
	unsigned width;	  /* columns for tables; 0: unlimited */
	unsigned columns, rows; /* of the terminal; 0: unknown */
	bool draws;		/* a screen: while session_records() it hands over what it draws */
};

/* c and t are borrowed; c changes with `set`. t may be NULL: no workload yet (session_load). */
struct session *session_new(struct config *c, struct trace *t, const struct session_ui *ui,
			    struct err *e);
void session_free(struct session *s);
int session_load(struct session *s, struct trace *t,
		 struct err *e); /* builds the machine around t */
void session_set_ui(struct session *s, const struct session_ui *ui); /* copied */

enum session_status {
	SESSION_OK = 0,
	SESSION_ERROR = 1,  /* bad command or simulation error: exit status 1 */
	SESSION_ASSERT = 3, /* assert or expect failed */
	SESSION_LIMIT = 4,  /* a limit was hit */
	SESSION_DEADLOCK = 5,
	SESSION_QUIT = 100,	  /* quit; session_exit_code() says with which status */
	SESSION_INTERRUPTED = 130 /* not interactive, and Ctrl-C ended the run */
};

/* Executes one command line (as typed: prefixes, comments, empty line). Errors are said through
 * ui->out. */
enum session_status session_exec(struct session *s, const char *line);
/* Executes a file of commands ("-": standard input). Stops at the first error unless keep_going. */
enum session_status session_source(struct session *s, const char *path, bool keep_going);
/* The same of a stream that the caller opened and closes. */
enum session_status session_source_stream(struct session *s, const char *name, FILE *f,
					  bool keep_going);
/* Standard input as "-" reads it, of the session: NULL when memory runs out. A caught Ctrl-C or
 * signal ends what waits for it. */
FILE *session_input(struct session *s);
/* A line typed while the model runs: does it if it is one of the few commands that may be done then
 * (pace ...). False: it is none. */
bool session_exec_running(struct session *s, const char *line);
/* Whether the next line is one of a construct (if, while, define, commands ...) or answers a
 * question, and is no command of its own; and giving that up, as Ctrl-C does. */
bool session_collects(const struct session *s);
void session_give_up(struct session *s);
bool session_asks(const struct session *s); /* the next line answers a question */
/* A person ends the input (Ctrl-D). True: the program is to be left. Else a construct was given up,
 * or whether to leave is being asked, where another end of input means yes. */
bool session_end_input(struct session *s);
/* No more lines come: what `printf` has begun is said, and a construct without `end` is an error.
 */
enum session_status session_end_lines(struct session *s);
int session_exit_code(const struct session *s);
unsigned session_unexpected(const struct session *s, unsigned *of); /* `expect` that failed */

struct sim *session_sim(struct session *s); /* NULL while no workload is loaded */
struct config *session_config(struct session *s);
bool session_running(const struct session *s); /* inside a run command */
/* A way back that takes longer than a second: the part that is done, 0 to 1, and seconds left; left
 * below 0: it takes less so far. False: there is none. */
bool session_seeking(const struct session *s, double *done, double *left);
/* The present is behind the furthest cycle that has been run, *tip. */
bool session_behind(const struct session *s, cycle_t *tip);
bool session_ahead(const struct session *s); /* and the model waits for its pace: time is free */
/* How fast a run may go: "2 periods/s", "auto", brief "2 per/s"; "" when nothing holds it back. */
#define TEMPO_TEXT 48 /* enough for what session_pace() writes */
void session_pace(const struct session *s, bool brief, char *buf, size_t size);
void session_interrupt(struct session *s); /* async-signal-safe: stop at the next cycle boundary */
void session_want_stats(
	struct session *s); /* async-signal-safe: a run says its statistics and goes on */

/* A signal that ends the program (base/signals.h): a handler notes it, which also interrupts a
 * run; front ends return from their loop when session_signal() is not 0. Both are
 * async-signal-safe. */
void session_note_signal(struct session *s, int signo);
int session_signal(const struct session *s);
/* For a front end that waits at a prompt: whether one of these came, once. */
bool session_take_interrupt(struct session *s);
bool session_take_want_stats(struct session *s);
/* Whether it should look for one, or for session_signal(), before it waits. */
bool session_has_request(const struct session *s);

/* "(ctascope 22,528 core 5) " */
void session_prompt(const struct session *s, char *buf, size_t size);

/* `record session`: whether one is under way; a front end that draws gives what the terminal gets.
 */
bool session_records(const struct session *s);
void session_record(struct session *s, const char *bytes, size_t n);
/* Ends it; -1 with e when it could not be written. */
int session_record_end(struct session *s, struct err *e);
/* The same for every file that the session writes over some time. */
int session_files_end(struct session *s, struct err *e);
/*
 * What a run is compared with: the same machine and workload under another stack, and under the
 * best n of a policy that has no other parameter, measured beside it by `reference`. Point i: so
 * many thread instructions had been done at that cycle. The view is borrowed until the next call
 * that may change the session.
 */
enum reference_kind { REFERENCE_STACK, REFERENCE_BEST };
struct reference_point {
	cycle_t cycle;
	uint64_t insts;
};
struct reference_view {
	const char *name; /* of its policy stack */
	double limit;	  /* the n it is the best for, if that limits CTAs; else NaN */
	bool measured;	  /* to its end; else as far as it has come */
	cycle_t cycles;
	uint64_t insts;
	const struct reference_point *point;
	unsigned n;
};
/* False: there is none. */
bool session_reference(const struct session *s, enum reference_kind kind, struct reference_view *v);
/* The cycle at which it had done so much work (between two points: evenly); NaN: not known. */
double reference_cycle(const struct reference_view *v, double insts);
/* "NAME 34 %, 12 s left, 1 more"; "" when nothing is being measured. */
void session_reference_progress(const struct session *s, char *buf, size_t size);
/*
 * What is measured beside the session, by `reference` and `blame`: descriptors that are readable
 * when there is news, for a front end that waits; how many there are. read takes the news; true:
 * something is to be said, which say does, as does the next command.
 */
#define SESSION_BESIDE 2
unsigned session_beside(const struct session *s, int fd[SESSION_BESIDE]);
bool session_beside_read(struct session *s);
void session_beside_say(struct session *s);

/* Focus, shared by prompt and panes. */
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
/* Whether a text is something to look for in time, an event or a comparison: `find` takes it. */
bool session_can_find(struct session *s, const char *text);

/* A part of the run, (from, to] in cycles, that commands take as the range `selection`; to 0: none.
 */
void session_select(struct session *s, cycle_t from, cycle_t to);
bool session_selection(const struct session *s, cycle_t *from, cycle_t *to);

/* The option ui.mouse, for the front end. */
bool session_mouse(const struct session *s);
void session_set_mouse(struct session *s, bool on);

/* Breakpoints on a core's row, for the panes: true if any stop is set on that core. */
bool session_core_has_stop(const struct session *s, unsigned core);

/* The last stop line ("stopped: pause, core 5, ..."), "" before the first. */
const char *session_last_stop(const struct session *s);

/*
 * Completion: candidates for the word line[start..end). Returns a NULL-terminated malloc'ed array
 * of malloc'ed strings (caller frees all), or NULL for none. *is_path: let the caller complete file
 * names instead.
 */
char **session_complete(struct session *s, const char *line, int start, int end, bool *is_path);

/* The log: the last ui.log_lines of everything said so far, newest last, and how many there were
 * before them. */
unsigned session_log_count(const struct session *s);
uint64_t session_log_dropped(const struct session *s);
const char *session_log_line(const struct session *s, unsigned i, enum say *kind);

#endif
