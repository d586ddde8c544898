/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repl_part.h - private to src/repl: arguments, the plain front end, the prompt. */
#ifndef REPL_REPL_PART_H
#define REPL_REPL_PART_H

#include "repl/repl.h"

/* ---------------------------------------------------------------- arguments */

enum cli_arg_kind {
	ARG_MACHINE,
	ARG_OPTION,
	ARG_POLICY,
	ARG_WSCHED,
	ARG_SCRIPT,
	ARG_EVAL,
	ARG_VERSUS
};
struct cli_arg {
	enum cli_arg_kind kind;
	const char *text;
};

enum cli_mode { TUI_AUTO, TUI_ALWAYS, TUI_NEVER };
enum cli_list {
	LIST_NONE,
	LIST_WORKLOADS,
	LIST_MACHINES,
	LIST_POLICIES,
	LIST_EVENTS,
	LIST_OPTIONS,
	LIST_CONFIG
};

struct cli_args {
	struct cli_arg *arg; /* in the order given; owned */
	unsigned n_args;
	const char *workload; /* NULL: none */
	const char *size;     /* of an application; NULL: as the workload says */
	const char *csv;      /* of a race, NULL: none */
	bool batch, keep_going, no_init;
	bool resume; /* of a session in a file: `workload`, NULL the last that was kept */
	enum cli_mode tui;
	enum cli_list list;
	struct cli_screen screen;
	int exit_now; /* -1: go on; else the status to leave with (help, version, mistakes) */
};

bool cli_races(const struct cli_args *a); /* --versus was given */
void cli_parse(int argc, char **argv, struct cli_args *a);
int cli_usage(const char *fmt, ...) ATTR_PRINTF(1, 2); /* says it and how to get help; 2 */
int cli_list(struct config *c, enum cli_list what);
void cli_list_workloads(const struct config *c); /* cli_workloads.c */
int cli_convert(int argc, char **argv);		 /* argv[0] is the subcommand */
int cli_trace(int argc, char **argv);
int cli_record(int argc, char **argv);
int cli_app(int argc, char **argv, const struct cli_front *f); /* cli_app.c */
int cli_record_app(int argc, char **argv); /* record ... -- PROGRAM: cli_record_app.c */
int cli_compare(int argc, char **argv, const struct cli_front *front);
int cli_cache(int argc, char **argv);  /* cli_cache.c */
int cli_report(int argc, char **argv); /* cli_report.c */
/* The file of a workload: a path, or the name of a shipped one, which is recorded if it is not
 * yet. */
int cli_find_workload(const char *name, char *path, size_t size, struct err *e);
/* The folder of libcuda.so.1, PATH_MAX bytes. */
int record_library(char *folder, struct err *e);

/* ---------------------------------------------------------------- the plain front end */

struct plain {
	struct session *session;
	bool progress;	  /* standard error is a terminal */
	bool shown;	  /* a line of progress stands there */
	bool want_screen; /* `tui` was typed */
	bool has_screen;  /* and could be followed */
	bool batch;
	bool waiting; /* something said is still in the buffer of standard output */
	const struct cli_front *front; /* shows a race, two runs; NULL: nobody does */
	const struct cli_screen *look; /* how */
	double began, last, drawn;     /* wall clock of the run under way */
	uint64_t done0;		       /* work done when it began */
};

struct session_ui plain_ui(struct plain *p, bool interactive);
void plain_clear(struct plain *p); /* takes the progress line away */
/* SIGINT, SIGUSR1 and the signals that end a program go to this session from now on, NULL: to none.
 * A person at the prompt may have work to save, so then SIGPIPE does as well. */
void plain_signals(struct session *s);

/* From one to the other a crash gives the terminal back as it is now (tty_fault.c). */
void tty_catch_faults(void);
void tty_release_faults(void);

enum prompt_end { PROMPT_QUIT, PROMPT_EOF, PROMPT_SCREEN, PROMPT_SIGNAL };
enum prompt_end prompt_readline(struct plain *p);

#endif
