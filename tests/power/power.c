/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * power.c - energy from counts: closed forms on invented counts, then a real run, whose samples,
 * parts and views must all give the same joules.
 */
#include "core/core_part.h"
#include "sim/sim_priv.h"
#include "tests/tap.h"
#include "tests/sim/model.h"

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

static double
total(const struct power_energy *e)
{
	return power_static(e) + power_dynamic(e);
}

/* ---------------------------------------------------------------- the relative model */

static void
relative(const struct power_cfg *k)
{
	struct power_counts c = {.core_cycles = 4000};

	ok(isnan(power_relative(k, &(struct power_counts){0}, true)), "no cycle yet: unknown");
	ok(near(power_relative(k, &c, true), 0.5), "idle cores need half of their power");
	c.active = 4000;
	ok(near(power_relative(k, &c, false), 1), "cores that always issue all of it");
	c.active = 1000;
	ok(near(power_relative(k, &c, true), 0.625), "a quarter of the cycles: 0.5 + 0.5 / 4");
	c.gated = 1000;
	ok(near(power_relative(k, &c, true), 0.5), "one core of four gated, another one busy: "
						   "3/4 * 0.5 + 1/4 * 0.5");
	ok(near(power_relative(k, &c, false), 0.625), "the same without gating per core");
	c = (struct power_counts){.core_cycles = 4000, .gated = 4000};
	ok(power_relative(k, &c, true) == 0 && near(power_relative(k, &c, false), 0.5),
	   "all off: nothing, or idle power");
}

/* ---------------------------------------------------------------- event energy */

#define EVENT(field, part, pj)                                         \
	{                                                              \
#field, offsetof(struct power_counts, field), part, pj \
	}

static void
events(const struct power_cfg *k)
{
	const double reg = k->registers;
	const struct {
		const char *name;
		size_t at;
		enum power_part part;
		double pj;
	} row[] = {
		EVENT(warp_insts, POWER_INSTS, k->inst_warp),
		EVENT(insts_of[OP_ALU], POWER_INSTS, k->inst_int + reg),
		EVENT(insts_of[OP_INT], POWER_INSTS, k->inst_int + reg),
		EVENT(insts_of[OP_SP], POWER_INSTS, k->inst_single + reg),
		EVENT(insts_of[OP_HALF], POWER_INSTS, k->inst_half + reg),
		EVENT(insts_of[OP_DP], POWER_INSTS, k->inst_double + reg),
		EVENT(insts_of[OP_SFU], POWER_INSTS, k->inst_sfu + reg),
		EVENT(insts_of[OP_TENSOR], POWER_INSTS, k->inst_tensor + reg),
		EVENT(insts_of[OP_BRANCH], POWER_INSTS, k->inst_control),
		EVENT(insts_of[OP_UNIFORM], POWER_INSTS, k->inst_control),
		EVENT(insts_of[OP_BARRIER], POWER_INSTS, k->inst_control),
		EVENT(insts_of[OP_MEMBAR], POWER_INSTS, k->inst_control),
		EVENT(insts_of[OP_EXIT], POWER_INSTS, k->inst_control),
		EVENT(insts_of[OP_DEPBAR], POWER_INSTS, k->inst_control),
		EVENT(insts_of[OP_LOAD], POWER_INSTS, k->inst_memory + reg),
		EVENT(insts_of[OP_STORE], POWER_INSTS, k->inst_memory + reg),
		EVENT(insts_of[OP_ATOMIC], POWER_INSTS, k->inst_memory + reg),
		EVENT(insts_of[OP_TEX], POWER_INSTS, k->inst_memory + reg),
		EVENT(l1, POWER_L1, k->l1),
		EVENT(rocache, POWER_L1, k->rocache),
		EVENT(smem, POWER_SMEM, k->smem),
		EVENT(l2_reads, POWER_L2, k->l2_read),
		EVENT(l2_writes, POWER_L2, k->l2_write),
		EVENT(noc_bytes, POWER_NOC, k->noc_byte),
		EVENT(dram_bytes_read, POWER_DRAM, k->dram_byte_read),
		EVENT(dram_bytes_written, POWER_DRAM, k->dram_byte_write),
		EVENT(dram_activates, POWER_DRAM, k->dram_activate),
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		struct power_counts c = {0};
		struct power_energy e;

		*(uint64_t *)((char *)&c + row[i].at) = 1000000;
		power_of_gpu(k, &c, 1e9, 0, &e);
		ok(row[i].pj > 0 && near(e.part[row[i].part], row[i].pj * 1e-6) &&
			   near(total(&e), e.part[row[i].part]),
		   "%s: a million cost %g uJ, all in one part", row[i].name, row[i].pj);
	}
	is_u64(ARRAY_LEN(row), OP_CLASSES + 10,
	       "every class and every other event is in the table");
}

