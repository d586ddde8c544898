/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series.c - the time series: one sample of every core, channel and the GPU each `run.sample`
 * cycles.
 *
 * The store holds run.samples samples. When it is full, neighbours are merged and samples get twice
 * as long from then on, so a run of any length stays in its budget and the whole of it can be
 * drawn. Merging adds counts, takes the later of two levels, and averages rates (each half is
 * equally long, but for the run's last; where a rate is per access and not per cycle this is the
 * mean of the two rates). Unknown (NaN) gives way to known.
 */
#include "sim/sim_priv.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SERIES_CORE(id, name, unit, help) [SC_##id] = {name, unit, help},
const struct series_row series_core_rows[SC_FIELDS] = {
#include "ctascope/series.def"
};
#define SERIES_MEM(id, name, unit, help) [SM_##id] = {name, unit, help},
const struct series_row series_mem_rows[SM_FIELDS] = {
#include "ctascope/series.def"
};
#define SERIES_GPU(id, name, unit, help) [SG_##id] = {name, unit, help},
const struct series_row series_gpu_rows[SG_FIELDS] = {
#include "ctascope/series.def"
};

enum merge { MEAN, LAST, ADD };

static const uint8_t core_merge[SC_FIELDS] = {
	[SC_RUNNING] = LAST, [SC_RESIDENT] = LAST, [SC_LIMIT] = LAST,	[SC_C_MEM] = ADD,
	[SC_C_IDLE] = ADD,   [SC_MSHR] = LAST,	   [SC_CREDITS] = LAST, [SC_STATE] = LAST,
};
static const uint8_t mem_merge[SM_FIELDS] = {[SM_QUEUE] = LAST};
static const uint8_t gpu_merge[SG_FIELDS] = {
	[SG_CREDITS] = LAST, [SG_ACTIVE] = LAST, [SG_CTAS] = LAST};

struct core_prev { /* counters at the last sample */
	uint64_t cls[CC_CLASSES], c_mem, c_idle, thread_insts, l1_accesses, l1_misses, trips,
		trip_cycles;
	struct power_counts power;
};
struct mem_prev {
	uint64_t busy, pending, columns, hits, l2_accesses, l2_misses, ticks;
};

struct sample_head {
	cycle_t end, span;
	uint32_t kernel, pad;
};

struct series_store {
	uint32_t n, cap;
	uint32_t merged; /* times everything was merged: samples are run.sample << merged long */
	uint32_t pad;
	uint64_t generation;
	struct core_prev core[MAX_CORES];
	struct mem_prev mem[MAX_CHANNELS];
	struct power_counts uncore;
	/* then heads[cap], core[cap][n_cores][SC], mem[cap][n_channels][SM], gpu[cap][SG] */
};

/* A full store is merged in pairs, so it has an even number of places. */
static unsigned
samples_kept(const struct sim *s)
{
	return s->cfg->run.samples + (s->cfg->run.samples & 1);
}

static struct sample_head *
head_at(const struct sim *s, unsigned i)
{
	return (struct sample_head *)(s->series + 1) + i;
}

static float *
values_at(const struct sim *s, unsigned i)
{
	size_t per = (size_t)s->n_cores * SC_FIELDS + (size_t)s->n_channels * SM_FIELDS + SG_FIELDS;

	return (float *)((struct sample_head *)(s->series + 1) + samples_kept(s)) + per * i;
}

size_t
series_bytes(const struct sim *s)
{
	size_t per = (size_t)s->n_cores * SC_FIELDS + (size_t)s->n_channels * SM_FIELDS + SG_FIELDS;

	return sizeof(struct series_store) +
	       (sizeof(struct sample_head) + per * sizeof(float)) * samples_kept(s);
}

void
series_init(struct sim *s)
{
	s->series->cap = samples_kept(s);
	s->z->next_sample = s->cfg->run.sample;
}

