/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_converge.c - shows how a policy converges: the mean limit n of the cores with CTAs, with a
 * band from the smallest to the largest, and the IPC below. Dashed lines show the results of
 * `reference`.
 *
 * The reference's IPC in a column is that of the same work: the thread instructions that this run
 * executed in the column's cycles, divided by the cycles the reference needed for them. Where this
 * run's line is higher, it is faster there. The best fixed limit is drawn as a level among the
 * limits. Columns are cached; a frame computes those that got new samples.
 */
#include "base/memory.h"
#include "tui/columns.h"
#include "tui/fmt.h"
#include "tui/lines.h"
#include "tui/panes.h"
#include "tui/settled.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { V_MEAN, V_LOW, V_HIGH, V_IPC, VALUES };
enum { REFS = 2 };

struct converge {
	struct time_columns columns;
	double *values; /* VALUES rows of w columns */
	size_t size;
	double most_n, most_ipc;
	/* Thread instructions executed up to the end of each sample. */
	double *done, before; /* before: up to the beginning of the first */
	unsigned n_done, room;
	uint64_t generation;
	const struct sim *sim;
};

static const enum reference_kind kinds[REFS] = {REFERENCE_STACK, REFERENCE_BEST};

static int
open_converge(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e ATTR_UNUSED)
{
	v->own = memory_new(1, sizeof(struct converge));
	return 0;
}

static void
close_converge(struct pane_view *v)
{
	struct converge *own = v->own;

	free(own->values);
	free(own->done);
	free(own);
	v->own = NULL;
}

/* ---------------------------------------------------------------- columns */

static double *
row_of_values(const struct converge *own, unsigned value)
{
	return own->values + value * (size_t)own->columns.w;
}

/* Computes the limits of the cores with CTAs in a sample. */
static void
limits_of_sample(const struct screen *s, unsigned i, double *mean, double *lo, double *hi)
{
	const struct sim *sim = screen_sim(s);
	double sum = 0;
	unsigned n = 0;

	*lo = *hi = NAN;
	for (unsigned core = 0; core < screen_cores(s); core++) {
		double x = limit_of_core(sim, core, i);
		if (isnan(x))
			continue;
		sum += x;
		n++;
		*lo = fmin(*lo, x);
		*hi = fmax(*hi, x);
	}
	*mean = n ? sum / n : (double)NAN;
}

static void
compute_column(const struct screen *s, struct converge *own, const struct time_column *col)
{
	const struct sim *sim = screen_sim(s);
	double n = 0, of_n = 0, ipc = 0, all = 0, low = NAN, high = NAN;
	struct column_sample k = {0}, r = {0};

	while (column_next_sample(sim, col, true, &k)) {
		double mean, lo, hi;

		limits_of_sample(s, k.i, &mean, &lo, &hi);
		low = fmin(low, lo);
		high = fmax(high, hi);
		n += isnan(mean) ? 0 : mean * k.weight;
		of_n += isnan(mean) ? 0 : k.weight;
	}
	while (column_next_sample(sim, col, false, &r)) {
		ipc += series_gpu(sim, SG_IPC, r.i) * r.weight;
		all += r.weight;
	}
	row_of_values(own, V_MEAN)[col->x] = of_n > 0 ? n / of_n : (double)NAN;
	row_of_values(own, V_LOW)[col->x] = low;
	row_of_values(own, V_HIGH)[col->x] = high;
	row_of_values(own, V_IPC)[col->x] = all > 0 ? ipc / all : (double)NAN;
	own->most_n = fmax(own->most_n, high);
	own->most_ipc = fmax(own->most_ipc, row_of_values(own, V_IPC)[col->x]);
}

/* Returns the thread instructions executed before the first sample: a replay's samples begin where
 * the screen does. */
static double
work_before(const struct sim *sim, unsigned n)
{
	double work = 0;
	uint64_t id;

	if (!n || series_end(sim, 0) <= series_span(sim, 0) ||
	    sim_path(sim, "gpu.thread_insts", &id, NULL) != 1)
		return 0;
	work = sim_value(sim, id, 0);
	for (unsigned i = 0; i < n; i++)
		work -= series_gpu(sim, SG_IPC, i) * (double)series_span(sim, i);
	return fmax(work, 0);
}

