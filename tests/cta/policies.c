/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policies.c - the policies and their host on a simulated GPU that consists of numbers only
 * (tests/cta/numbers.h).
 *
 * DYNCTA's decision at every edge of its thresholds; limits at 1 and at N; credits for any grid;
 * the merging of several answers in a stack; which policies are asked, and why a core is refused.
 */
#include "tests/tap.h"
#include "tests/cta/numbers.h"
#include <math.h>

/* ---------------------------------------------------------------- dyncta */

static uint32_t
limit_after(uint32_t n0, uint32_t n_max, uint64_t c_mem, uint64_t c_idle, const char **rule)
{
	char stack[64];
	struct mock *m;
	uint32_t limit;

	snprintf(stack, sizeof(stack), "dyncta:n0=%u", n0);
	m = mock_new(stack, 1, 100, n_max);
	mock_rounds(m);
	m->n_ev = 0;
	mock_period(m, c_mem, c_idle);
	limit = m->s.host->core[0].limit;
	*rule = m->n_ev ? mock_rule(m, 0) : "none";
	mock_free(m);
	return limit;
}

static void
decisions(void)
{
	/* t_idle 16, t_mem_l 128, t_mem_h 384 */
	static const struct {
		uint64_t c_mem, c_idle;
		int move;
		const char *rule;
	} edge[] = {
		{0, 0, 1, "mem-low"},	  {127, 15, 1, "mem-low"},   {128, 15, 0, "keep"},
		{383, 15, 0, "keep"},	  {384, 15, -1, "mem-high"}, {2048, 0, -1, "mem-high"},
		{384, 16, 1, "idle"},	  {2048, 2048, 1, "idle"},   {0, 16, 1, "idle"},
		{128, 0, 0, "keep"},	  {127, 0, 1, "mem-low"},    {383, 0, 0, "keep"},
		{384, 0, -1, "mem-high"}, {128, 16, 1, "idle"},
	};

	for (uint32_t n = 1; n <= 6; n++)
		for (unsigned i = 0; i < ARRAY_LEN(edge); i++) {
			const char *rule;
			uint32_t want = (uint32_t)MAX(1, MIN(6, (int)n + edge[i].move));
			uint32_t got = limit_after(n, 6, edge[i].c_mem, edge[i].c_idle, &rule);
			char name[32];

			snprintf(name, sizeof(name), "%s%s", edge[i].rule,
				 want != n || !edge[i].move ? ""
				 : edge[i].move > 0	    ? "-at-max"
							    : "-at-min");
			ok(got == want && !strcmp(rule, name),
			   "dyncta, n %u of 6, C_mem %" PRIu64 ", C_idle %" PRIu64
			   ": n %u by %s (got %u by %s)",
			   n, edge[i].c_mem, edge[i].c_idle, want, name, got, rule);
		}
}

/* One row of the table: the core decides by c_mem and c_idle with the limit at n of 6, one CTA
 * paused or none, all others running. */
static void
table_row(uint64_t c_mem, uint64_t c_idle, uint32_t n, bool paused)
{
	int move = c_idle >= 16 ? 1 : c_mem < 128 ? 1 : c_mem >= 384 ? -1 : 0;
	uint32_t want = (uint32_t)MAX(1, MIN(6, (int)n + move)), resident = n + paused;
	const struct cta_core *v;
	char stack[64];
	struct mock *m;

	snprintf(stack, sizeof(stack), "dyncta:n0=%u", n + paused);
	m = mock_new(stack, 1, 100, 6);
	v = &m->s.host->core[0];
	mock_rounds(m);
	if (paused)
		mock_period(m, 2000, 0);
	if (v->limit != n || v->resident != resident || v->paused != paused)
		printf("Bail out! n %u, %u resident, %u paused\n", v->limit, v->resident,
		       v->paused);
	mock_period(m, c_mem, c_idle);
	ok(v->limit == want && v->resident == resident &&
		   v->paused == (resident > want ? resident - want : 0) &&
		   v->running == resident - v->paused,
	   "C_idle %" PRIu64 ", C_mem %" PRIu64 ", n %u of 6, %d paused: n %u, %u run, %u paused",
	   c_idle, c_mem, n, paused, v->limit, v->running, v->paused);
	/* a CTA is taken only when n allows one and none waits */
	is_u64(mock_ask(m, 0), want > resident, "then a new CTA: %s",
	       want > resident ? "yes" : "no");
	mock_free(m);
}

