/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series.c - the time series of a real run: samples tile the run, merging loses nothing that can be
 * added, and every path of the machine can be read.
 *
 * The same run is sampled finely, and with room for so few samples that neighbours are merged again
 * and again: sums, last values and means of the merged samples must equal those of the fine
 * samples.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

#define POLICY "dyncta:period=512+claso"

static double
sum_of_channels(const struct sim *s, const char *counter)
{
	double sum = 0;
	char text[64];

	for (unsigned i = 0; i < sim_channels(s); i++) {
		snprintf(text, sizeof(text), "mem.%u.%s", i, counter);
		sum += model_value(s, text);
	}
	return sum;
}

static void
tiles(const struct sim *s, const char *what)
{
	cycle_t at = 0;
	bool good = true, powers = true;
	unsigned n = series_count(s);
	cycle_t first = series_span(s, 0);

	for (unsigned i = 0; i < n; i++) {
		at += series_span(s, i);
		good &= series_end(s, i) == at;
		powers &=
			i + 1 == n || series_span(s, i) == first || series_span(s, i) * 2 == first;
	}
	ok(good && at == sim_cycle(s),
	   "%s: %u samples lie side by side and cover all %" PRIu64 " cycles", what, n,
	   sim_cycle(s));
	ok(powers, "%s: lengths are the same, or half of it", what);
}

static bool
near(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-3 * (1 + fabs(b));
}

/* Each sample of few against those of many that it covers. */
static void
merged(const struct sim *many, const struct sim *few, const char *what)
{
	unsigned bad[3] = {0}, i = 0;

	for (unsigned k = 0; k < series_count(few); k++) {
		double sum = 0, ipc = 0;
		unsigned last = i;

		for (; i < series_count(many) && series_end(many, i) <= series_end(few, k); i++) {
			sum += series_core(many, SC_C_MEM, 1, i);
			ipc += series_gpu(many, SG_IPC, i) * (double)series_span(many, i);
			last = i;
		}
		bad[0] += series_core(few, SC_C_MEM, 1, k) != sum;
		bad[1] +=
			series_core(few, SC_RESIDENT, 2, k) !=
				series_core(many, SC_RESIDENT, 2, last) ||
			series_core(few, SC_LIMIT, 2, k) != series_core(many, SC_LIMIT, 2, last) ||
			series_gpu(few, SG_CTAS, k) != series_gpu(many, SG_CTAS, last) ||
			series_gpu(few, SG_CREDITS, k) != series_gpu(many, SG_CREDITS, last);
		bad[2] += k + 1 < series_count(few) && /* the last one is odd */
			  !near(series_gpu(few, SG_IPC, k), ipc / (double)series_span(few, k));
	}
	is_u64(i, series_count(many), "%s: every fine sample is in a merged one", what);
	is_u64(bad[0], 0, "%s: counts are added", what);
	is_u64(bad[1], 0, "%s: levels are those at the end", what);
	is_u64(bad[2], 0, "%s: rates per cycle are averaged", what);
}

/* What a rate of core 1 counts in samples first..last, and over how many accesses. */
struct counted {
	double sum, accesses, rates;
	unsigned known;
};

static struct counted
count_in(const struct sim *s, enum series_core_field f, unsigned first, unsigned last)
{
	struct counted m = {0};

	for (unsigned i = first; i <= last; i++) {
		double n = series_core_weight(s, f, 1, i) * (double)series_span(s, i),
		       rate = series_core(s, f, 1, i);

		m.accesses += n;
		if (isnan(rate))
			continue;
		m.sum += rate * n;
		m.rates += rate;
		m.known++;
	}
	return m;
}

/* RACT of the GPU in a sample less the mean of those of the cores. */
static double
ract_off(const struct sim *s, unsigned sample)
{
	unsigned cores = sim_instances(s, "core");
	double ract = 0;

	for (unsigned c = 0; c < cores; c++) {
		double r = series_core(s, SC_RACT, c, sample);

		ract += isnan(r) ? 0 : r / cores;
	}
	return fabs(ract - series_gpu(s, SG_RACT, sample));
}

