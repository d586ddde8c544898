/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heat.c - computes the ranges and heat codes of a strip (heat.h), which heat_draw.c draws.
 *
 * A frame with one new sample computes one column and draws the cached codes of all others. The
 * whole strip is computed again only when samples were merged, the axis moved or the range grew.
 */
#include "base/ascii.h"
#include "base/memory.h"
#include "tui/heat_part.h"
#include "tui/screen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SORTED 4096 /* a percentile is taken of at most this many values */

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

unsigned
heat_rows_of(const struct screen *s, enum heat_rows rows)
{
	const struct sim *sim = screen_sim(s);

	return rows == HEAT_CORES ? screen_cores(s) : sim ? sim_channels(sim) : 1;
}

cycle_t
heat_count_cycles(const struct screen *s)
{
	cycle_t done, period = sim_period(screen_sim(s), &done);

	return period ? period : 1000;
}

bool
heat_is_level(const struct heat_source *src)
{
	if (src->values)
		return src->level;
	return src->rows == HEAT_CORES ? series_core_rows[src->field].level
				       : series_mem_rows[src->field].level;
}

const double *
heat_values(const struct screen *s, const struct heat_source *src, unsigned sample,
	    double to[HEAT_ROWS_MAX])
{
	const struct sim *sim = screen_sim(s);
	unsigned n = heat_rows_of(s, src->rows);
	double scale = src->count ? (double)heat_count_cycles(s) /
					    (double)MAX(series_span(sim, sample), (cycle_t)1)
				  : 1;

	if (src->values)
		return src->values(src->ctx, sample);
	for (unsigned i = 0; i < n; i++)
		to[i] = src->rows == HEAT_CORES
				? series_core(sim, (enum series_core_field)src->field, i, sample)
				: series_mem(sim, (enum series_mem_field)src->field, i, sample);
	for (unsigned i = 0; src->count && i < n; i++)
		to[i] *= scale;
	return to;
}

/* Returns what a row of a sample counts in a mean, per cycle (series_core_weight()). */
static double
weight_of_row(const struct sim *sim, const struct heat_source *src, unsigned sample, unsigned row)
{
	if (src->values)
		return src->weight ? src->weight(src->ctx, sample, row) : 1;
	return src->rows == HEAT_CORES
		       ? series_core_weight(sim, (enum series_core_field)src->field, row, sample)
		       : series_mem_weight(sim, (enum series_mem_field)src->field, row, sample);
}

const char heat_read[] =
	"A row of a strip is a core, or two cores, one in the upper and one in the lower half of "
	"the cells (without colours their mean). A column is the mean of its samples, the newest "
	"at the right. A cross is a core that is off, a middle dot (? in ASCII) an unknown value. "
	"The mark beside a number is the core in focus; a dot before a number means that a stop is "
	"set for this core. Wide samples show their number in their cells; + zooms in.";

/* ---------------------------------------------------------------- range */

/* Rounds up to the next round number. Small values, such as numbers of CTAs, are rounded to whole
 * numbers. */
