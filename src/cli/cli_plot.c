/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_plot.c - ctascope plot TABLE.csv: bars or curves of a table, as a picture or as text.
 */
#include "cli/cli_part.h"

#include "base/replace.h"
#include "plot/plot.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MOST_CONDITIONS 16

struct plot_args {
	struct chart_job job;
	const char *where[MOST_CONDITIONS];
	const char *out;
	unsigned width, height; /* millimetres */
	bool ascii, bars, lines, force;
};

static int
take_where(void *args, const struct cmd_option *o ATTR_UNUSED, const char *text, struct err *e)
{
	struct plot_args *a = args;

	if (a->job.n_where == MOST_CONDITIONS)
		return err_set(e, "%d conditions at most", MOST_CONDITIONS);
	a->where[a->job.n_where++] = text;
	return 0;
}

static const struct cmd_option options[] = {
	CMD_TEXT("x", 'x', "COLUMN", struct plot_args, job.x,
		 "the horizontal axis: a column, or a parameter of a policy, such as n (default: "
		 "workload, or what varies)"),
	CMD_TEXT("y", 'y', "COLUMN,...", struct plot_args, job.y,
		 "the values: columns or expressions of them, as l1.misses/l1.accesses (default: "
		 "IPC)"),
	CMD_TEXT("group", 'g', "COLUMN,...", struct plot_args, job.group,
		 "a bar or curve for each value of these (default: all that name a run and vary)"),
	CMD_TAKE("where", 'w', "COLUMN=VALUE", take_where, 0,
		 "only rows with this value, or one of a|b, or beginning as a*; != excludes them"),
	CMD_TEXT("normalize-to", 'n', "VALUE", struct plot_args, job.normalize,
		 "divide by the row that is equal but for this value: a policy, or as n=1"),
	CMD_CHOICE("mean", 'm', "auto|both|arithmetic|geometric|none", struct plot_args, job.mean,
		   CHART_MEAN_AUTO,
		   "means to draw beside the bars (default: both over several texts)"),
	CMD_FLAG("bars", 0, struct plot_args, bars, "draw bars, also over numbers"),
	CMD_FLAG("lines", 0, struct plot_args, lines, "draw curves, also over texts"),
	CMD_TEXT("title", 't', "TITLE", struct plot_args, job.title, "title of the picture"),
	CMD_TEXT("output", 'o', "FILE", struct plot_args, out,
		 "write FILE.svg, .pdf or .png instead of printing text"),
	CMD_FLAG("force", 'f', struct plot_args, force, "replace FILE, even if it is no picture"),
	CMD_COUNT("page-width", 0, "MM", struct plot_args, width, 40, 2000,
		  "width of the picture in millimetres (170)"),
	CMD_COUNT("page-height", 0, "MM", struct plot_args, height, 20, 2000,
		  "height of the picture"),
	CMD_FLAG("ascii", 0, struct plot_args, ascii, "no Unicode in the text"),
	CMD_HELP,
	CMD_END,
};

const struct cmdline cli_plot_cmdline = {
	.name = "plot",
	.usage = "plot TABLE.csv [OPTION...] [-o FILE]",
	.about = "Draw a table with a header, such as that of a sweep: bars over texts, curves "
		 "over\n"
		 "numbers. Rows that share a bar or point are averaged.\n",
	.section = {{NULL, options}},
	.tail = "Examples:\n"
		"  ctascope plot static-limit.csv -n n=1\n"
		"  ctascope plot static-limit.csv -x n -y gpu.ipc -w 'workload=pvc|km'\n"
		"  ctascope plot static-limit.csv -x n -y gpu.lat_rt -o lat.pdf\n",
};

static unsigned
terminal_columns(void)
{
	struct winsize w;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : 80;
}

int
cli_plot(int argc, char **argv, const struct cli_front *f ATTR_UNUSED)
{
	struct plot_args a = {.ascii = false};
	struct err e = {0};
	int first, rc = cmdline_read(&cli_plot_cmdline, argc, argv, &a, &first);

	if (rc >= 0)
		return rc;
	if (argc - first != 1)
		return cmdline_usage(&cli_plot_cmdline,
				     "expected one table, found %d: ctascope "
				     "plot TABLE.csv",
				     argc - first);
	if (a.bars && a.lines)
		return cmdline_usage(&cli_plot_cmdline, "--bars and --lines exclude each other");
	a.job.path = argv[first];
	a.job.where = a.where;
	a.job.width = a.width;
	a.job.height = a.height;
	a.job.kind = a.bars ? CHART_BARS_ALWAYS : a.lines ? CHART_LINES_ALWAYS : CHART_AUTO;
	if (a.out && replace_check_before("plot", a.out, OWN_PICTURE, a.force, &e))
		return report_error(&e, 1);
	if (a.out)
		rc = plot_chart_file(&a.job, a.out, &e);
	else
		rc = plot_chart_text(&a.job, stdout, terminal_columns(),
				     a.ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0, &e);
	return rc ? report_error(&e, 1) : 0;
}
