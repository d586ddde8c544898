/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cta_part.h - private to src/cta: what host.c, states.c and gauges.c use of each other.
 */
#ifndef CTA_PART_H
#define CTA_PART_H

#include "cta/cta.h"

extern const struct cta_calls cta_calls;
struct cta_ctx cta_context(const struct cta_stack *s, unsigned i, struct cta_gpu *g);
void cta_emit(struct cta_stack *s, enum event_kind kind, int core, int slot, uint32_t cta,
	      unsigned policy, const struct reason *why);
void cta_mark_unused(struct cta_stack *s);
void cta_start_policy(struct cta_stack *s, unsigned i);
void cta_refresh_limit(struct cta_stack *s, unsigned core);
void cta_reset_wants(struct cta_stack *s, unsigned i);

/* Of the gauges of policy i (gauges.c): nothing was shown yet. */
void cta_forget_gauges(struct cta_stack *s, unsigned i);
/* Keeps what they show as what they showed last: those of a core, or those of the GPU. */
void cta_keep_gauges(struct cta_stack *s, unsigned i, unsigned core, bool per_core);

#endif
