/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli.c - runs the program: makes a configuration and a session, loads the workload (cli_setup.c)
 * and takes commands.
 *
 * The user's config file is read first, then the options of the command line, which therefore
 * override it. The workload is loaded next, and then -x and -e are executed in order. After that
 * commands come from the screen, the prompt or standard input. Without a terminal on standard
 * output, or with --batch, ctascope asks no questions and ends at the first error.
 */
#include "base/foreign.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/replace.h"
#include "cli/cli_part.h"
#include "lab/lab.h"
#include "line/line.h"
#include "session/session.h"
#include "teach/handin.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cli {
	struct cli_args args;
	const struct cli_front *front;
	struct config *config;
	struct trace *trace;
	struct session *session;
	struct teacher *teacher;
	struct plain plain;
	struct race_stacks stacks; /* of a race, in the order of the command line */
	bool batch, input_tty;
	enum session_screen expects; /* whether a screen comes */
	bool quit_by_user;	     /* then there is no automatic save, whatever failed */
};

static enum session_status
source_user_config(struct cli *c)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char path[PATH_MAX];

	if (c->args.no_init)
		return SESSION_OK;
	if (config && config[0] == '/')
		snprintf(path, sizeof(path), "%s/ctascope/config", config);
	else if (home && home[0] == '/')
		snprintf(path, sizeof(path), "%s/.config/ctascope/config", home);
	else
		return SESSION_OK;
	if (access(path, F_OK))
		return SESSION_OK;
	return session_source(c->session, path, true);
}

/* ---------------------------------------------------------------- carrying out */

/* Reports failed expectations last, after any other error. */
static int
exit_status(const struct cli *c, enum session_status status)
{
	unsigned all, failed = session_unexpected(c->session, &all);

	if (session_signal(c->session))
		return 128 + session_signal(c->session);
	if (failed) {
		struct err e = {0};

		err_set(&e, "%u of %u expectations failed", failed, all);
		report_error(&e, 1);
	}
	return status == SESSION_QUIT || status == SESSION_OK ? session_exit_code(c->session)
							      : (int)status;
}

/* Executes a line. Ctrl-C ends the script also where the command itself was done by then. */
static enum session_status
exec_line(struct cli *c, const char *line)
{
	enum session_status status = session_exec(c->session, line);

	if (status == SESSION_QUIT || !session_take_interrupt(c->session))
		return status;
	return SESSION_INTERRUPTED;
}

/* Executes the lines of one -e. *left: not all of them were. */
static enum session_status
exec_lines(struct cli *c, const char *text, bool *left)
{
	enum session_status status = SESSION_OK;
	char *lines = memory_text(text, strlen(text)), *rest = NULL, *line;

	for (line = strtok_r(lines, "\n", &rest); line && status == SESSION_OK;
	     line = strtok_r(NULL, "\n", &rest))
		status = exec_line(c, line);
	*left = line != NULL;
	free(lines);
	return status;
}

/* What the screen shows first, as commands, which the session keeps for it. */
static enum session_status
exec_view_options(struct cli *c)
{
	static const char *const watch[] = {"layout watch", "pace auto", "reference static"};
	enum session_status status = SESSION_OK;
	char line[400];

	for (unsigned i = 0; i < c->args.n_args && status == SESSION_OK; i++) {
		const struct cli_arg *a = &c->args.arg[i];

		for (unsigned k = 0; a->kind == ARG_WATCH && k < ARRAY_LEN(watch); k++)
			if (status == SESSION_OK && (k == 0 || c->expects != SCREEN_NEVER))
				status = session_exec(c->session, watch[k]);
		if (a->kind == ARG_WATCH && session_sim(c->session) && !c->args.screen.first)
			c->args.screen.first = "continue";
		if (a->kind < ARG_LAYOUT || a->kind == ARG_WATCH)
			continue;
		snprintf(line, sizeof(line), "%s %s", cli_view_option(a->kind), a->text);
		status = session_exec(c->session, line);
	}
	return status;
}

/* A script that sets a limit often wants the values up to it. */
static void
hint_keep_going(const struct cli *c, enum session_status status)
{
	struct err e = {0};

	if (status != SESSION_LIMIT || c->args.keep_going)
		return;
	err_set(&e,
		"the limit ended the script; --keep-going continues with the commands after it");
	report_error(&e, 1);
}

/* Does a -x or -e follow the argument i? */
static bool
has_script_after(const struct cli *c, unsigned i)
{
	while (++i < c->args.n_args)
		if (c->args.arg[i].kind == ARG_SCRIPT || c->args.arg[i].kind == ARG_EVAL)
			return true;
	return false;
}

