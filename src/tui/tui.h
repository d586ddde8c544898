/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tui.h - the full screen, as the program calls it.
 *
 * Needs a terminal on standard input and output. The terminal is restored on every way out, also on
 * signals and failed assertions; what others print meanwhile is kept back and shown afterwards.
 */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "ctascope/session.h"

struct tui_options {
	const char *theme; /* NULL: cividis */
	int color;	   /* -1 auto, 0 never, 1 always (against NO_COLOR) */
	bool ascii;	   /* no Unicode, whatever the locale says */
};

enum tui_end {
	TUI_QUIT = 0,  /* quit; session_exit_code() says with which status */
	TUI_PROMPT = 1 /* `tui off`: go on at the plain prompt */
		       /* 128 + n: signal n asked the program to end */
};

/* Whether standard input and output are a terminal that can show a screen. */
bool tui_possible(void);

/* Describes the terminal without taking it over. */
struct cli_terminal;
void tui_look(struct cli_terminal *t);

/* -1 with e: there is no such theme. For programs that may not show a screen at all. */
int tui_check(const struct tui_options *o, struct err *e);

/* Shows the screen until the user leaves: an enum tui_end, or -1 when it cannot start. Sets the
 * session's ui; the caller sets its own again afterwards. NULL options: all defaults. */
int tui_main(struct session *s, const struct tui_options *o, struct err *e);

/* Shows a race until the user leaves it: 0, 128 + n for a signal, or -1 with e. The race goes on
 * only while it is shown; it stays the caller's. */
int tui_race(struct session *s, struct race *r, const struct tui_options *o, struct err *e);

/* Shows two finished runs until the user leaves them, first in a column of theirs, or NULL: the
 * usual one. 0, 128 + n for a signal, or -1 with e. */
int tui_compare(struct session *s, const struct compare *c, const char *column,
		const struct tui_options *o, struct err *e);

#endif
