/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * others.c - LCS, BCS, CTA clustering and Equalizer on a simulated GPU that consists of numbers
 * only (tests/cta/numbers.h), against decisions worked out by hand; and what the host does with a
 * policy that chooses the next CTA.
 */
#include "tests/tap.h"
#include "tests/cta/numbers.h"
#include "cta/cta_part.h"

/* ---------------------------------------------------------------- lcs */

/* Four CTAs on one core have issued these instructions when the second of them ends. */
static void
lcs_case(const uint64_t insts[4], uint32_t needed, const char *rule)
{
	struct mock *m = mock_new("lcs", 1, 100, 4);
	unsigned before;

	mock_rounds(m);
	memcpy(m->core[0].insts, insts, 4 * sizeof(insts[0]));
	before = m->n_ev;
	mock_finish(m, 1);
	is_u64(m->s.host->core[0].limit, needed, "lcs: CTAs needed");
	is_str(mock_rule(m, before + 1), rule, "and the rule that says so");
	mock_rounds(m);
	is_u64(m->core[0].n, MAX(needed, 3), "the core takes no more; it pauses none");
	memset(m->core[0].insts, 0, sizeof(m->core[0].insts));
	mock_finish(m, m->core[0].cta[0]);
	is_u64(m->s.host->core[0].limit, needed, "and does not decide again");
	mock_free(m);
}

static void
lcs(void)
{
	lcs_case((const uint64_t[]){1000, 1000, 1000, 1000}, 4, "all-ctas");
	lcs_case((const uint64_t[]){300, 1000, 200, 100}, 2, "enough-ctas"); /* 1600/1000 */
	lcs_case((const uint64_t[]){400, 1000, 400, 200}, 2, "enough-ctas"); /* 2000/1000 */
	lcs_case((const uint64_t[]){401, 1000, 400, 200}, 3, "enough-ctas"); /* 2001/1000 */
	lcs_case((const uint64_t[]){2000, 1000, 0, 0}, 2, "enough-ctas");    /* 3000/2000 */
	lcs_case((const uint64_t[]){0, 1000, 0, 0}, 1, "enough-ctas");
	lcs_case((const uint64_t[]){0, 0, 0, 0}, 1, "enough-ctas");
}

/* ---------------------------------------------------------------- which CTA comes next */

/* The CTAs of a core, oldest first: "0 1 4". */
static const char *
ctas_of(const struct mock *m, unsigned core)
{
	static char text[200];

	*text = '\0';
	for (unsigned i = 0; i < m->core[core].n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u", i ? " " : "",
			 m->core[core].cta[i]);
	return text;
}

static const char *
text_of_issue(const struct mock *m, uint32_t cta)
{
	static char text[200];

	text[0] = '\0';
	for (unsigned i = m->n_ev; i-- > 0 && !*text;)
		if (m->ev[i].kind == EV_CTA_ISSUE && m->ev[i].cta == cta)
			cta_event_text(&m->s, &m->ev[i], text, sizeof(text));
	return text;
}

static void
bcs(void)
{
	struct mock *m = mock_new("bcs", 2, 11, 4);

	mock_rounds(m);
	is_str(ctas_of(m, 0), "0 1 4 5", "bcs: core 0 has two blocks of two");
	is_str(ctas_of(m, 1), "2 3 6 7", "core 1 those between");
	is_str(text_of_issue(m, 2),
	       "cta-issue, core 1, cycle 1: CTA 2 in slot 0, the first of a block of 2",
	       "a block begins by a rule of its own");
	is_str(text_of_issue(m, 3),
	       "cta-issue, core 1, cycle 2: CTA 3 in slot 1, the next of the core's block, "
	       "of which 1 were left",
	       "and goes on by another");
	mock_finish(m, 4);
	mock_rounds(m);
	is_str(ctas_of(m, 0), "0 1 5", "one free slot is no room for a block");
	is_str(m->s.host->refused[0].rule == 0 ? "no-room-for-a-block" : "another rule",
	       "no-room-for-a-block", "and the core says so");
	mock_finish(m, 1);
	mock_rounds(m);
	is_str(ctas_of(m, 0), "0 5 8 9", "two are");
	mock_finish(m, 6);
	mock_rounds(m);
	is_str(ctas_of(m, 1), "2 3 7 10", "the last block is shorter");
	is_u64(m->s.host->issued, 11, "every CTA was issued");
	mock_free(m);

	m = mock_new("bcs:block=4", 2, 12, 3);
	mock_rounds(m);
	is_str(ctas_of(m, 1), "3 4 5", "a block is no larger than a core");
	mock_free(m);
	m = mock_new("bcs:block=4+static:n=3", 2, 12, 4);
	mock_rounds(m);
	is_str(ctas_of(m, 1), "4 5 6", "nor than the limit of the stack; the rest is kept");
	mock_finish(m, 5);
	mock_rounds(m);
	is_str(ctas_of(m, 1), "4 6 7", "for its core");
	mock_free(m);
}

