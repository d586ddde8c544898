/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_report.c - ctascope report RUN.csv... -o FILE.html: writes an HTML page from dumped tables.
 */
#include "cli/cli_part.h"

#include "base/replace.h"
#include "plot/plot.h"

#define MAX_TABLES 16

struct report_args {
	const char *out, *title;
	bool force;
};

static const struct cmd_option options[] = {
	CMD_TEXT("output", 'o', "FILE.html", struct report_args, out, "the page to write"),
	CMD_FLAG("force", 'f', struct report_args, force,
		 "replace FILE, even if it is no HTML page"),
	CMD_TEXT("title", 't', "TITLE", struct report_args, title, "title of the page"),
	CMD_HELP,
	CMD_END,
};

const struct cmdline cli_report_cmdline = {
	.name = "report",
	.usage = "report RUN.csv... [-t TITLE] -o FILE.html",
	.about = "Write a page with the pictures, numbers and decisions of a run. The tables are "
		 "those of\n"
		 "'dump csv series' and, as far as given, 'mem', 'stats', 'events' or "
		 "'decisions'.\n"
		 "A second table of 'dump csv series' begins a second run, and the page compares "
		 "both.\n",
	.section = {{NULL, options}},
};

int
cli_report(int argc, char **argv, const struct cli_front *f ATTR_UNUSED)
{
	struct report_args a = {.out = NULL};
	const char *csv[MAX_TABLES];
	struct err e = {0};
	int first, n, rc = cmdline_read(&cli_report_cmdline, argc, argv, &a, &first);

	if (rc >= 0)
		return rc;
	n = argc - first;
	if (n > MAX_TABLES)
		return cmdline_usage(&cli_report_cmdline, "%d tables at most", MAX_TABLES);
	if (!n || !a.out)
		return cmdline_usage(&cli_report_cmdline,
				     "expected tables and a page to write: ctascope report "
				     "RUN.csv... -o FILE.html");
	if (replace_check_before("report", a.out, OWN_PAGE, a.force, &e))
		return report_error(&e, 1);
	for (int i = 0; i < n; i++)
		csv[i] = argv[first + i];
	return plot_report_tables(csv, (unsigned)n, a.title, a.out, &e) ? report_error(&e, 1) : 0;
}
