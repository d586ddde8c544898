/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heat.h - one value of every core (or memory channel) over time, as a strip of cells.
 *
 * A row of cells holds two cores (half blocks) or one; few cores on a tall screen get several
 * rows each; of more cores than fit neighbours share a cell, as `fold` says: it is their mean, or
 * the largest (of categories the most frequent), and off where more than half of them are, or all;
 * or each has its own, and the strip scrolls to the core in focus. A column shows the mean of its
 * samples (for categories and registers, the last). Where a sample is wide enough its number stands
 * in its cell. Codes are cached, so that a frame computes only columns that got new samples.
 */
#ifndef TUI_HEAT_H
#define TUI_HEAT_H

#include "ctascope/sim.h"
#include "tui/columns.h"

struct canvas;
struct overtime;
struct pane_view;
struct screen;

enum heat_kind { HEAT_MEAN, HEAT_LAST, HEAT_CATEGORY };
enum heat_rows { HEAT_CORES, HEAT_CHANNELS };

/* How every strip is read, and the end of what its pane_ops.range says. */
extern const char heat_read[];
#define HEAT_RANGE                                                                                 \
	" The title says it. `range` sets another, as do r (without the outermost values), ( and " \
	")."

/* What a heat pane shows. */
struct heat_source {
	const char *title; /* "CTAs running" */
	const char *unit;  /* behind the range in the legend; NULL: the title says it */
	enum heat_rows rows;
	unsigned field; /* SC_... or SM_... */
	/* Or a value per row of each sample, valid until the next call; fn NULL: the series. */
	const double *(*values)(void *ctx, unsigned sample);
	void *ctx;
	enum heat_kind kind;
	unsigned decimals;
	bool count; /* grows with the length of a sample: shown per heat_count_cycles() */
	double hi;  /* upper end of the range; 0: grows with the values */
	double (*least_hi)(const struct screen *s); /* where a growing range begins; NULL: at 1 */
	/* Why there is nothing to show, or NULL. */
	bool (*missing)(const struct screen *s, char *why, size_t size);
};

/* What the ends of the ramp, or of a y axis, stand for. */
struct heat_range {
	double lo, hi;
};

struct heat_cache {
	struct time_columns columns;
	uint8_t *code; /* rows x w */
	size_t size;
	unsigned rows;
	double per_count; /* heat_count_cycles() */
	struct heat_range range;
	double most, least; /* of the samples in the range so far */
	unsigned ranged;    /* samples that the range is made of */
};

void heat_cache_free(struct heat_cache *h);

/* Draws title with legend, and strip. */
void heat_draw(struct screen *s, struct pane_view *view, struct canvas *c,
	       const struct heat_source *src);

unsigned heat_rows_of(const struct screen *s, enum heat_rows rows);
/* Counts (C_mem) are shown as so many per this number of cycles: the policy's period, which its
 * thresholds are for, or 1,000. */
cycle_t heat_count_cycles(const struct screen *s);

int heat_label_width(unsigned cores);		/* columns left of the strip */
unsigned heat_half_rows(unsigned cores, int h); /* half rows per core that fit: 1, 2, 4, 6 ... */

#endif
