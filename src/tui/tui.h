/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tui.h - the facade of the full screen.
 *
 * It needs a terminal on standard input and output. The terminal is restored however the program
 * ends, also after signals and failed assertions. The output of libraries is captured meanwhile and
 * printed afterwards.
 */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "ctascope/session.h"

struct tui_options {
	const char *theme; /* NULL: cividis */
	int color;	   /* -1 auto, 0 never, 1 always (overrides NO_COLOR) */
	const char *first; /* a command line to begin with; NULL: none */
	bool ascii;	   /* no Unicode, whatever the locale */
};

enum tui_end {
	TUI_QUIT = 0,  /* session_exit_code() tells the exit status */
	TUI_PROMPT = 1 /* `tui off`: continue at the plain prompt */
		       /* 128 + n: signal n asked the program to end */
};

/* Whether standard input and output are a terminal that can show a screen. */
bool tui_possible(void);

/* Describes the terminal without taking it over. */
struct cli_terminal;
void tui_look(struct cli_terminal *t);

/* The rows of keys, layouts and panes, for the command help: a session_help_fn. */
void tui_help(const char *of, void (*line)(void *to, const char *name, const char *help), void *to);

/* Returns -1 with e if there is no such theme. For programs that may not show a screen at all. */
int tui_check(const struct tui_options *o, struct err *e);
/* Returns -1 with e if no such word follows the screen command, "layout" or "pane". */
int tui_check_word(const char *command, const char *text, struct err *e);

/* Shows the screen until the user leaves. Returns an enum tui_end, or -1 if it cannot start. Sets
 * the session's ui; the caller must set its own again afterwards. NULL options: all defaults. */
int tui_main(struct session *s, const struct tui_options *o, struct err *e);

/* Shows a race until the user leaves it. Returns 0, 128 + n after signal n, or -1 with e. The race
 * runs only while it is shown; the caller keeps it. */
int tui_race(struct session *s, struct race *r, const struct tui_options *o, struct err *e);

/* Shows two finished runs until the user leaves them, with `column` chosen first, or if NULL the
 * default. Returns 0, 128 + n after signal n, or -1 with e. */
int tui_compare(struct session *s, const struct compare *c, const char *column,
		const struct tui_options *o, struct err *e);

#endif
