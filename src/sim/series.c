/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series.c - the time series: one sample of every core, every channel and the GPU per `run.sample`
 * cycles.
 *
 * The store holds run.samples samples, in blocks that snapshots share (samples.h). When it is full,
 * neighbours are merged and later samples are twice as long, so a run of any length stays within
 * its budget and can be drawn as a whole. The last column of a row in ctascope/series.def defines a
 * value and how two of them are merged. Both halves of a merge are equally long, except at the end
 * of the run. A rate per access (rather than per cycle) is merged by its accesses, which a sample
 * therefore keeps. Known values replace unknown ones (NaN).
 */
#include "sim/sim_priv.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How the last column of a row merges two values. What is of the cores is computed again after the
 * merge (merge_of_cores()). */
enum merge { MERGE_MEAN, MERGE_LAST, MERGE_ADD, MERGE_RATE };
#define MERGED_LEVEL(...) MERGE_LAST
#define MERGED_COUNT(...) MERGE_ADD
#define MERGED_RATE(...) MERGE_RATE
#define MERGED_PER_CYCLE(...) MERGE_MEAN
#define MERGED_MEAN(...) MERGE_MEAN
#define MERGED_OF_CORES(...) MERGE_LAST

#define SERIES_CORE(id, name, unit, help, how) [SC_##id] = MERGED_##how,
static const uint8_t core_merge[SC_FIELDS] = {
#include "ctascope/series.def"
};
#define SERIES_MEM(id, name, unit, help, how) [SM_##id] = MERGED_##how,
static const uint8_t mem_merge[SM_FIELDS] = {
#include "ctascope/series.def"
};
#define SERIES_GPU(id, name, unit, help, how) [SG_##id] = MERGED_##how,
static const uint8_t gpu_merge[SG_FIELDS] = {
#include "ctascope/series.def"
};

/* The rates, whose accesses a sample keeps. Only for RATE is the word after `how` a macro that lets
 * the id in parentheses through. */
#define KEEP_ID(...) __VA_ARGS__
#define DROP_ID(...)
#define ID_IF_LEVEL(...) DROP_ID
#define ID_IF_COUNT(...) DROP_ID
#define ID_IF_RATE(...) KEEP_ID
#define ID_IF_PER_CYCLE(...) DROP_ID
#define ID_IF_MEAN(...) DROP_ID
#define ID_IF_OF_CORES(...) DROP_ID
enum core_rate {
#define SERIES_CORE(id, name, unit, help, how) ID_IF_##how(CORE_RATE_##id, )
#include "ctascope/series.def"
	CORE_RATES
};
enum mem_rate {
#define SERIES_MEM(id, name, unit, help, how) ID_IF_##how(MEM_RATE_##id, )
#include "ctascope/series.def"
	MEM_RATES
};
enum gpu_rate {
#define SERIES_GPU(id, name, unit, help, how) ID_IF_##how(GPU_RATE_##id, )
#include "ctascope/series.def"
	GPU_RATES
};

/* The value of one sample; g counts the rows that grow in the order of the counters at the last
 * sample, w is the place of the accesses of the next rate. */
#define TAKEN_LEVEL(x) (float)(x)
#define TAKEN_COUNT(n) (float)take_growth(&g->n_before, n)
#define TAKEN_RATE(n, per) take_rate(g, n, per, w++)
#define TAKEN_PER_CYCLE(n, clock) take_rate(g, n, clock, NULL)
#define TAKEN_MEAN(x) (float)(x)
#define TAKEN_OF_CORES(x) (float)(x)

struct growing {
	uint64_t n_before, per_before;
};

struct sample { /* a row of sim.samples */
	cycle_t end, span;
	uint32_t kernel, pad;
	/* core[n_cores][SC], mem[n_channels][SM], gpu[SG]; then the accesses of the rates:
	 * core[n_cores][CORE_RATES], mem[n_channels][MEM_RATES], gpu[GPU_RATES] */
	float v[];
};

