/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * digest.c - the machine at a cycle does not depend on how it got there: in one run, in steps of
 * any length, from a restored checkpoint, with idle units visited or not (run.skip).
 *
 * Runs the reference traces on every machine, plain and under dyncta+claso, for the first cycles
 * (long enough for DYNCTA to decide); some under tl and owl, with many paused and starved warps;
 * shortened ones to their end, under policies that pause and throttle cores and switch them off,
 * some with load/store units that are nearly always blocked; and three short traces to their end,
 * for which only the number of cycles is compared. The time series and events must agree as well:
 * they are compared as numbers. Counters of sleeping units are also read on the way.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

struct state {
	uint64_t digest, cycle, events, ctas;
	double ipc; /* the sum over all samples, which changes when one does */
};

static struct state
look(struct sim *s)
{
	struct state v = {.digest = sim_digest(s),
			  .cycle = sim_cycle(s),
			  .events = sim_events(s)->next,
			  .ctas = (uint64_t)model_value(s, "gpu.ctas_issued")};

	for (unsigned i = 0; i < series_count(s); i++)
		v.ipc += series_gpu(s, SG_IPC, i) * (double)series_end(s, i);
	return v;
}

static bool
same(const struct state *a, const struct state *b)
{
	return a->digest == b->digest && a->cycle == b->cycle && a->events == b->events &&
	       a->ctas == b->ctas && a->ipc == b->ipc;
}

/* Runs to a cycle or the end; returns false if it stopped for another reason. */
static bool
go(struct sim *s, uint64_t until)
{
	struct err e = {0};
	enum sim_stop how = sim_run(s, until, &e);

	return how == SIM_REACHED || how == SIM_DONE;
}

static struct state
straight(const struct config *c, struct trace *t, uint64_t until)
{
	struct sim *s = model_sim(c, t);
	struct state v;

	go(s, until);
	v = look(s);
	sim_free(s);
	return v;
}

static struct state
in_steps(const struct config *c, struct trace *t, uint64_t until)
{
	static const unsigned step[] = {1, 1, 2, 7, 300, 1, 64, 1, 1, 1, 999, 3};
	struct sim *s = model_sim(c, t);
	struct err e = {0};
	struct state v;

	for (unsigned i = 0; sim_cycle(s) < until && !sim_done(s); i++) {
		uint64_t to = sim_cycle(s) + step[i % (sizeof(step) / sizeof(step[0]))];

		/* some steps visit every unit, and later ones only those with work */
		sim_set(s, "run.skip", i % 4 == 2 ? "off" : "on", &e);
		if (!go(s, to < until ? to : until))
			break;
		if (i % 64 == 0)
			sim_digest(s); /* computing it changes nothing */
	}
	v = look(s);
	sim_free(s);
	return v;
}

/* Runs past the checkpoint and returns, twice; the second time it continues differently. */
static struct state
over_checkpoint(const struct config *c, struct trace *t, uint64_t until, uint64_t at)
{
	struct sim *s = model_sim(c, t);
	struct err e = {0};
	struct snapshot *k;
	struct state v = {0};
	uint64_t digest;

	go(s, at);
	digest = sim_digest(s);
	k = sim_save(s, &e);
	go(s, until);
	for (unsigned i = 0; k && i < 2; i++) {
		if (sim_restore(s, k, &e) < 0 || sim_digest(s) != digest ||
		    sim_cycle(s) != snapshot_cycle(k)) {
			diag("restored at %" PRIu64 ": %s", at, e.msg);
			break;
		}
		go(s, i ? until : at + (until - at) / 2);
	}
	v = look(s);
	snapshot_free(k);
	sim_free(s);
	return v;
}

static void
check(struct config *c, struct trace *t, uint64_t until, const char *what)
{
	struct state a = straight(c, t, until), b = in_steps(c, t, until), d, e;
	uint64_t end = a.cycle < until ? a.cycle : until;

	d = over_checkpoint(c, t, until, end / 3 + 1);
	model_set(c, "run.skip", "off");
	e = straight(c, t, until);
	model_set(c, "run.skip", "on");
	ok(same(&a, &b), "%s, cycle %" PRIu64 ": in steps", what, a.cycle);
	ok(same(&a, &d), "%s: over a checkpoint at %" PRIu64, what, end / 3 + 1);
	ok(same(&a, &e), "%s: visiting every unit", what);
}

