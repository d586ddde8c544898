/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_classes.c - shows where the cycles went over time: stacked shares of the cycle classes, of
 * all cores or (`pane classes core`) of the core in focus.
 *
 * Every cycle of a core belongs to one class, so the shares fill a column: work at the bottom, then
 * what the core waited for, then cores that are off. Half cells are used where the terminal has
 * them; with few colours each cell shows the letter of its class.
 */
#include "base/memory.h"
#include "tui/columns.h"
#include "tui/lines.h"
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The series of the classes, in the order of enum cycle_class. */
static const enum series_core_field field[CC_CLASSES] = {
	SC_ACTIVE, SC_STALL, SC_BLOCKED, SC_MEMORY, SC_DEPEND, SC_IDLE, SC_GATED,
};

struct classes {
	bool core; /* only the core in focus */
	unsigned focus;
	struct time_columns columns;
	/* One row per column; the sum is 1, or 0 if nothing is known. */
	float (*share)[CC_CLASSES];
	int size;
};

static int
open_classes(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e)
{
	struct classes *own;

	if (v->arg[0] && strcmp(v->arg, "core") != 0)
		return err_set(e,
			       "pane classes: expected core, or nothing for all cores; found '%s'",
			       v->arg);
	own = v->own = memory_new(1, sizeof(*own));
	own->core = v->arg[0] != '\0';
	return 0;
}

static void
each_word(void (*fn)(void *to, const char *word), void *to)
{
	fn(to, "core");
}

static void
close_classes(struct pane_view *v)
{
	struct classes *own = v->own;

	free(own->share);
	free(own);
	v->own = NULL;
}

/* Adds the classes of a sample, each core counted alike, multiplied by `times`. */
static void
add_sample(const struct screen *s, const struct classes *own, unsigned sample, double times,
	   double sum[CC_CLASSES])
{
	unsigned first = own->core ? own->focus : 0,
		 end = own->core ? own->focus + 1 : screen_cores(s);

	for (unsigned core = first; core < end; core++)
		for (unsigned k = 0; k < CC_CLASSES; k++) {
			double v = series_core(screen_sim(s), field[k], core, sample);
			sum[k] += isnan(v) ? 0 : v * times;
		}
}

/* Divides each class by their sum. */
static void
to_shares(const double sum[CC_CLASSES], float share[CC_CLASSES])
{
	double all = 0;

	for (unsigned k = 0; k < CC_CLASSES; k++)
		all += sum[k];
	for (unsigned k = 0; k < CC_CLASSES; k++)
		share[k] = all > 0 ? (float)(sum[k] / all) : 0;
}

static void
update_columns(struct screen *s, struct classes *own)
{
	struct time_columns *k = &own->columns;
	struct time_column col = {0};
	unsigned focus = own->core ? session_focus_core(s->session) : 0;
	bool past, again = focus != own->focus;

	own->focus = focus;
	if (columns_begin(k, s, again)) {
		if (k->w > own->size)
			own->share = memory_resize(own->share, (size_t)k->w, sizeof(*own->share));
		own->size = MAX(own->size, k->w);
		memset(own->share, 0, (size_t)k->w * sizeof(*own->share));
	}
	while (columns_next(k, s, &col)) {
		double sum[CC_CLASSES] = {0}, w;
		for (unsigned i = col.first; w = column_part(k->sim, &col, i, &past), !past; i++)
			add_sample(s, own, i, w, sum);
		to_shares(sum, own->share[col.x]);
	}
}

/* Returns the class at a height from 0 (bottom) to 1, HEAT_NONE if nothing is known. */
static unsigned
code_at(const float share[CC_CLASSES], double height)
{
	double top = 0;

	for (unsigned k = 0; k < CC_CLASSES; k++) {
		top += (double)share[k];
		if (height < top)
			return HEAT_CLASS + k;
	}
	return top > 0.5 ? HEAT_CLASS + CC_CLASSES - 1 : HEAT_NONE;
}

/* Forms of the legend, the longest first: "active 47%", "depend 3%", "depend", "dep". */
enum form { FORM_LONG, FORM_SHORT, FORM_NAME, FORM_LETTERS };

/* Writes the name of a class as a form has it. */
static void
name_class(enum form f, unsigned k, char *buf, size_t size)
{
	snprintf(buf, size, "%.*s", f == FORM_LETTERS ? 3 : 10,
		 f == FORM_SHORT || f == FORM_NAME ? class_short_name(k) : cycle_class_names[k]);
}

/* Returns the columns that a class takes in the legend, 0 if it does not occur. */
static int
legend_width(const struct classes *own, enum form f, unsigned k)
{
	char text[16];
	bool occurs = false;

	for (int x = 0; x < own->columns.w && !occurs; x++)
		occurs = own->share[x][k] > 0.002F;
	name_class(f, k, text, sizeof(text));
	return occurs ? text_width(text) + 2 + (f <= FORM_SHORT ? 5 : 0) : 0;
}

