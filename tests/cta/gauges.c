/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gauges.c - the gauges of a policy are the numbers by which it decides: at the end of every period
 * the kept reading is the number that the decision's rule names, including thresholds; in the
 * middle of a period it is what the core has counted so far.
 */
#include "tests/sim/model.h"
#include "tests/tap.h"
#include <math.h>

static const struct {
	const char *stack, *trace, *mshr;
	const char *gauge, *value; /* the gauge, and the number of a rule that must be the same */
	const char *low, *high;	   /* and those of its thresholds; NULL: not in the rule */
	double scale;		   /* of the number */
	unsigned ctas;		   /* of the trace */
} row[] = {
	{"dyncta:period=512", "mixed-120x256", "", "C_mem", "c_mem", "t_mem_l", "t_mem_h", 1, 24},
	{"dyncta:period=512", "mixed-120x256", "", "C_idle", "c_idle", NULL, "t_idle", 1, 24},
	{"dyncta:period=512,cmem=data,cidle=any", "mixed-120x256", "", "C_mem", "c_mem", "t_mem_l",
	 "t_mem_h", 1, 24},
	{"dyncta:period=512,cidle=any", "mixed-120x256", "", "C_idle", "c_idle", NULL, "t_idle", 1,
	 24},
	{"dyncta:period=512,cmem=raw", "mixed-120x256", "", "C_mem", "c_mem", "t_mem_l", "t_mem_h",
	 1, 24},
	{"claso+dyncore:period=512,off=2,t_act=600", "mixed-120x256", "", "G_act", "g_act", "t_act",
	 NULL, 1, 24},
	{"tcs:mon_cycle=512,monitor=1600", "stride2-120x256", "8", "stall", "stall", NULL, "half",
	 1, 24},
	{"tcs:mon_cycle=512,monitor=1600,stall=unit,thr_factor=0.5", "stride2-120x256", "8",
	 "stall", "stall", NULL, "half", 1, 24},
	{"tcs:mon_cycle=512,monitor=1600,stall=run", "stride2-120x256", "8", "stall", "stall", NULL,
	 "half", 1, 24},
	{"htcs:mon_cycle=512,monitor=1600", "stride2-120x256", "8", "AMAT", "amat", NULL, "thr", 1,
	 24},
	{"onac:waves=1", "alu4-120x256", "", "IPC", "ipc_milli", NULL, NULL, 1000, 100},
	{"seqdet:waves=1", "alu4-120x256", "", "IPC", "ipc_milli", NULL, NULL, 1000, 100},
};

struct seen {
	struct sim *s;
	unsigned i, same, wrong;
};

/* Returns the index of the gauge of that name. */
static unsigned
place_of(const struct sim *s, const char *name)
{
	for (unsigned i = 0; i < sim_gauges(s); i++) {
		struct gauge_view v;

		sim_gauge_view(s, i, 0, &v);
		if (!strcmp(v.gauge->name, name))
			return i;
	}
	return UINT32_MAX;
}

static bool
same(const struct rule *r, const struct event *ev, const char *name, double is)
{
	int i = name ? rule_find(r, name, strlen(name)) : -1;

	return i < 0 || (double)ev->v[i] == is;
}

static void
look(void *ctx, const struct event *ev)
{
	struct seen *seen = ctx;
	const struct rule *r = sim_event_rule(seen->s, ev);
	const char *value = row[seen->i].value;
	unsigned g = place_of(seen->s, row[seen->i].gauge);
	double scale = row[seen->i].scale;
	struct gauge_view v;

	if (rule_find(r, value, strlen(value)) < 0 || g == UINT32_MAX)
		return;
	sim_gauge_view(seen->s, g, ev->core >= 0 ? (unsigned)ev->core : 0, &v);
	if (v.last_end == ev->cycle && v.gauge->per_core == (ev->core >= 0) &&
	    same(r, ev, value, floor(v.last.value * scale)) &&
	    same(r, ev, row[seen->i].low, v.last.low) &&
	    same(r, ev, row[seen->i].high, v.last.high)) {
		seen->same++;
		return;
	}
	if (!seen->wrong++)
		diag("core %d, cycle %" PRIu64
		     ", rule %s: the gauge showed %g (%g, %g) at %" PRIu64,
		     ev->core, ev->cycle, r->name, v.last.value, v.last.low, v.last.high,
		     v.last_end);
}