/* Executes -x and -e of the command line; *n is how many there were. */
static enum session_status
exec_scripts(struct cli *c, unsigned *n)
{
	enum session_status first = SESSION_OK, status;

	*n = 0;
	for (unsigned i = 0; i < c->args.n_args; i++) {
		const struct cli_arg *a = &c->args.arg[i];
		bool left = true; /* a file may have further lines */

		if (a->kind == ARG_SCRIPT)
			status = session_source(c->session, a->text, c->args.keep_going);
		else if (a->kind == ARG_EVAL)
			status = exec_lines(c, a->text, &left);
		else
			continue;
		++*n;
		if (status == SESSION_QUIT)
			return status;
		if (first == SESSION_OK)
			first = status;
		if (left || has_script_after(c, i))
			hint_keep_going(c, status);
		if (session_signal(c->session) || status == SESSION_INTERRUPTED ||
		    (status != SESSION_OK && !c->args.keep_going))
			return first;
	}
	status = session_end_lines(c->session);
	return first == SESSION_OK ? status : first;
}

/* Without commands the end or a limit, and the statistics there, are wanted: stops, which a resumed
 * session or the config file brings, print their line and the run continues. Where the commands of
 * a stop go back in time it would never end, so it stays there. */
static enum session_status
run_to_end(struct cli *c)
{
	const char *command = c->args.resume ? "continue" : "run";
	enum session_status status;
	cycle_t from;

	session_print_stats_at_limit(c->session);
	do {
		from = sim_cycle(session_sim(c->session));
		status = session_exec(c->session, command);
		command = "continue";
	} while (status == SESSION_OK && !sim_done(session_sim(c->session)) &&
		 sim_cycle(session_sim(c->session)) > from);
	return status == SESSION_OK ? session_exec(c->session, "info stats") : status;
}

/* Waits for the first byte of standard input. */
static bool
has_commands(struct cli *c)
{
	FILE *input = session_input(c->session);
	int first = input ? getc(input) : EOF;

	if (first != EOF)
		ungetc(first, input);
	return first != EOF;
}

/* Ends after the user quit or the terminal closed. A closed terminal counts as SIGHUP, which does
 * not arrive under nohup. */
static int
end_by_user(struct cli *c)
{
	if (!isatty(STDIN_FILENO) && !session_signal(c->session))
		session_note_signal(c->session, SIGHUP);
	c->quit_by_user = true;
	return exit_status(c, SESSION_QUIT);
}

/* Alternates between screen and prompt until the user leaves one of them for good. */
static int
run_screen_and_prompt(struct cli *c)
{
	bool possible = c->front && c->front->possible && c->front->possible();
	bool screen = c->args.tui == TUI_ALWAYS || (c->args.tui == TUI_AUTO && possible);
	struct session_ui ui;

	c->plain.has_screen = possible;
	for (;;) {
		enum prompt_end end;

		if (screen) {
			struct err e = {0};
			int rc = c->front ? c->front->screen(c->session, &c->args.screen, &e)
					  : err_set(&e, "this program was built without a screen");

			c->args.screen.first = NULL;
			if (rc >= 128)
				return rc;
			if (rc == SCREEN_QUIT)
				return end_by_user(c);
			if (rc < 0) {
				report_error(&e, 1);
				if (c->args.tui == TUI_ALWAYS)
					return 1;
			}
		}
		c->plain.want_screen = false;
		ui = plain_ui(&c->plain, true);
		session_set_ui(c->session, &ui);
		plain_signals(c->session);
		tty_catch_faults();
		end = prompt_readline(&c->plain);
		tty_release_faults();
		if (end != PROMPT_SCREEN)
			return end_by_user(c);
		screen = true;
	}
}

/* Runs a lesson without a person: commands and answers come from a script or standard input. A
 * wrong command is a student's mistake and does not end the lesson; only the tasks done decide the
 * exit status. */
static int
run_lesson_batch(struct cli *c, enum session_status status, bool has_script)
{
	if (c->args.presents && !has_script) {
		status = teacher_present_all(c->teacher);
		return exit_status(c, status);
	}
	if (!has_script)
		status = session_source(c->session, "-", c->args.keep_going);
	if (session_signal(c->session) || status == SESSION_INTERRUPTED || c->args.presents)
		return exit_status(c, status);
	return teacher_report(c->teacher) ? 0 : SESSION_ASSERT;
}

