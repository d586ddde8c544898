/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time_axis.h - the line below the panes over time, and above it, while they are asked for, the
 * marks of events.
 */
#ifndef TUI_TIME_AXIS_H
#define TUI_TIME_AXIS_H

#include "tui/canvas.h"
#include "tui/columns.h"

struct screen;

/* The events of each column, as far as the ring of events still has them. */
struct axis_marks {
	uint64_t kinds; /* EV_BIT of those shown, 0: none */
	struct time_columns columns;
	uint8_t *kind; /* of each column: the one that weighs most, EV_KINDS for none */
	int size;
	uint64_t seen; /* events before this one are in it */
};

void axis_marks_free(struct axis_marks *m);

/* Labels, kernel boundaries, period ticks, bookmarks, cursor; with two rows, marks in the upper. */
void time_axis_draw(struct screen *s, struct canvas *c);

/* Upright dotted lines in a pane over time where the user changed something: in its blank cells. */
void time_axis_draw_changes(const struct screen *s, struct canvas *c);

#endif
