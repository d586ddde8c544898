/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * term.h - the terminal: cells out, keys in. term_curses.c is the only file that knows curses.
 */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include "ctascope/err.h"
#include "tui/canvas.h"
#include "tui/mouse.h"
#include "tui/paint.h"

struct term;

/* One key: its code (keys.h), and the bytes it came as, for the line editor. */
struct term_key {
	int code; /* Unicode, or enum key_code, or TERM_PASTE, TERM_MOUSE */
	struct mouse mouse;
	char bytes[32];
	unsigned n;
};
#define TERM_PASTE 0x120000 /* the start of a bracketed paste */
#define TERM_MOUSE 0x120001 /* mouse says what; it has no bytes */

/* color as in struct tui_options. Takes over the terminal on descriptors in and out. */
struct term *term_open(int in, int out, int color, bool ascii, struct err *e);
void term_close(struct term *t);   /* restores it; NULL is fine */
void term_suspend(struct term *t); /* as it was found, until term_resume() */
void term_resume(struct term *t);

enum depth term_depth(const struct term *t);
bool term_unicode(const struct term *t);
void term_size(const struct term *t, int *w, int *h);
void term_resize(struct term *t); /* asks the kernel for the size */
void term_redraw(struct term *t); /* forget what is shown: the next blit draws everything */

/* Shows the canvas; the hardware cursor goes to cx, cy (-1: hidden). Draws only what changed. Never
 * waits for a slow line: what it does not take at once goes out with the next calls of term_busy().
 */
void term_blit(struct term *t, const struct canvas *c, const struct painter *p, int cx, int cy);
/* Is output of former frames still on its way? A new one would only queue up behind it. */
bool term_busy(struct term *t);
int term_line(const struct term *t); /* writable when a busy terminal takes more; -1: never busy */
/* Calls fn with all bytes of frames, as they are made. */
void term_listen(struct term *t, void (*fn)(void *ctx, const char *bytes, size_t n), void *ctx);
uint64_t term_bytes(const struct term *t); /* that frames were worth, over all */

void term_mouse(struct term *t, bool on); /* whether it tells of the mouse; at first it does not */
/* The next key, false when none waits. in_line: keep bytes as they are, for the line editor. */
bool term_read(struct term *t, bool in_line, struct term_key *k);

/* For signal handlers: only system calls. Leaves the screen and restores the line discipline. */
void term_emergency(void);

#endif
