/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tcs.c - TCS and hTCS on a simulated GPU that consists of numbers only (tests/cta/numbers.h): the
 * test at its edges, which core is throttled, when MONITOR ends, the order in which cores leave in
 * REDUCE.
 */
#include "cta/cta_part.h"
#include "cta/sched_tcs_core.h"
#include "tests/tap.h"
#include "tests/cta/numbers.h"

#define THR 600

static struct mock *
tcs(const char *stack, unsigned cores)
{
	struct mock *m = mock_new(stack, cores, 10000, 2);

	m->s.host->round_trip = THR;
	mock_rounds(m);
	return m;
}

static const struct tcs *
state(const struct mock *m)
{
	return (const struct tcs *)((const char *)m->s.host + m->s.policy[0].state);
}

/* Sets what a core did in the window: its stalls, all in one run, and 10 loads with this latency.
 */
static void
did(struct mock *m, unsigned core, uint64_t stall, uint64_t amat)
{
	struct cta_core *v = &m->s.host->core[core];

	v->blocked += stall;
	v->mem_stall += stall;
	v->mem_stall_run = MAX(v->mem_stall_run, stall);
	v->loads += amat ? 10 : 0;
	v->load_cycles += 10 * amat;
}

/* Ends the window; the first n cores were memory bound. */
static void
window(struct mock *m, unsigned bound)
{
	for (unsigned c = 0; c < m->s.host->n_cores; c++)
		did(m, c, c < bound ? 8000 : 0, 2000);
	m->n_ev = 0;
	do
		mock_due(m);
	while (m->s.host->core[0].mem_stall_run); /* forgotten when the test was made */
}

static unsigned
in_state(const struct mock *m, enum core_state s)
{
	unsigned n = 0;

	for (unsigned c = 0; c < m->s.host->n_cores; c++)
		n += m->s.host->core[c].state == s;
	return n;
}

/* Returns the states of the cores as letters: active, draining, throttled, off. */
static const char *
states(const struct mock *m)
{
	static char text[MAX_CORES + 1];

	for (unsigned c = 0; c < m->s.host->n_cores; c++)
		text[c] = "adtpo"[m->s.host->core[c].state];
	text[m->s.host->n_cores] = '\0';
	return text;
}

static void
empty(struct mock *m, unsigned c)
{
	while (m->core[c].n)
		mock_finish(m, m->core[c].cta[0]);
}

static const struct event *
event(const struct mock *m, enum event_kind kind, int core)
{
	for (unsigned i = m->n_ev; i-- > 0;)
		if (m->ev[i].kind == kind && m->ev[i].core == core)
			return &m->ev[i];
	return NULL;
}

static const char *
sentence(const struct mock *m, enum event_kind kind, int core)
{
	static char text[300];
	const struct event *ev = event(m, kind, core);
	char *p;

	if (!ev)
		return "no such event";
	cta_event_text(&m->s, ev, text, sizeof(text));
	p = strstr(text, ": ");
	return p ? p + 2 : text;
}

static const char *
rule_of(const struct mock *m, const struct event *ev)
{
	return cta_rule(&m->s, ev->policy, ev->rule)->name;
}

/* ---------------------------------------------------------------- the test of a core */

static void
test_of_a_core(void)
{
	static const struct {
		const char *stack;
		uint64_t stall, amat;
		bool bound;
		const char *rule;
	} row[] = {
		{"tcs", 4096, 5000, false, "few-stalls"},
		{"tcs", 4097, 5000, true, "memory-bound"},
		{"tcs", 8192, THR, false, "low-amat"},
		{"tcs", 8192, THR + 1, true, "memory-bound"},
		{"tcs", 4097, THR + 1, true, "memory-bound"},
		{"tcs", 4096, THR, false, "few-stalls"},
		{"tcs", 8192, 0, false, "no-load"},
		{"tcs", 0, 0, false, "no-load"},
		{"tcs:thr=700", 8192, 700, false, "low-amat"},
		{"tcs:thr=700", 8192, 701, true, "memory-bound"},
		{"tcs:mon_cycle=1001", 500, 5000, false, "few-stalls"},
		{"tcs:mon_cycle=1001", 501, 5000, true, "memory-bound"},
		{"htcs", 4097, THR + 1, true, "memory-bound"},
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		struct mock *m = tcs(row[i].stack, 4);

		did(m, 0, row[i].stall, row[i].amat);
		mock_due(m);
		ok(state(m)->memory_bound == row[i].bound &&
			   !strcmp(rule_of(m, event(m, EV_PERIOD, 0)), row[i].rule),
		   "%s, stall %" PRIu64 ", AMAT %" PRIu64 ": %s", row[i].stack, row[i].stall,
		   row[i].amat, sentence(m, EV_PERIOD, 0));
		is_u64(state(m)->tests, 1, "one test");
		mock_free(m);
	}
}

