/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layout.c - every size of screen gets a layout without overlaps; and the time axis. */
#include "tests/tap.h"
#include "tui/axis.h"
#include "tui/layout.h"

static bool
inside(const struct layout *l, struct rect r)
{
	return r.w >= 0 && r.h >= 0 &&
	       (r.h == 0 || r.w == 0 ||
		(r.x >= 0 && r.y >= 0 && r.x + r.w <= l->w && r.y + r.h <= l->h));
}

static bool
meet(struct rect a, struct rect b)
{
	return a.w > 0 && a.h > 0 && b.w > 0 && b.h > 0 && a.x < b.x + b.w && b.x < a.x + a.w &&
	       a.y < b.y + b.h && b.y < a.y + a.h;
}

/* Whether all parts are on the screen and do not overlap. */
static bool
sound(const struct layout *l)
{
	struct rect all[24] = {l->header, l->axis[0], l->axis[1], l->at,
			       l->last,	  l->log,     l->keys,	  l->prompt};
	unsigned n = 8;

	for (unsigned i = 0; i < l->n_main; i++)
		all[n++] = l->main[i];
	for (unsigned i = 0; i < LAYOUT_SIDE; i++)
		all[n++] = l->side[i];
	for (unsigned i = 0; i < n; i++) {
		if (!inside(l, all[i]))
			return false;
		for (unsigned k = 0; k < i; k++)
			if (meet(all[i], all[k]))
				return false;
	}
	return true;
}

/* clang-format off */
#define A_STRIP {.min = 3, .strip = true, .timed = true}
#define A_ROWS {.min = 3, .strip = true, .timed = true, .rows = 256}
#define A_PLOT {.min = 4, .best = 12, .timed = true}
#define A_PAGE {.min = 3}
#define A_SPARE {.min = 4, .timed = true, .spare = true}
#define A_CORE {.min = 10, .best = 13}
#define A_POLICY {.min = 4}
/* clang-format on */

static const struct {
	const char *name;
	struct layout_want want;
} wants[] = {
	{"single",
	 {.shape = SHAPE_STACK,
	  .n_main = 1,
	  .main = {A_STRIP},
	  .n_side = 2,
	  .side = {A_CORE, A_POLICY}}},
	{"tall log",
	 {.shape = SHAPE_STACK,
	  .tall_log = true,
	  .n_main = 1,
	  .main = {A_STRIP},
	  .n_side = 2,
	  .side = {A_CORE, A_POLICY}}},
	{"grid",
	 {.shape = SHAPE_GRID,
	  .n_main = 4,
	  .main = {A_STRIP, A_STRIP, A_STRIP, A_STRIP},
	  .n_side = 2,
	  .side = {A_CORE, A_POLICY}}},
	{"grid of three",
	 {.shape = SHAPE_GRID,
	  .n_main = 3,
	  .main = {A_STRIP, A_STRIP, A_STRIP},
	  .n_side = 1,
	  .side = {A_POLICY}}},
	{"strip and plots",
	 {.shape = SHAPE_STACK,
	  .n_main = 3,
	  .main = {A_STRIP, A_PLOT, A_PLOT},
	  .n_side = 1,
	  .side = {A_POLICY}}},
	{"two strips", {.shape = SHAPE_STACK, .n_main = 2, .main = {A_STRIP, A_STRIP}}},
	{"page",
	 {.shape = SHAPE_STACK, .n_main = 1, .main = {A_PAGE}, .n_side = 1, .side = {A_CORE}}},
	{"spare",
	 {.shape = SHAPE_STACK,
	  .n_main = 3,
	  .main = {A_STRIP, A_SPARE, A_SPARE},
	  .n_side = 1,
	  .side = {A_POLICY}}},
	{"bare", {.shape = SHAPE_STACK, .bare = true, .n_main = 2, .main = {A_PLOT, A_STRIP}}},
	{"grid with rows",
	 {.shape = SHAPE_GRID, .n_main = 4, .main = {A_STRIP, A_STRIP, A_STRIP, A_ROWS}}},
	{"grid of six",
	 {.shape = SHAPE_GRID,
	  .n_main = 6,
	  .main = {A_STRIP, A_STRIP, A_STRIP, A_STRIP, A_STRIP, A_STRIP}}},
};
enum { SINGLE = 0, GRID = 2, PLOTS = 4, SPARE = 7, BARE = 8, ROWS = 9, SIX = 10 };

