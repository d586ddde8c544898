/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * forced.c - outcomes that the user forces in place of the policies' decisions: each kind of
 * decision on a GPU that consists of numbers only, and every decision of short runs of the small
 * machine, flipped one at a time.
 */
#include "tests/tap.h"
#include "tests/cta/numbers.h"
#include "tests/small/small.h"
#include <math.h>

static void
force(struct mock *m, struct cta_forced f)
{
	struct err e = {0};

	if (cta_force(&m->s, &f, &e) < 0)
		diag("%s", e.msg);
}

/* Returns the rule of the last forced event. */
static const char *
said(const struct mock *m)
{
	for (unsigned i = m->n_ev; i-- > 0;)
		if (m->ev[i].kind == EV_FORCED)
			return mock_rule(m, i);
	return "";
}

/* ---------------------------------------------------------------- limits */

static void
limits(void)
{
	static const struct {
		enum cta_outcome outcome;
		uint16_t to;
		unsigned want;
	} row[] = {{CTA_LIMIT_STAY, 0, 4},
		   {CTA_LIMIT_UP, 0, 5},
		   {CTA_LIMIT_DOWN, 0, 3},
		   {CTA_LIMIT_TO, 7, 7},
		   {CTA_LIMIT_TO, 99, 8}};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		struct mock *m = mock_new("dyncta:period=100", 4, 200, 8);

		mock_rounds(m);
		force(m, (struct cta_forced){.cycle = cta_next_period(&m->s),
					     .core = 1,
					     .question = CTA_ASK_LIMIT,
					     .outcome = (uint8_t)row[i].outcome,
					     .to = row[i].to});
		mock_period(m, 90000, 0);
		is_u64(m->s.host->core[1].limit, row[i].want, "outcome %u: limit %u of core 1",
		       row[i].outcome, row[i].want);
		is_u64(m->s.host->core[2].limit, 3, "core 2 goes down as the policy says");
		is_str(said(m), row[i].want == 3 ? "" : "forced-limit",
		       "an event says so, unless the policy said the same");
		is_u64(mock_count(m, EV_PERIOD), 4, "the policy's own answers are published");
		is_u64(mock_count(m, EV_LIMIT), 3 + (row[i].want != 4),
		       "and the limits that moved");
		ok(m->s.host->n_forced == 0 && !m->s.host->forced[0].cycle, "it is used up");
		mock_period(m, 90000, 0);
		is_u64(m->s.host->core[1].limit, row[i].want - 1,
		       "the policy goes on from the limit in force");
		mock_free(m);
	}
}

/* Two policies decide about a core in one cycle. */
static void
ordinals(void)
{
	struct mock *m = mock_new("dyncta:period=100+tcs:mon_cycle=100", 2, 100, 8);
	struct cta_forced f = {.cycle = 100,
			       .core = 1,
			       .question = CTA_ASK_LIMIT,
			       .outcome = CTA_LIMIT_TO,
			       .to = 2,
			       .ordinal = 1};

	force(m, f);
	mock_period(m, 90000, 0);
	ok(m->s.host->limit[0][1] == 3 && m->s.host->limit[1][1] == 2 &&
		   m->s.host->core[1].limit == 2,
	   "#1 is the second policy's");
	f.cycle = 150;
	force(m, f);
	f.to = 6;
	force(m, f);
	is_u64(m->s.host->n_forced, 1, "the same question again: one waits");
	f = (struct cta_forced){.cycle = 200, .core = 0, .outcome = CTA_LIMIT_UP};
	force(m, f);
	mock_period(m, 90000, 0);
	ok(m->s.host->n_forced == 0 && m->s.host->limit[0][0] == 4,
	   "one whose cycle went by is dropped, the next one holds");
	for (unsigned i = 0; i < CTA_FORCED; i++) {
		f.cycle = 1000 + i;
		force(m, f);
	}
	f.cycle = 5000;
	ok(cta_force(&m->s, &f, &(struct err){0}) < 0, "no more than %d wait", CTA_FORCED);
	mock_free(m);
}

