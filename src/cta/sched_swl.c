/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_swl.c - SWL, static wavefront limiting (Rogers et al., MICRO 2012, section 3).
 * The paper was not at hand: this follows what is known of it.
 *
 * Of the warps of each warp scheduler only the `n` launched first issue; the next one follows when
 * one of them ends. The lines of a few warps therefore stay in L1 until they are used again. The
 * paper takes the best n of each application, which a run of its own has found.
 *
 * A warp that waits at a barrier gives up its place, because the warps that it waits for must
 * issue. With hold=memory the other warps may compute, but not access memory: the paper's CCWS
 * holds back only loads (decision: stores count as well, as in a throttled core).
 */
#include "cta/cta.h"

enum { HOLD_ISSUE, HOLD_MEMORY };
static const char *const hold_names[] = {"issue", "memory", NULL};

struct swl_opts {
	opt_u32 n;
	opt_enum hold;
};
static const struct opt_row swl_opts[] = {
	CTA_PARAM(struct swl_opts, n, u32, 8, 1, MAX_WARPS, "warps",
		  "number of oldest warps of each warp scheduler that may issue"),
	CTA_PARAM_ENUM(struct swl_opts, hold, HOLD_ISSUE, hold_names,
		       "what the other warps may not do: issue, or access memory"),
};

enum { R_LIMITED, R_ALL };
static const struct rule swl_rules[] = {
	[R_LIMITED] = {"limited",
		       "{stopped} of {warps} warps wait, each scheduler uses its oldest {n}",
		       .value = {"stopped", "warps", "n"}},
	[R_ALL] = {"all-warps", "all {warps} warps may issue: no scheduler has more than {n}",
		   .value = {"n", "warps"}},
};

struct swl_core {
	uint32_t stopped, active;
	uint32_t most; /* active ones, of all schedulers */
	uint32_t pad;
};

static const struct cta_field swl_fields[] = {
	CTA_FIELD_CORE(struct swl_core, active, u32, "warps", "warps that may issue"),
	CTA_FIELD_CORE(struct swl_core, stopped, u32, "warps", "warps that wait for their turn"),
};

static const struct cta_gauge swl_gauges[] = {
	{"active", "warps", "warps of the core that may issue", .high = "most", .per_core = true},
};

static struct swl_core *
swl_core(const struct cta_ctx *x, unsigned core)
{
	return (struct swl_core *)x->state + core;
}

static cycle_t
swl_warps(struct cta_ctx *x, unsigned core, const struct cta_warps *w, struct cta_warp_order *out)
{
	const struct swl_opts *o = x->opts;
	struct swl_core *c = swl_core(x, core);
	uint32_t taken[MAX_WARPS] = {0}, stopped = 0, active = 0;
	uint64_t others = 0;

	for (unsigned i = 0; i < w->n; i++) {
		uint64_t bit = UINT64_C(1) << w->oldest[i];

		if (w->at_barrier & bit)
			continue;
		if (taken[w->oldest[i] % w->n_sched] < o->n) {
			taken[w->oldest[i] % w->n_sched]++;
			active++;
		} else {
			others |= bit;
			stopped++;
		}
	}
	*(o->hold == HOLD_MEMORY ? &out->no_memory : &out->stopped) = others;
	if (!stopped != !c->stopped)
		out->why = stopped ? (struct reason){R_LIMITED, {stopped, active + stopped, o->n}}
				   : (struct reason){R_ALL, {o->n, active}};
	c->stopped = stopped;
	c->active = active;
	c->most = o->n * w->n_sched;
	return CYCLE_NEVER;
}

static void
swl_read(const struct cta_ctx *x, unsigned core, struct cta_reading *r)
{
	const struct swl_core *c = swl_core(x, core);

	r->value = c->active;
	if (c->most)
		r->high = c->most;
}

const struct cta_sched_ops cta_sched_swl = {
	.name = "swl",
	.help = "only the oldest n warps of each warp scheduler issue; made for gto (Rogers 3)",
	.abi = CTA_SCHED_ABI,
	.rules = swl_rules,
	.n_rules = ARRAY_LEN(swl_rules),
	.opts = swl_opts,
	.n_opts = ARRAY_LEN(swl_opts),
	.opts_size = sizeof(struct swl_opts),
	.warp_sched = "gto",
	.core_size = sizeof(struct swl_core),
	.fields = swl_fields,
	.n_fields = ARRAY_LEN(swl_fields),
	.gauges = swl_gauges,
	.n_gauges = ARRAY_LEN(swl_gauges),
	.warps = swl_warps,
	.read = swl_read,
};
