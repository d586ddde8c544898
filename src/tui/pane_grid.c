/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_grid.c - shows the grid of the kernel at the cursor's time: a cell for each block (CTA),
 * coloured by its core, its state, when it ended or how long it took.
 *
 * The lifetimes of the CTAs come from the events that are still kept. A block whose issue event has
 * been dropped is a question mark, never a guess: CTAs are issued in the order of their numbers, so
 * every block below the latest known one was issued. A grid with one row is wrapped; if there are
 * more blocks than cells, a cell stands for several neighbours.
 */
#include "base/words.h"
#include "export/lifetimes.h"
#include "tui/fmt.h"
#include "tui/panes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum colour { BY_CORE, BY_STATE, BY_FINISH, BY_SPEED, COLOURS };
static const char *const colour_names[COLOURS] = {"core", "state", "finish", "speed"};

#define CELL_MOST 4 /* most columns of a cell */

/* The state of a block at the cursor's time. */
enum block { BLOCK_DROPPED, BLOCK_WAITS, BLOCK_RUNS, BLOCK_PAUSED, BLOCK_HELD, BLOCK_DONE };

struct grid {
	struct cta_lifetimes lives;
	uint32_t kernel; /* the kernel's ordinal */
	uint32_t x, y;	 /* blocks per row, and rows (y and z together) */
	uint32_t n;
	uint32_t *life;	 /* for each block an index into lives.cta, or UINT32_MAX */
	uint32_t issued; /* blocks below this one were issued by the cursor's cycle */
	double lo, hi;	 /* the range of values that the colours show */
	enum colour by;
	uint32_t at; /* the chosen block */
	/* layout of the last frame */
	uint32_t columns, fold_x, fold_y;
	int cw, ch; /* columns and rows of the screen per cell */
};

static int
open_grid(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e)
{
	struct grid *g;
	int by = BY_CORE;

	while (by < COLOURS && v->arg[0] && strcmp(v->arg, colour_names[by]) != 0)
		by++;
	if (by == COLOURS)
		return err_set(e, "pane grid: expected core, state, finish or speed; found '%s'",
			       v->arg);
	g = v->own = calloc(1, sizeof(*g));
	if (!g)
		return err_nomem(e);
	g->by = (enum colour)by;
	return 0;
}

static void
close_grid(struct pane_view *v)
{
	struct grid *g = v->own;

	if (g) {
		lifetimes_free(&g->lives);
		free(g->life);
	}
	free(g);
	v->own = NULL;
}

static void
each_word(void (*fn)(void *to, const char *word), void *to)
{
	for (int i = 0; i < COLOURS; i++)
		fn(to, colour_names[i]);
}

/* ---------------------------------------------------------------- blocks */

/* Finds the kernel at the cursor's time, and the lifetime of each of its blocks. */
static bool
update_lifetimes(const struct screen *s, struct grid *g)
{
	const struct sim *sim = screen_sim(s);
	cycle_t at = axis_cursor(&s->axis);
	uint32_t kernel = sim_kernel_at(sim, at), n, *life = g->life;
	const struct trace_kernel *t = sim_kernels_started(sim) ? sim_kernel(sim, kernel) : NULL;
	bool is_new = lifetimes_read(&g->lives, sim) || kernel != g->kernel || !life;

	if (!t)
		return false;
	n = (uint32_t)MIN(MAX(t->n_cta, UINT64_C(1)), (uint64_t)UINT32_MAX / 8);
	if (is_new) {
		life = realloc(g->life, sizeof(*life) * n);
		if (!life)
			return false;
		g->life = life;
		g->kernel = kernel;
		g->n = n;
		g->x = MAX(t->grid[0], 1u);
		g->y = (n + g->x - 1) / g->x;
		memset(life, 0xff, sizeof(*life) * n);
		for (size_t i = 0; i < g->lives.n; i++)
			if (g->lives.cta[i].kernel == kernel && g->lives.cta[i].cta < n)
				life[g->lives.cta[i].cta] = (uint32_t)i;
	}
	g->at = MIN(g->at, n - 1);
	g->issued = 0;
	for (uint32_t i = 0; i < n; i++)
		if (life[i] != UINT32_MAX &&
		    lifetime_begin(&g->lives, &g->lives.cta[life[i]]) <= at)
			g->issued = i + 1;
	return true;
}

static const struct cta_lifetime *
life_of(const struct grid *g, uint32_t block)
{
	return g->life[block] == UINT32_MAX ? NULL : &g->lives.cta[g->life[block]];
}

