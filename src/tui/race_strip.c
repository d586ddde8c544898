/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_strip.c - draws the heat strip of a lane, and the time axis below it.
 *
 * A core has a half row, or several if there is room. If there are more cores than half rows, each
 * half row is the mean of several neighbours (the legend says so), so that a strip always shows the
 * whole GPU. A column is the mean of its samples, a rate per access that of the accesses. A cell
 * whose cores are switched off for more than half of its cycles shows the glyph of a core that is
 * off.
 */
#include "tui/fmt.h"
#include "tui/race_page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct race_shown race_shown[] = {
	{"CTAs running", RACE_RUNNING, 0},
	{"n, the limit of CTAs", RACE_N, 0},
	{"RACT", RACE_RACT, 1},
	{"IPC of a core", RACE_IPC, 0},
	{"L1 miss rate", RACE_L1_MISS, 1},
	{"waiting for memory", RACE_MEMORY, 1},
};
const unsigned n_race_shown = ARRAY_LEN(race_shown);

cycle_t
race_view_now(const struct race *r)
{
	cycle_t now = 0;

	for (unsigned i = 0; i < r->n; i++)
		now = MAX(now, r->lane[i].cycle);
	return now;
}

/* Returns one range for all lanes, so that they can be compared. */
double
race_strip_hi(const struct race_view *v)
{
	static const double step[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 64, 128, 1e9};
	const struct race_shown *k = &race_shown[v->series];
	double hi = 0;
	size_t at = 0;

	if (k->hi > 0)
		return k->hi;
	for (unsigned i = 0; i < v->race->n; i++) {
		const struct race_samples *s = &v->race->lane[i].samples;

		for (unsigned n = 0; n < s->n; n++)
			for (unsigned c = 0; c < s->cores; c++)
				hi = fmax(hi, race_value(s, n, c, k->field));
	}
	while (step[at] < hi && at + 1 < ARRAY_LEN(step))
		at++;
	return step[at];
}

unsigned
race_strip_fold(const struct race *r, int rows)
{
	unsigned half = 2 * (unsigned)MAX(rows, 1);

	return r->cores ? (r->cores + half - 1) / half : 1;
}

/* What a half row shows over a column: sums of values and of cycles. */
struct band {
	double sum, weight, off, all;
	bool dimmed; /* the spotlight is on a core of another row */
};

static void
add_sample(struct band *b, const struct race_samples *s, unsigned i, double w, unsigned core,
	   enum race_field f)
{
	float x = race_value(s, i, core, f);
	/* Beside a rate a core counts as off only if it was when the sample began, too. */
	unsigned before = race_is_level(f) || i == 0 ? i : i - 1;

	b->all += w;
	if (race_value(s, i, core, RACE_STATE) == (float)CORE_OFF &&
	    race_value(s, before, core, RACE_STATE) == (float)CORE_OFF)
		b->off += w;
	if (!isnan(x)) {
		w *= race_weight(s, i, core, f);
		b->sum += (double)x * w;
		b->weight += w;
	}
}

static unsigned
code_of(const struct band *b, double hi)
{
	if (b->all <= 0)
		return HEAT_UNKNOWN; /* a level before the end of the first sample */
	if (b->dimmed)
		return HEAT_DIMMED;
	if (2 * b->off > b->all)
		return HEAT_GATED;
	return heat_level(b->weight > 0 ? b->sum / b->weight : (double)NAN, 0, hi);
}

/* Of the cores that share a row with the one in the spotlight only that one counts. */
static void
add_samples(const struct race_view *v, struct band *band, const struct race_samples *s, unsigned i,
	    double w, unsigned fold)
{
	int lit = v->spotlight;

	for (unsigned c = 0; c < s->cores; c++)
		if (lit < 0 || c / fold != (unsigned)lit / fold || c == (unsigned)lit)
			add_sample(&band[c / fold], s, i, w, c, race_shown[v->series].field);
}

