/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_page.h - two finished runs as a page of the screen (page.h). */
#ifndef TUI_COMPARE_PAGE_H
#define TUI_COMPARE_PAGE_H

#include "tui/compare_view.h"
#include "tui/page.h"

struct compare_page {
	struct page page;
	struct compare_view view;
};

/* column: as compare_column() takes it; it is one. */
void compare_page_init(struct compare_page *p, const struct compare *c, const char *column);
void compare_page_free(struct compare_page *p);

#endif