static enum block
block_at(const struct grid *g, uint32_t block, cycle_t at)
{
	const struct cta_lifetime *c = life_of(g, block);
	enum cta_state state;

	if (!c)
		return block < g->issued || at < g->lives.kept_from ||
				       (g->issued == 0 && g->lives.kept_from > 0)
			       ? BLOCK_DROPPED
			       : BLOCK_WAITS;
	if (at >= c->done)
		return BLOCK_DONE;
	if (at < lifetime_begin(&g->lives, c))
		return c->issued == CYCLE_NEVER ? BLOCK_DROPPED : BLOCK_WAITS;
	state = lifetime_state(&g->lives, c, at);
	return state == CTA_STATE_PAUSED ? BLOCK_PAUSED
	       : state == CTA_STATE_HELD ? BLOCK_HELD
					 : BLOCK_RUNS;
}

/* Returns the value that the block's colour shows, NaN if it is not known yet. */
static double
value_of(const struct grid *g, uint32_t block, cycle_t at)
{
	const struct cta_lifetime *c = life_of(g, block);

	if (!c || at < lifetime_begin(&g->lives, c))
		return NAN;
	if (g->by == BY_CORE)
		return c->core;
	if (at < c->done || (g->by == BY_SPEED && c->issued == CYCLE_NEVER))
		return NAN;
	return (double)(g->by == BY_FINISH ? c->done : c->done - c->issued);
}

static void
find_range(const struct screen *s, struct grid *g, cycle_t at)
{
	g->lo = g->by == BY_CORE ? 0 : INFINITY;
	g->hi = g->by == BY_CORE ? screen_cores(s) - 1 : -INFINITY;
	for (uint32_t i = 0; i < g->n && g->by != BY_CORE; i++) {
		double v = value_of(g, i, at);

		g->lo = isnan(v) ? g->lo : fmin(g->lo, v);
		g->hi = isnan(v) ? g->hi : fmax(g->hi, v);
	}
	if (!(g->hi >= g->lo))
		g->lo = g->hi = 0;
}

/* ---------------------------------------------------------------- drawing */

/* Returns the rows of a grid of one row after wrapping it at g->columns. */
static uint32_t
wrapped_rows(const struct grid *g)
{
	uint32_t row = g->columns * g->fold_x;

	return (g->n + row - 1) / row;
}

/* Wraps a grid of one row: uses the widest cells that keep all blocks visible, else puts as many
 * blocks into a cell as necessary. */
static void
wrap_row(struct grid *g, uint32_t wide, uint32_t high)
{
	for (g->cw = CELL_MOST; g->cw >= 1; g->cw--) {
		uint32_t columns = MAX(wide / (uint32_t)g->cw, 1u);

		g->columns = MIN(columns >= 5 ? columns / 5 * 5 : columns, g->n);
		if (wrapped_rows(g) <= high)
			return;
	}
	g->cw = 1;
	while (wrapped_rows(g) > high)
		g->fold_x++;
}

/* Computes how many blocks a cell stands for, and the size of a cell. */
static void
compute_shape(struct grid *g, int w, int h)
{
	uint32_t wide = (uint32_t)MAX(w, 1), high = (uint32_t)MAX(h, 1), rows;

	g->fold_x = g->fold_y = 1;
	if (g->y == 1) {
		wrap_row(g, wide, high);
		rows = wrapped_rows(g);
	} else {
		g->fold_x = (g->x + wide - 1) / wide;
		g->fold_y = (g->y + high - 1) / high;
		g->columns = (g->x + g->fold_x - 1) / g->fold_x;
		g->cw = (int)MIN(wide / g->columns, (uint32_t)CELL_MOST);
		rows = (g->y + g->fold_y - 1) / g->fold_y;
	}
	g->ch = (int)MAX(MIN(high / rows, (uint32_t)g->cw / 2), 1u);
}

/* Finds the first block of a cell; returns false if the cell has none. */
static bool
first_block(const struct grid *g, uint32_t column, uint32_t row, uint32_t *block)
{
	uint32_t x = column * g->fold_x, y = row * g->fold_y;

	if (g->y == 1) {
		uint64_t b = ((uint64_t)row * g->columns + column) * g->fold_x;

		*block = (uint32_t)MIN(b, UINT32_MAX);
		return b < g->n;
	}
	*block = y * g->x + x;
	return x < g->x && y < g->y && *block < g->n;
}

/* Summarizes the blocks of a cell: returns the most important state and stores the mean of the
 * known values. */
