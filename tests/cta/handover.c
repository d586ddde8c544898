/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handover.c - policies and their periods changed at a stop: what is kept, what is lost, what the
 * note says, and that the run continues to its end.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

static char note[400];

static struct sim *
run_to(struct trace *t, const char *stack, cycle_t cycle)
{
	struct config *c = model_config("gtx480", stack);
	struct err e = {0};
	struct sim *s;

	model_set(c, "dyncta.period", "256");
	s = model_sim(c, t);
	config_free(c);
	if (sim_run(s, cycle, &e) != SIM_REACHED)
		model_die(stack, &e);
	return s;
}

static void
change(struct sim *s, const char *stack)
{
	struct err e = {0};

	note[0] = '\0';
	if (sim_set_policy(s, stack, note, sizeof(note), &e) < 0)
		model_die(stack, &e);
}

static void
finish(struct sim *s, const char *what)
{
	struct err e = {0};
	bool done = sim_run(s, CYCLE_NEVER, &e) == SIM_DONE;

	ok(done && model_value(s, "gpu.ctas_done") == model_value(s, "gpu.ctas_issued") &&
		   model_value(s, "gpu.ctas_done") == 120,
	   "%s: all 120 CTAs end", what);
	sim_free(s);
}

static void
kept(struct trace *t)
{
	struct sim *s = run_to(t, "dyncta", 4000);
	double n[15], changes = model_value(s, "policy.dyncta.changes.3");
	bool same = true;
	char path[64];

	for (unsigned i = 0; i < 15; i++) {
		snprintf(path, sizeof(path), "core.%u.n", i);
		n[i] = model_value(s, path);
	}
	ok(changes > 0, "dyncta has changed limits");
	change(s, "dyncta+claso");
	for (unsigned i = 0; i < 15; i++) {
		snprintf(path, sizeof(path), "core.%u.n", i);
		same &= model_value(s, path) == n[i];
	}
	ok(same && model_value(s, "policy.dyncta.changes.3") == changes,
	   "a policy in both stacks keeps its limits and its state");
	ok(strstr(note, "kept the resident CTAs, all counters, the state of dyncta") &&
		   !strstr(note, "lost") && strstr(note, "; claso starts"),
	   "the note says so: %s", note);
	is_u64((uint64_t)model_value(s, "credits.local.0"),
	       (uint64_t)ceil((120 - model_value(s, "kernel.ctas_issued")) / 15),
	       "claso shares out the CTAs that are left");
	change(s, "static:n=6");
	ok(strstr(note, "lost the state of dyncta, claso") != NULL, "what is lost is named: %s",
	   note);
	finish(s, "dyncta -> dyncta+claso -> static");
}

static void
cores(struct trace *t)
{
	struct sim *s = run_to(t, "cores:n=4", 3000);
	struct err e = {0};

	is_u64((uint64_t)model_value(s, "core.4.state"), CORE_OFF, "core 4 is off");
	is_u64((uint64_t)model_value(s, "core.4.gated"), 3000, "for 3000 cycles");
	change(s, "cores:n=6");
	is_u64((uint64_t)model_value(s, "core.5.state"), CORE_ACTIVE,
	       "n = 6: core 5 is on at once");
	is_u64((uint64_t)model_value(s, "core.6.state"), CORE_OFF, "core 6 is not");
	ok(sim_set(s, "cores.n", "7", &e) == 0 && model_value(s, "core.6.state") == CORE_ACTIVE,
	   "an option changed at a stop takes effect at once");
	ok(sim_set(s, "cores.n", "2", &e) == 0 && model_value(s, "core.3.state") == CORE_DRAINING,
	   "fewer cores: one that holds CTAs drains first");
	change(s, "rr");
	ok(model_value(s, "core.14.state") == CORE_ACTIVE && strstr(note, "cores work again"),
	   "without cores:n all work: %s", note);
	finish(s, "cores -> rr");
}

static void
pauses(struct trace *t)
{
	struct sim *s = run_to(t, "rr", 3000);
	const struct event_ring *r = sim_events(s);
	char text[300] = "";

	change(s, "dyncta:n0=2");
	for (uint64_t i = r->first; i < r->next; i++)
		if (event_ring_get(r, i)->kind == EV_PAUSE)
			sim_event_text(s, event_ring_get(r, i), text, sizeof(text));
	ok(strstr(text, "the policy was changed, limit 2, paused CTA") != NULL,
	   "CTAs above the new limit are paused, and the event says why: %s", text);
	finish(s, "rr -> dyncta");
}

