/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_tcs.c - TCS (Song et al. III): finds with how few cores a memory-bound kernel runs equally
 * well, and switches the others off. The algorithm is in sched_tcs_core.c.
 */
#include "cta/sched_tcs_core.h"

static cycle_t
tcs_act(struct cta_ctx *x, unsigned why)
{
	if (why & ACT_LAUNCH)
		tcs_begin(x);
	if (why & ACT_PERIOD)
		tcs_test(x);
	return tcs_go_on(x);
}

const struct cta_sched_ops cta_sched_tcs = {
	.name = "tcs",
	.help = "throttles cores while half of them are memory bound, then switches them off (Song "
		"III)",
	.abi = CTA_SCHED_ABI,
	.role = CTA_ROLE_CORES,
	.rules = tcs_rules,
	.n_rules = ARRAY_LEN(tcs_rules),
	.opts = tcs_opts,
	.n_opts = ARRAY_LEN(tcs_opts),
	.opts_size = sizeof(struct tcs_opts),
	.state_size = sizeof(struct tcs),
	.core_size = sizeof(struct tcs_core),
	.fields = tcs_fields,
	.n_fields = ARRAY_LEN(tcs_fields),
	.gauges = tcs_gauges,
	.n_gauges = ARRAY_LEN(tcs_gauges),
	.kernel = tcs_kernel,
	.period = tcs_period,
	.decide = tcs_decide,
	.read = tcs_read,
	.act = tcs_act,
};
