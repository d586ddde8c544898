/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_rr.c - the baselines: rr (Kayiran 2, CLASO 2.1), static:n=K, cores:n=K.
 *
 * rr issues whenever resources allow; the order of cores is the host's. static limits every core to
 * K running CTAs: the sweep over K finds the optimal TLP of Kayiran 3. cores uses the first K cores
 * only: the oracle sweep of ONAC and TCS.
 */
#include "cta/cta.h"

#define OPT DECL_FIELD
struct static_opts {
#include "cta/static.def"
};
#undef OPT

#define OPT(type, name, def, min, max, unit, help) \
	DECL_ROW(struct static_opts, type, name, def, min, max, unit, help)
static const struct opt_row static_opts[] = {
#include "cta/static.def"
};
#undef OPT

static uint32_t
static_limit(const struct cta_ctx *x, unsigned core)
{
	const struct static_opts *o = x->opts;

	(void)core;
	return o->n;
}

#define OPT DECL_FIELD
struct cores_opts {
#include "cta/cores.def"
};
#undef OPT

#define OPT(type, name, def, min, max, unit, help) \
	DECL_ROW(struct cores_opts, type, name, def, min, max, unit, help)
static const struct opt_row cores_opts[] = {
#include "cta/cores.def"
};
#undef OPT

enum { CORES_UNUSED };
static const struct rule cores_rules[] = {
	[CORES_UNUSED] = {"core-unused",
			  "core {0} is not among the first {1} cores",
			  {"core", "n"}},
};

static bool
cores_unused(const struct cta_ctx *x, unsigned core)
{
	const struct cores_opts *o = x->opts;

	return core >= o->n;
}

static void
cores_may(const struct cta_ctx *x, unsigned core, struct verdict *v)
{
	const struct cores_opts *o = x->opts;

	if (!cores_unused(x, core))
		return;
	v->allow = false;
	v->rule = CORES_UNUSED;
	v->n_v = 2;
	v->v[0] = core;
	v->v[1] = o->n;
}

const struct cta_sched_ops cta_sched_rr = {
	.name = "rr",
	.help = "issue whenever a core has room (Kayiran 2)",
	.abi = CTA_SCHED_ABI,
};

const struct cta_sched_ops cta_sched_static = {
	.name = "static",
	.help = "at most n CTAs per core (Kayiran 3, optimal TLP by search)",
	.abi = CTA_SCHED_ABI,
	.opts = static_opts,
	.n_opts = ARRAY_LEN(static_opts),
	.opts_size = sizeof(struct static_opts),
	.limit = static_limit,
};

const struct cta_sched_ops cta_sched_cores = {
	.name = "cores",
	.help = "only the first n cores take CTAs (oracle sweep of ONAC and TCS)",
	.abi = CTA_SCHED_ABI,
	.rules = cores_rules,
	.n_rules = ARRAY_LEN(cores_rules),
	.opts = cores_opts,
	.n_opts = ARRAY_LEN(cores_opts),
	.opts_size = sizeof(struct cores_opts),
	.unused = cores_unused,
	.may = cores_may,
};
