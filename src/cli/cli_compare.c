/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_compare.c - ctascope compare: the command `compare` for two files, without a workload. On a
 * terminal the screen shows the comparison; with --batch, --exit-code or a pipe it is text.
 */
#include "base/memory.h"
#include "cli/cli_part.h"
#include "session/session.h"
#include "base/foreign.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct compare_args {
	const char *column;
	bool exit_code, batch;
	struct cli_screen look;
};

static const struct cmd_option options[] = {
	CMD_TEXT("column", 0, "NAME", struct compare_args, column,
		 "of two series: the column to show over cores and time (ctas_running)"),
	CMD_FLAG("batch", 'b', struct compare_args, batch, "print text, also on a terminal"),
	CMD_FLAG("exit-code", 0, struct compare_args, exit_code,
		 "print text; exit status 3 when anything but the wall-clock speed differs"),
	CLI_LOOK(struct compare_args),
	CMD_HELP,
	CMD_END,
};

const struct cmdline cli_compare_cmdline = {
	.name = "compare",
	.usage = "compare [OPTION...] A.csv B.csv",
	.about = "Compare two finished runs: tables that 'dump csv stats', 'series', 'mem' or "
		 "'cores'\n"
		 "wrote, both of the same kind. On a terminal the screen shows them.\n",
	.section = {{NULL, options}},
};

static int
compare_files(const char *a, const char *b, const struct compare_args *k,
	      const struct cli_front *front)
{
	bool screen = front && !k->batch && !k->exit_code && front->possible();
	struct plain plain = {.batch = !screen, .front = screen ? front : NULL, .look = &k->look};
	struct session_ui ui = plain_ui(&plain, false);
	struct config *c = memory_kept(config_new());
	struct session *s = memory_kept(session_new(c, NULL, &ui, NULL));
	bool differ = false;
	int status;

	config_set_try(c, foreign_try);
	plain.session = s;
	status = (int)session_compare(s, a, b, k->column, &differ);
	plain_signals(NULL); /* the screen may have installed handlers for some of them */
	if (session_signal(s))
		status = 128 + session_signal(s);
	session_free(s);
	config_free(c);
	return status == 0 && k->exit_code && differ ? 3 : status;
}

int
cli_compare(int argc, char **argv, const struct cli_front *front)
{
	struct compare_args k = {.look.color = -1};
	struct err e = {0};
	int first, rc = cmdline_read(&cli_compare_cmdline, argc, argv, &k, &first);

	if (rc >= 0)
		return rc;
	if (argc - first != 2)
		return cmdline_usage(&cli_compare_cmdline, "expected two CSV files, found %d",
				     argc - first);
	if (cli_check_look(front, &k.look, &e))
		return report_error(&e, 2);
	return compare_files(argv[first], argv[first + 1], &k, front);
}