/* AMAT is compared without rounding it to a whole number. */
static void
fractions(void)
{
	for (unsigned extra = 0; extra < 2; extra++) {
		struct mock *m = tcs("tcs", 4);

		did(m, 0, 8192, THR);
		m->s.host->core[0].load_cycles += extra;
		mock_due(m);
		is_u64(state(m)->memory_bound, extra, "10 loads of %d cycles and %u more", THR,
		       extra);
		mock_free(m);
	}
}

static void
runs(void)
{
	struct mock *m = tcs("tcs:stall=run", 2);

	for (unsigned c = 0; c < 2; c++) {
		did(m, c, 4096, 2000);
		did(m, c, 4096, 2000);
	}
	mock_due(m);
	is_u64(state(m)->memory_bound, 0, "two runs of half a window: not bound by stall=run");
	is_u64(m->s.host->core[0].mem_stall_run, 0, "runs are forgotten when the window ends");
	is_u64((uint64_t)event(m, EV_PERIOD, 1)->v[0], 4096, "the longest run is what is told");
	mock_free(m);
	m = tcs("tcs:stall=unit", 2);
	did(m, 0, 4096, 2000);
	did(m, 0, 4096, 2000);
	mock_due(m);
	is_u64(state(m)->memory_bound, 1, "but bound by their sum");
	mock_free(m);
}

/* A unit that refuses a request does not stall the core while other warps issue. */
static void
readings(void)
{
	static const struct {
		const char *stack;
		uint64_t blocked, unit, run;
		bool bound;
	} row[] = {
		{"tcs", 4097, 4097, 0, true},
		{"tcs", 4096, 8000, 8000, false},
		{"tcs:stall=core", 4097, 4097, 0, true},
		{"tcs:stall=unit", 4096, 4097, 0, true},
		{"tcs:stall=unit", 4096, 4096, 0, false},
		{"tcs:stall=run", 8000, 8000, 4096, false},
		{"tcs:stall=run", 0, 4097, 4097, true},
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		struct mock *m = tcs(row[i].stack, 2);
		struct cta_core *v = &m->s.host->core[1];

		did(m, 1, 0, 2000);
		v->blocked += row[i].blocked;
		v->mem_stall += row[i].unit;
		v->mem_stall_run = row[i].run;
		mock_due(m);
		is_u64(state(m)->memory_bound, row[i].bound,
		       "%s: %" PRIu64 " cycles blocked, the unit %" PRIu64 ", %" PRIu64 " on end",
		       row[i].stack, row[i].blocked, row[i].unit, row[i].run);
		mock_free(m);
	}
}

/* thr_factor scales the threshold that is in effect. */
static void
factors(void)
{
	static const struct {
		const char *stack;
		uint64_t thr;
	} row[] = {
		{"tcs", THR},
		{"tcs:thr_factor=0.5", THR / 2},
		{"tcs:thr_factor=2.5", THR * 5 / 2},
		{"tcs:thr=101,thr_factor=0.5", 51},
		{"tcs:thr_factor=0", 0},
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++)
		for (uint64_t above = 0; above < 2; above++) {
			struct mock *m = tcs(row[i].stack, 2);

			did(m, 1, 8000, MAX(1, row[i].thr + above));
			mock_due(m);
			is_u64(state(m)->memory_bound, above || !row[i].thr, "%s: AMAT %" PRIu64,
			       row[i].stack, MAX(1, row[i].thr + above));
			is_u64((uint64_t)event(m, EV_PERIOD, 1)->v[3], row[i].thr, "and is told");
			mock_free(m);
		}
}

/* A window is measured from its start. */
static void
windows(void)
{
	struct mock *m = tcs("tcs:monitor=100000", 2);

	m->s.host->core[0].mem_stall_run = 0;
	did(m, 0, 4000, 5000);
	did(m, 1, 4000, 5000);
	mock_due(m);
	did(m, 0, 4000, 100);
	did(m, 1, 4000, 100);
	mock_due(m);
	is_u64(state(m)->memory_bound, 0, "neither stalls nor latencies add up over windows");
	is_u64((uint64_t)event(m, EV_PERIOD, 1)->v[0], 4000, "4,000 stall cycles in the second");
	is_u64((uint64_t)event(m, EV_PERIOD, 1)->v[2], 100, "and an AMAT of 100");
	mock_free(m);
}

