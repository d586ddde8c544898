/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_part.h - private to src/plot: the contents of a report, from any source. */
#ifndef PLOT_REPORT_PART_H
#define PLOT_REPORT_PART_H

#include "plot/plot_part.h"

struct report_stat {
	char name[64], unit[40];
	double value;
};

struct report_decision {
	cycle_t cycle;
	uint64_t seq;
	char event[24], by[64]; /* "pause", the policy and its rule */
	char text[240];
};

struct report {
	struct plot_run run;
	char title[300], name[80];    /* name: among two runs */
	const char *machine, *policy; /* NULL: only the title is known */
	struct report_stat *stat;
	unsigned n_stats;
	struct report_decision *decision; /* in order */
	size_t n_decisions;
	uint64_t dropped; /* events that were not kept */
	cycle_t *kernel;  /* starts of the kernels */
	bool failed;	  /* memory ran out */
};

void report_add_stat(void *report, const char *name, double value, const char *unit);
/* Appends a decision to be filled in; NULL: out of memory. */
struct report_decision *report_add_decision(struct report *r);
void report_free(struct report *r);
/* Writes the page of one run, or of two beside each other; with their first difference unless that
 * is NULL. */
int report_write(struct report *r, unsigned n, const struct report_difference *difference,
		 const char *path, struct err *e);

#endif
