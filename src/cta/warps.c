/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warps.c - which warps of a core may issue: asks the policies that order warps, and merges their
 * answers (ctascope-model(7) 16.11).
 *
 * Each policy keeps its own masks from one answer to the next. A core is asked again only when its
 * warps, its barriers or the policy's state changed, or when the policy said that time alone
 * changes its answer.
 */
#include "cta/cta_part.h"

bool
cta_orders_warps(const struct cta_stack *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->policy[i].ops->warps)
			return true;
	return false;
}

bool
cta_watches_l1(const struct cta_stack *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->policy[i].ops->l1_miss)
			return true;
	return false;
}

cycle_t
cta_next_order(const struct cta_stack *s)
{
	cycle_t next = CYCLE_NEVER;

	for (unsigned c = 0; c < s->host->n_cores; c++)
		next = MIN(next, s->host->warps_due[c]);
	return next;
}

bool
cta_l1_miss(struct cta_stack *s, unsigned core, const struct cta_l1_miss *m)
{
	bool ask = false;

	for (unsigned i = 0; i < s->n; i++) {
		struct cta_gpu g;
		struct cta_ctx x;

		if (!s->policy[i].ops->l1_miss)
			continue;
		x = cta_context(s, i, &g);
		ask |= s->policy[i].ops->l1_miss(&x, core, m);
	}
	return ask;
}

void
cta_order_warps(struct cta_stack *s, unsigned core, const struct cta_warps *w,
		struct cta_warp_order *all)
{
	struct cta_host *h = s->host;

	*all = (struct cta_warp_order){.why.rule = RULE_NONE};
	h->warps_due[core] = CYCLE_NEVER;
	for (unsigned i = 0; i < s->n; i++) {
		struct cta_gpu g;
		struct cta_ctx x = cta_context(s, i, &g);
		struct cta_warp_order o = {.why.rule = RULE_NONE};
		cycle_t next;

		if (!s->policy[i].ops->warps)
			continue;
		next = s->policy[i].ops->warps(&x, core, w, &o);
		h->warps_due[core] = MIN(h->warps_due[core], MAX(g.cycle + 1, next));
		all->stopped |= o.stopped & w->unfinished;
		all->no_memory |= o.no_memory & w->unfinished;
		all->first = all->first ? all->first : o.first & w->unfinished;
		if (o.why.rule != RULE_NONE)
			cta_emit(s, EV_WARPS, (int)core, -1, UINT32_MAX, i, &o.why);
	}
}
