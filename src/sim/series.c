/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series.c - the time series: one sample of every core, every channel and the GPU per `run.sample`
 * cycles.
 *
 * The store holds run.samples samples, in blocks that snapshots share (samples.h). When it is full,
 * neighbours are merged and later samples are twice as long, so a run of any length stays within
 * its budget and can be drawn as a whole. The last column of a row in ctascope/series.def defines a
 * value and how two of them are merged. Both halves of a merge are equally long, except at the end
 * of the run. A rate per access (rather than per cycle) is merged as the mean of the two rates.
 * Known values replace unknown ones (NaN).
 */
#include "sim/sim_priv.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNTS_LEVEL(...) false
#define COUNTS_COUNT(...) true
#define COUNTS_RATE(...) false
#define COUNTS_PER_CYCLE(...) false
#define COUNTS_MEAN(...) false
#define IS_LEVEL_LEVEL(...) true
#define IS_LEVEL_COUNT(...) false
#define IS_LEVEL_RATE(...) false
#define IS_LEVEL_PER_CYCLE(...) false
#define IS_LEVEL_MEAN(...) false
#define HAS_MEAN_LEVEL(...) true
#define HAS_MEAN_COUNT(...) true
#define HAS_MEAN_RATE(...) false
#define HAS_MEAN_PER_CYCLE(...) true
#define HAS_MEAN_MEAN(...) true

#define SERIES_CORE(id, name, unit, help, how) \
	[SC_##id] = {name, unit, help, COUNTS_##how, IS_LEVEL_##how, HAS_MEAN_##how},
const struct series_row series_core_rows[SC_FIELDS] = {
#include "ctascope/series.def"
};
#define SERIES_MEM(id, name, unit, help, how) \
	[SM_##id] = {name, unit, help, COUNTS_##how, IS_LEVEL_##how, HAS_MEAN_##how},
const struct series_row series_mem_rows[SM_FIELDS] = {
#include "ctascope/series.def"
};
#define SERIES_GPU(id, name, unit, help, how) \
	[SG_##id] = {name, unit, help, COUNTS_##how, IS_LEVEL_##how, HAS_MEAN_##how},
const struct series_row series_gpu_rows[SG_FIELDS] = {
#include "ctascope/series.def"
};

/* How the last column of a row merges two values. */
enum merge { MERGE_MEAN, MERGE_LAST, MERGE_ADD };
#define MERGED_LEVEL(...) MERGE_LAST
#define MERGED_COUNT(...) MERGE_ADD
#define MERGED_RATE(...) MERGE_MEAN
#define MERGED_PER_CYCLE(...) MERGE_MEAN
#define MERGED_MEAN(...) MERGE_MEAN

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

/* The value of one sample; g counts the rows that grow in the order of the counters at the last
 * sample. */
#define TAKEN_LEVEL(x) (float)(x)
#define TAKEN_COUNT(n) (float)take_growth(&g->n_before, n)
#define TAKEN_RATE(n, per) \
	ratio_or_nan((double)take_growth(&g->n_before, n), (double)take_growth(&g->per_before, per))
#define TAKEN_PER_CYCLE(n, clock) TAKEN_RATE(n, clock)
#define TAKEN_MEAN(x) (float)(x)

struct growing {
	uint64_t n_before, per_before;
};

struct sample { /* a row of sim.samples */
	cycle_t end, span;
	uint32_t kernel, pad;
	float v[]; /* core[n_cores][SC], mem[n_channels][SM], gpu[SG] */
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

static size_t
sample_bytes(const struct sim *s)
{
	size_t n = (size_t)s->n_cores * SC_FIELDS + (size_t)s->n_channels * SM_FIELDS + SG_FIELDS;

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

/* later: the share of b in the merged span; one half except for the last sample of a run. */
static float
merge_two(float a, float b, enum merge how, float later)
{
	if (isnan(b) && how != MERGE_ADD)
		return how == MERGE_LAST ? b : a;
	if (isnan(a))
		return b;
	return how == MERGE_LAST ? b : how == MERGE_ADD ? a + b : a * (1 - later) + b * later;
}

static void
merge_values(const struct sim *s, float *a, const float *b, float later)
{
	for (unsigned c = 0; c < s->n_cores; c++)
		for (unsigned f = 0; f < SC_FIELDS; f++, a++, b++)
			*a = merge_two(*a, *b, core_merge[f], later);
	for (unsigned c = 0; c < s->n_channels; c++)
		for (unsigned f = 0; f < SM_FIELDS; f++, a++, b++)
			*a = merge_two(*a, *b, mem_merge[f], later);
	for (unsigned f = 0; f < SG_FIELDS; f++, a++, b++)
		*a = merge_two(*a, *b, gpu_merge[f], later);
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
		merge_values(s, m->v, b->v, (float)b->span / (float)(a->span + b->span));
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
sample_core(struct sim *s, unsigned i, float *v, double seconds)
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
sample_channel(struct sim *s, unsigned i, float *v)
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
sample_gpu(struct sim *s, const float *core, float *v, double seconds)
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
	float *v, *core;

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
	for (unsigned i = 0; i < s->n_cores; i++, v += SC_FIELDS)
		sample_core(s, i, v, seconds);
	for (unsigned i = 0; i < s->n_channels; i++, v += SM_FIELDS)
		sample_channel(s, i, v);
	sample_gpu(s, core, v, seconds);
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
