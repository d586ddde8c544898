/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples.c - the samples of a lane, which the parent keeps.
 *
 * A lane has at most RACE_SAMPLES samples. When it has so many, pairs of neighbours are merged:
 * means are weighted by their cycles, rates per access by their accesses; of two states the later
 * stays, and an unknown value is ignored.
 */
#include "lab/race_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const enum series_core_field race_series[RACE_SERIES] = {
	[RACE_RUNNING] = SC_RUNNING, [RACE_N] = SC_LIMIT,	  [RACE_RACT] = SC_RACT,
	[RACE_IPC] = SC_IPC,	     [RACE_L1_MISS] = SC_L1_MISS, [RACE_MEMORY] = SC_MEMORY,
	[RACE_STATE] = SC_STATE};

static double
weighted_mean(double a, double wa, double b, double wb)
{
	if (isnan(a) || isnan(b))
		return isnan(b) ? a : b;
	return wa + wb > 0 ? (a * wa + b * wb) / (wa + wb) : a;
}

/* The field that holds the weights of a field; RACE_FIELDS: only cycles count. */
static enum race_field
weight_field(enum race_field f)
{
	return f == RACE_RACT ? RACE_RACT_WEIGHT : f == RACE_L1_MISS ? RACE_L1_WEIGHT : RACE_FIELDS;
}

/* Merges the values of a core in two samples. */
static void
merge_core(const float *x, double x_span, const float *y, double y_span, float *to)
{
	for (unsigned f = 0; f < RACE_FIELDS; f++) {
		enum race_field w = weight_field((enum race_field)f);
		double wx = w < RACE_FIELDS ? (double)x[w] * x_span : x_span,
		       wy = w < RACE_FIELDS ? (double)y[w] * y_span : y_span;

		to[f] = f == RACE_STATE ? y[f]
					: (float)weighted_mean((double)x[f], wx, (double)y[f], wy);
	}
}

static void
merge_neighbours(struct race_samples *s)
{
	size_t row = (size_t)s->cores * RACE_FIELDS;
	unsigned n = s->n / 2;

	for (unsigned i = 0; i < n; i++) {
		const struct race_sample a = s->at[2 * i], b = s->at[2 * i + 1];
		const float *x = s->core + 2 * i * row, *y = x + row;
		float *to = s->core + i * row;

		for (size_t k = 0; k < row; k += RACE_FIELDS)
			merge_core(x + k, (double)a.span, y + k, (double)b.span, to + k);
		s->at[i] = (struct race_sample){.end = b.end,
						.span = a.span + b.span,
						.ipc = weighted_mean(a.ipc, (double)a.span, b.ipc,
								     (double)b.span)};
	}
	s->n = n;
}

int
samples_take(struct race_samples *s, const struct race_sample *at, const float *core,
	     unsigned cores)
{
	size_t row = (size_t)cores * RACE_FIELDS;

	if (!s->at) {
		s->at = malloc(RACE_SAMPLES * sizeof(*s->at));
		s->core = malloc(RACE_SAMPLES * row * sizeof(*s->core));
		s->cores = cores;
	}
	if (!s->at || !s->core)
		return -1;
	if (s->n == RACE_SAMPLES)
		merge_neighbours(s);
	s->at[s->n] = *at;
	memcpy(s->core + s->n * row, core, row * sizeof(*core));
	s->n++;
	return 0;
}

void
samples_drop(struct race_samples *s)
{
	free(s->at);
	free(s->core);
	*s = (struct race_samples){0};
}

float
race_value(const struct race_samples *s, unsigned sample, unsigned core, enum race_field f)
{
	return s->core[((size_t)sample * s->cores + core) * RACE_FIELDS + f];
}

double
race_weight(const struct race_samples *s, unsigned sample, unsigned core, enum race_field f)
{
	enum race_field w = weight_field(f);

	return w < RACE_FIELDS ? (double)race_value(s, sample, core, w) : 1;
}

int
race_sample_at(const struct race_samples *s, cycle_t cycle)
{
	unsigned lo = 0, hi = s->n;

	while (lo < hi) { /* the first that ends at or after the cycle */
		unsigned mid = (lo + hi) / 2;

		if (s->at[mid].end < cycle)
			lo = mid + 1;
		else
			hi = mid;
	}
	return s->n ? (int)MIN(lo, s->n - 1) : -1;
}

int
race_level_at(const struct race_samples *s, cycle_t cycle)
{
	int i = race_sample_at(s, cycle);

	return i >= 0 && s->at[i].end > cycle ? i - 1 : i;
}

bool
race_is_level(enum race_field f)
{
	return series_core_rows[race_series[f]].level;
}