static void
compute(struct layout *l, int which, int w, int h, unsigned cores)
{
	struct layout_want want = wants[which].want;

	want.cores = cores;
	layout_compute(l, &want, w, h);
}

static void
test_every_size(void)
{
	static const unsigned cores[] = {1, 4, 14, 15, 30, 56, 110, 128};
	unsigned bad = 0, n = 0;
	struct layout l;

	for (int w = 1; w <= 250; w += w < 20 ? 1 : 7)
		for (int h = 1; h <= 120; h++)
			for (unsigned c = 0; c < ARRAY_LEN(cores); c++)
				for (int k = 0; k < (int)ARRAY_LEN(wants); k++, n++) {
					compute(&l, k, w, h, cores[c]);
					if (!sound(&l) && bad++ < 5)
						diag("%dx%d, %u cores, layout %s", w, h, cores[c],
						     wants[k].name);
				}
	is_u64(bad, 0, "%u layouts have no part outside and no overlap", n);
}

static void
test_design_sizes(void)
{
	struct layout l;

	compute(&l, SINGLE, 80, 24, 30);
	ok(!l.grid && l.main[0].h == 16 && l.side[0].w == 31 && l.log.h == 2,
	   "80x24: 30 cores, two a row, inspector, log");
	compute(&l, GRID, 120, 40, 30);
	ok(l.grid && l.n_main == 4 && l.main[3].h == 16 && l.log.h >= 2, "120x40: the grid");
	ok(l.main[0].w == l.main[1].w && l.axis[0].w == l.axis[1].w, "with one time axis");
	compute(&l, GRID, 160, 50, 30);
	ok(l.main[3].h == 16 && l.log.h > 10, "160x50: strips need no more rows");
	compute(&l, SIX, 160, 50, 30);
	ok(l.n_main == 6 && l.main[3].h == 16 && l.main[5].h >= 7 && l.log.h <= 6,
	   "a third row of lower strips takes what would be a blank log: %d, %d", l.main[5].h,
	   l.log.h);
	compute(&l, SIX, 160, 42, 30);
	ok(l.n_main == 4, "where it has room");
	compute(&l, ROWS, 160, 50, 30);
	ok(l.main[3].h > 20 && l.main[0].h == 16 && l.log.h == 4,
	   "a row for each core does: %d rows", l.main[3].h);
	compute(&l, PLOTS, 120, 40, 30);
	ok(l.n_main == 3 && l.main[0].h == 16 && l.main[1].h >= 4 && l.main[2].h >= 4 &&
		   l.axis[0].y == l.main[2].y + l.main[2].h,
	   "a strip, two plots below it, one time axis below all");
	compute(&l, PLOTS, 80, 24, 30);
	ok(l.n_main >= 1 && l.main[0].h >= 3, "80x24: as many of them as have room");
	compute(&l, BARE, 80, 24, 30);
	ok(!l.log.h && !l.at.h && !l.last.h && l.n_main == 2 && l.main[1].y + l.main[1].h >= 20,
	   "bare: the panes have the screen");
	compute(&l, SINGLE, 40, 12, 30);
	ok(l.main[0].h >= 4 && l.at.h && l.last.h && l.keys.h && l.prompt.h && l.sep_x < 0,
	   "40x12 still shows a pane");
	compute(&l, SPARE, 80, 24, 30);
	is_u64(l.n_main, 1, "80x24: no rows to spare");
	compute(&l, SPARE, 120, 40, 30);
	ok(l.n_main == 2 && l.main[0].h == 16 && l.main[1].h >= 8 && l.log.h >= 4,
	   "120x40: another pane in what the strip leaves, %d rows, and the log", l.main[1].h);
	compute(&l, SPARE, 200, 60, 60);
	ok(l.n_main >= 2 && l.main[0].h == 31, "60x200: after all cores have half a row");
	compute(&l, SINGLE, 1, 1, 30);
	ok(l.prompt.h == 1, "1x1: the prompt");
}