/* ---------------------------------------------------------------- CTAs */

static struct mock *
asked_of_core_1(const char *stack, enum cta_outcome outcome, unsigned to)
{
	struct mock *m = mock_new(stack, 4, 100, 2);

	m->cycle = 1;
	force(m, (struct cta_forced){.cycle = 1,
				     .core = 1,
				     .question = CTA_ASK_ISSUE,
				     .outcome = (uint8_t)outcome,
				     .to = (uint16_t)to});
	return m;
}

static void
issues(void)
{
	struct mock *m = asked_of_core_1("claso", CTA_REFUSE, 0);
	struct cta_stack *s = &m->s;

	ok(mock_ask(m, 0), "core 0 takes a CTA");
	ok(!mock_ask(m, 1) && !m->core[1].n, "core 1 is kept from it");
	is_str(said(m), "forced-refusal", "an event says so");
	is_u64(mock_count(m, EV_CREDIT), 1, "nobody was asked for a credit");
	ok(mock_ask(m, 1) && m->core[1].cta[0] == 1, "asked again it takes the same CTA");
	mock_free(m);

	m = asked_of_core_1("claso", CTA_ELSEWHERE, 3);
	s = &m->s;
	ok(!cta_may_issue(s, 1, true, NULL) && cta_take_elsewhere(s) == 3, "core 3 is to take it");
	ok(cta_take_elsewhere(s) == -1, "once");
	is_str(said(m), "forced-elsewhere", "an event says so");
	ok(m->ev[m->n_ev - 1].kind == EV_CREDIT && m->ev[m->n_ev - 1].core == 3,
	   "core 3 pays the credit");
	mock_free(m);

	m = asked_of_core_1("claso", CTA_ELSEWHERE, 0);
	s = &m->s;
	ok(mock_ask(m, 0) && mock_ask(m, 0), "core 0 is full");
	ok(!cta_may_issue(s, 1, true, NULL) && cta_take_elsewhere(s) == -1,
	   "so it cannot take the CTA of core 1");
	is_str(said(m), "forced-no-room", "which an event says");
	mock_free(m);
}

/* A refused request is granted: its slot is no longer a refused one. */
static void
granted(void)
{
	struct mock *m = mock_new("claso", 2, 40, 4);
	unsigned before = 0;

	for (unsigned cta = 0; !mock_count(m, EV_CREDIT_EXHAUSTED) && cta < 40; cta++) {
		mock_rounds(m);
		mock_finish(m, m->core[0].cta[0]);
	}
	ok(m->s.host->asked[0] > 0, "core 0 was refused a CTA");
	before = m->core[0].n;
	m->cycle++;
	force(m, (struct cta_forced){.cycle = m->cycle,
				     .question = CTA_ASK_ISSUE,
				     .outcome = CTA_TAKE});
	ok(mock_ask(m, 0) && m->core[0].n == before + 1, "it takes one all the same");
	is_str(said(m), "forced-take", "an event says so");
	ok(m->s.host->asked[0] <= 4 - m->core[0].n, "no more slots are refused than are free");
	mock_free(m);
}

/* ---------------------------------------------------------------- states */

static struct mock *
gate(enum core_state to)
{
	struct mock *m = mock_new("dyncore:period=100,off=2,t_act=1000", 4, 100, 4);

	mock_rounds(m);
	force(m, (struct cta_forced){.cycle = cta_next_period(&m->s),
				     .core = 3,
				     .question = CTA_ASK_STATE,
				     .outcome = CTA_STATE,
				     .to = (uint16_t)to});
	mock_due(m);
	return m;
}

