/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_args.c - the command line, read with getopt_long.
 *
 * What changes the machine or executes commands is kept in the order given, since later wins.
 */
#include "repl/repl_part.h"
#include "ctascope/sim.h"
#include "wsched/wsched.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	O_TUI = 256,
	O_SIZE,
	O_COLOR,
	O_THEME,
	O_ASCII,
	O_KEEP_GOING,
	O_VERSUS,
	O_CSV,
	O_RESUME,
	O_LIST
};

static const struct option options[] = {
	{"config", required_argument, NULL, 'c'},
	{"option", required_argument, NULL, 'o'},
	{"policy", required_argument, NULL, 'p'},
	{"warp-sched", required_argument, NULL, 'w'},
	{"size", required_argument, NULL, O_SIZE},
	{"versus", required_argument, NULL, O_VERSUS},
	{"csv", required_argument, NULL, O_CSV},
	{"resume", no_argument, NULL, O_RESUME},
	{"command", required_argument, NULL, 'x'},
	{"eval", required_argument, NULL, 'e'},
	{"batch", no_argument, NULL, 'b'},
	{"no-init", no_argument, NULL, 'n'},
	{"keep-going", no_argument, NULL, O_KEEP_GOING},
	{"tui", optional_argument, NULL, O_TUI},
	{"color", required_argument, NULL, O_COLOR},
	{"colour", required_argument, NULL, O_COLOR},
	{"theme", required_argument, NULL, O_THEME},
	{"ascii", no_argument, NULL, O_ASCII},
	{"list-workloads", no_argument, NULL, O_LIST + LIST_WORKLOADS},
	{"list-machines", no_argument, NULL, O_LIST + LIST_MACHINES},
	{"list-policies", no_argument, NULL, O_LIST + LIST_POLICIES},
	{"list-events", no_argument, NULL, O_LIST + LIST_EVENTS},
	{"list-options", no_argument, NULL, O_LIST + LIST_OPTIONS},
	{"print-config", no_argument, NULL, O_LIST + LIST_CONFIG},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

static const char help_text[] =
	"Usage: ctascope [OPTION...] WORKLOAD\n"
	"   or: ctascope --resume [FILE]\n"
	"   or: ctascope convert IN OUT\n"
	"   or: ctascope trace info|check FILE\n"
	"   or: ctascope trace dump FILE [KERNEL [CTA [WARP]]]\n"
	"   or: ctascope record ...     (ctascope record --help says more)\n"
	"   or: ctascope app [OPTION...] -- PROGRAM [ARGUMENT...]\n"
	"   or: ctascope compare ...    (ctascope compare --help says more)\n"
	"   or: ctascope cache [clear [NAME...]]\n"
	"   or: ctascope report RUN.csv... [-t TITLE] -o FILE.html\n"
	"   or: ctascope sweep ...      (ctascope sweep --help says more)\n"
	"Run a GPU timing model of WORKLOAD (file.ctr, kernelslist.g, kernel.traceg or the name\n"
	"of a shipped one, as km, or km:large at another size) under a stepping debugger for its\n"
	"CTA scheduling.\n"
	"\n"
	"  -c, --config=FILE|NAME     the machine; may be repeated, later wins (kayiran30)\n"
	"  -o, --option=KEY=VALUE     set any option; --list-options lists them\n"
	"  -p, --policy=STACK         CTA policies, as %s, ./mine.so (%s)\n"
	"  -w, --warp-sched=NAME      warp scheduler: %s\n"
	"      --versus=STACK[,...]   race of several stacks, up to 4 with that of -p, in "
	"lockstep\n"
	"      --csv=FILE             of a race: its table; - is standard output\n"
	"      --size=SIZE            of an application; --list-workloads names them (default)\n"
	"      --resume [FILE]        continue a saved session, or the last interrupted one\n"
	"  -x, --command=FILE         execute a file of commands; may be repeated\n"
	"  -e, --eval=CMD             execute a command; may be repeated, in order with -x\n"
	"  -b, --batch                no screen, no prompt; the first error ends the run\n"
	"      --keep-going           go on after errors in scripts\n"
	"  -n, --no-init              do not read $XDG_CONFIG_HOME/ctascope/config\n"
	"      --tui[=WHEN]           full screen: auto (the default), always or never\n"
	"      --color=WHEN           auto, always or never; $NO_COLOR is honoured\n"
	"      --theme=NAME           colours; a shipped theme, your own, or a file\n"
	"      --ascii                no Unicode on the screen\n"
	"      --list-workloads, --list-machines, --list-policies, --list-events,\n"
	"      --list-options\n"
	"      --print-config         the options of this run, as a file for -c\n"
	"  -h, --help                 this text\n"
	"  -V, --version              version and licence\n"
	"\n"
	"Without a terminal, or with --batch, commands come from -x and -e, else from standard\n"
	"input; without any the workload runs to its end and its statistics are printed.\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 assert failed, 4 limit hit, 5 deadlock,\n"
	"128+n signal n.\n"
	"\n"
	"Examples:\n"
	"  ctascope phase\n"
	"  ctascope -p %s phase -e 'break pause core 5' -e run\n"
	"  ctascope --versus %s -p %s phase\n"
	"  ctascope -b phase -e run -e 'dump csv series phase.csv'\n"
	"  ctascope -b phase -e run -e 'plot ctas, gpu.ipc, classes phase.pdf'\n";

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

int
cli_usage(const char *fmt, ...)
{
	va_list ap;

	fputs("ctascope: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nTry 'ctascope %s--help' for more information.\n",
		strncmp(fmt, "record", 6) == 0 ? "record " : "");
	return 2;
}

int
cli_error(const struct err *e, int status)
{
	fflush(stdout);
	err_print(e, "ctascope", stderr);
	return status;
}

int
cli_flush(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "ctascope: standard output: %s\n", strerror(errno));
	return status ? status : 1;
}

