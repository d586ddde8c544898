/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view.h - a pane as it is shown: which pane, of what, and what it keeps between frames.
 *
 * The screen has one view of every pane, without an argument, and those that `pane NAME ARG` and
 * layouts asked for. Views stay where they are in memory until the screen ends or, when there are
 * too many, until they are the ones that were looked at longest ago.
 */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "ctascope/pane.h"
#include "tui/heat.h"

#define VIEWS_MAX 64 /* panes of the table and those with an argument */
#define VIEW_ARG 256

/* Which values the ends of the ramp (or of the y axis) stand for. */
enum range_how {
	RANGE_AUTO,	  /* the pane's choice: it holds all values and grows with them */
	RANGE_PERCENTILE, /* leaves out `percent` of the values at either end */
	RANGE_FIXED	  /* lo to hi */
};
struct view_range {
	enum range_how how;
	double percent, lo, hi;
};

/* What the rows of a strip were in the last frame: row y below its title shows core top + 2 * y /
 * half, of n; or, cores being folded into so many rows, those from y * n / folded on. half 0: they
 * are no cores. */
struct view_rows {
	unsigned top, half, folded, n;
};

struct pane_view {
	const struct pane_ops *ops; /* NULL: free */
	char arg[VIEW_ARG];	    /* "core.ipc"; "" for the pane's own choice */
	struct heat_cache heat;	    /* of a strip */
	struct view_range range;    /* set by `range` */
	struct heat_range shown;    /* in the last frame; both 0: it has no range */
	struct view_rows rows;	    /* of a strip */
	void *own;		    /* the pane's, from open() to close() */
	uint64_t seen;		    /* number of the last frame it was in, or when it was made */
	bool in_frame;		    /* it was in the last frame */
};

/* Views of all panes of the table, closed by views_free(). */
void views_init(struct screen *s);
void views_free(struct screen *s);

/* The view of a pane, from "NAME" or "NAME ARG"; opened if there is none. NULL with e. */
struct pane_view *view_get(struct screen *s, const char *text, struct err *e);
/* That of a pane without argument; never NULL for a pane of the table. */
struct pane_view *view_of(struct screen *s, const struct pane_ops *pane);

bool view_timed(const struct pane_view *v); /* stands over the time axis */
bool view_applies(const struct screen *s, const struct pane_view *v);

#endif