static double
round_up(double v)
{
	static const double few[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 50, 100};
	static const double nice[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
	double unit;

	for (size_t k = 0; v >= 0.5 && k < ARRAY_LEN(few); k++)
		if (few[k] >= v)
			return few[k];
	if (!(v > 0))
		return 1;
	unit = pow(10, floor(log10(v)));
	for (size_t k = 0; k < ARRAY_LEN(nice); k++)
		if (nice[k] * unit >= v)
			return nice[k] * unit;
	return v;
}

/* Returns a range from 0, or from the lowest value if that is negative, to the largest value so
 * far, rounded up. The range never shrinks. Values grow slowly between frames, so looking at the
 * new samples is enough. */
static struct heat_range
growing_range(const struct screen *s, const struct heat_source *src, struct heat_cache *h)
{
	unsigned n = series_count(screen_sim(s)), rows = heat_rows_of(s, src->rows);
	double buf[HEAT_ROWS_MAX], least = src->least_hi ? src->least_hi(s) : 0;

	if (h->ranged > n)
		h->ranged = 0;
	for (; h->ranged < n; h->ranged++) {
		const double *v = heat_values(s, src, h->ranged, buf);
		for (unsigned c = 0; c < rows; c++) {
			h->most = fmax(h->most, v[c]);
			h->least = fmin(h->least, v[c]);
		}
	}
	double hi = round_up(fmax(h->most, least)),
	       cycles = src->count ? (double)heat_count_cycles(s) : hi;
	if (hi > cycles && h->most <= cycles)
		hi = cycles; /* a counter of cycles cannot exceed them */
	return (struct heat_range){src->values && h->least < 0 ? -round_up(-h->least) : 0, hi};
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns a range that leaves out `percent` percent of the values at either end. In a long run it
 * looks at every few samples only. It is computed again when the number of samples has grown by a
 * quarter. */
static struct heat_range
percentile_range(const struct screen *s, const struct heat_source *src, struct heat_cache *h,
		 double percent)
{
	unsigned n = series_count(screen_sim(s)), rows = heat_rows_of(s, src->rows), k = 0;
	unsigned step = MAX(n * rows / SORTED, 1u);
	double buf[HEAT_ROWS_MAX], *all;

	if (h->ranged && h->ranged <= n && n - h->ranged <= MAX(h->ranged / 4, 8u))
		return h->range;
	all = memory_new(((size_t)n / step + 1) * rows, sizeof(*all));
	for (unsigned i = 0; i < n; i += step) {
		const double *v = heat_values(s, src, i, buf);
		for (unsigned c = 0; c < rows; c++)
			if (!isnan(v[c]))
				all[k++] = v[c];
	}
	struct heat_range r = {0, 1};
	if (k) {
		qsort(all, k, sizeof(*all), by_value);
		r.lo = all[(unsigned)(percent / 100 * (k - 1))];
		r.hi = all[k - 1 - (unsigned)(percent / 100 * (k - 1))];
		if (!(r.lo < r.hi))
			r.hi = r.lo + 1; /* equal values get the lowest colour */
	}
	free(all);
	h->ranged = n;
	return r;
}

static struct heat_range
range_of(const struct screen *s, const struct pane_view *view, const struct heat_source *src,
	 struct heat_cache *h)
{
	const struct view_range *r = &view->range;

	if (src->kind == HEAT_CATEGORY)
		return (struct heat_range){0, src->hi};
	if (r->how == RANGE_FIXED)
		return (struct heat_range){r->lo, r->hi};
	if (r->how == RANGE_PERCENTILE)
		return percentile_range(s, src, h, r->percent);
	if (src->hi > 0)
		return (struct heat_range){0, src->hi};
	return growing_range(s, src, h);
}

/* ---------------------------------------------------------------- thresholds */

/* Whether the gauge is the value of a row of the time series, in the same unit. */
bool
heat_is_gauge(const struct cta_gauge *g, enum series_core_field f)
{
	return g->per_core && ascii_same(series_core_rows[f].name, g->name) &&
	       strcmp(series_core_rows[f].unit, g->unit) == 0;
}

/* Finds the thresholds with which a policy compares what the strip shows. A range that the user
 * has chosen shows the ramp. */
static struct heat_cut
cut_of(const struct screen *s, const struct pane_view *view, const struct heat_source *src)
{
	struct heat_cut none = {.low = (double)NAN, .high = (double)NAN};
	struct sim *sim = screen_sim(s);
	struct gauge_view v;

	if (src->values || src->rows != HEAT_CORES || src->kind == HEAT_CATEGORY ||
	    view->range.how != RANGE_AUTO)
		return none;
	for (unsigned i = 0; i < sim_gauges(sim); i++) {
		sim_gauge_view(sim, i, 0, &v);
		if (heat_is_gauge(v.gauge, (enum series_core_field)src->field))
			return (struct heat_cut){v.gauge->low ? v.now.low : (double)NAN,
						 v.gauge->high ? v.now.high : (double)NAN,
						 v.gauge->low, v.gauge->high};
	}
	return none;
}

static bool
is_same_cut(const struct heat_cut *a, const struct heat_cut *b)
{
	return !(isnan(a->low) != isnan(b->low) || isnan(a->high) != isnan(b->high) ||
		 a->low < b->low || a->low > b->low || a->high < b->high || a->high > b->high);
}

/* ---------------------------------------------------------------- codes */

bool
heat_is_cut(const struct heat_cut *c)
{
	return !isnan(c->low) || !isnan(c->high);
}

static unsigned
code_of(const struct heat_source *src, double v, const struct heat_cache *h)
{
	if (isnan(v))
		return HEAT_UNKNOWN;
	if (src->kind == HEAT_CATEGORY)
		return v >= 0 && v < HEAT_STATES ? HEAT_STATE + (unsigned)v : HEAT_UNKNOWN;
	if (heat_is_cut(&h->cut))
		return heat_band(v, h->cut.low, h->cut.high, h->range.hi);
	return heat_level(v, h->range.lo, h->range.hi);
}

/* Returns how much of a sample a core was off. Beside a level, which was read at the sample's end,
 * that is all or nothing. */
static double
share_off(const struct sim *sim, unsigned core, unsigned sample, bool level)
{
	double share = series_core(sim, SC_GATED, core, sample);

	if (level)
		return series_core(sim, SC_STATE, core, sample) == CORE_OFF;
	return isnan(share) ? 0 : share;
}

/* Computes the codes of all rows in a column: the mean of its samples, weighted by their cycles,
 * or by their accesses if it is a rate per access. */
static void
fill_column(const struct screen *s, const struct heat_source *src, struct heat_cache *h,
	    const struct time_column *col)
{
	struct {
		double sum, weight, off, v;
	} at[HEAT_ROWS_MAX] = {0};
	const struct sim *sim = screen_sim(s);
	bool gates = src->rows == HEAT_CORES && src->kind != HEAT_CATEGORY,
	     level = heat_is_level(src);
	struct column_sample k = {0};
	double buf[HEAT_ROWS_MAX], all = 0, w;

	for (unsigned c = 0; c < h->rows; c++)
		at[c].v = NAN;
	while (column_next_sample(sim, col, level, &k)) {
		const double *x = heat_values(s, src, k.i, buf);
		all += k.weight;
		for (unsigned c = 0; c < h->rows; c++) {
			if (gates)
				at[c].off += k.weight * share_off(sim, c, k.i, level);
			if (isnan(x[c]))
				continue;
			w = k.weight * weight_of_row(sim, src, k.i, c);
			at[c].sum += x[c] * w;
			at[c].weight += w;
			at[c].v = x[c];
		}
	}
	for (unsigned c = 0; c < h->rows; c++) {
		bool mean = src->kind == HEAT_MEAN && at[c].weight > 0;
		double v = mean ? at[c].sum / at[c].weight : at[c].v;

		h->code[(size_t)c * (size_t)h->columns.w + (size_t)col->x] =
			(uint8_t)(all <= 0		? HEAT_UNKNOWN
				  : at[c].off * 2 > all ? HEAT_GATED
							: code_of(src, v, h));
	}
}

static void
make_room(struct heat_cache *h, unsigned rows, int w)
{
	size_t size = (size_t)rows * (size_t)w + 1;

	if (size > h->size) {
		h->code = memory_resize(h->code, size, 1);
		h->size = size;
	}
	h->rows = rows;
	memset(h->code, HEAT_NONE, size);
}

bool
heat_update(const struct screen *s, struct pane_view *view, const struct heat_source *src)
{
	struct heat_cache *h = &view->heat;
	unsigned rows = heat_rows_of(s, src->rows);
	double per_count = src->count ? (double)heat_count_cycles(s) : 1;
	struct time_column col = {0};
	bool other = h->rows != rows || h->per_count != per_count;

	if (rows > HEAT_ROWS_MAX)
		return false;
	if (other ||
	    (h->columns.ready && h->columns.generation != series_generation(screen_sim(s))) ||
	    (twin_is_on(s) && h->columns.sim != screen_sim(s))) /* one range for both runs */
		h->ranged = 0;
	if (other)
		h->most = h->least = 0;
	struct heat_range r = range_of(s, view, src, h);
	struct heat_cut cut = cut_of(s, view, src);
	other |= r.lo != h->range.lo || r.hi != h->range.hi || !is_same_cut(&cut, &h->cut);
	if (columns_begin(&h->columns, s, other))
		make_room(h, rows, h->columns.w);
	h->range = r;
	h->cut = cut;
	h->per_count = per_count;
	while (columns_next(&h->columns, s, &col))
		fill_column(s, src, h, &col);
	return true;
}
