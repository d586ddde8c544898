/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_view.h - two finished runs as a picture, without a terminal: how B differs from A, on
 * which core and when; where the core cycles of both went; and a table of what differs.
 *
 * The row of the table that is chosen is the column that the heat shows, so choosing and scrolling
 * are one. A cell of the heat is B - A: two hues for less and more that meet in a colour that is
 * neither. Where there are more cores than rows, each is the mean of as many neighbours or their
 * largest difference; the legend says which.
 */
#ifndef TUI_COMPARE_VIEW_H
#define TUI_COMPARE_VIEW_H

#include "export/compare.h"
#include "tui/canvas.h"
#include "tui/paint.h"

struct compare_view {
	const struct compare *compare; /* borrowed */
	const struct painter *painter; /* of the frame that is drawn, */
	enum depth depth;	       /* and of how many colours */
	unsigned item;		       /* chosen: a place in compare->item */
	unsigned top;		       /* the first row of the table in view */
	int rows;		       /* of the table in the last frame */
	bool largest; /* of cores that share a row: the largest difference, not the mean */

	struct compare_map map; /* of the chosen column; mapped says for which, and how wide */
	unsigned mapped;
	int mapped_w;
	struct err why; /* there is none */
};

/* Where things are; h 0: not on this screen. */
struct compare_layout {
	int legend_y, strip_y, strip_h, label, axis_y, class_y, class_h, class_w, table_x, table_y,
		table_w, table_h, keys_y;
};

/* column: as compare_column() takes it; it is one. */
void compare_view_init(struct compare_view *v, const struct compare *c, const char *column);
void compare_view_free(struct compare_view *v);
/* All but the last row, which the screen draws. */
void compare_view_draw(struct compare_view *v, struct canvas *c);
/* The row so many below the chosen one, or above it. */
void compare_view_choose(struct compare_view *v, int by);

/* ---- its parts ---- */

void compare_layout_compute(struct compare_layout *l, const struct compare_view *v, int w, int h);
/* Makes the map of the chosen column for a screen of that width. */
void compare_heat_prepare(struct compare_view *v, int w);
int compare_heat_label(int w); /* columns left of the strip */
/* Legend, strip and time axis. */
void compare_heat_draw(struct compare_view *v, struct canvas *c, const struct compare_layout *l);
void compare_classes_draw(const struct compare_view *v, struct canvas *c);
int compare_help_draw(struct canvas *c); /* what it shows, in words; rows */
void compare_table_draw(struct compare_view *v, struct canvas *c);

#endif
