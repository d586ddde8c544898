/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * periods.c - what is due when, and the decisions of the policies for each core when a period ends.
 */
#include "cta/cta_part.h"

/* The end of a period that begins now; CYCLE_NEVER if the policy has none or none any more. */
cycle_t
cta_period_end(const struct cta_sched_ops *o, const struct cta_ctx *x)
{
	cycle_t n = o->period ? o->period(x) : 0;

	return n && n < CYCLE_NEVER - x->gpu->cycle ? x->gpu->cycle + n : CYCLE_NEVER;
}

cycle_t
cta_next_period(const struct cta_stack *s)
{
	cycle_t next = CYCLE_NEVER;

	for (unsigned i = 0; i < s->n; i++)
		next = MIN(next, s->host->next_period[i]);
	return next;
}

cycle_t
cta_next_act(const struct cta_stack *s)
{
	cycle_t next = CYCLE_NEVER;

	for (unsigned i = 0; i < s->n; i++)
		next = MIN(next, s->host->next_act[i]);
	return next;
}

cycle_t
cta_next_due(const struct cta_stack *s)
{
	cycle_t next = CYCLE_NEVER; /* called every cycle: one loop is faster than one per MIN() */

	for (unsigned i = 0; i < s->n; i++)
		next = MIN(next, MIN(s->host->next_period[i], s->host->next_act[i]));
	return next;
}

static uint32_t
limit_in_range(const struct cta_host *h, uint32_t limit)
{
	return MAX(1, MIN(limit, h->n_max));
}

bool
cta_apply_decision(struct cta_stack *s, unsigned i, unsigned core, uint32_t cta,
		   struct cta_decision *d, struct event *ev)
{
	struct cta_host *h = s->host;
	uint32_t before = h->core[core].limit, own = h->limit[i][core];
	unsigned by;

	if (d->why.rule == RULE_NONE)
		return false;
	cta_emit_limit(s, EV_PERIOD, core, cta, i, &d->why, own, limit_in_range(h, d->limit));
	by = cta_forced_limit(s, i, core, d) ? POLICY_HOST : i;
	h->limit[i][core] = limit_in_range(h, d->limit);
	cta_refresh_limit(s, core);
	if (h->core[core].limit == before)
		return false;
	cta_emit_limit(s, EV_LIMIT, core, cta, by, &d->why, own, h->limit[i][core]);
	*ev = (struct event){.policy = by == POLICY_HOST ? POLICY_HOST : s->policy[i].id,
			     .rule = d->why.rule,
			     .limit_before = (uint8_t)own,
			     .limit = (uint8_t)h->limit[i][core]};
	cta_take_values(cta_rule(s, ev->policy, ev->rule), d->why.v, ev->v);
	return true;
}

bool
cta_decide(struct cta_stack *s, unsigned core, struct event *ev)
{
	cycle_t now = s->cycle(s->emit_ctx);
	struct cta_gpu g;
	bool changed = false;

	for (unsigned i = 0; i < s->n; i++) {
		struct cta_ctx x = cta_context(s, i, &g);
		struct cta_decision d = cta_no_decision(s, i, core);

		if (s->host->next_period[i] != now || !s->policy[i].ops->decide)
			continue;
		cta_keep_gauges(s, i, core,
				true); /* before decide(), which begins the next period */
		s->policy[i].ops->decide(&x, core, &d);
		changed |= cta_apply_decision(s, i, core, UINT32_MAX, &d, ev);
	}
	return changed;
}

/* The policy whose period is shown as the period of the cores, with C_mem and C_idle: the first
 * policy that decides about single cores, otherwise the first that has a period. */
static unsigned
leading_policy(const struct cta_stack *s)
{
	unsigned any = CTA_STACK;

	for (unsigned i = 0; i < s->n; i++) {
		const struct cta_sched_ops *o = s->policy[i].ops;

		if (o->period && !(o->role & CTA_ROLE_CORES))
			return i;
		if (o->period && any == CTA_STACK)
			any = i;
	}
	return any;
}

cycle_t
cta_period(const struct cta_stack *s, cycle_t *done)
{
	const struct cta_host *h = s->host;
	unsigned lead = leading_policy(s);

	*done = 0;
	if (lead == CTA_STACK || h->next_period[lead] == CYCLE_NEVER)
		return 0;
	*done = s->cycle(s->emit_ctx) - h->period_start;
	return h->next_period[lead] - h->period_start;
}

static void
begin_period(struct cta_host *h, cycle_t now)
{
	h->periods++;
	h->period_start = now;
	for (unsigned c = 0; c < h->n_cores; c++) {
		h->base_c_mem[c] = h->core[c].c_mem;
		h->base_c_idle[c] = h->core[c].c_idle;
	}
}

void
cta_period_over(struct cta_stack *s)
{
	struct cta_host *h = s->host;
	cycle_t now = s->cycle(s->emit_ctx);
	unsigned lead = leading_policy(s);
	struct cta_gpu g;

	for (unsigned i = 0; i < s->n; i++) {
		struct cta_ctx x = cta_context(s, i, &g);

		if (h->next_period[i] != now)
			continue;
		cta_keep_gauges(s, i, 0, false);
		for (unsigned c = 0; !s->policy[i].ops->decide && c < h->n_cores; c++)
			cta_keep_gauges(s, i, c, true);
		h->next_period[i] = cta_period_end(s->policy[i].ops, &x);
		h->period_over |= (uint8_t)(1u << i);
		if (i == lead)
			begin_period(h, now);
	}
}

/* The gauges are kept when a period ends, that is when the next one begins. Policies without gauges
 * are covered where their period is that of the cores. */
static bool
period_begins_now(const struct cta_stack *s, unsigned i, cycle_t now)
{
	const struct cta_host *h = s->host;

	return h->next_period[i] != CYCLE_NEVER &&
	       (h->kept_at[i] == now || (i == leading_policy(s) && h->period_start == now));
}

void
cta_refresh_periods(struct cta_stack *s)
{
	cycle_t now = s->cycle(s->emit_ctx);
	struct cta_gpu g;

	for (unsigned i = 0; i < s->n; i++) {
		struct cta_ctx x = cta_context(s, i, &g);

		if (period_begins_now(s, i, now))
			s->host->next_period[i] = cta_period_end(s->policy[i].ops, &x);
	}
}
