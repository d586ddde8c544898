/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.c - places panes and lines on the screen; see layout.h. One strip at 80x24:
 *
 *     header                                            1
 *     banner: a caption                                 only while there is one
 *     strip: title and cores       | inspector: core    1 + 15
 *     axis                         | and policy         1
 *     at, last                                          2
 *     log                                               2
 *     keys, prompt                                      2
 *
 * To add a layout, add a row that names its panes as the command `pane` takes them, and its
 * pictures to the gallery (tests/tui/gallery.c). A new word on the screen needs a row in
 * src/session/labels.def.
 */
#include "tui/layout.h"
#include "tui/heat.h"
#include <string.h>

const struct layout_row layout_rows[] = {
	{.name = "auto",
	 .help = "one strip, or four to six where the screen is large enough",
	 .when = WHEN_ALWAYS,
	 .shape = SHAPE_AUTO,
	 .main = {"ctas", "ract", "credits", "gates", "heat gauge", "heat"},
	 .side = {"core", "policy"}},
	{.name = "single",
	 .help = "one strip with the inspector",
	 .when = WHEN_ALWAYS,
	 .shape = SHAPE_STACK,
	 .main = {"*"},
	 .side = {"core", "policy"}},
	{.name = "grid",
	 .help = "four or six strips over one time axis, of what the policy uses",
	 .when = WHEN_ALWAYS,
	 .shape = SHAPE_GRID,
	 .side_from = 100,
	 .main = {"ctas", "ract", "credits", "gates", "heat gauge", "heat"},
	 .side = {"core", "policy"}},
	{.name = "log",
	 .help = "one strip and a tall log",
	 .when = WHEN_ALWAYS,
	 .shape = SHAPE_STACK,
	 .tall_log = true,
	 .main = {"*"},
	 .side = {"core", "policy"}},
	{.name = "core",
	 .help = "the warps of the core in focus, cycle by cycle",
	 .when = WHEN_ALWAYS,
	 .shape = SHAPE_STACK,
	 .main = {"warps"},
	 .side = {"core", "policy"}},
	{.name = "source",
	 .help = "the kernel's lines and the time spent there",
	 .when = WHEN_ALWAYS,
	 .shape = SHAPE_STACK,
	 .main = {"source"},
	 .side = {"core", "policy"}},
	{.name = "lecture",
	 .help = "large digits, the last decision in words, and one strip",
	 .when = WHEN_ALWAYS,
	 .shape = SHAPE_STACK,
	 .bare = true,
	 .least_w = 60,
	 .least_h = 12,
	 .main = {"big", "ctas"}},
	{.name = "memory",
	 .help = "channels, round trips, miss registers and L1 misses; Tab goes through them",
	 .when = WHEN_ALWAYS,
	 .shape = SHAPE_AUTO,
	 .main = {"heat mem.dram_util", "heat core.lat_rt", "heat core.mshr",
		  "heat core.l1_miss_rate", "heat mem.row_hit_rate", "heat mem.queue"},
	 .side = {"core", "policy"}},
	{.name = "watch",
	 .help = "a policy converging: cores by limit or state, IPC and lead over time, CTAs",
	 .when = WHEN_ALWAYS,
	 .shape = SHAPE_STACK,
	 .main = {"converge", "ctas"},
	 .side = {"policy"}},
	{.name = "race",
	 .help = "a race, which has the screen to itself: versus STACK, or race",
	 .when = WHEN_RACE,
	 .shape = SHAPE_PAGE,
	 .gap_from = 36,
	 .main = {"lanes", "results", "difference"}},
	{.name = "compare",
	 .help = "two finished runs, which have the screen to themselves: ctascope compare A B",
	 .when = WHEN_COMPARE,
	 .shape = SHAPE_PAGE,
	 .gap_from = 30,
	 .beside_from = 112,
	 .main = {"delta", "shares", "changes"}},
};
const unsigned n_layout_rows = ARRAY_LEN(layout_rows);

const struct layout_row *
layout_of_page(enum key_when when)
{
	for (unsigned i = 0; i < n_layout_rows; i++)
		if (layout_rows[i].when & when)
			return &layout_rows[i];
	return NULL;
}

#define SIDE_MIN_W 72 /* narrower screens have no inspector */
#define INSPECTOR_ROWS 15

/* Takes one row off the bottom of the free area. */
static struct rect
row_from_bottom(struct layout *l, int *bottom)
{
	return (struct rect){0, --*bottom, l->w, 1};
}

