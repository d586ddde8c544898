/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tui_part.h - private to tui.c and tui_keys.c: the screen on a terminal, and its session. */
#ifndef TUI_TUI_PART_H
#define TUI_TUI_PART_H

#include "tui/pace.h"
#include "tui/screen.h"
#include "tui/term.h"
#include "tui/tui.h"

#define WAITING 16 /* command lines typed during a run */

struct tui {
	struct session *session;
	struct screen screen;
	struct term *term;
	bool quit, in_run;
	bool follows;	   /* the time cursor went to the newest in this run */
	cycle_t ran_from;  /* the cycle at which the command began */
	bool interrupted;  /* the page was left by Ctrl-C */
	int width, height; /* the session knows of */
	struct pace pace;
	struct pace page_pace;
	double drew;	 /* the last frame of a run, on the clock */
	bool want_frame; /* a key was pressed: the next frame does not wait until it is due */
	char *waiting[WAITING];
	unsigned n_waiting;
};

/* ---- tui.c ---- */

/* What signals asked for; true: a run should stop. */
bool tui_handle_events(struct tui *t);
/* What libraries printed: the last line of it as a notice; all of it is shown after the screen. */
void tui_show_kept(struct tui *t);

/* ---- tui_keys.c ---- */

/* The time cursor goes to the newest once, when the machine moves; a command that only looks leaves
 * it where it is. */
void tui_follow_run(struct tui *t);
/* One command line, of a key or typed. */
void tui_do_command(struct tui *t, const char *text, bool typed);
/* Commands typed during a run, now that it is over. */
void tui_do_waiting(struct tui *t);
/* Commands of the screen that were given before it was up, after its first frame. */
void tui_do_kept(struct tui *t);
/* All keys that wait; true when there were any. */
bool tui_read_keys(struct tui *t);
/* Back to the keys, whatever is open. */
void tui_close_prompt(struct tui *t);
/* Ctrl-C, when no run is to be stopped. */
void tui_give_up(struct tui *t);

#endif
