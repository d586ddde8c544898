/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.h - which part of the screen belongs to what.
 *
 * From 80x24 one heat pane with the inspector at its right; from 120x40 four heat panes in a grid
 * over one time axis. Below 80x24 parts are left out in order of their weight; there is no size
 * that is refused. Heights follow from the size of the screen and the number of cores only, so
 * nothing jumps.
 */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include "ctascope/base.h"

enum layout_kind { LAYOUT_AUTO, LAYOUT_SINGLE, LAYOUT_GRID, LAYOUT_LOG, LAYOUT_KINDS };

struct layout_row {
	const char *name, *help;
};
extern const struct layout_row layout_rows[LAYOUT_KINDS]; /* `layout NAME`, keys 1, 2, 3 ... */

struct rect {
	int x, y, w, h; /* w or h 0: not on this screen */
};

#define LAYOUT_HEATS 4

struct layout {
	int w, h;
	bool grid;
	unsigned n_heat;
	struct rect header, heat[LAYOUT_HEATS], axis[2], core, policy, at, last, log, keys, prompt;
	int sep_x, sep_y0, sep_y1; /* the line left of the inspector; sep_x -1: none */
};

void layout_compute(struct layout *l, enum layout_kind kind, int w, int h, unsigned cores);

#endif
