/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.h - computes which part of the screen each pane and line gets.
 *
 * A layout is a row of layout_rows: the panes of its main area from top to bottom, those of the
 * column at its right (the inspector), and how much of the screen the lines below may take. A row
 * names panes in words ("heat core.ipc"). The screen turns the words into panes that apply to this
 * run and into their wishes (struct layout_want); layout_compute() places them. Parts that do not
 * fit are left out, the least important first, so every size of screen works. Heights depend only
 * on the size of the screen, the panes and the number of cores, so that nothing jumps.
 */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include "tui/keys.h"

#define LAYOUT_GRID_W 120 /* from this width on there is room for the grid */
#define LAYOUT_GRID_H 40
#define LAYOUT_MAIN 6
#define LAYOUT_SIDE 3

#define TWIN_BESIDE_W 120 /* from this width on two runs are side by side */

#define LESSON_W 40	      /* columns of a lesson's text at the left */
#define LESSON_LEFT_FROM_W 90 /* on a narrower screen it is at the bottom */
#define LESSON_H 8	      /* rows of it there */
#define LESSON_FROM_H 16      /* a lower screen has no room for it */

enum layout_shape {
	SHAPE_AUTO,  /* only the pane in front; from 120x40 on the grid */
	SHAPE_STACK, /* panes one above the other */
	SHAPE_GRID,  /* panes in two columns */
	SHAPE_PAGE /* panes one above the other, each as high as it asks for; only the keys below */
};

struct layout_row {
	const char *name, *help;
	enum key_when when; /* a session, or the page that this layout is for */
	enum layout_shape shape;
	bool tall_log; /* the log takes half of the height */
	bool bare;     /* no log and none of the lines above it */
	int side_from; /* the inspector is shown from this width on; 0: the usual width */
	/* With fewer columns or rows for its panes the layout shows a message instead of dropping
	 * some; 0: any size. */
	int least_w, least_h;
	/* For a page: the height from which on a blank row precedes every pane but the first, and
	 * the width from which on the last two panes are side by side; 0: never. */
	int gap_from, beside_from;
	/* Words as the command `pane` takes them; "*" is the pane in front. Panes that do not apply
	 * are left out. */
	const char *main[LAYOUT_MAIN], *side[LAYOUT_SIDE];
};
/* Rows for `layout NAME` and the keys 1, 2, 3 ...; those of a session come first. */
extern const struct layout_row layout_rows[];
extern const unsigned n_layout_rows;
/* Returns the first row for that situation, NULL if there is none. */
const struct layout_row *layout_of_page(enum key_when when);

/* What a pane asks for. */
struct layout_pane {
	int min, best; /* rows; best 0: as many as possible */
	bool strip;    /* needs a row, or half of one, per core */
	unsigned rows; /* rows of a strip that does not show cores; else 0 */
	bool timed;    /* drawn over the time axis */
	bool rest;     /* on a page: takes the rows that the others leave */
	bool spare;    /* shown only in rows that the panes before it cannot use; comes last */
};

struct layout_want {
	enum layout_shape shape;
	bool tall_log, bare, typing; /* typing: the command line of a page needs a row */
	int side_from, gap_from, beside_from;
	bool lesson; /* its text needs room: at the left, or at the bottom */
	bool twin;   /* two runs: every pane has a place in both halves */
	bool below;  /* it is at the bottom of a wide screen, too */
	int banner;  /* rows of the caption below the header; 0: none */
	bool marks;  /* reserve a row for marks above the axis */
	unsigned cores;
	unsigned n_main, n_side;
	struct layout_pane main[LAYOUT_MAIN], side[LAYOUT_SIDE];
};

struct rect {
	int x, y, w, h; /* w or h is 0 if the part is not on this screen */
};

struct layout {
	int w, h;
	bool grid;
	unsigned n_main; /* how many of the wanted panes have a place; the first ones */
	struct rect header, banner, lesson, main[LAYOUT_MAIN], side[LAYOUT_SIDE], axis[2], at, last,
		log, keys, prompt;
	/* The line left of the inspector; sep_x is -1 if there is none. */
	int sep_x, sep_y0, sep_y1;
	/* Of two runs: the halves, whose first row is a title, and the strip of their difference.
	 * The places of panes are those of the first half; layout_move() moves them to the other.
	 * If only one half fits, both are the same. */
	struct rect half[2], strip;
};

/* Moves the places of the panes, their axis and their separator. */
void layout_move(struct layout *l, int dx, int dy);

void layout_compute(struct layout *l, const struct layout_want *want, int w, int h);

#endif
