/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prompt.h - the command line without a screen: prints the session's output, reads lines with
 * readline and handles signals. The full screen is in a folder above this one, so main() passes it
 * in as functions.
 */
#ifndef PROMPT_PROMPT_H
#define PROMPT_PROMPT_H

#include "ctascope/session.h"

/* ---------------------------------------------------------------- the full screen */

struct cli_screen {
	const char *theme; /* NULL: the default */
	int color;	   /* -1 auto, 0 never, 1 always */
	bool ascii;
	const char *first; /* a command line to begin with; NULL: none */
};

enum cli_screen_end {
	SCREEN_QUIT,
	SCREEN_PROMPT
}; /* or 128 + n for a signal, or -1 with e if it cannot start */

/* Abilities of the terminal, from its description and the locale. */
struct cli_terminal {
	const char *name;  /* $TERM, or NULL */
	int colors;	   /* from its description; 0: none */
	int width, height; /* 0: unknown */
	bool is_terminal, is_described, is_utf8;
	bool has_exact_colors; /* 24-bit, by $COLORTERM */
};

struct cli_front {
	bool (*possible)(void); /* whether there is a terminal for the screen */
	int (*screen)(struct session *s, const struct cli_screen *o, struct err *e);
	/* Shows a race; see session_ui.race. */
	int (*race)(struct session *s, struct race *r, const struct cli_screen *o, struct err *e);
	/* Compares two finished runs; see session_ui.compare. */
	int (*compare)(struct session *s, const struct compare *c, const char *column,
		       const struct cli_screen *o, struct err *e);
	void (*look)(struct cli_terminal *t);
	/* Returns -1 with e if the screen cannot be drawn so, as for an unknown theme. */
	int (*check)(const struct cli_screen *o, struct err *e);
	/* The same of the word after a screen command: "layout", "pane". */
	int (*check_word)(const char *command, const char *word, struct err *e);
	/* The rows of keys, layouts and panes, for the command help. */
	void (*help)(const char *of,
		     void (*line)(void *to, const char *name, const char *help), void *to);
};

/* ---------------------------------------------------------------- the plain front end */

struct plain {
	struct session *session;
	bool progress;	  /* standard error is a terminal */
	bool shown;	  /* a progress line is on the terminal */
	bool want_screen; /* `tui` was typed */
	bool has_screen;  /* `tui` can be followed */
	bool batch;
	bool stops_aside; /* standard output has a table: how a run ended is told on standard error
			   */
	bool waiting;		       /* output is still in the buffer of standard output */
	const struct cli_front *front; /* shows a race or a comparison; NULL: print text */
	const struct cli_screen *look; /* options of that screen */
	double began, last, drawn;     /* wall clock of the run under way */
	uint64_t done0;		       /* work done when it began */
};

struct session_ui plain_ui(struct plain *p, bool interactive);
void plain_clear(struct plain *p); /* removes the progress line */
/* From now on SIGINT, SIGUSR1 and the signals that end a program go to this session; NULL: their
 * default actions. At an interactive session SIGPIPE does as well, because there may be unsaved
 * work. */
void plain_signals(struct session *s);

/* Between these two calls a crash restores the terminal to its state at the first (tty_fault.c). */
void tty_catch_faults(void);
void tty_release_faults(void);

enum prompt_end { PROMPT_QUIT, PROMPT_EOF, PROMPT_SCREEN, PROMPT_SIGNAL };
enum prompt_end prompt_readline(struct plain *p);

/* Starts line editing (line/line.h) with the session's completion and history; the screen uses it
 * too. */
void prompt_enter(struct session *s, bool is_drawn_by_caller);

#endif
