/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare.h - two tables of finished runs, read and set against each other; beside export.h a
 * facade of its own, for the command and the screen that show them.
 *
 * A table is what `dump csv stats`, `series`, `mem` or `cores` wrote. It becomes items: one per
 * statistic or column. Those of one core, channel or slice of many are folded into one, a sum of
 * counters or a mean over time, but whether they differ is asked of each number.
 */
#ifndef EXPORT_COMPARE_H
#define EXPORT_COMPARE_H

#include "ctascope/sim.h"
#include "export/export.h"

enum compare_kind { COMPARE_STATS, COMPARE_SERIES, COMPARE_NOW };

struct compare_item {
	char name[96], unit[48]; /* "core.*.l1_misses"; the unit "" where the name has it */
	double value[2];	 /* of A and B; NaN: unknown */
	uint64_t hash[2];	 /* of all numbers in it, in order */
	unsigned n[2];		 /* numbers; 0: the table has no such item */
	bool other[2];		 /* some are known and not 0 */
	bool wall; /* of the clock on the wall, not of the machine: never a difference */
};

struct compare {
	const char *path[2];
	struct export_rows rows[2];
	enum compare_kind kind;
	struct compare_item *item;
	unsigned n_items;
	unsigned differ;		    /* items */
	double class_cycles[2][CC_CLASSES]; /* core cycles; NaN: the tables do not say */
	double cycles[2];		    /* where the runs stood; NaN: likewise */
};

/* Reads both. -1 with e: a file that cannot be read, is no such table, or another one than the
 * first. */
int compare_read(struct compare *c, const char *a, const char *b, struct err *e);
/* The statistics of two machines as they stand. */
void compare_sims(struct compare *c, const struct sim *a, const struct sim *b);
void compare_free(struct compare *c);
bool compare_differs(const struct compare_item *i);
/* The same sum or mean, but for rounding, of numbers that may be others. */
bool compare_spread(const struct compare_item *i);
/* Do the tables say where the core cycles went, in both runs? */
bool compare_has_classes(const struct compare *c);
/* A field of a row (0 is the first behind the header) as a number; NaN: empty. */
double compare_number(const struct export_rows *r, size_t row, int column);

struct session;
void session_say_compare(struct session *s, const struct compare *c); /* cmd_compare.c */

/* A column of `series` or `mem` over cores or channels and time, A and B in the same cycles. */
struct compare_map {
	unsigned instances, columns;
	cycle_t per;	   /* cycles of a column */
	double *value[2];  /* instances x columns; NaN: no sample */
	double most;	   /* of |B - A| */
	const char *title; /* of the column */
};
/* The column that a name means, its unit left out or not; NULL: the running CTAs, or the first that
 * holds numbers. -1 with e: none. */
int compare_column(const struct compare *c, const char *column, struct err *e);
/* w: columns there is room for. */
int compare_map(const struct compare *c, const char *column, unsigned w, struct compare_map *m,
		struct err *e);
void compare_map_free(struct compare_map *m);

#endif
