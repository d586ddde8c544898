/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_part.h - private to src/session: the session its commands work on.
 */
#ifndef SESSION_SESSION_PART_H
#define SESSION_SESSION_PART_H

#include "base/human.h"
#include "base/number.h"
#include "base/words.h"
#include "session/session.h"
#include "base/output.h"
#include "debug/debug.h"
#include "lab/lab.h"
#include "session/block.h"
#include "session/reference.h"
#include "session/tempo.h"
#include "timeline/timeline.h"

#define LOG_LINES 4096	  /* kept for the panes, unless ui.log_lines says otherwise */
#define MAX_NESTING 16	  /* scripts that source scripts, commands made by eval within each other */
#define MAX_PARTIAL 65536 /* characters of a line that printf has begun */

struct display {
	unsigned id;
	char fmt;
	char *text;
	struct expr *expr; /* NULL: means nothing with this machine */
};

/* Options of the session itself, beside those of the machine. */
struct session_opts {
	opt_u32 width, log_lines;
	opt_flag csv_crlf;
	opt_flag follow_stop;
	opt_flag mouse;
	opt_f64 plot_width, plot_height;
	opt_u32 plot_dpi;
	opt_flag branch_on_change;
	opt_u32 time_memory;
	opt_u64 time_every;
	opt_f64 autosave;
};

/* Where one has been, for `back` and `forward`. */
#define VISITS 256
struct visit {
	struct place place;
	char how[64]; /* the command that led there */
};

struct said {
	enum say kind;
	char *line;
};

struct session {
	struct config *config; /* borrowed */
	struct trace *trace;   /* borrowed, NULL: no workload */
	struct sim *sim;
	struct debug *debug;
	struct timeline *timeline;
	char *start_options; /* what the machine was built with, as text; NULL: no machine yet */
	unsigned run;	     /* number of the run, from 1 */
	struct session_ui ui;
	struct optdb own;
	struct session_opts opts;

	unsigned core, warp, mem; /* focus */
	int64_t cta;		  /* -1: none */
	cycle_t from, to;	  /* selected; to 0: nothing */
	uint32_t list_at;	  /* where `list` goes on: an instruction or a line; 0: anew */
	uint32_t list_file;	  /* the file of the line, as in inst.file; 0: instructions */
	unsigned list_kernel;

	struct display *display;
	unsigned n_displays, next_display;

	volatile int poll;	 /* set by session_interrupt() */
	volatile int want_stats; /* set by session_want_stats() */
	volatile int signal;	 /* a signal that ends the program, 0: none */
	bool running, interrupted, timed_out;
	double deadline; /* wall clock of this run command, 0: none */
	struct tempo tempo;
	struct reference *reference; /* NULL: none was asked for */
	bool keeps_references;	     /* in the user's cache */
	struct blame *blame;	     /* the last one, NULL: none */

	unsigned depth;	       /* of session_exec */
	unsigned nesting;      /* of scripts */
	FILE *input;	       /* standard input, NULL: not read yet */
	const char *file;      /* script under way, NULL: none */
	unsigned line;	       /* in it */
	char *repeat;	       /* what Enter does again, NULL: nothing */
	struct block *pending; /* commands of the stop just hit, NULL: none */
	bool in_commands;      /* of a stop */
	struct block *open;    /* the construct whose lines are being typed, NULL: none */
	unsigned open_nesting; /* the script it began in */
	char *asking;	       /* "define NAME ...": whether to replace it is being asked */
	double ticked;	       /* wall clock of the last tick of a loop */
	struct user_command **user;
	unsigned n_user, user_depth, evals;
	struct variable *variable;
	unsigned n_variables;
	struct strbuf partial;	       /* of printf: the line it has begun */
	unsigned expected, unexpected; /* how often `expect` was asked, and failed */