static int
side_width(const struct layout_want *want, int w)
{
	if (w < MAX(SIDE_MIN_W, want->side_from) || want->n_side == 0)
		return 0;
	return w < 100 ? 31 : w < 150 ? 36 : 44;
}

/* Returns the rows that a strip shows: those it asks for, else one per core. */
static unsigned
rows_of(const struct layout_want *want, const struct layout_pane *p)
{
	return p->rows ? p->rows : want->cores;
}

/* Returns the height of a strip that is the only pane: all cores at the largest size that leaves
 * the log its rows, but at least what the inspector beside it needs. */
static int
strip_rows(const struct layout_want *want, int avail)
{
	static const struct {
		unsigned half;
		int log;
	} step[] = {{4, 10}, {2, 6}, {1, 2}};
	int keep = want->tall_log ? avail / 2 : 0,
	    most = avail - (avail >= 14 && !want->bare ? MAX(2, keep) : 0);

	for (size_t i = 0; i < ARRAY_LEN(step); i++) {
		int rows = (int)(rows_of(want, &want->main[0]) * step[i].half + 1) / 2;
		if (rows <= avail - MAX(step[i].log, keep))
			return MIN(MAX(rows, INSPECTOR_ROWS), most);
	}
	return most;
}

/* Places the inspector at the right of rows y0..y1; its last pane gets the rows that the others
 * leave. */
static void
place_side(struct layout *l, const struct layout_want *want, int y0, int y1, int side)
{
	int x = l->w - side, y = y0;

	l->sep_x = -1;
	if (side == 0 || y1 - y0 < 3)
		return;
	l->sep_x = x - 1;
	l->sep_y0 = y0;
	l->sep_y1 = y1;
	for (unsigned i = 0; i < want->n_side; i++) {
		const struct layout_pane *p = &want->side[i];
		bool roomy = y1 - y >= 2 * p->best, last = i + 1 == want->n_side;
		int h = last || p->best == 0 ? y1 - y : MIN(y1 - y, roomy ? p->best : p->min);
		l->side[i] = (struct rect){x, y, side, h};
		y += h;
	}
}

/* Returns the height of a pane that has the main area to itself. */
static int
lone_rows(const struct layout_want *want, int avail)
{
	const struct layout_pane *p = &want->main[0];
	int log = want->bare || avail < 14 ? 0 : want->tall_log ? avail / 2 : MAX(avail / 8, 2);

	if (p->strip)
		return strip_rows(want, avail - 1) + 1;
	if (p->best)
		return MIN(MAX(p->best, INSPECTOR_ROWS + 1), avail - log);
	return avail - log;
}

/* Returns the most rows up to `most` that a strip of cores can use: its title, and whole or half
 * rows. */
static int
strip_fit(unsigned cores, int most)
{
	unsigned half = heat_half_rows(cores, most - 1);

	return MIN(most, (int)(cores * half + 1) / 2 + 1);
}

#define LOG_EXTRA 2 /* spare rows that a stack leaves to the log before its curves grow */

/* Lets panes that have all the rows they ask for grow into those that nothing else uses, up to
 * twice their best height: curves become steeper, whereas the log would stay blank. */
static void
grow_rows(const struct layout_want *want, unsigned n, int left, int *rows)
{
	for (unsigned i = 0; i < n && left > 0; i++) {
		const struct layout_pane *p = &want->main[i];
		int more = p->strip || !p->best ? 0 : MIN(left, 2 * p->best - rows[i]);

		rows[i] += MAX(more, 0);
		left -= MAX(more, 0);
	}
}

/* Computes the heights of panes one above the other: first what each needs, then more for the
 * strips, then more for the others. */
static void
stack_rows(const struct layout_want *want, unsigned n, int avail, int *rows)
{
	int left = avail;

	for (unsigned i = 0; i < n; i++)
		left -= rows[i] = want->main[i].min;
	for (int round = 0; round < 2; round++)
		for (unsigned i = 0; i < n; i++) {
			const struct layout_pane *p = &want->main[i];
			int share = round == 0 && n > 1 ? left / 2 : left, more;
			if (p->strip)
				more = strip_fit(rows_of(want, p), rows[i] + share);
			else
				more = p->best ? MIN(rows[i] + share, MAX(p->best, p->min))
					       : rows[i] + share;
			left -= MAX(more - rows[i], 0);
			rows[i] = MAX(more, rows[i]);
		}
	grow_rows(want, n, left - LOG_EXTRA, rows);
}

#define SPARE_MIN 8
#define SPARE_MOST 18

