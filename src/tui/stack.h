/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stack.h - draws numbers of cores over time as a stack: from the bottom up, how many cores are of
 * each kind. A kind has a heat code, so its colour, or its glyph on a terminal without colours, is
 * the one it has in the strips.
 */
#ifndef TUI_STACK_H
#define TUI_STACK_H

#include "tui/canvas.h"
#include "tui/columns.h"
#include "tui/paint.h"

struct stack {
	const double *count; /* kinds rows of w columns, from the bottom up; NaN: unknown */
	const uint8_t *code; /* the heat code of each kind */
	unsigned kinds;
	int w;
	double cores;  /* the height of the area */
	unsigned most; /* levels are whole numbers up to this, which digits show; 0: they are not */
};

/* Fills the area. A row, or half of one where the terminal draws both halves, shows the kind that
 * its middle falls in; what is left at the top stays blank. cursor: its column, -1: none. */
void stack_draw(const struct stack *k, struct canvas *area, const struct painter *p, int cursor);

/* Counts the cores of each kind in a column, as means over the column's samples (columns.h).
 * kind_of() returns the kind of a core in a sample, or -1. */
void stack_count(const struct sim *sim, const struct time_column *col, unsigned cores,
		 int (*kind_of)(const struct sim *sim, unsigned core, unsigned sample),
		 double *count, unsigned kinds, int w);

#endif