	/* time travel (session_time.c) */
	uint64_t changes; /* of the timeline, that the configuration follows */
	struct visit *visit;
	unsigned n_visits, at_visit;
	bool seeking;	 /* the past is being replayed */
	bool quiet_move; /* what a move undoes is not said: it is done again at once */
	double seek_began, seek_done;
	cycle_t seek_to; /* of a look through the past from its start */

	bool quit, quit_status; /* quit_status: it named one */
	int exit_code;
	char last_stop[512];
	double run_ticked, unsaved; /* clock of the last tick of a run; seconds run since a save */
	char autosaved[4096];	    /* the file written for a crash, "" none */
	bool autosave_failed;	    /* that was said */
	struct output *log;	    /* of `log on`, NULL: none */
	char *log_name;
	bool lost;		  /* memory ran out for something that was to be said */
	struct cast *cast;	  /* of `record session`, NULL: none */
	struct event_log *events; /* of `log events`, NULL: none */
	struct said *said;	  /* ring of said_room lines, from said_first to n_said */
	unsigned said_room;
	uint64_t said_first;
	uint64_t n_said;
};

/* ---------------------------------------------------------------- commands */

enum cmd_group {
	G_RUN,
	G_STOP,
	G_LOG,
	G_LOOK,
	G_FOCUS,
	G_CHANGE,
	G_TIME,
	G_BACK,
	G_BRANCH,
	G_OUT,
	G_SCRIPT,
	G_SCREEN,
	G_HELP,
	CMD_GROUPS
};
extern const char *const cmd_group_names[CMD_GROUPS];

/* What Tab offers for a word: candidates being gathered, and what stands before it. A completer
 * offers whatever may stand there; offer() keeps what begins as the word does. */
struct offer {
	struct session *s;
	const char *verb, *usage; /* of the command */
	char prefix[256];
	char head[256]; /* of the word, put in front of every candidate: "core.0.n<" */
	char **list;
	size_t n, room;
	bool is_path; /* file names, which the caller completes */
};
struct before {
	unsigned n; /* words between the command and the one being typed */
	char first[64], second[64], last[64];
	bool has_if; /* one of them is "if" */
};
void offer(struct offer *o, const char *text);
void offer_commands(struct offer *o);
void complete_name(struct offer *o, const struct before *b); /* values, options and events */

enum cmd_flag {
	F_SIM = 1,    /* needs a workload */
	F_REPEAT = 2, /* Enter does it again */
	F_FULL = 4,   /* is not found by its beginning */
	F_FORMAT = 8, /* may have a format: print/x */
	F_TEXT = 16,  /* a '#' begins no comment */
	F_LIVE = 32   /* may be done while the model runs */
};

#define CMD_WORDS 4
struct cmd_args {
	const char *name; /* of the command, in full */
	char fmt;	  /* print/x: 'x', 0: none */
	const char *rest; /* everything after the command */
	bool has_number[CMD_WORDS];
	uint64_t number[CMD_WORDS];
	const char *word[CMD_WORDS]; /* NULL: not given */
};

struct cmd_row {
	const char *name, *alias; /* alias: a fixed short form that need not be unique, "" none */
	enum cmd_group group;
	/* One letter per argument, capitals are optional: n number, w word, f file name, r the
	 * rest. */
	const char *letters;
	const char *usage;
	void (*complete)(struct offer *o, const struct before *b);
	enum session_status (*fn)(struct session *s, struct cmd_args *a);
	const char *help;
	unsigned flags;
};
extern const struct cmd_row cmd_rows[];
extern const unsigned n_cmd_rows;

/* The row of a name, a fixed short form or a unique prefix; NULL with e. */
const struct cmd_row *cmd_find(const char *name, struct err *e);
int cmd_parse(const struct cmd_row *r, char *rest, struct cmd_args *a,
	      struct err *e); /* cuts rest up */

struct info_row {
	const char *name, *usage;
	void (*complete)(struct offer *o, const struct before *b);
	bool needs_sim;
	enum session_status (*fn)(struct session *s, const char *args);
	const char *help;
};
extern const struct info_row info_rows[];
extern const unsigned n_info_rows;
/* The row of a topic or a unique prefix; NULL with e. */
const struct info_row *info_find(const char *topic, struct err *e);

