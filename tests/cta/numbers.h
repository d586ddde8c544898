/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * numbers.h - a simulated GPU that consists of numbers only, around the real host of the policies.
 *
 * Cores hold CTAs as a list in launch order; the test decides which CTA ends when and sets the
 * counters of a core. Events are stored in order. There is one core per cluster: a round asks every
 * core once, from core 0 on.
 */
#ifndef TESTS_UNIT_CTA_MOCK_H
#define TESTS_UNIT_CTA_MOCK_H

#include "cta/cta.h"
#include "sim/config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOCK_CTAS (1 << 20) /* most CTAs of a kernel */

struct mock_core {
	uint32_t cta[MAX_CTAS]; /* resident, oldest first */
	unsigned n;
	unsigned issued; /* over the kernel */
	uint32_t held, deferred; /* of the paused CTAs, those that should be held or defer */
	uint64_t insts[MAX_CTAS]; /* instructions that its CTAs have issued, as cta[] */
	struct cta_look look;	  /* what a policy sees that looks at it */
};

struct mock {
	struct config *cfg;
	struct cta_stack s;
	cycle_t cycle;
	struct mock_core core[MAX_CORES];
	struct event ev[4096];
	unsigned n_ev;
};

static inline cycle_t
mock_cycle(void *ctx)
{
	return ((struct mock *)ctx)->cycle;
}

static inline void
mock_emit(void *ctx, struct event *ev)
{
	struct mock *m = ctx;

	ev->cycle = m->cycle;
	if (m->n_ev < 4096)
		m->ev[m->n_ev++] = *ev;
}

static inline struct cta_look
mock_look(void *ctx, unsigned core)
{
	return ((struct mock *)ctx)->core[core].look;
}

static inline struct cta_memory
mock_memory(void *ctx)
{
	(void)ctx;
	return (struct cta_memory){0};
}

static inline struct cta_resident
mock_resident(const struct mock_core *k, unsigned i)
{
	return (struct cta_resident){.cta = k->cta[i], .warp_insts = k->insts[i]};
}

static inline unsigned
mock_list(void *ctx, unsigned core, struct cta_resident *r)
{
	const struct mock_core *k = &((struct mock *)ctx)->core[core];

	for (unsigned i = 0; i < k->n; i++)
		r[i] = mock_resident(k, i);
	return k->n;
}

static const struct cta_eyes mock_eyes = {
	.core = mock_look, .memory = mock_memory, .list_ctas = mock_list};

/* Does what the sim does after periods and ended CTAs: policies act, states are merged. */
static inline void
mock_act(struct mock *m, bool ended)
{
	cta_act(&m->s, ended);
	cta_merge_states(&m->s);
}

static inline void
mock_kernel(struct mock *m, uint64_t n_cta, uint32_t n_max)
{
	memset(m->core, 0, sizeof(m->core));
	m->n_ev = 0;
	cta_kernel(&m->s, 0, m->s.host->ordinal + 1, n_cta, n_max);
	mock_act(m, false);
}

/* Advances to the next cycle in which a policy acts or a period ends; the counters stay. */
static inline void
mock_due(struct mock *m)
{
	struct event why;

	m->cycle = cta_next_due(&m->s);
	if (m->cycle == cta_next_period(&m->s)) {
		for (unsigned c = 0; c < m->s.host->n_cores; c++)
			cta_decide(&m->s, c, &why);
		cta_period_over(&m->s);
	}
	mock_act(m, false);
}

/* Creates a stack from its text, and a kernel of n_cta CTAs of which n_max fit on each of n_cores
 * cores. */