struct series_store {
	uint32_t n, cap;
	uint32_t merged; /* number of merges of the whole store: a sample covers run.sample <<
			    merged cycles */
	uint32_t pad;
	uint64_t generation;
	struct growing core[MAX_CORES][SC_FIELDS];
	struct growing mem[MAX_CHANNELS][SM_FIELDS];
	struct growing gpu[SG_FIELDS];
	struct power_counts power[MAX_CORES], uncore; /* counts at the last sample, too */
};

/* The capacity of the store, which is even because a full store is merged in pairs. */
static unsigned
samples_kept(const struct sim *s)
{
	return s->cfg->run.samples + (s->cfg->run.samples & 1);
}

static struct sample *
sample_at(const struct sim *s, unsigned i)
{
	return samples_at(&s->samples, i);
}

/* The number of values in a sample, which is also the place of the first accesses. */
static size_t
count_values(const struct sim *s)
{
	return (size_t)s->n_cores * SC_FIELDS + (size_t)s->n_channels * SM_FIELDS + SG_FIELDS;
}

static size_t
sample_bytes(const struct sim *s)
{
	size_t n = count_values(s) + (size_t)s->n_cores * CORE_RATES +
		   (size_t)s->n_channels * MEM_RATES + GPU_RATES;

	return (sizeof(struct sample) + n * sizeof(float) + 7) & ~(size_t)7;
}

size_t
series_bytes(void)
{
	return sizeof(struct series_store);
}

int
series_init(struct sim *s)
{
	s->series->cap = samples_kept(s);
	s->sleep->next_sample = s->cfg->run.sample;
	return samples_init(&s->samples, sample_bytes(s), s->series->cap);
}

/* x plus the known values of the cores in this sample. */
static float
plus_cores(const struct sim *s, float x, const float *core, enum series_core_field f)
{
	for (unsigned i = 0; i < s->n_cores; i++, core += SC_FIELDS)
		x += isnan(core[f]) ? 0 : core[f];
	return x;
}

static unsigned
cores_with_ctas(const struct sim *s, const float *core)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n_cores; i++, core += SC_FIELDS)
		n += core[SC_RESIDENT] > 0;
	return n;
}

/* A merge of two samples: where the next values are, and the next accesses of rates. */
struct merging {
	float *a, *a_accesses;
	const float *b, *b_accesses;
	float later; /* share of b in the merged span; one half except for the last sample of a run
		      */
};

/* Merges the next two values into the first. */
static void
merge_next(struct merging *m, enum merge how)
{
	float a = *m->a, b = *m->b++, later = m->later;

	if (how == MERGE_RATE) {
		float sum = *m->a_accesses + *m->b_accesses;

		later = sum > 0 ? *m->b_accesses / sum : 0;
		*m->a_accesses++ = sum;
		m->b_accesses++;
	}
	if (how == MERGE_LAST || isnan(a))
		*m->a = b;
	else if (how == MERGE_ADD)
		*m->a = a + b;
	else if (!isnan(b))
		*m->a = a * (1 - later) + b * later;
	m->a++;
}

/* Computes the values of the GPU that are of the cores from those of the merged sample. */
static void
merge_of_cores(const struct sim *s, const float *core, float *v)
{
#define AGAIN_LEVEL(...)
#define AGAIN_COUNT(...)
#define AGAIN_RATE(...)
#define AGAIN_PER_CYCLE(...)
#define AGAIN_MEAN(...)
#define AGAIN_OF_CORES(x) v[at] = (float)(x);
	unsigned at = 0;

#define SERIES_GPU(id, name, unit, help, how) AGAIN_##how at++;
#include "ctascope/series.def"
}

