/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sgr.h - prints exact 24-bit colours through curses, which knows only 256.
 *
 * Curses reads the number of colours from the terminal's description, which says 256 for nearly
 * every terminal that has 2^24. So each exact colour gets a number from 16 on, in the order of
 * first use, and curses draws with these numbers. In its output "38;5;N" is then replaced by
 * "38;2;R;G;B". A screen shows about a hundred colours at a time, so the numbers suffice. The same
 * pass removes sequences that set a colour again or that no text follows.
 */
#ifndef TUI_SGR_H
#define TUI_SGR_H

#include "base/strbuf.h"

#define SGR_FIRST 16 /* lower numbers are the terminal's own colours */
#define SGR_COLORS (256 - SGR_FIRST)

struct sgr {
	uint32_t rgb[SGR_COLORS];
	unsigned n;
};

/* Returns the number of a colour. When all numbers are taken, that of the nearest colour. */
int sgr_color(struct sgr *s, uint32_t rgb);
/* Appends to `to` a shorter output that shows the same, with exact colours instead of numbers. With
 * s NULL the numbers are the terminal's own and stay. No sequence may be cut at the end of `from`.
 */
void sgr_write_out(const struct sgr *s, const char *from, size_t n, struct strbuf *to);
/* Whether the environment says that the terminal has 2^24 colours: COLORTERM is truecolor or 24bit.
 * Inside GNU screen, which lacks them, COLORTERM is inherited from the outer terminal and does not
 * count. */
bool sgr_exact_wanted(void);

#endif
