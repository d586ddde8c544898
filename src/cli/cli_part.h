/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_part.h - private to src/cli: arguments of the command line, and subcommands. */
#ifndef CLI_CLI_PART_H
#define CLI_CLI_PART_H

#include "cli/cli.h"
#include "base/report.h"
#include "base/cmdline.h"
#include "lab/lab.h"
#include "prompt/prompt.h"

/* ---------------------------------------------------------------- arguments */

enum cli_arg_kind {
	ARG_MACHINE,
	ARG_OPTION,
	ARG_POLICY,
	ARG_WSCHED,
	ARG_THREADS,
	ARG_SCRIPT,
	ARG_EVAL,
	ARG_VERSUS,
	ARG_LAYOUT, /* from here on: what the screen shows first */
	ARG_PANE,
	ARG_PACE,
	ARG_REFERENCE,
	ARG_WATCH
};
struct cli_arg {
	enum cli_arg_kind kind;
	const char *text;
};

struct cli_args;
/* Whether a command of -e or -x writes a table to standard output. */
bool cli_writes_table(const struct cli_args *args);

enum cli_mode { TUI_AUTO, TUI_ALWAYS, TUI_NEVER }; /* the choices of --tui and --color */
enum cli_list {
	LIST_NONE,
	LIST_WORKLOADS,
	LIST_TRACES,
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
	const char *
		size; /* of an application; NULL: the size in the workload's name, or the default */
	const char *csv; /* file for the table of a race; NULL: none */
	bool batch, keep_going, no_init;
	bool force;	    /* replace `csv`, even if it is no table of ctascope */
	bool teaches;	    /* the program runs as `ctascope lesson` */
	bool presents;	    /* the program runs as `ctascope present`: `lesson` is presented */
	bool lists_lessons; /* list the lessons instead of opening one */
	unsigned page;	    /* the page at which a presentation begins, from 1 */
	const char *lesson; /* the lesson to open; NULL: the first that is not complete */
	const struct lesson_seed *seed; /* of its numbers; NULL: not given */
	const char *hand_in, *student;	/* the lesson is handed in as this file; NULL: it is not */
	bool resume; /* continue a session file: `workload`, or if NULL the newest autosave */
	enum cli_mode tui;
	enum cli_list list;
	enum cli_mode color;
	struct cli_screen screen; /* cli_start() sets its `color` */
};

/* Rows of subcommands that can show the screen: `color` and `look` are members of their TYPE. */
#define CLI_COLOR(type) \
	CMD_CHOICE("color", 0, "auto|always|never", type, color, 0, "use colours (auto)")
#define CLI_LOOK(type)                                                            \
	CMD_TEXT("theme", 0, "THEME", type, look.theme, "colours of the screen"), \
		CMD_FLAG("ascii", 0, type, look.ascii, "no Unicode on the screen")

/* "layout", of ARG_LAYOUT. */
const char *cli_view_option(enum cli_arg_kind kind);
bool cli_races(const struct cli_args *a); /* --versus was given */
/* Returns -1 to continue, else the exit status. The caller frees a->arg in any case. */
int cli_parse(int argc, char **argv, struct cli_args *a);
extern const struct cmd_option cli_options[];
/* Appends to a->arg. */
void cli_append(struct cli_args *a, enum cli_arg_kind kind, const char *text);
/* Takes an option whose position among the others matters into struct cli_args; o->value is its
 * enum cli_arg_kind. */
int cli_take_in_order(void *args, const struct cmd_option *o, const char *text, struct err *e);
/* Replaces the @NAME@ words in the help of these options. */
const char *cli_word(const char *name, char *buf, size_t size);
/* Returns -1 with e if the screen cannot be drawn with these options. */
int cli_check_look(const struct cli_front *f, const struct cli_screen *o, struct err *e);
/* The same for the layouts and panes that the options name, whether a screen follows or not. */
int cli_check_views(const struct cli_front *f, const struct cli_args *args, struct err *e);
int cli_list(struct config *c, enum cli_list what);
void cli_list_workloads(void); /* cli_workloads.c */
void cli_list_traces(const struct config *c);

/* Applies the options of the machine in the order given. Scripts (-x, -e) need the machine and are
 * executed later. (cli_setup.c) */
int cli_apply_options(const struct cli_args *a, struct session *s, struct config *c, struct err *e);
/* Collects the racing stacks in the order of the command line. Without -p the stack of the
 * configuration comes first. Messages of a stack about its parameters go to its own lane only. */
int cli_collect_stacks(const struct cli_args *a, const struct config *c, struct race_stacks *stacks,
		       struct err *e);
/* Opens the workload, which the caller closes, also after an error: NULL where none was named. A
 * session to resume goes to its cycle. */
int cli_load_workload(const struct cli_args *a, struct session *s, struct trace **t, struct err *e);

/* The subcommands: argv[0] is the name; each returns the exit status. */
int cli_convert(int argc, char **argv, const struct cli_front *f); /* cli_tools.c */
int cli_trace(int argc, char **argv, const struct cli_front *f);
int cli_record(int argc, char **argv, const struct cli_front *f);
int cli_app(int argc, char **argv, const struct cli_front *f);
int cli_bottleneck(int argc, char **argv, const struct cli_front *f);
int cli_compare(int argc, char **argv, const struct cli_front *f);
int cli_cache(int argc, char **argv, const struct cli_front *f);
int cli_doctor(int argc, char **argv, const struct cli_front *f);
int cli_plot(int argc, char **argv, const struct cli_front *f);
int cli_report(int argc, char **argv, const struct cli_front *f);
int cli_lesson(int argc, char **argv, const struct cli_front *f);
int cli_present(int argc, char **argv, const struct cli_front *f);
int cli_grade(int argc, char **argv, const struct cli_front *f);
int cli_quiz(int argc, char **argv, const struct cli_front *f);
/* Runs the program with these arguments to its end, frees a->arg and returns the exit status.
 * (cli.c) */
int cli_start(struct cli_args *a, const struct cli_front *f);
extern const struct cmdline cli_cmdline, cli_convert_cmdline, cli_trace_cmdline, cli_record_cmdline,
	cli_app_cmdline, cli_compare_cmdline, cli_cache_cmdline, cli_doctor_cmdline,
	cli_report_cmdline, cli_bottleneck_cmdline, cli_lesson_cmdline, cli_present_cmdline,
	cli_plot_cmdline, cli_quiz_cmdline, cli_grade_cmdline;

/* Finds the file of a workload, which is a path or the name of a shipped one; a missing trace is
 * recorded. */
int cli_find_workload(const char *name, char *path, size_t size, struct err *e);
/* trace_open with a line on the terminal while it takes long. (cli_reading.c) */
struct trace *cli_open_trace(const char *path, struct err *e);

#endif
