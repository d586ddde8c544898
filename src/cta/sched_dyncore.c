/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_dyncore.c - DYNCORE (Kayiran et al. 4.2): gates the highest-numbered cores when the GPU as
 * a whole has little to do.
 *
 * DYNCORE adds this to DYNCTA: the stack "dyncore" means dyncta+dyncore, and DYNCTA still decides
 * how many CTAs a core runs. At the end of a period, G_act, the active cycles of all cores that are
 * not off, is compared with t_act. Below t_act the `off` highest-numbered cores take no new CTA and
 * go off when their last one ends; otherwise every core takes CTAs.
 *
 * Decisions (ctascope-model(7) 17.5): t_act is 40,960 for 30 cores as printed, which is two thirds
 * of C * period; the same share is used for other C. `off` is what the paper gives for 30, 56 and
 * 110 cores, otherwise 27 % of C. At least one core stays on. A core that was off may need `wake`
 * cycles with power before it takes a CTA; the launch of the next kernel ends this wait.
 */
#include "cta/cta.h"

/* Defaults are the paper's values. */
struct dyncore_opts {
	opt_u32 period, wake;
	opt_u64 t_act;
	opt_i32 off;
};
static const struct opt_row dyncore_opts[] = {
	CTA_PARAM(struct dyncore_opts, period, u32, 2048, 16, 1 << 24, "cycles",
		  "cycles between decisions"),
	CTA_PARAM(struct dyncore_opts, t_act, u64, 0, 0, 1ull << 40, "core cycles",
		  "cores are switched off if G_act is below this; 0: two thirds of C * period"),
	CTA_PARAM(struct dyncore_opts, off, i32, -1, -1, MAX_CORES, "cores",
		  "cores to switch off; -1: 8 of 30, 16 of 56, 32 of 110, else 0.27 * C"),
	CTA_PARAM(struct dyncore_opts, wake, u32, 0, 0, 1 << 24, "cycles",
		  "cycles from switching a core on to its first CTA"),
};

enum { R_LOW, R_HIGH, R_WAKING };
static const struct rule dyncore_rules[] = {
	[R_LOW] = {"act-low", "G_act {g_act} < t_act {t_act}: {off} of {cores} cores off",
		   .value = {"g_act", "t_act", "off", "cores"}},
	[R_HIGH] = {"act-high", "G_act {g_act} >= t_act {t_act}: {off} of {cores} cores off",
		    .value = {"g_act", "t_act", "off", "cores"}},
	[R_WAKING] = {"waking", "the core was switched on and takes CTAs from cycle {awake}",
		      .value = {"awake"}},
};

struct dyncore {
	uint64_t g_act, threshold;
	uint32_t gated;
	uint32_t pad;
};
struct dyncore_core {
	uint64_t n_act; /* at the start of the period */
	uint64_t awake; /* it takes CTAs from this cycle on */
	uint32_t gate;	/* the core is off, or drains in order to go off */
	uint32_t pad;
};

static const struct cta_field dyncore_fields[] = {
	CTA_FIELD(struct dyncore, g_act, u64, "core cycles",
		  "G_act: active cycles of the cores that are not off, in the last period"),
	CTA_FIELD(struct dyncore, threshold, u64, "core cycles",
		  "t_act in use: cores are switched off if G_act is below it"),
	CTA_FIELD(struct dyncore, gated, u32, "cores", "cores that are off or draining to go off"),
	CTA_FIELD_CORE(struct dyncore_core, gate, u32, "", "the core is off or draining to go off"),
	CTA_FIELD_CORE(struct dyncore_core, awake, u64, "cycle",
		       "cycle from which the core takes CTAs after it was off"),
};

static struct dyncore_core *
dyncore_cores(const struct cta_ctx *x)
{
	return (struct dyncore_core *)((char *)x->state + sizeof(struct dyncore));
}

static uint64_t
t_act_in_force(const struct cta_ctx *x)
{
	const struct dyncore_opts *o = x->opts;

	return o->t_act ? o->t_act : ((uint64_t)4 * x->gpu->n_used * o->period + 3) / 6;
}

static unsigned
cores_to_gate(const struct cta_ctx *x)
{
	const struct dyncore_opts *o = x->opts;
	unsigned c = x->gpu->n_used, n = (27 * c + 50) / 100;

	if (o->off >= 0)
		n = (unsigned)o->off;
	else if (c == 30)
		n = 8;
	else if (c == 56)
		n = 16;
	else if (c == 110)
		n = 32;
	return MIN(n, c ? c - 1 : 0);
}

static void
start_wake_up(const struct cta_ctx *x, unsigned core)
{
	const struct dyncore_opts *o = x->opts;

	if (x->gpu->core[core].state == CORE_OFF)
		dyncore_cores(x)[core].awake = x->gpu->cycle + o->wake;
}

