/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch.c - ctascope sweep: turns a sweep file into a table.
 *
 * Exit status: 0 every run is good, 1 some failed or something could not be read or written, 2
 * wrong usage or a mistake in the file, before anything ran; 128 + n after signal n.
 */
#define _GNU_SOURCE 1
#include "batch/batch_part.h"

#include "base/foreign.h"
#include "base/datadir.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/process.h"
#include "workload/workload.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct batch {
	struct sweep_args a;
	char path[PATH_MAX]; /* of the sweep file */
	bool shipped;	     /* found by its name */
	struct spec *spec;
	struct points *points;
	struct columns columns;
	bool *mine;	/* per point: it belongs to this shard */
	unsigned *todo; /* points to run */
	unsigned n_mine, n_todo;
	struct sheet sheet;
	struct progress progress;
};

/* ---------------------------------------------------------------- sweeps by name */

/* A shipped or installed sweep of that name comes first, then a file. */
static int
find_sweep(struct batch *b, struct err *e)
{
	const char *name = b->a.sweep;
	char file[256];

	b->shipped = (size_t)snprintf(file, sizeof(file), "%s.sweep", name) < sizeof(file) &&
		     datadir_find("sweeps", file, b->path, sizeof(b->path));
	if (b->shipped)
		return 0;
	snprintf(b->path, sizeof(b->path), "%s", name);
	if (strchr(name, '/') || access(name, F_OK) == 0)
		return 0;
	return err_set(e, "no sweep '%.100s': neither a file nor the name of a shipped one%s", name,
		       datadir_hint("sweeps", ".sweep", name, " (--list)").text);
}

static int
list_one(void *ctx, const char *name, const char *path)
{
	char runs[COUNT];
	struct err e = {0};
	struct spec *s = spec_read(path, &e);
	struct points *p = s && spec_check(s, &spec_files, &e) == 0 ? points_new(s, &e) : NULL;

	(void)ctx;
	if (p)
		printf("%-14s %10s  %s\n", name, count_runs(runs, p->n), s->about);
	else
		printf("%-14s %s\n", name, e.msg);
	points_free(p);
	spec_free(s);
	return 0;
}

/* ---------------------------------------------------------------- the runs */

static void
choose_points(struct batch *b)
{
	struct points *p = b->points;

	b->mine = memory_new(p->n, sizeof(*b->mine));
	b->todo = memory_new(p->n, sizeof(*b->todo));
	for (unsigned i = 0; i < p->n; i++) {
		b->mine[i] = i % b->a.shards == b->a.shard - 1;
		b->n_mine += b->mine[i];
	}
}

static void
dry_run(struct batch *b)
{
	const struct points *p = b->points;
	char text[COUNT];

	for (unsigned i = 0; i < p->n; i++) {
		const struct point *at = &p->p[i];

		if (!b->mine[i])
			continue;
		printf("%u", at->number);
		for (unsigned k = 0; k < DIMS; k++)
			printf(" %s", at->key[k]);
		for (unsigned k = DIMS; k < p->n_keys; k++)
			if (at->key[k][0])
				printf(" %s=%s", b->spec->options.w[k - DIMS].text, at->key[k]);
		putchar('\n');
	}
	fprintf(stderr, "ctascope: %s", count_runs(text, b->n_mine));
	if (b->a.shards > 1)
		fprintf(stderr, ", shard %u of %u of %s", b->a.shard, b->a.shards,
			count_text(text, p->n));
	if (p->repeated)
		fprintf(stderr, "; %s left out that came before", count_runs(text, p->repeated));
	fputc('\n', stderr);
}

/* Checks that a forgotten option does not overwrite an hour's work. */
static int
may_write(const struct batch *b, struct err *e)
{
	struct stat st;

	if (strcmp(b->a.out, "-") == 0 || b->a.resume || b->a.force || stat(b->a.out, &st) ||
	    !S_ISREG(st.st_mode) || st.st_size == 0)
		return 0;
	return err_set(e, "'%.200s' exists; %s--force replaces it", b->a.out,
		       b->a.mode == SWEEP_RUN ? "--resume continues it, " : "");
}

static int
on_done(void *ctx, unsigned point, const struct result *r, struct err *e)
{
	struct batch *b = ctx;

	progress_done(&b->progress, point, r);
	if (b->sheet.stream)
		progress_clear(&b->progress); /* both may be on the same terminal */
	return sheet_add(&b->sheet, point, r, e);
}

static void
on_began(void *ctx, unsigned point)
{
	struct batch *b = ctx;

	progress_began(&b->progress, point);
}

static void
on_share(void *ctx, unsigned point, double share)
{
	struct batch *b = ctx;

	progress_share(&b->progress, point, share);
}

static void
on_tick(void *ctx)
{
	struct batch *b = ctx;

	progress_tick(&b->progress);
}

/* The lock of the table belongs to the parent, so a child must not keep it longer. */
static void
on_forked(void *ctx)
{
	struct batch *b = ctx;

	if (b->sheet.held >= 0)
		close(b->sheet.held);
	b->sheet.held = -1;
}

static void
on_asked(void *ctx)
{
	struct batch *b = ctx;

	progress_say(&b->progress);
}

static int
carry_out(struct batch *b, struct err *e)
{
	struct pool_job job = {.points = b->points,
			       .columns = &b->columns,
			       .todo = b->todo,
			       .done = on_done,
			       .began = on_began,
			       .share = on_share,
			       .tick = on_tick,
			       .asked = on_asked,
			       .forked = on_forked,
			       .ctx = b};
	struct err end = {0};
	int rc;

	job.n_todo = b->n_todo;
	job.processes =
		MIN(b->a.processes ? b->a.processes : process_processors(), MAX(b->n_todo, 1u));
	rc = pool_run(&job, e);
	progress_clear(&b->progress);
	/* in any case the finished runs are kept */
	if (sheet_end(&b->sheet, &end) && rc >= 0) {
		*e = end;
		return -1;
	}
	return rc;
}

