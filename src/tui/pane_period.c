/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_period.c - shows how the counters that the policy weighs have grown within the period that
 * is running, for the core in focus, with the thresholds that will decide.
 *
 * The points of a curve are the samples of the time series, and the present value at its end, so
 * -o run.sample=64 gives a finer curve. In the cycle in which a period ended it is that period.
 */
#include "tui/fmt.h"
#include "tui/panes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABEL_W 8 /* columns left of a curve */

/* The period that is shown, and the gauge that is drawn. */
struct period {
	cycle_t from, now, length;
	bool is_over;
};

/* The series whose samples are the growth of that gauge; -1: none. */
static int
series_of(const char *gauge)
{
	return strcmp(gauge, "C_mem") == 0    ? SC_C_MEM
	       : strcmp(gauge, "C_idle") == 0 ? SC_C_IDLE
					      : -1;
}

static bool
find_period(const struct sim *sim, struct period *p)
{
	cycle_t done = 0;

	p->length = sim_period(sim, &done);
	if (!p->length)
		return false;
	p->now = sim_cycle(sim);
	p->is_over = done == 0 && p->now >= p->length;
	p->from = p->now - (p->is_over ? p->length : done);
	return true;
}

/* Returns the value of the gauge at a cycle of the period, between two samples by a straight line.
 * The first sample may have begun before the period, which gets its share. */
static double
value_at(const struct sim *sim, unsigned core, int series, const struct period *p, double now,
	 cycle_t at)
{
	double sum = 0, before = 0;
	cycle_t end = p->from, start = p->from;

	for (unsigned i = 0; i < series_count(sim) && end < at; i++) {
		cycle_t to = series_end(sim, i), begin = i ? series_end(sim, i - 1) : 0;
		double growth = series_core(sim, (enum series_core_field)series, core, i);

		if (to <= p->from || to > p->now || isnan(growth))
			continue;
		if (begin < p->from)
			growth *= (double)(to - p->from) / (double)(to - begin);
		start = end;
		before = sum;
		end = to;
		sum = fmin(sum + growth, now);
	}
	if (end < at) { /* after the last sample */
		start = end;
		before = sum;
		end = p->now;
		sum = now;
	}
	return end == start
		       ? sum
		       : before + (sum - before) * (double)(at - start) / (double)(end - start);
}

/* ---------------------------------------------------------------- drawing */

static int
row_of(double v, double max, int h)
{
	return h - 1 - (int)fmin(v / max * h, h - 1);
}

static void
draw_threshold(struct canvas *c, int h, double v, double max, const char *name)
{
	char num[FMT_MAX], text[48];
	int y = row_of(v, max, h);

	if (!name || isnan(v) || v > max)
		return;
	canvas_right(c, 0, y, LABEL_W - 1, ROLE_THRESHOLD, fmt_num(num, v, 0));
	canvas_fill(c, LABEL_W, y, c->w - LABEL_W, 1, ROLE_THRESHOLD, 0x2500);
	snprintf(text, sizeof(text), " %s ", name);
	canvas_text(c, c->w - 1 - text_width(text), y, ROLE_THRESHOLD, text);
}

/* Draws the filled curve over h rows from the left end of the period to now. */
static void
draw_curve(const struct sim *sim, struct canvas *c, int h, unsigned core, const struct period *p,
	   const struct gauge_view *g, const struct cta_reading *r, double max)
{
	int w = c->w - LABEL_W, series = series_of(g->gauge->name);
	double high = g->gauge->high ? r->high : g->gauge->low ? r->low : (double)NAN;

	for (int x = 0; x < w; x++) {
		cycle_t at = p->from + (cycle_t)((double)(x + 1) / w * (double)p->length + 0.5);
		double v;
		int top;

		if (at > p->now)
			break;
		v = value_at(sim, core, series, p, r->value, at);
		top = v > 0 ? row_of(v, max, h) : h;
		for (int y = top; y < h; y++)
			canvas_put(c, LABEL_W + x, y,
				   !isnan(high) && y <= row_of(high, max, h) ? ROLE_THRESHOLD
									     : ROLE_BAR,
				   0x2588);
	}
}

/* Draws "C_mem 197 now (last period: 365)". */
static void
draw_head(struct canvas *c, const struct gauge_view *g, const struct cta_reading *r, bool is_over)
{
	char num[FMT_MAX], text[64];
	int x = 1 + canvas_text(c, 1, 0, ROLE_TITLE, g->gauge->name) + 1;

	x += canvas_text(c, x, 0, ROLE_VALUE, fmt_num(num, r->value, 0)) + 1;
	x += canvas_text(c, x, 0, ROLE_DIM, is_over ? "when it decided" : "now") + 1;
	if (is_over || isnan(g->last.value))
		return;
	snprintf(text, sizeof(text), "(last period: %s)", fmt_num(num, g->last.value, 0));
	canvas_fit(c, x, 0, c->w - x, ROLE_DIM, text);
}