static void
clustering(void)
{
	struct mock *m = mock_new("clustering", 3, 11, 2);

	mock_rounds(m); /* parts 0 to 2, 3 to 6, 7 to 10 */
	is_str(ctas_of(m, 0), "0 1", "clustering: core 0 begins its part");
	is_str(ctas_of(m, 1), "3 4", "core 1 its own");
	is_str(ctas_of(m, 2), "7 8", "and core 2");
	is_str(text_of_issue(m, 7),
	       "cta-issue, core 2, cycle 1: CTA 7 in slot 0, the next of the core's part, "
	       "of which 4 were left",
	       "the issue has the policy's rule");
	mock_finish(m, 0);
	mock_rounds(m);
	mock_finish(m, 1);
	mock_rounds(m);
	is_str(ctas_of(m, 0), "2 6", "a finished part: the last CTA of the first of the largest");
	is_str(text_of_issue(m, 6),
	       "cta-issue, core 0, cycle 8: CTA 6 in slot 1, the last of the part of core 1, "
	       "of which 2 were left: the core's own part is done",
	       "whose core the rule names");
	mock_finish(m, 2);
	mock_rounds(m);
	is_str(ctas_of(m, 0), "6 10", "and then of the next");
	mock_finish(m, 3);
	mock_rounds(m);
	mock_finish(m, 7);
	mock_rounds(m);
	is_u64(m->s.host->issued, 11, "every CTA was issued, none twice");
	is_str(ctas_of(m, 1), "4 5", "core 1 has the rest of its part");
	mock_free(m);

	m = mock_new("clustering:steal=off", 3, 11, 2);
	mock_rounds(m);
	mock_finish(m, 0);
	mock_rounds(m);
	mock_finish(m, 1);
	mock_rounds(m);
	is_str(ctas_of(m, 0), "2", "steal=off: a core without CTAs of its own stays empty");
	mock_free(m);
}

/* A policy that takes over from one which handed CTAs out in another order. */
static void
take_over(const char *stack, const char *first, const char *second)
{
	struct mock *m = mock_new("rr", 2, 12, 2);
	struct mock *n = mock_new(stack, 2, 12, 2);

	mock_rounds(m); /* 0 and 2 on core 0, 1 and 3 on core 1 */
	m->s.order->issued[0] |= 1 << 6 | 1 << 11;
	m->s.host->issued += 2;
	m->s.policy[0] = n->s.policy[0];
	m->s.host = realloc(m->s.host, n->s.bytes);
	cta_start_policy(&m->s, 0);
	for (unsigned c = 0; c < 2; c++)
		m->s.host->limit[0][c] = 2;
	mock_finish(m, 0);
	mock_finish(m, 2);
	mock_finish(m, 1);
	mock_finish(m, 3);
	mock_rounds(m);
	is_str(ctas_of(m, 0), first, "%s takes over: core 0", stack);
	is_str(ctas_of(m, 1), second, "%s takes over: core 1", stack);
	mock_free(m);
	mock_free(n);
}

static uint32_t
always_seven(const struct cta_ctx *x, unsigned core, struct reason *why)
{
	(void)x;
	(void)core;
	(void)why;
	return 7;
}

