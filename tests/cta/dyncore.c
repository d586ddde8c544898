/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dyncore.c - DYNCORE on a simulated GPU that consists of numbers only (tests/cta/numbers.h): G_act
 * compared with t_act, the automatic values, and what happens to cores that are switched off.
 */
#include "tests/tap.h"
#include "tests/cta/numbers.h"

/* Ends the period; every core that is not off was active for n_act cycles. */
static void
active_period(struct mock *m, uint64_t n_act)
{
	for (unsigned c = 0; c < m->s.host->n_cores; c++)
		if (m->s.host->core[c].state != CORE_OFF)
			m->s.host->core[c].n_act += n_act;
	mock_period(m, 200, 0);
}

static unsigned
in_state(const struct mock *m, enum core_state state)
{
	unsigned n = 0;

	for (unsigned c = 0; c < m->s.host->n_cores; c++)
		n += m->s.host->core[c].state == state;
	return n;
}

/* Ends every CTA of a core. */
static void
empty(struct mock *m, unsigned c)
{
	while (m->core[c].n)
		mock_finish(m, m->core[c].cta[0]);
}

static unsigned
decisions(const struct mock *m)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->n_ev; i++)
		n += m->ev[i].kind == EV_PERIOD && m->ev[i].core == -1;
	return n;
}

/* The last GPU-wide EV_PERIOD. */
static const struct event *
last_decision(const struct mock *m)
{
	for (unsigned i = m->n_ev; i-- > 0;)
		if (m->ev[i].kind == EV_PERIOD && m->ev[i].core == -1)
			return &m->ev[i];
	return NULL;
}

/* ---------------------------------------------------------------- the decision */

static void
threshold(void)
{
	for (int d = -1; d <= 1; d++) {
		struct mock *m = mock_new("dyncore:t_act=4000,off=3", 10, 1000, 4);
		const struct event *ev;
		char text[200];

		mock_rounds(m);
		m->s.host->core[7].n_act =
			(uint64_t)(1000 + d); /* all of the sum: 3 * 1000 + this */
		m->s.host->core[0].n_act = m->s.host->core[1].n_act = m->s.host->core[9].n_act =
			1000;
		mock_period(m, 200, 0);
		is_u64(in_state(m, CORE_DRAINING), d < 0 ? 3 : 0, "G_act %d, t_act 4,000: %s",
		       4000 + d, d < 0 ? "3 cores drain" : "all work");
		ev = last_decision(m);
		is_u64(decisions(m), 1, "one decision");
		ok(ev && ev->v[0] == 4000 + d && ev->v[1] == 4000 && ev->v[2] == (d < 0 ? 3 : 0) &&
			   ev->v[3] == 10,
		   "published with G_act, t_act, cores off, cores");
		cta_event_text(&m->s, ev, text, sizeof(text));
		ok(strstr(text, d < 0 ? "< t_act 4,000: 3 of 10 cores off"
				      : ">= t_act 4,000: 0 of 10 cores off"),
		   "as a sentence: %s", text);
		mock_free(m);
	}
}

/* Only the activity of the period counts, and not that of a core that is off. */
static void
what_counts(void)
{
	struct mock *m = mock_new("dyncore:t_act=1000,off=1", 4, 1000, 2);

	mock_rounds(m);
	active_period(m, 250);
	is_u64(in_state(m, CORE_ACTIVE), 4, "4 * 250 active cycles are enough");
	active_period(m, 249);
	is_u64(in_state(m, CORE_DRAINING), 1, "the second period is measured from its start");
	empty(m, 3);
	is_u64(m->s.host->core[3].state, CORE_OFF, "core 3 ran empty: off");
	m->s.host->core[3].n_act += 5000;
	active_period(m, 300);
	is_u64((uint64_t)last_decision(m)->v[0], 900,
	       "what core 3 did before it went off is left out");
	active_period(m, 334);
	is_u64(in_state(m, CORE_ACTIVE), 4, "1002 of three cores: all work again");
	active_period(m, 250);
	is_u64((uint64_t)last_decision(m)->v[0], 1000, "then core 3 counts, for this period alone");
	mock_free(m);
}