#define CMD(name, alias, group, letters, usage, complete, flags, fn, help) \
	void complete(struct offer *o, const struct before *b);            \
	enum session_status fn(struct session *s, struct cmd_args *a);
#define SCREEN(name, flags, usage, complete, words, fn, help) \
	void complete(struct offer *o, const struct before *b);
#define INFO(name, usage, complete, needs, fn, help)            \
	void complete(struct offer *o, const struct before *b); \
	enum session_status fn(struct session *s, const char *args);
#include "session/commands.def"
enum session_status cmd_screen(struct session *s, struct cmd_args *a); /* every SCREEN row */

/* ---------------------------------------------------------------- helpers */

void say_lines(struct session *s, enum say kind, const char *text); /* several lines */
/* What was made of a text, never NULL. If memory ran out for the rest, the command fails at its
 * end, and says so. say_text() prints it as lines and frees it. */
const char *text_so_far(struct session *s, const struct strbuf *text);
void say_text(struct session *s, enum say kind, struct strbuf *text);
/* The expression, or NULL where a name means nothing on this machine; and its value. For want of
 * memory the command fails at its end, too. */
struct expr *parse_known(struct session *s, const char *text);
bool value_of_expr(struct session *s, const struct expr *x, struct value *v);
enum session_status say_err(struct session *s, const struct err *e); /* and returns SESSION_ERROR */
void session_record_line(struct session *s, const char *prompt,
			 const char *line); /* into the log file */
enum session_status fail(struct session *s, const char *fmt, ...) ATTR_PRINTF(2, 3);
enum session_status fail_memory(struct session *s);
/* What was said that did not reach the user or the file of `log on`: said now, once. Returns the
 * status, or an error instead of SESSION_OK. */
void session_log_free(struct session *s);
enum session_status session_check_said(struct session *s, enum session_status status);

/* A text_stop (base/textfile.h): a signal or the front end asks the session to end what it does. */
bool session_is_asked_to_stop(void *session);
void cut_comment(char *line); /* '#' at the start of a word, outside of quotes */
/* The next word of *at (quotes and ~ honoured) into buf; false at the end. */
bool next_word(const char **at, char *buf, size_t size);
/* "from..to", either end may be missing: then it stays; or the word selection. */
int read_cycles(struct session *s, const char *word, cycle_t *from, cycle_t *to, struct err *e);

enum session_status session_build(struct session *s); /* a fresh sim of the present configuration */
/* A sim takes the place of the one before. options: what it was built with, as text. What means
 * nothing with it is named in lost, a line each. Owns fresh, also after an error. */
int session_adopt(struct session *s, struct sim *fresh, const char *options, struct strbuf *lost,
		  struct err *e);
/* N of the command, 1 without; 0 is told to be none. */
uint64_t session_count_of(struct session *s, const struct cmd_args *a);
/* What step and reverse-step have in common: N and a unit, and one of these ways to go so far. */
struct step_way {
	enum session_status (*cycles)(struct session *s, uint64_t n);
	enum session_status (*periods)(struct session *s, uint64_t n);
	enum session_status (*go)(struct session *s, struct debug_goal g);
};
enum session_status session_step(struct session *s, struct cmd_args *a, const struct step_way *way);
/* Runs to the goal, or whatever comes first. True: the goal was reached, which the caller says (r
 * holds what happened there). False: something else ended the run; it has been said, and *status is
 * what the command returns. */
bool session_reach(struct session *s, struct debug_goal g, struct debug_result *r,
		   enum session_status *status);
