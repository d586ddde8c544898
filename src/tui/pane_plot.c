/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_plot.c - shows lines over time: `pane plot gpu.ipc`, up to four expressions separated by
 * commas.
 *
 * Lines with the unit of the first share its y axis, whose numbers are at the left. A line with
 * another unit has its own range, which its key states. A column is the mean of its samples
 * (columns.h), weighted by their cycles, or by their accesses if it is a rate per access. Means are
 * cached, so that a frame computes only columns that got new samples.
 */
#include "base/memory.h"
#include "base/words.h"
#include "eval/eval.h"
#include "tui/columns.h"
#include "tui/fmt.h"
#include "tui/lines.h"
#include "tui/panes.h"
#include "tui/run_expr.h"
#include "tui/series_title.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CHOICE "gpu.ipc, sum(core.*.n)"

struct plot {
	unsigned n;
	struct run_expr line[LINES_STYLES];
	struct time_columns columns;
	double *values; /* n rows of w columns */
	size_t size;
	double most[LINES_STYLES], least[LINES_STYLES]; /* extremes of the columns so far */
	struct err wrong;
};

/* ---------------------------------------------------------------- what is plotted */

static void
close_lines(struct plot *own)
{
	for (unsigned i = 0; i < own->n; i++)
		run_expr_close(&own->line[i]);
	own->n = 0;
}

/* Rejects a vector: it has no single value to draw. */
static int
check_size(const struct overtime *x, struct err *e)
{
	const char *text = overtime_label(x);

	if (overtime_size(x) == 1)
		return 0;
	return err_set(
		e,
		"pane plot: '%s' has %u values at a time; mean(%s), sum, min or max make one of "
		"them, `pane heat %s` shows all",
		text, overtime_size(x), text, text);
}

static int
compile_lines(const struct screen *s, struct plot *own, const char *list, struct err *e)
{
	char text[RUN_EXPR_TEXT];
	bool more;

	do {
		struct span part = span_list_item(&list, &more);
		if (own->n == LINES_STYLES)
			return err_set(e, "pane plot: no more than %d expressions", LINES_STYLES);
		if (!part.n)
			return err_set(e, "pane plot: expected an expression %s",
				       more ? "before the comma" : "after the comma");
		if (!span_copy(part, text, sizeof(text)))
			return err_set(e, "pane plot: the expression is too long");
		own->n++;
		if (run_expr_open(&own->line[own->n - 1], s, text, e) < 0 ||
		    check_size(own->line[own->n - 1].x, e) < 0)
			return -1;
	} while (more);
	return 0;
}

static void
each_word(void (*fn)(void *to, const char *word), void *to)
{
	unsigned n;
	const struct eval_function *f = eval_functions(&n);

	run_expr_words(true, fn, to);
	for (unsigned i = 0; i < n; i++)
		fn(to, f[i].name);
}

static void
close_plot(struct pane_view *v)
{
	struct plot *own = v->own;

	if (!own)
		return;
	close_lines(own);
	free(own->values);
	free(own);
	v->own = NULL;
}

static int
open_plot(struct screen *s, struct pane_view *v, struct err *e)
{
	struct plot *own = v->own = memory_new(1, sizeof(*own));

	if (compile_lines(s, own, v->arg[0] ? v->arg : FIRST_CHOICE, e) < 0) {
		close_plot(v);
		return -1;
	}
	return 0;
}

/* ---------------------------------------------------------------- columns */

static double
mean_of(const struct sim *sim, struct overtime *x, const struct time_column *col)
{
	struct column_sample k = {0};
	double sum = 0, weight = 0;

	while (column_next_sample(sim, col, overtime_has_level(x), &k)) {
		double v = overtime_value(x, k.i);
		double w = k.weight * overtime_weight(x, k.i, 0);
		if (!isnan(v)) {
			sum += v * w;
			weight += w;
		}
	}
	return weight > 0 ? sum / weight : (double)NAN;
}

