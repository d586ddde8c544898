/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dyncta_run.c - the example of CTA pausing (Kayiran et al. 4.1), on the whole machine.
 *
 * N = 4, n = 3; CTA 1 is the oldest, CTA 3 the one assigned last. Each decrement of n pauses the
 * most recently assigned running CTA (3, then 2), at n = 1 there is no further one; each increment
 * resumes the least recently assigned paused one (2, then 3). Only then, at n = 4, does the core
 * take a new CTA. A paused CTA also resumes when a running one finishes, and comes before a new
 * one. The thresholds are set so that every period decrements, or increments: they may change
 * during a run. The paper counts CTAs from 1, the trace from 0.
 */
#include "sim/sim_priv.h"
#include "tests/tap.h"
#include "tests/sim/model.h"

#define PERIOD 500

/* Eight CTAs of warps that do arithmetic: independent, so always ready, or a chain. */
static struct trace *
busy(const unsigned length[8], unsigned warps, bool chain)
{
	struct tb *b = tb_new();
	struct err e = {0};
	uint32_t add[4], ex;
	struct trace *t;

	tb_kernel(b, "busy", 8, warps * WARP_SIZE, 16, 0, 70);
	for (unsigned i = 0; i < 4; i++) {
		char dst[8];

		snprintf(dst, sizeof(dst), "R%u", chain ? 4 : 4 + i);
		add[i] = tb_inst(b, 16 * i, "FFMA", dst, chain ? "R4 R8 R9" : "R1 R2 R3");
	}
	ex = tb_inst(b, 0x40, "EXIT", "", "");
	for (unsigned c = 0; c < 8; c++)
		for (unsigned w = 0; w < warps; w++) {
			for (unsigned i = 0; i < length[c]; i++)
				tb_emit(b, c, w, add[i % 4], ~0u, ADDR_NONE, 0, 0);
			tb_emit(b, c, w, ex, ~0u, ADDR_NONE, 0, 0);
		}
	t = tb_finish(b, &e);
	if (!t)
		model_die("busy", &e);
	return t;
}

static struct sim *
start(struct trace *t, struct config *c)
{
	model_set(c, "gpu.clusters", "1");
	model_set(c, "gpu.cores_per_cluster", "1");
	model_set(c, "core.max_ctas", "4");
	model_set(c, "core.threads", "1024");
	model_set(c, "gpu.launch_latency", "0");
	model_set_u(c, "dyncta.period", PERIOD);
	model_set(c, "dyncta.n0", "3");
	config_wsched(c, "lrr",
		      NULL); /* no other preference among warps than that for running CTAs */
	return model_sim(c, t);
}

/* From now on every period moves n by one, down or up. */
static void
move(struct sim *s, bool down)
{
	struct err e = {0};

	if (sim_set(s, "dyncta.t_idle", down ? "16M" : "0", &e) < 0 ||
	    sim_set(s, "dyncta.t_mem_l", "0", &e) < 0 || sim_set(s, "dyncta.t_mem_h", "0", &e) < 0)
		model_die("thresholds", &e);
}

/* Returns "0 1p 2p": CTAs by age, p for paused. */
static const char *
residents(const struct sim *s)
{
	static char text[128];
	struct core_view v;
	size_t n = 0;

	sim_core_view(s, 0, &v);
	text[0] = '\0';
	for (unsigned age = 0; age < v.resident; age++)
		for (unsigned i = 0; i < v.n_slots; i++)
			if (v.slot[i].used && v.slot[i].order == age)
				n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%u%s",
						      n ? " " : "", v.slot[i].cta,
						      v.slot[i].paused ? "p" : "");
	return text;
}

static void
period(struct sim *s, unsigned k)
{
	struct err e = {0};

	sim_run(s, k * PERIOD + 1, &e);
}

/* Counts the warp instructions that each resident CTA has issued. */
static void
progress(const struct sim *s, uint64_t done[8])
{
	memset(done, 0, 8 * sizeof(done[0]));
	for (unsigned w = 0; w < sim_warps(s); w++) {
		struct warp_view v;

		sim_warp_view(s, 0, w, &v);
		if (v.status != WARP_FREE)
			done[v.cta] += v.done;
	}
}