static enum block
cell_of(const struct grid *g, uint32_t block, cycle_t at, double *value)
{
	static const int weight[] = {[BLOCK_DROPPED] = 0, [BLOCK_WAITS] = 1,  [BLOCK_DONE] = 2,
				     [BLOCK_RUNS] = 3,	  [BLOCK_PAUSED] = 4, [BLOCK_HELD] = 5};
	enum block best = BLOCK_DROPPED;
	double sum = 0, known = 0;

	for (uint32_t y = 0; y < g->fold_y; y++)
		for (uint32_t x = 0; x < g->fold_x; x++) {
			uint32_t i = block + y * g->x + x;
			enum block k;
			double v;

			if (i >= g->n || (g->y > 1 && block % g->x + x >= g->x))
				continue;
			k = block_at(g, i, at);
			v = value_of(g, i, at);
			best = weight[k] > weight[best] ? k : best;
			if (!isnan(v) && (g->by != BY_CORE || known == 0))
				sum += v, known++;
		}
	*value = known > 0 ? sum / known : (double)NAN;
	return best;
}

static const struct {
	enum role role;
	uint32_t glyph;
	const char *text;
} block_look[] = {[BLOCK_DROPPED] = {ROLE_UNKNOWN, '?', "dropped"},
		  [BLOCK_WAITS] = {ROLE_DIM, 0xb7, "waits"},
		  [BLOCK_RUNS] = {ROLE_ACTIVE, 0x2586, "runs"},
		  [BLOCK_PAUSED] = {ROLE_PAUSED, 0x2571, "paused"},
		  [BLOCK_HELD] = {ROLE_PAUSED, 0x2550, "held"},
		  [BLOCK_DONE] = {ROLE_DIM, 0x2500, "done"}};

/* No block of this cell ran on the core in the spotlight. */
static bool
is_dimmed(const struct screen *s, const struct grid *g, uint32_t block)
{
	if (s->spotlight < 0)
		return false;
	for (uint32_t y = 0; y < g->fold_y; y++)
		for (uint32_t x = 0; x < g->fold_x; x++) {
			uint32_t i = block + y * g->x + x;
			const struct cta_lifetime *life = i < g->n ? life_of(g, i) : NULL;

			if (life && !screen_dims(s, life->core))
				return false;
		}
	return true;
}

static void
draw_cell(const struct screen *s, const struct grid *g, struct canvas *c, int x, int y,
	  uint32_t block, cycle_t at)
{
	double v;
	enum block k = cell_of(g, block, at, &v);
	int w = g->cw > 2 ? g->cw - 1 : g->cw;
	char num[16];

	bool dim = is_dimmed(s, g, block);

	for (int i = 0; i < w * g->ch; i++) {
		unsigned level = heat_level(v, g->lo, g->hi);

		if (dim)
			canvas_put(c, x + i % w, y + i / w, ROLE_DIM, 0xb7);
		else if (g->by == BY_STATE || isnan(v))
			canvas_put(c, x + i % w, y + i / w, block_look[k].role,
				   block_look[k].glyph);
		else
			canvas_heat(c, x + i % w, y + i / w, level, level, false);
	}
	if (!dim && g->by == BY_CORE && !isnan(v) &&
	    g->cw >= 3) { /* where text fits, print the core's number */
		snprintf(num, sizeof(num), "%*.0f", w, v);
		if ((int)strlen(num) == w)
			canvas_heat_text(c, x, y, num);
	}
	if (g->at >= block && g->at < block + g->fold_x && s->pane->own == g)
		/* In the gap left of the cell. */
		canvas_put(c, x - (g->cw > 2), y, ROLE_FOCUS, 0x25b8);
}

static void
draw_blocks(const struct screen *s, struct grid *g, struct canvas *c, cycle_t at)
{
	uint32_t block;

	for (uint32_t row = 0; row < (uint32_t)MAX(c->h / g->ch, 0); row++)
		for (uint32_t column = 0; column < g->columns; column++)
			if (first_block(g, column, row, &block))
				draw_cell(s, g, c, 1 + (int)column * g->cw, (int)row * g->ch, block,
					  at);
}