static int
exec_commands(struct cli *c)
{
	unsigned n = 0;
	enum session_status status = exec_view_options(c);

	if (status == SESSION_ERROR)
		return 2;
	if (status == SESSION_OK)
		status = exec_scripts(c, &n);

	if (c->args.teaches && (c->batch || !c->input_tty))
		return run_lesson_batch(c, status, n > 0);
	if (status == SESSION_QUIT || session_signal(c->session))
		return exit_status(c, status);
	if (!c->batch && c->input_tty)
		return run_screen_and_prompt(c);
	if (c->batch && (n || status != SESSION_OK))
		return exit_status(c, status);
	if (status != SESSION_OK && !c->args.keep_going)
		return exit_status(c, status);
	if (!c->input_tty && has_commands(c)) {
		status = session_source(c->session, "-", c->args.keep_going);
		hint_keep_going(c, status);
	} else if (session_signal(c->session) || session_take_interrupt(c->session)) {
		status = SESSION_INTERRUPTED;
	} else if (session_sim(c->session)) {
		status = run_to_end(c);
	} else {
		return cmdline_usage(&cli_cmdline,
				     "no workload and no commands; name a trace or a shipped "
				     "workload (--list-workloads), or give commands with -e");
	}
	return exit_status(c, status);
}

static int
run_race(struct cli *c)
{
	bool screen = !c->batch && c->input_tty && c->args.tui != TUI_NEVER && c->front &&
		      c->front->possible();
	struct session_ui ui;
	enum session_status status;
	struct err e = {0};

	if (c->args.csv && replace_check_before("race", c->args.csv, OWN_TABLE, c->args.force, &e))
		return report_error(&e, 1);
	c->plain.front = screen ? c->front : NULL;
	c->plain.look = &c->args.screen;
	ui = plain_ui(&c->plain, false);
	session_set_ui(c->session, &ui);
	status = session_race(c->session, &c->stacks, c->args.csv);
	/* the user has opened a lane */
	return session_has_kept(c->session) ? run_screen_and_prompt(c) : exit_status(c, status);
}

/* Screen commands of the config file wait for the screen, or have no meaning in this run. */
static enum session_status
take_user_config(struct cli *c)
{
	bool possible = c->front && c->front->possible && c->front->possible();
	bool person = !c->batch && c->input_tty && !cli_races(&c->args) && !c->args.list;
	enum session_screen how = !person || !possible	     ? SCREEN_NEVER
				  : c->args.tui == TUI_NEVER ? SCREEN_MAY_COME
							     : SCREEN_COMES;
	enum session_status status;

	session_expect_screen(c->session, how == SCREEN_NEVER ? SCREEN_NEVER_QUIETLY : how);
	status = source_user_config(c);
	session_expect_screen(c->session, how);
	c->expects = how;
	return status;
}

static enum session_status
open_lesson(struct cli *c)
{
	struct session_ui ui;

	/* The screen opens it then: its text stands there, and it may arrange the panes. */
	if (c->args.screen.first && !c->batch && c->input_tty && c->front && c->front->possible())
		return teacher_check_name(c->teacher, c->args.lesson, c->args.presents);
	c->args.screen.first = NULL;
	if (c->args.presents)
		return teacher_present(c->teacher, c->args.lesson, c->args.page);
	if (!c->args.hand_in)
		return teacher_open(c->teacher, c->args.lesson, c->args.seed, true);
	ui = plain_ui(&c->plain, !c->batch && c->input_tty); /* does a person type? */
	session_set_ui(c->session, &ui);
	return teacher_hand_in(c->teacher, c->args.lesson, c->args.student, *c->args.seed,
			       c->args.hand_in);
}

static int
run_session(struct cli *c)
{
	struct session_ui ui = plain_ui(&c->plain, false);
	struct err e = {0};

	c->session = session_new(c->config, NULL, &ui, &e);
	if (!c->session)
		return report_error(&e, 1);
	c->plain.session = c->session;
	session_set_screen_help(c->session, c->front ? c->front->help : NULL);
	c->teacher = memory_kept(teacher_new(c->session));
	session_keep_references(c->session);
	if (take_user_config(c) == SESSION_QUIT)
		return exit_status(c, SESSION_QUIT);
	if (cli_check_look(c->front, &c->args.screen, &e) ||
	    cli_check_views(c->front, &c->args, &e) ||
	    cli_apply_options(&c->args, c->session, c->config, &e) ||
	    (cli_races(&c->args) && cli_collect_stacks(&c->args, c->config, &c->stacks, &e)))
		return report_error(&e, 2);
	if (c->args.lists_lessons)
		return teacher_list(c->teacher);
	if (c->args.list)
		return cli_list(c->config, c->args.list);
	if (c->args.tui == TUI_ALWAYS && c->batch)
		return report_error((err_set(&e, "--tui needs a terminal on standard output"), &e),
				    1);
	if (cli_load_workload(&c->args, c->session, &c->trace, &e))
		return report_error(&e, 1);
	plain_signals(c->session);
	if (c->args.teaches && open_lesson(c) != SESSION_OK)
		return 1;
	return cli_races(&c->args) ? run_race(c) : exec_commands(c);
}

