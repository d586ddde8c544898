/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_compare.c - ctascope compare: the command of that name without a workload. On a terminal the
 * screen shows it; with --batch, --exit-code or a pipe it is text.
 */
#include "repl/repl_part.h"
#include "repl/session_part.h"

#include "base/foreign.h"

#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { O_EXIT_CODE = 256, O_COLUMN, O_THEME, O_ASCII };

static const struct option options[] = {
	{"batch", no_argument, NULL, 'b'},
	{"exit-code", no_argument, NULL, O_EXIT_CODE},
	{"column", required_argument, NULL, O_COLUMN},
	{"theme", required_argument, NULL, O_THEME},
	{"ascii", no_argument, NULL, O_ASCII},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static const char help_text[] =
	"Usage: ctascope compare [OPTION...] A.csv B.csv\n"
	"Set two finished runs against each other: tables that 'dump csv stats', 'series', 'mem' "
	"or\n"
	"'cores' wrote, both of the same kind. On a terminal the screen shows them.\n"
	"\n"
	"      --column=NAME  of two series: the column to show over cores and time "
	"(ctas_running)\n"
	"  -b, --batch        text, also on a terminal\n"
	"      --exit-code    text; exit status 3 when anything differs but the speed on the wall "
	"clock\n"
	"      --theme=NAME   colours of the screen\n"
	"      --ascii        no Unicode\n"
	"  -h, --help         this text\n";

struct asked {
	const char *column;
	bool exit_code, batch;
	struct cli_screen look;
};

static int
compare(const char *a, const char *b, const struct asked *k, const struct cli_front *front)
{
	bool screen = front && !k->batch && !k->exit_code && front->possible();
	struct plain plain = {.batch = !screen, .front = screen ? front : NULL, .look = &k->look};
	struct session_ui ui = plain_ui(&plain, false);
	struct config *c = config_new();
	struct err e = {0};
	struct session *s = c ? session_new(c, NULL, &ui, &e) : NULL;
	bool differ = false;
	int status;

	config_set_try(c, foreign_try);
	plain.session = s;
	if (!s) {
		status = cli_error((err_set(&e, "out of memory"), &e), 1);
	} else {
		status = (int)session_compare(s, a, b, k->column, &differ);
		plain_signals(NULL); /* the screen caught some */
	}
	if (s && session_signal(s))
		status = 128 + session_signal(s);
	session_free(s);
	config_free(c);
	return status == 0 && k->exit_code && differ ? 3 : status;
}

int
cli_compare(int argc, char **argv, const struct cli_front *front)
{
	struct asked k = {.look.color = -1};
	int c;

	while ((c = getopt_long(argc, argv, "bh", options, NULL)) != -1)
		switch (c) {
		case 'b':
			k.batch = true;
			break;
		case O_EXIT_CODE:
			k.exit_code = true;
			break;
		case O_COLUMN:
			k.column = optarg;
			break;
		case O_THEME:
			k.look.theme = optarg;
			break;
		case O_ASCII:
			k.look.ascii = true;
			break;
		case 'h':
			fputs(help_text, stdout);
			return 0;
		default:
			return cli_usage("compare: see 'ctascope compare --help'");
		}
	if (argc - optind != 2)
		return cli_usage("compare: expected two CSV files, found %d", argc - optind);
	return compare(argv[optind], argv[optind + 1], &k, front);
}
