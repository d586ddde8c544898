/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sgr.h - exact colours through a curses that knows 256.
 *
 * Curses takes colours from the terminal's description, which says 256 for nearly every terminal
 * that has 2^24. So it is given numbers that stand for our colours, 16 and up, in the order in
 * which they are first asked for, and in the bytes it writes "38;5;N" becomes "38;2;R;G;B". What is
 * on the screen at one time are some hundred colours. On the way colours that are set again, or
 * that nothing is written in, are left out.
 */
#ifndef TUI_SGR_H
#define TUI_SGR_H

#include "base/strbuf.h"

#define SGR_FIRST 16 /* below are the terminal's own */
#define SGR_COLORS (256 - SGR_FIRST)

struct sgr {
	uint32_t rgb[SGR_COLORS];
	unsigned n;
};

/* The number that stands for a colour; when all are taken, the one of the nearest. */
int sgr_color(struct sgr *s, uint32_t rgb);
/* Bytes for a terminal that shows the same, in fewer; the numbers of colours are written out, with
 * s NULL they are the terminal's. Sequences must be whole. */
void sgr_write_out(const struct sgr *s, const char *from, size_t n, struct strbuf *to);
/* Whether the environment says that the terminal has 2^24 colours: COLORTERM is truecolor or 24bit,
 * and it is not that of a terminal around GNU screen, which has not. */
bool sgr_exact_wanted(void);

#endif
