/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_cores.c - cores:n=K uses only the first K cores: the oracle sweep of ONAC and TCS.
 */
#include "cta/cta.h"

struct cores_opts {
	opt_u32 n;
};
static const struct opt_row cores_opts[] = {
	CTA_PARAM(struct cores_opts, n, u32, 1, 1, MAX_CORES, "cores", "cores that take CTAs"),
};

enum { CORES_UNUSED };
static const struct rule cores_rules[] = {
	[CORES_UNUSED] = {"core-unused", "core {core}: only the first {n} cores work",
			  .value = {"core", "n"}},
};

static bool
cores_unused(const struct cta_ctx *x, unsigned core)
{
	const struct cores_opts *o = x->opts;

	return core >= o->n;
}

/* Runs whenever CTAs end, so that a change of n takes effect during the run. */
static cycle_t
cores_act(struct cta_ctx *x, unsigned why)
{
	const struct cores_opts *o = x->opts;

	(void)why;
	for (unsigned c = 0; c < x->gpu->n_cores; c++)
		x->call->want(x, c, cores_unused(x, c) ? CORE_OFF : CORE_ACTIVE,
			      &(struct reason){CORES_UNUSED, {c, o->n}});
	return CYCLE_NEVER;
}

const struct cta_sched_ops cta_sched_cores = {
	.name = "cores",
	.help = "only the first n cores work, the others are off (for the oracle of ONAC and TCS)",
	.abi = CTA_SCHED_ABI,
	.rules = cores_rules,
	.n_rules = ARRAY_LEN(cores_rules),
	.opts = cores_opts,
	.n_opts = ARRAY_LEN(cores_opts),
	.opts_size = sizeof(struct cores_opts),
	.role = CTA_ROLE_CORES,
	.unused = cores_unused,
	.act = cores_act,
};
