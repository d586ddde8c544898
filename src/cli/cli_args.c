/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_args.c - the command line of the program itself: one row for each option.
 *
 * Options that change the machine or execute commands are kept in the order given, because a later
 * one overrides an earlier one.
 */
#include "base/memory.h"
#include "cli/cli_part.h"
#include "base/datadir.h"
#include "prompt/prompt.h"
#include "workload/workload.h"
#include "ctascope/sim.h"
#include "wsched/wsched.h"

#include <stdlib.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

#ifdef HAVE_CAIRO
#define PICTURES "cairo"
#else
#define PICTURES "no cairo"
#endif

#ifdef STATIC_PROGRAM
#define PLUGINS "no policies from files"
#else
#define PLUGINS "policies from files"
#endif

void
cli_append(struct cli_args *a, enum cli_arg_kind kind, const char *text)
{
	a->arg = array_grow(a->arg, a->n_args, sizeof(*a->arg));
	a->arg[a->n_args++] = (struct cli_arg){kind, text};
}

int
cli_take_in_order(void *args, const struct cmd_option *o, const char *text,
		  struct err *e ATTR_UNUSED)
{
	cli_append(args, (enum cli_arg_kind)o->value, text);
	return 0;
}

static int
take_version(void *args ATTR_UNUSED, const struct cmd_option *o ATTR_UNUSED,
	     const char *text ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	char folder[PATH_MAX];

	puts("ctascope " PACKAGE_VERSION);
	printf("model     %s\n", sim_build_id());
	printf("platform  %s\n", sim_build_platform());
	puts("compiler  " COMPILER);
	printf("built in  %s, " PICTURES ", " PLUGINS "\n",
	       recorder_is_built_in() ? "recorder" : "no recorder");
	printf("data      %s\n", datadir_shipped(folder, sizeof(folder))
					 ? folder
					 : "none; 'ctascope doctor' explains why");
	puts("Licence GPLv3+: GNU GPL version 3 or later "
	     "<https://gnu.org/licenses/gpl.html>.\n"
	     "This is free software: you may change and redistribute it. There is no "
	     "warranty.");
	return 1;
}

#define LIST(name, what, help) CMD_SET(name, 0, struct cli_args, list, what, help)