/* Returns the most rows that a spare pane can use: the title and rows of a strip, else a height at
 * which curves can be read well. */
static int
spare_most(const struct layout_pane *p)
{
	return p->strip && p->rows ? MIN((int)(p->rows + 1) / 2 + 1, SPARE_MOST) : SPARE_MOST;
}

/* Adds panes for rows that the n panes of a stack leave empty. Returns the new number of panes. */
static unsigned
spare_rows(const struct layout_want *want, unsigned n, int avail, int *rows)
{
	int left = avail;

	for (unsigned i = 0; i < n; i++)
		left -= rows[i];
	for (; n > 0 && n < want->n_main; n++) {
		int most = spare_most(&want->main[n]);
		bool both = n + 1 < want->n_main && left >= 2 * SPARE_MIN;

		if (left < MIN(most, SPARE_MIN))
			break;
		rows[n] = MIN(both ? left / 2 : left, most);
		left -= rows[n];
	}
	return n;
}

static void
place_stack(struct layout *l, const struct layout_want *want, int top, int bottom)
{
	int side = side_width(want, l->w), avail = bottom - top, rows[LAYOUT_MAIN], need = 0,
	    y = top;
	int w = side ? l->w - side - 1 : l->w, axis = 0, log, timed = -1;
	unsigned n = 0;

	for (unsigned i = 0; i < want->n_main; i++)
		axis |= want->main[i].timed && avail >= 4;
	axis += axis && want->marks && avail >= 10;
	avail -= axis;
	log = want->bare || avail < 14 ? 0 : want->tall_log ? avail / 2 : 2;
	for (; n < want->n_main && !want->main[n].spare &&
	       (n == 0 || need + want->main[n].min <= avail - log);
	     n++)
		need += want->main[n].min;
	if (n == 1)
		rows[0] = MAX(lone_rows(want, avail), 0);
	else if (n > 1)
		stack_rows(want, n, avail - log, rows);
	if (n < want->n_main && want->main[n].spare && !want->tall_log)
		n = spare_rows(want, n, avail - MAX(log, avail / 8), rows);
	for (unsigned i = 0; i < n; i++)
		timed = want->main[i].timed ? (int)i : timed;
	for (int i = 0; i < (int)n; i++) {
		l->main[i] = (struct rect){0, y, w, rows[i]};
		y += rows[i];
		if (i == timed) { /* the axis is below the panes that it belongs to */
			l->axis[0] = (struct rect){0, y, axis ? w : 0, axis};
			y += axis;
		}
	}
	l->n_main = n;
	l->log = (struct rect){0, y, l->w, MAX(bottom - y, 0)};
	place_side(l, want, top, y, side);
}

/* Returns the rows of each of n panes in two columns, without their titles. */
static int
grid_rows(unsigned n, int avail)
{
	return (avail - 2) / (((int)n + 1) / 2) - 1;
}

#define GRID_LOG 4 /* rows that a grid leaves to the log */

/* Returns the rows that panes i and i + 1 of a grid, side by side, get from `left` that nothing
 * else uses. A strip has its rows; what has a whole row per core, or lines, can use more. */
static int
grid_more(const struct layout_want *want, unsigned i, int rows, int left)
{
	bool can = false;

	for (unsigned k = i; k < want->n_main && k < i + 2; k++)
		can |= !want->main[k].strip || want->main[k].rows > want->cores;
	return can ? MAX(MIN(left - GRID_LOG, rows), 0) : 0;
}

#define GRID_THIRD_MIN 7 /* rows from which two more panes are worth their place */

/* Returns the height of a third row of two panes below four, in the rows that would otherwise be a
 * blank log; several cores may share a row of cells there. 0: there is no room. */
static int
grid_third(const struct layout_want *want, int left)
{
	unsigned most = 0;
	int h = left - GRID_LOG;

	for (unsigned i = 4; i < want->n_main; i++)
		most = MAX(most, rows_of(want, &want->main[i]));
	return most && h >= GRID_THIRD_MIN ? MIN(h, (int)most + 1) : 0;
}

/* Places six panes if each core keeps half a row in them, else four, with two lower ones below if
 * rows are left. The lowest may be higher. */