static void
states(void)
{
	struct mock *m = gate(CTA_STATE_STAY);
	struct refusal_view why;

	ok(m->s.host->core[2].state == CORE_DRAINING && m->s.host->core[3].state == CORE_ACTIVE,
	   "core 2 drains, core 3 does not");
	is_str(said(m), "forced-active", "an event says so");
	is_u64(mock_count(m, EV_DRAIN), 1, "only one drains");
	mock_due(m);
	ok(m->s.host->core[3].state == CORE_DRAINING, "at the next decision it does");
	mock_free(m);

	m = gate(CORE_PAUSED);
	ok(m->s.host->core[3].state == CORE_PAUSED && mock_count(m, EV_CORE_PAUSE) == 1,
	   "another state than the policy's");
	ok(!cta_may_issue(&m->s, 3, false, &why) && why.kind == REFUSE_STATE &&
		   strstr(why.text, "forced by the branch"),
	   "why not: %s", why.text);
	mock_free(m);
}

/* ---------------------------------------------------------------- the machine */

static struct sim *
small(struct trace *t, const char *stack)
{
	struct config *c = small_config(stack);
	struct err e = {0};
	struct sim *s;

	if (opt_set(config_db(c), "run.events", "65536", &e) < 0)
		small_die("run.events", &e);
	s = sim_new(c, t, &e);
	if (!s)
		small_die(stack, &e);
	config_free(c);
	return s;
}

static void
wrong(struct trace *t)
{
	static const char *const row[][3] = {
		{"limit.1", "stay", "expected limit.CORE@CYCLE"},
		{"limit.1@900#", "stay", "expected limit.CORE@CYCLE"},
		{"limit.1@900#0x", "stay", "expected limit.CORE@CYCLE"},
		{"colour.1@900", "stay", "expected limit.CORE@CYCLE"},
		{"limit.4@900", "stay", "no core 4: this machine has cores 0..3"},
		{"limit.1@900#256", "stay", "#256 is too large"},
		{"limit.1@99999999999999999999", "stay", "too large"},
		{"limit.1@500", "stay", "is in the past: the run is at cycle 500"},
		{"limit.1@900", "sideways", "expected down, stay, up or a number from 1 to 6"},
		{"limit.1@900", "0", "expected down, stay, up or a number from 1 to 6"},
		{"limit.1@900", "7", "expected down, stay, up or a number from 1 to 6"},
		{"issue.1@900", "stay", "expected take, refuse or core N, 0 to 3"},
		{"issue.1@900", "core 4", "expected take, refuse or core N, 0 to 3"},
		{"state.1@900", "take",
		 "expected stay, active, draining, throttled, paused or off"},
	};
	struct sim *s = small(t, "dyncta");
	uint64_t digest;

	sim_run(s, 500, NULL);
	digest = sim_digest(s);
	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		struct err e = {0};

		ok(sim_force(s, row[i][0], row[i][1], &e) < 0 && strstr(e.msg, row[i][2]), "%s",
		   e.msg);
	}
	is_u64(sim_digest(s), digest, "nothing has changed");
	sim_free(s);
}

/* Returns the first event of a kind about a core, with the sim at the end of its cycle. */
static const struct event *
first(struct sim *s, enum event_kind kind)
{
	while (sim_run(s, sim_cycle(s) + 1, NULL) == SIM_REACHED)
		for (uint64_t i = sim_events(s)->next; i-- > sim_events(s)->first;) {
			const struct event *ev = event_ring_get(sim_events(s), i);

			if (ev->cycle != sim_cycle(s))
				break;
			if (ev->kind == kind && ev->core >= 0)
				return ev;
		}
	return NULL;
}

