/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slurm.c - writes a sweep as a job of a Slurm cluster: an array of shards.
 *
 * The script is plain sh. sbatch gives each task its number; a task that is killed and queued again
 * continues, by --resume. `sh FILE submit` also queues the merge, after the tasks. All paths are
 * absolute, since a node starts in any folder.
 */
#define _GNU_SOURCE 1
#include "batch/batch_part.h"

#include "base/ascii.h"
#include "compat/compat.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Quotes a word for the shell. */
static void
write_quoted(const char *text, FILE *to)
{
	bool plain = *text;

	for (const char *p = text; *p; p++)
		plain &= ascii_is_alnum(*p) || strchr("_-./,:+=@%", *p);
	if (plain) {
		fputs(text, to);
		return;
	}
	putc('\'', to);
	for (const char *p = text; *p; p++)
		if (*p == '\'')
			fputs("'\\''", to);
		else
			putc(*p, to);
	putc('\'', to);
}

static void
full_path(const char *path, char *buf)
{
	char here[PATH_MAX];

	if (path[0] == '/' || !getcwd(here, sizeof(here)) ||
	    (size_t)snprintf(buf, PATH_MAX, "%s/%s", here, path) >= PATH_MAX)
		snprintf(buf, PATH_MAX, "%s", path);
}

/* Returns "static-limit" for sweeps/static-limit.sweep. */
static void
base_name(const char *path, char *buf, size_t size)
{
	const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
	size_t n = strlen(from);

	if (n > 6 && strcmp(from + n - 6, ".sweep") == 0)
		n -= 6;
	snprintf(buf, size, "%.*s", (int)MIN(n, (size_t)80), from);
	for (char *p = buf; *p; p++)
		if (!ascii_is_alnum(*p) && !strchr("_-.", *p))
			*p = '_'; /* it is used in names of jobs and files */
}

int
slurm_write(void *slurm_job, FILE *to, struct err *e ATTR_UNUSED)
{
	const struct slurm_job *j = slurm_job;
	char exe[PATH_MAX], sweep[PATH_MAX], out[PATH_MAX], name[96], file[112], size[40] = "";

	if (!compat_program_path(exe, sizeof(exe)))
		snprintf(exe, sizeof(exe), "ctascope"); /* the one on PATH */
	base_name(j->path, name, sizeof(name));
	snprintf(file, sizeof(file), "%s.csv", name);
	full_path(file, out);
	if (j->name)
		snprintf(sweep, sizeof(sweep), "%s", j->name);
	else
		full_path(j->path, sweep);
	out[strlen(out) - 4] = '\0'; /* without .csv */
	if (j->size)
		snprintf(size, sizeof(size), " --size %s", j->size);
	fprintf(to,
		"#!/bin/sh\n"
		"# %s as %u tasks of Slurm, written by ctascope sweep --slurm.\n"
		"#   sbatch FILE       queues the tasks; each writes %s.TASK-of-%u.csv\n"
		"#   sh FILE submit    queues them and, behind them, the merge into %s.csv\n"
		"#   sh FILE merge     joins what there is\n"
		"#SBATCH --job-name=%s\n"
		"#SBATCH --array=1-%u\n"
		"#SBATCH --ntasks=1\n"
		"#SBATCH --cpus-per-task=%u\n"
		"#SBATCH --output=%s.%%a.log\n"
		"ctascope=",
		name, j->tasks, name, j->tasks, name, name, j->tasks, j->processes, name);
	write_quoted(exe[0] ? exe : "ctascope", to);
	fputs("\nsweep=", to);
	write_quoted(sweep, to);
	fputs("\nout=", to);
	write_quoted(out, to);
	fprintf(to,
		"\ntasks=%u\n"
		"\n"
		"case ${1-} in\n"
		"submit)\n"
		"\tjob=$(sbatch --parsable \"$0\") || exit 1\n"
		"\techo \"$job\"\n"
		"\tself=$(printf '%%s\\n' \"$0\" | sed \"s/'/'\\\\\\\\''/g\")\n"
		"\texec sbatch --parsable --dependency=\"afterany:$job\" --job-name=%s-merge \\\n"
		"\t\t--output=%s.merge.log --wrap \"sh '$self' merge\"\n"
		"\t;;\n"
		"merge)\n"
		"\tset --\n"
		"\ti=1\n"
		"\twhile [ \"$i\" -le \"$tasks\" ]; do\n"
		"\t\t[ ! -e \"$out.$i-of-$tasks.csv\" ] || set -- \"$@\" "
		"\"$out.$i-of-$tasks.csv\"\n"
		"\t\ti=$((i + 1))\n"
		"\tdone\n"
		"\texec \"$ctascope\" sweep \"$sweep\"%s --merge \"$@\" --force -o \"$out.csv\"\n"
		"\t;;\n"
		"esac\n"
		"task=${SLURM_ARRAY_TASK_ID:?start this with sbatch, or say submit or merge}\n"
		"exec \"$ctascope\" sweep \"$sweep\"%s --shard \"$task/$tasks\" --resume \\\n"
		"\t-j \"${SLURM_CPUS_PER_TASK:-%u}\" -o \"$out.$task-of-$tasks.csv\"\n",
		j->tasks, name, name, size, size, j->processes);
	return 0;
}