const struct cmd_option cli_options[] = {
	CMD_TAKE("config", 'c', "MACHINE", cli_take_in_order, ARG_MACHINE,
		 "the machine: the name of a shipped one or a file of 'set' lines; may be "
		 "repeated, later ones win (kayiran30)"),
	CMD_ALIAS("machine", 'm'),
	CMD_TAKE("option", 'o', "KEY=VALUE", cli_take_in_order, ARG_OPTION,
		 "set an option of the machine or the run; --list-options lists them"),
	CMD_ALIAS("set", 's'),
	CMD_TAKE("policy", 'p', "STACK", cli_take_in_order, ARG_POLICY,
		 "CTA policies, such as @EXAMPLE_STACK@ or ./mine.so (@DEFAULT_POLICY@)"),
	CMD_TAKE("warp-sched", 'w', "SCHED", cli_take_in_order, ARG_WSCHED,
		 "warp scheduler: @WARP_CHOICE@, or ./mine.so"),
	CMD_TAKE("threads", 'j', "N", cli_take_in_order, ARG_THREADS,
		 "threads of a run, 1 or 2; 0: two where that is faster (0)"),
	CMD_TAKE("versus", 0, "STACK[,...]", cli_take_in_order, ARG_VERSUS,
		 "race these stacks in lockstep, up to 4 with that of -p"),
	CMD_TEXT("csv", 0, "FILE", struct cli_args, csv,
		 "write the table of a race to FILE; - is standard output"),
	CMD_FLAG("force", 'f', struct cli_args, force,
		 "replace FILE of --csv, even if it is no table"),
	CMD_TEXT("size", 0, "SIZE", struct cli_args, size,
		 "size of an application; --list-workloads names them (default)"),
	CMD_FLAG_OF("resume", 0, "[FILE]", struct cli_args, resume,
		    "continue a saved session, or the last interrupted one"),
	CMD_TAKE("command", 'x', "FILE", cli_take_in_order, ARG_SCRIPT,
		 "execute a file of commands; may be repeated"),
	CMD_TAKE("eval", 'e', "CMD", cli_take_in_order, ARG_EVAL,
		 "execute a command; may be repeated, in order with -x"),
	CMD_FLAG("batch", 'b', struct cli_args, batch,
		 "no screen and no prompt; stop at the first error"),
	CMD_FLAG("keep-going", 0, struct cli_args, keep_going,
		 "continue after errors and limits in scripts"),
	CMD_FLAG("no-init", 'n', struct cli_args, no_init,
		 "do not read $XDG_CONFIG_HOME/ctascope/config"),
	CMD_CHOICE("tui", 0, "[=auto|always|never]", struct cli_args, tui, TUI_ALWAYS,
		   "show the full screen (auto)"),
	CMD_CHOICE("color", 0, "auto|always|never", struct cli_args, color, 0,
		   "use colours (auto); $NO_COLOR is honoured"),
	CMD_ALIAS("colour", 0),
	CMD_TEXT("theme", 0, "THEME", struct cli_args, screen.theme,
		 "colours: a shipped theme, your own, or a file"),
	CMD_FLAG("ascii", 0, struct cli_args, screen.ascii, "no Unicode on the screen"),
	CMD_TAKE("layout", 0, "LAYOUT", cli_take_in_order, ARG_LAYOUT,
		 "begin with this layout; see the command layout"),
	CMD_TAKE("pane", 0, "PANE", cli_take_in_order, ARG_PANE,
		 "begin with this pane in front; see the command pane"),
	CMD_TAKE("pace", 0, "PACE", cli_take_in_order, ARG_PACE,
		 "speed of runs on the screen: auto, '4 periods/s' ...; see the command pace"),
	CMD_TAKE("reference", 0, "STACK", cli_take_in_order, ARG_REFERENCE,
		 "measure this stack in the background (static); see the command reference"),
	CMD_TAKE("watch", 0, NULL, cli_take_in_order, ARG_WATCH,
		 "--layout watch --pace auto --reference static, and run"),
	LIST("list-workloads", LIST_WORKLOADS,
	     "list the workloads: suite, sizes, which are recorded, what each shows"),
	LIST("list-traces", LIST_TRACES,
	     "list the recorded traces: kernels, CTAs, threads, instructions"),
	LIST("list-machines", LIST_MACHINES, "list the machines of -c"),
	LIST("list-policies", LIST_POLICIES, "list the CTA policies of -p"),
	LIST("list-events", LIST_EVENTS, "list the events that a run can stop at"),
	LIST("list-options", LIST_OPTIONS, "list the options of -o with their values and ranges"),
	LIST("print-config", LIST_CONFIG, "print the options of this run as a file for -c"),
	CMD_HELP,
	CMD_TAKE("version", 'V', NULL, take_version, 0,
		 "print the version, what it was built with and where its data is"),
	CMD_END,
};

const char *
cli_word(const char *name, char *buf, size_t size)
{
	size_t at = 0;
	unsigned n;

	if (strcmp(name, "@EXAMPLE_STACK@") == 0)
		return cta_sched_example;
	if (strcmp(name, "@DEFAULT_POLICY@") == 0)
		return cta_sched_list(&n)[0]->name;
	if (strcmp(name, "@WARP_CHOICE@") != 0)
		return NULL;
	for (unsigned i = 0; wsched_names[i] && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s",
				       !i		     ? ""
				       : wsched_names[i + 1] ? ", "
							     : " or ",
				       wsched_names[i]);
	return buf;
}

