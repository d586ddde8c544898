/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export.h - what a run knows, as CSV.
 *
 * RFC 4180: a header row, commas, quotes only where a text needs them, C locale. Lines end in '\n',
 * which every reader takes and the line tools of Unix expect, or in CR LF when asked. Unknown is an
 * empty field, never 0. Tables are tidy, one row per thing and time, and begin with
 * run,cycle,kernel; other columns carry their unit in the name (lat_rt_cycles). Kernels count
 * from 1.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "ctascope/sim.h"
#include <stdio.h>

struct export_job {
	struct sim *sim;
	unsigned run;	  /* which run of the session */
	cycle_t from, to; /* cycles of interest, both included; 0 and CYCLE_NEVER: all */
	bool crlf;
	const volatile int *stop; /* not 0: the user wants no more of it; NULL: nobody asks */
};

struct export_table {
	const char *name, *help;
};
#define EXPORT_TABLES 10
extern const struct export_table export_tables[EXPORT_TABLES];

/* Writes table NAME to an open file. -1 with e: there is none, or it was stopped; whether all could
 * be written is for the caller to ask the file. */
int export_write(const struct export_job *j, const char *name, FILE *to, struct err *e);
/* The same to a path, as base/output.h has it: whole or not at all. */
int export_file(const struct export_job *j, const char *name, const char *path, struct err *e);

/* Every statistic of the run so far: first the names scripts rely on, then the counters. */
void export_each_stat(const struct sim *s,
		      void (*fn)(void *ctx, const char *name, double value, const char *unit),
		      void *ctx);
/* The statistics' fixed names and the machine's paths, as names of an expression (eval/eval.h) over
 * a sim, which is the ctx. */
int export_resolve(void *sim, const char *name, uint64_t *id, struct err *e);
double export_get(void *sim, uint64_t id, unsigned element);

/* The table `events` written as they happen; NULL: it cannot be. */
struct event_log;
struct event_log *event_log_open(const char *path, bool crlf, struct err *e);
/* -1 with e: what was still to be written could not be, and event_log_flush() has not said so. NULL
 * is fine. */
int event_log_close(struct event_log *l, struct err *e);
const char *event_log_path(const struct event_log *l);
/* Writes what has happened in that run since the last call. seq: of the event that happens now,
 * UINT64_MAX: none does; one that was written before means that the machine went back in time.
 * Returns how many were dropped before they could be written, 0 but at the first call in a run
 * under way. */
/* The first event of that run that it does not have. */
uint64_t event_log_next(const struct event_log *l, unsigned run);
uint64_t event_log_add(struct event_log *l, struct sim *s, unsigned run, uint64_t seq);
/* All goes to the file. -1 with e, once: it takes no more, and nothing will be added. */
int event_log_flush(struct event_log *l, struct err *e);

/* ---------------------------------------------------------------- tables of texts */

struct export_rows {
	char **cell;	/* the header, then the rows, n_columns each */
	uint64_t *line; /* of the file where each row began, the header's first */
	unsigned n_columns;
	size_t n_rows; /* without the header */
	bool cut;      /* the last line had no end and was left out */
	char *text;
};

/* Reads a table whole. A file that breaks off within its last row, as one being appended to when
 * the machine stopped, loses that row. */
int export_rows_read(const char *path, struct export_rows *r, struct err *e);
void export_rows_free(struct export_rows *r);
int export_rows_column(const struct export_rows *r, const char *name); /* -1: none */

/* Writes a row; a field that is NULL is empty. */
void export_row(FILE *to, const char *const *field, unsigned n);
/* A number as tables have it: "" for what is unknown. */
void export_number(double v, char *buf, size_t size);

/* Reads a table `stats` from a file, row by row; NaN: the value was unknown. */
int export_read_stats(const char *path,
		      void (*fn)(void *ctx, const char *name, double value, const char *unit),
		      void *ctx, struct err *e);

#endif
