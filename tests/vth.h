/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vth.h - runs a program on a new pseudo-terminal and lets a test look at the screen (libvterm).
 *
 * Do not look at the screen right after the first text matched: the frame may be half drawn. Wait
 * for a text, then let the terminal settle; or wait for a condition with vth_wait().
 */
#ifndef TESTS_VTH_H
#define TESTS_VTH_H

#include "tests/child.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

struct vth {
	VTerm *vt;
	VTermScreen *screen;
	VTermState *state;
	int fd; /* our end */
	/* The program's end, kept open so that its modes can be read after the program has ended.
	 */
	int tty;
	int rows, cols;
	struct child child;
	bool eof, alternate, cursor;
	int mouse;	  /* the mouse reports that it asked for: VTERM_PROP_MOUSE_NONE ... */
	unsigned unknown; /* control sequences the terminal did not understand */
	size_t bytes;
	unsigned rate;	/* bytes per second that are read, as over a slow line; 0: all at once */
	double carried; /* when the slow line has carried what was read, by clock_seconds() */
	struct termios before; /* modes of the terminal before the program */
};

struct vth_cell {
	char text[VTERM_MAX_CHARS_PER_CELL * 4 + 1];
	int fg, bg; /* palette index, -1 the terminal's default, -2 a direct colour */
	bool bold, reverse;
};

bool vth_start(struct vth *h, int rows, int cols, char *const argv[], char *const env[]);
void vth_close(struct vth *h); /* kills the program if it still runs */

bool vth_wait_text(struct vth *h, const char *text, int ms);
bool vth_wait(struct vth *h, bool (*is)(struct vth *h), int ms);
/* Waits until the program has read all keys and waits, and 80 ms have passed without output; at
 * most 3 s if output continues (a run), 10 s if the program works without any. */
bool vth_settle(struct vth *h);
bool vth_wait_exit(struct vth *h, int ms);
void vth_pump(struct vth *h, int ms);

void vth_send(struct vth *h, const char *bytes);
void vth_key(struct vth *h, VTermKey key);
void vth_paste(struct vth *h, const char *text);
void vth_resize(struct vth *h, int rows, int cols);

int vth_find(struct vth *h, const char *text); /* its row, or -1 */
/* Without trailing blanks. */
const char *vth_row(struct vth *h, int row, char *buf, size_t size);
struct vth_cell vth_cell(struct vth *h, int row, int col);
/* The terminal has the modes that it had before the start. */
bool vth_modes_restored(struct vth *h);
void vth_show(struct vth *h, FILE *to); /* prints the screen as "# |text" lines */

#endif