static bool
update_columns(struct screen *s, struct plot *own)
{
	struct time_columns *k = &own->columns;
	struct time_column col = {0};
	bool again = false;

	for (unsigned i = 0; i < own->n; i++) {
		const struct run_expr was = own->line[i];
		if (run_expr_check(&own->line[i], s, &own->wrong) < 0 ||
		    check_size(own->line[i].x, &own->wrong) < 0)
			return false;
		again |= was.x != own->line[i].x;
	}
	if (columns_begin(k, s, again)) {
		size_t size = (size_t)own->n * (size_t)k->w;
		if (size > own->size)
			own->values = memory_resize(own->values, size, sizeof(*own->values));
		own->size = MAX(size, own->size);
		for (size_t i = 0; i < size; i++)
			own->values[i] = NAN;
		for (unsigned i = 0; i < own->n; i++)
			own->most[i] = own->least[i] = NAN;
	}
	while (columns_next(k, s, &col))
		for (unsigned i = 0; i < own->n; i++) {
			double v = mean_of(screen_sim(s), own->line[i].x, &col);
			own->values[i * (size_t)k->w + (size_t)col.x] = v;
			own->most[i] = fmax(own->most[i], v);
			own->least[i] = fmin(own->least[i], v);
		}
	return true;
}

/* ---------------------------------------------------------------- ranges */