/* A rate of a merged sample is the sum of what it counts over the sum of the accesses. */
static void
rates(const struct sim *many, const struct sim *few, const char *what)
{
	unsigned bad = 0, uneven = 0, n = series_count(many);
	struct counted all = count_in(few, SC_L1_MISS, 0, series_count(few) - 1);
	double off = 0;

	for (unsigned k = 0, i = 0; k < series_count(few); k++) {
		unsigned first = i;
		struct counted m, merged;

		while (i < n && series_end(many, i) <= series_end(few, k))
			i++;
		m = count_in(many, SC_AMAT, first, i - 1);
		merged = count_in(few, SC_AMAT, k, k);
		bad += !near(merged.sum, m.sum) || !near(merged.accesses, m.accesses);
		uneven += m.known && fabs(m.sum / m.accesses - m.rates / m.known) > 1;
		off = fmax(off, ract_off(few, k));
	}
	ok(!bad && uneven,
	   "%s: merged, a latency is of all loads; in %u of %u samples that is not the mean of the "
	   "latencies",
	   what, uneven, series_count(few));
	ok(fabs(all.accesses - model_value(few, "core.1.l1_accesses")) < 0.5 &&
		   fabs(all.sum - model_value(few, "core.1.l1_misses")) < 0.5,
	   "%s: all %.0f accesses of L1 are counted, %.0f missed", what, all.accesses, all.sum);
	ok(off < 1e-5, "%s: RACT of the GPU is that of the cores after merging, too", what);
}

static void
shares(const struct sim *s, const char *what)
{
	unsigned bad = 0, range = 0;
	double insts = 0;

	for (unsigned i = 0; i < series_count(s); i++) {
		insts += series_gpu(s, SG_IPC, i) * (double)series_span(s, i);
		for (unsigned c = 0; c < sim_instances(s, "core"); c++) {
			double sum = 0, ract = series_core(s, SC_RACT, c, i);

			for (unsigned k = 0; k < CC_CLASSES; k++)
				sum += series_core(s, (enum series_core_field)(SC_ACTIVE + k), c,
						   i);
			bad += fabs(sum - 1) > 1e-4;
			range += ract < 0 || ract > 1;
		}
	}
	is_u64(bad, 0, "%s: the shares of the cycle classes sum to 1 in every sample", what);
	is_u64(range, 0, "%s: RACT is a ratio", what);
	ok(fabs(insts / model_value(s, "gpu.thread_insts") - 1) < 1e-4,
	   "%s: IPC times cycles are all instructions: %.0f", what, insts);
}

/* ---------------------------------------------------------------- paths */

struct paths {
	struct sim *s;
	unsigned n, bad;
};

static void
one_path(void *ctx, const char *path, const char *unit, const char *help)
{
	struct paths *p = ctx;
	struct err e = {0};
	uint64_t id;
	int n = sim_path(p->s, path, &id, &e);

	p->n++;
	if (n < 1 || !unit || !help || !*help) {
		diag("%s: %d %s", path, n, e.msg);
		p->bad++;
		return;
	}
	for (int i = 0; i < n; i++)
		if (isinf(sim_value(p->s, id, (unsigned)i)) ||
		    sim_value(p->s, id, (unsigned)i) < -1)
			p->bad++;
}

