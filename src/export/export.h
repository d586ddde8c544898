/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export.h - the data of a run as CSV.
 *
 * RFC 4180: a header row, commas, quotes only where a text needs them, C locale. Lines end in '\n',
 * which every reader accepts and Unix line tools expect, or in CR LF on request. Unknown values are
 * empty fields, never 0. Tables are tidy, with one row per thing and time, and begin with
 * run,cycle,kernel; other columns carry their unit in the name (lat_rt_cycles). Kernels count from
 * 1.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "ctascope/sim.h"
#include <stdio.h>

struct export_job {
	struct sim *sim;
	unsigned run;	  /* which run of the session */
	cycle_t from, to; /* range of cycles, both ends included; 0 and CYCLE_NEVER: all */
	bool crlf;
	const volatile int *stop; /* nonzero: stop writing; NULL: cannot be stopped */
};

struct export_table {
	const char *name, *help;
	bool ranged; /* reads from and to; others tell of the present cycle */
};
#define EXPORT_TABLES 10
extern const struct export_table export_tables[EXPORT_TABLES];

/* Writes table NAME to an open file. -1 with e: no such table, or stopped by the user. The
 * caller must check the file for write errors. */
int export_write(const struct export_job *j, const char *name, FILE *to, struct err *e);
/* The same to a path, complete or not at all (base/output.h). */
int export_file(const struct export_job *j, const char *name, const char *path, struct err *e);

/* Writes the run as trace events in JSON (Perfetto, chrome://tracing). -1 with e: stopped by the
 * user, or the path could not be written. */
int export_trace_events(const struct export_job *j, FILE *to, struct err *e);
int export_trace_events_file(const struct export_job *j, const char *path, struct err *e);

/* Reports every statistic of the run so far: first the names on which scripts rely, then the
 * counters. */
/* Is the statistic a count, which grows from 0 over the run? Otherwise it is a rate or a mean. */
bool export_stat_is_count(const char *name);
void export_each_stat(const struct sim *s,
		      void (*fn)(void *ctx, const char *name, double value, const char *unit),
		      void *ctx);
/* The machine's paths, as names for expressions (eval/eval.h). */
int export_resolve(void *sim, const char *name, uint64_t *id, struct err *e);
double export_get(void *sim, uint64_t id, unsigned element);

/* The table `events`, written as they happen; NULL: it cannot be opened. */
struct event_log;
struct event_log *event_log_open(const char *path, bool crlf, struct err *e);
/* -1 with e: the rest could not be written and event_log_flush() has not reported it. l may be
 * NULL. */
int event_log_close(struct event_log *l, struct err *e);
const char *event_log_path(const struct event_log *l);
/* The first event of that run that is not in the log. */
uint64_t event_log_next(const struct event_log *l, unsigned run);
/* Writes the events of that run since the last call. seq: the event that happens now, UINT64_MAX:
 * none. A seq that was already written means that the machine went back in time. Returns the number
 * of events that were dropped before they could be written, which is 0 except at the first call in
 * a running simulation. */
uint64_t event_log_add(struct event_log *l, struct sim *s, unsigned run, uint64_t seq);
/* Writes all buffered rows to the file. -1 with e, only once: the log accepts nothing more. */
int event_log_flush(struct event_log *l, struct err *e);

/* ---------------------------------------------------------------- tables of texts */

struct export_rows {
	char **cell;	/* the header, then the rows, n_columns each */
	uint64_t *line; /* line of the file where each row begins, the header's first */
	unsigned n_columns;
	size_t n_rows; /* not counting the header */
	bool cut;      /* the last line was incomplete and was dropped */
	char *text;
};

/* Reads a whole table. If the file ends within its last row, as after a crash during an append,
 * that row is dropped. */
int export_rows_read(const char *path, struct export_rows *r, struct err *e);
void export_rows_free(struct export_rows *r);
int export_rows_column(const struct export_rows *r, const char *name); /* -1: none */
/* Is it the table of a sweep? Its columns before `status` identify the run. */
bool export_rows_is_sweep(const struct export_rows *r);

/* Writes a row; NULL fields are empty. */
void export_row(FILE *to, const char *const *field, unsigned n);
/* Formats a number for a table: "" if unknown. */
void export_number(double v, char *buf, size_t size);

/* Reads a `stats` table row by row; NaN: unknown value. */
int export_read_stats(const char *path,
		      void (*fn)(void *ctx, const char *name, double value, const char *unit),
		      void *ctx, struct err *e);

#endif