static void
wrong(struct trace *t)
{
	struct sim *s = run_to(t, "dyncta", 1000);
	uint64_t digest = sim_digest(s);
	struct err e = {0};

	ok(sim_set_policy(s, "nonsense", note, sizeof(note), &e) < 0 && sim_digest(s) == digest &&
		   !strcmp(config_policy_text(sim_config(s)), "dyncta"),
	   "an unknown policy changes nothing: %s", e.msg);
	finish(s, "after the mistake");
}

/* Runs to cycle 300, under dyncore from there on; tried: on the way another policy was set and
 * removed again. */
static uint64_t
under_dyncore(struct trace *t, const char *tried)
{
	struct sim *s = run_to(t, "dyncta:n0=1+onac", 300);
	struct err e = {0};
	struct snapshot *k = sim_save(s, &e);
	uint64_t digest;

	if (tried) {
		change(s, tried);
		sim_run(s, 400, &e);
		change(s, "dyncta:n0=1+onac");
		if (!k || sim_restore(s, k, &e) < 0)
			model_die(tried, &e);
	}
	change(s, "dyncta+dyncore:off=8,t_act=100000,period=256");
	if (sim_run(s, 3000, &e) != SIM_REACHED)
		model_die("dyncore", &e);
	digest = sim_digest(s);
	snapshot_free(k);
	sim_free(s);
	return digest;
}

/* The state does not contain which policies the run has tried. */
static void
history(struct trace *t)
{
	ok(under_dyncore(t, "claso") == under_dyncore(t, NULL),
	   "a policy that was tried and given up leaves no trace in the state");
}

/* Runs `stack` to `cycle`, and to the end. tried: other stacks that were set on the way, ending
 * with `stack` again. Returns the state at the end, which contains all counters. */
static uint64_t
digest_at_end(struct trace *t, const char *stack, cycle_t cycle, const char *const *tried)
{
	struct sim *s = run_to(t, stack, cycle);
	struct err e = {0};
	uint64_t digest;

	for (; tried && *tried; tried++)
		change(s, *tried);
	if (sim_run(s, CYCLE_NEVER, &e) != SIM_DONE)
		model_die(stack, &e);
	digest = sim_digest(s);
	sim_free(s);
	return digest;
}

/* A stack that comes back in the cycle in which it was replaced continues with its state. */
static void
returns(struct trace *t)
{
	static const char *const row[][3] = {{"claso:pa=1", "rr", "static:n=1"},
					     {"dyncta", "rr", "dyncta+claso"},
					     {"dyncta:pause=hold,n0=1+claso", "static:n=2", "onac"},
					     {"cores:n=4+claso", "rr", "cores:n=6"},
					     {"tcs:mon_cycle=512", "rr", "onac"},
					     {"equalizer:epoch=512", "dyncta", "rr"},
					     {"lcs", "rr", "bcs"},
					     {"swl:n=2+static:n=2", "rr", "swl:n=4"},
					     {"ccws:k=50", "swl", "rr"}};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		const char *stack = row[i][0], *tried[] = {row[i][1], row[i][2], stack, NULL};
		uint64_t plain = digest_at_end(t, stack, 3001, NULL);

		ok(digest_at_end(t, stack, 3001, tried) == plain &&
			   strstr(note, ": it continues with its former state"),
		   "%s, replaced by %s, %s and back in one cycle: nothing has changed at the end",
		   stack, tried[0], tried[1]);
	}
}

static uint64_t
periods_at(struct sim *s, cycle_t cycle)
{
	struct err e = {0};

	if (sim_run(s, cycle, &e) != SIM_REACHED)
		model_die("run", &e);
	return sim_periods(s);
}

/* The length of a period that is set between two periods holds for the second; within a period it
 * holds for the next one. */
static void
new_period(struct trace *t)
{
	struct sim *s = run_to(t, "dyncta", 1024);
	struct err e = {0};

	is_u64(periods_at(s, 1024), 4, "four periods of 256 cycles");
	ok(sim_set(s, "dyncta.period", "64", &e) == 0, "a new length at the end of the fourth");
	is_u64(periods_at(s, 1088), 5, "holds for the fifth");
	periods_at(s, 1100);
	ok(sim_set(s, "dyncta.period", "512", &e) == 0, "one in the middle of the sixth");
	is_u64(periods_at(s, 1151), 5, "does not change its length");
	is_u64(periods_at(s, 1152), 6, "it ends as it began");
	is_u64(periods_at(s, 1663), 6, "the seventh");
	is_u64(periods_at(s, 1664), 7, "has the new length");
	change(s, "dyncta:period=32+claso");
	is_u64(periods_at(s, 1696), 8, "so has the one after a change of the stack");
	finish(s, "dyncta with five lengths of its period");
}

int
main(void)
{
	struct trace *t = model_reference("phase-120x256");

	kept(t);
	cores(t);
	pauses(t);
	wrong(t);
	history(t);
	returns(t);
	new_period(t);
	trace_close(t);
	done();
}