static void
merge_values(const struct sim *s, struct sample *a, const struct sample *b)
{
	size_t n = count_values(s);
	struct merging m = {a->v, a->v + n, b->v, b->v + n,
			    (float)b->span / (float)(a->span + b->span)};

	for (unsigned c = 0; c < s->n_cores; c++)
		for (unsigned f = 0; f < SC_FIELDS; f++)
			merge_next(&m, core_merge[f]);
	for (unsigned c = 0; c < s->n_channels; c++)
		for (unsigned f = 0; f < SM_FIELDS; f++)
			merge_next(&m, mem_merge[f]);
	for (unsigned f = 0; f < SG_FIELDS; f++)
		merge_next(&m, gpu_merge[f]);
	merge_of_cores(s, a->v, a->v + n - SG_FIELDS);
}

/* Merges into new blocks, because snapshots may hold the present ones. Out of memory: changes
 * nothing. */
static int
merge_all(struct sim *s)
{
	struct series_store *st = s->series;
	struct samples to;
	unsigned out = 0;
	bool good = samples_init(&to, s->samples.row_bytes, st->cap) == 0;

	for (unsigned i = 0; good && i < st->n; i += 2, out++) {
		const struct sample *a = sample_at(s, i), *b = sample_at(s, i + 1);
		struct sample *m = samples_add(&to, out);

		good = m;
		if (!good)
			break;
		memcpy(m, a, s->samples.row_bytes);
		merge_values(s, m, b);
		m->end = b->end;
		m->span += b->span;
		m->kernel = b->kernel;
	}
	if (!good) {
		samples_free(&to);
		return err_of(&s->failure, ERR_MEMORY, "out of memory for the time series");
	}
	samples_free(&s->samples);
	s->samples = to;
	st->n = out;
	st->merged++;
	st->generation++;
	return 0;
}

static float
ratio_or_nan(double a, double b)
{
	return b > 0 ? (float)(a / b) : NAN;
}

static uint64_t
take_growth(uint64_t *before, uint64_t now)
{
	uint64_t n = now - *before;

	*before = now;
	return n;
}

/* The increase of n divided by that of `per`, which is kept in *accesses unless that is NULL. */
static float
take_rate(struct growing *g, uint64_t n, uint64_t per, float *accesses)
{
	uint64_t n_grown = take_growth(&g->n_before, n),
		 per_grown = take_growth(&g->per_before, per);

	if (accesses)
		*accesses = (float)per_grown;
	return ratio_or_nan((double)n_grown, (double)per_grown);
}

/* Power of a core over the sample, from the counts since the last one. */
static float
core_power(struct sim *s, unsigned i, double seconds)
{
	struct power_counts now, then = s->series->power[i];
	struct power_energy e;

	energy_count_core(s, i, &now);
	s->series->power[i] = now;
	power_subtract(&now, &then);
	power_of_cores(&s->cfg->power, &now, energy_core_hz(s), &e);
	return (float)((power_static(&e) + power_dynamic(&e)) / seconds);
}

static float
uncore_power(struct sim *s, double seconds)
{
	struct power_counts now, then = s->series->uncore;
	struct power_energy e;

	energy_count_uncore(s, &now);
	s->series->uncore = now;
	power_subtract(&now, &then);
	power_of_gpu(&s->cfg->power, &now, energy_core_hz(s), seconds, &e);
	return (float)((power_static(&e) + power_dynamic(&e)) / seconds);
}

static void
sample_core(struct sim *s, unsigned i, float *v, float *w, double seconds)
{
	const struct core_stat *st = core_stat(s->core[i].core);
	const struct ldst_stat *l = ldst_stat(&s->core[i].ldst);
	const struct cta_core sum = kernels_core(s, i), *h = &sum;
	cycle_t cycle = s->machine->cycle;
	struct growing *g = s->series->core[i];

#define SERIES_CORE(id, name, unit, help, how) *v++ = TAKEN_##how, g++;
#include "ctascope/series.def"
}

