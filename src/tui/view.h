/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view.h - a view is a pane as it is shown: which pane, with which argument, and what it keeps
 * between frames.
 *
 * The screen has one view of every pane without an argument, and those that `pane NAME ARG` and
 * layouts asked for. A view keeps its address until the screen closes or, if there are too many,
 * until it is the one that was shown longest ago.
 */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "ctascope/pane.h"
#include "tui/heat.h"

#define VIEWS_MAX 64 /* panes of the table and those with an argument */
#define VIEW_ARG 256

/* How the values at the ends of the ramp (or of the y axis) are chosen. */
enum range_how {
	RANGE_AUTO,	  /* the pane chooses: it holds all values and grows with them */
	RANGE_PERCENTILE, /* leaves out `percent` of the values at either end */
	RANGE_FIXED	  /* lo to hi */
};
struct view_range {
	enum range_how how;
	double percent, lo, hi;
};

/* What the rows of a strip showed in the last frame. Row y below its title shows core top + 2 * y /
 * half, of n cores. If cores are folded into `folded` rows, it shows those from y * n / folded on.
 * half 0: the rows are not cores. */
struct view_rows {
	unsigned top, half, folded, n;
};

struct pane_view {
	const struct pane_ops *ops; /* NULL: the place is free */
	char arg[VIEW_ARG];	    /* "core.ipc"; "": the pane chooses */
	struct heat_cache heat;	    /* for a strip */
	struct view_range range;    /* set by `range` */
	struct heat_range shown;    /* in the last frame; both 0: no range */
	struct view_rows rows;	    /* for a strip */
	void *own;		    /* belongs to the pane, from open() to close() */
	uint64_t seen;		    /* last frame that showed it, or that it was made in */
	bool in_frame;		    /* the last frame showed it */
};

/* Opens the views of all panes of the table; views_free() closes them. */
void views_init(struct screen *s);
void views_free(struct screen *s);

/* Returns the view named by "NAME" or "NAME ARG"; opens it if necessary. NULL with e. */
struct pane_view *view_get(struct screen *s, const char *text, struct err *e);
/* Returns the view of a pane without an argument; never NULL for a pane of the table. */
struct pane_view *view_of(struct screen *s, const struct pane_ops *pane);

bool view_timed(const struct pane_view *v); /* is drawn over the time axis */
bool view_applies(const struct screen *s, const struct pane_view *v);

#endif