const struct cmdline cli_cmdline = {
	.name = "",
	.usage = "[OPTION...] WORKLOAD\n"
		 "--resume [FILE]\n"
		 "app [OPTION...] -- PROGRAM [ARGUMENT...]\n"
		 "record [OPTION...] -o OUT.ctr -- PROGRAM [ARGUMENT...]\n"
		 "cache [clear [NAME...]]\n"
		 "convert IN OUT\n"
		 "trace info|check|dump FILE\n"
		 "compare A.csv B.csv\n"
		 "report RUN.csv... -o FILE.html\n"
		 "bottleneck [OPTION...] WORKLOAD\n"
		 "plot TABLE.csv [OPTION...] [-o FILE]\n"
		 "doctor\n"
		 "lesson [OPTION...] [ID|FILE]\n"
		 "present [OPTION...] ID|FILE [PAGE]\n"
		 "quiz [OPTION...] WORKLOAD\n"
		 "grade [OPTION...] HAND-IN...\n"
		 "sweep SWEEP [OPTION...]",
	.about = "Run a GPU timing model of WORKLOAD (file.ctr, kernelslist.g, kernel.traceg or "
		 "the name\n"
		 "of a shipped one, as km, or km:large at another size) under a stepping debugger "
		 "for its\n"
		 "CTA scheduling. Every subcommand has a --help of its own; 'ctascope help "
		 "COMMAND'\n"
		 "explains a command of the prompt.\n",
	.section = {{NULL, cli_options}},
	.tail = "Without a terminal, or with --batch, commands come from -x and -e, else from "
		"standard\n"
		"input; without any the workload runs to its end and its statistics are printed.\n"
		"\n"
		"Exit status: 0 done, 1 error, 2 usage, 3 assert failed, 4 limit hit, 5 deadlock,\n"
		"128+n signal n.\n"
		"\n"
		"Lessons: 'ctascope lesson' opens the first one; see 'ctascope lesson --help'.\n"
		"\n"
		"Examples:\n"
		"  ctascope                 (opens lists of workloads, policies and machines)\n"
		"  ctascope lesson          (teaches it step by step)\n"
		"  ctascope phase\n"
		"  ctascope -p @EXAMPLE_STACK@ phase -e 'break pause core 5' -e run\n"
		"  ctascope --versus @DEFAULT_POLICY@ -p @EXAMPLE_STACK@ phase\n"
		"  ctascope -b phase -e run -e 'dump csv series phase.csv'\n"
		"  ctascope -b phase -e run -e 'plot ctas, gpu.ipc, classes phase.pdf'\n",
	.word = cli_word,
};

const char *
cli_view_option(enum cli_arg_kind kind)
{
	const struct cmd_option *o = cli_options;

	while (o->take != cli_take_in_order || o->value != (uint64_t)kind)
		o++;
	return o->name;
}

bool
cli_races(const struct cli_args *a)
{
	for (unsigned i = 0; i < a->n_args; i++)
		if (a->arg[i].kind == ARG_VERSUS)
			return true;
	return false;
}

/* These checks return -1 if all is well, else the exit status. */
static int
check_size(const struct cli_args *a)
{
	struct err e = {0};

	if (workload_size_check(a->size, &e) < 0)
		return cmdline_usage(&cli_cmdline, "--size: %s", e.msg);
	if (a->workload && strpbrk(a->workload, ":/."))
		return cmdline_usage(&cli_cmdline,
				     "--size is for the name of an application, not for '%s'",
				     a->workload);
	return -1;
}

/* A race takes no commands: each lane runs to its end, and the screen has keys of its own. */
static int
check_race(const struct cli_args *a)
{
	const struct cmdline *c = &cli_cmdline;

	for (unsigned i = 0; i < a->n_args; i++) {
		const struct cli_arg *g = &a->arg[i];

		if (g->kind == ARG_EVAL && strncmp(g->text, "versus", 6) == 0)
			return cmdline_usage(c, "two races at once: --versus and -e '%s'", g->text);
		if (g->kind >= ARG_LAYOUT)
			return cmdline_usage(
				c, "--versus has its own screen, so --%s cannot be used with it",
				cli_view_option(g->kind));
		if (g->kind == ARG_EVAL || g->kind == ARG_SCRIPT)
			return cmdline_usage(c,
					     "--versus takes no commands, so %s %s cannot be used "
					     "with it; -o sets options",
					     g->kind == ARG_EVAL ? "-e" : "-x", g->text);
	}
	if (a->list)
		return cmdline_usage(c, "--versus and a list exclude each other");
	if (!a->workload || a->resume)
		return cmdline_usage(c, "--versus: no workload to race on; name one");
	return -1;
}

