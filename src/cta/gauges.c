/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gauges.c - the quantities that policies compare with thresholds: now, and at the end of their
 * last period.
 *
 * A policy computes its gauges itself, from its state and the counters of the cores. The readings
 * at the end of a period are kept after the policy's state, so that a stop can show both.
 */
#include "cta/cta_part.h"
#include <math.h>

static const struct cta_reading unknown = {(double)NAN, (double)NAN, (double)NAN};

void
cta_read_gauges(const struct cta_stack *s, unsigned i, unsigned core, const struct cta_core *cores,
		struct cta_reading *r)
{
	struct cta_gpu g;
	struct cta_ctx x = cta_context(s, i, &g);

	for (unsigned k = 0; k < CTA_GAUGES; k++)
		r[k] = unknown;
	g.core = cores;
	if (s->policy[i].ops->read)
		s->policy[i].ops->read(&x, core, r);
}

struct cta_reading *
cta_kept(const struct cta_stack *s, unsigned i, unsigned gauge, unsigned core)
{
	struct cta_reading *r = (struct cta_reading *)((char *)s->host + s->policy[i].kept);

	return &r[gauge * s->host->n_cores + core];
}

void
cta_forget_gauges(struct cta_stack *s, unsigned i)
{
	s->host->kept_at[i] = CYCLE_NEVER;
	for (unsigned k = 0; k < s->policy[i].ops->n_gauges * s->host->n_cores; k++)
		*cta_kept(s, i, 0, k) = unknown;
}

void
cta_keep_gauges(struct cta_stack *s, unsigned i, unsigned core, bool per_core)
{
	const struct cta_sched_ops *o = s->policy[i].ops;
	struct cta_reading now[CTA_GAUGES];

	if (!o->n_gauges)
		return;
	cta_read_gauges(s, i, core, s->host->core, now);
	for (unsigned k = 0; k < o->n_gauges; k++)
		if (o->gauges[k].per_core == per_core)
			*cta_kept(s, i, k, core) = now[k];
	s->host->kept_at[i] = s->cycle(s->emit_ctx);
}