/* It makes no difference when the outcome was forced, or whether the run has returned to it. */
static void
same_state(struct trace *t)
{
	struct sim *s = small(t, "dyncta");
	const struct event *ev = first(s, EV_LIMIT);
	struct decision_view v;
	struct err e = {0};
	struct snapshot *k;
	uint64_t digest[3], plain;

	ok(ev && sim_decision_view(s, ev, &v, &e) == 0, "the first limit is %s", v.name);
	is_str(v.other, "stay", "it could have stayed");
	sim_run(s, v.cycle + 300, NULL);
	plain = sim_digest(s);
	for (unsigned i = 0; i < 3; i++) {
		struct sim *b = small(t, "dyncta");

		sim_run(b, i == 0 ? 0 : v.cycle - 1, NULL);
		ok(sim_force(b, v.name, v.other, &e) == 0, "forced at cycle %" PRIu64,
		   sim_cycle(b));
		k = sim_save(b, &e);
		sim_run(b, v.cycle + (i == 2), NULL);
		if (i == 2)
			sim_restore(b, k, &e);
		sim_run(b, v.cycle + 300, NULL);
		digest[i] = sim_digest(b);
		snapshot_free(k);
		sim_free(b);
	}
	ok(digest[0] == digest[1] && digest[1] == digest[2], "the same state each time");
	ok(digest[0] != plain, "another one than without");
	sim_free(s);
}

/* One decision of a run gets its other outcome in another run: it is found there, in its cycle, and
 * everything before it is the same. Then the run ends, or reports that it cannot. */
static bool
flipped(struct trace *t, const char *stack, const struct sim *plain, const struct event *ev)
{
	struct sim *s = small(t, stack);
	struct decision_view v;
	struct err e = {0};
	enum sim_stop how;
	const struct event *f = NULL;
	bool good;

	/* in the middle of its cycle, since the limit decides which way it can go */
	sim_run(s, ev->cycle, NULL);
	good = sim_decision_view(s, event_ring_get(sim_events(s), ev->seq), &v, &e) == 0;
	sim_free(s);
	if (!good)
		return e.msg[0] != '\0';
	s = small(t, stack);
	sim_run(s, v.cycle - 1, NULL);
	good = sim_force(s, v.name, v.other, &e) == 0;
	sim_run(s, v.cycle, NULL);
	for (uint64_t i = 0; i < sim_events(s)->next && !f; i++) {
		const struct event *a = event_ring_get(sim_events(s), i),
				   *b = event_ring_get(sim_events(plain), i);

		if (a->kind == EV_FORCED)
			f = a;
		else
			good = good && a->kind == b->kind && a->core == b->core;
	}
	good = good && f && f->cycle == v.cycle && (unsigned)f->core == v.core;
	how = sim_run(s, CYCLE_NEVER, &e);
	good = good && sim_events(s)->count[EV_FORCED] == 1 &&
	       (how == SIM_DONE || (how == SIM_DEADLOCK && strstr(e.msg, "deadlock at cycle")));
	if (!good)
		diag("%s: %s to %s: %s", stack, v.name, v.other, e.msg);
	sim_free(s);
	return good;
}

static void
every_decision(struct trace *t, const char *stack, unsigned step)
{
	struct sim *s = small(t, stack);
	unsigned n = 0, bad = 0;

	sim_run(s, CYCLE_NEVER, NULL);
	for (uint64_t i = 0; i < sim_events(s)->next; i++) {
		const struct event *ev = event_ring_get(sim_events(s), i);

		if (ev->core < 0 || !ev->cycle ||
		    (ev->policy == POLICY_HOST && ev->kind != EV_CTA_ISSUE))
			continue;
		if (n++ % step == 0)
			bad += !flipped(t, stack, s, ev);
	}
	ok(n > 0 && !bad, "%s: %u decisions, every %u-th flipped", stack, n, step);
	sim_free(s);
}

int
main(void)
{
	static const char *const stack[] = {"rr",
					    "dyncta",
					    "dyncta:pause=hold+claso",
					    "dyncore:period=128,off=2,t_act=1000",
					    "tcs:mon_cycle=200",
					    "htcs:mon_cycle=200",
					    "onac:waves=1",
					    "seqdet:waves=1+claso"};
	struct trace *t = small_trace();

	limits();
	ordinals();
	issues();
	granted();
	states();
	wrong(t);
	same_state(t);
	for (unsigned i = 0; i < ARRAY_LEN(stack); i++)
		every_decision(t, stack[i], 7);
	trace_close(t);
	return done();
}
