/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare.h - reads and compares the tables of two finished runs. It is the second facade of this
 * folder, for the command and the pane that show the result.
 *
 * A table is the output of `dump csv stats`, `series`, `mem` or `cores`. It becomes items, one per
 * statistic or column. The instances of a core, channel or slice are folded into one item: a sum of
 * counts or a mean over time; without a value where neither follows from the table, as for a rate
 * per access or a state. Two items differ if any of their numbers differ, even if the sums are
 * equal.
 */
#ifndef EXPORT_COMPARE_H
#define EXPORT_COMPARE_H

#include "ctascope/sim.h"
#include "export/export.h"

enum compare_kind { COMPARE_STATS, COMPARE_SERIES, COMPARE_NOW };

struct compare_item {
	char name[96], unit[48]; /* "core.*.l1_misses"; the unit is "" if the name contains it */
	double value[2];	 /* of A and B; NaN: unknown */
	uint64_t hash[2];	 /* of all its numbers, in order */
	unsigned n[2];		 /* numbers; 0: the table does not have the item */
	bool nonzero[2];	 /* some number is known and not 0 */
	bool is_wall_clock; /* depends on wall-clock time, not on the machine: never a difference */
};

struct compare {
	const char *path[2];
	struct export_rows rows[2];
	enum compare_kind kind;
	struct compare_item *item;
	unsigned n_items;
	struct compare_item spare;	    /* instead of an item for which memory ran out */
	bool failed;			    /* that happened */
	unsigned differ, same;		    /* items, without those of the wall clock */
	double class_cycles[2][CC_CLASSES]; /* core cycles; NaN: unknown from the tables */
	double cycles[2];		    /* last cycle of each run; NaN: unknown */
	char early[2][400];		    /* where a file ends early; "": it is whole */
	char spans[300]; /* the lengths of the samples, if they are different; "": equal */
};

/* Reads both tables. -1 with e: a file cannot be read or is not such a table, or the tables are of
 * different kinds. */
int compare_read(struct compare *c, const char *a, const char *b, struct err *e);
/* Compares the present statistics of two machines. */
void compare_sims(struct compare *c, const struct sim *a, const struct sim *b);
/* Makes the counts of c, of two machines, those since an earlier comparison of the same machines,
 * in a common state at a cycle. The name of a rate or a mean, which is since cycle 0, ends in *. */
void compare_count_from(struct compare *c, const struct compare *earlier);
void compare_free(struct compare *c);
bool compare_differs(const struct compare_item *i);
/* Does the item have a sum or a mean, in a table that has the item? */
bool compare_has_value(const struct compare_item *i);
/* Are the sums or means equal, except for rounding? */
bool compare_totals_equal(const struct compare_item *i);
/* Do both tables contain the classes of core cycles? */
bool compare_has_classes(const struct compare *c);
/* A field of a row (0 is the first after the header) as a number; NaN: empty. */
double compare_number(const struct export_rows *r, size_t row, int column);

struct session;
void session_print_compare(struct session *s, const struct compare *c); /* cmd_compare.c */

/* A column of `series` or `mem` over time and over cores or channels; A and B cover the same
 * cycles. A column about the whole GPU has one instance. */
struct compare_map {
	unsigned instances, columns;
	bool is_gpu;
	cycle_t per;	   /* cycles of a column */
	double *value[2];  /* instances x columns; NaN: no sample */
	double most;	   /* of |B - A| */
	const char *title; /* of the column */
};
/* Finds the column of a name, with or without its unit; NULL: the running CTAs, or the first
 * column of numbers. -1 with e: none. */
int compare_column(const struct compare *c, const char *column, struct err *e);
/* Is a column of series or mem one of series.def? NULL: it is not. */
const struct series_row *compare_series_row(const struct export_rows *r, const char *column);
/* Computes the map of a column; it has at most w columns. */
int compare_map(const struct compare *c, const char *column, unsigned w, struct compare_map *m,
		struct err *e);
void compare_map_free(struct compare_map *m);
/* Writes the name of an instance: "12", or "GPU". */
void compare_map_name(const struct compare_map *m, unsigned instance, char *buf, size_t size);

#endif
