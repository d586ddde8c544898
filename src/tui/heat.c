/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heat.c - strips of cores over time (heat.h), their legend and their time axis.
 *
 * Cost: a frame with one new sample computes one column and draws the cached codes of all others;
 * everything is computed again only when samples were merged, the axis moved or the range grew.
 */
#include "tui/heat.h"
#include "tui/fmt.h"
#include "tui/screen.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
heat_cache_free(struct heat_cache *h)
{
	free(h->code);
	memset(h, 0, sizeof(*h));
}

int
heat_label_width(unsigned cores)
{
	return cores > 100 ? 5 : 4;
}

unsigned
heat_half_rows(unsigned cores, int h)
{
	static const unsigned step[] = {12, 8, 6, 4, 2};

	for (size_t i = 0; i < ARRAY_LEN(step); i++)
		if ((int)(cores * step[i] + 1) / 2 <= h)
			return step[i];
	return 1;
}

int
series_at(const struct sim *sim, cycle_t cycle)
{
	unsigned lo = 0, hi = series_count(sim);

	if (hi == 0)
		return -1;
	if (cycle > series_end(sim, hi - 1))
		return (int)hi - 1;
	while (lo < hi) { /* first sample whose end is at or after the cycle */
		unsigned mid = (lo + hi) / 2;
		if (series_end(sim, mid) < cycle)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (int)lo;
}

/* ---------------------------------------------------------------- codes */

static unsigned
code_of(const struct heat_source *src, double v, double hi)
{
	if (isnan(v))
		return HEAT_UNKNOWN;
	if (src->kind == HEAT_CATEGORY)
		return v >= 0 && v < HEAT_STATES ? HEAT_STATE + (unsigned)v : HEAT_UNKNOWN;
	return heat_level(v, 0, hi);
}

/* The code of one core over the cycles (from, to]; samples first.. may reach into them. */
static unsigned
column_code(const struct sim *sim, const struct heat_source *src, double hi, unsigned core,
	    cycle_t from, cycle_t to, unsigned first)
{
	double sum = 0, weight = 0, off = 0, all = 0, v = NAN;

	for (unsigned i = first; i < series_count(sim); i++) {
		cycle_t end = series_end(sim, i), start = end - series_span(sim, i);
		if (start >= to)
			break;
		double w = (double)(MIN(end, to) - MAX(start, from));
		double x = series_core(sim, src->field, core, i);
		all += w;
		if (series_core(sim, SC_STATE, core, i) == CORE_OFF)
			off += w;
		if (isnan(x))
			continue;
		sum += x * w;
		weight += w;
		v = x;
	}
	if (all <= 0)
		return HEAT_NONE;
	if (src->kind != HEAT_CATEGORY && off * 2 > all)
		return HEAT_GATED;
	return code_of(src, src->kind == HEAT_MEAN && weight > 0 ? sum / weight : v, hi);
}

/* The upper end of the range: fixed, or the largest value so far on a round number. It never
 * shrinks. */
static double
range_hi(const struct screen *s, const struct heat_source *src, const struct heat_cache *h)
{
	static const double step[] = {1,   2,	 3,    4,    5,	    6,	 8,   10,
				      12,  16,	 20,   24,   32,    50,	 100, 200,
				      500, 1000, 2000, 5000, 10000, 1e5, 1e6, 1e9};
	const struct sim *sim = screen_sim(s);
	double hi = src->least_hi ? src->least_hi(s) : 0;
	size_t k = 0;

	if (src->hi > 0)
		return src->hi;
	/* Values grow by few between frames, so the samples not seen yet are enough. */
	for (unsigned i = h->code && h->count <= series_count(sim) ? h->count : 0;
	     i < series_count(sim); i++)
		for (unsigned c = 0; c < screen_cores(s); c++)
			hi = fmax(hi, series_core(sim, src->field, c, i));
	while (step[k] < hi && k + 1 < ARRAY_LEN(step))
		k++;
	return fmax(step[k], h->hi);
}

/* False when memory runs out: nothing is drawn then. */
static bool
cache_reset(struct heat_cache *h, const struct screen *s, double hi)
{
	const struct axis *a = &s->axis;
	unsigned cores = screen_cores(s);

	if (!h->code || h->w != a->w || h->cores != cores) {
		uint8_t *p = realloc(h->code, (size_t)cores * (size_t)a->w + 1);
		if (!p)
			return false;
		h->code = p;
	}
	h->w = a->w;
	h->cores = cores;
	h->t0 = a->t0;
	h->per = a->per;
	h->generation = series_generation(screen_sim(s));
	h->count = 0;
	h->done = 0;
	h->hi = hi;
	memset(h->code, HEAT_NONE, (size_t)cores * (size_t)a->w);
	return true;
}

static bool
cache_update(struct heat_cache *h, const struct screen *s, const struct heat_source *src)
{
	const struct sim *sim = screen_sim(s);
	const struct axis *a = &s->axis;
	unsigned n = series_count(sim);
	bool stale = !h->code || h->w != a->w || h->cores != screen_cores(s) || h->t0 != a->t0 ||
		     h->per != a->per || h->generation != series_generation(sim) || n < h->count;
	double hi;

	if (stale && h->code)
		h->count = 0;
	hi = range_hi(s, src, h);
	if ((stale || hi != h->hi) && !cache_reset(h, s, hi))
		return false;
	if (n == h->count || n == 0)
		return true;
	cycle_t last = series_end(sim, n - 1);
	for (int x = h->done; x < h->w; x++) {
		cycle_t from = a->t0 + (cycle_t)x * a->per, to = from + a->per;
		if (from >= last)
			break;
		unsigned first = (unsigned)series_at(sim, from + 1);
		for (unsigned c = 0; c < h->cores; c++)
			h->code[(size_t)c * (size_t)h->w + (size_t)x] =
				(uint8_t)column_code(sim, src, hi, c, from, to, first);
		if (last >= to)
			h->done = x + 1;
	}
	h->count = n;
	return true;
}

/* ---------------------------------------------------------------- drawing */

/* The first letter of draining, throttled and paused is their glyph. */
static const char *const state_short[HEAT_STATES] = {"act",   "drain", "throttle",
						     "pause", "off",   "empty"};

static void
draw_state_legend(struct canvas *c, int x, int end)
{
	bool roomy = end - x >= 46;

	for (unsigned i = 0; i < HEAT_STATES; i++) {
		bool letter = state_glyph(i) == (unsigned char)state_short[i][0];
		if (x + !letter + text_width(state_short[i]) > end)
			break;
		canvas_heat(c, x++, 0, HEAT_STATE + i, HEAT_STATE + i, false);
		x += canvas_text(c, x + (roomy && !letter), 0, ROLE_DIM, state_short[i] + letter) +
		     1 + roomy + (roomy && !letter);
	}
}

/* "0 <ramp> 8": the range is always in sight. */
static int
draw_ramp_legend(struct canvas *c, int x, double hi)
{
	char num[FMT_MAX];
	int w = c->w - x >= 50 ? 16 : 8;

	x += canvas_text(c, x, 0, ROLE_DIM, "0 ");
	for (int i = 0; i < w; i++) {
		unsigned k = (unsigned)((HEAT_LEVELS - 1) * i / (w - 1));
		canvas_heat(c, x++, 0, k, k, false);
	}
	x += 1 + canvas_text(c, x + 1, 0, ROLE_DIM, fmt_num(num, hi, 0));
	if (c->w - x >= 22) {
		canvas_heat(c, x + 2, 0, HEAT_GATED, HEAT_GATED, false);
		x += 3 + canvas_text(c, x + 3, 0, ROLE_DIM, " off");
		canvas_heat(c, x + 2, 0, HEAT_UNKNOWN, HEAT_UNKNOWN, false);
		x += 3 + canvas_text(c, x + 3, 0, ROLE_DIM, " unknown");
	}
	return x;
}

/* Its number among the strips of the table, from 1; 0: it is one with an argument. */
static unsigned
number_of(const struct pane_view *v)
{
	unsigned n = 1;

	if (v->arg[0])
		return 0;
	for (unsigned i = 0; pane_table[i] != v->ops; i++)
		n += pane_table[i]->kind == PANE_STRIP;
	return n;
}

/* Title, legend, and at the right which cores are in view and which of the panes this is. */
static void
draw_title(const struct screen *s, struct canvas *c, const struct heat_source *src, double hi,
	   const struct pane_view *view, bool strip)
{
	unsigned cores = screen_cores(s);
	bool active = s->pane == view;
	char text[64] = "";
	int end = c->w, x, n = 0;

	if (strip && s->shown_cores < cores)
		n = snprintf(text, sizeof(text), "%u-%u of %u", s->top_core,
			     MIN(s->top_core + s->shown_cores, cores) - 1, cores);
	if (screen_lone(s) && number_of(view))
		snprintf(text + n, sizeof(text) - (size_t)n, "%s%u/%u", n ? "  " : "",
			 number_of(view), screen_heat_panes());
	if (text[0] && c->w > (int)strlen(text) + 20) {
		end -= (int)strlen(text) + 1;
		canvas_text(c, end, 0, ROLE_DIM, text);
	}
	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	x = 1 + canvas_fit(c, 1, 0, end - 2, active ? ROLE_FOCUS : ROLE_TITLE, src->title) + 2;
	struct canvas rest = canvas_sub(c, 0, 0, end - 1, 1);
	if (src->kind == HEAT_CATEGORY)
		draw_state_legend(&rest, x - 1, end - 1);
	else if (x + 14 <= end)
		draw_ramp_legend(&rest, x, hi);
}

static void
draw_label(struct screen *s, struct canvas *c, int y, unsigned core, bool focus)
{
	int w = heat_label_width(screen_cores(s));
	char num[16];

	canvas_put(c, 0, y, ROLE_STOP, session_core_has_stop(s->session, core) ? 0x25cf : ' ');
	snprintf(num, sizeof(num), "%u", core);
	canvas_right(c, 1, y, w - 2, focus ? ROLE_FOCUS : ROLE_DIM, num);
	canvas_put(c, w - 1, y, ROLE_FOCUS, focus ? 0x25b8 : ' ');
}

/* Scrolls so that the core in focus is in view, by whole rows. */
static void
scroll_to_focus(struct screen *s, unsigned visible, unsigned cores)
{
	unsigned focus = session_focus_core(s->session);

	if (focus < s->top_core)
		s->top_core = focus & ~1u;
	if (focus >= s->top_core + visible)
		s->top_core = (focus - visible + 2) & ~1u;
	if (s->top_core + visible > cores)
		s->top_core = cores > visible ? (cores - visible + 1) & ~1u : 0;
	s->shown_cores = visible;
}

static void
draw_strip(struct screen *s, struct canvas *c, const struct heat_cache *h)
{
	unsigned cores = screen_cores(s), half = heat_half_rows(cores, c->h);
	unsigned focus = session_focus_core(s->session), per_row = half == 1 ? 2 : 1;
	int label = heat_label_width(cores), cursor = axis_cursor_column(&s->axis);

	scroll_to_focus(s, (unsigned)c->h * 2 / half, cores);
	for (int y = 0; y < c->h; y++) {
		unsigned up = s->top_core + 2 * (unsigned)y / half,
			 low = s->top_core + (2 * (unsigned)y + 1) / half;
		if (up >= cores)
			break;
		bool in = focus >= up && focus < up + per_row,
		     stop_low = low < cores && !session_core_has_stop(s->session, up) &&
				session_core_has_stop(s->session, low);
		if (half < 4 || y % ((int)half / 2) == 0) /* a tall core is named once */
			draw_label(s, c, y, in ? focus : stop_low ? low : up, in);
		for (int x = 0; x < h->w; x++) {
			unsigned a = h->code[(size_t)up * (size_t)h->w + (size_t)x];
			unsigned b = low < cores ? h->code[(size_t)low * (size_t)h->w + (size_t)x]
						 : HEAT_NONE;
			if (!s->painter.half && low >= cores)
				b = a;
			if (a != HEAT_NONE || b != HEAT_NONE || x == cursor)
				canvas_heat(c, label + x, y, a, b, x == cursor);
		}
	}
}

void
heat_draw(struct screen *s, struct pane_view *view, struct canvas *c, const struct heat_source *src)
{
	const struct sim *sim = screen_sim(s);
	char why[200];
	bool missing = sim && src->missing && src->missing(s, why, sizeof(why));
	struct canvas body = canvas_sub(c, 0, 1, c->w, c->h - 1);
	struct heat_cache *h = &view->heat;
	bool ready = sim && cache_update(h, s, src);

	if (missing)
		canvas_wrap(&body, 5, body.h / 3, body.w - 8, body.h, ROLE_DIM, why);
	else if (ready)
		draw_strip(s, &body, h);
	draw_title(s, c, src, ready ? h->hi : MAX(src->hi, 8), view, ready && !missing);
}

/* ---------------------------------------------------------------- time axis */

/* Text where nothing stands yet, with a blank on either side. */
static void
text_if_free(struct canvas *c, int x, unsigned role, const char *text)
{
	int w = text_width(text);

	if (x < 0 || x + w > c->w)
		return;
	for (int i = x - 1; i <= x + w; i++) {
		const struct cell *k = canvas_at(c, i, 0);
		if (k && k->wc && k->wc != ' ')
			return;
	}
	canvas_text(c, x, 0, role, text);
}

/* Kernel boundaries: a bar, and the kernel's number where there is room before the next. */
static void
draw_kernels(const struct screen *s, struct canvas *c, int label)
{
	const struct sim *sim = screen_sim(s);
	unsigned n = sim_kernels_started(sim);

	for (unsigned k = 1; k < n; k++) {
		int x = axis_column(&s->axis, sim_kernel_start(sim, k) + 1), next = c->w;
		char text[16];
		if (x < 0)
			continue;
		if (k + 1 < n && axis_column(&s->axis, sim_kernel_start(sim, k + 1) + 1) >= 0)
			next = axis_column(&s->axis, sim_kernel_start(sim, k + 1) + 1);
		canvas_put(c, label + x, 0, ROLE_TITLE, 0x2502);
		snprintf(text, sizeof(text), "k%u", k + 1);
		if (x + 1 + (int)strlen(text) < next)
			canvas_text(c, label + x + 1, 0, ROLE_TITLE, text);
	}
}

/* Ends of periods, where they are at least three columns apart and nothing else stands. */
static void
draw_period_ticks(const struct screen *s, struct canvas *c, int label)
{
	cycle_t end = s->axis.t0 + s->axis.per * (cycle_t)s->axis.w, done;
	cycle_t p = screen_sim(s) ? sim_period(screen_sim(s), &done) : 0;

	if (!p || p < 3 * s->axis.per)
		return;
	for (cycle_t t = (s->axis.t0 / p + 1) * p; t <= end; t += p) {
		int x = label + axis_column(&s->axis, t);
		const struct cell *k = canvas_at(c, x, 0);
		if (k && !k->wc)
			canvas_put(c, x, 0, ROLE_DIM, 0x2575);
	}
}

void
heat_axis(const struct screen *s, struct canvas *c)
{
	int label = heat_label_width(screen_cores(s));
	const struct axis *a = &s->axis;
	cycle_t tick = axis_tick(a, 9), end = a->t0 + a->per * (cycle_t)a->w;
	char num[FMT_MAX];

	if (!screen_sim(s))
		return;
	draw_kernels(s, c, label);
	for (cycle_t t = (a->t0 + tick - 1) / tick * tick; t < end; t += tick)
		text_if_free(c, label + (int)((t - a->t0) / a->per), ROLE_DIM, fmt_short(num, t));
	draw_period_ticks(s, c, label);
	if (axis_cursor_column(a) >= 0)
		canvas_put(c, label + axis_cursor_column(a), 0, ROLE_CURSOR, 0x25b2);
}
