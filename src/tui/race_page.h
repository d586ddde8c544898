/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_page.h - a race as a page of the screen (page.h): its panes are lanes, results and
 * difference. They know nothing of processes: a struct race and a struct race_view are all they
 * show.
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
	unsigned series; /* shown: a place in race_shown */
	bool running;
	unsigned pace; /* samples per second of wall time, 0: as fast as it goes */

	bool focus; /* one looks at a core and a cycle, of all lanes */
	unsigned core;
	cycle_t cycle;
};

struct race_page {
	struct page page;
	struct race *race; /* borrowed */
	struct race_view view;
	cycle_t target; /* that steps by hand lead to */
	double due;	/* wall clock of the next step at a pace */
	bool asked;	/* how they stand where branches part: there is a run before it */
};

struct race_shown {
	const char *title;
	enum race_field field;
	double hi; /* of the range; 0: the largest there is */
};
extern const struct race_shown race_shown[];
extern const unsigned n_race_shown;

void race_page_init(struct race_page *p, struct race *r, const char *workload);
/* Of the race that has the screen. */
struct race_view *race_view_of(const struct screen *s);

/* ---- what its reader chooses (race_focus.c) ---- */

void race_view_pace_text(const struct race_view *v, char *buf, size_t size);
/* A number of samples per second, max, slower, faster. */
int race_view_set_pace(struct race_view *v, const char *word, struct err *e);
/* A title or its beginning, a number from 1, next, previous. */
int race_view_set_series(struct race_view *v, const char *word, struct err *e);
/* The core and cycle that many further; false: nothing has run yet. */
bool race_view_move(struct race_view *v, int cores, int columns);
/* What each lane is like there. */
void race_view_focus_text(const struct race_view *v, char *buf, size_t size);

/* ---- strips (race_strip.c) ---- */

cycle_t race_view_now(const struct race *r); /* where the furthest lane stands */
/* The strip of a lane into a canvas of its own, label included; and the axis below. */
void race_strip_draw(const struct race_view *v, const struct painter *p, struct canvas *c,
		     unsigned lane, int label, double hi);
/* IPC over the same cycles, on one scale for all lanes. */
void race_strip_ipc(const struct race_view *v, const struct painter *p, struct canvas *c,
		    unsigned lane);
void race_strip_axis(const struct race_view *v, struct canvas *c, int label);
double race_strip_hi(const struct race_view *v);
/* How many cores a half row is the mean of, 1: each has its own. */
unsigned race_strip_fold(const struct race *r, int rows);
/* Cores of a row of a strip so many rows high, from *first on; 0: none. */
unsigned race_strip_cores(const struct race *r, int rows, int row, unsigned *first);
int race_strip_rows(const struct race *r, int rows); /* that it uses of so many */

#endif
