/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_compare.c - ctascope compare: the command of that name without a workload. */
#include "repl/repl_part.h"
#include "repl/session_part.h"

#include <getopt.h>
#include <stdio.h>

enum { O_EXIT_CODE = 256, O_COLUMN };

static const struct option options[] = {
	{"exit-code", no_argument, NULL, O_EXIT_CODE},
	{"column", required_argument, NULL, O_COLUMN},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static const char help_text[] =
	"Usage: ctascope compare [OPTION...] A.csv B.csv\n"
	"Set two finished runs against each other: tables that 'dump csv stats', 'series', 'mem' "
	"or\n"
	"'cores' wrote, both of the same kind.\n"
	"\n"
	"      --column=NAME  of two series: the column to show over cores and time "
	"(ctas_running)\n"
	"      --exit-code    exit status 3 when anything differs but the speed on the wall clock\n"
	"  -h, --help         this text\n";

static int
compare(const char *a, const char *b, const char *column, bool exit_code)
{
	struct plain plain = {.batch = true};
	struct session_ui ui = plain_ui(&plain, false);
	struct config *c = config_new();
	struct err e = {0};
	struct session *s = c ? session_new(c, NULL, &ui, &e) : NULL;
	bool differ = false;
	int status;

	plain.session = s;
	if (!s)
		status = cli_error((err_set(&e, "out of memory"), &e), 1);
	else
		status = (int)session_compare(s, a, b, column, &differ);
	session_free(s);
	config_free(c);
	return status == 0 && exit_code && differ ? 3 : status;
}

int
cli_compare(int argc, char **argv)
{
	const char *column = NULL;
	bool exit_code = false;
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case O_EXIT_CODE:
			exit_code = true;
			break;
		case O_COLUMN:
			column = optarg;
			break;
		case 'h':
			fputs(help_text, stdout);
			return 0;
		default:
			return cli_usage("compare: see 'ctascope compare --help'");
		}
	if (argc - optind != 2)
		return cli_usage("compare: expected two CSV files, found %d", argc - optind);
	return compare(argv[optind], argv[optind + 1], column, exit_code);
}
