/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heat.h - one value of every core over time, as a strip of cells.
 *
 * A row of cells holds two cores (half blocks) or one; few cores on a tall screen get several
 * rows each; with more cores than fit the strip scrolls to the core in focus. A column shows the
 * mean of its samples (for categories and registers, the last). Codes are cached, so that a frame
 * computes only columns that got new samples.
 */
#ifndef TUI_HEAT_H
#define TUI_HEAT_H

#include "ctascope/sim.h"
#include "tui/axis.h"

struct canvas;
struct pane_view;
struct screen;

enum heat_kind { HEAT_MEAN, HEAT_LAST, HEAT_CATEGORY };

/* What a heat pane shows. */
struct heat_source {
	const char *title; /* "CTAs running" */
	const char *unit;  /* "CTAs" */
	enum series_core_field field;
	enum heat_kind kind;
	unsigned decimals;
	double hi; /* upper end of the range; 0: grows with the values */
	double (*least_hi)(const struct screen *s); /* where a growing range begins; NULL: at 1 */
	/* Why there is nothing to show, or NULL. */
	bool (*missing)(const struct screen *s, char *why, size_t size);
};

struct heat_cache {
	uint8_t *code; /* cores x w */
	int w;
	unsigned cores;
	cycle_t t0, per;
	uint64_t generation;
	unsigned count; /* samples seen */
	int done;	/* columns that will not change any more */
	double hi;
};

void heat_cache_free(struct heat_cache *h);

/* Draws title with legend, and strip. */
void heat_draw(struct screen *s, struct pane_view *view, struct canvas *c,
	       const struct heat_source *src);

/* The axis below a strip of that width: labels, kernel boundaries, period ticks, cursor. */
void heat_axis(const struct screen *s, struct canvas *c);

int heat_label_width(unsigned cores);		/* columns left of the strip */
unsigned heat_half_rows(unsigned cores, int h); /* half rows per core that fit: 1, 2, 4, 6 ... */

/* The closed sample that holds a cycle (the newest at or before it); -1: none yet. */
int series_at(const struct sim *sim, cycle_t cycle);

#endif
