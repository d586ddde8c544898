/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heat.h - draws one value of every core (or memory channel) over time, as a strip of cells.
 *
 * A row of cells holds two cores (half blocks) or one. On a tall screen few cores get several rows
 * each. If there are more cores than fit, `fold` decides: neighbours share a cell, which shows
 * their mean or the largest value (for categories the most frequent one), or every core keeps a row
 * and the strip scrolls to the core in focus. A shared cell shows "off" if more than half of its
 * cores are off; for the largest value, if all are.
 *
 * A column shows the mean of its samples (for categories and registers, the last); columns.h says
 * which these are. Where a sample is wide enough its number is printed in its cell. Codes are
 * cached, so that a frame computes only columns that got new samples.
 */
#ifndef TUI_HEAT_H
#define TUI_HEAT_H

#include "ctascope/sim.h"
#include "tui/columns.h"

struct canvas;
struct overtime;
struct painter;
struct pane_view;
struct screen;

enum heat_kind { HEAT_MEAN, HEAT_LAST, HEAT_CATEGORY };
enum heat_rows { HEAT_CORES, HEAT_CHANNELS };

/* Explains how to read a strip; ends the text of every strip's pane_ops.range. */
extern const char heat_read[];
#define HEAT_RANGE                                                                                 \
	" The title says it. `range` sets another, as do r (without the outermost values), ( and " \
	")."

/* What a heat pane shows. */
struct heat_source {
	const char *title; /* "CTAs running" */
	const char *unit;  /* follows the range in the legend; NULL: the title says it */
	enum heat_rows rows;
	unsigned field; /* SC_... or SM_... */
	/* Or a value per row of each sample, valid until the next call; NULL: use the series. */
	const double *(*values)(void *ctx, unsigned sample);
	/* With values: what a row counts in a mean (overtime_weight()); NULL: its cycles. */
	double (*weight)(void *ctx, unsigned sample, unsigned row);
	void *ctx;
	bool level; /* with values: they hold at the ends of samples (columns.h) */
	enum heat_kind kind;
	unsigned decimals;
	bool count; /* grows with the length of a sample, so it is shown per heat_count_cycles() */
	double hi;  /* upper end of the range; 0: it grows with the values */
	/* Initial upper end of a growing range; NULL: 1. */
	double (*least_hi)(const struct screen *s);
	/* Returns true, with the reason in `why`, if there is nothing to show. NULL: there always
	 * is. */
	bool (*missing)(const struct screen *s, char *why, size_t size);
};

/* What the ends of the ramp, or of a y axis, stand for. */
struct heat_range {
	double lo, hi;
};

/* The thresholds at which the colours of a gauge are cut, both NaN: none; low or high may be NaN.
 */
struct heat_cut {
	double low, high;
	const char *low_name, *high_name;
};

struct heat_cache {
	struct time_columns columns;
	uint8_t *code; /* rows * w codes */
	size_t size;
	unsigned rows;
	double per_count; /* heat_count_cycles() when the codes were computed */
	struct heat_range range;
	struct heat_cut cut;
	double most, least; /* the extremes of the samples counted so far */
	unsigned ranged;    /* samples that the range covers */
};

void heat_cache_free(struct heat_cache *h);

/* Returns hi where the digit of a cell is its value, which is a whole number from 0 to hi; else 0.
 * It is what canvas_digits() takes. */
unsigned heat_whole_range(double lo, double hi);
/* Draws the ramp of a legend in w cells between the ends of its range. Where cells are digits, it
 * has every digit once; if most, from heat_whole_range(), is not 0, these are the values, and no
 * ends are drawn. Returns the columns. */
int heat_draw_ramp(const struct painter *p, struct canvas *c, int x, int w, unsigned most,
		   const char *lo, const char *hi);
/* Draws the title with the legend, and the strip. */
void heat_draw(struct screen *s, struct pane_view *view, struct canvas *c,
	       const struct heat_source *src);

unsigned heat_rows_of(const struct screen *s, enum heat_rows rows);
/* Counts (C_mem) are shown per this number of cycles: the policy's period, since its thresholds
 * refer to one, or 1,000 if it has none. */
cycle_t heat_count_cycles(const struct screen *s);

int heat_label_width(unsigned cores);		/* columns left of the strip */
unsigned heat_half_rows(unsigned cores, int h); /* half rows per core that fit: 1, 2, 4, 6 ... */

#endif