/* Every edge of t_idle 16, t_mem_l 128, t_mem_h 384 with every other one. */
static void
table(void)
{
	static const uint64_t c_mem[] = {0, 127, 128, 129, 383, 384, 385, 2048},
			      c_idle[] = {0, 15, 16, 17, 2048};
	static const uint32_t n[] = {1, 3, 6};

	for (unsigned i = 0; i < ARRAY_LEN(c_idle); i++)
		for (unsigned j = 0; j < ARRAY_LEN(c_mem); j++)
			for (unsigned k = 0; k < ARRAY_LEN(n); k++)
				for (unsigned paused = 0; paused < (n[k] < 6 ? 2 : 1); paused++)
					table_row(c_mem[j], c_idle[i], n[k], paused);
}

static void
starts(void)
{
	for (uint32_t n = 1; n <= 8; n++) {
		struct mock *m = mock_new("dyncta", 2, 100, n);

		is_u64(m->s.host->core[1].limit, MAX(1, n / 2),
		       "dyncta, N = %u: n begins at floor(N/2), at least 1", n);
		mock_rounds(m);
		is_u64(m->core[1].n, MAX(1, n / 2), "and so many CTAs are taken");
		mock_free(m);
	}
}

/* What C_mem and C_idle count. */
static void
readings(void)
{
	static const struct {
		const char *stack;
		int64_t c_mem, c_idle;
	} row[] = {
		{"dyncta", 150, 5},
		{"dyncta:cmem=blocked,cidle=empty,pause=yield", 150, 5},
		{"dyncta:cmem=data", 50, 5},
		{"dyncta:cmem=raw", 170, 5},
		{"dyncta:cidle=any", 150, 9},
		{"dyncta:cmem=data,cidle=any", 50, 9},
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++)
		for (unsigned idle = 0; idle < 2; idle++) {
			struct mock *m = mock_new(row[i].stack, 1, 100, 4);
			struct cta_core *v = &m->s.host->core[0];
			int64_t want = idle ? row[i].c_idle : row[i].c_mem;

			opt_set(config_db(m->cfg), "dyncta.t_idle", idle ? "1" : "1000", NULL);
			v->blocked += 100;
			v->c_raw += 170;
			v->idle += 9;
			mock_period(m, 150, 5);
			ok(m->ev[m->n_ev - 1].v[0] == want, "%s: %s %" PRId64 ", got %" PRId64,
			   row[i].stack, idle ? "C_idle" : "C_mem", want, m->ev[m->n_ev - 1].v[0]);
			mock_free(m);
		}
}

/* The reading changes during a period: each of its cycles counts under its own reading. */
static void
reading_changes(void)
{
	struct mock *m = mock_new("dyncta", 1, 100, 4);

	m->s.host->core[0].blocked += 900;
	mock_period(m, 1000, 0);
	opt_set(config_db(m->cfg), "dyncta.cmem", "data", NULL);
	m->s.host->core[0].blocked += 30;
	mock_period(m, 230, 0);
	is_u64((uint64_t)m->ev[m->n_ev - 1].v[0], 200, "C_mem of the period as it is read now");
	mock_free(m);
}

/* Which of the paused CTAs are held. */
static void
holds(void)
{
	static const struct {
		const char *stack;
		uint32_t paused, held, deferred;
	} row[] = {
		{"dyncta:n0=4", 2, 0, 0},
		{"dyncta:n0=4,pause=yield", 2, 0, 0},
		{"dyncta:n0=4,pause=hold", 2, 2, 0},
		{"dyncta:n0=4,pause=mem", 2, 0, 2},
		{"static:n=2+dyncta:n0=4,pause=hold", 0, 0, 0},
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		struct mock *m = mock_new(row[i].stack, 1, 100, 4);

		mock_rounds(m);
		mock_period(m, 500, 0);
		mock_period(m, 500, 0);
		is_u64(m->s.host->core[0].paused, row[i].paused, "%s: paused", row[i].stack);
		is_u64(m->core[0].held, row[i].held, "%s: of those, held", row[i].stack);
		is_u64(m->core[0].deferred, row[i].deferred, "and deferred");
		opt_set(config_db(m->cfg), "dyncta.pause", "hold", NULL);
		mock_repause(m, 0);
		is_u64(m->core[0].held, row[i].paused, "%s, then pause=hold", row[i].stack);
		mock_free(m);
	}
}

