/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_page.c - two finished runs as a page of the screen, and its commands. Nothing moves. */
#include "tui/compare_page.h"

#include "tui/screen_part.h"

#include <string.h>

#define PAGE_ROWS 10
#define ALL_ROWS 100000

static struct compare_view *
view_of_page(const struct page *p)
{
	return &((struct compare_page *)(uintptr_t)p)->view;
}

static enum key_when
when(const struct page *p)
{
	return view_of_page(p)->compare->kind == COMPARE_SERIES ? WHEN_COMPARE_SERIES
								: WHEN_COMPARE_TABLE;
}

static void
draw(struct page *p, const struct screen *s, struct canvas *c)
{
	struct compare_view *v = view_of_page(p);

	v->painter = &s->painter;
	v->depth = s->depth;
	compare_view_draw(v, c);
}

static int
help(const struct page *p ATTR_UNUSED, struct canvas *c)
{
	return compare_help_draw(c);
}

static int
move_cursor(struct page *p, struct screen *s ATTR_UNUSED, const char *way, struct err *e)
{
	static const struct {
		const char *word;
		int rows;
	} ways[] = {{"up", -1},
		    {"down", 1},
		    {"page-up", -PAGE_ROWS},
		    {"page-down", PAGE_ROWS},
		    {"start", -ALL_ROWS},
		    {"end", ALL_ROWS}};

	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		if (strcmp(way, ways[i].word) == 0) {
			compare_view_choose(view_of_page(p), ways[i].rows);
			return 0;
		}
	return err_set(e,
		       "cursor: expected up, down, page-up, page-down, start or end; found '%.40s'",
		       way);
}

void
compare_page_init(struct compare_page *p, const struct compare *c, const char *column)
{
	static const struct page_ops ops = {.name = "a comparison",
					    .when = when,
					    .draw = draw,
					    .help = help,
					    .cursor = move_cursor};

	*p = (struct compare_page){.page.ops = &ops};
	compare_view_init(&p->view, c, column);
}

void
compare_page_free(struct compare_page *p)
{
	compare_view_free(&p->view);
}

int
compare_do_fold(struct screen *s, const char *arg, struct err *e)
{
	struct compare_view *v = view_of_page(s->page);
	bool largest = strcmp(arg, "largest") == 0;

	if (!*arg || strcmp(arg, "next") == 0)
		v->largest = !v->largest;
	else if (largest || strcmp(arg, "mean") == 0)
		v->largest = largest;
	else
		return err_set(e, "fold: expected mean, largest or next; found '%.40s'", arg);
	return 0;
}
