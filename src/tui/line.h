/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line.h - the command line of the screen: GNU readline as an editing engine, fed with bytes and
 * drawn by us. Editing, history, searching, completion and the user's inputrc are readline's.
 */
#ifndef TUI_LINE_H
#define TUI_LINE_H

#include "ctascope/session.h"
#include "tui/screen.h"

/* more() is called when readline wants a byte and none is queued (a paste split in two reads): it
 * should line_push() what comes within a second, and return false when nothing came. */
struct line_hooks {
	void *ctx;
	bool (*more)(void *ctx);
	struct session *session; /* for completion */
};

/* readline is one per process, and so is this: enter and leave bracket the life of the screen. */
void line_enter(const struct line_hooks *hooks);
void line_leave(void); /* readline as it was found */

void line_start(const char *prompt); /* a new, empty line */
void line_stop(void);		     /* forgets what was typed */
void line_push(const char *bytes, size_t n);
void line_run(void);			/* lets readline have everything that was pushed */
char *line_take(void);			/* the next accepted line (free it), NULL for none */
bool line_given_up(void);		/* Ctrl-G or Ctrl-D on an empty line since the last call */
bool line_redraw(void);			/* Ctrl-L since the last call */
void line_show(struct screen_line *to); /* prompt, text, cursor, completions, as they stand */
void line_add_history(const char *text);

#endif