static void
add(struct cli_args *a, enum cli_arg_kind kind, const char *text)
{
	struct cli_arg *grown = realloc(a->arg, (a->n_args + 1) * sizeof(*grown));

	if (!grown) {
		fputs("ctascope: out of memory\n", stderr);
		a->exit_now = 1;
		return;
	}
	a->arg = grown;
	a->arg[a->n_args++] = (struct cli_arg){kind, text};
}

/* One of auto, always, never: its place. */
static int
when(struct cli_args *a, const char *option, const char *text)
{
	static const char *const names[] = {"auto", "always", "never"};

	for (int i = 0; i < 3; i++)
		if (strcmp(text, names[i]) == 0)
			return i;
	a->exit_now = cli_usage("--%s: expected auto, always or never, not '%s'", option, text);
	return 0;
}

static void
print_help(void)
{
	char scheds[256] = "";
	size_t at = 0;
	unsigned n;

	for (unsigned i = 0; wsched_names[i] && at < sizeof(scheds); i++)
		at += (size_t)snprintf(scheds + at, sizeof(scheds) - at, "%s%s",
				       !i		     ? ""
				       : wsched_names[i + 1] ? ", "
							     : " or ",
				       wsched_names[i]);
	printf(help_text, cta_sched_example, cta_sched_list(&n)[0]->name, scheds, cta_sched_example,
	       cta_sched_list(&n)[0]->name, cta_sched_example);
}

static void
print_version(void)
{
	puts("ctascope " PACKAGE_VERSION "\n"
	     "Licence GPLv3+: GNU GPL version 3 or later "
	     "<https://gnu.org/licenses/gpl.html>.\n"
	     "This is free software: you may change and redistribute it. There is no "
	     "warranty.");
}

static void
one_option(struct cli_args *a, int c)
{
	static const int colors[] = {-1, 1, 0};

	switch (c) {
	case 'c':
		add(a, ARG_MACHINE, optarg);
		break;
	case 'o':
		add(a, ARG_OPTION, optarg);
		break;
	case 'p':
		add(a, ARG_POLICY, optarg);
		break;
	case 'w':
		add(a, ARG_WSCHED, optarg);
		break;
	case O_SIZE:
		a->size = optarg;
		break;
	case O_VERSUS:
		add(a, ARG_VERSUS, optarg);
		break;
	case O_CSV:
		a->csv = optarg;
		break;
	case O_RESUME:
		a->resume = true;
		break;
	case 'x':
		add(a, ARG_SCRIPT, optarg);
		break;
	case 'e':
		add(a, ARG_EVAL, optarg);
		break;
	case 'b':
		a->batch = true;
		break;
	case 'n':
		a->no_init = true;
		break;
	case O_KEEP_GOING:
		a->keep_going = true;
		break;
	case O_TUI:
		a->tui = optarg ? (enum cli_mode)when(a, "tui", optarg) : TUI_ALWAYS;
		break;
	case O_COLOR:
		a->screen.color = colors[when(a, "color", optarg)];
		break;
	case O_THEME:
		a->screen.theme = optarg;
		break;
	case O_ASCII:
		a->screen.ascii = true;
		break;
	case 'h':
		print_help();
		a->exit_now = 0;
		break;
	case 'V':
		print_version();
		a->exit_now = 0;
		break;
	case '?':
		fputs("Try 'ctascope --help' for more information.\n", stderr);
		a->exit_now = 2;
		break;
	default:
		a->list = (enum cli_list)(c - O_LIST);
	}
}