/* Draws the colours and their meaning; returns the column after them. */
static int
draw_legend(const struct painter *p, const struct grid *g, struct canvas *c, int x)
{
	static const enum block order[] = {BLOCK_RUNS, BLOCK_PAUSED, BLOCK_HELD,
					   BLOCK_DONE, BLOCK_WAITS,  BLOCK_DROPPED};
	char lo[FMT_MAX], hi[FMT_MAX];

	for (size_t i = 0; g->by == BY_STATE && i < ARRAY_LEN(order); i++) {
		enum block k = order[i];

		if (x + 2 + text_width(block_look[k].text) > c->w)
			break;
		canvas_put(c, x, 0, block_look[k].role, block_look[k].glyph);
		x += 2 + canvas_text(c, x + 2, 0, ROLE_DIM, block_look[k].text) + 2;
	}
	if (g->by == BY_STATE)
		return x;
	if (g->hi <= 0 && g->by != BY_CORE)
		return x + canvas_text(c, x, 0, ROLE_DIM, "no block has ended") + 2;
	fmt_short(lo, (uint64_t)g->lo);
	fmt_short(hi, (uint64_t)g->hi);
	x += heat_draw_ramp(p, c, x, 8, 0, lo, hi);
	if (g->by != BY_CORE)
		x += canvas_text(c, x, 0, ROLE_DIM, " cycles");
	return x + 2;
}

/* Draws "kernel 1: 8 x 30, 4 blocks a cell" at the right of the title. */
static void
draw_size(const struct grid *g, struct canvas *c, int x)
{
	char text[100];
	int n = snprintf(text, sizeof(text), "kernel %" PRIu32 ": %" PRIu32, g->kernel + 1, g->x);

	if (g->y > 1)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " x %" PRIu32, g->y);
	if (g->fold_x * g->fold_y > 1)
		snprintf(text + n, sizeof(text) - (size_t)n, ", %" PRIu32 " blocks a cell",
			 g->fold_x * g->fold_y);
	else
		snprintf(text + n, sizeof(text) - (size_t)n, " blocks");
	if (x + text_width(text) < c->w)
		canvas_right(c, x, 0, c->w - x - 1, ROLE_DIM, text);
}

/* Describes the chosen block: "block 5,3 CTA 41: core 5 slot 2, 12,000 to ...". */
static void
describe_block(const struct grid *g, cycle_t at, char *buf, size_t size)
{
	const struct cta_lifetime *c = life_of(g, g->at);
	enum block k = block_at(g, g->at, at);
	char from[FMT_MAX], to[FMT_MAX], took[FMT_MAX + 16] = "";
	int n = snprintf(buf, size, "block %" PRIu32 ",%" PRIu32 " CTA %" PRIu32 ": ", g->at % g->x,
			 g->at / g->x, g->at);

	if (!c || k == BLOCK_WAITS) {
		snprintf(buf + n, size - (size_t)n, "%s",
			 k == BLOCK_WAITS ? "not issued yet" : "its events are no longer kept");
		return;
	}
	if (c->done != CYCLE_NEVER && c->issued != CYCLE_NEVER)
		snprintf(took, sizeof(took), ", %s cycles", fmt_u64(to, c->done - c->issued));
	n += snprintf(buf + n, size - (size_t)n, "core %d slot %d, %s to %s%s", c->core, c->slot,
		      c->issued == CYCLE_NEVER ? "?" : fmt_u64(from, c->issued),
		      c->done == CYCLE_NEVER ? "now" : fmt_u64(to, c->done), took);
	if (c->pauses && n < (int)size)
		snprintf(buf + n, size - (size_t)n, ", paused %" PRIu32 "x", c->pauses);
}

#define COLOUR_KEY "o colours"

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	struct grid *g = v->own;
	bool active = s->pane == v;
	cycle_t at = axis_cursor(&s->axis);
	char text[200];
	int x;

	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	if (!g || !screen_sim(s) || c->h < 3 || c->w < 8 || !update_lifetimes(s, g)) {
		canvas_text(c, 1, 0, ROLE_TITLE, "grid");
		return;
	}
	compute_shape(g, c->w - 2, c->h - 2);
	find_range(s, g, at);
	snprintf(text, sizeof(text), "grid by %s", colour_names[g->by]);
	x = 1 + canvas_fit(c, 1, 0, c->w - 2, active ? ROLE_FOCUS : ROLE_TITLE, text) + 2;
	x = draw_legend(&s->painter, g, c, x);
	if (x + text_width(COLOUR_KEY) < c->w) /* a newcomer cannot guess that there are others */
		x += canvas_text(c, x, 0, ROLE_DIM, COLOUR_KEY) + 2;
	draw_size(g, c, x);
	struct canvas body = canvas_sub(c, 0, 1, c->w, c->h - 2);
	draw_blocks(s, g, &body, at);
	describe_block(g, at, text, sizeof(text));
	canvas_fit(c, 1, c->h - 1, c->w - 2, ROLE_TEXT, text);
}

