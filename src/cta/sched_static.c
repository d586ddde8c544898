/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_static.c - static:n=K limits every core to K running CTAs. A sweep over K finds the optimal
 * TLP of Kayiran 3.
 */
#include "cta/cta.h"

struct static_opts {
	opt_u32 n;
};
static const struct opt_row static_opts[] = {
	CTA_PARAM(struct static_opts, n, u32, 1, 1, MAX_CTAS, "CTAs", "most CTAs on a core"),
};

static uint32_t
static_limit(const struct cta_ctx *x, unsigned core)
{
	const struct static_opts *o = x->opts;

	(void)core;
	return o->n;
}

const struct cta_sched_ops cta_sched_static = {
	.name = "static",
	.help = "at most n CTAs per core, 1 if not given: static:n=3 (Kayiran 3; 'reference "
		"static' finds the best n)",
	.abi = CTA_SCHED_ABI,
	.opts = static_opts,
	.n_opts = ARRAY_LEN(static_opts),
	.opts_size = sizeof(struct static_opts),
	.limit = static_limit,
};
