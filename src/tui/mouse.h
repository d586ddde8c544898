/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mouse.h - decodes the mouse reports of a terminal: "ESC [ < B ; X ; Y M" (SGR, mode 1006), or
 * from older terminals "ESC [ M" and three bytes.
 */
#ifndef TUI_MOUSE_H
#define TUI_MOUSE_H

#include "ctascope/base.h"

enum mouse_kind {
	MOUSE_NONE, /* ignored */
	MOUSE_PRESS,
	MOUSE_DRAG, /* moved while a button is pressed */
	MOUSE_RELEASE,
	MOUSE_WHEEL /* `by` is -1 up, 1 down */
};

struct mouse {
	enum mouse_kind kind;
	unsigned button; /* 0 left, 1 middle, 2 right */
	int by;
	bool sideways; /* a wheel that turns left (-1) or right, or one turned with Shift */
	int x, y;      /* the cell, counted from 0 at the top left */
};

/* text is what follows "ESC [ <", without its final byte `last`. Text that is not a report gives
 * MOUSE_NONE. */
struct mouse mouse_sgr(const char *text, char last);
struct mouse mouse_x10(const unsigned char b[3]); /* the bytes after "ESC [ M" */

#define MOUSE_ON "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"

#endif