/* Counters are those of the period: the second period begins at zero. */
static void
periods(void)
{
	struct mock *m = mock_new("dyncta:period=100", 1, 100, 8);

	is_u64(cta_next_period(&m->s), 100, "the first period ends after 100 cycles");
	mock_rounds(m);
	mock_period(m, 500, 0);
	is_u64(m->s.host->core[0].limit, 3, "memory: 4 -> 3");
	is_u64(m->s.host->core[0].paused, 1, "one of the 4 CTAs is paused");
	is_u64(cta_next_period(&m->s), 200, "the second one after 200");
	mock_period(m, 200, 0);
	is_u64(m->s.host->core[0].limit, 3, "C_mem of the second period alone counts: hold");
	mock_finish(m, 1);
	is_u64(m->s.host->core[0].paused, 0, "a CTA ends: the paused one runs");
	is_u64(m->s.host->core[0].running, 3, "three run");
	ok(!mock_ask(m, 0), "no new CTA while n is reached");
	mock_period(m, 0, 0);
	is_u64(m->s.host->core[0].limit, 4, "compute: 3 -> 4");
	ok(mock_ask(m, 0), "now a new CTA is taken");
	ok(!mock_ask(m, 0), "but no second one");
	for (unsigned i = 0; i < 6; i++)
		mock_period(m, 500, 0);
	is_u64(m->s.host->core[0].limit, 1, "n does not go below 1");
	is_u64(m->s.host->core[0].paused, 3, "exactly nCTA - n are paused");
	mock_kernel(m, 100, 6);
	is_u64(m->s.host->core[0].limit, 3, "the next kernel begins at half of its own N");
	mock_free(m);
}

/* The mean of n over time and cores, as long as there is a CTA to issue. */
static void
mean_limit(void)
{
	struct mock *m = mock_new("dyncta:period=100", 2, 9, 8);

	ok(isnan(cta_mean_limit(cta_means(&m->s))), "no mean of n before a cycle has passed");
	ok(isnan(cta_mean_resident(cta_means(&m->s))), "nor one of resident CTAs");
	mock_rounds(m); /* n 4: 8 of the 9 CTAs */
	m->cycle = 40;
	ok(cta_mean_limit(cta_means(&m->s)) == 4, "n 4 on both cores");
	mock_period(m, 500, 0); /* at 100, then n 3 */
	m->cycle = 150;
	ok(cta_mean_limit(cta_means(&m->s)) == (100 * 4 + 50 * 3) / 150.0,
	   "100 cycles of 4, 50 of 3");
	mock_period(m, 0, 0); /* at 200, n 4 */
	m->cycle = 219;
	mock_finish(m, 0); /* takes a cycle */
	ok(mock_ask(m, 0), "the last CTA goes out at cycle 220");
	m->cycle = 1000;
	ok(cta_mean_limit(cta_means(&m->s)) == (100 * 4 + 100 * 3 + 20 * 4) / 220.0,
	   "what comes after does not count");
	ok(cta_mean_resident(cta_means(&m->s)) == (2 + 4 + 6 + 216 * 8) / 440.0,
	   "two, four, six CTAs are resident, then eight, paused ones too");
	mock_kernel(m, 100, 2); /* n 1 */
	m->cycle = 1780;
	ok(cta_mean_limit(cta_means(&m->s)) == (100 * 4 + 100 * 3 + 20 * 4 + 780 * 1) / 1000.0,
	   "the next kernel's cycles do");
	mock_free(m);
	m = mock_new("cores:n=1", 2, 9, 8);
	m->cycle = 10;
	ok(cta_mean_limit(cta_means(&m->s)) == 8, "a core that takes no CTA has no n");
	mock_free(m);
}

/* ---------------------------------------------------------------- claso */

