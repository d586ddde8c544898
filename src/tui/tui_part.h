/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tui_part.h - private to tui.c, tui_keys.c and tui_open.c: the screen on a terminal, with its
 * session. */
#ifndef TUI_TUI_PART_H
#define TUI_TUI_PART_H

#include "tui/pace.h"
#include "tui/screen.h"
#include "tui/term.h"
#include "tui/tui.h"

#define WAITING 16 /* most command lines that can wait for the end of a run */

struct tui {
	struct session *session;
	struct screen screen;
	struct term *term;
	bool quit, in_run;
	bool follows;	   /* the time cursor has moved to the newest cycle during this run */
	char progress[320]; /* a notice about it, until the command has ended */
	cycle_t ran_from;  /* the cycle at which the command began */
	bool interrupted;  /* Ctrl-C closed the page */
	int width, height; /* the size that the session was told */
	struct pace pace;
	struct pace page_pace;
	double drew;	   /* clock time of the last frame of a run */
	unsigned question; /* of a lesson, that the command line was opened for; 0: none */
	bool want_frame;   /* a key was pressed, so the next frame is drawn at once */
	char *waiting[WAITING];
	unsigned n_waiting;
};

/* ---- tui.c ---- */

/* Handles what signals asked for; returns true if a run should stop. */
bool tui_handle_events(struct tui *t);
/* Shows the last captured line of the output of libraries as a notice. All of it is printed after
 * the screen has closed. */
void tui_show_kept(struct tui *t);
void tui_draw(struct tui *t);
/* Runs until the user leaves the page or the screen. */
void tui_run_loop(struct tui *t);
/* Show a page until its user leaves it. They return 0, 1 after Ctrl-C, or 128 + n after signal n.
 */
int tui_show_race(struct tui *t, struct race *r);
int tui_show_compare(struct tui *t, const struct compare *c, const char *column);

/* ---- tui_keys.c ---- */

/* Moves the time cursor to the newest cycle once per command, when the machine moves. A command
 * that only looks leaves it where it is. */
void tui_follow_run(struct tui *t);
/* Shows how far a command is, as a notice until it has ended; what: as from session_seeking(). */
void tui_show_progress(struct tui *t, const char *what, double done, double left);
/* Executes one command line, typed or from a key. */
void tui_do_command(struct tui *t, const char *text, bool typed);
/* Executes the commands typed during a run, after it has stopped. */
void tui_do_waiting(struct tui *t);
/* Executes the commands of the screen that were given before it was up. */
void tui_do_kept(struct tui *t);
/* Handles all keys that are waiting; returns true if there were any. */
bool tui_read_keys(struct tui *t);
/* Closes whatever line is open, so that keys work again. */
void tui_close_prompt(struct tui *t);
/* Handles Ctrl-C when there is no run to stop. */
void tui_give_up(struct tui *t);

#endif