/* ---------------------------------------------------------------- the test of the GPU */

static void
half_of_the_cores(void)
{
	for (unsigned cores = 1; cores <= 9; cores++)
		for (unsigned bound = 0; bound <= cores; bound++) {
			struct mock *m = tcs("tcs", cores);
			bool want = cores > 1 && bound && 2 * bound >= cores;

			window(m, bound);
			ok(state(m)->memory_bound == bound && in_state(m, CORE_THROTTLED) == want &&
				   (m->s.host->core[cores - 1].state == CORE_THROTTLED) == want,
			   "%u of %u cores memory bound: %s", bound, cores,
			   sentence(m, EV_PERIOD, -1));
			mock_free(m);
		}
}

static void
one_by_one(void)
{
	struct mock *m = tcs("tcs:monitor=1000000", 5);

	window(m, 5);
	is_str(states(m), "aaaat", "5 of 5 bound: core 4 is throttled");
	is_str(sentence(m, EV_THROTTLE, 4),
	       "5 of 5 active cores memory bound, at least half: core 4 is throttled, 1 in all",
	       "with its reason");
	ok(!mock_ask(m, 4), "and takes no CTA");
	mock_finish(m, m->core[4].cta[0]);
	mock_rounds(m);
	is_u64(m->core[4].n, 1, "also when one of its CTAs ends");
	window(m, 1);
	is_str(states(m), "aaaat", "1 of 4: nobody");
	ok(!event(m, EV_PERIOD, 4), "a throttled core is not tested");
	window(m, 2);
	is_str(states(m), "aaatt", "2 of 4: core 3");
	window(m, 2);
	window(m, 1);
	is_str(states(m), "atttt", "2 of 3: core 2, 1 of 2: core 1");
	window(m, 1);
	is_str(states(m), "atttt", "1 of 1: the last one works on");
	is_str(sentence(m, EV_PERIOD, -1),
	       "1 of 1 active cores memory bound, but the last active core continues",
	       "which is said");
	is_u64(state(m)->throttled, 4, "policy.tcs.throttled is 4");
	mock_free(m);
}

/* ---------------------------------------------------------------- the end of MONITOR */

static void
monitor_ends(void)
{
	struct mock *m = tcs("tcs", 4);
	cycle_t at;

	is_str(sentence(m, EV_PHASE, -1),
	       "monitor: 4 cores active, for 10,000 cycles and until a CTA has ended",
	       "MONITOR begins with the kernel");
	window(m, 4);
	mock_finish(m, 0);
	is_u64(m->cycle, 8193, "the first CTA ends early");
	is_u64(state(m)->phase, TCS_MONITOR, "MONITOR goes on");
	mock_due(m);
	is_u64(m->cycle, 10000, "to cycle 10,000");
	is_u64(state(m)->phase, TCS_REDUCE, "where it ends");
	is_str(sentence(m, EV_PHASE, -1),
	       "monitor -> reduce: 1 CTAs ended, 10,000 >= 10,000 cycles; 3 cores active, 1 "
	       "throttled",
	       "with its numbers");
	mock_free(m);

	m = tcs("tcs", 4);
	window(m, 4);
	mock_due(m);
	is_u64(state(m)->phase, TCS_MONITOR, "no CTA ends before 10,000: MONITOR goes on");
	mock_due(m);
	is_u64(m->cycle, 16384, "with another test");
	mock_finish(m, 0);
	is_u64(state(m)->phase, TCS_REDUCE, "and ends when the first CTA does, late");
	is_u64((uint64_t)event(m, EV_PHASE, -1)->v[1], 16385, "after 16,385 cycles");
	m->n_ev = 0;
	mock_due(m);
	is_u64(mock_count(m, EV_PERIOD), 0, "then no core is tested any more");
	is_u64(cta_next_due(&m->s), CYCLE_NEVER, "and no date is left");
	mock_free(m);

	m = tcs("tcs", 4);
	window(m, 1);
	mock_finish(m, 0);
	mock_due(m);
	is_u64(state(m)->phase, TCS_RUN, "no core throttled: there is nothing to reduce");
	is_str(states(m), "aaaa", "all work on");
	ok(mock_ask(m, 0), "and take CTAs");
	mock_free(m);

	m = tcs("tcs", 4);
	mock_finish(m, 0);
	at = m->cycle;
	cta_start_policy(&m->s, 0);
	mock_act(m, false);
	mock_due(m);
	mock_due(m);
	is_u64(m->cycle, 10000 + at, "taken over in mid-kernel: MONITOR from there");
	is_u64(state(m)->phase, TCS_MONITOR, "a CTA that ended before does not count");
	mock_finish(m, 1);
	is_u64(state(m)->phase, TCS_RUN, "the next one does");
	mock_free(m);

	m = tcs("tcs:monitor=0,mon_cycle=1024", 4);
	mock_finish(m, 0);
	is_u64(state(m)->phase, TCS_MONITOR, "monitor=0: one mon_cycle all the same");
	window(m, 4);
	is_u64(m->cycle, 1024, "1,024 cycles");
	is_u64(state(m)->phase, TCS_REDUCE, "the test first, then the end, in one cycle");
	is_str(states(m), "dddt", "with its core throttled");
	mock_free(m);
}