static void
credits(void)
{
	static const struct {
		unsigned n_cta, cores, pa, pl, local, global;
	} row[] = {
		{17, 4, 1, 0, 5, 1}, {16, 4, 1, 0, 4, 4},    {20, 4, 1, 0, 5, 4},
		{1, 4, 1, 0, 1, 1},  {17, 4, 2, 0, 5, 5},    {17, 4, 1, 2, 7, 1},
		{17, 4, 3, 1, 6, 9}, {120, 30, 1, 0, 4, 30}, {121, 30, 1, 0, 5, 1},
		{5, 30, 1, 0, 1, 5},
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		char stack[64];
		struct mock *m;
		const char *state;
		int64_t local, global;

		snprintf(stack, sizeof(stack), "claso:pa=%u,pl=%u", row[i].pa, row[i].pl);
		m = mock_new(stack, row[i].cores, row[i].n_cta, 8);
		state = (const char *)m->s.host + m->s.policy[0].state;
		global = *(const int64_t *)state;
		local = *(const int64_t *)(state + m->s.policy[0].ops->state_size);
		ok(local == row[i].local && global == row[i].global,
		   "claso, %u CTAs, %u cores, pa %u, pl %u: %u local, %u global (got %" PRId64
		   ", %" PRId64 ")",
		   row[i].n_cta, row[i].cores, row[i].pa, row[i].pl, row[i].local, row[i].global,
		   local, global);
		mock_free(m);
	}
}

/* Whatever the order in which CTAs end, all are issued; with pa = 1, pl = 0 no two cores differ by
 * more than one. */
static void
balanced(void)
{
	uint32_t seed = 12345;
	unsigned spread = 0, lost = 0;

	for (unsigned run = 0; run < 300; run++) {
		unsigned cores = 2 + run % 7, n_cta = 1 + run * 3, least = UINT32_MAX, most = 0,
			 left;
		struct mock *m = mock_new("claso:pa=1,pl=0", cores, n_cta, 1 + run % 5);

		mock_rounds(m);
		do {
			unsigned c = (seed = seed * 1664525 + 1013904223) >> 16;

			left = 0;
			for (unsigned i = 0; i < cores; i++)
				left += m->core[i].n;
			for (unsigned i = 0; left && i < cores; i++) {
				struct mock_core *k = &m->core[(c + i) % cores];

				if (!k->n)
					continue;
				mock_finish(m, k->cta[(seed >> 8) % k->n]);
				mock_rounds(m);
				break;
			}
		} while (left);
		for (unsigned i = 0; i < cores; i++) {
			least = MIN(least, m->core[i].issued);
			most = MAX(most, m->core[i].issued);
		}
		spread += most - least > 1;
		lost += m->s.host->done != n_cta;
		mock_free(m);
	}
	is_u64(lost, 0, "claso: 300 kernels, CTAs ending in any order: all are issued");
	is_u64(spread, 0, "claso: and no two cores differ by more than one CTA");
}

/* CLASO 10, 20, 11, 42 of the paper (4.4): one core asks until it is refused, 17 CTAs on 4 cores.
 */
static void
parameters(void)
{
	static const struct {
		const char *stack;
		unsigned local, global; /* registers at the launch */
		unsigned own,
			shared; /* granted from the local one alone, and with the global one */
		const char *refused;
	} row[] = {
		{"claso:pa=1,pl=0", 5, 1, 4, 1, "no-local-credit"},
		{"claso:pa=2,pl=0", 5, 5, 3, 2, "no-local-credit"},
		{"claso:pa=1,pl=1", 6, 1, 4, 1, "no-global-credit"},
		{"claso:pa=4,pl=2", 7, 13, 1, 6, "no-local-credit"},
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		struct mock *m = mock_new(row[i].stack, 4, 17, 16);
		const int64_t *reg =
			(const int64_t *)((const char *)m->s.host + m->s.policy[0].state);
		unsigned own = 0, shared = 0;

		is_u64((uint64_t)reg[0], row[i].global, "%s: global credits", row[i].stack);
		while (mock_ask(m, 0)) {
		}
		for (unsigned k = 0; k < m->n_ev; k++) {
			own += !strcmp(mock_rule(m, k), "local-credit");
			shared += !strcmp(mock_rule(m, k), "global-credit");
		}
		ok(own == row[i].own && shared == row[i].shared,
		   "%s: a core that asks alone gets %u CTAs of its own and %u shared ones, not %u "
		   "and %u",
		   row[i].stack, row[i].own, row[i].shared, own, shared);
		is_u64((uint64_t)m->ev[0].v[0], row[i].local, "it had so many local credits");
		is_str(mock_rule(m, m->n_ev - 1), row[i].refused, "then it is refused");
		mock_free(m);
	}
}

