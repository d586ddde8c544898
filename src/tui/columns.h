/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns.h - finds the columns of the time axis that this frame must compute, and their samples.
 *
 * Where a value is drawn. A sample covers the cycles (start, end], and a column the cycles
 * (from, to]. A rate, a count and a mean belong to the whole sample: a column shows the samples
 * that reach into it. A level (a limit, a number of CTAs, a state; series.def) was read at the end
 * of its sample and says nothing of the cycles before: a column shows the levels read in it and,
 * if none were, the last one before it. So a level changes in the column that contains the end of
 * the sample that saw the change, and never before the decision that caused it. At the ends of
 * periods, where policies decide, a sample ends too: there both are in one column. Before the end
 * of the first sample a level is unknown. An expression that reads a level is one.
 *
 * The same holds at the cursor: of a rate it shows the sample that contains its cycle, of a level
 * the last one read at or before it. All panes over time find their samples by the functions below.
 *
 * A pane over the time axis caches one result per column. Its struct time_columns records which of
 * the results are still valid. A frame with one new sample then computes one column. All columns
 * are computed again only when samples were merged or the axis moved.
 */
#ifndef TUI_COLUMNS_H
#define TUI_COLUMNS_H

#include "ctascope/sim.h"
#include "tui/axis.h"

struct screen;

struct time_columns {
	const struct sim *sim; /* only compared */
	int w;
	cycle_t t0, per;
	uint64_t generation;
	unsigned count; /* samples seen */
	int done;	/* columns whose result is final */
	bool ready;	/* false until the first frame: the cache is empty */
};

/* A column to compute: cycles (from, to]; samples first.. may reach into it. */
struct time_column {
	int x;
	cycle_t from, to;
	unsigned first;
};

/* Begins a frame. Returns true if the cached results are no longer valid, or if the caller passes
 * `again`. The caller then makes room for axis.w columns, and columns_next() returns all of them.
 */
bool columns_begin(struct time_columns *k, const struct screen *s, bool again);
/* Finds the next column to compute; returns false after the last. The caller must call it until
 * then, and must compute each column. */
bool columns_next(struct time_columns *k, const struct screen *s, struct time_column *c);

/* A sample that a column shows, and how much it counts there. Begin with {0}. */
struct column_sample {
	unsigned i;
	double weight; /* cycles */
	bool begun, any;
};

/* Finds the next sample that the column shows of a level or of any other value; returns false after
 * the last. */
bool column_next_sample(const struct sim *sim, const struct time_column *c, bool level,
			struct column_sample *at);

/* Returns the cycles of sample i that lie in the column, 0 if none do. Sets *past when no later
 * sample reaches into the column either. */
double column_part(const struct sim *sim, const struct time_column *c, unsigned i, bool *past);

/* Returns the closed sample that holds the cycle: the newest one at or before it, -1 if there is
 * none yet. */
int series_at(const struct sim *sim, cycle_t cycle);
/* Returns the sample whose levels hold at the cycle: the last that ended at or before it, -1 if
 * there is none. */
int series_level_at(const struct sim *sim, cycle_t cycle);

#endif