static void
static_power(const struct power_cfg *k)
{
	struct power_counts c = {.core_cycles = 4000, .gated = 1000};
	struct power_energy e;

	power_of_gpu(k, &c, 1e6, 1e-3, &e);
	ok(near(e.part[POWER_CORES], 3 * 1e-3 * k->core_static),
	   "three cores of four powered for a millisecond");
	ok(near(e.part[POWER_UNCORE], 1e-3 * k->uncore_static), "the rest is never gated");
	ok(power_dynamic(&e) == 0 && near(power_static(&e), total(&e)), "and nothing happened");
	power_of_cores(k, &c, 1e6, &e);
	ok(near(total(&e), 3 * 1e-3 * k->core_static), "the cores alone");
}

static void
additive(const struct power_cfg *k)
{
	struct power_counts a, b, sum;
	struct power_energy ea, eb, es;
	uint64_t *pa = (uint64_t *)&a, *pb = (uint64_t *)&b, seed = 7;

	for (unsigned i = 0; i < sizeof(a) / sizeof(uint64_t); i++) {
		pa[i] = (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 40;
		pb[i] = (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 40;
	}
	a.gated = b.gated = 0;
	sum = a;
	power_add(&sum, &b);
	power_of_gpu(k, &a, 1e9, 1, &ea);
	power_of_gpu(k, &b, 1e9, 2, &eb);
	power_of_gpu(k, &sum, 1e9, 3, &es);
	for (unsigned i = 0; i < POWER_PARTS; i++)
		ok(near(es.part[i], ea.part[i] + eb.part[i]), "part %u of two stretches adds up",
		   i);
	power_subtract(&sum, &b);
	ok(memcmp(&sum, &a, sizeof(a)) == 0, "what was added is taken off again");
}

/* ---------------------------------------------------------------- a run */

#define POLICY "dyncta:period=512"

static double
sampled(const struct sim *s, bool *split)
{
	double joule = 0;

	*split = true;
	for (unsigned i = 0; i < series_count(s); i++) {
		double cores = 0, gpu = series_gpu(s, SG_POWER, i);

		for (unsigned c = 0; c < s->n_cores; c++)
			cores += series_core(s, SC_POWER, c, i);
		*split &= cores > 0 && cores + s->cfg->power.uncore_static <= gpu * 1.000001;
		joule += gpu * (double)series_span(s, i) / energy_core_hz(s);
	}
	return joule;
}

static void
one_run(struct trace *t, const char *machine)
{
	static const char *const parts[] = {"power.e_cores", "power.e_uncore", "power.e_insts",
					    "power.e_l1",    "power.e_smem",   "power.e_l2",
					    "power.e_noc",   "power.e_dram"};
	struct sim *many = model_run_sampled(t, machine, POLICY, 64, 4096),
		   *few = model_run_sampled(t, machine, POLICY, 64, 16);
	double joule = model_value(many, "power.energy"), sum = 0;
	double seconds = (double)sim_cycle(many) / energy_core_hz(many);
	struct power_counts c;
	uint64_t insts = 0;
	bool split;

	for (unsigned i = 0; i < POWER_PARTS; i++)
		sum += model_value(many, parts[i]);
	ok(near(sum, joule) && model_value(many, "power.e_dram") > 0,
	   "%s: the parts add up to %g J", machine, joule);
	ok(fabs(sampled(many, &split) / joule - 1) < 1e-5, "%s: so do %u samples", machine,
	   series_count(many));
	ok(split, "%s: a sample is its cores, and more", machine);
	ok(series_count(few) < 17 && fabs(sampled(few, &split) / joule - 1) < 1e-5,
	   "%s: and %u merged ones, the odd last one too", machine, series_count(few));
	ok(sim_digest(many) == sim_digest(few), "%s: sampling is no matter of the machine's",
	   machine);
	ok(near(model_value(many, "power.avg") * seconds, joule) &&
		   near(model_value(many, "power.edp"), joule * seconds) &&
		   near(model_value(many, "power.static") + model_value(many, "power.dynamic"),
			model_value(many, "power.avg")),
	   "%s: watts, joules and joule seconds agree", machine);
	ok(near(model_value(many, "power.efficiency") * joule,
		model_value(many, "gpu.thread_insts")),
	   "%s: instructions per joule", machine);
	ok(near(model_value(many, "power.core_rel"), 0.5 + 0.5 * model_value(many, "gpu.ract")),
	   "%s: nothing is gated, so relative power follows RACT", machine);
	ok(near(model_value(many, "power.insts_per_watt"),
		model_value(many, "gpu.ipc") / model_value(many, "power.core_rel")),
	   "%s: instructions per watt are a rate", machine);
	energy_count(many, &c);
	for (unsigned i = 0; i < OP_CLASSES; i++)
		insts += c.insts_of[i];
	is_u64(insts, c.thread_insts, "%s: every thread instruction has a class", machine);
	ok(c.l2_reads > 0 &&
		   near((double)(c.l2_reads + c.l2_writes), model_value(many, "l2.accesses")),
	   "%s: every look-up in L2 is a read or a write", machine);
	is_u64(c.core_cycles, many->n_cores * sim_cycle(many), "%s: every core cycle is counted",
	       machine);
	sim_free(many);
	sim_free(few);
}

static void
writes(struct trace *t)
{
	struct sim *s = model_run_sampled(t, "kayiran30", POLICY, 512, 1024);
	struct power_counts c;
	uint64_t n = 0;

	energy_count(s, &c);
	for (unsigned i = 0; i < s->n_slices; i++)
		n += slice_stat(&s->slice[i])->writes;
	ok(n > 0 && c.l2_writes == n &&
		   near((double)(c.l2_reads + n), model_value(s, "l2.accesses")),
	   "stores: each of %" PRIu64 " look-ups is a read or a write", c.l2_reads + n);
	sim_free(s);
}

/* The last sample of a run may be shorter than the one it is merged with: whether it is merged
 * depends on their length. */
static void
odd_ends(struct trace *t)
{
	unsigned bad = 0, merged = 0;

	for (unsigned length = 40; length < 80; length += 3) {
		struct sim *s = model_run_sampled(t, "kayiran30", POLICY, length, 16);
		unsigned n = series_count(s);
		bool split;

		bad += fabs(sampled(s, &split) / model_value(s, "power.energy") - 1) > 1e-5;
		merged += n == 8 && series_span(s, n - 1) != series_span(s, 0);
		sim_free(s);
	}
	ok(merged > 0, "%u runs end with an odd sample merged", merged);
	is_u64(bad, 0, "and no joule is lost in it");
}

/* What gating would change: cycles moved from one class to the other by hand. */
static void
gated(struct sim *s)
{
	struct core_stat *st = &s->core[3].core->st;
	double cores = model_value(s, "power.e_cores"), rel = model_value(s, "power.core_rel"),
	       pcpg = model_value(s, "power.core_rel_pcpg");
	uint64_t n = st->cls[CC_IDLE];

	ok(n > 100 && near(rel, pcpg), "nothing is gated, there is something to gate");
	st->cls[CC_GATED] += n;
	st->cls[CC_IDLE] = 0;
	ok(near(cores - model_value(s, "power.e_cores"),
		(double)n / energy_core_hz(s) * s->cfg->power.core_static),
	   "gated cycles cost no static power");
	ok(near(model_value(s, "power.core_rel"), rel), "without PCPG the relative power stays");
	ok(near(pcpg - model_value(s, "power.core_rel_pcpg"),
		0.5 * (double)n / (double)(s->n_cores * sim_cycle(s))),
	   "with it the idle half is saved");
	ok(model_value(s, "power.insts_per_watt_pcpg") > model_value(s, "power.insts_per_watt"),
	   "and there are more instructions per watt");
}

static void
live(struct trace *t)
{
	struct config *c = model_config("kayiran30", "rr");
	struct sim *s;
	struct err e = {0};
	double l1, was, l2;
	uint64_t digest, plain;
	unsigned n;

	model_set_u(c, "run.sample", 64);
	s = model_sim(c, t);
	ok(isnan(model_value(s, "power.avg")) && isnan(model_value(s, "power.efficiency")) &&
		   isnan(model_value(s, "power.core_rel")),
	   "before the first cycle averages are unknown");
	sim_run(s, 640, &e);
	n = series_count(s);
	was = series_gpu(s, SG_POWER, n - 1);
	l1 = model_value(s, "power.e_l1");
	l2 = model_value(s, "power.e_l2");
	digest = sim_digest(s);
	ok(sim_set(s, "power.l1", "245.4", &e) == 0, "a coefficient may change at a stop");
	ok(l1 > 0 && near(model_value(s, "power.e_l1"), 2 * l1) &&
		   near(model_value(s, "power.e_l2"), l2),
	   "it holds for the whole run, and only for its event");
	ok(sim_digest(s) == digest && series_gpu(s, SG_POWER, n - 1) == was,
	   "the machine does not notice, samples taken keep their watts");
	ok(sim_set(s, "power.idle_share", "1.5", &e) < 0, "no share above 1: %s", e.msg);
	model_run(s);
	plain = sim_digest(s);
	gated(s);
	sim_free(s);
	s = model_sim(c, t);
	model_run(s);
	ok(sim_digest(s) == plain, "nor does the run end otherwise");
	sim_free(s);
	config_free(c);
}

int
main(void)
{
	struct config *c = config_new();
	struct trace *whole = model_reference("mixed-120x256"), *t = model_shorter(whole, 40, 400);
	struct trace *stream = model_reference("stream-120x256"),
		     *stores = model_shorter(stream, 40, 100);

	relative(&c->power);
	events(&c->power);
	static_power(&c->power);
	additive(&c->power);
	one_run(t, "kayiran30");
	one_run(t, "gtx480");
	writes(stores);
	odd_ends(t);
	live(t);
	trace_close(t);
	trace_close(whole);
	trace_close(stores);
	trace_close(stream);
	config_free(c);
	return done();
}