static void
example(const char *machine)
{
	const unsigned length[8] = {2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000};
	struct trace *t = busy(length, 8, false);
	struct config *c = model_config(machine, "dyncta");
	struct sim *s = start(t, c);
	uint64_t a[8], b[8];
	struct core_view v;

	move(s, true);
	sim_run(s, PERIOD - 10, NULL);
	sim_core_view(s, 0, &v);
	is_u64(v.n_max, 4, "%s: N = 4", machine);
	is_u64(v.limit, 3, "%s: n = 3", machine);
	is_str(residents(s), "0 1 2", "%s: three CTAs run", machine);
	period(s, 1);
	is_str(residents(s), "0 1 2p", "%s: n is decremented, CTA3 is paused", machine);
	progress(s, a);
	period(s, 2);
	is_str(residents(s), "0 1p 2p", "%s: decremented further, CTA2 is paused", machine);
	progress(s, b);
	ok((b[2] - a[2]) * 4 < b[0] - a[0] && (b[2] - a[2]) * 4 < b[1] - a[1],
	   "%s: while paused CTA3 issued %" PRIu64 ", the others %" PRIu64 " and %" PRIu64, machine,
	   b[2] - a[2], b[0] - a[0], b[1] - a[1]);
	period(s, 3);
	is_str(residents(s), "0 1p 2p", "%s: n = 1 cannot be decremented", machine);
	sim_core_view(s, 0, &v);
	is_u64(v.limit, 1, "%s: n = 1", machine);
	move(s, false);
	period(s, 4);
	is_str(residents(s), "0 1 2p", "%s: n is incremented, CTA2 runs again", machine);
	period(s, 5);
	is_str(residents(s), "0 1 2", "%s: and CTA3; no new CTA yet", machine);
	progress(s, a);
	period(s, 6);
	is_str(residents(s), "0 1 2 3", "%s: n = 4: a new CTA", machine);
	progress(s, b);
	ok((b[2] - a[2]) * 2 > b[0] - a[0],
	   "%s: CTA3 has the same priority again: %" PRIu64 " and %" PRIu64, machine, b[2] - a[2],
	   b[0] - a[0]);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

/* As Algorithm 1 is printed, an increase leaves n while a CTA is paused. By hand: n goes 3, 2, 1;
 * three CTAs are resident, so increases leave n at 1; when CTA1 and CTA2 have ended, only CTA3 is
 * resident, and the next increase makes n 2, so that a new CTA comes. */
static void
listing(const char *machine)
{
	const unsigned length[8] = {400, 100, 2000, 2000, 2000, 2000, 2000, 2000};
	struct trace *t = busy(length, 2, true);
	struct config *c = model_config(machine, "dyncta:algorithm=listing");
	struct sim *s = start(t, c);
	unsigned k = 2, raised = 0;

	move(s, true);
	period(s, k);
	ok(strchr(residents(s), 'p') && model_value(s, "core.0.n") == 1, "%s: n = 1, %s", machine,
	   residents(s));
	move(s, false);
	while (strchr(residents(s), 'p') && k < 100) {
		period(s, ++k);
		raised += strchr(residents(s), 'p') && model_value(s, "core.0.n") != 1;
	}
	ok(k > 3 && raised == 0, "%s: while a CTA is paused, %u increases leave n at 1", machine,
	   k - 3);
	is_str(residents(s), "2 3", "%s: the next one finds CTA3 alone and lets a new one come",
	       machine);
	is_u64((uint64_t)model_value(s, "core.0.n"), 2, "%s: n = 2", machine);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

/* If a running CTA finishes while two are paused, the older paused one resumes and no new one is
 * taken. */
static void
finish(const char *machine)
{
	const unsigned length[8] = {300, 2000, 2000, 100, 100, 100, 100, 100};
	struct trace *t = busy(length, 2, true);
	struct config *c = model_config(machine, "dyncta");
	struct sim *s = start(t, c);
	struct refusal_view why;

	move(s, true);
	period(s, 2);
	is_str(residents(s), "0 1p 2p", "%s: CTA2 and CTA3 are paused", machine);
	sim_set(s, "dyncta.t_mem_h", "16M", NULL); /* from now on n stays */
	while (!strncmp(residents(s), "0 ", 2) && sim_run(s, sim_cycle(s) + 1, NULL) == SIM_REACHED)
		;
	is_str(residents(s), "1 2p", "%s: CTA1 finishes, CTA2 runs, no new one comes", machine);
	sim_why_not(s, 0, &why);
	ok(why.kind == REFUSE_PAUSED, "%s: because a paused one comes first: %s", machine,
	   why.text);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

/* While CTA1 alone runs and can always issue, each warp of the paused ones issues from time to
 * time. */
static void
starved(const char *machine)
{
	const unsigned length[8] = {2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000};
	struct trace *t = busy(length, 8, false);
	struct config *c = model_config(machine, "dyncta");
	unsigned before[24], n = 0;
	struct warp_view v;
	struct sim *s;

	model_set(c, "core.starve", "100");
	model_set(c, "core.simt_width", "32"); /* the pipes are never full */
	model_set(c, "core.ii_sp", "1");
	s = start(t, c);
	move(s, true);
	period(s, 2);
	is_str(residents(s), "0 1p 2p", "%s: CTA2 and CTA3 are paused", machine);
	for (unsigned w = 8; w < 24; w++) {
		sim_warp_view(s, 0, w, &v);
		before[w] = v.done;
	}
	period(s, 3);
	for (unsigned w = 8; w < 24; w++) {
		sim_warp_view(s, 0, w, &v);
		n += v.done > before[w];
	}
	is_u64(n, 16, "%s: within 500 cycles every one of their warps has issued", machine);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

/* CTA1 goes from one row of DRAM to the next, one load at a time; the others can always issue, or
 * load as it does. */
static struct trace *
chase(bool all)
{
	struct tb *b = tb_new();
	struct err e = {0};
	uint32_t add, load, ex;
	struct trace *t;

	tb_kernel(b, "chase", 8, WARP_SIZE, 16, 0, 70);
	load = tb_inst(b, 0, "LDG.E", "R4", "R4");
	add = tb_inst(b, 0x10, "FFMA", "R5", "R1 R2 R3");
	ex = tb_inst(b, 0x20, "EXIT", "", "");
	for (unsigned c = 0; c < 8; c++) {
		for (unsigned i = 0; i < 2000; i++)
			tb_emit(b, c, 0, c && !all ? add : load, ~0u,
				c && !all ? ADDR_NONE : ADDR_STRIDE,
				0x40000000 + ((uint64_t)i << 20) + c * 4096, 4);
		tb_emit(b, c, 0, ex, ~0u, ADDR_NONE, 0, 0);
	}
	t = tb_finish(b, &e);
	if (!t)
		model_die("chase", &e);
	return t;
}

struct left_over {
	uint64_t insts;		 /* issued by the paused CTAs */
	uint64_t active, memory; /* cycles of these classes */
	bool held;
	bool absent; /* the counts of warps exclude those of held CTAs */
};

/* Two of the three warps are held: neither of them is counted as one that could issue. */
static bool
left_out(const struct sim *s)
{
	struct core_view v;
	struct warp_view w;

	sim_core_view(s, 0, &v);
	sim_warp_view(s, 0, 1, &w);
	return v.warps == 3 && v.warps_held == 2 && !v.warps_ready && !v.warps_dependence &&
	       v.warps_memory + v.warps_unfetched == 1 && w.held && w.status == WARP_READY &&
	       model_value(s, "core.0.warps_ready") == 0 &&
	       model_value(s, "core.0.warps_held") == 2;
}

/* Runs ten periods in which CTA1 alone runs. */
static struct left_over
left_over(const char *machine, const char *policy, const char *starve, const char *skip, bool loads)
{
	struct trace *t = chase(loads);
	struct config *c = model_config(machine, policy);
	struct core_view from, to;
	uint64_t a[8], b[8];
	struct left_over k;
	struct sim *s;

	model_set(c, "core.starve", starve);
	model_set(c, "run.skip", skip);
	s = start(t, c);
	move(s, true);
	period(s, 3);
	sim_core_view(s, 0, &from);
	progress(s, a);
	period(s, 13);
	is_str(residents(s), "0 1p 2p", "%s, %s: CTA2 and CTA3 are paused", machine, policy);
	sim_core_view(s, 0, &to);
	progress(s, b);
	k = (struct left_over){.insts = b[1] - a[1] + b[2] - a[2],
			       .active = to.class_cycles[CC_ACTIVE] - from.class_cycles[CC_ACTIVE],
			       .memory = to.class_cycles[CC_MEMORY] - from.class_cycles[CC_MEMORY],
			       .absent = left_out(s),
			       .held = to.slot[1].held && to.slot[2].held && !to.slot[0].held};
	sim_free(s);
	config_free(c);
	trace_close(t);
	return k;
}

/* The warps of a held CTA are as if absent: the other warps decide the class of a cycle. */
static void
held(const char *machine)
{
	struct left_over yield = left_over(machine, "dyncta", "100000", "on", false),
			 hold = left_over(machine, "dyncta:pause=hold", "100000", "on", false),
			 guard = left_over(machine, "dyncta:pause=hold", "100", "on", false),
			 every = left_over(machine, "dyncta:pause=hold", "100", "off", false);

	ok(!yield.held && hold.held, "%s: held is not just paused", machine);
	ok(yield.insts > 500, "%s: while CTA1 waits the paused ones issue %" PRIu64, machine,
	   yield.insts);
	ok(hold.absent && !yield.absent, "%s: which is so in the counts of warps", machine);
	is_u64(hold.insts, 0, "%s: held ones issue nothing", machine);
	ok(hold.memory > 9 * PERIOD && yield.memory < 2 * PERIOD,
	   "%s: cycles that they could have used wait for memory: %" PRIu64 ", not %" PRIu64,
	   machine, hold.memory, yield.memory);
	/* two warps, each of which is taken when it could have issued 100 cycles ago */
	ok(guard.insts >= 90 && guard.insts <= 2 * 10 * PERIOD / 100,
	   "%s: but when they starve: %" PRIu64, machine, guard.insts);
	ok(every.insts == guard.insts && every.active == guard.active &&
		   every.memory == guard.memory,
	   "%s: the same when every unit is visited: %" PRIu64 ", %" PRIu64, machine, every.insts,
	   every.active);
}

/* Steps through ten periods; returns the loads that paused CTAs issued in cycles in which CTA1
 * waited for memory before and after and issued nothing. */
static uint64_t
loads_beside_wait(const char *machine)
{
	struct trace *t = chase(true);
	struct config *c = model_config(machine, "dyncta:pause=mem");
	uint64_t a[8], b[8], n = 0;
	struct warp_view v;
	struct sim *s;

	model_set(c, "core.starve", "100000");
	s = start(t, c);
	move(s, true);
	period(s, 3);
	for (cycle_t x = 3 * PERIOD + 2; x <= 13 * PERIOD; x++) {
		bool waited;

		sim_warp_view(s, 0, 0, &v);
		waited = v.status == WARP_MEMORY;
		progress(s, a);
		sim_run(s, x, NULL);
		progress(s, b);
		sim_warp_view(s, 0, 0, &v);
		if (waited && v.status == WARP_MEMORY && b[0] == a[0])
			n += b[1] - a[1] + b[2] - a[2];
	}
	sim_free(s);
	config_free(c);
	trace_close(t);
	return n;
}

/* pause=mem: what a paused CTA does without memory it does as ever, but it sends no load while CTA1
 * waits for one, unless it starves. */
static void
deferred(const char *machine)
{
	static const char mem[] = "dyncta:pause=mem";
	struct left_over yield = left_over(machine, "dyncta", "100000", "on", false),
			 adds = left_over(machine, mem, "100000", "on", false),
			 loads = left_over(machine, "dyncta", "100000", "on", true),
			 waits = left_over(machine, mem, "100000", "on", true),
			 guard = left_over(machine, mem, "400", "on", true),
			 every = left_over(machine, mem, "400", "off", true);

	is_u64(adds.insts, yield.insts, "%s: deferred, other instructions issue", machine);
	ok(waits.insts < loads.insts,
	   "%s: of %" PRIu64 " loads of the paused CTAs %" PRIu64 " are sent", machine, loads.insts,
	   waits.insts);
	is_u64(loads_beside_wait(machine), 0, "%s: none while CTA1 waits", machine);
	ok(waits.memory > 9 * PERIOD, "%s: such a warp waits for memory: %" PRIu64, machine,
	   waits.memory);
	ok(guard.insts > 0 && guard.insts <= 2 * 10 * PERIOD / 400 + 2,
	   "%s: but when it starves: %" PRIu64, machine, guard.insts);
	ok(every.insts == guard.insts && every.active == guard.active &&
		   every.memory == guard.memory,
	   "%s: the same when every unit is visited", machine);
}

/* The way in which CTAs are paused may change from the next cycle on. */
static void
pause_changes(const char *machine)
{
	const unsigned length[8] = {2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000};
	struct trace *t = busy(length, 2, true);
	struct config *c = model_config(machine, "dyncta");
	struct sim *s = start(t, c);
	struct core_view v;
	uint64_t events;

	move(s, true);
	period(s, 2);
	events = s->events->count[EV_PAUSE] + s->events->count[EV_RESUME];
	sim_set(s, "dyncta.pause", "hold", NULL);
	sim_core_view(s, 0, &v);
	ok(v.slot[1].held && v.slot[2].held && !v.slot[0].held, "%s: held at once", machine);
	is_u64(s->events->count[EV_PAUSE] + s->events->count[EV_RESUME], events,
	       "%s: which is no pause anew", machine);
	sim_set(s, "dyncta.pause", "yield", NULL);
	sim_core_view(s, 0, &v);
	ok(!v.slot[1].held && v.slot[1].paused, "%s: and back", machine);
	sim_set(s, "dyncta.pause", "hold", NULL);
	move(s, false);
	period(s, 4);
	sim_core_view(s, 0, &v);
	ok(!v.slot[1].held && !v.slot[1].paused, "%s: resumed, it is not held", machine);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

int
main(void)
{
	for (unsigned m = 0; m < N_MODEL_MACHINES; m++) {
		example(model_machines[m]);
		starved(model_machines[m]);
		finish(model_machines[m]);
		listing(model_machines[m]);
		held(model_machines[m]);
		deferred(model_machines[m]);
		pause_changes(model_machines[m]);
	}
	return done();
}