/* The same, and the goal is said as any other end is. */
enum session_status session_go(struct session *s, struct debug_goal g);
bool session_tick(struct session *s); /* now and then during a run; true: it shall stop */
void session_say_stop(struct session *s, const char *text); /* "stopped: TEXT" */
enum session_status session_say_here(struct session *s);    /* what follows that line everywhere */
void session_show_displays(struct session *s);
void session_say_stats(struct session *s, enum say kind);
void session_bind_displays(struct session *s);
/* The front end has changed during a recording, or its size has. */
void session_record_front(struct session *s, bool drew);
/* `log events` has what happened so far; else it is said, once, and ended. */
enum session_status session_log_events(struct session *s);
/* Time travel. Before a run or a move: how it is to be done. After it: the configuration follows.
 */
void session_time_begin(struct session *s);
void session_time_end(struct session *s);
void session_seek(struct session *s, bool on); /* around a move */
/* What options and policies are other than the session's configuration says, "" nothing. */
void session_say_undone(struct session *s, struct strbuf *out);
void session_say_changes(struct session *s, struct strbuf *undone); /* and frees it */
/* To cycle 0; what is set now holds from there on, and nothing is changed on the way. */
enum session_status session_start_again(struct session *s);
enum session_status session_goto(struct session *s, struct place p); /* SESSION_OK: one is there */
void session_visit(struct session *s, const char *how);		     /* a command is over */
void session_visits_forget(struct session *s);
/* Does fn at another cycle of the present branch, and is back afterwards. cmd_when.c */
enum session_status session_at_cycle(struct session *s, cycle_t cycle,
				     enum session_status (*fn)(struct session *s, void *ctx),
				     void *ctx);
void session_say_lost(struct session *s, struct strbuf *lost); /* with this machine */
/* After a run or a way back that ended so; true: the goal is reached, which the caller says. */
bool session_ended(struct session *s, enum debug_end end, const struct debug_result *r,
		   const struct err *e, enum session_status *status);
void session_follow_stop(struct session *s);
void session_say_hits(struct session *s, const struct debug_result *r);
enum session_status session_say_period(struct session *s);
bool session_has_periods(const struct session *s);
int session_check_expr(struct session *s, const char *text, struct err *e); /* -1: it is none */
bool session_cores_decide(const struct session *s);
enum session_status session_no_periods(struct session *s);
bool session_is_event(const char *text); /* not an expression */
/* Branches (cmd_branch.c, cmd_flip.c): "core.starve 8 -> 6", "core 5, cycle 900: limit stay". */
void session_choice_text(const struct choice *c, char *buf, size_t size);
enum session_status session_delete_branch(struct session *s, const char *name);
/* rest: [--for N] [csv FILE] (compare_branches.c) */
enum session_status session_compare_branches(struct session *s, const char *a, const char *b,
					     const char *rest);
/* Takes "--for N" off the end of text, 0 when there is none; -1 with e. */
int session_take_for(char *text, cycle_t *cycles, struct err *e);
void session_rebind(struct session *s); /* stops and displays, after a change of the policy stack */
int session_get(const struct session *s, const char *key, char *buf,
		size_t size); /* an option, or -1 */
unsigned session_width(const struct session *s);
void session_run_number(struct session *s, struct strbuf *out);

/* A file as it was typed: "~/x" as the shell would read it, into buf, which is returned. */
const char *session_file_name(const char *word, char *buf, size_t size);

/* Evaluates text and writes its value; SESSION_ERROR said already. */
enum session_status session_eval(struct session *s, const char *text, struct value *v);

/* ---------------------------------------------------------------- scripts */

/* The arguments of the user's command under way. */
#define USER_ARGS 10
struct user_call {
	unsigned argc;
	struct span arg[USER_ARGS];
};

/* One command, or the next line of a construct; typed: Enter may repeat it. */
enum session_status session_do(struct session *s, const char *text, bool typed);
/* The lines from..to of a block; call NULL: no arguments. */
enum session_status script_run(struct session *s, const struct block *b, unsigned from, unsigned to,
			       const struct user_call *call);
/* Whatever a stop's commands, or a script, was doing gives way to the commands of another stop. */
bool script_gives_way(const struct session *s);
void script_drop_pending(struct session *s);
enum session_status script_do_pending(struct session *s); /* the commands of the stop just hit */

