/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_args.c - the command line of ctascope sweep: the rows of its options. */
#include "batch/batch_part.h"

#include "base/number.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

static int
read_count(const char *text, unsigned max, unsigned *out)
{
	uint64_t v;

	if (number_count(text, &v) || v < 1 || v > max)
		return -1;
	*out = (unsigned)v;
	return 0;
}

static int
take_shard(void *args, const struct cmd_option *o ATTR_UNUSED, const char *text, struct err *e)
{
	struct sweep_args *a = args;
	const char *slash = strchr(text, '/');
	char part[16];

	snprintf(part, sizeof(part), "%.*s", slash ? (int)MIN(slash - text, 15) : 0, text);
	if (!slash || read_count(slash + 1, SPEC_MAX_POINTS, &a->shards) ||
	    read_count(part, a->shards, &a->shard))
		return err_set(e, "expected I/N, such as 2/8");
	return 0;
}

static int
take_slurm(void *args, const struct cmd_option *o ATTR_UNUSED, const char *text, struct err *e)
{
	struct sweep_args *a = args;

	a->mode = SWEEP_SLURM;
	if (text && read_count(text, SPEC_MAX_POINTS, &a->tasks))
		return err_set(e, "expected a number of tasks");
	return 0;
}

static int
take_size(void *args, const struct cmd_option *o ATTR_UNUSED, const char *text, struct err *e)
{
	struct sweep_args *a = args;

	a->size = text;
	return workload_size_check(text, e) < 0 ? -1 : 0;
}

static const struct cmd_option options[] = {
	CMD_COUNT("jobs", 'j', "N", struct sweep_args, processes, 1, 4096,
		  "run N in parallel (default: one per processor)"),
	CMD_TEXT("output", 'o', "FILE", struct sweep_args, out,
		 "write the table to FILE; - is standard output, the default"),
	CMD_FLAG("resume", 0, struct sweep_args, resume,
		 "continue FILE without repeating its successful runs"),
	CMD_FLAG("force", 'f', struct sweep_args, force, "replace FILE"),
	CMD_TAKE("size", 0, "SIZE", take_size, 0,
		 "size of the applications that SWEEP names without one (default)"),
	CMD_SET("dry-run", 0, struct sweep_args, mode, SWEEP_DRY, "list the runs and stop"),
	CMD_TAKE("shard", 0, "I/N", take_shard, 0, "run only part I of N of the sweep"),
	CMD_SET("merge", 0, struct sweep_args, mode, SWEEP_MERGE,
		"join the tables of shards, in the order of the sweep"),
	CMD_TAKE("slurm", 0, "[=N]", take_slurm, 0,
		 "write a script that runs the sweep as N tasks under Slurm"),
	CMD_SET("list", 0, struct sweep_args, mode, SWEEP_LIST,
		"list the shipped sweeps, the number of their runs, and the questions they answer"),
	CMD_FLAG("quiet", 'q', struct sweep_args, quiet, "show no progress"),
	CMD_HELP,
	CMD_END,
};

const struct cmdline batch_cmdline = {
	.name = "sweep",
	.usage = "sweep SWEEP [-j N] [-o OUT.csv] [OPTION...]\n"
		 "sweep SWEEP --merge SHARD.csv... -o OUT.csv",
	.about = "Run every combination of workloads, machines, policies, warp schedulers and "
		 "options\n"
		 "that SWEEP names (a file, or the name of a shipped one), each in a process of "
		 "its own,\n"
		 "and write one row of CSV per run. ctascope-sweep(5) describes the file.\n",
	.section = {{NULL, options}},
	.tail = "Exit status: 0 all runs succeeded, 1 some failed, 2 usage or an error in the "
		"file,\n"
		"128+n signal n.\n"
		"\n"
		"Examples:\n"
		"  ctascope sweep mesh -o mesh.csv\n"
		"  ctascope sweep mine.sweep -j 8 -o mine.csv --resume\n",
};

static int
check_args(const struct sweep_args *a)
{
	const struct cmdline *c = &batch_cmdline;

	if (a->mode == SWEEP_MERGE && !a->n_files)
		return cmdline_usage(
			c, "--merge needs the tables to join: SWEEP --merge A.csv B.csv...");
	if (a->mode != SWEEP_MERGE && a->n_files)
		return cmdline_usage(c, "unexpected argument '%s' after the sweep", a->file[0]);
	if (a->resume && a->mode != SWEEP_RUN)
		return cmdline_usage(c, "--resume cannot be used with lists, scripts or merges");
	if (a->resume && a->force)
		return cmdline_usage(c, "--resume and --force exclude each other");
	if (a->resume && strcmp(a->out, "-") == 0)
		return cmdline_usage(c, "--resume needs -o FILE, the table to continue");
	return -1;
}

int
sweep_args_read(struct sweep_args *a, int argc, char **argv)
{
	int first, rc;

	*a = (struct sweep_args){.shard = 1, .shards = 1, .out = "-"};
	rc = cmdline_read(&batch_cmdline, argc, argv, a, &first);
	if (rc >= 0 || a->mode == SWEEP_LIST)
		return rc;
	if (first == argc)
		return cmdline_usage(&batch_cmdline,
				     "no sweep; name a file or a shipped one (--list)");
	a->sweep = argv[first++];
	a->file = argv + first;
	a->n_files = (unsigned)(argc - first);
	return check_args(a);
}
