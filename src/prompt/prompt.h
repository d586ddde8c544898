/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prompt.h - the command line without a screen: it prints what the session says, reads lines with
 * readline, and takes the signals. The full screen, which is above this folder, comes as functions
 * that main() hands in.
 */
#ifndef PROMPT_PROMPT_H
#define PROMPT_PROMPT_H

#include "ctascope/session.h"

/* ---------------------------------------------------------------- the full screen */

struct cli_screen {
	const char *theme; /* NULL: the default */
	int color;	   /* -1 auto, 0 never, 1 always */
	bool ascii;
};

enum cli_screen_end { SCREEN_QUIT, SCREEN_PROMPT }; /* or 128 + n, or -1 with e: it cannot start */

/* What the terminal can do, by its description and the locale. */
struct cli_terminal {
	const char *name;  /* $TERM, or NULL */
	int colors;	   /* of its description; 0: none */
	int width, height; /* 0: unknown */
	bool is_terminal, is_described, is_utf8;
	bool has_exact_colors; /* 24-bit, by $COLORTERM */
};

struct cli_front {
	bool (*possible)(void); /* is there a terminal for it */
	int (*screen)(struct session *s, const struct cli_screen *o, struct err *e);
	/* A race, as session_ui.race. */
	int (*race)(struct session *s, struct race *r, const struct cli_screen *o, struct err *e);
	/* Two finished runs, as session_ui.compare. */
	int (*compare)(struct session *s, const struct compare *c, const char *column,
		       const struct cli_screen *o, struct err *e);
	void (*look)(struct cli_terminal *t);
	/* -1 with e: the screen could not be drawn so, because it has no such theme. */
	int (*check)(const struct cli_screen *o, struct err *e);
};

/* ---------------------------------------------------------------- the plain front end */

struct plain {
	struct session *session;
	bool progress;	  /* standard error is a terminal */
	bool shown;	  /* a line of progress stands there */
	bool want_screen; /* `tui` was typed */
	bool has_screen;  /* and could be followed */
	bool batch;
	bool waiting; /* something said is still in the buffer of standard output */
	const struct cli_front *front; /* shows a race, two runs; NULL: nobody does */
	const struct cli_screen *look; /* how */
	double began, last, drawn;     /* wall clock of the run under way */
	uint64_t done0;		       /* work done when it began */
};

struct session_ui plain_ui(struct plain *p, bool interactive);
void plain_clear(struct plain *p); /* takes the progress line away */
/* SIGINT, SIGUSR1 and the signals that end a program go to this session from now on, NULL: to none.
 * A person at the prompt may have work to save, so then SIGPIPE does as well. */
void plain_signals(struct session *s);

/* From one to the other a crash gives the terminal back as it is now (tty_fault.c). */
void tty_catch_faults(void);
void tty_release_faults(void);

enum prompt_end { PROMPT_QUIT, PROMPT_EOF, PROMPT_SCREEN, PROMPT_SIGNAL };
enum prompt_end prompt_readline(struct plain *p);

/* Begins a line (line/line.h) of this session, with its completion and history; also for the
 * screen. */
void prompt_enter(struct session *s, bool is_drawn_by_caller);

#endif