/* ---------------------------------------------------------------- REDUCE */

/* Six cores, that many of them throttled, at the end of MONITOR. */
static struct mock *
reducing(const char *stack, unsigned throttled)
{
	struct mock *m = tcs(stack, 6);

	while (state(m)->throttled < throttled)
		window(m, 6);
	mock_rounds(m); /* all full */
	m->n_ev = 0;
	mock_finish(m, m->core[0].cta[0]);
	return m;
}

#define QUICK "mon_cycle=1000,monitor=1000"

static void
reduce(void)
{
	struct mock *m = reducing("tcs:" QUICK, 4);
	uint64_t n;

	is_str(states(m), "ddtttt", "REDUCE: 4 throttled, 2 active, which take no new CTA");
	n = m->s.host->issued;
	mock_rounds(m);
	is_u64(m->s.host->issued, n, "nobody takes a CTA");
	is_str(sentence(m, EV_DRAIN, 1), "4 cores are throttled: active ones take no new CTA",
	       "and why");
	m->n_ev = 0;
	empty(m, 1);
	is_str(states(m), "dodttt", "core 1 runs out: off, core 2 works in its place");
	is_str(sentence(m, EV_GATE, 1),
	       "no CTA left on the core: off; core 2 works in its place, 3 still throttled",
	       "the gate event tells so");
	is_str(sentence(m, EV_UNTHROTTLE, 2),
	       "core 1 ran out of CTAs: this one works in its place, 3 still throttled",
	       "and that of core 2");
	empty(m, 3); /* not active: it only waits */
	is_str(states(m), "dodttt", "a throttled core that runs out waits for its turn");
	empty(m, 2);
	is_str(states(m), "dooodt", "core 2 runs out: core 3 has its turn and is empty as well");
	is_u64(state(m)->throttled, 1, "one is left throttled");
	mock_rounds(m);
	is_u64(m->s.host->issued, n, "still nobody takes a CTA");
	m->n_ev = 0;
	empty(m, 4);
	is_str(states(m), "aooooa", "the last one's turn: two cores stay, as were active");
	is_u64(state(m)->phase, TCS_RUN, "RUN");
	is_str(sentence(m, EV_PHASE, -1), "reduce -> run: no core is throttled; 2 active, 4 off",
	       "with its numbers");
	mock_rounds(m);
	is_u64(m->core[0].n + m->core[5].n, 4, "they are filled again");
	empty(m, 0);
	is_str(states(m), "aooooa", "in RUN a core that runs out stays on");
	mock_kernel(m, 10000, 2);
	is_str(states(m), "aaaaaa", "a new kernel: every core works");
	ok(state(m)->phase == TCS_MONITOR && state(m)->active == 6 && !state(m)->tests,
	   "and MONITOR begins");
	is_u64(cta_next_due(&m->s), m->cycle + 1000, "with a window of its own");
	mock_free(m);
}

