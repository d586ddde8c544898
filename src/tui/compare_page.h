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
	unsigned item;		       /* chosen: a place in compare->item */
	unsigned top;		       /* the first row of the table in view */
	int rows;		       /* of the table in the last frame */
	bool largest; /* of cores that share a row: the largest difference, not the mean */

	struct compare_map map; /* of the chosen column; mapped says for which, and how wide */
	unsigned mapped;
	int mapped_w;
	struct err why; /* there is none */
};

struct compare_page {
	struct page page;
	struct compare_view view;
};

/* column: as compare_column() takes it; it is one. */
void compare_page_init(struct compare_page *p, const struct compare *c, const char *column);
void compare_page_free(struct compare_page *p);
/* Of the comparison that has the screen. */
struct compare_view *compare_view_of(const struct screen *s);
/* The row so many below the chosen one, or above it. */
void compare_view_choose(struct compare_view *v, int by);

#endif
