/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_page.h - a race as a page of the screen (page.h). Its panes (lanes, results, difference)
 * read a struct race and a struct race_view only, and know nothing of processes.
 */
#ifndef TUI_RACE_PAGE_H
#define TUI_RACE_PAGE_H

#include "lab/lab.h"
#include "tui/axis.h"
#include "tui/page.h"
#include "tui/paint.h"

struct race_view {
	const struct race *race; /* borrowed */
	char workload[64];
	struct axis axis;
	unsigned series; /* the series shown, an index into race_shown */
	bool running;
	unsigned pace; /* samples per second of wall time; 0: as fast as possible */

	bool focus; /* a core and a cycle are in focus in all lanes */
	unsigned core;
	cycle_t cycle;
	unsigned lane; /* the one that is marked, which `open` takes */
	int spotlight; /* the core whose row is drawn, the others as dots; -1: all are */
};

struct race_page {
	struct page page;
	struct race *race; /* borrowed */
	struct race_view view;
	cycle_t target; /* the cycle that steps by hand lead to */
	double due;	/* wall-clock time of the next step when there is a pace */
	/* The lanes were sent to where their branches part: a branch has a past to load first. */
	bool asked;
};

struct race_shown {
	const char *title;
	enum race_field field;
	double hi; /* upper end of the range; 0: the largest value */
};
extern const struct race_shown race_shown[];
extern const unsigned n_race_shown;

void race_page_init(struct race_page *p, struct race *r, const char *workload);
/* Returns the view of the race that is on the screen. */
struct race_view *race_view_of(const struct screen *s);

/* ---- what the user chooses (race_focus.c) ---- */

void race_view_pace_text(const struct race_view *v, char *buf, size_t size);
/* Accepts a number of samples per second, max, slower or faster. */
int race_view_set_pace(struct race_view *v, const char *word, struct err *e);
/* Accepts a title or its beginning, a number from 1, next or previous. */
int race_view_set_series(struct race_view *v, const char *word, struct err *e);
/* Moves the focus by that many cores and columns; returns false if nothing has run yet. */
bool race_view_move(struct race_view *v, int cores, int columns);
/* Accepts a number from 1, or next. */
int race_view_set_lane(struct race_view *v, const char *word, struct err *e);
/* Writes the number and the name of a lane with at most w columns, "1 dyncta": its number is the
 * key that marks it. */
#define RACE_NAME (POLICY_TEXT + 8)
const char *race_view_name(const struct race_view *v, unsigned lane, int w, char buf[RACE_NAME]);
/* Describes each lane at the core and cycle in focus. */
void race_view_focus_text(const struct race_view *v, char *buf, size_t size);

/* ---- strips (race_strip.c) ---- */

cycle_t race_view_now(const struct race *r); /* the cycle of the furthest lane */
/* Draws the strip of a lane, with its label, into its own canvas, and the axis below it. */
void race_strip_draw(const struct race_view *v, const struct painter *p, struct canvas *c,
		     unsigned lane, int label, double hi);
/* Draws the IPC over the same cycles, on one scale for all lanes. */
void race_strip_ipc(const struct race_view *v, const struct painter *p, struct canvas *c,
		    unsigned lane);
/* The cumulative lead of a lane over the first one: how many cycles later that one had done the
 * same work. Draws nothing where the canvas is lower than RACE_LEAD_ROWS. */
#define RACE_LEAD_ROWS 4
void race_strip_lead(const struct race_view *v, const struct painter *p, struct canvas *c,
		     unsigned lane);
void race_strip_axis(const struct race_view *v, struct canvas *c, int label);
double race_strip_hi(const struct race_view *v);
/* Returns how many cores share a half row, which shows their mean; 1 if each core has its own. */
unsigned race_strip_fold(const struct race *r, int rows);
/* Returns how many cores, from *first on, are in that row of a strip with `rows` rows; 0 if none
 * are. */
unsigned race_strip_cores(const struct race *r, int rows, int row, unsigned *first);
/* How many of these rows it uses. */
int race_strip_rows(const struct race *r, int rows);

#endif
