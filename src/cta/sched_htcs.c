/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_htcs.c - half TCS (Song et al. III.C): a kernel begins on the first half of the cores.
 *
 * If the first test finds at least half of those memory bound, TCS continues with them and the
 * second half stays off; otherwise all cores work and TCS continues as usual. With an odd number of
 * cores the first half is the larger one.
 */
#include "cta/sched_tcs_core.h"

static void
htcs_kernel(struct cta_ctx *x)
{
	struct tcs *s = x->state;
	unsigned second = x->gpu->n_used / 2;

	tcs_kernel(x);
	for (unsigned c = x->gpu->n_cores; c-- > 0 && second;)
		if (tcs_cores(x)[c].role == TCS_ACTIVE) {
			tcs_cores(x)[c].role = TCS_OFF;
			s->active--;
			s->off++;
			second--;
		}
}

static void
want_second_half(struct cta_ctx *x, enum core_state state, const struct reason *why)
{
	struct tcs *s = x->state;

	for (unsigned c = 0; c < x->gpu->n_cores; c++) {
		struct tcs_core *k = &tcs_cores(x)[c];

		if (x->gpu->core[c].unused || k->role != TCS_OFF)
			continue;
		x->call->want(x, c, state, why);
		if (state == CORE_OFF)
			continue;
		k->role = TCS_ACTIVE;
		s->active++;
		s->off--;
	}
}

static cycle_t
htcs_act(struct cta_ctx *x, unsigned why)
{
	const struct tcs *s = x->state;
	struct reason half = {TCS_R_HALF, {s->active, x->gpu->n_used}};

	if (why & ACT_LAUNCH) {
		tcs_begin(x);
		want_second_half(x, CORE_OFF, &half);
	}
	if (why & ACT_PERIOD && !tcs_test(x) && s->tests == 1)
		want_second_half(x, CORE_ACTIVE,
				 &(struct reason){TCS_R_ALL,
						  {s->memory_bound, s->active, x->gpu->n_used}});
	return tcs_go_on(x);
}

const struct cta_sched_ops cta_sched_htcs = {
	.name = "htcs",
	.help = "TCS that begins with half of the cores (Song III.C)",
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
	.kernel = htcs_kernel,
	.period = tcs_period,
	.decide = tcs_decide,
	.read = tcs_read,
	.act = htcs_act,
};