/* Half of the cores are off from the launch: their credits return, also at the next kernel, at
 * which they are already off. Otherwise the CTAs of these credits would never be issued. */
static void
credits_of_cores_off(void)
{
	struct mock *m = mock_new("htcs+claso", 4, 17, 3);

	for (unsigned kernel = 1; kernel <= 3; kernel++) {
		mock_rounds(m);
		for (uint32_t cta = 0; cta < 17 && mock_finish(m, cta); cta++)
			mock_rounds(m);
		ok(m->s.host->core[3].state == CORE_OFF, "kernel %u: core 3 is off", kernel);
		is_u64(m->s.host->done, 17, "all CTAs end on the two others");
		mock_kernel(m, 17, 3);
	}
	mock_free(m);
}

/* ---------------------------------------------------------------- stacks and refusals */

static enum refusal
refused(struct mock *m, unsigned core)
{
	struct refusal_view why = {.kind = REFUSE_NONE};

	cta_may_issue(&m->s, core, false, &why);
	return why.kind;
}

static void
stacks(void)
{
	struct mock *m = mock_new("dyncta:n0=5+static:n=2", 3, 100, 8);

	is_u64(m->s.host->core[2].limit, 2, "the smallest limit of a stack counts");
	mock_rounds(m);
	is_u64(m->core[2].n, 2, "two CTAs on each core");
	ok(refused(m, 2) == REFUSE_LIMIT, "refused because of the limit");
	mock_free(m);
	m = mock_new("cores:n=2+static:n=3", 3, 100, 8);
	mock_rounds(m);
	ok(m->core[0].n == 3 && m->core[1].n == 3 && m->core[2].n == 0,
	   "both policies of a stack must agree");
	ok(refused(m, 2) == REFUSE_STATE && refused(m, 0) == REFUSE_LIMIT,
	   "each core has its own reason");
	mock_free(m);
	m = mock_new("static:n=16", 2, 3, 2);
	is_u64(m->s.host->core[0].limit, 2, "no limit is above N");
	mock_rounds(m);
	ok(m->core[0].n == 2 && m->core[1].n == 1, "three CTAs go to cores 0, 1, 0");
	ok(refused(m, 1) == REFUSE_NO_CTA, "then there is none left");
	mock_free(m);
	m = mock_new("rr", 1, 9, 2);
	mock_rounds(m);
	ok(refused(m, 0) == REFUSE_HARD_LIMIT, "a full core is refused as such");
	mock_free(m);
	m = mock_new("dyncta", 1, 9, 4);
	mock_rounds(m);
	mock_period(m, 500, 0);
	ok(refused(m, 0) == REFUSE_PAUSED, "a paused CTA comes first");
	mock_free(m);
}

/* dyncta+claso: a limit costs no credits; requests are made once per freed slot. */
static void
limits_and_credits(void)
{
	struct mock *m = mock_new("dyncta:n0=1+claso", 2, 8, 4);

	mock_rounds(m);
	for (unsigned i = 0; i < 50; i++)
		mock_rounds(m);
	ok(m->core[0].n == 1 && mock_count(m, EV_CREDIT) == 2 &&
		   !mock_count(m, EV_CREDIT_EXHAUSTED),
	   "cores held back by dyncta are asked again and again, and spend nothing");
	for (unsigned i = 0; i < 8; i++)
		mock_period(m, 0, 0), mock_rounds(m);
	is_u64(m->s.host->issued, 8, "with growing limits all 8 CTAs go out");
	mock_free(m);
	m = mock_new("claso", 2, 9, 2);
	mock_rounds(m);
	for (unsigned i = 0; i < 4; i++) {
		mock_finish(m, m->core[0].cta[0]);
		mock_rounds(m);
		mock_rounds(m);
	}
	ok(mock_count(m, EV_CREDIT_EXHAUSTED) <= 4,
	   "a refusal costs one credit per freed slot, not one per cycle: %u",
	   mock_count(m, EV_CREDIT_EXHAUSTED));
	mock_free(m);
}

