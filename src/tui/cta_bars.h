/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cta_bars.h - the CTAs of a slot, or of a whole core, as bars over the time axis.
 *
 * A row has a cell for each column of the axis. A cell says what the CTA in the slot did in the
 * cycles of its column, and which of its events are in them. Everything is a glyph, so a bar can be
 * read without colours:
 *
 *     [41####p////r###]    issued, runs, paused, resumed, runs, ended (in ASCII)
 */
#ifndef TUI_CTA_BARS_H
#define TUI_CTA_BARS_H

#include "export/lifetimes.h"
#include "tui/axis.h"

struct canvas;
struct screen;

#define BAR_NO_CTA UINT32_MAX

struct bar_cell {
	uint32_t cta;	    /* index of the latest CTA in the column, or BAR_NO_CTA */
	uint16_t issues;    /* events of the column */
	uint16_t running;   /* CTAs running at the end of the column; 0 or 1 for a slot */
	uint16_t suspended; /* paused and held CTAs, for a core */
	bool ends, pauses, resumes;
	bool unknown;  /* the events that would tell are no longer kept */
	uint8_t state; /* enum cta_state of the latest CTA */
};

/* Composes the cells of slot `slot` of the core, or of the whole core if slot is -1. cell has
 * axis->w elements. */
void bars_compose(const struct cta_lifetimes *l, const struct axis *a, int core, int slot,
		  struct bar_cell *cell);
/* Returns the CTA in a slot of a core at a cycle, NULL if none is known. */
const struct cta_lifetime *bars_cta_at(const struct cta_lifetimes *l, int core, int slot,
				       cycle_t cycle);
/* The colour of a kernel, one of four in turn. */
enum role kernel_role(uint32_t kernel);
/* Draws rows y to y + h - 1 of a slot, starting at column x. */
void bars_draw_slot(const struct screen *s, const struct cta_lifetimes *l,
		    const struct bar_cell *cell, struct canvas *c, int x, int y, int h);
/* Draws the row of a core with that many slots; each cell shows how many CTAs run. */
void bars_draw_core(const struct screen *s, const struct bar_cell *cell, struct canvas *c, int x,
		    int y, unsigned slots);
/* Draws the meaning of the glyphs from column x on, as much as fits. */
void bars_legend(const struct screen *s, struct canvas *c, int x, bool of_core);
/* Whether many of the cells that hold a CTA hold several. */
bool bars_are_dense(const struct bar_cell *cell, int w);

#endif
