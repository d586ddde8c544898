/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * twin_view.h - two runs on one screen: the session's and the one beside it (session_split()).
 *
 * Both sides are drawn by the same views with the same axis, cursor and core in focus, so every key
 * that changes what is shown applies to both. The screen has a side that it draws or reads at
 * present: SIDE_SESSION, except between twin_enter() and twin_leave(). Each side has machines of
 * its own for other cycles (replay.h).
 */
#ifndef TUI_TWIN_VIEW_H
#define TUI_TWIN_VIEW_H

#include "ctascope/session.h"
#include "tui/replay.h"
#include "tui/work.h"

struct canvas;
struct screen;

struct twin_view {
	enum session_side focus; /* Tab: whose numbers the header and the line "at" show */
	enum session_side side;	 /* the one that is drawn or read now */
	struct replay replay;	 /* of the other one */
	bool on_way;		 /* the twin has not reached the session's cycle */
	struct work work[SIDES]; /* measured for this frame */
};

bool twin_is_on(const struct screen *s);
void twin_free_view(struct screen *s);

/* Lets the twin follow the session for at most so many seconds. */
void twin_follow(struct screen *s, double seconds);
/* The same during a run, each time the model pauses to draw. */
void twin_follow_run(struct screen *s);
/* Some machine of the screen, of either side, is on its way. */
bool twin_is_moving(const struct screen *s);

/* Makes a side the one that is read, with the axis up to its newest cycle; until twin_leave(). */
struct twin_saved {
	enum session_side side;
	cycle_t now, cursor;
};
struct twin_saved twin_enter(struct screen *s, enum session_side side);
void twin_leave(struct screen *s, const struct twin_saved *saved);

/* ---- twin_strip.c ---- */

/* How far the session's run is ahead of the twin at a cycle: how many cycles earlier the run that
 * leads had done the work that the other one has done at that cycle. Negative: the twin leads; NaN:
 * unknown. Call twin_measure() once per frame before.
 */
void twin_measure(struct screen *s);
double twin_lead(const struct screen *s, cycle_t cycle);
void twin_draw_title(struct screen *s, enum session_side side, struct canvas *c);
void twin_draw_strip(struct screen *s, struct canvas *c);

#endif