static void
place_grid(struct layout *l, const struct layout_want *want, int top, int bottom)
{
	int side = side_width(want, l->w), w = (l->w - side - 2) / 2,
	    axis = 1 + (want->marks && bottom - top >= 12), avail = bottom - top - axis, rows, h,
	    more, third;
	unsigned n = want->n_main;

	if (n > 4 && grid_rows(n, avail) < ((int)want->cores + 1) / 2)
		n = 4;
	rows = grid_rows(n, avail);
	rows = MIN((int)(want->cores * heat_half_rows(want->cores, MAX(rows - 2, 1)) + 1) / 2,
		   rows);
	rows = MAX(rows, 1);
	h = ((int)n + 1) / 2 * (rows + 1) + axis;
	third = n == 4 && want->n_main > 4 ? grid_third(want, bottom - top - h) : 0;
	more = grid_more(want, (n - 1) / 2 * 2, rows, bottom - top - h);
	if (third) {
		n = want->n_main;
		more = third - rows - 1;
		h += rows + 1;
	}
	h += more;
	l->grid = true;
	l->n_main = n;
	for (int i = 0; i < (int)n; i++)
		l->main[i] = (struct rect){i % 2 * (w + 1), top + i / 2 * (rows + 1), w,
					   rows + 1 + (i / 2 == ((int)n - 1) / 2 ? more : 0)};
	for (int i = 0; i < 2; i++) { /* none below a pane without a time axis */
		unsigned last = n - 1 - ((n - 1) % 2 != (unsigned)i);
		l->axis[i] = (struct rect){i * (w + 1), top + h - axis,
					   want->main[last].timed ? w : 0, axis};
	}
	l->log = (struct rect){0, top + h, l->w, MAX(bottom - top - h, 0)};
	place_side(l, want, top, top + h, side);
}

/* Returns the rows of a page's panes from the i-th on, with the blank rows above them. */
static int
rows_from(const struct layout_want *want, unsigned i, int gap)
{
	int rows = 0;

	for (; i < want->n_main; i++)
		rows += want->main[i].best ? want->main[i].best + gap : 0;
	return rows;
}

/* A caption takes no row from a screen that is too low for panes. */
static int
banner_rows(const struct layout_want *want, int h)
{
	return h >= 10 + want->banner ? want->banner : 0;
}

/* Places the panes of a page between the header and the keys: one above the other, or the last two
 * side by side. */
static void
place_page(struct layout *l, const struct layout_want *want)
{
	int y = 1, bottom = l->h - 1, gap = want->gap_from && l->h >= want->gap_from,
	    half = l->w / 2;
	bool wide = want->beside_from && l->w >= want->beside_from;

	l->header = (struct rect){0, 0, l->w, 1};
	l->banner = (struct rect){0, y, l->w, banner_rows(want, l->h)};
	y += l->banner.h;
	l->prompt = (struct rect){0, bottom, l->w, 1};
	l->keys = (struct rect){0, bottom - want->typing, l->w, 1};
	l->n_main = want->n_main;
	for (unsigned i = 0; i < l->n_main; i++) {
		const struct layout_pane *p = &want->main[i];
		int rows, left;

		y += i && (p->best || p->rest) ? gap : 0;
		left = MAX(bottom - y, 0);
		if (wide && i + 2 == l->n_main && p->best && left >= p->best) {
			l->main[i] = (struct rect){0, y, half - 1, p->best};
			l->main[i + 1] = (struct rect){half + 1, y, l->w - half - 1, left};
			l->sep_x = half;
			l->sep_y0 = y;
			l->sep_y1 = bottom;
			return;
		}
		rows = p->rest ? MAX(left - rows_from(want, i + 1, gap), 0)
			       : MIN(left >= 2 * p->best ? p->best : p->min, left);
		l->main[i] = (struct rect){0, y, l->w, rows};
		y += rows;
	}
}

static void
move_rect(struct rect *r, int dx, int dy)
{
	r->x += dx;
	r->y += dy;
}

void
layout_move(struct layout *l, int dx, int dy)
{
	for (unsigned i = 0; i < LAYOUT_MAIN; i++)
		move_rect(&l->main[i], dx, dy);
	for (unsigned i = 0; i < LAYOUT_SIDE; i++)
		move_rect(&l->side[i], dx, dy);
	move_rect(&l->axis[0], dx, dy);
	move_rect(&l->axis[1], dx, dy);
	l->sep_x += l->sep_x >= 0 ? dx : 0;
	l->sep_y0 += dy;
	l->sep_y1 += dy;
}

#define TWIN_LEAST 6 /* rows of a half: title, pane, axis */

