/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * youngest.c - a warp scheduler of one's own: of the warps that can issue, the youngest of each
 * scheduler goes first. It is a policy that only orders warps, so it runs beside any CTA policy:
 *
 *     ctascope -w ./youngest.so -p dyncta phase
 *
 * It is asked about a core in every cycle, because each answer names the next cycle. A policy that
 * only keeps some warps from issuing is asked less often: when warps come, end or meet at barriers.
 */
#include <ctascope/cta_sched.h>

static cycle_t
youngest_warps(struct cta_ctx *x, unsigned core, const struct cta_warps *w,
	       struct cta_warp_order *o)
{
	uint64_t done = 0; /* schedulers that have their warp, one bit each */

	(void)core;
	for (unsigned i = w->n; i--;) {
		unsigned warp = w->oldest[i], scheduler = warp % w->n_sched;

		if (done >> scheduler & 1 || !(w->ready >> warp & 1))
			continue;
		done |= UINT64_C(1) << scheduler;
		o->first |= UINT64_C(1) << warp;
	}
	return x->gpu->cycle + 1;
}

const struct cta_sched_ops ctascope_policy = {
	.abi = CTA_SCHED_ABI,
	.name = "youngest",
	.help = "the youngest warp that can issue goes first",
	.warps = youngest_warps,
};
