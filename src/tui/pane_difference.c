/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_difference.c - describes the first decision in which two lanes of a race differ. */
#include "tui/panes.h"
#include "tui/race_page.h"
#include <string.h>

#define ROWS 3
#define FROM_H 20 /* lower screens have no room for this pane */
#define MORE 2	  /* rows in which the lines of two lanes go on, where they are short */
#define SHORT_W 80

static int
wanted_height(struct screen *s, struct pane_view *v ATTR_UNUSED)
{
	if (s->canvas->h < FROM_H)
		return 0;
	return s->canvas->w < SHORT_W && race_view_of(s)->race->n <= 2 ? ROWS + MORE : ROWS;
}

static void
draw_pane(struct screen *s, struct pane_view *v ATTR_UNUSED, struct canvas *c)
{
	struct strbuf text = {0};
	char *save = NULL;
	int y = 0, spare = c->h - ROWS;

	race_difference_brief(race_view_of(s)->race, (unsigned)MAX(c->w / 7, 10), &text);
	for (char *p = text.p ? strtok_r(text.p, "\n", &save) : NULL; p;
	     p = strtok_r(NULL, "\n", &save)) {
		enum role role = y ? ROLE_TEXT : ROLE_TITLE;
		int rows = spare > 0 ? canvas_wrap(c, 1, y, c->w - 2, 2, role, p) : 1;

		if (spare <= 0)
			canvas_fit(c, 1, y, c->w - 2, role, p);
		spare -= rows - 1;
		y += rows;
	}
	sb_free(&text);
}

const struct pane_ops pane_difference = {
	.name = "difference",
	.help = "The first difference is the first decision that differs between two lanes.",
	.kind = PANE_PAGE,
	.when = WHEN_RACE,
	.height = wanted_height,
	.draw = draw_pane,
};
