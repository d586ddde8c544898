/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_report.c - ctascope report RUN.csv... -o FILE.html: a page made of tables that were dumped.
 */
#include "cli/cli_part.h"

#include "plot/plot.h"

#include <string.h>

#define MAX_TABLES 16

int
cli_report(int argc, char **argv)
{
	const char *csv[MAX_TABLES], *out = NULL, *title = NULL;
	struct err e = {0};
	unsigned n = 0;

	for (int i = 1; i < argc; i++) {
		const char **to = !strcmp(argv[i], "-o") || !strcmp(argv[i], "--output")  ? &out
				  : !strcmp(argv[i], "-t") || !strcmp(argv[i], "--title") ? &title
											  : NULL;

		if (to && i + 1 == argc)
			return report_usage("report: %s needs an argument", argv[i]);
		if (to)
			*to = argv[++i];
		else if (argv[i][0] == '-' && argv[i][1])
			return report_usage("report: unknown option '%s'", argv[i]);
		else if (n == MAX_TABLES)
			return report_usage("report: %d tables at most", MAX_TABLES);
		else
			csv[n++] = argv[i];
	}
	if (!n || !out)
		return report_usage(
			"report needs tables and a page to write: ctascope report RUN.csv... "
			"-o FILE.html");
	return plot_report_tables(csv, n, title, out, &e) ? report_error(&e, 1) : 0;
}
