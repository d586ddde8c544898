/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch_part.h - private to src/batch: what a sweep is carried out with.
 *
 *     spec -> points -> pool (a process per run) -> table (the CSV file)
 */
#ifndef BATCH_BATCH_PART_H
#define BATCH_BATCH_PART_H

#include "base/report.h"
#include "batch/batch.h"
#include "batch/spec.h"

#include "ctascope/sim.h"
#include <stdio.h>

/* ---------------------------------------------------------------- batch_args.c */

enum sweep_mode { SWEEP_RUN, SWEEP_DRY, SWEEP_MERGE, SWEEP_SLURM, SWEEP_LIST };

struct sweep_args {
	enum sweep_mode mode;
	const char *sweep, *out, *size;		  /* size NULL: not given */
	unsigned processes, shard, shards, tasks; /* processes, tasks 0: not given */
	bool resume, force, quiet;
	char **file; /* to merge */
	unsigned n_files;
};
/* -1: go on; else the status to leave with. */
int sweep_args_read(struct sweep_args *a, int argc, char **argv);

/* ---------------------------------------------------------------- columns.c */

/* The statistics of the table: those that the file asks for, or a set that suits most questions. */
struct columns {
	struct column *c; /* owned, their texts not */
	unsigned n;
};
/* Compiles every column for some machine of the sweep, so that a misspelt one is an error before
 * anything runs. */
int columns_new(struct columns *k, const struct points *p, struct err *e);
void columns_free(struct columns *k);
/* NaN where this run has no such value; -1 with e: no memory. */
int columns_values(const struct columns *k, struct sim *s, double *out, struct err *e);

/* ---------------------------------------------------------------- run.c: a run, in its process */

/* RUN_CUT: ended by run.max_thread_insts, as it was meant to: its values count. */
enum run_status { RUN_OK, RUN_CUT, RUN_LIMIT, RUN_DEADLOCK, RUN_ERROR, RUN_CRASH, RUN_STATUSES };
extern const char *const run_status_names[RUN_STATUSES];

struct result {
	enum run_status status;
	char error[512]; /* "" when ok; one line, which for RUN_CUT is no error */
	unsigned n;
	double *value; /* one per column; unknown unless ok or cut */
};

/* Is the run as it was asked for: ok or cut, of the status or its name. */
bool run_is_good(enum run_status s);
bool run_name_is_good(const char *status);
/* The configuration of a point; NULL and e. */
struct config *run_config(const struct spec *s, const struct point *p, struct err *e);
/* The trace of a point. */
struct trace *run_trace(const struct spec *s, const struct point *p, struct err *e);
/* Told now and then how far a run is, 0 to 1. */
struct run_teller {
	void (*fn)(void *ctx, double share);
	void *ctx;
};
void run_point(const struct spec *s, const struct point *p, const struct columns *k,
	       const struct run_teller *tell, struct result *r);

/* ---------------------------------------------------------------- pool.c: many processes */

struct pool_job {
	const struct points *points;
	const struct columns *columns;
	const unsigned *todo; /* places of points, in the order to begin them */
	unsigned n_todo, processes;
	/* In the parent, as results come; nonzero ends it all. */
	int (*done)(void *ctx, unsigned point, const struct result *r, struct err *e);
	void (*forked)(void *ctx); /* in a child, first of all; NULL: nothing is to be done */
	void (*began)(void *ctx, unsigned point);
	void (*share)(void *ctx, unsigned point, double share); /* of the run that is done */
	void (*asked)(void *ctx);				/* how far it is, by SIGUSR1 */
	void (*tick)(void *ctx);				/* about four times a second */
	void *ctx;
};
/* 0, or -1 with e, or the number of the signal that ended it. No process is left behind. */
int pool_run(const struct pool_job *j, struct err *e);

/* ---------------------------------------------------------------- progress.c */

struct progress {
	const struct points *points;
	double *weight; /* work of each point, as far as one can tell beforehand */
	double *share;	/* of each point, what is done of it */
	double began, all, done;
	unsigned n, n_done, n_failed, last;
	double drawn;
	bool terminal, quiet, shown;
};
void progress_new(struct progress *g, const struct points *p, const unsigned *todo, unsigned n,
		  bool quiet);
void progress_began(struct progress *g, unsigned point);
void progress_share(struct progress *g, unsigned point, double share);
void progress_done(struct progress *g, unsigned point, const struct result *r);
void progress_tick(struct progress *g);
void progress_say(struct progress *g);	 /* a line of its own, also by --quiet */
void progress_clear(struct progress *g); /* takes the line off the terminal */
void progress_free(struct progress *g);

/* Numbers as people read them: "1,470", and "1,470 runs", "1 run". */
#define COUNT 32
const char *count_text(char buf[COUNT], unsigned n);
const char *count_runs(char buf[COUNT], unsigned n);

/* ---------------------------------------------------------------- sheet.c: the CSV file */

/* Columns: run, the key, status, error, statistics. A row is a set of texts; NULL until known. */
struct sheet {
	const struct points *points;
	const char *path; /* "-": standard output */
	unsigned flags;	  /* of output_open() */
	int held;	  /* the file, open and locked against other sweeps; below 0: none */
	FILE *stream;	  /* what cannot be replaced: standard output, a pipe, a device; or NULL */
	struct output *pipe; /* that stream is of; NULL: of standard output */
	const char **header;
	unsigned n_fields;
	char **row;	  /* per point, its line of the file; owned */
	bool *ok;	  /* per point: done and not to be run again */
	const bool *mine; /* points of this shard */
	unsigned next;	  /* points before this one are in the file, as far as they are mine */
	bool gaps;	  /* the file holds rows from behind `next`: new ones replace it */
	double replaced;  /* when it was replaced last */
};
/* flags: OUTPUT_FORCE or 0. -1 with e also when another sweep writes the file. */
int sheet_new(struct sheet *t, const struct points *p, const struct columns *k, const char *path,
	      const bool *mine, unsigned flags, struct err *e);
void sheet_free(struct sheet *t);
/* Takes over what an earlier sweep left in the file; none there is well. */
int sheet_resume(struct sheet *t, struct err *e);
/* Rows of one file: those of points, by key. fn sees the place of the point and the row's fields in
 * the order of the header. */
struct export_rows;
int sheet_match(const struct sheet *t, const char *path, const struct export_rows *r,
		int (*fn)(void *ctx, unsigned point, const char *const *field, uint64_t line,
			  struct err *e),
		void *ctx, struct err *e);
int sheet_keep(struct sheet *t, unsigned point, const char *const *field, struct err *e);
int sheet_start(struct sheet *t, struct err *e); /* the header and what is known */
int sheet_add(struct sheet *t, unsigned point, const struct result *r, struct err *e);
int sheet_end(struct sheet *t, struct err *e); /* all that is known, in order */
#define SHEET_STATUS (1 + t->points->n_keys)

/* ---------------------------------------------------------------- merge.c, slurm.c */

int merge_main(const struct points *p, const struct columns *k, char **file, unsigned n,
	       const char *out, unsigned flags);

struct slurm_job {
	const char *path; /* of the sweep file */
	const char *name; /* of a shipped one, which a node finds itself; or NULL */
	const char *size; /* of sweep --size, or NULL */
	unsigned tasks, processes;
};
int slurm_write(void *slurm_job, FILE *to, struct err *e); /* for output_replace() */

#endif
