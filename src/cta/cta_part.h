/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cta_part.h - private to src/cta: what its files use of each other.
 */
#ifndef CTA_PART_H
#define CTA_PART_H

#include "cta/cta.h"

extern const struct cta_calls cta_calls;
struct cta_ctx cta_context(const struct cta_stack *s, unsigned i, struct cta_gpu *g);
void cta_emit(struct cta_stack *s, enum event_kind kind, int core, int slot, uint32_t cta,
	      unsigned policy, const struct reason *why);
/* The same of a decision about the core's limit. */
void cta_emit_limit(struct cta_stack *s, enum event_kind kind, unsigned core, unsigned policy,
		    const struct reason *why, uint32_t before, uint32_t limit);
void cta_mark_unused(struct cta_stack *s);
void cta_start_policy(struct cta_stack *s, unsigned i);
/* Is the outcome of this question forced? Then it is f, and no longer waits (forced.c). */
bool cta_find_forced(struct cta_stack *s, enum cta_question q, unsigned core, struct cta_forced *f);
static inline bool
cta_take_forced(struct cta_stack *s, enum cta_question q, unsigned core, struct cta_forced *f)
{
	return unlikely(s->h->n_forced) && cta_find_forced(s, q, core, f);
}
/* The limit the user wants in place of the policy's; true: he does, d has it, and it is said. */
bool cta_forced_limit(struct cta_stack *s, unsigned i, unsigned core, struct cta_decision *d);
/* When the period of a policy that begins now ends (periods.c). */
cycle_t cta_period_end(const struct cta_sched_ops *o, const struct cta_ctx *x);
void cta_refresh_limit(struct cta_stack *s, unsigned core);
void cta_reset_wants(struct cta_stack *s, unsigned i);

/* Of the gauges of policy i (gauges.c): nothing was shown yet. */
void cta_forget_gauges(struct cta_stack *s, unsigned i);
/* Keeps what they show as what they showed last: those of a core, or those of the GPU. */
void cta_keep_gauges(struct cta_stack *s, unsigned i, unsigned core, bool per_core);

#endif
