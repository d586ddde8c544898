/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gallery.h - a picture of the gallery, and the checks of every picture. */
#ifndef TESTS_TUI_GALLERY_H
#define TESTS_TUI_GALLERY_H

#include "tui/panes.h"
#include "tui/screen.h"

/* The kind of terminal of a picture. */
struct way {
	const char *name, *file;
	int w, h;
	enum depth depth;
	const char *theme;
	bool ascii;
	bool colours; /* the file shows the colour of each cell */
};

/* Whether a cell shows anything: a glyph, or a background colour. */
bool is_inked(const struct screen *s, int x, int y);

/* Prints and counts every fault; prints nothing for a picture without one. */
void judge_picture(const struct screen *s, const char *name, const struct way *w);
/* Counts the levels of a theme's ramp that cannot be distinguished from an empty cell, and its
 * steps. */
unsigned judge_ramp(const struct way *w, unsigned *steps);
unsigned judge_faults(void);

#endif
