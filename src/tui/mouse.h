/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mouse.h - what a terminal tells of its mouse: "ESC [ < B ; X ; Y M" (SGR, mode 1006), or from
 * older terminals "ESC [ M" and three bytes.
 */
#ifndef TUI_MOUSE_H
#define TUI_MOUSE_H

#include "ctascope/base.h"

enum mouse_kind {
	MOUSE_NONE, /* of no meaning here */
	MOUSE_PRESS,
	MOUSE_DRAG, /* moved with a button down */
	MOUSE_RELEASE,
	MOUSE_WHEEL /* by is -1 up, 1 down */
};

struct mouse {
	enum mouse_kind kind;
	unsigned button; /* 0 left, 1 middle, 2 right */
	int by;
	bool sideways; /* a wheel that goes left (-1) and right, or one with Shift held */
	int x, y;      /* cells from the top left, from 0 */
};

/* text: what stands between "ESC [ <" and `last`, its final byte. kind is MOUSE_NONE for what is no
 * report. */
struct mouse mouse_sgr(const char *text, char last);
struct mouse mouse_x10(const unsigned char b[3]); /* the bytes behind "ESC [ M" */

#define MOUSE_ON "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"

#endif
