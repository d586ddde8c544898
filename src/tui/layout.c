/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.c - see layout.h. The single layout at 80x24:
 *
 *     header                                            1
 *     heat: title and strip        | inspector: core    1 + 15
 *     axis                         | and policy         1
 *     at, last                                          2
 *     log                                               2
 *     keys, prompt                                      2
 */
#include "tui/layout.h"
#include "tui/heat.h"
#include <string.h>

const struct layout_row layout_rows[LAYOUT_KINDS] = {
	[LAYOUT_AUTO] = {"auto", "one heat pane, or four where the screen is large enough"},
	[LAYOUT_SINGLE] = {"single", "one heat pane with the inspector"},
	[LAYOUT_GRID] = {"grid", "four heat panes over one time axis"},
	[LAYOUT_LOG] = {"log", "one heat pane and a tall log"},
};

#define SIDE_MIN_W 72 /* narrower screens have no inspector */
#define INSPECTOR_ROWS 15
#define GRID_W 120
#define GRID_H 40

/* Takes one row off the bottom of what is left. */
static struct rect
row_from_bottom(struct layout *l, int *bottom)
{
	return (struct rect){0, --*bottom, l->w, 1};
}

static int
side_width(int w)
{
	return w < SIDE_MIN_W ? 0 : w < 100 ? 31 : w < 150 ? 36 : 44;
}

/* Rows of a strip: all cores at the best size that leaves the log its rows, but as many as the
 * inspector beside it needs. */
static int
strip_rows(unsigned cores, int avail, bool tall_log)
{
	static const struct {
		unsigned half;
		int log;
	} step[] = {{4, 10}, {2, 6}, {1, 2}};
	int keep = tall_log ? avail / 2 : 0, most = avail - (avail >= 14 ? MAX(2, keep) : 0);

	for (size_t i = 0; i < ARRAY_LEN(step); i++) {
		int rows = (int)(cores * step[i].half + 1) / 2;
		if (rows <= avail - MAX(step[i].log, keep))
			return MIN(MAX(rows, INSPECTOR_ROWS), most);
	}
	return most;
}

/* Inspector at the right of rows y0..y1: core above, policy below. */
static void
place_side(struct layout *l, int y0, int y1, int side)
{
	int x = l->w - side, h = y1 - y0, core = MIN(h, h >= 26 ? 13 : 10);

	l->sep_x = -1;
	if (side == 0 || h < 3)
		return;
	l->sep_x = x - 1;
	l->sep_y0 = y0;
	l->sep_y1 = y1;
	l->core = (struct rect){x, y0, side, core};
	l->policy = (struct rect){x, y0 + core, side, h - core};
}

static void
place_single(struct layout *l, bool tall_log, int top, int bottom, unsigned cores)
{
	int side = side_width(l->w), avail = bottom - top, axis = avail >= 4, rows;
	int w = side ? l->w - side - 1 : l->w;

	rows = strip_rows(cores, avail - axis - 1, tall_log);
	l->n_heat = 1;
	l->heat[0] = (struct rect){0, top, w, MAX(rows + 1, 0)};
	if (axis)
		l->axis[0] = (struct rect){0, top + rows + 1, w, 1};
	l->log = (struct rect){0, top + rows + 1 + axis, l->w,
			       MAX(bottom - top - rows - 1 - axis, 0)};
	place_side(l, top, top + rows + 1 + axis, side);
}

static void
place_grid(struct layout *l, int top, int bottom, unsigned cores)
{
	int side = side_width(l->w), w = (l->w - side - 2) / 2,
	    avail = (bottom - top - 1 - 2) / 2 - 1, rows;
	int h;

	rows = MIN((int)(cores * heat_half_rows(cores, MAX(avail - 2, 1)) + 1) / 2, avail);
	rows = MAX(rows, 1);
	h = 2 * (rows + 1) + 1;
	l->grid = true;
	l->n_heat = 4;
	for (int i = 0; i < 4; i++)
		l->heat[i] = (struct rect){i % 2 * (w + 1), top + i / 2 * (rows + 1), w, rows + 1};
	for (int i = 0; i < 2; i++)
		l->axis[i] = (struct rect){i * (w + 1), top + h - 1, w, 1};
	l->log = (struct rect){0, top + h, l->w, MAX(bottom - top - h, 0)};
	place_side(l, top, top + h, side);
}

/* The log ends where the fixed rows begin; "at" and "last" stand above it, below the axis. */
void
layout_compute(struct layout *l, enum layout_kind kind, int w, int h, unsigned cores)
{
	int top = 0, bottom = h, above = 0;

	memset(l, 0, sizeof(*l));
	l->w = w;
	l->h = h;
	l->sep_x = -1;
	if (h >= 1)
		l->prompt = row_from_bottom(l, &bottom);
	if (h >= 4)
		l->keys = row_from_bottom(l, &bottom);
	if (h >= 3)
		l->header = (struct rect){0, top++, w, 1};
	above = (h >= 8) + (h >= 10);
	bottom -= above;
	if (kind == LAYOUT_GRID ? w >= 60 && h >= 20
				: kind == LAYOUT_AUTO && w >= GRID_W && h >= GRID_H)
		place_grid(l, top, bottom, cores);
	else
		place_single(l, kind == LAYOUT_LOG, top, bottom, cores);
	/* Slide the log down to make room for the two lines above it. */
	int y = l->log.y;
	if (h >= 10)
		l->at = (struct rect){0, y++, w, 1};
	if (h >= 8)
		l->last = (struct rect){0, y++, w, 1};
	l->log.y = y;
}