static void
automatic(void)
{
	static const struct {
		unsigned cores, off;
		uint64_t t_act;
	} row[] = {{15, 4, 20480},    {28, 8, 38229}, {30, 8, 40960}, {56, 16, 76459},
		   {110, 32, 150187}, {1, 0, 1365},   {2, 1, 2731},   {14, 4, 19115}};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		struct mock *m = mock_new("dyncore", row[i].cores, 10000, 1);
		const struct event *ev;

		mock_rounds(m);
		active_period(m, 0);
		ev = last_decision(m);
		ok((uint64_t)ev->v[1] == row[i].t_act && ev->v[2] == row[i].off &&
			   in_state(m, CORE_DRAINING) == row[i].off,
		   "C = %u: t_act %" PRIu64 ", %u cores off (got %" PRId64 ", %" PRId64 ")",
		   row[i].cores, row[i].t_act, row[i].off, ev->v[1], ev->v[2]);
		mock_free(m);
	}
}

static void
parameters(void)
{
	struct mock *m = mock_new("dyncore:period=1024,off=50", 30, 10000, 1);

	is_u64(cta_next_period(&m->s), 1024, "a period of its own, before DYNCTA's");
	mock_rounds(m);
	active_period(m, 0);
	is_u64((uint64_t)last_decision(m)->v[1], 20480, "t_act follows the period");
	is_u64(in_state(m, CORE_ACTIVE), 1, "off=50 of 30 cores: one stays");
	is_u64(m->s.host->core[0].state, CORE_ACTIVE, "core 0");
	mock_free(m);
	m = mock_new("dyncore:off=0", 30, 10000, 1);
	mock_rounds(m);
	active_period(m, 0);
	is_u64(in_state(m, CORE_ACTIVE), 30, "off=0: no core ever goes off");
	is_u64(mock_count(m, EV_DRAIN), 0, "nor drains");
	mock_free(m);
}

/* ---------------------------------------------------------------- cores off and on */

static void
off_and_on(void)
{
	struct mock *m = mock_new("dyncore:t_act=1000,off=2", 5, 1000, 2);
	uint64_t n;

	mock_rounds(m);
	active_period(m, 0);
	ok(m->s.host->core[4].state == CORE_DRAINING && m->s.host->core[3].state == CORE_DRAINING &&
		   m->s.host->core[2].state == CORE_ACTIVE,
	   "the highest-numbered cores drain");
	is_u64(mock_count(m, EV_GATE), 0, "they hold CTAs and stay on");
	empty(m, 4);
	mock_rounds(m);
	ok(m->s.host->core[4].state == CORE_OFF && !m->core[4].n,
	   "core 4 ran empty: off, no new CTA");
	is_u64(m->s.host->core[3].state, CORE_DRAINING, "core 3 still drains");
	is_u64(mock_count(m, EV_GATE), 1, "one gate event");
	n = m->s.host->issued;
	active_period(m, 0);
	mock_rounds(m);
	is_u64(m->s.host->issued, n, "another quiet period changes nothing");
	is_u64(mock_count(m, EV_DRAIN), 2, "no event again");
	active_period(m, 250);
	is_u64(in_state(m, CORE_ACTIVE), 5, "1,000 active cycles: both work again");
	is_u64(mock_count(m, EV_UNGATE), 2, "the one that was off and the one that drained");
	mock_rounds(m);
	is_u64(m->core[4].n, 1, "core 4 takes a CTA at once");
	active_period(m, 0);
	mock_kernel(m, 1000, 2);
	is_u64(in_state(m, CORE_ACTIVE), 5, "a new kernel: every core works");
	mock_free(m);
}

