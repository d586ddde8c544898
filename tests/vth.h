/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vth.h - runs a program on a pseudo-terminal of its own and lets a test look at the screen
 * (libvterm).
 *
 * Never look right after the first text matched: the frame may be half drawn. Wait for a text, then
 * let the terminal settle; or wait for a condition with vth_wait().
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
	int fd;	 /* our end */
	int tty; /* the program's end, kept open: its modes can be read after the program's end */
	int rows, cols;
	struct child child;
	bool eof, alternate, cursor;
	int mouse; /* what is told of it: VTERM_PROP_MOUSE_NONE ... */
	unsigned unknown; /* control sequences the terminal did not understand */
	size_t bytes;
	unsigned rate; /* bytes per second that are read, as a slow line does; 0: all at once */
	double carried; /* when the slow line is through with what was read, by clock_seconds() */
	struct termios before; /* modes of the terminal before the program */
};

struct vth_cell {
	char text[VTERM_MAX_CHARS_PER_CELL * 4 + 1];
	int fg, bg; /* palette index, -1 the terminal's own, -2 a direct colour */
	bool bold, reverse;
};

bool vth_start(struct vth *h, int rows, int cols, char *const argv[], char *const env[]);
void vth_close(struct vth *h); /* kills what still runs */

bool vth_wait_text(struct vth *h, const char *text, int ms);
bool vth_wait(struct vth *h, bool (*is)(struct vth *h), int ms);
/* Until the program has read all keys and waits, and 80 ms have passed without output; at most 3 s
 * where output goes on (a run), 10 s where the program works without any.
 */
bool vth_settle(struct vth *h);
bool vth_wait_exit(struct vth *h, int ms);
void vth_pump(struct vth *h, int ms);

void vth_send(struct vth *h, const char *bytes);
void vth_key(struct vth *h, VTermKey key);
void vth_paste(struct vth *h, const char *text);
void vth_resize(struct vth *h, int rows, int cols);

int vth_find(struct vth *h, const char *text);			     /* its row, or -1 */
const char *vth_row(struct vth *h, int row, char *buf, size_t size); /* blanks at the end cut */
struct vth_cell vth_cell(struct vth *h, int row, int col);
bool vth_modes_restored(struct vth *h); /* of the terminal, as before the start */
void vth_show(struct vth *h, FILE *to); /* the screen as "# |text" lines */

#endif
