/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads.c - a run on two threads (sim/threads.h) has the states of a run on one: on every
 * machine, under policies of each kind, at random cycles, after restores, and at the end. And two
 * threads were used, so that this says something.
 */
#include "base/partner.h"
#include "base/random.h"
#include "sim/halves.h"
#include "sim/sim_priv.h"
#include "tests/tap.h"
#include "tests/sim/model.h"

#include <string.h>

#define STATES 12

static const char *const policies[] = {
	"rr",
	"dyncta:period=512,cmem=data,cidle=any",
	"tcs:mon_cycle=256,monitor=500,stall=run",
	"onac:waves=1,loss=0.3",
	"dyncore:period=512+claso",
};

static struct sim *
new_sim(const char *machine, const char *policy, const char *threads, const char *row_prefetch,
	struct trace *t)
{
	struct config *c = model_config(machine, policy);
	struct err e = {0};
	struct sim *s;

	if (opt_set(config_db(c), "run.threads", threads, &e) < 0 ||
	    opt_set(config_db(c), "mem.row_prefetch", row_prefetch, &e) < 0)
		model_die(machine, &e);
	s = model_sim(c, t);
	config_free(c);
	return s;
}

/* Many warps on every core. */
static const char *const busy[] = {"alu4-120x256", "mixed-120x256", "stream-120x256"};

static unsigned runs, parted; /* parted: mostly on two threads */

/* Runs both to the same random cycles, and one of them twice over a part. */
static void
compare(const char *machine, const char *policy, const char *trace, uint64_t *seed)
{
	struct trace *t = model_reference(trace);
	const char *rows = random_below(seed, 4) ? "0" : "3";
	struct sim *one = new_sim(machine, policy, "1", rows, t),
		   *two = new_sim(machine, policy, "2", rows, t);
	bool same = true;
	cycle_t at = 0;
	struct err e = {0};

	for (unsigned i = 0; i < STATES && same && !sim_done(one); i++) {
		struct snapshot *k = sim_save(two, &e);

		at += 1 + random_below(seed, i % 3 ? 1500 : 90);
		sim_run(one, at, &e);
		sim_run(two, at + random_below(seed, 300), &e);
		if (!k || sim_restore(two, k, &e) < 0)
			model_die(trace, &e);
		sim_run(two, at, &e);
		snapshot_free(k);
		same = sim_digest(one) == sim_digest(two);
	}
	ok(same, "%s, %s, %s: the same states up to cycle %llu", trace, machine, policy,
	   (unsigned long long)at);
	sim_run(one, at + 30000, &e);
	sim_run(two, at + 30000, &e);
	ok(sim_digest(one) == sim_digest(two), "%s, %s, %s: the same state at cycle %llu", trace,
	   machine, policy, (unsigned long long)sim_cycle(one));
	ok(model_value(one, "sim.two_threads") == 0, "%s, %s: one thread is one", trace, machine);
	runs++;
	parted += model_value(two, "sim.two_threads") > 0.5;
	sim_free(one);
	sim_free(two);
	trace_close(t);
}

/* With the second team of cores, whatever threads.c would choose. */
static void
compare_teams(const char *machine, const char *policy, const char *trace)
{
	struct trace *t = model_reference(trace);
	struct sim *one = new_sim(machine, policy, "1", "0", t),
		   *two = new_sim(machine, policy, "1", "0", t);
	struct halves *h = halves_new(two);
	cycle_t shared = 0, at = 0, from, sample;
	struct err e = {0};
	bool same = true;

	if (!h || !partner_is_there())
		model_die(machine, &e);
	for (unsigned i = 0; i < 4 * STATES && same && !sim_done(one); i++) {
		at += 400;
		sim_run(one, at, &e);
		from = sim_cycle(two);
		sample = two->sleep->next_sample; /* no further */
		if (halves_may_team(h) &&
		    halves_run(h, MIN(at, sample), i % 2 ? TEAM_HALF : TEAM_QUARTER))
			shared += sim_cycle(two) - from;
		sim_run(two, at, &e);
		same = sim_digest(one) == sim_digest(two);
	}
	ok(same && shared > 400,
	   "%s, %s, %s, in teams: the same states up to cycle %llu, %llu shared", trace, machine,
	   policy, (unsigned long long)sim_cycle(one), (unsigned long long)shared);
	halves_free(h);
	sim_free(one);
	sim_free(two);
	trace_close(t);
}

/* A short kernel after another one, with which the run ends. */
static void
end_in_time(void)
{
	struct trace *t = model_reference("micro/cc-big");
	struct sim *s = new_sim("titanv", "rr", "2", "0", t);
	struct err e = {0};

	is_u64(sim_run(s, CYCLE_NEVER, &e), SIM_DONE, "two kernels end");
	is_u64(sim_cycle(s), 1892, "in the cycle of one thread");
	sim_free(s);
	trace_close(t);
}

int
main(void)
{
	uint64_t seed = 29;
	unsigned n = 0, step = tap_is_fast() ? 3 : 1;

	for (unsigned m = 0; m < N_MODEL_MACHINES; m += step)
		for (unsigned i = 0; i < N_MODEL_TRACES; i++)
			if ((i + m) % (model_fast() ? 6 : 2) == 0)
				compare(model_machines[m], policies[n++ % ARRAY_LEN(policies)],
					model_traces[i], &seed);
	for (unsigned m = 0; m < N_MODEL_MACHINES; m += step)
		compare_teams(model_machines[m], policies[m % ARRAY_LEN(policies)],
			      busy[m % ARRAY_LEN(busy)]);
	end_in_time();
	ok(parted >= runs * 3 / 4, "%u of %u runs are on two threads most of the time", parted,
	   runs);
	return done();
}
