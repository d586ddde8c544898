/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_grade.c - ctascope grade: the table of points of hand-ins, and the seeds of a class.
 */
#include "base/report.h"
#include "cli/cli_part.h"
#include "teach/handin.h"

#include <inttypes.h>
#include <stdio.h>

struct grade_args {
	struct grade_options o;
	bool seeds;
};

static const struct cmd_option options[] = {
	CMD_TEXT("class", 0, "KEY", struct grade_args, o.key,
		 "the key of the course, with which each student's numbers were made"),
	CMD_TEXT("lesson", 0, "LESSON", struct grade_args, o.lesson,
		 "grade by this lesson, an ID or a file (the lesson that the hand-in names)"),
	CMD_FLAG_OF("seeds", 0, "STUDENT...", struct grade_args, seeds,
		    "print the seed of each student ID instead"),
	CMD_COUNT("seconds", 0, "N", struct grade_args, o.seconds, 1, 86400,
		  "processor time for a hand-in, and a tenth of the wall time (60)"),
	CMD_COUNT("memory", 0, "MIB", struct grade_args, o.memory, 64, 1 << 20,
		  "memory for a hand-in (4096)"),
	CMD_COUNT("cycles", 0, "N", struct grade_args, o.cycles, 1, UINT64_MAX - 1,
		  "cycles that a hand-in may run in all (1000000000)"),
	CMD_HELP,
	CMD_END,
};

const struct cmdline cli_grade_cmdline = {
	.name = "grade",
	.usage = "grade [OPTION...] HAND-IN...\n"
		 "grade [--class KEY] --seeds STUDENT...",
	.about = "Grade hand-ins of lessons: replay each in a process without files, shell and\n"
		 "plug-ins, and print a CSV row for each task and question.\n",
	.section = {{NULL, options}},
	.tail = "Exit status: 0 for any points, 1 if a file cannot be read.\n",
};

int
cli_grade(int argc, char **argv, const struct cli_front *f ATTR_UNUSED)
{
	struct grade_args k = {.o = {.seconds = 60, .memory = 4096, .cycles = 1000000000}};
	int first, status = 0, rc = cmdline_read(&cli_grade_cmdline, argc, argv, &k, &first);

	if (rc >= 0)
		return rc;
	if (first == argc)
		return cmdline_usage(&cli_grade_cmdline,
				     k.seeds ? "expected IDs of students" : "expected hand-ins");
	if (!k.seeds)
		grade_head(stdout);
	for (int i = first; i < argc; i++) {
		struct err e = {0};

		if (k.seeds)
			printf("%s %" PRIu64 "\n", argv[i],
			       handin_seed(argv[i], k.o.key ? k.o.key : ""));
		else if (grade_file(argv[i], &k.o, stdout, &e))
			status = report_error(&e, 1);
		fflush(stdout);
	}
	return status;
}