static inline struct mock *
mock_new(const char *stack, unsigned n_cores, uint64_t n_cta, uint32_t n_max)
{
	struct mock *m = calloc(1, sizeof(*m));
	struct err e = {0};

	m->cfg = config_new();
	if (!m->cfg || config_policy(m->cfg, stack, &e) < 0) {
		printf("Bail out! %s: %s\n", stack, e.msg);
		exit(99);
	}
	m->s.n = m->cfg->n_stack;
	for (unsigned i = 0; i < m->s.n; i++)
		m->s.policy[i] =
			(struct cta_policy){.ops = m->cfg->stack[i],
					    .opts = config_policy_opts(m->cfg, m->cfg->stack[i])};
	m->s.emit = mock_emit;
	m->s.cycle = mock_cycle;
	m->s.emit_ctx = m;
	m->s.eyes = &mock_eyes;
	m->s.order = calloc(1, cta_order_bytes(MOCK_CTAS));
	cta_stack_layout(&m->s, n_cores);
	m->s.host = calloc(1, m->s.bytes);
	cta_stack_start(&m->s, n_cores);
	mock_kernel(m, n_cta, n_max);
	return m;
}

static inline void
mock_free(struct mock *m)
{
	free(m->s.host);
	free(m->s.order);
	config_free(m->cfg);
	free(m);
}

static inline void
mock_repause(struct mock *m, unsigned c)
{
	const struct cta_pauses n = cta_to_pause(&m->s, c);

	m->core[c].held = n.held;
	m->core[c].deferred = n.deferred;
	cta_paused(&m->s, c, n.all);
}

/* Asks one core; returns true if it took a CTA. */
static inline bool
mock_ask(struct mock *m, unsigned c)
{
	struct mock_core *k = &m->core[c];
	uint32_t cta;

	if (!cta_may_issue(&m->s, c, true, NULL))
		return false;
	cta = cta_next(&m->s, c);
	k->insts[k->n] = 0;
	k->cta[k->n++] = cta;
	k->issued++;
	cta_issued(&m->s, c, k->n - 1, cta);
	mock_repause(m, c);
	return true;
}

/* Asks every core once a cycle until none takes a CTA any more. */
static inline void
mock_rounds(struct mock *m)
{
	bool any = true;

	while (any) {
		any = false;
		m->cycle++;
		for (unsigned c = 0; c < m->s.host->n_cores; c++)
			any |= mock_ask(m, c);
	}
}

static inline bool
mock_finish(struct mock *m, uint32_t cta)
{
	for (unsigned c = 0; c < m->s.host->n_cores; c++) {
		struct mock_core *k = &m->core[c];

		for (unsigned i = 0; i < k->n; i++) {
			struct cta_resident ended = mock_resident(k, i);
			struct event why;

			if (k->cta[i] != cta)
				continue;
			memmove(&k->cta[i], &k->cta[i + 1], (k->n - i - 1) * sizeof(k->cta[0]));
			memmove(&k->insts[i], &k->insts[i + 1],
				(k->n - i - 1) * sizeof(k->insts[0]));
			k->n--;
			m->cycle++;
			cta_done(&m->s, c, i, &ended, &why);
			mock_repause(m, c);
			mock_act(m, true);
			return true;
		}
	}
	return false;
}

/* Ends a period on every core; c_mem and c_idle are its counts. */
static inline void
mock_period(struct mock *m, uint64_t c_mem, uint64_t c_idle)
{
	struct event why;

	m->cycle = cta_next_period(&m->s);
	for (unsigned c = 0; c < m->s.host->n_cores; c++) {
		m->s.host->core[c].c_mem += c_mem;
		m->s.host->core[c].c_idle += c_idle;
		cta_decide(&m->s, c, &why);
		mock_repause(m, c);
	}
	cta_period_over(&m->s);
	mock_act(m, false);
}

static inline unsigned
mock_count(const struct mock *m, enum event_kind kind)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->n_ev; i++)
		n += m->ev[i].kind == kind;
	return n;
}

static inline const char *
mock_rule(const struct mock *m, unsigned i)
{
	return cta_rule(&m->s, m->ev[i].policy, m->ev[i].rule)->name;
}

#endif
