/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_view.c - what is where, the lines at the top and the bottom, and which row is chosen
 * (compare_view.h). Places follow from the size of the screen and the kind of tables only.
 */
#include "tui/compare_view.h"
#include "tui/fmt.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TABLE_ROWS 26 /* below a strip on a tall screen: as many as a series has columns */
#define BESIDE_W 112  /* from here on the table stands beside the classes */

void
compare_view_init(struct compare_view *v, const struct compare *c, const char *column)
{
	int at = c->kind == COMPARE_SERIES ? compare_column(c, column, NULL) : -1;

	*v = (struct compare_view){.compare = c, .mapped_w = -1};
	for (unsigned i = 0; at >= 0 && i < c->n_items; i++)
		if (strcmp(c->item[i].name, c->rows[0].cell[at]) == 0)
			v->item = i;
	if (at < 0 && c->n_items && !compare_differs(&c->item[0]))
		compare_view_choose(v, 1);
}

void
compare_view_free(struct compare_view *v)
{
	compare_map_free(&v->map);
}

/* The chosen row may be one that does not differ, when it was asked for; the others do. */
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

/* ---------------------------------------------------------------- what is where */

/* Rows of the strip out of so many for all: a row or two for a core where that leaves enough. */
static int
strip_rows(const struct compare_view *v, int room)
{
	int cores = (int)v->map.instances, most = MAX(room * 2 / 5, MIN(room, 3));

	if (room >= 34)
		most = MAX(room / 2, room - TABLE_ROWS);
	if (2 * cores <= most)
		return 2 * cores;
	if (cores <= most)
		return cores;
	return MIN((cores + 1) / 2, most);
}

void
compare_layout_compute(struct compare_layout *l, const struct compare_view *v, int w, int h)
{
	bool series = v->compare->kind == COMPARE_SERIES,
	     classes = compare_has_classes(v->compare) && h >= 14, beside;
	int y = 1, bottom = h, room;

	memset(l, 0, sizeof(*l));
	l->keys_y = --bottom;
	room = bottom - y;
	l->label = compare_heat_label(w);
	if (series && room >= 6) {
		l->legend_y = y++;
		l->strip_y = y;
		l->strip_h = strip_rows(v, room - 2);
		y += l->strip_h;
		l->axis_y = y++;
	}
	y += h >= 30;
	beside = classes && w >= BESIDE_W && bottom - y >= CC_CLASSES + 1;
	l->class_y = y;
	l->class_w = beside ? w / 2 - 1 : w;
	if (beside || (classes && bottom - y >= 2 * (CC_CLASSES + 1)))
		l->class_h = CC_CLASSES + 1;
	else if (classes)
		l->class_h = 3;
	l->table_x = beside ? w / 2 + 1 : 0;
	l->table_w = w - l->table_x;
	l->table_y = beside ? y : y + l->class_h + (l->class_h && h >= 30);
	l->table_h = MAX(bottom - l->table_y, 0);
}

/* ---------------------------------------------------------------- lines */

/* A file's name, or with another of that name the end of its path. */
static const char *
name_of(const struct compare *c, unsigned side)
{
	const char *a = strrchr(c->path[side], '/'), *b = strrchr(c->path[!side], '/');

	a = a ? a + 1 : c->path[side];
	b = b ? b + 1 : c->path[!side];
	return strcmp(a, b) == 0 ? c->path[side] : a;
}

/* The end of a text that is too long says more than its beginning. */
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
draw_header(const struct compare_view *v, struct canvas *c)
{
	const struct compare *k = v->compare;
	struct canvas in = canvas_sub(c, 0, 0, c->w, 1);
	bool cycles = k->cycles[0] > 0 && k->cycles[1] > 0 && c->w >= 72;
	char num[FMT_MAX], text[96];
	int x = 1, end = c->w - 1, w;

	canvas_fill(&in, 0, 0, in.w, 1, ROLE_HEADER, ' ');
	if (cycles && k->cycles[0] != k->cycles[1]) {
		snprintf(text, sizeof(text), "%+.1f %% cycles",
			 100 * (k->cycles[1] / k->cycles[0] - 1));
		w = text_width(text);
		canvas_text(&in, end - w, 0, ROLE_HEADER, text);
		canvas_attr(&in, end - w, 0, w, ATTR_BOLD);
		end -= w + 2;
	}
	for (unsigned side = 0; side < 2; side++) {
		int room = (end - x) / (side ? 1 : 2) - 2;

		text[0] = '\0';
		if (cycles)
			snprintf(text, sizeof(text), " %s",
				 fmt_u64(num, (uint64_t)k->cycles[side]));
		x += canvas_text(&in, x, 0, ROLE_HEADER, side ? "B " : "A ");
		canvas_attr(&in, x - 2, 0, 1, ATTR_BOLD);
		x += fit_end(&in, x, MAX(room - 2 - text_width(text), 4), ROLE_HEADER,
			     name_of(k, side));
		x += canvas_text(&in, x, 0, ROLE_HEADER, text) + 2;
	}
}

int
compare_help_draw(struct canvas *c)
{
	int y = 0;

	y += 1 + canvas_wrap(c, 2, y, c->w - 4, c->h, ROLE_TEXT,
			     "What B has more than A, or less: of time series, on which core and "
			     "when, over the same cycles of both runs. The two hues meet at no "
			     "difference; < is where only A has samples, > only B.");
	y += canvas_wrap(c, 2, y, c->w - 4, c->h, ROLE_TEXT,
			 "Below: the core cycles of both runs by what they were spent on, and "
			 "what differs. A value that is the same in the mean, but not in every "
			 "sample, has spread.");
	return y;
}

void
compare_view_draw(struct compare_view *v, struct canvas *c)
{
	struct compare_layout l;

	canvas_clear(c);
	if (v->compare->kind ==
	    COMPARE_SERIES) /* how many cores there are, and so how high it is */
		compare_heat_prepare(v, c->w);
	compare_layout_compute(&l, v, c->w, c->h);
	if (l.strip_h)
		compare_heat_draw(v, c, &l);
	struct canvas classes = canvas_sub(c, 0, l.class_y, l.class_w, l.class_h);
	struct canvas table = canvas_sub(c, l.table_x, l.table_y, l.table_w, l.table_h);
	if (l.class_h)
		compare_classes_draw(v, &classes);
	compare_table_draw(v, &table);
	if (l.table_x)
		canvas_fill(c, l.table_x - 1, l.table_y, 1, l.table_h, ROLE_FRAME, 0x2502);
	draw_header(v, c);
}
