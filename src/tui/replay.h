/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.h - the machines that panes read: that of the session, or one that shows another cycle.
 *
 * A pane whose ops have `looks` shows one cycle. While the cursor is in the past it is given a
 * machine of the cursor's cycle, and draws it as it draws the present. On a time axis with shorter
 * columns than the samples, the panes over time are given a machine with samples of a column each.
 * The session looks back (session.h); its own machine does not move.
 *
 * Work is done in slices, one per frame, and only while the model is stopped. Until a machine is
 * there, panes show what the samples know, dimmed, and how far the replay is.
 */
#ifndef TUI_REPLAY_H
#define TUI_REPLAY_H

#include "ctascope/session.h"

struct canvas;
struct pane_view;
struct screen;

struct replay {
	double slice;	   /* seconds of a frame for the work */
	struct sim *given; /* to the pane that is being drawn; NULL: the session's machine */
	struct {
		bool wanted, failed;
		struct look_back_want want;
		struct sim *there; /* NULL: not, or not yet */
	} look[LOOKS];
	bool on_way;   /* another slice is needed */
	bool given_up; /* by the user, until something else is wanted */
	double done;   /* the part of the way, 0 to 1 */
};

/* Finds out what the panes of this frame need, and works for it for so many seconds. */
void replay_update(struct screen *s, double seconds);
/* Before a command of the session: its machines may not be there afterwards. */
void replay_forget(struct screen *s);
/* Stops the replay that is on the way; false: there is none. */
bool replay_give_up(struct screen *s);

/* What replay_give() changed. */
struct replay_saved {
	struct sim *given;
	cycle_t cursor, now;
};
/* Makes screen_sim() the machine that the view reads, and the cursor the newest cycle if the view
 * shows one cycle; until replay_return(). */
struct replay_saved replay_give(struct screen *s, const struct pane_view *v);
void replay_return(struct screen *s, const struct replay_saved *saved);
/* The same for the lines around the panes: the machine of the cursor's cycle, or the one with the
 * samples in view. */
struct replay_saved replay_give_look(struct screen *s, enum look_back look);

/* Draws the view with the machine that it reads. */
void replay_draw(struct screen *s, struct pane_view *v, struct canvas *c);
/* "replayed 20,480 to 20,544"; false: the samples in view are those of the run. */
bool replay_window(const struct screen *s, char *buf, size_t size);

#endif
