/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overtime.h - expressions over the time series: "sum(core.*.n)" for every sample.
 *
 * The language is that of eval/eval.h, but a name stands for a row of ctascope/series.def in the
 * requested sample, not for the present machine:
 *     core.5.ract  core.*.n  mem.2.dram_util  mem.*.queue  gpu.ipc
 *     core.ract    the same as core.*.ract; so are ract alone and mem.queue
 *     credits.local.5  credits.global   the same as core.5.credits_local and gpu.credits_global
 *     $cycle  $span    the core cycle at which the sample ended, and its length in cycles
 * The columns of `dump csv series` and `mem` are names too (core.5.lat_rt_cycles, gpu_ract_ratio).
 * Case is ignored.
 */
#ifndef EXPORT_OVERTIME_H
#define EXPORT_OVERTIME_H

#include "ctascope/sim.h"

enum overtime_group { OVERTIME_CORE, OVERTIME_MEM, OVERTIME_GPU, OVERTIME_GROUPS };

/* The source of time series: a run, or a table read from a file. Sample 0 is the oldest; field
 * is an SC_, SM_ or SG_ of the group, k the core or channel; unknown values are NaN. */
struct overtime_source {
	const void *ctx;		     /* borrowed */
	unsigned instances[OVERTIME_GROUPS]; /* cores, channels, 1 */
	double (*value)(const void *ctx, enum overtime_group g, unsigned field, unsigned k,
			unsigned sample);
	unsigned (*count)(const void *ctx); /* samples */
	cycle_t (*end)(const void *ctx, unsigned sample);
	cycle_t (*span)(const void *ctx, unsigned sample);
	uint32_t (*kernel)(const void *ctx, unsigned sample); /* ordinal, as series_kernel() */
	/* As series_core_weight(); NULL: unknown, so that every mean is weighted by cycles. */
	double (*weight)(const void *ctx, enum overtime_group g, unsigned field, unsigned k,
			 unsigned sample);
};
struct overtime_source overtime_source_sim(const struct sim *s);
/* Its value and weight, for a source whose struct sim changes. */
double overtime_sim_value(const void *sim, enum overtime_group g, unsigned field, unsigned k,
			  unsigned sample);
double overtime_sim_weight(const void *sim, enum overtime_group g, unsigned field, unsigned k,
			   unsigned sample);

/* The tables `series` and `mem` of one run, read from files; either may be missing. */
struct overtime_table;
struct export_rows;
struct overtime_table *overtime_table_new(void);
void overtime_table_free(struct overtime_table *t);
/* Is this the header of one of them? */
bool overtime_table_fits(const struct export_rows *r);
/* -1 with e: not a table of one run with all its cores or channels in each sample. path is used
 * in e. */
int overtime_table_add(struct overtime_table *t, const struct export_rows *r, const char *path,
		       struct err *e);
struct overtime_source overtime_table_source(const struct overtime_table *t);

struct overtime;

/* Returns NULL with e and a caret if text is not an expression over time series. The sim, or
 * what the source borrows, must live longer; samples may be added, dropped and merged meanwhile. */
struct overtime *overtime_new(const struct sim *s, const char *text, struct err *e);
struct overtime *overtime_new_from(const struct overtime_source *from, const char *text,
				   struct err *e);
void overtime_free(struct overtime *o);

unsigned overtime_size(const struct overtime *o); /* elements in each sample, 1: a number */
/* Its value in sample i, below series_count(); NaN: unknown, or it is a vector. */
double overtime_value(struct overtime *o, unsigned sample);
/* All elements, valid until the next call for o. Neither allocates. */
const double *overtime_vector(struct overtime *o, unsigned sample);
/* What an element counts in a mean over samples, per cycle of the sample: the accesses per cycle
 * (series_row.is_rate) where the only name of the expression is a rate per access, else 1. So the
 * mean of a rate is the ratio of the sums over these samples. */
double overtime_weight(const struct overtime *o, unsigned sample, unsigned element);

const char *overtime_label(const struct overtime *o); /* the text, without blanks at its ends */
/* The unit of its names, if they share one and no operator changes it; else "". */
const char *overtime_unit(const struct overtime *o);
/* Does it read a level, such as a limit: a value at the ends of samples (series_row.level)? */
bool overtime_has_level(const struct overtime *o);
/* If the expression is a single series without an operator, sets its group and field and returns
 * true. */
bool overtime_is_series(const struct overtime *o, enum overtime_group *g, unsigned *field);

extern const char *const overtime_group_names[OVERTIME_GROUPS]; /* "core", "mem", "gpu" */
unsigned overtime_fields(enum overtime_group g);
const struct series_row *overtime_row(enum overtime_group g, unsigned field);
/* Calls fn with every name, starred where it has instances, for completion and help. */
void overtime_each_name(void (*fn)(void *ctx, const char *path, const char *unit, const char *help),
			void *ctx);

#endif
