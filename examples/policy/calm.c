/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calm.c - a policy of one's own with a limit: a core whose warps mostly waited for memory in a
 * period runs one CTA fewer in the next; the paused CTA keeps still. One whose warps hardly waited
 * runs one more.
 */
#include <ctascope/cta_sched.h>

struct calm_opts {
	opt_u32 period, low, high;
	opt_bool hold;
};
static const struct opt_row calm_opts[] = {
	CTA_PARAM(struct calm_opts, period, u32, 1024, 16, 1e6, "cycles", "between two decisions"),
	CTA_PARAM(struct calm_opts, low, u32, 20, 0, 100, "%", "waiting up to which n rises"),
	CTA_PARAM(struct calm_opts, high, u32, 60, 0, 100, "%", "waiting from which n falls"),
	CTA_PARAM(struct calm_opts, hold, flag, 1, 0, 1, "", "paused CTAs keep still"),
};

enum { EASY, WAITS, SAME };
static const struct rule calm_rules[] = {
	[EASY] = {"easy", "waiting {waiting} <= low {low} %, {outcome}",
		  .value = {"waiting", "low"}},
	[WAITS] = {"waits", "waiting {waiting} >= high {high} %, {outcome}",
		   .value = {"waiting", "high"}},
	[SAME] = {"same", "waiting {waiting} % between low and high", .value = {"waiting"}},
};

struct calm_core {
	uint64_t c_mem; /* when the period began */
};

static void
calm_kernel(struct cta_ctx *x)
{
	for (unsigned c = 0; c < x->gpu->n_cores; c++)
		((struct calm_core *)x->state)[c].c_mem = x->gpu->core[c].c_mem;
}

/* A paused CTA would evict the lines of the others if it still issued. */
static bool
calm_holds(const struct cta_ctx *x)
{
	return ((const struct calm_opts *)x->opts)->hold;
}

static cycle_t
calm_period(const struct cta_ctx *x)
{
	return ((const struct calm_opts *)x->opts)->period;
}

static void
calm_decide(struct cta_ctx *x, unsigned core, struct cta_decision *d)
{
	const struct calm_opts *o = x->opts;
	const struct cta_core *c = &x->gpu->core[core];
	struct calm_core *s = (struct calm_core *)x->state + core;
	int64_t waiting = (int64_t)(100 * (c->c_mem - s->c_mem) / o->period);

	s->c_mem = c->c_mem;
	d->limit = c->limit;
	d->why = (struct reason){SAME, {waiting}};
	if (waiting >= o->high && c->limit > 1) {
		d->limit--;
		d->why = (struct reason){WAITS, {waiting, o->high}};
	} else if (waiting <= o->low) {
		d->limit++;
		d->why = (struct reason){EASY, {waiting, o->low}};
	}
}

const struct cta_sched_ops ctascope_policy = {
	.abi = CTA_SCHED_ABI,
	.name = "calm",
	.help = "pauses a CTA of a core whose warps mostly wait for memory, and holds it",
	.rules = calm_rules,
	.n_rules = ARRAY_LEN(calm_rules),
	.opts = calm_opts,
	.n_opts = ARRAY_LEN(calm_opts),
	.opts_size = sizeof(struct calm_opts),
	.core_size = sizeof(struct calm_core),
	.kernel = calm_kernel,
	.pauses = true,
	.holds = calm_holds,
	.period = calm_period,
	.decide = calm_decide,
};