/* Schedulers that hold warps back, or have their own state. */
static void
schedulers(uint64_t until)
{
	static const char *const trace[] = {"mixed-120x256", "phase-120x256", "sfu-120x256",
					    "smem-120x256", "tail-120x256"};
	static const char *const sched[] = {"tl", "owl"};

	for (unsigned i = 0; i < sizeof(trace) / sizeof(trace[0]); i++) {
		struct trace *t = model_reference(trace[i]);

		for (unsigned m = 0; m < N_MODEL_FIRST; m++)
			for (unsigned w = 0; w < 2; w++) {
				struct config *c = model_config(model_machines[m],
								"dyncta:period=256,t_mem_l=2,t_mem_h=8");
				char what[128];

				config_wsched(c, sched[w], NULL);
				model_set(c, "core.starve", "50");
				model_set(c, "core.tl_group", "4");
				model_set(c, "core.owl_group", "2");
				snprintf(what, sizeof(what), "%s on %s, %s", trace[i],
					 model_machines[m], sched[w]);
				check(c, t, until, what);
				config_free(c);
			}
		trace_close(t);
	}
}

/* Policies that pause cores and switch them off, on short kernels whose CTAs queue up. */
static void
core_counts(unsigned i, struct trace *whole)
{
	static const char *const policy[] = {"onac:waves=1,loss=0.3+static:n=1",
					     "seqdet:waves=1,loss=0.3+claso+static:n=1"};
	struct trace *t = model_shorter(whole, 24, model_fast() ? 16 : 40);

	for (unsigned m = 0; m < N_MODEL_MACHINES; m++) {
		if (!model_runs(i, m))
			continue;
		const char *stack = policy[(i + m) % 2];
		struct config *c = model_config(model_machines[m], stack);
		char what[128];

		model_set(c, "gpu.clusters",
			  model_get(c, "gpu.cores_per_cluster") == 1 ? "3" : "1");
		model_set(c, "gpu.balance", "off");
		snprintf(what, sizeof(what), "%s on %s, %s", model_traces[i], model_machines[m],
			 stack);
		check(c, t, CYCLE_NEVER, what);
		config_free(c);
	}
	trace_close(t);
}

/* Ports that are nearly always full: the cores that use them sleep until there is room. */
static void
full_ports(uint64_t until)
{
	static const char *const machines[] = {"kayiran30", "mesh110"};
	struct trace *t = model_reference("stream-120x256");

	for (unsigned m = 0; m < 2; m++) {
		struct config *c = model_config(machines[m], "rr");
		char what[128];

		model_set(c, "noc.in_buffer", "1");
		model_set(c, "noc.vc_buffer", "1");
		model_set(c, "noc.vcs", "1");
		snprintf(what, sizeof(what), "one packet per port on %s", machines[m]);
		check(c, t, until, what);
		config_free(c);
	}
	trace_close(t);
}

/* Cores drain, are throttled, and are switched off and on all the time. */
static void
cores_off(void)
{
	static const struct {
		const char *trace, *policy;
	} row[] = {
		{"phase-120x256", "dyncore:period=128,off=2,wake=75+claso"},
		{"stride2-120x256", "tcs:mon_cycle=128,monitor=300,thr=1+dyncta:period=256"},
		{"stream-120x256", "htcs:mon_cycle=64,monitor=300,thr=1,throttle=off+claso"},
		{"mixed-120x256", "tcs:mon_cycle=64,monitor=300,thr=1,stall=run"},
		{"smem-120x256", "cores:n=3+dyncta:period=128"},
		{"stream-120x256", "dyncta:period=128,pause=hold+tcs:mon_cycle=128,monitor=300"},
	};

	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct trace *whole = model_reference(row[i].trace);
		struct trace *t = model_shorter(whole, 24, 60);

		for (unsigned m = 0; m < N_MODEL_FIRST; m++) {
			struct config *c = model_config(model_machines[m], row[i].policy);
			char what[160];

			model_set(c, "gpu.clusters",
				  model_get(c, "gpu.cores_per_cluster") == 1 ? "5" : "2");
			model_set(c, "l1d.mshr", "4");
			snprintf(what, sizeof(what), "%s on %s, %s, to the end", row[i].trace,
				 model_machines[m], row[i].policy);
			check(c, t, CYCLE_NEVER, what);
			config_free(c);
		}
		trace_close(t);
		trace_close(whole);
	}
}