static void
report_end(const struct batch *b, int signo)
{
	const struct progress *g = &b->progress;
	char first[COUNT], second[COUNT];

	if (signo && strcmp(b->a.out, "-") != 0)
		fprintf(stderr,
			"ctascope: ended by signal %d, %s of %s are in %s; the same command with "
			"--resume continues\n",
			signo, count_text(first, b->n_mine - b->n_todo + g->n_done),
			count_runs(second, b->n_mine), b->a.out);
	else if (signo)
		fprintf(stderr, "ctascope: ended by signal %d after %s of %s\n", signo,
			count_text(first, g->n_done), count_runs(second, b->n_todo));
	else if (g->n_failed)
		fprintf(stderr, "ctascope: %s of %s failed\n", count_text(first, g->n_failed),
			count_runs(second, g->n_done));
	else if (!b->a.quiet && b->n_mine > b->n_todo)
		fprintf(stderr, "ctascope: %s, %s of them were complete already\n",
			count_runs(first, b->n_mine), count_text(second, b->n_mine - b->n_todo));
	else if (!b->a.quiet)
		fprintf(stderr, "ctascope: %s\n", count_runs(first, g->n_done));
}

/* Records each application once, before anything runs. */
static int
record_all(const struct batch *b, struct err *e)
{
	const char *last = NULL;
	char path[PATH_MAX];

	for (unsigned i = 0; i < b->n_todo; i++) {
		const char *name = b->points->p[b->todo[i]].key[DIM_WORKLOAD];

		/* the words of a point belong to the spec, so they are mostly the same pointer */
		if (name == last || strchr(name, '/'))
			continue;
		last = name;
		if (workload_need(name, b->a.quiet, path, sizeof(path), e))
			return -1;
	}
	return 0;
}

static int
run_sweep(struct batch *b)
{
	struct err e = {0};
	int rc;

	/* first, because a lock of another sweep matters more than that the file exists */
	if (sheet_new(&b->sheet, b->points, &b->columns, b->a.out, b->mine,
		      b->a.force ? OUTPUT_FORCE : 0, &e))
		return report_error(&e, 1);
	if (may_write(b, &e))
		return report_error(&e, 2);
	if (b->a.resume && sheet_resume(&b->sheet, &e))
		return report_error(&e, 1);
	for (unsigned i = 0; i < b->points->n; i++)
		if (b->mine[i] && !b->sheet.ok[i])
			b->todo[b->n_todo++] = i;
	if (record_all(b, &e) || sheet_start(&b->sheet, &e))
		return report_error(&e, 1);
	progress_new(&b->progress, b->points, b->todo, b->n_todo, b->a.quiet);
	rc = carry_out(b, &e);
	if (rc < 0)
		return report_error(&e, 1);
	report_end(b, rc);
	return rc ? 128 + rc : b->progress.n_failed ? 1 : 0;
}

static int
write_slurm_script(struct batch *b)
{
	struct slurm_job j = {.path = b->path,
			      .name = b->shipped ? b->a.sweep : NULL,
			      .size = b->a.size};
	struct err e = {0};

	if (may_write(b, &e))
		return report_error(&e, 2);
	/* as many tasks as most clusters allow in an array */
	j.tasks = b->a.tasks ? b->a.tasks : MAX(MIN(b->points->n, 1000u), 1u);
	j.processes = b->a.processes ? b->a.processes : 1;
	if (strcmp(b->a.out, "-") == 0)
		return slurm_write(&j, stdout, &e);
	return output_replace(b->a.out, b->a.force ? OUTPUT_FORCE : 0, slurm_write, &j, &e)
		       ? report_error(&e, 1)
		       : 0;
}

/* ---------------------------------------------------------------- all of it */

static int
prepare_sweep(struct batch *b, struct err *e)
{
	if (find_sweep(b, e))
		return -1;
	b->spec = spec_read(b->path, e);
	if (!b->spec)
		return -1;
	if (b->a.size)
		spec_size(b->spec, b->a.size);
	if (spec_check(b->spec, &spec_files, e))
		return -1;
	b->points = points_new(b->spec, e);
	if (!b->points)
		return -1;
	choose_points(b);
	return columns_new(&b->columns, b->points, e);
}

static int
carry_on(struct batch *b)
{
	struct err e = {0};

	switch (b->a.mode) {
	case SWEEP_DRY:
		dry_run(b);
		return 0;
	case SWEEP_MERGE:
		if (may_write(b, &e))
			return report_error(&e, 2);
		return merge_main(b->points, &b->columns, b->a.file, b->a.n_files, b->a.out,
				  b->a.force ? OUTPUT_FORCE : 0);
	case SWEEP_SLURM:
		return write_slurm_script(b);
	default:
		return run_sweep(b);
	}
}

int
batch_main(int argc, char **argv)
{
	struct batch b = {.n_mine = 0};
	struct err e = {0};
	int status;

	process_signals_begin();
	foreign_watch();
	status = sweep_args_read(&b.a, argc, argv);
	if (status < 0 && b.a.mode == SWEEP_LIST)
		status = datadir_each("sweeps", ".sweep", list_one, NULL) ? 1 : 0;
	else if (status < 0)
		status = prepare_sweep(&b, &e) ? report_error(&e, 2) : carry_on(&b);
	progress_free(&b.progress);
	sheet_free(&b.sheet);
	columns_free(&b.columns);
	points_free(b.points);
	spec_free(b.spec);
	free(b.mine);
	free(b.todo);
	return report_flushed(status);
}