/* Sums up the bands in the column of cycles (from, to]: of a rate the samples that reach into it,
 * of a level those that end in it, else the last one before (columns.h). */
static void
sum_column(const struct race_view *v, const struct race_samples *s, cycle_t from, cycle_t to,
	   unsigned fold, struct band *band)
{
	enum race_field f = race_shown[v->series].field;
	int first = race_sample_at(s, from + 1);
	bool level = race_is_level(f), any = false;

	memset(band, 0, MAX_CORES * sizeof(*band));
	for (unsigned i = (unsigned)first; first >= 0 && i < s->n; i++) {
		cycle_t start = s->at[i].end - s->at[i].span;

		if (start >= to || s->at[i].end <= from || (level && s->at[i].end > to))
			break;
		if (level)
			add_samples(v, band, s, i, (double)s->at[i].span, fold);
		else
			add_samples(v, band, s, i,
				    (double)(MIN(s->at[i].end, to) - MAX(start, from)), fold);
		any = true;
	}
	if (level && !any && first > 0)
		add_samples(v, band, s, (unsigned)first - 1, 1, fold);
}

static void
dim_bands(struct band *band, unsigned n, unsigned lit)
{
	for (unsigned i = 0; i < n; i++)
		band[i].dimmed = i != lit;
}

/* After the last sample, says why the lane has no more. */
static void
draw_end(const struct race_view *v, struct canvas *in, const struct lane *l)
{
	char num[FMT_MAX], text[80];
	int x = l->cycle ? axis_column(&v->axis, l->cycle) + 2 : 0, w;

	if (l->state == LANE_FAILED) {
		canvas_wrap(in, MAX(x, 0), 0, in->w - MAX(x, 0), in->h, ROLE_ERROR, l->error);
		return;
	}
	if (l->state == LANE_STARTS)
		canvas_text(in, 0, 0, ROLE_DIM, "the machine is being built");
	if (l->state != LANE_DONE && l->state != LANE_CUT)
		return;
	snprintf(text, sizeof(text), "%s at %s", l->state == LANE_DONE ? "done" : "cut",
		 fmt_u64(num, l->cycle));
	w = text_width(text);
	if (x >= 0 && x + w <= in->w)
		canvas_text(in, x, in->h / 2, ROLE_STOPLINE, text);
}

void
race_strip_draw(const struct race_view *v, const struct painter *p, struct canvas *c, unsigned lane,
		int label, double hi)
{
	const struct lane *l = &v->race->lane[lane];
	unsigned cores = v->race->cores, fold = race_strip_fold(v->race, c->h), bands, tall;
	struct canvas in = canvas_sub(c, label, 0, c->w - label, c->h);
	struct band band[MAX_CORES];
	int cursor = v->focus ? axis_column(&v->axis, v->cycle) : -1;

	if (c->h < 1 || in.w < 1)
		return;
	bands = MAX((cores + fold - 1) / fold, 1u);
	tall = MAX(2 * (unsigned)c->h / bands, 1u); /* half rows per band */
	for (int x = 0; x < in.w && l->samples.n; x++) {
		cycle_t from = v->axis.t0 + (cycle_t)x * v->axis.per;

		if (from >= l->samples.at[l->samples.n - 1].end)
			break;
		sum_column(v, &l->samples, from, from + v->axis.per, fold, band);
		if (v->spotlight >= 0)
			dim_bands(band, bands, (unsigned)v->spotlight / fold);
		for (unsigned y = 0; y < (unsigned)c->h && 2 * y / tall < bands; y++) {
			unsigned up = 2 * y / tall, low = (2 * y + 1) / tall;
			unsigned a = code_of(&band[up], hi),
				 b = low < bands ? code_of(&band[low], hi) : HEAT_NONE;

			if (!p->half && low >= bands)
				b = a;
			if (a != HEAT_NONE || b != HEAT_NONE)
				canvas_heat(&in, x, (int)y, a, b, x == cursor);
		}
	}
	draw_end(v, &in, l);
}