/* later: the part of both that is b's, one half but for the last sample of a run. */
static float
merge_two(float a, float b, enum merge how, float later)
{
	if (isnan(b) && how != ADD)
		return how == LAST ? b : a;
	if (isnan(a))
		return b;
	return how == LAST ? b : how == ADD ? a + b : a * (1 - later) + b * later;
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

static void
merge_all(struct sim *s)
{
	struct series_store *st = s->series;
	size_t bytes = (size_t)((char *)values_at(s, 1) - (char *)values_at(s, 0));
	unsigned out = 0;

	for (unsigned i = 0; i < st->n; i += 2, out++) {
		struct sample_head *h = head_at(s, out);
		const struct sample_head *b = head_at(s, i + 1);

		memmove(values_at(s, out), values_at(s, i), bytes);
		*h = *head_at(s, i);
		if (i + 1 == st->n)
			continue;
		merge_values(s, values_at(s, out), values_at(s, i + 1),
			     (float)b->span / (float)(h->span + b->span));
		h->end = b->end;
		h->span += b->span;
		h->kernel = b->kernel;
	}
	st->n = out;
	st->merged++;
	st->generation++;
}

static float
ratio(double a, double b)
{
	return b > 0 ? (float)(a / b) : NAN;
}

static float
local_credits(const struct sim *s, unsigned core)
{
	char path[64];
	uint64_t id;

	snprintf(path, sizeof(path), "credits.local.%u", core);
	return sim_path(s, path, &id, NULL) == 1 ? (float)sim_value(s, id, 0) : NAN;
}

/* Power over the sample, from what has been counted since the last one. */
static float
core_power(struct sim *s, unsigned i, double seconds)
{
	struct power_counts now, then = s->series->core[i].power;
	struct power_energy e;

	energy_count_core(s, i, &now);
	s->series->core[i].power = now;
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
sample_core(struct sim *s, unsigned i, float *v, double span)
{
	const struct core_stat *st = core_stat(s->core[i].c);
	const struct ldst_stat *l = &s->core[i].ldst.u->st;
	const struct cta_core *h = &s->stack.h->core[i];
	struct core_prev *p = &s->series->core[i];

	v[SC_RUNNING] = (float)h->running;
	v[SC_RESIDENT] = (float)h->resident;
	v[SC_LIMIT] = (float)h->limit;
	v[SC_RACT] = ratio((double)(st->cls[CC_ACTIVE] - p->cls[CC_ACTIVE]),
			   span - (double)(st->cls[CC_GATED] - p->cls[CC_GATED]));
	for (unsigned k = 0; k < CC_CLASSES; k++)
		v[SC_ACTIVE + k] = ratio((double)(st->cls[k] - p->cls[k]), span);
	v[SC_IPC] = ratio((double)(st->thread_insts - p->thread_insts), span);
	v[SC_C_MEM] = (float)(st->c_mem - p->c_mem);
	v[SC_C_IDLE] = (float)(st->c_idle - p->c_idle);
	v[SC_L1_MISS] = ratio((double)(l->l1_misses - p->l1_misses),
			      (double)(l->l1_accesses - p->l1_accesses));
	v[SC_MSHR] = (float)s->core[i].ldst.mshr[L1_DATA]->s->used;
	v[SC_LAT_RT] = ratio((double)(l->round_trip_cycles - p->trip_cycles),
			     (double)(l->round_trips - p->trips));
	v[SC_CREDITS] = local_credits(s, i);
	v[SC_STATE] = (float)(h->state == CORE_ACTIVE && !h->resident ? 5 : (int)h->state);
	v[SC_POWER] = core_power(s, i, span / energy_core_hz(s));
	memcpy(p->cls, st->cls, sizeof(p->cls));
	p->c_mem = st->c_mem, p->c_idle = st->c_idle, p->thread_insts = st->thread_insts;
	p->l1_accesses = l->l1_accesses, p->l1_misses = l->l1_misses;
	p->trips = l->round_trips, p->trip_cycles = l->round_trip_cycles;
}

static void
sample_channel(struct sim *s, unsigned i, float *v)
{
	const struct channel *c = s->channel[i].c;
	struct mem_prev *p = &s->series->mem[i];
	struct mem_prev now = {.busy = c->st.busy,
			       .pending = c->st.pending,
			       .ticks = s->m->dram_ticks,
			       .columns = c->st.row_hits + c->st.row_misses + c->st.row_conflicts,
			       .hits = c->st.row_hits};

	for (unsigned k = 0; k < s->cfg->mem.slices; k++) {
		const struct slice_stat *st = &s->channel[i].slice[k].s->st;

		now.l2_accesses += st->accesses;
		now.l2_misses += st->misses;
	}
	v[SM_UTIL] = ratio((double)(now.busy - p->busy), (double)(now.ticks - p->ticks));
	v[SM_EFF] = ratio((double)(now.busy - p->busy), (double)(now.pending - p->pending));
	v[SM_ROW_HIT] = ratio((double)(now.hits - p->hits), (double)(now.columns - p->columns));
	v[SM_QUEUE] = (float)c->waiting;
	v[SM_L2_MISS] = ratio((double)(now.l2_misses - p->l2_misses),
			      (double)(now.l2_accesses - p->l2_accesses));
	*p = now;
}

static void
sample_gpu(struct sim *s, const float *core, float *v, double span)
{
	float ipc = 0, ract = 0, active = 0, ctas = 0;
	float power = uncore_power(s, span / energy_core_hz(s));
	uint64_t id;

	for (unsigned i = 0; i < s->n_cores; i++, core += SC_FIELDS) {
		ipc += core[SC_IPC];
		ract += isnan(core[SC_RACT]) ? 0 : core[SC_RACT];
		active += core[SC_RESIDENT] > 0;
		ctas += core[SC_RUNNING];
		power += core[SC_POWER];
	}
	v[SG_IPC] = ipc;
	v[SG_RACT] = ract / (float)s->n_cores;
	v[SG_ACTIVE] = active;
	v[SG_CTAS] = ctas;
	v[SG_POWER] = power;
	v[SG_CREDITS] =
		sim_path(s, "credits.global", &id, NULL) == 1 ? (float)sim_value(s, id, 0) : NAN;
}

void
series_close_sample(struct sim *s)
{
	struct series_store *st = s->series;
	struct machine *m = s->m;
	struct event ev = {.kind = EV_SAMPLE,
			   .core = -1,
			   .slot = -1,
			   .cta = UINT32_MAX,
			   .policy = POLICY_HOST,
			   .rule = HR_SAMPLE,
			   .v = {(int64_t)s->z->samples, (int64_t)(m->cycle - s->z->sample_start)}};
	float *v, *core;

	if (m->cycle == s->z->sample_start)
		return;
	sim_settle(s);
	core = v = values_at(s, st->n);
	for (unsigned i = 0; i < s->n_cores; i++, v += SC_FIELDS)
		sample_core(s, i, v, (double)(m->cycle - s->z->sample_start));
	for (unsigned i = 0; i < s->n_channels; i++, v += SM_FIELDS)
		sample_channel(s, i, v);
	sample_gpu(s, core, v, (double)(m->cycle - s->z->sample_start));
	*head_at(s, st->n) = (struct sample_head){.end = m->cycle,
						  .span = m->cycle - s->z->sample_start,
						  .kernel = m->ordinal ? m->ordinal - 1 : 0};
	if (++st->n == st->cap)
		merge_all(s); /* now, so that the next sample is as long as all others */
	s->z->samples++;
	s->z->sample_start = m->cycle;
	s->z->next_sample = m->cycle + ((cycle_t)s->cfg->run.sample << MIN(st->merged, 40));
	sim_emit(s, &ev);
}

/* ---------------------------------------------------------------- reading */

unsigned
series_count(const struct sim *s)
{
	return s->series->n;
}

cycle_t
series_end(const struct sim *s, unsigned i)
{
	return head_at(s, i)->end;
}

cycle_t
series_span(const struct sim *s, unsigned i)
{
	return head_at(s, i)->span;
}

uint32_t
series_kernel(const struct sim *s, unsigned i)
{
	return head_at(s, i)->kernel;
}

uint64_t
series_generation(const struct sim *s)
{
	return s->series->generation;
}

double
series_core(const struct sim *s, enum series_core_field f, unsigned core, unsigned i)
{
	return (double)values_at(s, i)[core * SC_FIELDS + f];
}

double
series_mem(const struct sim *s, enum series_mem_field f, unsigned channel, unsigned i)
{
	return (double)values_at(s, i)[s->n_cores * SC_FIELDS + channel * SM_FIELDS + f];
}

double
series_gpu(const struct sim *s, enum series_gpu_field f, unsigned i)
{
	return (double)values_at(s, i)[s->n_cores * SC_FIELDS + s->n_channels * SM_FIELDS + f];
}

void
series_restored(struct sim *s, uint64_t generation)
{
	s->series->generation = MAX(s->series->generation, generation) + 1;
}