/* ---------------------------------------------------------------- keys */

static int
set_order(struct screen *s, struct pane_view *v, const char *order, struct err *e)
{
	struct grid *g = v->own;
	int by = 0;

	if (!g)
		return 0;
	while (by < COLOURS && strcmp(order, colour_names[by]) != 0)
		by++;
	if (by == COLOURS && *order && strcmp(order, "next") != 0)
		return err_set(e, "sort: expected core, state, finish or speed; found '%s'", order);
	g->by = by < COLOURS ? (enum colour)by : (g->by + 1) % COLOURS;
	screen_notice(s, "blocks by %s", colour_names[g->by]);
	return 0;
}

/* Moves by cells, and only to a cell that has a block. */
static void
move_choice(struct grid *g, int64_t by)
{
	int64_t to = (int64_t)g->at + by;

	if (to >= 0 && to < (int64_t)g->n)
		g->at = (uint32_t)to;
}

/* Shows the slots of the core that has or had the chosen block. */
static const char *
show_slots(struct screen *s, const struct grid *g)
{
	const struct cta_lifetime *life = g->at < g->n ? life_of(g, g->at) : NULL;

	if (!life || life->core < 0) {
		screen_notice(s, "no core has had this block yet");
		return "";
	}
	session_set_focus_core(s->session, (unsigned)life->core);
	return "pane slots";
}

static const char *
handle_key(struct screen *s, struct pane_view *v, int k, char *buf, size_t size)
{
	struct grid *g = v->own;
	int64_t row;

	if (k == 'o')
		return "sort";
	if (!g || !g->life || s->log_open)
		return NULL;
	row = g->y == 1 ? (int64_t)g->columns * g->fold_x : (int64_t)g->x * g->fold_y;
	switch (k) {
	case K_LEFT:
		move_choice(g, -(int64_t)g->fold_x);
		return "";
	case K_RIGHT:
		move_choice(g, g->fold_x);
		return "";
	case K_UP:
		move_choice(g, -row);
		return "";
	case K_DOWN:
		move_choice(g, row);
		return "";
	case 'c':
		return show_slots(s, g);
	case '\r':
		snprintf(buf, size, "why cta %" PRIu32 " kernel %" PRIu32, g->at, g->kernel + 1);
		return buf;
	default:
		return NULL;
	}
}

static void
choose_block(struct screen *s ATTR_UNUSED, struct pane_view *v, int x, int y)
{
	struct grid *g = v->own;
	uint32_t block, column = g && g->cw && x > 0 ? (uint32_t)((x - 1) / g->cw) : 0;

	if (g && g->life && g->cw && x > 0 && y > 0 && column < g->columns &&
	    first_block(g, column, (uint32_t)((y - 1) / g->ch), &block) && block < g->n)
		g->at = block;
}

const struct pane_ops pane_grid = {
	.name = "grid",
	.help = "The grid of the kernel, a cell for each block (CTA), by core, state, finish or "
		"speed: pane grid state. As the active pane: o goes through these, arrows choose a "
		"block, Enter explains its CTA.",
	.read = "A cell is a block of the kernel at the cursor's time, x to the right and y (then "
		"z) down; a grid with one row is wrapped. Its colour is its core, when it ended, "
		"or how many cycles it took, as the title says; by state it is a glyph. Dots are "
		"blocks that wait to be issued; a solid cell is a running block, a slash a paused "
		"one. Question marks are blocks whose events are no longer kept (run.events). By "
		"core shows the order in which cores take CTAs, by finish the tail of a kernel, by "
		"speed the blocks that are slower than others. The last row describes the marked "
		"block.",
	.keys = "Arrows choose a block, as does a click; h and l move the time, and the grid fills "
		"as it did. Enter explains the block's CTA, c shows the slots of its core. o, or "
		"`sort core`, `sort state`, "
		"`sort finish` and `sort speed`, changes the colours.",
	.range = "By core from 0 to the last core; by finish and speed from the least to the "
		 "largest value so far.",
	.also = "pane slots, why, info kernel, dump csv ctas",
	.arg = "[core|state|finish|speed]",
	.min_w = 20,
	.min_h = 4,
	.kind = PANE_PAGE,
	.words = each_word,
	.open = open_grid,
	.close = close_grid,
	.draw = draw_pane,
	.click = choose_block,
	.sort = set_order,
	.key = handle_key,
};
