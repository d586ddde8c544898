/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.h - which part of the screen belongs to what.
 *
 * A layout is a row of layout_rows: the panes of its main area from top to bottom, those of the
 * column at its right (the inspector), and how much of the screen the lines below may have. What a
 * row names in words ("heat core.ipc"), the screen turns into panes that apply to this run, and
 * into what they want (struct layout_want); layout_compute() gives them places. Parts that do not
 * fit are left out in order of their weight; there is no size that is refused. Heights follow from
 * the size of the screen, the panes and the number of cores only, so nothing jumps.
 */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include "tui/keys.h"

#define LAYOUT_GRID_W 120 /* from this size on there is room for the grid */
#define LAYOUT_GRID_H 40
#define LAYOUT_MAIN 6
#define LAYOUT_SIDE 3

enum layout_shape {
	SHAPE_AUTO,  /* the pane in front alone, from 120x40 the grid */
	SHAPE_STACK, /* one above the other */
	SHAPE_GRID,  /* two beside each other */
	SHAPE_PAGE   /* one above the other, each as high as it wants; below them only the keys */
};

struct layout_row {
	const char *name, *help;
	enum key_when when; /* a session, or the page that it is the layout of */
	enum layout_shape shape;
	bool tall_log; /* half of the height for the log */
	bool bare;     /* no log and none of the lines above it */
	int side_from; /* columns of the screen from which on there is an inspector; 0: as ever */
	/* Of a page: rows of the screen from which on a blank row is above every pane but the
	 * first, and columns from which on the last two panes are beside each other; 0: never. */
	int gap_from, beside_from;
	/* As `pane` takes them; "*" is the pane in front. What does not apply is left out. */
	const char *main[LAYOUT_MAIN], *side[LAYOUT_SIDE];
};
/* `layout NAME`, keys 1, 2, 3 ...: those of a session first. */
extern const struct layout_row layout_rows[];
extern const unsigned n_layout_rows;
/* The first row that is for then, NULL: none. */
const struct layout_row *layout_of_page(enum key_when when);

/* What a pane asks for. */
struct layout_pane {
	int min, best; /* rows; best 0: all it can get */
	bool strip;    /* a row, or half of one, per core */
	unsigned rows; /* of a strip of anything else */
	bool timed;    /* over the time axis */
	bool rest;     /* of a page: it takes what the others leave */
	bool spare;    /* last: only in rows that the ones before it have no use for */
};

struct layout_want {
	enum layout_shape shape;
	bool tall_log, bare, typing; /* typing: on a page the command line needs a row */
	int side_from, gap_from, beside_from;
	bool marks; /* a row for them above the axis */
	unsigned cores;
	unsigned n_main, n_side;
	struct layout_pane main[LAYOUT_MAIN], side[LAYOUT_SIDE];
};

struct rect {
	int x, y, w, h; /* w or h 0: not on this screen */
};

struct layout {
	int w, h;
	bool grid;
	unsigned n_main; /* those that have a place, the first ones of the wanted */
	struct rect header, main[LAYOUT_MAIN], side[LAYOUT_SIDE], axis[2], at, last, log, keys,
		prompt;
	int sep_x, sep_y0, sep_y1; /* the line left of the inspector; sep_x -1: none */
};

void layout_compute(struct layout *l, const struct layout_want *want, int w, int h);

#endif
