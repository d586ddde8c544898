/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_page.c - shows the comparison of two finished runs as a page of the screen, and handles
 * its commands. */
#include "tui/compare_page.h"
#include "base/human.h"

#include "tui/fmt.h"
#include "tui/screen_part.h"

#include <stdio.h>
#include <string.h>

#define PAGE_ROWS 10
#define ALL_ROWS 100000

static struct compare_view *
view_of_page(const struct page *p)
{
	return &((struct compare_page *)(uintptr_t)p)->view;
}

struct compare_view *
compare_view_of(const struct screen *s)
{
	return view_of_page(s->page);
}

/* Moves the choice by rows that differ. The row chosen first may be one that does not differ: the
 * user can name it. */
void
compare_view_choose(struct compare_view *v, int by)
{
	int step = by < 0 ? -1 : 1;
	unsigned found = v->item;

	for (int i = (int)v->item + step; by && i >= 0 && i < (int)v->compare->n_items; i += step)
		if (compare_differs(&v->compare->item[i])) {
			found = (unsigned)i;
			by -= step;
		}
	v->item = found;
}

/* ---------------------------------------------------------------- the header */

/* Returns the file's name, or its path if the other file has the same name. */
static const char *
name_of(const struct compare *c, unsigned side)
{
	const char *a = strrchr(c->path[side], '/'), *b = strrchr(c->path[!side], '/');

	a = a ? a + 1 : c->path[side];
	b = b ? b + 1 : c->path[!side];
	return strcmp(a, b) == 0 ? c->path[side] : a;
}

/* Cuts a text that is too long at its beginning, since the end of a path tells more. */
static int
fit_end(struct canvas *c, int x, int w, enum role role, const char *text)
{
	int n = (int)strlen(text);

	if (n <= w)
		return canvas_text(c, x, 0, role, text);
	if (w < 2)
		return 0;
	canvas_put(c, x, 0, role, 0x2026);
	return 1 + canvas_text(c, x + 1, 0, role, text + n - (w - 1));
}

static void
draw_header(const struct page *p, struct canvas *c)
{
	const struct compare *k = view_of_page(p)->compare;
	bool cycles = k->cycles[0] > 0 && k->cycles[1] > 0 && c->w >= 72;
	char num[FMT_MAX], text[96];
	int x = 1, end = c->w - 1, w;

	canvas_fill(c, 0, 0, c->w, 1, ROLE_HEADER, ' ');
	if (cycles && k->cycles[0] != k->cycles[1]) {
		char change[HUMAN];

		snprintf(text, sizeof(text), "%s cycles",
			 human_change(change, 100 * (k->cycles[1] / k->cycles[0] - 1), 1));
		w = text_width(text);
		canvas_text(c, end - w, 0, ROLE_HEADER, text);
		canvas_attr(c, end - w, 0, w, ATTR_BOLD);
		end -= w + 2;
	}
	for (unsigned side = 0; side < 2; side++) {
		int room = (end - x) / (side ? 1 : 2) - 2;

		text[0] = '\0';
		if (cycles)
			snprintf(text, sizeof(text), " %s",
				 fmt_u64(num, (uint64_t)k->cycles[side]));
		x += canvas_text(c, x, 0, ROLE_HEADER, side ? "B " : "A ");
		canvas_attr(c, x - 2, 0, 1, ATTR_BOLD);
		x += fit_end(c, x, MAX(room - 2 - text_width(text), 4), ROLE_HEADER,
			     name_of(k, side));
		x += canvas_text(c, x, 0, ROLE_HEADER, text) + 2;
	}
}

/* ---------------------------------------------------------------- what the page answers to the
 * screen */

static enum key_when
when_of_compare(const struct page *p)
{
	return view_of_page(p)->compare->kind == COMPARE_SERIES ? WHEN_COMPARE_SERIES
								: WHEN_COMPARE_TABLE;
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
					    .when = when_of_compare,
					    .header = draw_header,
					    .cursor = move_cursor};
	struct compare_view *v = &p->view;
	int at = c->kind == COMPARE_SERIES ? compare_column(c, column, NULL) : -1;

	*p = (struct compare_page){.page.ops = &ops, .view = {.compare = c, .mapped_w = -1}};
	for (unsigned i = 0; at >= 0 && i < c->n_items; i++)
		if (strcmp(c->item[i].name, c->rows[0].cell[at]) == 0)
			v->item = i;
	if (at < 0 && c->n_items && !compare_differs(&c->item[0]))
		compare_view_choose(v, 1);
}

void
compare_page_free(struct compare_page *p)
{
	compare_map_free(&p->view.map);
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