static void
sum_up(const struct screen *s, struct converge *own)
{
	const struct sim *sim = screen_sim(s);
	unsigned n = series_count(sim);

	if (own->sim != sim || own->generation != series_generation(sim) || n < own->n_done)
		own->n_done = 0;
	own->sim = sim;
	own->generation = series_generation(sim);
	if (n > own->room) {
		own->room = n + 256;
		own->done = memory_resize(own->done, own->room, sizeof(*own->done));
	}
	if (own->n_done == 0)
		own->before = work_before(sim, n);
	for (unsigned i = own->n_done; i < n; i++)
		own->done[i] = (i ? own->done[i - 1] : own->before) +
			       series_gpu(sim, SG_IPC, i) * (double)series_span(sim, i);
	own->n_done = n;
}

static void
update_columns(struct screen *s, struct converge *own)
{
	struct time_columns *k = &own->columns;
	struct time_column col = {0};

	sum_up(s, own);
	if (columns_begin(k, s, false)) {
		size_t size = VALUES * (size_t)k->w;
		if (size > own->size)
			own->values = memory_resize(own->values, size, sizeof(*own->values));
		own->size = MAX(size, own->size);
		for (size_t i = 0; i < size; i++)
			own->values[i] = NAN;
		own->most_n = own->most_ipc = NAN;
	}
	while (columns_next(k, s, &col))
		compute_column(s, own, &col);
}

/* ---------------------------------------------------------------- the same work */

/* Returns the thread instructions executed up to a cycle, interpolated between the ends of two
 * samples. */
static double
work_at(const struct converge *own, cycle_t cycle)
{
	int i = series_at(own->sim, cycle);
	cycle_t end, span;

	if (i < 0 || cycle == 0)
		return 0;
	end = series_end(own->sim, (unsigned)i);
	span = series_span(own->sim, (unsigned)i);
	double before = i ? own->done[i - 1] : own->before;
	if (cycle >= end)
		return own->done[i];
	return before + (own->done[i] - before) * (1 - (double)(end - cycle) / (double)span);
}

/* Computes the reference's IPC over the work of each column. */
static void
reference_line(const struct converge *own, const struct reference_view *r, double *to)
{
	const struct time_columns *k = &own->columns;
	unsigned n = series_count(own->sim);
	cycle_t last = n ? series_end(own->sim, n - 1) : 0;

	for (int x = 0; x < k->w; x++) {
		cycle_t from = k->t0 + (cycle_t)x * k->per, end = MIN(from + k->per, last);
		to[x] = NAN;
		if (from >= end)
			continue;
		double w0 = work_at(own, from), w1 = work_at(own, end);
		double c0 = reference_cycle(r, w0), c1 = reference_cycle(r, w1);
		if (c1 > c0 && w1 > w0)
			to[x] = (w1 - w0) / (c1 - c0);
	}
}

/* Returns the speedup at the cursor: the cycles that the reference needs for the same work, divided
 * by this run's. */
static double
speedup_over(const struct screen *s, const struct converge *own, const struct reference_view *r)
{
	int i = screen_sample(s);
	cycle_t at = i < 0 ? 0 : MIN(series_end(own->sim, (unsigned)i), axis_cursor(&s->axis));
	double work = at ? work_at(own, at) : 0;

	return work > 0 ? reference_cycle(r, work) / (double)at : (double)NAN;
}

/* ---------------------------------------------------------------- drawing */

/* Draws the reference's progress at the right end of a row whose columns before x are taken. It
 * draws as many parts as fit; with room for fewer than `least` it draws nothing. Returns false if
 * there is no room. */
static bool
draw_progress(const struct screen *s, struct canvas *c, int x, int least)
{
	char text[80], *comma;
	int parts = 1;

	session_reference_progress(s->session, text, sizeof(text));
	for (const char *p = text; *p; p++)
		parts += *p == ',';
	for (; c->w - x < text_width(text) + 1; parts--) {
		comma = strrchr(text, ',');
		if (!comma || parts <= least)
			return false;
		*comma = '\0';
	}
	canvas_right(c, x, 0, c->w - x - 1, ROLE_DIM, text);
	return true;
}

