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
	[CROWDED] = {"crowded", "waiting {waiting} >= high {high} %: half of the cores",
		     .value = {"waiting", "high"}},
	[EASY] = {"easy", "waiting {waiting} < high {high} %: all cores",
		  .value = {"waiting", "high"}},
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

/* How much of the cores' time since the period began they waited, in percent. */
static uint64_t
percent(const struct cta_ctx *x)
{
	const struct half *h = x->state;
	uint64_t n = x->gpu->n_cores, working = h->resting ? (n + 1) / 2 : n, c_mem = 0;

	for (unsigned c = 0; c < n; c++)
		c_mem += x->gpu->core[c].c_mem;
	n = (x->gpu->cycle - h->since) * working;
	return n ? 100 * (c_mem - h->c_mem) / n : 0;
}

static const struct cta_gauge half_gauges[] = {
	{"waiting", "%", "core cycles of the period spent waiting", .high = "high"},
};

static void
half_read(const struct cta_ctx *x, unsigned core, struct cta_reading *r)
{
	(void)core;
	r->value = (double)percent(x);
	r->high = ((const struct half_opts *)x->opts)->high;
}

static cycle_t
half_act(struct cta_ctx *x, unsigned why)
{
	const struct half_opts *o = x->opts;
	struct half *h = x->state;

	if (!(why & (ACT_LAUNCH | ACT_PERIOD)))
		return CYCLE_NEVER;
	h->waiting = why & ACT_PERIOD ? (uint32_t)percent(x) : 0;
	h->since = x->gpu->cycle;
	h->c_mem = 0;
	for (unsigned c = 0; c < x->gpu->n_cores; c++)
		h->c_mem += x->gpu->core[c].c_mem;
	if (why & ACT_LAUNCH)
		return CYCLE_NEVER;
	h->resting = h->waiting >= o->high;
	for (unsigned c = 1; c < x->gpu->n_cores; c += 2)
		x->call->want(x, c, h->resting ? CORE_OFF : CORE_ACTIVE,
			      &(struct reason){h->resting ? CROWDED : EASY, {h->waiting, o->high}});
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
	.gauges = half_gauges,
	.n_gauges = ARRAY_LEN(half_gauges),
	.period = half_period,
	.act = half_act,
	.read = half_read,
};