/* Collecting: the next line of the construct under way; the answer to a question. script_collect.c
 */
enum session_status script_collect(struct session *s, const char *line);
enum session_status script_answer(struct session *s, const char *line);
/* The lines of a script, or those that eval made, end: an open construct is given up. That is an
 * error, said unless they ended early. */
enum session_status script_end_lines(struct session *s, enum session_status status, bool whole);
void script_drop_open(struct session *s);
/* Keeps the lines of the body whose head, with its arguments filled in, is line `at` of b. */
enum session_status script_do_body(struct session *s, const struct block *b, unsigned at,
				   const char *head, const struct user_call *call);
/* The line with "$arg0" and "$argc" filled in. */
enum session_status script_substitute(struct session *s, const char *text,
				      const struct user_call *call, struct strbuf *out);
/* The stop that "commands [N]" names, 0: none, which has been said; and its lines. cmd_stop.c */
unsigned commands_stop(struct session *s, const char *head);
enum session_status commands_set(struct session *s, unsigned stop, const struct block *b,
				 unsigned at, const struct user_call *call);

/* Commands of the user's own. script_define.c */
struct user_command;
struct user_command *user_find(const struct session *s, const char *name, bool whole);
enum session_status user_call(struct session *s, const struct user_command *u, const char *args);
enum session_status user_check_name(struct session *s, const char *name); /* may be defined */
int user_name_ok(const char *name, struct err *e);			  /* the same, -1: not */
/* The i-th and what it is; NULL: there are fewer. */
const char *user_at(const struct session *s, unsigned i, const struct block **body,
		    const char **help);
enum session_status user_define(struct session *s, const char *name, struct block *body);
enum session_status user_document(struct session *s, const char *name, char *text);
enum session_status user_show(struct session *s, const char *name); /* NULL: all */
void user_help(struct session *s, const struct user_command *u); /* NULL: of all, one line each */
void user_offer(struct offer *o);
void user_free(struct session *s);

/* Variables: names that begin with '$'. script_vars.c */
struct eval_names script_names(struct session *s);
enum session_status script_set(struct session *s, const char *text); /* "$x = EXPR" */
bool script_is_name(const char *name); /* could a variable be called so? */
/* Makes it, or gives it another value, which is taken over. -1: no room, or no memory. */
int script_put(struct session *s, const char *name, struct value *v);
/* The i-th and its value; NULL: there are fewer. */
const char *script_variable_at(const struct session *s, unsigned i, const struct value **v);
enum session_status script_show_variables(struct session *s);
void script_offer_variables(struct offer *o);
void script_free_variables(struct session *s);

/* Variables and commands as text, and back (s NULL: only checks it). script_file.c */
void script_write(const struct session *s, struct strbuf *out);
int script_read(struct session *s, const char *text, struct err *e);

/* "fmt", EXPR... as printf would print it. script_format.c */
enum session_status script_format(struct session *s, const char *verb, const char *text,
				  struct strbuf *out);
void session_say_partial(struct session *s); /* what printf began is a line now */

bool session_holds(const struct value *v); /* as a condition */

/* ---------------------------------------------------------------- tables */

#define TABLE_COLUMNS 20
struct table {
	unsigned n_columns;
	struct {
		char head[24];
		bool right;
		unsigned drop;	/* 0: never left out, else the higher the sooner */
		unsigned width; /* of the widest cell */
	} column[TABLE_COLUMNS];
	char **cell; /* rows x columns */
	unsigned n_cells, room;
	bool failed;
};
/* spec: words "<head" or ">head" (left, right), a digit in front says what is left out first. */
void table_begin(struct table *t, const char *spec);
void table_text(struct table *t, const char *fmt, ...) ATTR_PRINTF(2, 3);
void table_u64(struct table *t, uint64_t v);
void table_num(struct table *t, double v);
void table_end(struct session *s, struct table *t); /* says it and frees it */

#endif