/* Places the panes of the first half of two runs between the rows top and bottom. */
static void
place_half(struct layout *l, const struct layout_want *want)
{
	struct layout_want half = *want;
	struct rect r = l->half[0];
	int w = l->w;

	half.bare = true;
	half.tall_log = false;
	l->w = r.w;
	if (want->shape == SHAPE_GRID && want->n_main > 1 && r.w >= 60 && r.h >= 20)
		place_grid(l, &half, r.y + 1, r.y + r.h);
	else
		place_stack(l, &half, r.y + 1, r.y + r.h);
	l->w = w;
}

/* Two runs: side by side with the strip below both, or one above the other with the strip between
 * them. On a screen without room for both, the one in focus. */
static void
place_twin(struct layout *l, const struct layout_want *want, int top, int bottom)
{
	int log = l->h >= 32 ? 2 : 0, strip = l->h >= 24 ? 5 : l->h >= 18 ? 4 : l->h >= 12 ? 2 : 0;
	int y = bottom - log, h, w = (l->w - 1) / 2;

	if (l->h >= 10)
		l->at = (struct rect){0, --y, l->w, 1};
	if (l->w >= TWIN_BESIDE_W) {
		h = y - strip - top;
		l->half[0] = (struct rect){0, top, w, h};
		l->half[1] = (struct rect){w + 1, top, w, h};
		l->strip = (struct rect){0, top + h, l->w, strip};
	} else if ((h = (y - top - strip) / 2) >= TWIN_LEAST) {
		l->half[0] = (struct rect){0, top, l->w, h};
		l->strip = (struct rect){0, top + h, l->w, strip};
		l->half[1] = (struct rect){0, top + h + strip, l->w, h};
	} else {
		h = MAX(y - strip - top, 0);
		l->half[0] = l->half[1] = (struct rect){0, top, l->w, h};
		l->strip = (struct rect){0, top + h, l->w, strip};
	}
	if (h > 1)
		place_half(l, want);
	l->log = (struct rect){0, bottom - log, l->w, log};
}

/* The log ends where the fixed rows begin; "at" and "last" are above it, below the axis. */
static void
place_panes(struct layout *l, const struct layout_want *want, int w, int h)
{
	int top = 0, bottom = h, above = 0;

	memset(l, 0, sizeof(*l));
	l->w = w;
	l->h = h;
	l->sep_x = -1;
	if (want->shape == SHAPE_PAGE) {
		place_page(l, want);
		return;
	}
	if (h >= 1)
		l->prompt = row_from_bottom(l, &bottom);
	if (h >= 4)
		l->keys = row_from_bottom(l, &bottom);
	if (h >= 3)
		l->header = (struct rect){0, top++, w, 1};
	l->banner = (struct rect){0, top, w, banner_rows(want, h)};
	top += l->banner.h;
	if (want->twin) {
		place_twin(l, want, top, bottom);
		return;
	}
	if (!want->bare)
		above = (h >= 8) + (h >= 10);
	bottom -= above;
	if (want->shape == SHAPE_GRID && want->n_main > 1 && w >= 60 && h >= 20)
		place_grid(l, want, top, bottom);
	else
		place_stack(l, want, top, bottom);
	/* Slide the log down to make room for the two lines above it. */
	int y = l->log.y;
	if (above && h >= 10)
		l->at = (struct rect){0, y++, w, 1};
	if (above)
		l->last = (struct rect){0, y++, w, 1};
	l->log.y = y;
}

/* The lesson has the left of the screen, between header and keys. */
static void
place_left_of(struct layout *l, const struct layout_want *want, int w, int h)
{
	int dx = LESSON_W + 1;

	place_panes(l, want, w - dx, h);
	layout_move(l, dx, 0);
	move_rect(&l->banner, dx, 0);
	move_rect(&l->at, dx, 0);
	move_rect(&l->last, dx, 0);
	move_rect(&l->log, dx, 0);
	move_rect(&l->half[0], dx, 0);
	move_rect(&l->half[1], dx, 0);
	move_rect(&l->strip, dx, 0);
	l->header.w = l->keys.w = l->prompt.w = w;
	l->lesson = (struct rect){0, l->header.h, LESSON_W, l->keys.y - l->header.h};
}

void
layout_compute(struct layout *l, const struct layout_want *want, int w, int h)
{
	int dy = LESSON_H;

	if (!want->lesson || h < LESSON_FROM_H) {
		place_panes(l, want, w, h);
	} else if (w >= LESSON_LEFT_FROM_W && !want->below) {
		place_left_of(l, want, w, h);
	} else {
		place_panes(l, want, w, h - dy);
		l->lesson = (struct rect){0, l->keys.y, w, dy};
		l->keys.y += dy;
		l->prompt.y += dy;
	}
	l->w = w;
	l->h = h;
}
