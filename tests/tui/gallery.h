/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gallery.h - a picture of the gallery, and what is asserted of every one. */
#ifndef TESTS_TUI_GALLERY_H
#define TESTS_TUI_GALLERY_H

#include "tui/panes.h"
#include "tui/screen.h"

/* On what a picture is shown. */
struct way {
	const char *name, *file;
	int w, h;
	enum depth depth;
	const char *theme;
	bool ascii;
	bool colours; /* the page says them, cell by cell */
};

/* Whether a cell shows anything: a glyph, or a colour behind it. */
bool is_inked(const struct screen *s, int x, int y);

/* Each fault is told and counted; a picture without one says nothing. */
void judge_picture(const struct screen *s, const char *name, const struct way *w);
/* The levels of a theme's ramp that cannot be told from nothing; and its steps. */
unsigned judge_ramp(const struct way *w, unsigned *steps);
unsigned judge_faults(void);

#endif
