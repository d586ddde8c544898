/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_lcs.c - LCS, lazy CTA scheduling (Lee et al., HPCA 2014, section 3).
 * The paper was not at hand: this follows what is known of it.
 *
 * A greedy warp scheduler favours its oldest CTA as long as that can issue, and the others fill the
 * gaps. So when the first CTA of a core ends, the instructions that all its CTAs have issued until
 * then, in units of the CTA that issued most, say how many CTAs the core needs to be busy. From
 * then on the core takes no more: CTAs beyond that number are not paused, they are not replaced.
 * The count assumes such a scheduler (gpu.warp_sched=gto); a fair one lets all CTAs issue alike,
 * and the limit stays at N.
 *
 * The quotient is rounded up, so that a CTA needed in part is kept
 * (ctascope-model(7) 17.12).
 */
#include "cta/cta.h"

enum { R_REDUCED, R_ALL };
static const struct rule lcs_rules[] = {
	[R_REDUCED] = {"enough-ctas",
		       "CTAs issued {insts} instructions until the first ended, the busiest "
		       "{most}: {needed} of {n_max} CTAs needed, {outcome}",
		       .value = {"insts", "most", "needed", "n_max"}},
	[R_ALL] = {"all-ctas",
		   "CTAs issued {insts} instructions until the first ended, the busiest {most}: "
		   "all {n_max} CTAs needed, {outcome}",
		   .value = {"insts", "most", "needed", "n_max"}},
};

struct lcs_core {
	uint32_t needed; /* 0: no CTA of the kernel has ended here */
	uint32_t pad;
};

static const struct cta_field lcs_fields[] = {
	CTA_FIELD_CORE(struct lcs_core, needed, u32, "CTAs",
		       "CTAs needed, found when the first CTA ended; 0: not yet"),
};

static void
lcs_done(struct cta_ctx *x, unsigned core, const struct cta_resident *ended, struct cta_decision *d)
{
	struct lcs_core *c = (struct lcs_core *)x->state + core;
	uint32_t n_max = x->gpu->core[core].n_max;
	uint64_t insts = ended->warp_insts, most = MAX(ended->warp_insts, 1);
	struct cta_resident others[MAX_CTAS];
	unsigned n = c->needed ? 0 : x->call->list_ctas(x, core, others);

	if (c->needed)
		return;
	for (unsigned i = 0; i < n; i++) {
		insts += others[i].warp_insts;
		most = MAX(most, others[i].warp_insts);
	}
	c->needed = (uint32_t)MAX(1, MIN((insts + most - 1) / most, n_max));
	d->limit = c->needed;
	d->why = (struct reason){c->needed < n_max ? R_REDUCED : R_ALL,
				 {(int64_t)insts, (int64_t)most, c->needed, n_max}};
}

const struct cta_sched_ops cta_sched_lcs = {
	.name = "lcs",
	.help = "estimates how many CTAs each core needs when its first CTA ends; "
		"made for gto (Lee 3)",
	.warp_sched = "gto",
	.abi = CTA_SCHED_ABI,
	.rules = lcs_rules,
	.n_rules = ARRAY_LEN(lcs_rules),
	.core_size = sizeof(struct lcs_core),
	.fields = lcs_fields,
	.n_fields = ARRAY_LEN(lcs_fields),
	.done = lcs_done,
};
