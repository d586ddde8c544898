/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_part.h - private to src/session: the session that its commands work on. Its parts, and
 * the functions of each subject, have their own headers.
 */
#ifndef SESSION_SESSION_PART_H
#define SESSION_SESSION_PART_H

#include "base/ascii.h"
#include "base/human.h"
#include "base/number.h"
#include "base/words.h"
#include "session/script.h"
#include "session/session.h"
#include "session/session_log.h"
#include "session/session_run.h"
#include "session/session_time.h"
#include "session/session_view.h"
#include "session/session_workers.h"

/* Options of the session itself; those of the machine are in config. */
struct session_opts {
	opt_u32 width, log_lines;
	opt_flag csv_crlf;
	opt_flag follow_stop;
	opt_flag mouse;
	opt_u32 line_rate;
	opt_bool thick_lines;
	opt_f64 plot_width, plot_height;
	opt_u32 plot_dpi;
	opt_flag branch_on_change;
	opt_u32 time_memory;
	opt_u64 time_every;
	opt_f64 autosave;
};

/* Lines for the screen, in the order given (keep.c). */
struct session_kept {
	enum session_screen how;
	char *line[64];
	unsigned n;
};

/* What `workload` brought, which the session owns. */
struct session_loaded {
	struct trace *trace;
	struct config *config;
};

/* The stops that a `delete` took away. */
struct deletion {
	unsigned *id, n;
	char *text;    /* debug_stop_write() of each */
	uint64_t made; /* session_time.made by then, or when it was undone */
	unsigned run;  /* the run that counted their hits */
};
#define DELETIONS 8 /* most that are kept */
struct session_deleted {
	struct deletion item[DELETIONS];
	unsigned n, n_undone; /* those that hold, and after them those undone */
};

/* Whose stops are whose, as numbers (lesson_stops.c). */
struct session_lesson_stops {
	unsigned depth;		    /* more than 0: the lesson types */
	unsigned *made, n_made;	    /* by the lesson; some may be gone */
	unsigned *others, n_others; /* while it types: those that it did not make ... */
	unsigned *held, n_held;	    /* ... and those of them that will be enabled again */
};

struct session {
	struct config *config; /* borrowed */
	struct trace *trace;   /* borrowed; NULL: no workload */
	struct sim *sim;
	struct debug *debug;
	struct timeline *timeline;
	/* The options that the machine was built with, as text; NULL: no machine yet. */
	char *start_options;
	unsigned run; /* number of the run, from 1 */
	struct session_ui ui;
	struct optdb own;
	struct session_opts opts;

	struct session_view view;
	struct session_control control;
	struct session_script script;
	struct session_time time;
	struct session_log log;
	struct session_workers workers;
	struct session_teacher teacher;
	session_help_fn *screen_help; /* NULL: none */
	char note[400];		      /* the caption; "": none */
	const char *confined; /* why commands that reach outside are refused; NULL: they are not */
	struct session_kept kept;
	struct session_loaded loaded;
	struct session_deleted deleted;
	struct session_lesson_stops lesson_stops;

	bool quit, quit_status; /* quit_status: `quit` named a status */
	int exit_code;
	char last_stop[512]; /* how the last run ended, at this place; "": none */
	struct place stopped_at;
	double unsaved;	      /* seconds that the machine has run since the last save */
	char autosaved[4096]; /* the file written for a crash; "": none */
	bool autosave_failed; /* its failure was reported */
	uint64_t saved_work;  /* the hash of the branches and changes that some file has (ask.c) */
};

/* parse_known() returns NULL if a name in the expression does not exist on this machine. If memory
 * runs out, the command fails at its end. */
struct expr *parse_known(struct session *s, const char *text);
bool value_of_expr(struct session *s, const struct expr *x, struct value *v);

/* ---- cmd_race.c ---- */

/* Hints about the warp scheduler and the options of a lane, of which some may have no effect. */
void session_say_lane_hints(struct session *s, const char *lane);

/* ---- split.c ---- */

/* The errors of session_split(), as far as they are known before a run is built. */
int session_check_split(const struct session *s, const char *what, struct err *e);

/* ---- keep.c ---- */

/* Takes a command that needs the screen, where no person is at the prompt. False: it is to be done
 * now, or refused. */
struct cmd_row;
bool session_keeps(struct session *s, const struct cmd_row *r, const char *rest);
/* Checks the arguments of a command that session_keeps() took although no screen will come, and
 * says that it is ignored. */
enum session_status session_ignore(struct session *s, const struct cmd_row *r, const char *rest);
void session_drop_kept(struct session *s);

/* ---- cmd_workload.c ---- */

void session_free_loaded(struct session *s);

/* ---- cmd_stop.c, cmd_delete.c ---- */

/* Finds the stop that a word names: a number, or '$' or no word for the newest. */
const struct stop *stop_named(struct session *s, const char *word, struct err *e);
/* The numbers of the last deletion that holds and of the last undoing of one, among those of all
 * changes (session_time.made); 0: there is none. */
uint64_t session_last_deletion(const struct session *s);
uint64_t session_last_undeletion(const struct session *s);
enum session_status session_undo_deletion(struct session *s);
enum session_status session_redo_deletion(struct session *s);
void session_forget_undeletions(struct session *s); /* what could be redone */
void session_forget_deletions(struct session *s);   /* all */

/* Is the number of a stop among these? */
bool has_stop_number(const unsigned *id, unsigned n, unsigned number);

/* ---- lesson_stops.c ---- */

/* False: the lesson types, and did not make this stop. */
bool lesson_stops_may_delete(const struct session *s, unsigned id);
void lesson_stops_forget(struct session *s);

/* ---- ask.c ---- */

enum session_status session_answer(struct session *s, const char *line);
void session_note_saved(struct session *s); /* a file now has all of them */

int session_get(const struct session *s, const char *key, char *buf, size_t size);
/* Whether it is a limit that the session checks itself, and whether the run has left its start. */
bool session_is_limit(const struct optdb *db, const char *key);
bool session_has_run(const struct session *s);
void session_run_number(struct session *s, struct strbuf *out);

#endif
