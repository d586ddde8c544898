/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * deadlock.c - a run in which nothing can happen any more ends with an error that says who waits
 * for what.
 *
 * There are two causes: lost credits, and a barrier that one warp of a CTA never reaches because it
 * waits for ever at another one. A warp that the trace leaves out counts as exited; that is not a
 * deadlock, and the run must continue.
 */
#include "sim/sim_priv.h"
#include "tests/tap.h"
#include "tests/sim/model.h"

/* n CTAs of two warps: records and a barrier each; missing: warp 1 is left out. */
static struct trace *
kernel(unsigned n, bool missing)
{
	struct tb *b = tb_new();
	struct err e = {0};
	uint32_t add, bar, ex;
	struct trace *t;

	tb_kernel(b, "barrier", n, 64, 16, 0, 70);
	add = tb_inst(b, 0, "FFMA", "R4", "R4 R8 R9");
	bar = tb_inst(b, 0x10, "BAR.SYNC", "", "");
	ex = tb_inst(b, 0x20, "EXIT", "", "");
	for (unsigned c = 0; c < n; c++)
		for (unsigned w = 0; w < (missing ? 1u : 2u); w++) {
			tb_emit(b, c, w, add, ~0u, ADDR_NONE, 0, 0);
			if (w == 0 || !missing)
				tb_emit(b, c, w, bar, ~0u, ADDR_NONE, 0, 0);
			tb_emit(b, c, w, ex, ~0u, ADDR_NONE, 0, 0);
		}
	t = tb_finish(b, &e);
	if (!t)
		model_die("barrier", &e);
	return t;
}

static void
barriers(void)
{
	struct trace *t = kernel(3, true);
	struct config *c = model_config("kayiran30", "rr");
	struct sim *s = model_sim(c, t);

	ok(model_run(s), "a warp that the trace leaves out counts as exited: the barrier opens");
	sim_free(s);
	config_free(c);
	trace_close(t);
}

static struct config *
four_cores(const char *machine, const char *policy)
{
	struct config *c = model_config(machine, policy);

	model_set(c, "gpu.clusters", "4");
	model_set(c, "gpu.cores_per_cluster", "1");
	model_set(c, "gpu.balance", "off");
	model_set(c, "run.deadlock", "5000");
	return c;
}

/* Removes every credit half way (claso's state is numbers only), like a policy that loses some. */
static struct sim *
robbed(struct config *c, struct trace *t)
{
	struct sim *s = model_sim(c, t);
	struct err e = {0};
	int64_t *credit = (int64_t *)((char *)s->stack.host + s->stack.policy[0].state);

	if (sim_run(s, 60, &e) != SIM_REACHED)
		model_die("half way", &e);
	for (size_t i = 0;
	     i < s->stack.policy[0].ops->state_size / 8 + 4 * s->stack.policy[0].ops->core_size / 8;
	     i++)
		credit[i] = -1;
	return s;
}

static void
credits(const char *machine)
{
	struct trace *t = kernel(200, false);
	struct config *c = four_cores(machine, "claso");
	struct err e = {0};
	enum sim_stop how;
	uint64_t at, digest;
	struct sim *s = robbed(c, t);
	int n;

	how = sim_run(s, 1000000, &e);
	at = sim_cycle(s);
	ok(how == SIM_DEADLOCK, "%s, no credits left: deadlock (%d)", machine, (int)how);
	ok(at < 20000, "%s: found soon, at cycle %" PRIu64, machine, at);
	ok(!sim_done(s) && model_value(s, "gpu.ctas_done") < 200, "%s: CTAs are left", machine);
	ok(strstr(e.msg, "deadlock") && strstr(e.msg, "core 0") && strstr(e.msg, "core 3") &&
		   strstr(e.msg, "credit"),
	   "%s: it names the cores and why: %s", machine, e.msg);
	digest = sim_digest(s);
	ok(sim_run(s, at + 100, &e) != SIM_DONE && sim_digest(s) != 0,
	   "%s: the run can be looked at and gone on with", machine);
	sim_free(s);
	/* a run that stops in every cycle detects it, too */
	s = robbed(c, t);
	for (n = 0, how = SIM_REACHED; n < 20000 && how != SIM_DEADLOCK; n++)
		how = sim_run(s, sim_cycle(s) + 1, &e);
	ok(how == SIM_DEADLOCK, "%s: found when the run stops after each cycle, after %d", machine,
	   n);
	sim_free(s);
	/* in the same cycle if every unit is visited */
	model_set(c, "run.skip", "off");
	s = robbed(c, t);
	how = sim_run(s, 1000000, &e);
	ok(how == SIM_DEADLOCK && sim_cycle(s) == at && sim_digest(s) == digest,
	   "%s: the same cycle and state when every unit is visited", machine);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

/* The cores in use share all credits: none is lost with the others. */
static void
unused_cores(const char *machine)
{
	for (unsigned used = 1; used <= 4; used++)
		for (int order = 0; order < 2; order++) {
			char policy[40];
			struct trace *t = kernel(23, false);
			struct config *c;
			struct sim *s;

			snprintf(policy, sizeof(policy),
				 order ? "claso+cores:n=%u" : "cores:n=%u+claso", used);
			c = four_cores(machine, policy);
			s = model_sim(c, t);
			ok(model_run(s) && model_value(s, "gpu.ctas_done") == 23,
			   "%s, %s: all 23 CTAs", machine, policy);
			sim_free(s);
			config_free(c);
			trace_close(t);
		}
}

/* Active cores run out of CTAs while the others, throttled, wait for the end of MONITOR, which is
 * far away but will come. */
static void
waiting_for_a_date(void)
{
	struct trace *whole = model_reference("stride2-120x256");
	struct trace *t = model_shorter(whole, 4, 12);
	struct config *c = four_cores("kayiran30", "tcs:mon_cycle=512,monitor=200000,stall=unit");
	struct sim *s;
	uint64_t end;

	model_set(c, "gpu.clusters", "2");
	model_set(c, "l1d.mshr", "8");
	s = model_sim(c, t);
	end = model_run(s);
	ok(end > 200000 && end < 300000, "all wait for MONITOR to end, then go on to %" PRIu64,
	   end);
	ok(sim_events(s)->count[EV_THROTTLE] && sim_events(s)->count[EV_UNTHROTTLE],
	   "a core was throttled meanwhile");
	sim_free(s);
	trace_close(t);
	trace_close(whole);
	config_free(c);
}

/* The ends of periods do not count as progress. */
static void
periods_go_on(void)
{
	static const char *const policy[] = {"claso+dyncore:period=64",
					     "claso+tcs:mon_cycle=64,monitor=64"};

	for (unsigned i = 0; i < 2; i++) {
		struct trace *t = kernel(200, false);
		struct config *c = four_cores("kayiran30", policy[i]);
		struct sim *s = robbed(c, t);
		struct err e = {0};

		ok(sim_run(s, 1000000, &e) == SIM_DEADLOCK && sim_cycle(s) < 20000,
		   "%s, no credits left: deadlock at %" PRIu64, policy[i], sim_cycle(s));
		sim_free(s);
		trace_close(t);
		config_free(c);
	}
}

int
main(void)
{
	barriers();
	waiting_for_a_date();
	periods_go_on();
	for (unsigned m = 0; m < N_MODEL_MACHINES; m++) {
		credits(model_machines[m]);
		unused_cores(model_machines[m]);
	}
	return done();
}
