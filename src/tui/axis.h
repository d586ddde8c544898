/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * axis.h - the time axis that all heat panes share: the cycles of each column, and the cursor.
 *
 * Column x shows the cycles (t0 + x*per, t0 + (x+1)*per]. Time runs from left to right and columns
 * fill one by one. When the last column is full, either every column takes one more sample (fit) or
 * the view jumps by half its width (zoomed). A new sample therefore changes one column, and a frame
 * costs little. At the start of a run each sample takes several columns, up to AXIS_FINEST, so that
 * half of the width is filled early. Zooming in goes on to one cycle per column: what the samples
 * do not know then is replayed (replay.h). A run that has ended fills the whole width.
 */
#ifndef TUI_AXIS_H
#define TUI_AXIS_H

#include "ctascope/base.h"

#define AXIS_FINEST 16 /* most columns that one sample takes */

struct axis {
	cycle_t t0;	/* first cycle shown */
	cycle_t per;	/* cycles per column; whole samples or parts of one until the run ends */
	cycle_t base;	/* the length of a sample */
	cycle_t now;	/* cycles that the run has executed */
	cycle_t from;	/* the run is shown from after this cycle; 0: all of it */
	bool ended;	/* the run has ended */
	cycle_t cursor; /* the cycle that the user looks at; CYCLE_NEVER: the newest */
	int w;		/* columns */
	bool fit;	/* the whole run is shown */
	bool follow;	/* the view moves so that the newest cycle stays visible */
};

void axis_init(struct axis *a);
/* Called once per frame, with the cycle, the length of a sample and the width as they are now. */
void axis_update(struct axis *a, cycle_t now, bool ended, cycle_t base, int w);

int axis_column(const struct axis *a, cycle_t cycle); /* -1: not in view */
int axis_cursor_column(const struct axis *a);	      /* -1 when the cursor is at the newest */
cycle_t axis_cursor(const struct axis *a);	      /* the cursor's cycle, or the newest */

void axis_zoom(struct axis *a, int by); /* +1 in, -1 out; keeps the cursor's column */
void axis_zoom_at(struct axis *a, int by, int column); /* keeps that column */
void axis_fit(struct axis *a);
void axis_show_range(struct axis *a, cycle_t from,
		     cycle_t to); /* at the finest scale that shows all */
void axis_pan(struct axis *a, int columns);
/* Moves the cursor by columns; where all of the run is shown, at least by a sample. */
void axis_move(struct axis *a, int columns);
void axis_goto(struct axis *a, cycle_t cycle);
void axis_follow(struct axis *a); /* the cursor moves to the newest and stays there */

/* A round distance between labels at least `columns` apart: 1, 2 or 5 times a power of ten. */
cycle_t axis_tick(const struct axis *a, int columns);

#endif