/* "28 of 30 cores settled, n = 1, period 9" */
static bool
draw_title(const struct screen *s, struct canvas *c, const struct pane_view *view)
{
	struct settled r;
	bool periods = settled_at_cursor(s, &r);
	char n[32] = "", when[48] = "", text[160];
	int x = 1;

	canvas_put(c, 0, 0, ROLE_FOCUS, s->pane == view ? 0x25b8 : ' ');
	if (c->w >= 64)
		x += 1 +
		     canvas_text(c, 1, 0, s->pane == view ? ROLE_FOCUS : ROLE_TITLE, "converge");
	if (r.cores && r.lo == r.hi)
		snprintf(n, sizeof(n), ", n = %.0f", r.lo);
	else if (r.cores)
		snprintf(n, sizeof(n), ", n = %.0f to %.0f", r.lo, r.hi);
	if (screen_live(s) && periods)
		snprintf(when, sizeof(when), ", period %llu",
			 (unsigned long long)sim_periods(screen_sim(s)));
	if (!r.cores)
		snprintf(text, sizeof(text), "limits over time: %s",
			 screen_sample(s) < 0 ? "no sample yet" : "no core holds a CTA here");
	else if (periods)
		snprintf(text, sizeof(text), "%u of %u cores settled%s%s", r.settled, r.cores, n,
			 when);
	else
		snprintf(text, sizeof(text), "no policy decides at periods%s", n);
	x += canvas_fit(c, x, 0, c->w - x - 1, ROLE_TITLE, text);
	return draw_progress(s, c, x, 3);
}

/* The place of a plot: its row of keys, the numbers at the left, the area above the time axis. */
struct part {
	struct canvas keys, gutter, area;
};

static struct part
part_of(const struct screen *s, struct canvas *c, int y, int h, int w)
{
	int label = heat_label_width(screen_cores(s));

	return (struct part){canvas_sub(c, 1, y, c->w - 2, 1),
			     canvas_sub(c, 0, y + 1, label, h - 1),
			     canvas_sub(c, label, y + 1, w, h - 1)};
}

/* Returns the policy's parameters, such as "n=2", or its name if it has none. */
static const char *
short_name(const struct reference_view *r)
{
	const char *colon = strchr(r->name, ':');

	return colon ? colon + 1 : r->name;
}

static int
draw_key(const struct screen *s, struct canvas *c, int x, unsigned style, const char *text)
{
	int w = text_width(text) + 4;

	return c->w - x < w
		       ? 0
		       : 2 + lines_key(c, x, 0, c->w - x, &s->painter, &lines_style[style], text);
}

/* Draws the band filled if a colour distinguishes it from the line, else only its edges. */
static void
draw_band(const struct screen *s, struct lines *l, const struct converge *own)
{
	static const struct lines_style edge = {ROLE_FRAME, ':', 1, 3};

	if (s->depth == DEPTH_MONO) {
		lines_line(l, row_of_values(own, V_LOW), own->columns.w, &edge);
		lines_line(l, row_of_values(own, V_HIGH), own->columns.w, &edge);
		return;
	}
	lines_band(l, row_of_values(own, V_LOW), row_of_values(own, V_HIGH), own->columns.w,
		   ROLE_FRAME);
}

static int
draw_limits(struct screen *s, struct converge *own, struct part *p,
	    const struct reference_view *fixed)
{
	int i = screen_level_sample(s), x = 0, w = own->columns.w;
	double mean = NAN, lo, hi;
	char num[FMT_MAX], text[80];
	struct core_view v;
	struct lines l;

	sim_core_view(screen_sim(s), 0, &v);
	lines_init(&l, &p->area, &s->painter, 0, fmax(fmax(v.n_max, own->most_n), 1));
	draw_band(s, &l, own);
	lines_level(&l, fixed ? fixed->limit : (double)NAN, lines_style[2].role, true);
	lines_line(&l, row_of_values(own, V_MEAN), w, &lines_style[0]);
	lines_numbers(&l, &p->gutter);
	lines_cursor(&l, axis_cursor_column(&s->axis));
	if (i >= 0)
		limits_of_sample(s, (unsigned)i, &mean, &lo, &hi);
	snprintf(text, sizeof(text), "mean n %s", fmt_num(num, mean, 2));
	x += draw_key(s, &p->keys, x, 0, text);
	if (fixed) {
		snprintf(text, sizeof(text), "best: %s", short_name(fixed));
		x += draw_key(s, &p->keys, x, 2, text);
	}
	if (i >= 0 && !isnan(mean)) {
		int room = p->keys.w - x;
		snprintf(text, sizeof(text), "band %.0f to %.0f", lo, hi);
		if (room >= text_width(text))
			x += 2 + canvas_text(&p->keys, x, 0, ROLE_DIM, text);
	}
	return x;
}