static void
occupancy(void)
{
	static const struct {
		uint32_t threads, regs, shmem, want;
		const char *why;
	} row[] = {
		{256, 16, 0, 4, "threads"},
		{33, 0, 0, 8, "the hard limit"},
		{192, 0, 0, 5, "threads, padded to warps"},
		{128, 33, 0, 7, "registers, rounded up to 4"},
		{128, 16, 10000, 3, "shared memory"},
		{1024, 40, 0, 0, "nothing fits"},
		{128, 32, 0, 8, "registers, exactly"},
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		struct trace_kernel k = {.threads_per_cta = row[i].threads,
					 .regs = row[i].regs,
					 .shmem = row[i].shmem};
		struct cta_limits l;

		is_u64(cta_occupancy(&k, 1024, 32768, 32768, 8, &l), row[i].want,
		       "occupancy %u by %s", row[i].want, row[i].why);
	}
}

/* ---------------------------------------------------------------- hooks */

static cycle_t
ask_period(const struct cta_ctx *x)
{
	return x->gpu->done ? 0 : 100;
}

static void
decide_odd(struct cta_ctx *x, unsigned core, struct cta_decision *d)
{
	(void)x;
	if (core % 2)
		d->why.rule = 0, d->limit = 1;
}

static cycle_t
act_once(struct cta_ctx *x, unsigned why)
{
	unsigned *n = x->state;

	n[0]++;
	n[1] = why;
	return why & ACT_LAUNCH ? 250 : CYCLE_NEVER;
}

/* A policy may stop having a period, and may decide nothing. */
static void
hooks(void)
{
	static const struct rule rules[] = {{"one", "one", .value = {NULL}}};
	static const struct cta_sched_ops ops = {.name = "test",
						 .rules = rules,
						 .n_rules = 1,
						 .state_size = 2 * sizeof(unsigned),
						 .period = ask_period,
						 .decide = decide_odd,
						 .act = act_once};
	struct mock *m = mock_new("dyncta", 4, 100, 4);
	const unsigned *n = (const unsigned *)((const char *)m->s.host + m->s.policy[0].state);

	m->s.policy[0].ops = &ops;
	m->s.seen[m->s.policy[0].id] = &ops;
	mock_kernel(m, 100, 4);
	ok(n[0] == 1 && n[1] == ACT_LAUNCH, "act() at the launch, once");
	is_u64(cta_next_due(&m->s), 100, "a period of 100 cycles");
	mock_due(m);
	is_u64(mock_count(m, EV_PERIOD), 2, "only those cores are told of that decided something");
	ok(m->s.host->core[1].limit == 1 && m->s.host->core[0].limit == 4, "their limits moved");
	ok(n[0] == 2 && n[1] == ACT_PERIOD, "act() after the period, once");
	is_u64(cta_next_due(&m->s), 200, "and so on");
	mock_rounds(m);
	mock_finish(m, 0);
	ok(n[0] == 3 && n[1] == ACT_ENDED, "act() when a CTA ends");
	mock_due(m);
	is_u64(cta_next_period(&m->s), CYCLE_NEVER, "a period of 0: none any more");
	is_u64(m->s.host->periods, 2, "two periods have ended");
	mock_free(m);
	m = mock_new("tcs:mon_cycle=100+dyncta:period=150", 2, 100, 4);
	for (unsigned i = 0; i < 4; i++)
		mock_due(m);
	is_u64(m->cycle, 300, "two policies with a period");
	is_u64(m->s.host->periods, 2, "DYNCTA's is the one that counts");
	is_u64(m->s.host->period_start, 300, "and that C_mem is shown for");
	mock_free(m);
	m = mock_new("tcs:mon_cycle=100", 2, 100, 4);
	mock_due(m);
	is_u64(m->s.host->periods, 1, "TCS' when there is no other");
	mock_free(m);
}

int
main(void)
{
	decisions();
	table();
	starts();
	readings();
	reading_changes();
	holds();
	periods();
	mean_limit();
	credits();
	parameters();
	credits_of_cores_off();
	balanced();
	stacks();
	limits_and_credits();
	occupancy();
	hooks();
	return done();
}