static const struct subcommand {
	const struct cmdline *line;
	int (*run)(int argc, char **argv, const struct cli_front *f);
} subcommands[] = {
	{&cli_app_cmdline, cli_app},
	{&cli_record_cmdline, cli_record},
	{&cli_cache_cmdline, cli_cache},
	{&cli_convert_cmdline, cli_convert},
	{&cli_trace_cmdline, cli_trace},
	{&cli_compare_cmdline, cli_compare},
	{&cli_report_cmdline, cli_report},
	{&cli_doctor_cmdline, cli_doctor},
	{&cli_lesson_cmdline, cli_lesson},
	{&cli_quiz_cmdline, cli_quiz},
	{&cli_grade_cmdline, cli_grade},
	{&cli_present_cmdline, cli_present},
	{&cli_bottleneck_cmdline, cli_bottleneck},
	{&cli_plot_cmdline, cli_plot},
};

const struct cmdline *const cli_cmdlines[] = {
	&cli_cmdline,
	&cli_app_cmdline,
	&cli_record_cmdline,
	&cli_cache_cmdline,
	&cli_convert_cmdline,
	&cli_trace_cmdline,
	&cli_compare_cmdline,
	&cli_report_cmdline,
	&cli_bottleneck_cmdline,
	&cli_plot_cmdline,
	&cli_doctor_cmdline,
	&cli_lesson_cmdline,
	&cli_present_cmdline,
	&cli_quiz_cmdline,
	&cli_grade_cmdline,
	NULL,
};

int
cli_start(struct cli_args *args, const struct cli_front *f)
{
	static const int colors[] = {[TUI_AUTO] = -1, [TUI_ALWAYS] = 1, [TUI_NEVER] = 0};
	struct cli c = {.args = *args, .front = f};
	struct err e = {0};
	int status;

	c.args.screen.color = colors[args->color];
	c.batch = c.args.batch || !isatty(STDOUT_FILENO);
	c.input_tty = isatty(STDIN_FILENO);
	c.plain.batch = c.batch;
	c.plain.stops_aside = c.batch && cli_writes_table(&c.args);
	c.plain.progress = isatty(STDERR_FILENO);
	c.config = memory_kept(config_new());
	config_set_try(c.config, foreign_try);
	status = run_session(&c);
	if (c.session)
		session_autosave_end(c.session); /* done before signals get their default action, so
						    that a second signal cannot interrupt it */
	plain_signals(NULL);
	if (c.session && session_files_end(c.session, &e) && status == 0)
		status = report_error(&e, 1);
	if (c.session && (status == 0 || c.quit_by_user))
		session_autosave_drop(c.session);
	session_free(c.session);
	teacher_free(c.teacher);
	trace_close(c.trace);
	config_free(c.config);
	free(c.args.arg);
	status = report_flushed(status);
	tty_end();
	return status;
}

static const struct subcommand *
find_subcommand(const char *name)
{
	for (unsigned i = 0; i < ARRAY_LEN(subcommands); i++)
		if (strcmp(name, subcommands[i].line->name) == 0)
			return &subcommands[i];
	return NULL;
}

/* "help" and "version" are meant as options, unless a trace has that name. "help SUBCOMMAND" asks
 * for the help of the subcommand, "help WORD..." for what `help` says at the prompt. */
static void
word_as_option(int *argc, char ***argv)
{
	static char option_help[] = "--help", version[] = "--version", batch[] = "--batch",
		    command[] = "-e", line[200];
	static char *asked[] = {NULL, batch, command, line, NULL};
	char **word = *argv;

	if (*argc < 2 || access(word[1], F_OK) == 0)
		return;
	if (*argc == 2 && strcmp(word[1], "version") == 0)
		word[1] = version;
	if (strcmp(word[1], "help") != 0)
		return;
	if (*argc == 2 || word[2][0] == '-') {
		word[1] = option_help;
	} else if (find_subcommand(word[2])) {
		word[1] = word[2];
		word[2] = option_help;
	} else {
		snprintf(line, sizeof(line), "help");
		for (int i = 2; i < *argc; i++)
			snprintf(line + strlen(line), sizeof(line) - strlen(line), " %s", word[i]);
		asked[0] = word[0];
		*argv = asked;
		*argc = ARRAY_LEN(asked) - 1;
	}
}

int
cli_main(int argc, char **argv, const struct cli_front *f)
{
	struct cli_args args;
	const struct subcommand *sub;
	int status;

	word_as_option(&argc, &argv);

	process_signals_begin();
	foreign_watch();
	tty_begin();
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	sub = argc > 1 ? find_subcommand(argv[1]) : NULL;
	if (sub)
		return report_flushed(sub->run(argc - 1, argv + 1, f));
	status = cli_parse(argc, argv, &args);
	if (status >= 0) {
		free(args.arg);
		return report_flushed(status);
	}
	return cli_start(&args, f);
}