static void
sample_channel(struct sim *s, unsigned i, float *v, float *w)
{
	const struct channel_env *c = &s->channel[i];
	const struct dram_stat *st = channel_stat(c);
	struct slice_stat l2 = {0}; /* of its slices */
	struct growing *g = s->series->mem[i];

	for (unsigned k = 0; k < s->cfg->mem.slices; k++) {
		const struct slice_stat *of = slice_stat(&c->slice[k]);

		l2.accesses += of->accesses;
		l2.misses += of->misses;
	}
#define SERIES_MEM(id, name, unit, help, how) *v++ = TAKEN_##how, g++;
#include "ctascope/series.def"
}

uint64_t
sim_dram_served(const struct sim *s, unsigned core)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < s->n_channels; i++)
		n += channel_served(&s->channel[i], core);
	return n;
}

static struct ldst_stat
sum_loads(const struct sim *s)
{
	struct ldst_stat sum = {0};

	for (unsigned i = 0; i < s->n_cores; i++) {
		const struct ldst_stat *l = ldst_stat(&s->core[i].ldst);

		sum.loads_done += l->loads_done;
		sum.load_cycles += l->load_cycles;
		sum.overlap_cycles += l->overlap_cycles;
	}
	return sum;
}

static void
sample_gpu(struct sim *s, const float *core, float *v, float *w, double seconds)
{
	struct growing *g = s->series->gpu;

#define SERIES_GPU(id, name, unit, help, how) *v++ = TAKEN_##how, g++;
#include "ctascope/series.def"
}

/* The length of a sample before any merge. */
static cycle_t
sample_cycles(const struct sim *s)
{
	return s->resampled ? s->resampled : s->cfg->run.sample;
}

void
series_close_sample(struct sim *s)
{
	struct series_store *st = s->series;
	struct machine *m = s->machine;
	struct event ev = {.kind = EV_SAMPLE,
			   .core = -1,
			   .slot = -1,
			   .cta = UINT32_MAX,
			   .policy = POLICY_HOST,
			   .rule = HR_SAMPLE,
			   .v = {(int64_t)s->sleep->samples,
				 (int64_t)(m->cycle - s->sleep->sample_start)}};
	double seconds = (double)(m->cycle - s->sleep->sample_start) / energy_core_hz(s);
	struct sample *new;
	float *v, *w, *core;

	if (m->cycle == s->sleep->sample_start)
		return;
	if (st->n == st->cap &&
	    merge_all(s) < 0) /* memory had run out at the last sample as well */
		return;
	new = samples_add(&s->samples, st->n);
	if (!new) {
		err_of(&s->failure, ERR_MEMORY, "out of memory for the time series");
		return;
	}
	sim_settle(s);
	*new = (struct sample){.end = m->cycle,
			       .span = m->cycle - s->sleep->sample_start,
			       .kernel = m->ordinal ? s->stack.host->ordinal : 0};
	core = v = new->v;
	w = v + count_values(s);
	for (unsigned i = 0; i < s->n_cores; i++, v += SC_FIELDS, w += CORE_RATES)
		sample_core(s, i, v, w, seconds);
	for (unsigned i = 0; i < s->n_channels; i++, v += SM_FIELDS, w += MEM_RATES)
		sample_channel(s, i, v, w);
	sample_gpu(s, core, v, w, seconds);
	if (s->profile)
		profile_sample(s, new->span);
	if (++st->n == st->cap)
		merge_all(s); /* merge now, so that the next sample is as long as all others */
	s->sleep->samples++;
	s->sleep->sample_start = m->cycle;
	s->sleep->next_sample = m->cycle + (sample_cycles(s) << MIN(st->merged, 40));
	sim_emit(s, &ev);
}

void
sim_resample(struct sim *s, uint32_t cycles)
{
	struct series_store *st = s->series;

	series_close_sample(s); /* the next one counts from here on */
	s->resampled = cycles;
	st->n = st->merged = 0;
	st->generation++;
	s->sleep->sample_start = s->machine->cycle;
	s->sleep->next_sample = s->machine->cycle + cycles;
}

