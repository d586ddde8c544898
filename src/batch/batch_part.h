/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch_part.h - private to src/batch: the steps of a sweep.
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
	char **file; /* the tables to merge */
	unsigned n_files;
};
/* Returns -1 to continue, else the exit status. */
int sweep_args_read(struct sweep_args *a, int argc, char **argv);

/* ---------------------------------------------------------------- columns.c */

/* The statistics of the table: those that the file names, or a set that suits most questions. */
struct columns {
	struct column *c; /* owned, but not their texts */
	unsigned n;
};
/* Compiles every column for some machine of the sweep, so that a misspelt one is an error before
 * anything runs. */
int columns_new(struct columns *k, const struct points *p, struct err *e);
void columns_free(struct columns *k);
/* A value is NaN if this run does not have it; -1 with e if memory runs out. */
int columns_values(const struct columns *k, struct sim *s, double *out, struct err *e);

/* ---------------------------------------------------------------- run.c: a run, in its process */

/* RUN_CUT: run.max_thread_insts ended it, as intended: its values count. */
enum run_status { RUN_OK, RUN_CUT, RUN_LIMIT, RUN_DEADLOCK, RUN_ERROR, RUN_CRASH, RUN_STATUSES };
extern const char *const run_status_names[RUN_STATUSES];

struct result {
	enum run_status status;
	char error[512]; /* "" if ok; one line, which for RUN_CUT is not an error */
	unsigned n;
	double *value; /* one per column; unknown unless ok or cut */
};

/* Whether the run is as it was requested: ok or cut, given its status or the status's name. */
bool run_is_good(enum run_status s);
bool run_name_is_good(const char *status);
/* Returns the configuration of a point; NULL with e. */
struct config *run_config(const struct spec *s, const struct point *p, struct err *e);
/* Returns the trace of a point. */
struct trace *run_trace(const struct spec *s, const struct point *p, struct err *e);
/* Called from time to time with the progress of a run, 0 to 1. */
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
	const unsigned *todo; /* indices of points, in the order in which to start them */
	unsigned n_todo, processes;
	/* Called in the parent for each result; a value other than 0 ends the sweep. */
	int (*done)(void *ctx, unsigned point, const struct result *r, struct err *e);
	void (*forked)(void *ctx); /* called first in each child; may be NULL */
	void (*began)(void *ctx, unsigned point);
	/* Progress of a run. */
	void (*share)(void *ctx, unsigned point, double share);
	void (*asked)(void *ctx); /* SIGUSR1 asked for the progress */
	void (*tick)(void *ctx);  /* called about four times a second */
	void *ctx;
};
/* Returns 0, or -1 with e, or the number of the signal that ended it. No process is left behind. */
int pool_run(const struct pool_job *j, struct err *e);

/* ---------------------------------------------------------------- progress.c */

struct progress {
	const struct points *points;
	double *weight; /* work of each point, as far as it is known beforehand */
	double *share;	/* share of each point that is done */
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
void progress_say(struct progress *g);	 /* prints a separate line, also with --quiet */
void progress_clear(struct progress *g); /* removes the line from the terminal */
void progress_free(struct progress *g);

/* Format numbers for people: "1,470", and "1,470 runs", "1 run". */
#define COUNT 32
const char *count_text(char buf[COUNT], unsigned n);
const char *count_runs(char buf[COUNT], unsigned n);

/* ---------------------------------------------------------------- sheet.c: the CSV file */

/* Columns: run, the key, status, error, statistics. A row is NULL until it is known. */
struct sheet {
	const struct points *points;
	const char *path; /* "-": standard output */
	unsigned flags;	  /* of output_open() */
	int held;	  /* descriptor of the file, locked against other sweeps; below 0: none */
	/* Output that cannot be replaced (standard output, a pipe, a device), or NULL. */
	FILE *stream;
	struct output *pipe; /* the pipe of that stream; NULL: it is standard output */
	const char **header;
	unsigned n_fields;
	char **row;	  /* per point: its line of the file, owned */
	bool *ok;	  /* per point: it is done and need not run again */
	const bool *mine; /* points of this shard */
	unsigned next;	  /* all points of this shard before this one are in the file */
	bool gaps;	  /* the file has rows after `next`, so new ones replace it */
	double replaced;  /* time of the last replacement */
};
/* flags: OUTPUT_FORCE or 0. Returns -1 with e also if another sweep writes the file. */
int sheet_new(struct sheet *t, const struct points *p, const struct columns *k, const char *path,
	      const bool *mine, unsigned flags, struct err *e);
void sheet_free(struct sheet *t);
/* Takes over the rows that an earlier sweep left in the file, if there is one. */
int sheet_resume(struct sheet *t, struct err *e);
/* Reads the rows of a file and finds their points by key. fn gets the index of the point and the
 * row's fields in the order of the header. */
struct export_rows;
int sheet_match(const struct sheet *t, const char *path, const struct export_rows *r,
		int (*fn)(void *ctx, unsigned point, const char *const *field, uint64_t line,
			  struct err *e),
		void *ctx, struct err *e);
int sheet_keep(struct sheet *t, unsigned point, const char *const *field, struct err *e);
/* Writes the header and the known rows. */
int sheet_start(struct sheet *t, struct err *e);
int sheet_add(struct sheet *t, unsigned point, const struct result *r, struct err *e);
int sheet_end(struct sheet *t, struct err *e); /* writes all known rows, in order */
#define SHEET_STATUS (1 + t->points->n_keys)

/* ---------------------------------------------------------------- merge.c, slurm.c */

int merge_main(const struct points *p, const struct columns *k, char **file, unsigned n,
	       const char *out, unsigned flags);

struct slurm_job {
	const char *path; /* path of the sweep file */
	const char *name; /* name of a shipped sweep, which a node finds itself; or NULL */
	const char *size; /* argument of sweep --size, or NULL */
	unsigned tasks, processes;
};
int slurm_write(void *slurm_job, FILE *to, struct err *e); /* for output_replace() */

#endif