unsigned
race_strip_cores(const struct race *r, int rows, int row, unsigned *first)
{
	unsigned fold = race_strip_fold(r, rows), bands = MAX((r->cores + fold - 1) / fold, 1u),
		 tall = MAX(2 * (unsigned)rows / bands, 1u), up = 2 * (unsigned)row / tall,
		 low = MIN((2 * (unsigned)row + 1) / tall, bands - 1);

	*first = up * fold;
	return up < bands ? MIN((low + 1) * fold, r->cores) - *first : 0;
}

/* Returns how many of `rows` rows the strip of all cores uses. */
int
race_strip_rows(const struct race *r, int rows)
{
	unsigned fold = race_strip_fold(r, rows), bands = (r->cores + fold - 1) / fold;

	return (int)(bands * MAX(2 * (unsigned)MAX(rows, 1) / MAX(bands, 1u), 1u) + 1) / 2;
}

/* ---------------------------------------------------------------- IPC */

static double
most_ipc(const struct race *r)
{
	double most = 1;

	for (unsigned i = 0; i < r->n; i++)
		for (unsigned n = 0; n < r->lane[i].samples.n; n++)
			most = fmax(most, r->lane[i].samples.at[n].ipc);
	return most;
}

/* Returns the mean IPC over a column. */
static double
column_ipc(const struct race_samples *s, cycle_t from, cycle_t to)
{
	double sum = 0, weight = 0;
	int first = race_sample_at(s, from + 1);

	for (unsigned i = (unsigned)first; first >= 0 && i < s->n; i++) {
		cycle_t start = s->at[i].end - s->at[i].span;
		double w;

		if (start >= to || s->at[i].end <= from)
			break;
		w = (double)(MIN(s->at[i].end, to) - MAX(start, from));
		if (!isnan(s->at[i].ipc)) {
			sum += w * s->at[i].ipc;
			weight += w;
		}
	}
	return weight > 0 ? sum / weight : (double)NAN;
}

/* Draws a column of the curve in eighths of a cell, or in whole cells if the terminal lacks these
 * glyphs. */
static void
draw_column(const struct painter *p, struct canvas *c, int x, double share)
{
	int eighths = (int)(share * 8 * c->h + 0.5);

	for (int y = c->h - 1; y >= 0 && eighths > 0; y--, eighths -= 8)
		if (p->unicode)
			canvas_put(c, x, y, ROLE_BAR, 0x2580 + (uint32_t)MIN(eighths, 8));
		else if (eighths >= 4)
			canvas_put(c, x, y, ROLE_BAR, '#');
}

void
race_strip_ipc(const struct race_view *v, const struct painter *p, struct canvas *c, unsigned lane)
{
	const struct race_samples *s = &v->race->lane[lane].samples;
	struct canvas in = canvas_sub(c, 0, 1, c->w, c->h - 1);
	double most = most_ipc(v->race);
	char num[FMT_MAX];

	canvas_printf(c, 1, 0, ROLE_DIM, "IPC, 0 to %s", fmt_num(num, most, 0));
	for (int x = 0; x < in.w && s->n; x++) {
		cycle_t from = v->axis.t0 + (cycle_t)x * v->axis.per;
		double ipc;

		if (from >= s->at[s->n - 1].end)
			break;
		ipc = column_ipc(s, from, from + v->axis.per);
		if (ipc > 0)
			draw_column(p, &in, x, ipc / most);
	}
}

void
race_strip_axis(const struct race_view *v, struct canvas *c, int label)
{
	const struct axis *a = &v->axis;
	cycle_t tick = axis_tick(a, 9), end = a->t0 + a->per * (cycle_t)a->w;
	char num[FMT_MAX];

	for (cycle_t t = (a->t0 + tick - 1) / tick * tick; t <= end; t += tick) {
		int x = axis_column(a, t);

		fmt_short(num, t);
		if (x >= 0 && label + x + text_width(num) <= c->w)
			canvas_text(c, label + x, 0, ROLE_DIM, num);
	}
}
