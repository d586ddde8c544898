/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane.h - the contract of a pane of the full screen.
 *
 * A pane is one file with a const struct pane_ops. It draws what it finds in the session and its
 * machine into a canvas (src/tui/canvas.h) it is handed, and keeps no state of its own: what must
 * survive a frame (cursor, scroll, caches) hangs off struct screen (src/tui/screen.h). A pane
 * knows nothing of curses, colours or keys other than its own, and must cope with any size, even
 * one cell.
 */
#ifndef CTASCOPE_PANE_H
#define CTASCOPE_PANE_H

#include "ctascope/base.h"

struct canvas;
struct screen;

struct pane_ops {
	const char *name;      /* what `pane NAME` takes */
	const char *help;      /* one or two sentences: what it shows, how to read it */
	unsigned min_w, min_h; /* below this the layout leaves it out where it has a choice */
	bool heat; /* core x time: Tab goes through these, and the grid shows them together */
	void (*draw)(struct screen *s, struct canvas *c);
	/* A command line for this key while the pane is active, or NULL: the general key
	 * applies. */
	const char *(*key)(const struct screen *s, int key);
};

extern const struct pane_ops *const pane_table[]; /* NULL-terminated, in the order of Tab */

#endif
