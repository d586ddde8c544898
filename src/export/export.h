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
};

struct export_table {
	const char *name, *help;
};
extern const struct export_table export_tables[];
extern const unsigned n_export_tables;

/* Writes table NAME to an open file. */
int export_write(const struct export_job *j, const char *name, FILE *to, struct err *e);
/* The same to a path: through a temporary file beside it, renamed when complete, so that a reader
 * sees the old file or the new one and never half of one. */
int export_file(const struct export_job *j, const char *name, const char *path, struct err *e);

/* Every statistic of the run so far: first the names scripts rely on, then the counters. */
void export_each_stat(const struct sim *s,
		      void (*fn)(void *ctx, const char *name, double value, const char *unit),
		      void *ctx);

/* Reads a table `stats` from a file, row by row; NaN: the value was unknown. */
int export_read_stats(const char *path,
		      void (*fn)(void *ctx, const char *name, double value, const char *unit),
		      void *ctx, struct err *e);

#endif