static void
draw_gauge(const struct sim *sim, struct canvas *c, unsigned core, const struct period *p,
	   const struct gauge_view *g)
{
	struct cta_reading r = p->is_over ? g->last : g->now;
	double low = g->gauge->low ? r.low : (double)NAN,
	       high = g->gauge->high ? r.high : (double)NAN;
	double max = fmax(1.25 * fmax(low, high), r.value);
	struct canvas plot = canvas_sub(c, 0, 1, c->w, c->h - 1);

	if (isnan(r.value) || plot.h < 1)
		return;
	draw_head(c, g, &r, p->is_over);
	if (!(max > 0))
		max = 1;
	draw_threshold(&plot, plot.h, low, max, g->gauge->low);
	draw_threshold(&plot, plot.h, high, max, g->gauge->high);
	draw_curve(sim, &plot, plot.h, core, p, g, &r, max);
}

static unsigned
count_gauges(const struct sim *sim, unsigned core, struct gauge_view g[CTA_GAUGES])
{
	unsigned n = 0;

	for (unsigned i = 0; i < sim_gauges(sim) && n < CTA_GAUGES; i++) {
		sim_gauge_view(sim, i, core, &g[n]);
		n += g[n].gauge->per_core && series_of(g[n].gauge->name) >= 0;
	}
	return n;
}

static void
draw_axis(struct canvas *c, int y, const struct period *p)
{
	char num[FMT_MAX];

	canvas_text(c, LABEL_W, y, ROLE_DIM, fmt_u64(num, p->from));
	canvas_right(c, c->w - FMT_MAX, y, FMT_MAX, ROLE_DIM, fmt_u64(num, p->from + p->length));
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	unsigned core = session_focus_core(s->session), n;
	struct sim *sim = screen_sim(s);
	struct gauge_view g[CTA_GAUGES];
	bool active = s->pane == v;
	char num[FMT_MAX], all[FMT_MAX];
	struct period p;
	int x, h;

	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	x = 1 + canvas_text(c, 1, 0, active ? ROLE_FOCUS : ROLE_TITLE, "period") + 1;
	if (!sim || core >= screen_cores(s))
		return;
	n = count_gauges(sim, core, g);
	if (!find_period(sim, &p) || n == 0) {
		canvas_wrap(c, 1, 2, c->w - 2, c->h - 2, ROLE_DIM,
			    "The policy weighs no counter over a period.");
		return;
	}
	x += canvas_printf(c, x, 0, ROLE_TEXT, "of core %u: %s of %s cycles", core,
			   fmt_u64(num, p.now - p.from), fmt_u64(all, p.length)) +
	     1;
	h = (c->h - 2) / (int)n;
	for (unsigned i = 0; i < n && h >= 2; i++) {
		struct canvas part = canvas_sub(c, 0, 1 + (int)i * h, c->w, h);

		draw_gauge(sim, &part, core, &p, &g[i]);
	}
	draw_axis(c, 1 + (int)n * h, &p);
}

/* The command `plot` draws the samples of all periods. */
static void
name_plot(const struct screen *s ATTR_UNUSED, const struct pane_view *v ATTR_UNUSED, char *buf,
	  size_t size)
{
	snprintf(buf, size, "core.c_mem");
}

static bool
has_periods(const struct screen *s)
{
	cycle_t done;

	return screen_sim(s) && sim_period(screen_sim(s), &done) > 0;
}

const struct pane_ops pane_period = {
	.name = "period",
	.help = "How C_mem and C_idle of the core in focus have grown in the period that is "
		"running, with the thresholds that will decide at its end.",
	.read = "For each counter that the policy weighs, a curve from the start of the period at "
		"the left to its end at the right; it is filled up to the present cycle. The "
		"upright axis begins at 0. Lines across are the thresholds, with their numbers at "
		"the left and names at the right; the part of a curve beyond the upper one has "
		"another colour. A curve that has passed the upper threshold cannot come back: the "
		"decision is known before the end. In the cycle in which a period ends it is that "
		"period as a whole. The points between are the samples (run.sample), which longer "
		"runs merge. With the cursor in the past it is the period there.",
	.keys = "j and k choose the core.",
	.range = "From 0 to a quarter above the upper threshold, or to the value where that is "
		 "more.",
	.also = "quiz, why, info policy, pane policy, pane plot, break period",
	.min_w = 30,
	.min_h = 6,
	.kind = PANE_PAGE,
	.looks = PANE_LOOKS_STATE,
	.applies = has_periods,
	.draw = draw_pane,
	.picture = name_plot,
};