/* ---------------------------------------------------------------- reading */

unsigned
series_count(const struct sim *s)
{
	return s->series->n;
}

unsigned
series_room(const struct sim *s)
{
	return s->series->cap;
}

unsigned
series_count_in(const struct series_store *st)
{
	return st->n;
}

cycle_t
series_end(const struct sim *s, unsigned i)
{
	return sample_at(s, i)->end;
}

cycle_t
series_span(const struct sim *s, unsigned i)
{
	return sample_at(s, i)->span;
}

uint32_t
series_kernel(const struct sim *s, unsigned i)
{
	return sample_at(s, i)->kernel;
}

uint64_t
series_generation(const struct sim *s)
{
	return s->series->generation;
}

double
series_core(const struct sim *s, enum series_core_field f, unsigned core, unsigned i)
{
	return (double)sample_at(s, i)->v[core * SC_FIELDS + f];
}

double
series_mem(const struct sim *s, enum series_mem_field f, unsigned channel, unsigned i)
{
	return (double)sample_at(s, i)->v[s->n_cores * SC_FIELDS + channel * SM_FIELDS + f];
}

double
series_gpu(const struct sim *s, enum series_gpu_field f, unsigned i)
{
	return (double)sample_at(s, i)->v[s->n_cores * SC_FIELDS + s->n_channels * SM_FIELDS + f];
}

/* The place of the accesses of each rate, plus 1; 0: the row is no rate. */
static const uint8_t core_rate[SC_FIELDS] = {
#define SERIES_CORE(id, name, unit, help, how) [SC_##id] = 0 ID_IF_##how(+1 + CORE_RATE_##id),
#include "ctascope/series.def"
};
static const uint8_t mem_rate[SM_FIELDS] = {
#define SERIES_MEM(id, name, unit, help, how) [SM_##id] = 0 ID_IF_##how(+1 + MEM_RATE_##id),
#include "ctascope/series.def"
};
static const uint8_t gpu_rate[SG_FIELDS] = {
#define SERIES_GPU(id, name, unit, help, how) [SG_##id] = 0 ID_IF_##how(+1 + GPU_RATE_##id),
#include "ctascope/series.def"
};

/* rate: 0, or 1 + a place among the accesses that begin at `first`. */
static double
weight_of(const struct sim *s, unsigned i, size_t first, unsigned rate)
{
	const struct sample *a = sample_at(s, i);

	if (!rate)
		return 1;
	return a->span ? (double)a->v[count_values(s) + first + rate - 1] / (double)a->span : 0;
}

double
series_core_weight(const struct sim *s, enum series_core_field f, unsigned core, unsigned i)
{
	return weight_of(s, i, (size_t)core * CORE_RATES, core_rate[f]);
}

double
series_mem_weight(const struct sim *s, enum series_mem_field f, unsigned channel, unsigned i)
{
	return weight_of(s, i, (size_t)s->n_cores * CORE_RATES + (size_t)channel * MEM_RATES,
			 mem_rate[f]);
}

double
series_gpu_weight(const struct sim *s, enum series_gpu_field f, unsigned i)
{
	return weight_of(s, i, (size_t)s->n_cores * CORE_RATES + (size_t)s->n_channels * MEM_RATES,
			 gpu_rate[f]);
}

int
series_keep(const struct sim *s, struct samples *k)
{
	if (samples_init(k, s->samples.row_bytes, s->series->cap) < 0)
		return -1;
	samples_share(k, &s->samples, s->series->n);
	return 0;
}

void
series_restored(struct sim *s, const struct samples *k, uint64_t generation)
{
	samples_share(&s->samples, k, s->series->n);
	s->series->generation = MAX(s->series->generation, generation) + 1;
}
