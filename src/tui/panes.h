/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panes.h - what the pane files share. The table is in panes.c. */
#ifndef TUI_PANES_H
#define TUI_PANES_H

#include "tui/screen.h"

/* Those that the screen gives places of their own; pane_table has all. */
extern const struct pane_ops pane_policy, pane_log, pane_core, pane_heat, pane_source;

unsigned pane_count(void);
bool pane_is_strip(const struct pane_ops *p); /* of a session, not of a page */
/* Whether it is a pane of a session, or of the page of then. */
bool pane_is_of(const struct pane_ops *pane, enum key_when when);

/* A bar of w columns that is full at max, with marks at up to two thresholds (NaN: none). */
void draw_bar(struct canvas *c, int x, int y, int w, double value, double max, double t1,
	      double t2);

/* Line i of the log: the rows it takes w columns wide (prose is wrapped; tables are made to fit),
 * and drawn, which returns the same. */
int log_line_rows(struct screen *s, unsigned i, int w);
int log_draw_line(struct screen *s, struct canvas *c, int x, int y, int w, unsigned i);

/* The page of `?`. Returns the lines it has in all; draws from line top. */
int help_page(struct screen *s, struct canvas *c, int top);
/* That of a page (page.h): what it shows, then its keys and commands. */
void page_help(const struct screen *s, struct canvas *c);

/* The workload's name: its file without folders and suffix; of a folder of captured kernels, the
 * folder. */
void workload_name(const struct sim *sim, char *buf, size_t size);

/* What stands in the heat area before the first sample. */
void draw_welcome(struct screen *s, struct canvas *c);

#endif