static void
test_axis(void)
{
	struct axis a;

	axis_init(&a);
	axis_update(&a, 512 * 10, false, 512, 40);
	is_u64(a.per, 128, "few samples have several columns each");
	is_u64((uint64_t)axis_column(&a, 512), 3, "sample 0 is in columns 0 to 3");
	is_u64((uint64_t)axis_column(&a, 513), 4, "the next cycle is in the next");
	axis_move(&a, -1);
	is_u64(a.cursor, 9 * 512, "the cursor moves by samples");
	axis_follow(&a);
	axis_update(&a, 512, false, 512, 200);
	is_u64(a.per, 512 / AXIS_FINEST, "a sample has so many columns and no more");
	axis_update(&a, 512 * 40, false, 512, 40);
	is_u64(a.per, 512, "a column is a sample when they are as many");
	axis_update(&a, 512 * 41, false, 512, 40);
	is_u64(a.per, 640, "when the columns are used up, as many more as leave room for few");
	axis_update(&a, 512 * 61, false, 512, 40);
	is_u64(a.per, 1024, "two become one where they fill three quarters");
	for (cycle_t n = 8; n < 5000; n++) {
		axis_update(&a, 512 * n, false, 512, 40);
		if (4 * a.now < 3 * a.per * 40)
			ok(false, "%u samples leave more than a quarter empty", (unsigned)n);
	}
	axis_update(&a, 512 * 121, false, 512, 40);
	is_u64(a.per, 2048, "and later each has one more sample");
	axis_update(&a, 512 * 41, false, 512, 40);
	axis_zoom(&a, 1);
	ok(a.per == 512 && !a.fit && axis_column(&a, a.now) >= 0,
	   "zoomed in, the newest is in view");
	for (int i = 0; i < 10; i++)
		axis_zoom(&a, 1);
	is_u64(a.per, 1, "down to one cycle");
	for (int i = 0; i < 9; i++)
		axis_zoom(&a, -1);
	is_u64(a.per, 512, "and back");
	axis_update(&a, 512 * 200, false, 512, 40);
	ok(axis_column(&a, a.now) >= 0, "and follows");
	cycle_t t0 = a.t0;
	axis_update(&a, 512 * 201, false, 512, 40);
	is_u64(a.t0, t0, "without moving at every sample");
	axis_pan(&a, -20);
	ok(!a.follow && a.t0 == t0 - 20 * 512, "panning leaves the newest");
	axis_follow(&a);
	ok(a.follow && axis_column(&a, a.now) >= 0, "f comes back");
	for (int i = 0; i < 10; i++)
		axis_zoom(&a, -1);
	ok(a.fit && a.t0 == 0, "zoomed out, the whole run");
	axis_move(&a, -1);
	ok(a.cursor < a.now && !a.follow, "the cursor goes back");
	is_u64(axis_cursor(&a) % a.per, 0, "by whole columns");
	axis_move(&a, 2);
	ok(a.cursor == CYCLE_NEVER, "beyond the newest it is live again");
	axis_goto(&a, 1);
	axis_move(&a, -5);
	ok(axis_cursor_column(&a) == 0, "it stops at the start");
	is_u64(axis_cursor(&a), 1, "at the first cycle, from which left does not lead forward");
	axis_move(&a, 1);
	axis_move(&a, -1);
	ok(axis_cursor_column(&a) == 0 && axis_cursor(&a) > 1, "a step back ends that step");
	axis_update(&a, 512 * 201, true, 512, 40);
	ok(a.per * 40 - a.now < 40, "a run that has ended fills the columns");
	axis_zoom(&a, 1);
	is_u64(a.per, 2048, "zoomed in, columns are whole samples again");
	axis_fit(&a);
	axis_update(&a, 512 * 30, true, 512, 40);
	is_u64(a.per, 512, "but a short one keeps whole samples");
	axis_update(&a, 0, false, 512, 40);
	ok(a.cursor == CYCLE_NEVER, "a new run has no past");
	axis_update(&a, 100000, false, 500, 40);
	ok(a.per % 500 == 0, "columns are whole samples of any length");
	axis_update(&a, 500, false, 500, 400);
	is_u64(a.per, 125, "or whole parts of one");
	axis_update(&a, 501, false, 501, 400);
	is_u64(a.per, 501, "or not divided");
	is_u64(axis_tick(&(struct axis){.per = 512}, 9), 5000, "ticks are round");
}

int
main(void)
{
	test_every_size();
	test_design_sizes();
	test_axis();
	return done();
}
