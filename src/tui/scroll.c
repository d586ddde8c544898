/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scroll.c - scrolls the rows of a pane that has more of them than room. */
#include "base/memory.h"
#include "tui/panes.h"

#include <stdlib.h>

int
scroll_open(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e ATTR_UNUSED)
{
	v->own = memory_new(1, sizeof(struct scroll));
	return 0;
}

void
scroll_close(struct pane_view *v)
{
	free(v->own);
}

void
scroll_move(struct screen *s ATTR_UNUSED, struct pane_view *v, int by)
{
	struct scroll *p = v->own;
	int64_t most = (int64_t)p->rows - p->shown;

	p->top = (unsigned)MAX(0, MIN((int64_t)p->top + by, most));
}

void
scroll_fit(struct scroll *p, unsigned rows)
{
	p->rows = rows;
	if (p->top + p->shown > rows)
		p->top = rows > p->shown ? rows - p->shown : 0;
}
