/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_page.h - two finished runs as a page of the screen (page.h): how B differs from A, on
 * which core and when (pane delta), where the core cycles of both went (shares), and what differs
 * (changes).
 *
 * The row of the table that is chosen is the column that the heat shows, so choosing and scrolling
 * are one.
 */
#ifndef TUI_COMPARE_PAGE_H
#define TUI_COMPARE_PAGE_H

#include "export/compare.h"
#include "tui/page.h"

struct compare_view {
	const struct compare *compare; /* borrowed */
	unsigned item;		       /* the chosen one, an index into compare->item */
	unsigned top;		       /* the first row of the table in view */
	int rows;		       /* rows of the table in the last frame */
	bool largest; /* cores that share a row show their largest difference, not the mean */

	/* The map of the chosen column; `mapped` says which column and width it is for. */
	struct compare_map map;
	unsigned mapped;
	int mapped_w;
	struct err why; /* why there is no map */
};

struct compare_page {
	struct page page;
	struct compare_view view;
};

/* `column` must be one that compare_column() accepts. */
void compare_page_init(struct compare_page *p, const struct compare *c, const char *column);
void compare_page_free(struct compare_page *p);
/* Returns the view of the comparison that is on the screen. */
struct compare_view *compare_view_of(const struct screen *s);
/* Moves the choice down by that many rows that differ, or up. */
void compare_view_choose(struct compare_view *v, int by);

#endif
