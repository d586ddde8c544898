/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_view.h - a race as a picture, without a terminal and without processes.
 *
 * The lanes' heat strips stand side by side where each gets RACE_LANE_W columns, else one above the
 * other, all over the same cycles; below them a row per lane with its CTAs done as a bar, so that
 * who is ahead is seen at a glance, and at the end the results; then the first difference.
 */
#ifndef TUI_RACE_VIEW_H
#define TUI_RACE_VIEW_H

#include "lab/lab.h"
#include "tui/axis.h"
#include "tui/canvas.h"
#include "tui/paint.h"

#define RACE_LANE_W 48

struct race_view {
	const struct race *race; /* borrowed */
	char workload[64];
	const struct painter *painter; /* of the frame that is drawn */
	bool unicode;
	struct axis axis;
	unsigned series; /* shown: a place in race_shown */
	bool running;
	unsigned pace; /* samples per second of wall time, 0: as fast as it goes */

	bool focus; /* one looks at a core and a cycle, of all lanes */
	unsigned core;
	cycle_t cycle;
};

/* Where things are; rows and columns of the canvas, h 0: not on this screen. */
struct race_layout {
	bool side; /* by side */
	int legend_y, lanes_y, lanes_h, lane_w, lane_h, label, strip_w, strip_h, axis_y, table_y,
		table_h, differ_y, differ_h, keys_y;
};

struct race_shown {
	const char *title;
	enum race_field field;
	double hi; /* of the range; 0: the largest there is */
};
extern const struct race_shown race_shown[];
extern const unsigned n_race_shown;

void race_view_init(struct race_view *v, const struct race *r, const char *workload);
/* All but the last row, which the screen draws. */
void race_view_draw(struct race_view *v, struct canvas *c);

/* ---- what its reader chooses (race_focus.c) ---- */

void race_view_pace_text(const struct race_view *v, char *buf, size_t size);
/* A number of samples per second, max, slower, faster. */
int race_view_set_pace(struct race_view *v, const char *word, struct err *e);
/* A title or its beginning, a number from 1, next, previous. */
int race_view_set_series(struct race_view *v, const char *word, struct err *e);
/* To the core and cycle of a place on a screen of that size, and from there on; false: to none. */
bool race_view_click(struct race_view *v, int x, int y, int w, int h);
bool race_view_move(struct race_view *v, int cores, int columns);
/* What each lane is like there. */
void race_view_focus_text(const struct race_view *v, char *buf, size_t size);

/* ---- its parts ---- */

void race_layout_compute(struct race_layout *l, const struct race_view *v, int w, int h);
cycle_t race_view_now(const struct race *r); /* where the furthest lane stands */
/* The strip of a lane into a canvas of its own, label included; and the axis below. */
void race_strip_draw(const struct race_view *v, struct canvas *c, unsigned lane, int label,
		     double hi);
/* IPC over the same cycles, on one scale for all lanes. */
void race_strip_ipc(const struct race_view *v, struct canvas *c, unsigned lane);
void race_strip_axis(const struct race_view *v, struct canvas *c, int label);
double race_strip_hi(const struct race_view *v);
/* How many cores a half row is the mean of, 1: each has its own. */
unsigned race_strip_fold(const struct race *r, int rows);
/* Cores of a row of a strip so many rows high, from *first on; 0: none. */
unsigned race_strip_cores(const struct race *r, int rows, int row, unsigned *first);
int race_strip_rows(const struct race *r, int rows);		    /* that it uses of so many */
void race_result_draw(const struct race_view *v, struct canvas *c); /* the rows of the lanes */
int race_help_draw(const struct race_view *v, struct canvas *c);

#endif