static int
draw_ipc(struct screen *s, struct converge *own, struct part *p,
	 struct reference_view *const ref[REFS])
{
	int i = screen_sample(s), x = 0, w = own->columns.w;
	bool ends = s->axis.ended && axis_cursor(&s->axis) >= s->axis.now;
	double *line = memory_new(REFS * (size_t)w, sizeof(*line)), lo = 0, hi = own->most_ipc;
	char num[FMT_MAX], text[80];
	struct lines l;

	for (int k = 0; k < REFS; k++) {
		if (!ref[k])
			continue;
		reference_line(own, ref[k], line + k * w);
		/* The range ignores the reference's peaks: they would flatten everything else. */
		if (ref[k]->cycles)
			hi = fmax(hi, 1.5 * (double)ref[k]->insts / (double)ref[k]->cycles);
	}
	lines_round(&lo, &hi);
	lines_init(&l, &p->area, &s->painter, lo, hi);
	for (int k = REFS - 1; k >= 0; k--)
		if (ref[k])
			lines_line(&l, line + k * w, w, &lines_style[k + 1]);
	lines_line(&l, row_of_values(own, V_IPC), w, &lines_style[0]);
	lines_numbers(&l, &p->gutter);
	lines_cursor(&l, axis_cursor_column(&s->axis));
	free(line);
	snprintf(text, sizeof(text), "IPC %s",
		 fmt_num(num, i < 0 ? (double)NAN : series_gpu(screen_sim(s), SG_IPC, (unsigned)i),
			 0));
	x += draw_key(s, &p->keys, x, 0, text);
	for (int k = 0; k < REFS; k++) {
		if (!ref[k])
			continue;
		double times = speedup_over(s, own, ref[k]);
		if (isnan(times)) /* the reference has not got this far */
			snprintf(text, sizeof(text), "%s", short_name(ref[k]));
		else
			snprintf(text, sizeof(text), "%.2fx %s%s%s", times,
				 p->keys.w >= 56 ? "of " : "", short_name(ref[k]),
				 ends || (k == 0 && ref[1]) ? "" : " so far");
		x += draw_key(s, &p->keys, x, (unsigned)k + 1, text);
	}
	return x;
}

static void
draw_pane(struct screen *s, struct pane_view *view, struct canvas *c)
{
	struct converge *own = view->own;
	struct reference_view kept[REFS], *ref[REFS] = {NULL, NULL};
	int h = c->h - 1;
	bool told;
	struct part p;

	if (!screen_sim(s) || c->h < 1)
		return;
	told = draw_title(s, c, view);
	if (h < 2)
		return;
	update_columns(s, own);
	for (int k = 0; k < REFS; k++)
		if (session_reference(s->session, kinds[k], &kept[k]))
			ref[k] = &kept[k];
	int upper = h >= 6 ? h / 2 : h;
	p = part_of(s, c, 1, upper, own->columns.w);
	int x = draw_limits(s, own, &p, ref[1]);
	told = told || draw_progress(s, &p.keys, x, 2);
	if (upper == h)
		return;
	p = part_of(s, c, 1 + upper, h - upper, own->columns.w);
	x = draw_ipc(s, own, &p, ref);
	if (!told)
		draw_progress(s, &p.keys, x, 1);
}

const struct pane_ops pane_converge = {
	.name = "converge",
	.help = "A policy converging: how many cores have settled (no change of the limit in 4 "
		"periods), the mean limit n with the band from the least to the largest, and the "
		"IPC; dashed what `reference` measured, at the same work.",
	.read = "The title: how many of the cores with CTAs kept their limit for 4 periods, and at "
		"which. Above, the "
		"line is the mean limit n, the band around it reaches from the least to the "
		"largest; when the band "
		"is gone all cores agree. Below, the IPC. Dashed lines are what `reference` has "
		"measured: the best "
		"fixed limit above, and the IPC of the reference at the same work below; where the "
		"own line is "
		"above it, this run is faster, and a factor such as 1.53x says by how much so far.",
	.range = "n from 0 to the most that fit, IPC from 0 to a round number.",
	.also = "layout watch, reference, info reference, pace, until converged",
	.min_w = 24,
	.min_h = 14,
	.best_h = 15,
	.kind = PANE_TIME,
	.open = open_converge,
	.close = close_converge,
	.draw = draw_pane,
};
