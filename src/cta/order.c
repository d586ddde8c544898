/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.c - which CTA of the kernel comes next: the one that a policy chooses, else the lowest that
 * was not issued yet. Of several kernels, which one gives it, if a policy chooses.
 */
#include "cta/cta_part.h"

bool
cta_was_issued(const struct cta_stack *s, uint64_t cta)
{
	return cta < s->host->n_cta && s->order->issued[cta / 64] >> cta % 64 & 1;
}

void
cta_mark_issued(struct cta_stack *s, uint64_t cta)
{
	s->order->issued[cta / 64] |= UINT64_C(1) << cta % 64;
	while (cta_was_issued(s, s->order->lowest))
		s->order->lowest++;
}

/* Returns the CTA that the core takes next. *by: the policy that chose it, POLICY_HOST: none. */
static uint32_t
choose_cta(const struct cta_stack *s, unsigned core, unsigned *by, struct reason *why)
{
	for (unsigned i = 0; i < s->n; i++) {
		struct cta_gpu g;
		struct cta_ctx x;
		uint32_t cta;

		if (likely(!s->policy[i].ops->next_cta))
			continue;
		x = cta_context(s, i, &g);
		*why = (struct reason){.rule = RULE_NONE};
		cta = s->policy[i].ops->next_cta(&x, core, why);
		*by = i;
		if (cta < s->host->n_cta && !cta_was_issued(s, cta))
			return cta;
	}
	*by = POLICY_HOST;
	return (uint32_t)s->order->lowest;
}

uint32_t
cta_next(const struct cta_stack *s, unsigned core)
{
	unsigned by;
	struct reason why;

	return choose_cta(s, core, &by, &why);
}

bool
cta_chooses_kernel(const struct cta_stack *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->policy[i].ops->next_kernel)
			return true;
	return false;
}

unsigned
cta_next_kernel(const struct cta_stack *s, unsigned core, const struct cta_running *k, unsigned n,
		struct cta_choice *choice)
{
	struct cta_gpu g;
	struct cta_ctx x;
	unsigned i = 0;

	while (!s->policy[i].ops->next_kernel)
		i++;
	*choice = (struct cta_choice){i, {.rule = RULE_NONE}};
	x = cta_context(s, i, &g);
	return MIN(s->policy[i].ops->next_kernel(&x, core, k, n, &choice->why), n);
}

unsigned
cta_reason_of_issue(const struct cta_stack *s, unsigned core, unsigned slot, uint32_t cta,
		    struct reason *why)
{
	const struct cta_host *h = s->host;
	uint64_t lowest = s->order->lowest;
	unsigned by;

	if (choose_cta(s, core, &by, why) == cta && by != POLICY_HOST && why->rule != RULE_NONE)
		return by;
	if (unlikely(s->choice != NULL) && s->choice->why.rule != RULE_NONE) {
		*why = s->choice->why;
		return s->choice->by;
	}
	*why = (struct reason){cta == lowest ? HR_ISSUE : HR_CHOSEN,
			       {cta, slot, h->core[core].resident + 1, h->n_max, (int64_t)lowest}};
	return POLICY_HOST;
}
