/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * axis.h - the time axis all heat panes share: which cycles each column stands for, and the cursor.
 *
 * Column x stands for the cycles (t0 + x*per, t0 + (x+1)*per]. Time runs left to right and
 * columns are filled one by one; when the last is full, each gets one more sample (fit) or the view
 * jumps half its width (zoomed). So a new sample changes one column, and a frame costs little.
 * While there are few samples each has several columns, up to AXIS_FINEST, so that half of the
 * width is filled from early on; a run that has ended has all of it.
 */
#ifndef TUI_AXIS_H
#define TUI_AXIS_H

#include "ctascope/base.h"

#define AXIS_FINEST 16 /* columns of a sample, at most */

struct axis {
	cycle_t t0;	/* first cycle shown */
	cycle_t per;	/* cycles per column: whole samples or parts of one, but when ended */
	cycle_t base;	/* the length of a sample */
	cycle_t now;	/* cycles done */
	cycle_t from;	/* of which the first to be shown is behind this one; 0: all */
	bool ended;	/* there will be no more */
	cycle_t cursor; /* where the reader looks; CYCLE_NEVER: at the newest */
	int w;		/* columns */
	bool fit;	/* the whole run is shown */
	bool follow;	/* the newest stays in view */
};

void axis_init(struct axis *a);
/* Once per frame: time went on, samples got longer, the screen another width. */
void axis_update(struct axis *a, cycle_t now, bool ended, cycle_t base, int w);

int axis_column(const struct axis *a, cycle_t cycle); /* -1: not in view */
int axis_cursor_column(const struct axis *a);	      /* -1 when the cursor is at the newest */
cycle_t axis_cursor(const struct axis *a); /* the cycle looked at, now when at the newest */

void axis_zoom(struct axis *a, int by); /* +1 in, -1 out; keeps the cursor's column */
void axis_zoom_at(struct axis *a, int by, int column); /* the same, of another column */
void axis_fit(struct axis *a);
void axis_show_range(struct axis *a, cycle_t from, cycle_t to); /* and as little else as may be */
void axis_pan(struct axis *a, int columns);
void axis_move(struct axis *a, int columns); /* the cursor; by samples where they are wider */
void axis_goto(struct axis *a, cycle_t cycle);
void axis_follow(struct axis *a); /* cursor to the newest, and stay there */

/* A round distance between labels at least `columns` apart: 1, 2 or 5 times a power of ten. */
cycle_t axis_tick(const struct axis *a, int columns);

#endif
