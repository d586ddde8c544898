/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cta_part.h - private to src/cta: functions shared by its files.
 */
#ifndef CTA_PART_H
#define CTA_PART_H

#include "cta/cta.h"

extern const struct cta_calls cta_calls;
struct cta_ctx cta_context(const struct cta_stack *s, unsigned i, struct cta_gpu *g);
void cta_emit(struct cta_stack *s, enum event_kind kind, int core, int slot, uint32_t cta,
	      unsigned policy, const struct reason *why);
/* The same of a decision about the core's limit; cta: the one that ended, UINT32_MAX: none. */
void cta_emit_limit(struct cta_stack *s, enum event_kind kind, unsigned core, uint32_t cta,
		    unsigned policy, const struct reason *why, uint32_t before, uint32_t limit);
bool cta_was_issued(const struct cta_stack *s, uint64_t cta);
void cta_mark_issued(struct cta_stack *s, uint64_t cta);
/* Why the core takes this CTA now: the rule of the policy that chose it, if it gave one, else that
 * of the host. Returns the policy. */
unsigned cta_reason_of_issue(const struct cta_stack *s, unsigned core, unsigned slot, uint32_t cta,
			     struct reason *why);
void cta_mark_unused(struct cta_stack *s);
void cta_start_policy(struct cta_stack *s, unsigned i);
/* If the outcome of this question is forced, copies it to *f and removes it from the list
 * (forced.c). */
bool cta_find_forced(struct cta_stack *s, enum cta_question q, unsigned core, struct cta_forced *f);
static inline bool
cta_take_forced(struct cta_stack *s, enum cta_question q, unsigned core, struct cta_forced *f)
{
	return unlikely(s->host->n_forced) && cta_find_forced(s, q, core, f);
}
/* Publishes and applies what policy i decided about the limit of a core, if anything. Returns true
 * when the limit in force changed; *ev then holds the decision. cta: as above. */
bool cta_apply_decision(struct cta_stack *s, unsigned i, unsigned core, uint32_t cta,
			struct cta_decision *d, struct event *ev);
/* A decision that changes nothing. */
static inline struct cta_decision
cta_no_decision(const struct cta_stack *s, unsigned i, unsigned core)
{
	return (struct cta_decision){.limit = s->host->limit[i][core], .why.rule = RULE_NONE};
}
/* Replaces the policy's limit by the one the user forces, if any. Returns true if d now holds
 * the user's limit, which has been published. */
bool cta_forced_limit(struct cta_stack *s, unsigned i, unsigned core, struct cta_decision *d);
/* The end of a period that begins now (periods.c). */
cycle_t cta_period_end(const struct cta_sched_ops *o, const struct cta_ctx *x);
void cta_refresh_limit(struct cta_stack *s, unsigned core);
void cta_reset_wants(struct cta_stack *s, unsigned i);

/* Resets the kept gauge readings of policy i (gauges.c). */
void cta_forget_gauges(struct cta_stack *s, unsigned i);
/* Keeps the current readings as the last ones: the gauges per core, or those of the GPU. */
void cta_keep_gauges(struct cta_stack *s, unsigned i, unsigned core, bool per_core);

#endif