static void
check_size(struct cli_args *a)
{
	struct err e = {0};

	if (workload_size_check(a->size, &e) < 0)
		a->exit_now = cli_usage("--size: %s", e.msg);
	else if (a->workload && strpbrk(a->workload, ":/."))
		a->exit_now = cli_usage("--size is for the name of an application, not for '%s'",
					a->workload);
}

bool
cli_races(const struct cli_args *a)
{
	for (unsigned i = 0; i < a->n_args; i++)
		if (a->arg[i].kind == ARG_VERSUS)
			return true;
	return false;
}

/* A race takes no commands: each lane runs to its end, and the screen has keys of its own. */
static void
check_race(struct cli_args *a)
{
	if (!cli_races(a)) {
		if (a->csv)
			a->exit_now = cli_usage("--csv is for the table of a race; "
						"'dump csv' writes those of a run");
		return;
	}
	for (unsigned i = 0; i < a->n_args && a->exit_now < 0; i++) {
		const struct cli_arg *g = &a->arg[i];

		if (g->kind == ARG_EVAL && strncmp(g->text, "versus", 6) == 0)
			a->exit_now = cli_usage("two races at once: --versus and -e '%s'", g->text);
		else if (g->kind == ARG_EVAL || g->kind == ARG_SCRIPT)
			a->exit_now = cli_usage("--versus takes no commands, and %s %s gives some; "
						"-o sets options",
						g->kind == ARG_EVAL ? "-e" : "-x", g->text);
	}
	if (a->exit_now < 0 && a->list)
		a->exit_now = cli_usage("--versus and a list exclude each other");
	else if (a->exit_now < 0 && (!a->workload || a->resume))
		a->exit_now = cli_usage("--versus: no workload to race on; name one");
}

/* A session brings its machine, its workload and its policies. */
static void
check_resume(struct cli_args *a)
{
	static const char *const names[] = {[ARG_MACHINE] = "-c",
					    [ARG_OPTION] = "-o",
					    [ARG_POLICY] = "-p",
					    [ARG_WSCHED] = "-w"};

	for (unsigned i = 0; i < a->n_args && a->exit_now < 0; i++)
		if (a->arg[i].kind < ARRAY_LEN(names) && names[a->arg[i].kind])
			a->exit_now = cli_usage("--resume takes everything from the file; %s %s "
						"has no place",
						names[a->arg[i].kind], a->arg[i].text);
	if (a->exit_now < 0 && (a->size || a->list))
		a->exit_now = cli_usage("--resume takes everything from the file; %s has no place",
					a->size ? "--size" : "a list");
}

void
cli_parse(int argc, char **argv, struct cli_args *a)
{
	int c;

	*a = (struct cli_args){.exit_now = -1, .screen.color = -1};
	while (a->exit_now < 0 &&
	       (c = getopt_long(argc, argv, "c:o:p:w:x:e:bnhV", options, NULL)) != -1)
		one_option(a, c);
	if (a->exit_now >= 0)
		return;
	if (optind < argc)
		a->workload = argv[optind++];
	if (optind < argc)
		a->exit_now = cli_usage("unexpected argument '%s' after the %s", argv[optind],
					a->resume ? "file" : "workload");
	if (a->exit_now < 0 && a->resume)
		check_resume(a);
	if (a->exit_now < 0 && a->size)
		check_size(a);
	if (a->exit_now < 0)
		check_race(a);
	if (a->batch && a->tui == TUI_ALWAYS)
		a->exit_now = cli_usage("--batch and --tui exclude each other");
}