static void
dyncore_kernel(struct cta_ctx *x)
{
	((struct dyncore *)x->state)->threshold = t_act_in_force(x);
	for (unsigned c = 0; c < x->gpu->n_cores; c++) {
		dyncore_cores(x)[c].n_act = x->gpu->core[c].n_act;
		start_wake_up(x, c); /* every core works when a kernel starts */
	}
}

static cycle_t
dyncore_period(const struct cta_ctx *x)
{
	return ((const struct dyncore_opts *)x->opts)->period;
}

/* G_act: active cycles of the cores that are not off, since the period began. */
static uint64_t
active_cycles(const struct cta_ctx *x)
{
	uint64_t sum = 0;

	for (unsigned c = 0; c < x->gpu->n_cores; c++)
		if (x->gpu->core[c].state != CORE_OFF)
			sum += x->gpu->core[c].n_act - dyncore_cores(x)[c].n_act;
	return sum;
}

static const struct cta_gauge dyncore_gauges[] = {
	{"G_act", "core cycles", "active cycles of the cores that are not off, in the period",
	 .low = "t_act"},
};

static void
dyncore_read(const struct cta_ctx *x, unsigned core, struct cta_reading *r)
{
	(void)core;
	r->value = (double)active_cycles(x);
	r->low = (double)t_act_in_force(x);
}

/* Gates the `gated` highest-numbered cores that take part; the others work. */
static void
gate_core(struct cta_ctx *x, unsigned gated, const struct reason *why)
{
	for (unsigned c = x->gpu->n_cores; c-- > 0;) {
		struct dyncore_core *k = &dyncore_cores(x)[c];

		if (x->gpu->core[c].unused)
			continue;
		if (!gated && k->gate)
			start_wake_up(x, c);
		k->gate = gated > 0;
		x->call->want(x, c, k->gate ? CORE_OFF : CORE_ACTIVE, why);
		gated -= gated > 0;
	}
}

static void
decide_gpu(struct cta_ctx *x)
{
	struct dyncore *s = x->state;
	struct reason r = {0};

	s->g_act = active_cycles(x);
	for (unsigned c = 0; c < x->gpu->n_cores; c++)
		dyncore_cores(x)[c].n_act = x->gpu->core[c].n_act;
	s->threshold = t_act_in_force(x);
	r.rule = s->g_act < s->threshold ? R_LOW : R_HIGH;
	s->gated = r.rule == R_LOW ? cores_to_gate(x) : 0;
	r.v[0] = (int64_t)s->g_act;
	r.v[1] = (int64_t)s->threshold;
	r.v[2] = s->gated;
	r.v[3] = x->gpu->n_used;
	x->call->publish(x, EV_PERIOD, -1, &r);
	gate_core(x, s->gated, &r);
}

static cycle_t
dyncore_act(struct cta_ctx *x, unsigned why)
{
	cycle_t next = CYCLE_NEVER;

	if (why & ACT_PERIOD)
		decide_gpu(x);
	for (unsigned c = 0; c < x->gpu->n_cores; c++)
		if (dyncore_cores(x)[c].awake > x->gpu->cycle)
			next = MIN(next, dyncore_cores(x)[c].awake);
	return next;
}

static void
dyncore_may(const struct cta_ctx *x, unsigned core, struct verdict *v)
{
	uint64_t awake = dyncore_cores(x)[core].awake;

	if (x->gpu->cycle >= awake)
		return;
	v->allow = false;
	v->why = (struct reason){R_WAKING, {(int64_t)awake}};
}

const struct cta_sched_ops cta_sched_dyncore = {
	.name = "dyncore",
	.help = "DYNCTA, and switches cores off while the GPU has little to do (Kayiran 4.2)",
	.with = "dyncta",
	.abi = CTA_SCHED_ABI,
	.role = CTA_ROLE_CORES,
	.rules = dyncore_rules,
	.n_rules = ARRAY_LEN(dyncore_rules),
	.opts = dyncore_opts,
	.n_opts = ARRAY_LEN(dyncore_opts),
	.opts_size = sizeof(struct dyncore_opts),
	.state_size = sizeof(struct dyncore),
	.core_size = sizeof(struct dyncore_core),
	.fields = dyncore_fields,
	.n_fields = ARRAY_LEN(dyncore_fields),
	.gauges = dyncore_gauges,
	.n_gauges = ARRAY_LEN(dyncore_gauges),
	.kernel = dyncore_kernel,
	.period = dyncore_period,
	.act = dyncore_act,
	.may = dyncore_may,
	.read = dyncore_read,
};