static bool
shares_axis(const struct plot *own, unsigned line)
{
	return strcmp(overtime_unit(own->line[line].x), overtime_unit(own->line[0].x)) == 0;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Finds a range that leaves out `percent` percent of the columns' values at either end. */
static void
find_percentiles(const struct plot *own, unsigned line, double percent, double *lo, double *hi)
{
	size_t w = (size_t)own->columns.w, k = 0;
	double *all = memory_new(w, sizeof(*all));

	for (size_t i = 0; i < w; i++)
		if (!isnan(own->values[line * w + i]))
			all[k++] = own->values[line * w + i];
	if (k) {
		qsort(all, k, sizeof(*all), by_value);
		*lo = all[(size_t)(percent / 100 * (double)(k - 1))];
		*hi = all[k - 1 - (size_t)(percent / 100 * (double)(k - 1))];
	}
	free(all);
}

/* Finds the range of a line. The command `range` sets that of the y axis, which belongs to the
 * first line. */
static void
range_of(const struct pane_view *view, const struct plot *own, unsigned line, double *lo,
	 double *hi)
{
	bool shared = shares_axis(own, line);

	if (shared && view->range.how == RANGE_FIXED) {
		*lo = view->range.lo;
		*hi = view->range.hi;
		return;
	}
	*lo = own->least[line];
	*hi = own->most[line];
	if (shared && view->range.how == RANGE_PERCENTILE) {
		find_percentiles(own, 0, view->range.percent, lo, hi);
		return;
	}
	for (unsigned i = 0; shared && i < own->n; i++)
		if (shares_axis(own, i)) {
			*lo = fmin(*lo, own->least[i]);
			*hi = fmax(*hi, own->most[i]);
		}
	lines_round(lo, hi);
}

/* ---------------------------------------------------------------- drawing */

/* Returns the value of a line at the cursor's cycle: of a sample, not of a column. */
static double
value_at(const struct screen *s, const struct plot *own, unsigned line)
{
	struct overtime *x = own->line[line].x;
	int i = overtime_has_level(x) ? screen_level_sample(s) : screen_sample(s);

	return i < 0 ? (double)NAN : overtime_value(x, (unsigned)i);
}

/* Draws the line's key, name, value under the cursor, its range if it is not that of the y axis,
 * and its unit. */
static void
draw_key(const struct screen *s, struct canvas *c, const struct plot *own, unsigned line,
	 const struct lines *l)
{
	const struct overtime *e = own->line[line].x;
	const char *unit = overtime_unit(e);
	double v = value_at(s, own, line);
	char num[FMT_MAX], lo[32], hi[32];
	int x = lines_key(c, 0, 0, MIN(c->w - 8, 44), &s->painter, &lines_style[line],
			  series_title(e));

	x += canvas_right(c, x, 0, 8, ROLE_VALUE,
			  fmt_num(num, v, fabs(v) >= 100 || v == floor(v) ? 0 : 2)) > 0
		     ? 8
		     : 0;
	if (!shares_axis(own, line) && c->w - x >= 8)
		x += canvas_printf(c, x, 0, ROLE_DIM, "  %s to %s",
				   lines_number(lo, sizeof(lo), l->lo, 6),
				   lines_number(hi, sizeof(hi), l->hi, 6));
	canvas_text(c, x + 1, 0, ROLE_DIM, series_unit(unit, c->w - x - 1));
}

/* Returns the place of a line's key: all keys are in one row if they fit, else each has its own. */
static struct canvas
key_place(const struct canvas *c, unsigned n, unsigned line, int *rows)
{
	int w = (c->w - 1) / (int)n;
	bool stacked = n > 1 && w < 48 && c->h >= 8 + (int)n;

	*rows = stacked ? (int)n : 1;
	return stacked ? canvas_sub(c, 1, (int)line, c->w - 2, 1)
		       : canvas_sub(c, 1 + (int)line * w, 0, w - 1, 1);
}

static void
draw_lines(struct screen *s, struct pane_view *view, struct canvas *c)
{
	struct plot *own = view->own;
	int label = heat_label_width(screen_cores(s)), top, w = own->columns.w;
	bool known = false;
	struct lines l;

	key_place(c, own->n, 0, &top);
	struct canvas area = canvas_sub(c, label, top, w, c->h - top),
		      gutter = canvas_sub(c, 0, top, label, c->h - top);
	for (unsigned i = own->n; i-- > 0;) { /* draw the first line last, so that it is on top */
		struct canvas key = key_place(c, own->n, i, &top);
		double lo, hi;
		range_of(view, own, i, &lo, &hi);
		lines_init(&l, &area, &s->painter, lo, hi);
		lines_line(&l, own->values + (size_t)i * (size_t)w, w, &lines_style[i]);
		draw_key(s, &key, own, i, &l);
		known |= !isnan(own->most[i]);
	}
	view->shown = (struct heat_range){l.lo, l.hi};
	lines_numbers(&l, &gutter);
	lines_cursor(&l, axis_cursor_column(&s->axis));
	if (!known)
		canvas_wrap(&area, 1, area.h / 3, area.w - 2, area.h, ROLE_DIM,
			    "This run has no known value.");
}

static void
draw_pane(struct screen *s, struct pane_view *view, struct canvas *c)
{
	struct plot *own = view->own;

	if (!own)
		return;
	if (update_columns(s, own))
		draw_lines(s, view, c);
	else
		canvas_wrap(c, 1, 1, c->w - 2, c->h - 1, ROLE_DIM, own->wrong.msg);
	if (s->pane == view)
		canvas_put(c, 0, 0, ROLE_FOCUS, 0x25b8);
}

static void
name_plot(const struct screen *s ATTR_UNUSED, const struct pane_view *v, char *buf, size_t size)
{
	snprintf(buf, size, "%s", v->arg[0] ? v->arg : FIRST_CHOICE);
}

const struct pane_ops pane_plot = {
	.name = "plot",
	.help = "Lines over time: pane plot sum(core.*.n), gpu.ipc. Up to four expressions over "
		"time "
		"series; those of one unit share the y axis. Without any, the IPC and the sum of "
		"n.",
	.read = "A line per expression, each of one number: sum, mean, min or max make one of "
		"many. Before each name is a piece of its line, after it the value at the time "
		"cursor. Lines with the unit of the first share the y axis at the left; one with "
		"another unit says its range beside its name. In ASCII the lines are * o + x, and "
		"| where one steps.",
	.range = "From 0 to a round number that holds all values." HEAT_RANGE,
	.also = "plot, pane heat, print, info stats",
	.arg = "EXPR[, EXPR...]",
	.min_w = 20,
	.min_h = 4,
	.kind = PANE_TIME,
	.open = open_plot,
	.close = close_plot,
	.words = each_word,
	.draw = draw_pane,
	.picture = name_plot,
};
