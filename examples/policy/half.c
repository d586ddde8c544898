/* SPDX-License-Identifier: GPL-3.0-or-later */
/* half.c - a policy of one's own: every second core rests while warps mostly wait for memory. */
#include <ctascope/cta_sched.h>

struct half_opts {
	opt_u32 period, high;
};
static const struct opt_row half_opts[] = {
	CTA_PARAM(struct half_opts, period, u32, 2048, 16, 1e6, "cycles", "between two looks"),
	CTA_PARAM(struct half_opts, high, u32, 40, 1, 100, "%", "waiting that makes cores rest"),
};

enum { CROWDED, EASY };
static const struct rule half_rules[] = {
	[CROWDED] = {"crowded",
		     "waiting {0} >= high {1} %: half of the cores",
		     {"waiting", "high"}},
	[EASY] = {"easy", "waiting {0} < high {1} %: all cores", {"waiting", "high"}},
};

struct half {
	cycle_t since;	/* the period began in this cycle, */
	uint64_t c_mem; /* when the cores had waited so long */
	uint32_t waiting;
	bool resting;
};
static const struct cta_field half_fields[] = {
	CTA_FIELD(struct half, waiting, u32, "%", "core cycles of the last period spent waiting"),
	CTA_FIELD(struct half, resting, bool, "", "every second core rests"),
};

static cycle_t
half_period(const struct cta_ctx *x)
{
	return ((const struct half_opts *)x->opts)->period;
}

static cycle_t
half_act(struct cta_ctx *x, unsigned why)
{
	const struct half_opts *o = x->opts;
	struct half before = *(struct half *)x->state, *h = x->state;
	uint64_t n = x->gpu->n_cores, working = before.resting ? (n + 1) / 2 : n;

	if (!(why & (ACT_LAUNCH | ACT_PERIOD)))
		return CYCLE_NEVER;
	h->since = x->gpu->cycle;
	h->c_mem = 0;
	for (unsigned c = 0; c < n; c++)
		h->c_mem += x->gpu->core[c].c_mem;
	if (why & ACT_LAUNCH)
		return CYCLE_NEVER;
	h->waiting =
		(uint32_t)(100 * (h->c_mem - before.c_mem) / ((h->since - before.since) * working));
	h->resting = h->waiting >= o->high;
	for (unsigned c = 1; c < n; c += 2)
		x->call->want(x, c, h->resting ? CORE_OFF : CORE_ACTIVE,
			      &(struct reason){h->resting ? CROWDED : EASY,
					       2,
					       {h->waiting, o->high}});
	return CYCLE_NEVER;
}

const struct cta_sched_ops ctascope_policy = {
	.abi = CTA_SCHED_ABI,
	.role = CTA_ROLE_CORES,
	.name = "half",
	.help = "every second core rests while warps mostly wait for memory",
	.rules = half_rules,
	.n_rules = ARRAY_LEN(half_rules),
	.opts = half_opts,
	.n_opts = ARRAY_LEN(half_opts),
	.opts_size = sizeof(struct half_opts),
	.state_size = sizeof(struct half),
	.fields = half_fields,
	.n_fields = ARRAY_LEN(half_fields),
	.period = half_period,
	.act = half_act,
};