/* A session file determines machine, workload and policies, so options that set those are refused.
 */
static int
check_resume(const struct cli_args *a)
{
	static const char *const names[] = {[ARG_MACHINE] = "-c",
					    [ARG_OPTION] = "-o",
					    [ARG_POLICY] = "-p",
					    [ARG_WSCHED] = "-w",
					    [ARG_THREADS] = "-j"};

	for (unsigned i = 0; i < a->n_args; i++)
		if (a->arg[i].kind < ARRAY_LEN(names) && names[a->arg[i].kind])
			return cmdline_usage(&cli_cmdline,
					     "--resume takes everything from the file, so %s %s "
					     "cannot be used with it",
					     names[a->arg[i].kind], a->arg[i].text);
	if (a->size || a->list)
		return cmdline_usage(
			&cli_cmdline,
			"--resume takes everything from the file, so %s cannot be used with it",
			a->size ? "--size" : "a list");
	return -1;
}

static int
check_args(const struct cli_args *a)
{
	int rc = -1;

	if (a->resume)
		rc = check_resume(a);
	if (rc < 0 && a->size)
		rc = check_size(a);
	if (rc < 0 && cli_races(a))
		rc = check_race(a);
	else if (rc < 0 && a->csv)
		rc = cmdline_usage(&cli_cmdline, "--csv is for the table of a race; 'dump csv' "
						 "writes those of a run");
	if (rc < 0 && a->force && !a->csv)
		rc = cmdline_usage(&cli_cmdline, "--force is for the file of --csv");
	if (rc < 0 && a->batch && a->tui == TUI_ALWAYS)
		rc = cmdline_usage(&cli_cmdline, "--batch and --tui exclude each other");
	return rc;
}

/* Commands of the prompt are tried as subcommands, too. Says how the command line is written. */
static const char *
hint_command(const char *word)
{
	if (strcmp(word, "race") == 0 || strcmp(word, "versus") == 0)
		return "; a race is 'ctascope --versus STACK,... WORKLOAD'";
	if (strcmp(word, "run") == 0 || strcmp(word, "start") == 0 || strcmp(word, "load") == 0)
		return "; 'ctascope WORKLOAD' runs a workload";
	for (unsigned i = 0; cli_cmdlines[i]; i++)
		if (strcmp(word, cli_cmdlines[i]->name) == 0)
			return "; the name of a subcommand comes before its options";
	return "";
}

int
cli_parse(int argc, char **argv, struct cli_args *a)
{
	int first, rc;

	*a = (struct cli_args){.n_args = 0};
	rc = cmdline_read(&cli_cmdline, argc, argv, a, &first);
	if (rc >= 0)
		return rc;
	if (first < argc)
		a->workload = argv[first++];
	if (first < argc)
		return cmdline_usage(&cli_cmdline, "unexpected argument '%s' after the %s '%s'%s",
				     argv[first], a->resume ? "file" : "workload", a->workload,
				     hint_command(a->workload));
	return check_args(a);
}

int
cli_check_look(const struct cli_front *f, const struct cli_screen *o, struct err *e)
{
	return f && f->check ? f->check(o, e) : 0;
}

int
cli_check_views(const struct cli_front *f, const struct cli_args *args, struct err *e)
{
	for (unsigned i = 0; i < args->n_args && f && f->check_word; i++) {
		const struct cli_arg *a = &args->arg[i];

		if ((a->kind == ARG_LAYOUT || a->kind == ARG_PANE) &&
		    f->check_word(cli_view_option(a->kind), a->text, e))
			return -1;
	}
	return 0;
}
