/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * term.h - the terminal: shows cells and reads keys. Only term_curses.c uses curses.
 */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include "ctascope/err.h"
#include "tui/canvas.h"
#include "tui/mouse.h"
#include "tui/paint.h"

struct term;

/* One key: its code (keys.h), and its bytes for the line editor. */
struct term_key {
	int code; /* Unicode, or enum key_code, or TERM_PASTE, TERM_MOUSE */
	struct mouse mouse;
	char bytes[32];
	unsigned n;
};
#define TERM_PASTE 0x120000 /* the start of a bracketed paste */
#define TERM_MOUSE 0x120001 /* a mouse report, stored in `mouse`; it has no bytes */

/* Takes over the terminal on descriptors in and out. color is that of struct tui_options. */
struct term *term_open(int in, int out, int color, bool ascii, struct err *e);
void term_close(struct term *t);   /* restores the terminal; accepts NULL */
void term_suspend(struct term *t); /* restores the terminal until term_resume() */
void term_resume(struct term *t);

enum depth term_depth(const struct term *t);
bool term_unicode(const struct term *t);
void term_size(const struct term *t, int *w, int *h);
void term_resize(struct term *t); /* asks the kernel for the size */
void term_redraw(struct term *t); /* makes the next blit draw everything */

/* Shows the canvas and moves the hardware cursor to cx, cy (-1: hides it). Draws only what changed.
 * It never waits for a slow line: the bytes that the line does not take at once are sent by later
 * calls of term_busy(). */
void term_blit(struct term *t, const struct canvas *c, const struct painter *p, int cx, int cy);
/* Whether output of earlier frames is still being sent. A new frame would have to queue after it.
 */
bool term_busy(struct term *t);
/* Writable when a busy terminal takes more bytes; -1: it is never busy. */
int term_line(const struct term *t);
/* Calls fn with all bytes of frames as they are produced. */
void term_listen(struct term *t, void (*fn)(void *ctx, const char *bytes, size_t n), void *ctx);
uint64_t term_bytes(const struct term *t); /* the size of all frames together */

/* Switches mouse reports on or off; initially they are off. */
void term_mouse(struct term *t, bool on);
bool term_has_mouse(const struct term *t); /* the terminal's description names its reports */
/* Reads the next key; returns false if none is waiting. in_line: leave bytes undecoded, for the
 * line editor. */
bool term_read(struct term *t, bool in_line, struct term_key *k);

/* For signal handlers, so it uses only system calls. Leaves the screen and restores the line
 * discipline. */
void term_emergency(void);

#endif
