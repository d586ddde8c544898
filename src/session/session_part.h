/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_part.h - private to src/session: the session its commands work on. What it is made of,
 * and the functions of each subject, have headers of their own.
 */
#ifndef SESSION_SESSION_PART_H
#define SESSION_SESSION_PART_H

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

	struct session_view view;
	struct session_control control;
	struct session_script script;
	struct session_time time;
	struct session_log log;
	struct session_workers workers;
	struct session_teacher teacher;
	const char *confined; /* why commands that reach outside are refused; NULL: they are not */

	bool quit, quit_status; /* quit_status: it named one */
	int exit_code;
	char last_stop[512];
	double unsaved;	      /* seconds run since a save */
	char autosaved[4096]; /* the file written for a crash, "" none */
	bool autosave_failed; /* that was said */
	uint64_t saved_work;  /* the hash of the branches and changes that a file has (ask.c) */
};

/* The expression, or NULL where a name means nothing on this machine; and its value. For want of
 * memory the command fails at its end, too. */
struct expr *parse_known(struct session *s, const char *text);
bool value_of_expr(struct session *s, const struct expr *x, struct value *v);

/* ---- ask.c ---- */

/* Asks a person whether to execute line, the present one, which is then done with. False: nobody is
 * asked, or the answer was yes. fmt: the question. */
bool session_ask(struct session *s, const char *line, const char *fmt, ...) ATTR_PRINTF(3, 4);
enum session_status session_answer(struct session *s, const char *line);
/* The same of branches and changes that no file has, if there are any; what: "leave". */
bool session_asks_to_lose(struct session *s, const char *line, const char *what);
void session_note_saved(struct session *s); /* a file has all of them now */

int session_get(const struct session *s, const char *key, char *buf,
		size_t size); /* an option, or -1 */
unsigned session_width(const struct session *s);
void session_run_number(struct session *s, struct strbuf *out);

#endif