/* In whatever order cores run out of CTAs, the number of active ones stays, and all CTAs end. */
static void
any_order(void)
{
	uint32_t seed = 4711;
	unsigned wrong = 0, lost = 0;

	for (unsigned run = 0; run < 200; run++) {
		unsigned throttled = 1 + run % 5, active = 6 - throttled;
		struct mock *m =
			reducing(run % 2 ? "tcs:" QUICK : "tcs:throttle=off," QUICK, throttled);

		while (m->s.host->done < 200) {
			unsigned c = (seed = seed * 1664525 + 1013904223) >> 16, i = 0;

			while (i < 6 && (!m->core[(c + i) % 6].n ||
					 m->s.host->core[(c + i) % 6].state == CORE_THROTTLED))
				i++;
			if (i == 6)
				break;
			mock_finish(m, m->core[(c + i) % 6].cta[0]);
			mock_rounds(m);
			wrong += state(m)->active != active;
			wrong += state(m)->active + state(m)->throttled + state(m)->off != 6;
		}
		lost += m->s.host->done < 200 || state(m)->phase != TCS_RUN;
		mock_free(m);
	}
	is_u64(wrong, 0, "200 kernels, CTAs ending in any order: as many cores active as found");
	is_u64(lost, 0, "and it always goes on");
}

static void
without_throttling(void)
{
	struct mock *m = reducing("tcs:throttle=off," QUICK, 4);

	is_u64(mock_count(m, EV_THROTTLE), 0, "throttle=off: no core is throttled");
	is_str(states(m), "dddddd", "all drain: their warps go on, none takes a CTA");
	empty(m, 4);
	is_str(states(m), "dddddd", "one of the four that wait runs out, and waits");
	empty(m, 0);
	is_str(states(m), "oddddd", "an active one runs out: off, core 2 counts in its place");
	empty(m, 1);
	is_str(states(m), "oodddd", "core 3 in place of core 1");
	empty(m, 3);
	is_str(states(m), "ooaooa", "core 4, empty, in place of core 3, core 5 in place of that");
	is_u64(state(m)->phase, TCS_RUN, "nobody waits any more: RUN");
	mock_free(m);
}

/* ---------------------------------------------------------------- hTCS */

static void
half_tcs(void)
{
	struct mock *m = mock_new("htcs", 6, 10000, 2);

	m->s.host->round_trip = THR;
	is_str(states(m), "aaaooo", "hTCS: the second half is off from the launch");
	is_str(sentence(m, EV_GATE, 5), "the first 3 of 6 cores work until the first test", "why");
	mock_rounds(m);
	is_u64(m->s.host->issued, 6, "the first half takes CTAs");
	window(m, 2);
	is_str(states(m), "aatooo", "2 of 3 bound: reducing goes on from there");
	is_u64(state(m)->off, 3, "three are off");
	mock_finish(m, 0);
	mock_due(m);
	is_str(states(m), "ddtooo", "REDUCE");
	empty(m, 0);
	is_str(states(m), "oaaooo", "and RUN with two cores");
	mock_kernel(m, 10000, 2);
	is_str(states(m), "aaaooo", "the next kernel begins on the first half again");
	mock_free(m);

	m = mock_new("htcs:monitor=50000", 7, 10000, 2);
	m->s.host->round_trip = THR;
	is_str(states(m), "aaaaooo", "of seven cores four work");
	mock_rounds(m);
	window(m, 1);
	is_str(states(m), "aaaaaaa", "1 of 4 bound: all work");
	is_str(sentence(m, EV_UNGATE, 6),
	       "1 of 4 active cores memory bound, fewer than half: all 7 work", "why");
	is_u64(state(m)->active, 7, "seven active");
	mock_rounds(m);
	is_u64(m->core[6].n, 2, "also the last one takes CTAs");
	window(m, 4);
	is_str(states(m), "aaaaaat", "then as TCS: 4 of 7 throttle the last one");
	window(m, 2);
	is_str(states(m), "aaaaaat", "fewer than half later: no core comes back");
	mock_free(m);

	m = mock_new("htcs:monitor=50000", 6, 10000, 2);
	m->s.host->round_trip = THR;
	mock_rounds(m);
	window(m, 3);
	window(m, 0);
	is_str(states(m), "aatooo", "only the first test decides about the second half");
	mock_free(m);

	m = mock_new("htcs", 1, 10, 2);
	mock_rounds(m);
	is_str(states(m), "a", "a single core works");
	mock_free(m);
}

int
main(void)
{
	test_of_a_core();
	fractions();
	runs();
	readings();
	factors();
	windows();
	half_of_the_cores();
	one_by_one();
	monitor_ends();
	reduce();
	any_order();
	without_throttling();
	half_tcs();
	return done();
}
