/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panes.h - declares what the pane files share. The table of panes is in panes.c. */
#ifndef TUI_PANES_H
#define TUI_PANES_H

#include "tui/screen.h"

/* The panes that the screen places by itself; pane_table has all. */
extern const struct pane_ops pane_knobs, pane_launcher, pane_policy, pane_log, pane_core, pane_heat,
	pane_source, pane_summary;

unsigned pane_count(void);
/* A strip of a session, not of a page. */
bool pane_is_strip(const struct pane_ops *p);
/* Whether the pane belongs to a session, or to the page of that situation. */
bool pane_is_of(const struct pane_ops *pane, enum key_when when);

/* Draws a bar of w columns that is full at max, with marks at up to two thresholds (NaN: none). */
void draw_bar(struct canvas *c, int x, int y, int w, double value, double max, double t1,
	      double t2);

/* Draws a bar as draw_bar() does, each part in the colour of its place: below the thresholds,
 * between them, above. */
void draw_gauge_bar(struct canvas *c, int x, int y, int w, double value, double max, double low,
		    double high);
/* Returns the role of a gauge's value by its thresholds (NaN: none) and, in *glyph, what says the
 * same without colours: < below the lower, = between, >= at the upper or above; if the rule needs a
 * value above it, = at the upper and > above. A value that is
 * unknown or has no threshold gets ROLE_VALUE and a blank. */
enum role gauge_role(double value, double low, double high, bool above, uint32_t *glyph);

/* Draws what keeps N from being larger, "by threads, slots", in at most w columns; with less room
 * "by threads +1", "threads +1", "threads", or nothing. Returns the columns used. */
int draw_limiters(struct canvas *c, int x, int y, int w, const struct sim *sim, unsigned kernel);

/* The name of a class of cycles in six letters or fewer. */
const char *class_short_name(unsigned cls);

/* log_line_rows() returns the rows that line i of the log takes at w columns; prose is wrapped, and
 * tables are made to fit. log_draw_line() also draws it. */
int log_line_rows(const struct screen *s, unsigned i, int w);
int log_draw_line(struct screen *s, struct canvas *c, int x, int y, int w, unsigned i);
/* Returns whether a notice, which takes that many rows, is an error that the answer over the panes
 * shows, or the log that the notice would cover. */
bool log_shows_notice(const struct screen *s, const char *text, int rows);

/* Draws the help of `?` from line `top` on; returns the number of its lines. */
int help_page(struct screen *s, struct canvas *c, int top);
/* Returns the next line of the help with that text, from a line on and then from the first; -1:
 * none. */
int help_find(struct screen *s, const char *text, int from);
/* Draws the help of a page (page.h): what it shows, then its keys and commands. */
void page_help(const struct screen *s, struct canvas *c);

/* Writes the workload's name: its file without folder and suffix, or for captured kernels their
 * folder. */
void workload_name(const struct sim *sim, char *buf, size_t size);

/* What a pane that scrolls by rows keeps in view->own, and functions for its pane_ops: open, close
 * and scroll. (scroll.c) */
struct scroll {
	unsigned top;	/* the first visible row */
	unsigned rows;	/* of all */
	unsigned shown; /* for how many there is room: the pane sets it when it is drawn */
};
int scroll_open(struct screen *s, struct pane_view *v, struct err *e);
void scroll_close(struct pane_view *v);
void scroll_move(struct screen *s, struct pane_view *v, int by);
/* Notes that there are so many rows; the last ones stay visible when there are fewer than before.
 */
void scroll_fit(struct scroll *p, unsigned rows);

/* Draws the text that fills the heat area before the first sample. */
void draw_welcome(struct screen *s, struct canvas *c);

#endif