/* A policy that gives the same answer again and again, and one above the last CTA. */
static void
wrong_choice(void)
{
	static const struct cta_sched_ops stubborn = {.name = "stubborn",
						      .role = CTA_ROLE_ORDER,
						      .next_cta = always_seven};
	struct mock *m = mock_new("rr", 2, 20, 2);

	m->s.policy[0].ops = &stubborn;
	mock_kernel(m, 20, 2);
	mock_rounds(m);
	is_str(ctas_of(m, 0), "7 1", "a CTA is issued once; then comes the lowest one left");
	is_str(text_of_issue(m, 7),
	       "cta-issue, core 0, cycle 1: CTA 7 in slot 0, which a policy chose before CTA 0, 1 "
	       "of 2 resident",
	       "a choice without a rule has the host's");
	is_str(ctas_of(m, 1), "0 2", "on every core");
	mock_kernel(m, 4, 2);
	mock_rounds(m);
	is_str(ctas_of(m, 1), "1 3", "a CTA that the kernel does not have is no answer");
	mock_free(m);
}

/* ---------------------------------------------------------------- equalizer */

static const struct cta_look
	memory_full = {.warps = 32,
		       .ready_memory = 9,
		       .wait_memory = 20,
		       .wait_other = 3,
		       .warps_per_cta = 8},
	pipes_full = {.warps = 32, .ready_other = 10, .wait_memory = 22, .warps_per_cta = 8},
	near_full = {.warps = 32, .ready_memory = 3, .wait_memory = 29, .warps_per_cta = 8},
	latency = {.warps = 32,
		   .ready_memory = 2,
		   .wait_memory = 17,
		   .ready_other = 8,
		   .wait_other = 5,
		   .warps_per_cta = 8},
	balanced = {.warps = 32,
		    .ready_memory = 2,
		    .wait_memory = 11,
		    .ready_other = 11,
		    .at_barrier = 8,
		    .warps_per_cta = 12};

/* Runs epochs with these warps; returns the rule of the last decision of core 0. */
static const char *
epochs(struct mock *m, const struct cta_look *look, unsigned n)
{
	static char rule[40];

	for (unsigned i = 0; i < n; i++) {
		cycle_t end = cta_next_period(&m->s);

		m->core[0].look = *look;
		m->n_ev = 0;
		while (m->cycle < end)
			mock_due(m);
		mock_repause(m, 0);
		for (unsigned k = 0; k < m->n_ev; k++)
			if (m->ev[k].kind == EV_PERIOD)
				snprintf(rule, sizeof(rule), "%s", mock_rule(m, k));
	}
	return rule;
}

static void
equalizer(void)
{
	struct mock *m = mock_new("equalizer", 1, 100, 4);
	const struct cta_core *c = &m->s.host->core[0];

	mock_rounds(m);
	is_u64(c->limit, 4, "equalizer begins with all that fit");
	is_str(epochs(m, &memory_full, 1), "asked", "memory is full: one epoch asks");
	is_u64(c->limit, 4, "and changes nothing");
	epochs(m, &memory_full, 1);
	is_str(epochs(m, &memory_full, 1), "memory-full", "the third one");
	is_u64(c->limit, 3, "takes a CTA away");
	is_u64(c->paused, 1, "which is paused");
	epochs(m, &memory_full, 2);
	is_str(epochs(m, &near_full, 1), "memory-near-full", "memory near its end: no change");
	epochs(m, &memory_full, 2);
	is_u64(c->limit, 3, "and the row of epochs begins again");
	is_str(epochs(m, &pipes_full, 1), "pipes-full", "the pipes are full: no change");
	is_str(epochs(m, &balanced, 1), "balanced", "11 of 24 wait, and 8 more are at a barrier");
	epochs(m, &latency, 2);
	is_str(epochs(m, &latency, 1), "latency", "22 of 32 wait, three times");
	is_u64(c->limit, 4, "one more CTA");
	is_u64(c->paused, 0, "goes on");
	is_str(epochs(m, &latency, 3), "at-max", "and no more than fit");
	is_u64(c->limit, 4, "stay");
	mock_free(m);
}

int
main(void)
{
	lcs();
	bcs();
	clustering();
	take_over("clustering", "4 5", "7 8");
	take_over("bcs", "4 5", "7 8");
	wrong_choice();
	equalizer();
	return done();
}
