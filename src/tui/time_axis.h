/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_axis.h - draws the line below the panes over time and, while the user asks for them, the
 * marks of events above it.
 */
#ifndef TUI_TIME_AXIS_H
#define TUI_TIME_AXIS_H

#include "tui/canvas.h"
#include "tui/columns.h"

struct screen;

/* The events of each column, as far as they are still kept. */
struct axis_marks {
	uint64_t kinds; /* EV_BIT of the kinds shown; 0: none */
	struct time_columns columns;
	uint8_t *kind; /* for each column the most important kind, EV_KINDS if none */
	int size;
	uint64_t seen; /* events before this one are counted */
};

void axis_marks_free(struct axis_marks *m);

/* Draws labels, kernel boundaries, period ticks, bookmarks and the cursor; if the canvas has two
 * rows, marks in the upper one. */
void time_axis_draw(struct screen *s, struct canvas *c);

/* Upright dotted lines in a pane over time where the user changed something: in its blank cells. */
void time_axis_draw_changes(const struct screen *s, struct canvas *c);

#endif
