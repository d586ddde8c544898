/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * work.h - compares a run with a reference at the same work: the thread instructions that the run
 * has executed up to each cycle, and the cycles that the reference needed for them.
 */
#ifndef TUI_WORK_H
#define TUI_WORK_H

#include "ctascope/session.h"
#include "tui/columns.h"

/* A cache of sums; begin with zeros. */
struct work {
	double *done;  /* thread instructions executed up to the end of each sample */
	double before; /* up to the beginning of the first */
	double total;  /* up to the present cycle of the machine, which may be within a sample */
	unsigned n, room;
	uint64_t generation;
	const struct sim *sim;
};

void work_free(struct work *w);
/* Adds the new samples of the machine, and its present cycle. */
void work_update(struct work *w, const struct sim *sim);
/* Returns the thread instructions executed up to a cycle: exact at the present cycle and at the
 * ends of samples, interpolated between them. */
double work_at(const struct work *w, cycle_t cycle);
/* Returns the cycle at which the run had executed so many thread instructions; NaN: it has not. */
double work_cycle(const struct work *w, double work);

/* Writes for each column the reference's IPC over the column's work. */
void work_reference_ipc(const struct work *w, const struct time_columns *k,
			const struct reference_view *r, double *to);
/* Returns how many cycles later than this run the reference had done the work that the run has done
 * at a cycle: the cumulative lead. Negative: the reference was earlier; NaN: it has not come so far
 * yet, or nothing is done. */
double work_lead(const struct work *w, const struct reference_view *r, cycle_t cycle);
/* Writes the lead at the end of each column. */
void work_lead_line(const struct work *w, const struct time_columns *k,
		    const struct reference_view *r, double *to);
/* Returns the cycles that the reference needs for the work done at a cycle, divided by this run's;
 * NaN: unknown. */
double work_speedup(const struct work *w, const struct reference_view *r, cycle_t cycle);

#endif