/* Counters that are booked when a unit wakes, read while it sleeps. */
static const char *const booked[] = {"l1.fails",	   "gpu.stall_cycles",
				     "gpu.memory_cycles",  "gpu.dependence_cycles",
				     "gpu.idle_cycles",	   "gpu.gated_cycles",
				     "gpu.blocked_cycles", "core.0.blocked",
				     "core.1.c_raw",	   "core.0.c_mem",
				     "core.1.c_idle",	   "gpu.warp_insts"};

/* Two machines in step, one of which visits every unit: they are equal at every stop. */
static void
side_by_side(struct config *c, struct trace *t, uint64_t until, const char *what)
{
	static const unsigned step[] = {1, 13, 2, 64, 1, 201, 7, 1, 1, 33, 5};
	struct sim *a = model_sim(c, t), *b;
	bool equal = true;

	model_set(c, "run.skip", "off");
	b = model_sim(c, t);
	model_set(c, "run.skip", "on");
	for (unsigned i = 0; equal && sim_cycle(a) < until && !sim_done(a); i++) {
		uint64_t to = sim_cycle(a) + step[i % ARRAY_LEN(step)];

		equal = go(a, to) && go(b, to) && sim_cycle(a) == sim_cycle(b);
		for (unsigned k = 0; equal && k < ARRAY_LEN(booked); k++) {
			equal = model_value(a, booked[k]) == model_value(b, booked[k]);
			if (!equal)
				diag("%s at %" PRIu64 ": %g, visiting every unit %g", booked[k],
				     sim_cycle(a), model_value(a, booked[k]),
				     model_value(b, booked[k]));
		}
		if (equal && i % 32 == 31)
			equal = sim_digest(a) == sim_digest(b);
	}
	ok(equal && sim_done(a) == sim_done(b), "%s: counters on the way, to %" PRIu64, what,
	   sim_cycle(a));
	sim_free(a);
	sim_free(b);
}

/* Load/store units that are blocked most of the time, because of few miss registers, a short miss
 * queue and narrow ports, over each kind of network, while cores are paused, throttled and off. */
static void
blocked(void)
{
	static const char *const traces[] = {"stride2-120x256", "l1reuse-120x256", "stream-120x256",
					     "mixed-120x256"};
	static const char *const machines[] = {"kayiran30", "mesh56", "tcs28", "kay30"};
	static const char *const policy[] = {
		"rr",
		"dyncta:period=256,cidle=any+claso",
		"dyncta:period=128,pause=hold",
		"dyncore:period=128,off=2,wake=75",
		"tcs:mon_cycle=64,monitor=300,thr=1,stall=run",
		"htcs:mon_cycle=64,monitor=300,thr=1+dyncta:period=256",
		"onac:waves=1,loss=0.3+claso:pa=2",
		"seqdet:waves=1,loss=0.3"};
	static const char *const sched[] = {"lrr", "gto", "tl", "owl"};
	unsigned n = model_fast() ? 2 : 4, row = 0;

	for (unsigned i = 0; i < n; i++) {
		struct trace *whole = model_reference(traces[i]);
		struct trace *t = model_shorter(whole, 24, 40);

		for (unsigned m = 0; m < 4; m++)
			for (unsigned k = 0; k < 3; k++, row++) {
				struct config *c =
					model_config(machines[m], policy[row % ARRAY_LEN(policy)]);
				char what[160];

				config_wsched(c, sched[(row + m) % 4], NULL);
				model_set(c, "gpu.clusters", m == 3 ? "2" : "5");
				model_set(c, "gpu.balance", "off");
				model_set(c, "core.starve", "50");
				model_set(c, "l1d.mshr", k ? "2" : "8");
				model_set(c, "l1d.miss_queue", "2");
				model_set(c, "noc.in_buffer", k == 2 ? "1" : "4");
				model_set(c, "noc.ejection_buffer", "1");
				snprintf(what, sizeof(what), "%s on %s, %s, %s, blocked", traces[i],
					 machines[m], policy[row % ARRAY_LEN(policy)],
					 sched[(row + m) % 4]);
				check(c, t, CYCLE_NEVER, what);
				side_by_side(c, t, 4000, what);
				config_free(c);
			}
		trace_close(t);
		trace_close(whole);
	}
}