/* Chooses the longest form that fits in so many rows of w columns, the first of them from x on. */
static enum form
choose_form(const struct classes *own, int x, int w, int rows)
{
	for (enum form f = FORM_LONG; f < FORM_LETTERS; f++) {
		int at = x, row = 0;

		for (unsigned k = 0; k < CC_CLASSES; k++) {
			int need = legend_width(own, f, k);
			if (need && at + need > w + 1) {
				at = 1;
				row++;
			}
			at += need;
		}
		if (row < rows)
			return f;
	}
	return FORM_LETTERS;
}

/* Draws the classes that occur, with the percentage in the sample under the cursor if there is
 * room. A text begins with the letter that stands for the class on terminals with few colours.
 * Returns the rows used. */
static int
draw_legend(const struct screen *s, struct canvas *c, int x, const struct classes *own)
{
	int i = screen_sample(s), row = 0;
	enum form f = choose_form(own, x, c->w, 1);
	double sum[CC_CLASSES] = {0};
	float share[CC_CLASSES];
	char text[64];

	if (f > FORM_LONG && c->h >= 9)
		f = choose_form(own, x, c->w, 2);
	if (i >= 0)
		add_sample(s, own, (unsigned)i, 1, sum);
	to_shares(sum, share);
	for (unsigned k = 0; k < CC_CLASSES; k++) {
		unsigned code = HEAT_CLASS + k;
		struct cell cell = {.kind = CELL_HEAT, .hi = (uint8_t)code, .lo = (uint8_t)code};
		bool in_name =
			paint_cell(&s->painter, &cell).wc == (unsigned char)cycle_class_names[k][0];
		int need = legend_width(own, f, k);

		if (need && x + need > c->w + 1 && f != FORM_LETTERS) {
			row++;
			x = 1;
		}
		if (!need || x + need > c->w + 1)
			continue;
		name_class(f, k, text, sizeof(text));
		canvas_heat(c, x, row, code, code, false);
		canvas_text(c, x + 1, row, ROLE_DIM, text + in_name);
		if (f <= FORM_SHORT && i >= 0) {
			snprintf(text, sizeof(text), "%.0f%%", (double)share[k] * 100);
			canvas_right(c, x + need - 6, row, 5, ROLE_VALUE, text);
		}
		x += need;
	}
	return row + 1;
}

static void
draw_area(const struct screen *s, struct canvas *area, const struct classes *own)
{
	int cursor = axis_cursor_column(&s->axis), half = s->painter.half ? 2 : 1;
	double step = 1.0 / (area->h * half);

	for (int x = 0; x < own->columns.w; x++)
		for (int y = 0; y < area->h; y++) {
			double low = (area->h - 1 - y) * half * step + step / 2;
			unsigned lo = code_at(own->share[x], low),
				 hi = half == 2 ? code_at(own->share[x], low + step) : lo;
			if (lo != HEAT_NONE || x == cursor)
				canvas_heat(area, x, y, hi, lo, x == cursor);
		}
}

static void
draw_pane(struct screen *s, struct pane_view *view, struct canvas *c)
{
	struct classes *own = view->own;
	int label = heat_label_width(screen_cores(s)), x, rows;
	bool active = s->pane == view;
	char title[32] = "classes";

	update_columns(s, own);
	struct lines l;
	if (own->core)
		snprintf(title, sizeof(title), "core %u", own->focus);
	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	x = 3 + canvas_fit(c, 1, 0, c->w - 2, active ? ROLE_FOCUS : ROLE_TITLE, title);
	rows = draw_legend(s, c, x, own);
	struct canvas area = canvas_sub(c, label, rows, own->columns.w, c->h - rows),
		      gutter = canvas_sub(c, 0, rows, label, c->h - rows);
	draw_area(s, &area, own);
	lines_init(&l, &area, &s->painter, 0, 100);
	lines_numbers(&l, &gutter);
}

static void
name_plot(const struct screen *s, const struct pane_view *v, char *buf, size_t size)
{
	if (v->arg[0])
		snprintf(buf, size, "core.%u.classes", session_focus_core(s->session));
	else
		snprintf(buf, size, "classes");
}

const struct pane_ops pane_classes = {
	.name = "classes",
	.help = "Where the cycles went, over time, in percent: active, stall, blocked, memory, "
		"dependence, idle, gated. pane classes core: of the core in focus.",
	.read = "Each column is 100 percent of the cycles of its samples, from the bottom: active "
		"(issued), stall (a pipe was busy), blocked (the load/store unit waited for "
		"memory), memory (all warps waited for it), dependence (a warp waited for a result "
		"or was unfetched), idle (nothing to issue), gated (off). Much memory above little "
		"active means that more CTAs do not help. With few colours a class is its first "
		"letter.",
	.range = "From 0 to 100 percent.",
	.also = "pane ract, info core, pane source, explain memory",
	.arg = "[core]",
	.min_w = 20,
	.min_h = 4,
	.kind = PANE_TIME,
	.open = open_classes,
	.close = close_classes,
	.words = each_word,
	.draw = draw_pane,
	.picture = name_plot,
};