static void
waking(void)
{
	struct mock *m = mock_new("dyncore:t_act=1000,off=2,wake=300", 5, 1000, 2);
	struct refusal_view why;
	cycle_t at;

	mock_rounds(m);
	active_period(m, 0);
	empty(m, 4);
	active_period(m, 250);
	at = m->cycle;
	is_u64(m->s.host->core[4].state, CORE_ACTIVE, "switched on: powered");
	ok(!mock_ask(m, 4), "but takes no CTA yet");
	cta_may_issue(&m->s, 4, false, &why);
	ok(why.kind == REFUSE_POLICY && m->s.host->refused[4].v[0] == (int64_t)at + 300,
	   "refused by dyncore, until cycle %" PRIu64, at + 300);
	empty(m, 3);
	ok(mock_ask(m, 3), "core 3 only drained: it takes one");
	is_u64(cta_next_due(&m->s), at + 300, "the host is to ask again when core 4 is awake");
	m->cycle = at + 299;
	ok(!mock_ask(m, 4), "not a cycle too early");
	mock_due(m);
	ok(mock_ask(m, 4), "then it takes one");
	is_u64(cta_next_act(&m->s), CYCLE_NEVER, "and nothing is left to wait for");
	/* a core that is off when the next kernel begins needs the time as well */
	active_period(m, 0);
	empty(m, 4);
	mock_kernel(m, 1000, 2);
	ok(!mock_ask(m, 4) && mock_ask(m, 0), "a new kernel: core 4 wakes first");
	is_u64(cta_next_act(&m->s), m->cycle + 300, "300 cycles from the launch");
	mock_free(m);
}

/* ---------------------------------------------------------------- with DYNCTA and CLASO */

static void
stacks(void)
{
	struct mock *m = mock_new("dyncore:t_act=1000,off=1", 2, 1000, 8);
	unsigned n = 0;

	is_str(config_policy_text(m->cfg), "dyncta+dyncore:t_act=1000,off=1",
	       "dyncore stands for dyncta+dyncore");
	is_u64(m->s.host->core[0].limit, 4, "n begins as DYNCTA says");
	mock_rounds(m);
	mock_period(m, 500, 0);
	is_u64(m->s.host->core[0].limit, 3, "and moves as DYNCTA says");
	while (m->core[1].n)
		mock_finish(m, m->core[1].cta[0]);
	m->n_ev = 0;
	mock_period(m, 0, 0);
	mock_period(m, 0, 0);
	is_u64(m->s.host->core[0].limit, 5, "the core that works goes on deciding");
	is_u64(m->s.host->core[1].limit, 3, "the one that is off decides nothing");
	for (unsigned i = 0; i < m->n_ev; i++)
		n += m->ev[i].core == 1 && !strcmp(mock_rule(m, i), "core-off");
	is_u64(n, 2, "and says so");
	mock_free(m);
	/* credits of a core that goes off return */
	m = mock_new("dyncore:t_act=1000,off=1+claso", 4, 40, 2);
	mock_rounds(m);
	active_period(m, 0);
	empty(m, 3);
	n = 0;
	for (unsigned i = 0; i < m->n_ev; i++)
		n += m->ev[i].core == 3 && !strcmp(mock_rule(m, i), "credits-return");
	is_u64(n, 1, "dyncore+claso: the credits of core 3 return");
	for (unsigned i = 0; i < 200 && m->s.host->done < 40; i++) {
		for (unsigned c = 0; c < 4; c++)
			if (m->core[c].n)
				mock_finish(m, m->core[c].cta[0]);
		mock_rounds(m);
	}
	is_u64(m->s.host->done, 40, "and all CTAs are done by the other three");
	ok(m->core[3].issued <= 2, "core 3 had %u", m->core[3].issued);
	mock_free(m);
}

int
main(void)
{
	threshold();
	what_counts();
	automatic();
	parameters();
	off_and_on();
	waking();
	stacks();
	return done();
}
