/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_mock_series.c - the time series of the toy machine.
 */
#include "tests/mock/sim_mock.h"

#include <math.h>
#include <string.h>

const struct series_row series_core_rows[SC_FIELDS] = {
#define SERIES_CORE(id, name, unit, help) {name, unit, help},
#include "ctascope/series.def"
};
const struct series_row series_mem_rows[SM_FIELDS] = {
#define SERIES_MEM(id, name, unit, help) {name, unit, help},
#include "ctascope/series.def"
};
const struct series_row series_gpu_rows[SG_FIELDS] = {
#define SERIES_GPU(id, name, unit, help) {name, unit, help},
#include "ctascope/series.def"
};

static void
sample_core(const struct sim *s, const struct mock_core *c, double *f)
{
	double span = s->config->run.sample;
	uint32_t running, n = mock_resident(c, &running);

	for (unsigned i = 0; i < SC_FIELDS; i++)
		f[i] = 0;
	f[SC_RUNNING] = running;
	f[SC_RESIDENT] = n;
	f[SC_LIMIT] = c->limit;
	f[SC_RACT] = f[SC_ACTIVE] = (double)c->sample_cls[CC_ACTIVE] / span;
	f[SC_MEMORY] = (double)c->sample_cls[CC_MEMORY] / span;
	f[SC_IDLE] = (double)c->sample_cls[CC_IDLE] / span;
	f[SC_IPC] = 32 * (double)c->sample_insts / span;
	f[SC_C_MEM] = (double)c->sample_cls[CC_MEMORY];
	f[SC_C_IDLE] = (double)c->sample_cls[CC_IDLE];
	f[SC_L1_MISS] = c->sample_insts ? 0.25 : NAN;
	f[SC_MSHR] = 2 * running;
	f[SC_LAT_RT] = c->sample_insts ? 100 + 10.5 * running : NAN;
	f[SC_CREDITS] = s->config->use_claso ? (double)c->credits : NAN;
	f[SC_POWER] = 0.5 + 0.25 * running;
	f[SC_STATE] = n ? CORE_ACTIVE : 5;
}

void
mock_close_sample(struct sim *s)
{
	struct mock_state *st = &s->st;
	struct mock_sample *m = &st->sample[st->n_samples];

	if (st->n_samples == MOCK_SAMPLES)
		return;
	memset(m, 0, sizeof(*m));
	m->end = st->cycle + 1;
	m->kernel = st->started - 1;
	for (unsigned c = 0; c < MOCK_CORES; c++) {
		sample_core(s, &st->core[c], m->core[c]);
		m->gpu[SG_IPC] += m->core[c][SC_IPC];
		m->gpu[SG_RACT] += m->core[c][SC_RACT] / MOCK_CORES;
		m->gpu[SG_POWER] += m->core[c][SC_POWER];
		m->gpu[SG_CTAS] += m->core[c][SC_RUNNING];
		m->gpu[SG_ACTIVE] += m->core[c][SC_RESIDENT] > 0;
		st->core[c].sample_insts = 0;
		memset(st->core[c].sample_cls, 0, sizeof(st->core[c].sample_cls));
	}
	m->gpu[SG_CREDITS] = s->config->use_claso ? (double)st->credits_global : NAN;
	for (unsigned c = 0; c < MOCK_CHANNELS; c++) {
		m->mem[c][SM_UTIL] = 0.25 + 0.125 * c;
		m->mem[c][SM_EFF] = 0.5;
		m->mem[c][SM_ROW_HIT] = 0.75;
		m->mem[c][SM_QUEUE] = c + 1;
		m->mem[c][SM_L2_MISS] = NAN;
	}
	st->n_samples++;
	mock_emit(s, EV_SAMPLE, POLICY_HOST, MR_SAMPLE, -1, -1, UINT32_MAX, 2,
		  (int64_t[]){st->n_samples - 1, s->config->run.sample});
}

unsigned
series_count(const struct sim *s)
{
	return s->st.n_samples;
}

cycle_t
series_end(const struct sim *s, unsigned i)
{
	return s->st.sample[i].end;
}

cycle_t
series_span(const struct sim *s, unsigned i ATTR_UNUSED)
{
	return s->config->run.sample;
}

uint32_t
series_kernel(const struct sim *s, unsigned i)
{
	return s->st.sample[i].kernel;
}

uint64_t
series_generation(const struct sim *s)
{
	return s->generation;
}

double
series_core(const struct sim *s, enum series_core_field f, unsigned core, unsigned i)
{
	return s->st.sample[i].core[core][f];
}

double
series_mem(const struct sim *s, enum series_mem_field f, unsigned channel, unsigned i)
{
	return s->st.sample[i].mem[channel][f];
}

double
series_gpu(const struct sim *s, enum series_gpu_field f, unsigned i)
{
	return s->st.sample[i].gpu[f];
}

/* Every core decides at every period. */
uint64_t
sim_periods(const struct sim *s)
{
	return sim_events(s)->count[EV_PERIOD] / sim_instances(s, "core");
}

unsigned
sim_kernels_started(const struct sim *s)
{
	return s->st.started;
}

cycle_t
sim_kernel_start(const struct sim *s, unsigned ordinal)
{
	return s->st.k_start[ordinal];
}

cycle_t
sim_kernel_end(const struct sim *s, unsigned ordinal)
{
	return s->st.k_end[ordinal];
}

const struct trace_kernel *
sim_kernel(const struct sim *s ATTR_UNUSED, unsigned ordinal)
{
	return &mock_kernel[ordinal];
}