static void
paths(struct sim *s, const char *what)
{
	static const struct {
		const char *wrong, *near;
	} typo[] = {
		{"gpu.ipcc", "gpu.ipc"}, {"core.3.ctass", "ctas"}, {"l1.missrate", "l1.miss_rate"},
		{"core.999.n", "0.."},	 {"mem.x.queue", "0.."},
	};
	struct paths p = {.s = s};
	unsigned rows = 0;

	sim_each_path(s, one_path, &p);
	ok(p.n > n_view_rows && !p.bad, "%s: all %u paths can be read", what, p.n);
	for (unsigned i = 0; i < n_view_rows; i++) {
		const struct view_row *r = &view_rows[i];
		char path[128];
		uint64_t id;
		bool many = sim_instances(s, r->group) > 1 || !strcmp(r->group, "core") ||
			    !strcmp(r->group, "mem") || !strcmp(r->group, "l2");

		snprintf(path, sizeof(path), "%s.%s%s", strcmp(r->group, "l2sum") ? r->group : "l2",
			 many ? "*." : "", r->field);
		if (!strcmp(r->group, "kernels"))
			snprintf(path, sizeof(path), "kernel.1.%s", r->field);
		if (!strcmp(r->group, "core_kernel"))
			snprintf(path, sizeof(path), "core.*.kernel.1.%s", r->field);
		if (!strcmp(r->group, "sub"))
			snprintf(path, sizeof(path), "core.*.sub.0.%s", r->field);
		rows += sim_path(s, path, &id, NULL) >= 1 &&
			(!r->counter || sim_value(s, id, 0) >= 0);
	}
	is_u64(rows, n_view_rows, "%s: every row of view.def is among them", what);
	for (unsigned i = 0; i < sizeof(typo) / sizeof(typo[0]); i++) {
		struct err e = {0};
		uint64_t id;

		ok(sim_path(s, typo[i].wrong, &id, &e) < 0 && strstr(e.msg, typo[i].near),
		   "%s: '%s': %s", what, typo[i].wrong, e.msg);
	}
}

/* What the series of the cores count adds up to the counters of the run. */
static void
counted(const struct sim *s, const char *what)
{
	double issued = 0, done = 0, served = 0, over = 0;

	for (unsigned i = 0; i < series_count(s); i++)
		for (unsigned c = 0; c < sim_instances(s, "core"); c++) {
			double amat = series_core(s, SC_AMAT, c, i);

			issued += series_core(s, SC_ISSUED, c, i);
			done += series_core(s, SC_DONE, c, i);
			served += series_core(s, SC_SERVED, c, i);
			over += series_core(s, SC_OVERLAP, c, i) > amat;
		}
	is_u64((uint64_t)issued, (uint64_t)model_value(s, "gpu.ctas_issued"),
	       "%s: the CTAs issued to the cores are those of the GPU", what);
	is_u64((uint64_t)done, (uint64_t)model_value(s, "gpu.ctas_done"), "%s: so are those done",
	       what);
	is_u64((uint64_t)served, (uint64_t)sum_of_channels(s, "served"),
	       "%s: the reads served for cores are those of the channels", what);
	ok(served > 0 && !over, "%s: no more of AMAT is overlapped than there is", what);
}

int
main(void)
{
	for (unsigned m = 0; m < N_MODEL_FIRST; m++) {
		struct trace *whole = model_reference("mixed-120x256");
		struct trace *t = model_shorter(whole, model_fast() ? 15 : 60, UINT32_MAX);
		struct sim *many = model_run_sampled(t, model_machines[m], POLICY, 64, 8192);
		struct sim *few = model_run_sampled(t, model_machines[m], POLICY, 64, 16);

		ok(sim_cycle(many) == sim_cycle(few) &&
			   sim_events(many)->count[EV_PAUSE] == sim_events(few)->count[EV_PAUSE],
		   "%s: how a run is sampled does not change it", model_machines[m]);
		ok(series_count(few) <= 16 && series_count(many) > 50 &&
			   series_generation(few) > series_generation(many),
		   "%s: %u samples were merged to %u", model_machines[m], series_count(many),
		   series_count(few));
		tiles(many, model_machines[m]);
		tiles(few, model_machines[m]);
		merged(many, few, model_machines[m]);
		rates(many, few, model_machines[m]);
		shares(many, model_machines[m]);
		counted(many, model_machines[m]);
		counted(few, model_machines[m]);
		paths(many, model_machines[m]);
		sim_free(many);
		sim_free(few);
		trace_close(t);
		trace_close(whole);
	}
	return done();
}