static struct sim *
start(unsigned i, struct trace *t)
{
	struct config *c = model_config("kayiran30", row[i].stack);
	struct sim *s;

	model_set(c, "gpu.clusters", "4");
	model_set(c, "gpu.cores_per_cluster", "1");
	model_set(c, "gpu.balance", "off");
	model_set(c, "core.max_ctas", row[i].ctas > 24 ? "2" : "8");
	if (*row[i].mshr)
		model_set(c, "l1d.mshr", row[i].mshr);
	s = model_sim(c, t);
	config_free(c);
	return s;
}

static void
decides_by_it(unsigned i)
{
	struct trace *whole = model_reference(row[i].trace),
		     *t = model_shorter(whole, row[i].ctas, 40);
	struct seen seen = {.s = start(i, t), .i = i};

	sim_listen(seen.s, EV_BIT(EV_PERIOD) | EV_BIT(EV_SAMPLE_END), look, &seen);
	ok(model_run(seen.s), "%s: runs to its end", row[i].stack);
	ok(seen.same && !seen.wrong, "%s: %u decisions by what %s showed, %u by something else",
	   row[i].stack, seen.same, row[i].gauge, seen.wrong);
	sim_free(seen.s);
	trace_close(t);
	trace_close(whole);
}

static void
now_and_then(void)
{
	struct trace *whole = model_reference(row[0].trace), *t = model_shorter(whole, 24, 40);
	struct sim *s = start(0, t);
	struct gauge_view v, w;
	struct core_view core;
	struct err e = {0};
	cycle_t done;

	sim_run(s, 505, &e);
	sim_gauge_view(s, 0, 2, &v);
	sim_core_view(s, 2, &core);
	ok(v.last_end == CYCLE_NEVER && isnan(v.last.value),
	   "no period has ended: nothing is kept");
	ok(v.now.value > 0 && v.now.value == (double)core.period_c_mem,
	   "C_mem since the kernel began: %g", v.now.value);
	ok(v.now.low == 128 && v.now.high == 384, "its thresholds are the policy's parameters");
	ok(sim_period(s, &done) == 512 && done == 505, "505 of 512 cycles are done");
	sim_run(s, 512 + 200, &e);
	sim_gauge_view(s, 0, 2, &w);
	ok(w.last_end == 512 && w.last.value >= v.now.value, "the period that ended is kept: %g",
	   w.last.value);
	ok(w.shown.value == w.now.value, "but not shown any more");
	ok(w.now.value <= 200 && sim_period(s, &done) == 512 && done == 200,
	   "and the next one runs");
	sim_set(s, "dyncta.t_mem_h", "400", &e);
	sim_gauge_view(s, 0, 2, &v);
	ok(v.now.high == 400 && v.last.high == 384, "a threshold that is changed is not so before");
	ok(sim_set_policy(s, "tcs+dyncta", NULL, 0, &e) == 0 && sim_gauges(s) == 4,
	   "four gauges in a stack of two");
	sim_gauge_view(s, 2, 2, &v);
	ok(!strcmp(v.policy->name, "dyncta") && v.last.value == w.last.value && v.last_end == 512 &&
		   v.now.value == w.now.value,
	   "a policy that stays keeps what its gauges showed");
	sim_gauge_view(s, 0, 2, &v);
	ok(!strcmp(v.policy->name, "tcs") && v.last_end == CYCLE_NEVER, "one that comes has none");
	sim_set_policy(s, "rr", NULL, 0, &e);
	ok(sim_gauges(s) == 0 && sim_period(s, &done) == 0, "rr weighs nothing and has no period");
	sim_free(s);
	trace_close(t);
	trace_close(whole);
}

int
main(void)
{
	for (unsigned i = 0; i < ARRAY_LEN(row); i++)
		decides_by_it(i);
	now_and_then();
	return done();
}
