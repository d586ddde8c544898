/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quota.c - a policy of one's own with credits: in each period a core takes at most `quota` CTAs.
 *
 * A core has a register of so many credits, filled up when its period ends; a CTA costs one. The
 * panes draw the register and the gauge, `why not` says what is lacking: nothing but what is
 * declared here tells them to.
 */
#include <ctascope/cta_sched.h>

struct quota_opts {
	opt_u32 period, quota;
};
static const struct opt_row quota_opts[] = {
	CTA_PARAM(struct quota_opts, period, u32, 4096, 16, 1e6, "cycles", "between two fillings"),
	CTA_PARAM(struct quota_opts, quota, u32, 2, 1, 1000, "CTAs", "a core takes in a period"),
};

enum { SPENT, NONE_LEFT, FILLED };
static const struct rule quota_rules[] = {
	[SPENT] = {"spent", "credits {old} -> {new} of {quota}", .value = {"old", "new", "quota"}},
	[NONE_LEFT] = {"none-left", "all {quota} credits are spent for CTA {cta} to wait",
		       .value = {"quota"}, .refuses = REFUSE_LOCAL_CREDIT},
	[FILLED] = {"filled", "took {taken} CTAs, again {quota} credits",
		    .value = {"taken", "quota"}},
};

struct quota_core {
	int64_t credits;
};
static const struct cta_field quota_fields[] = {
	CTA_CREDITS_CORE(struct quota_core, credits, u64, "CTAs the core may still take"),
};

static const struct cta_gauge quota_gauges[] = {
	{"taken", "CTAs", "CTAs the core took in the period", .high = "quota", .per_core = true},
};

static int64_t
taken(const struct cta_ctx *x, unsigned core)
{
	const struct quota_opts *o = x->opts;

	return o->quota - ((const struct quota_core *)x->state)[core].credits;
}

static void
quota_read(const struct cta_ctx *x, unsigned core, struct cta_reading *r)
{
	r->value = (double)taken(x, core);
	r->high = ((const struct quota_opts *)x->opts)->quota;
}

static void
quota_kernel(struct cta_ctx *x)
{
	for (unsigned c = 0; c < x->gpu->n_cores; c++)
		((struct quota_core *)x->state)[c].credits =
			((const struct quota_opts *)x->opts)->quota;
}

static cycle_t
quota_period(const struct cta_ctx *x)
{
	return ((const struct quota_opts *)x->opts)->period;
}

static void
quota_decide(struct cta_ctx *x, unsigned core, struct cta_decision *d)
{
	const struct quota_opts *o = x->opts;

	d->why = (struct reason){FILLED, {taken(x, core), o->quota}};
	((struct quota_core *)x->state)[core].credits = o->quota;
}

static void
quota_may(const struct cta_ctx *x, unsigned core, struct verdict *v)
{
	const struct quota_opts *o = x->opts;

	v->allow = ((const struct quota_core *)x->state)[core].credits > 0;
	v->why = (struct reason){NONE_LEFT, {o->quota}};
}

static void
quota_request(struct cta_ctx *x, unsigned core, struct verdict *v)
{
	const struct quota_opts *o = x->opts;
	int64_t *credits = &((struct quota_core *)x->state)[core].credits;

	v->event = EV_CREDIT;
	v->why = (struct reason){SPENT, {*credits, *credits - 1, o->quota}};
	--*credits;
}

const struct cta_sched_ops ctascope_policy = {
	.abi = CTA_SCHED_ABI,
	.name = "quota",
	.help = "in each period a core takes at most so many CTAs",
	.rules = quota_rules,
	.n_rules = ARRAY_LEN(quota_rules),
	.opts = quota_opts,
	.n_opts = ARRAY_LEN(quota_opts),
	.opts_size = sizeof(struct quota_opts),
	.core_size = sizeof(struct quota_core),
	.fields = quota_fields,
	.n_fields = ARRAY_LEN(quota_fields),
	.gauges = quota_gauges,
	.n_gauges = ARRAY_LEN(quota_gauges),
	.kernel = quota_kernel,
	.period = quota_period,
	.decide = quota_decide,
	.may = quota_may,
	.request = quota_request,
	.read = quota_read,
};
