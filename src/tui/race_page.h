/* SPDX-License-Identifier: GPL-3.0-or-later */
/* race_page.h - a race as a page of the screen (page.h). */
#ifndef TUI_RACE_PAGE_H
#define TUI_RACE_PAGE_H

#include "tui/page.h"
#include "tui/race_view.h"

struct race_page {
	struct page page;
	struct race *race; /* borrowed */
	struct race_view view;
	cycle_t target; /* that steps by hand lead to */
	double due;	/* wall clock of the next step at a pace */
	bool asked;	/* how they stand where branches part: there is a run before it */
};

void race_page_init(struct race_page *p, struct race *r, const char *workload);

#endif