/* Each part has its own digest, and a change shows only in the digest of its part. */
static void
parts(struct trace *t)
{
	struct config *c = model_config("gtx480", "dyncta");
	struct sim *a = model_sim(c, t), *b = model_sim(c, t);
	uint64_t old[SIM_PARTS];
	unsigned same = 0, changed = 0, units = 0;

	for (unsigned i = 0; i < SIM_PARTS; i++)
		old[i] = sim_digest_part(a, i);
	go(a, 3000);
	go(b, 3000);
	for (unsigned i = 0; i < SIM_PARTS; i++) {
		same += sim_digest_part(a, i) == sim_digest_part(b, i);
		changed += sim_digest_part(a, i) != old[i];
		old[i] = sim_digest_part(a, i);
	}
	is_u64(same, SIM_PARTS, "every part is the same in two runs");
	is_u64(changed, SIM_PARTS, "and another one later");
	ok(sim_force(a, "limit.3@4096", "up", NULL) == 0, "one outcome is forced");
	for (unsigned i = same = 0; i < SIM_PARTS; i++)
		same += i != PART_POLICY && sim_digest_part(a, i) == old[i];
	ok(same == SIM_PARTS - 1 && sim_digest_part(a, PART_POLICY) != old[PART_POLICY],
	   "only the policies' part has changed");
	go(a, 4096);
	go(b, 4096);
	for (unsigned i = 0; i < sim_part_units(a, PART_CORES); i++)
		units += sim_digest_unit(a, PART_CORES, i) != sim_digest_unit(b, PART_CORES, i);
	ok(units == 1 && sim_digest_unit(a, PART_CORES, 3) != sim_digest_unit(b, PART_CORES, 3),
	   "then of the cores only core 3");
	sim_free(a);
	sim_free(b);
	config_free(c);
}

int
main(void)
{
	static const char *const policy[] = {"rr", "dyncta:period=1024+claso"};
	static const char *const whole[] = {"pchase-15x32", "smem-120x256", "tail-120x256"};
	uint64_t until = model_fast() ? 1100 : 4000;

	for (unsigned i = 0; i < N_MODEL_TRACES; i++) {
		struct trace *t = model_reference(model_traces[i]);

		for (unsigned m = 0; m < N_MODEL_MACHINES; m++)
			for (unsigned p = 0; p < 2 && model_runs(i, m); p++) {
				struct config *c = model_config(model_machines[m], policy[p]);
				char what[128];

				snprintf(what, sizeof(what), "%s on %s, %s", model_traces[i],
					 model_machines[m], policy[p]);
				check(c, t, until, what);
				config_free(c);
			}
		core_counts(i, t);
		if (!strcmp(model_traces[i], "phase-120x256"))
			parts(t);
		trace_close(t);
	}
	schedulers(until);
	for (unsigned i = 0; !model_fast() && i < 3; i++) {
		struct trace *t = model_reference(whole[i]);

		for (unsigned m = 0; m < N_MODEL_MACHINES; m++) {
			struct config *c;
			char what[128];

			if (!model_runs(i, m))
				continue;
			c = model_config(model_machines[m], "dyncta+claso");
			snprintf(what, sizeof(what), "%s on %s, to the end", whole[i],
				 model_machines[m]);
			check(c, t, CYCLE_NEVER, what);
			config_free(c);
		}
		trace_close(t);
	}
	cores_off();
	blocked();
	full_ports(4000); /* a port is full from about 2,000 on */
	return done();
}
