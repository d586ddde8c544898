/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_equalizer.c - Equalizer, its control of the CTAs per core (Sethia and Mahlke, MICRO 2014,
 * section 3 and Algorithm 1). The paper was not at hand: this follows what is known of it.
 *
 * Every `interval` cycles each core counts its warps: those active, those that wait for data, and
 * those in excess, which could issue but found the memory unit (X_mem) or the pipes (X_alu) taken.
 * At the end of an epoch it decides from the means:
 *
 *     X_mem > warps of a CTA        memory is full: one CTA fewer
 *     X_alu > warps of a CTA        the pipes are full: no change
 *     X_mem > 2                     bandwidth is near its end: no change
 *     waiting > active / 2          latency is not hidden: one CTA more
 *
 * A change is made when as many epochs in a row as `repeat` ask for it. The paper also changes the
 * clocks of core and memory, in the cases "no change"; here the clocks are fixed. Fewer CTAs pause
 * the youngest, as in DYNCTA. Means are whole numbers, rounded down, as a counter and a shift give
 * them. "Active" are the unfinished warps of running CTAs that are not at a barrier.
 */
#include "cta/cta.h"

struct equalizer_opts {
	opt_u32 epoch, interval, repeat;
};
static const struct opt_row equalizer_opts[] = {
	CTA_PARAM(struct equalizer_opts, epoch, u32, 4096, 16, 1 << 24, "cycles",
		  "cycles between decisions"),
	CTA_PARAM(struct equalizer_opts, interval, u32, 128, 1, 1 << 24, "cycles",
		  "cycles between counts of warps"),
	CTA_PARAM(struct equalizer_opts, repeat, u32, 3, 1, 100, "epochs",
		  "epochs in a row that must ask for a change"),
};

/* Warps in excess that memory can still serve (Algorithm 1). */
#define MEMORY_NEAR_FULL 2

enum { R_MEMORY, R_PIPES, R_NEAR_FULL, R_LATENCY, R_BALANCED, R_AWAITS, R_MOST, R_LEAST, R_EMPTY };
static const struct rule equalizer_rules[] = {
	[R_MEMORY] = {"memory-full", "X_mem {x_mem} > {per_cta} warps of a CTA, {outcome}",
		      .value = {"x_mem", "per_cta"}},
	[R_PIPES] = {"pipes-full", "X_alu {x_alu} > {per_cta} warps of a CTA, {outcome}",
		     .value = {"x_alu", "per_cta"}},
	[R_NEAR_FULL] = {"memory-near-full", "X_mem {x_mem} > 2, {outcome}", .value = {"x_mem"}},
	[R_LATENCY] = {"latency", "{waiting} of {active} active warps wait, {outcome}",
		       .value = {"waiting", "active"}},
	[R_BALANCED] = {"balanced", "{waiting} of {active} active warps wait, {outcome}",
			.value = {"waiting", "active"}},
	[R_AWAITS] = {"asked",
		      "asked for {asked} in {times} of {repeat} epochs in a row, {outcome}",
		      .value = {"asked", "times", "repeat"}},
	[R_MOST] = {"at-max", "{waiting} of {active} active warps wait, {outcome} (maximum)",
		    .value = {"waiting", "active"}},
	[R_LEAST] = {"at-min", "X_mem {x_mem} > {per_cta} warps of a CTA, {outcome} (minimum)",
		     .value = {"x_mem", "per_cta"}},
	[R_EMPTY] = {"empty", "no CTA of the kernel was on the core, {outcome}"},
};

struct equalizer_core {
	uint64_t active, waiting, x_mem, x_alu; /* sums over the samples of the epoch */
	uint32_t samples;
	uint32_t times; /* epochs in a row that asked for the same change, */
	int32_t change; /* this one: -1, 0 or 1 */
	uint32_t pad;
};

static const struct cta_field equalizer_fields[] = {
	CTA_FIELD_CORE(struct equalizer_core, change, i32, "CTAs",
		       "the change that the last epochs asked for"),
	CTA_FIELD_CORE(struct equalizer_core, times, u32, "epochs",
		       "number of these epochs in a row"),
};

enum { G_MEM, G_ALU, G_WAITING };
static const struct cta_gauge equalizer_gauges[] = {
	[G_MEM] = {"X_mem", "warps", "warps that found the memory unit busy, mean of the epoch",
		   .high = "W_cta", .per_core = true},
	[G_ALU] = {"X_alu", "warps", "warps that found the pipes busy, mean of the epoch",
		   .high = "W_cta", .per_core = true},
	[G_WAITING] = {"waiting", "warps", "warps that wait for data, mean of the epoch",
		       .high = "half", .per_core = true},
};

static struct equalizer_core *
equalizer_core(const struct cta_ctx *x, unsigned core)
{
	return (struct equalizer_core *)x->state + core;
}

static cycle_t
equalizer_period(const struct cta_ctx *x)
{
	return ((const struct equalizer_opts *)x->opts)->epoch;
}

static void
count_warps(const struct cta_ctx *x, unsigned core)
{
	struct equalizer_core *c = equalizer_core(x, core);
	struct cta_look k = {0}; /* the warps of other kernels do not count */

	if (x->gpu->core[core].resident)
		k = x->call->look_at_core(x, core);
	c->active += k.warps - k.at_barrier;
	c->waiting += k.wait_memory + k.wait_other;
	c->x_mem += k.ready_memory;
	c->x_alu += k.ready_other;
	c->samples++;
}

static cycle_t
equalizer_act(struct cta_ctx *x, unsigned why)
{
	const struct equalizer_opts *o = x->opts;

	if (why & ACT_DUE)
		for (unsigned i = 0; i < x->gpu->n_cores; i++)
			count_warps(x, i);
	return x->gpu->cycle - x->gpu->cycle % o->interval + o->interval;
}

/* What this epoch asks for: the change, and why. */
static int
judge_epoch(const struct equalizer_core *c, int64_t per_cta, struct reason *why)
{
	int64_t n = MAX(c->samples, 1), active = (int64_t)c->active / n,
		waiting = (int64_t)c->waiting / n, x_mem = (int64_t)c->x_mem / n,
		x_alu = (int64_t)c->x_alu / n;

	if (!c->active)
		*why = (struct reason){.rule = R_EMPTY};
	else if (x_mem > per_cta)
		*why = (struct reason){R_MEMORY, {x_mem, per_cta}};
	else if (x_alu > per_cta)
		*why = (struct reason){R_PIPES, {x_alu, per_cta}};
	else if (x_mem > MEMORY_NEAR_FULL)
		*why = (struct reason){R_NEAR_FULL, {x_mem}};
	else
		*why = (struct reason){2 * waiting > active ? R_LATENCY : R_BALANCED,
				       {waiting, active}};
	return why->rule == R_MEMORY ? -1 : why->rule == R_LATENCY;
}

static void
equalizer_decide(struct cta_ctx *x, unsigned core, struct cta_decision *d)
{
	const struct equalizer_opts *o = x->opts;
	struct equalizer_core *c = equalizer_core(x, core);
	int64_t per_cta = x->call->look_at_core(x, core).warps_per_cta;
	int change = judge_epoch(c, per_cta, &d->why);
	int64_t wanted = (int64_t)d->limit + change;

	c->times = change && change == c->change ? c->times + 1 : change != 0;
	c->change = change;
	c->active = c->waiting = c->x_mem = c->x_alu = 0;
	c->samples = 0;
	if (!change)
		return;
	if (wanted < 1 || wanted > x->gpu->core[core].n_max) {
		d->why.rule = change > 0 ? R_MOST : R_LEAST;
	} else if (c->times < o->repeat) {
		d->why = (struct reason){R_AWAITS, {wanted, c->times, o->repeat}};
	} else {
		d->limit = (uint32_t)wanted;
		c->times = 0;
	}
}

static void
equalizer_read(const struct cta_ctx *x, unsigned core, struct cta_reading *r)
{
	const struct equalizer_core *c = equalizer_core(x, core);

	if (!c->samples)
		return;
	r[G_MEM].value = (double)(c->x_mem / c->samples);
	r[G_ALU].value = (double)(c->x_alu / c->samples);
	r[G_WAITING].value = (double)(c->waiting / c->samples);
	r[G_MEM].high = r[G_ALU].high = x->call->look_at_core(x, core).warps_per_cta;
	r[G_WAITING].high = (double)(c->active / c->samples) / 2;
}

const struct cta_sched_ops cta_sched_equalizer = {
	.name = "equalizer",
	.help = "adjusts each core's CTA limit by what its warps wait for (Sethia 3)",
	.abi = CTA_SCHED_ABI,
	.rules = equalizer_rules,
	.n_rules = ARRAY_LEN(equalizer_rules),
	.opts = equalizer_opts,
	.n_opts = ARRAY_LEN(equalizer_opts),
	.opts_size = sizeof(struct equalizer_opts),
	.core_size = sizeof(struct equalizer_core),
	.fields = equalizer_fields,
	.n_fields = ARRAY_LEN(equalizer_fields),
	.gauges = equalizer_gauges,
	.n_gauges = ARRAY_LEN(equalizer_gauges),
	.pauses = true,
	.period = equalizer_period,
	.decide = equalizer_decide,
	.act = equalizer_act,
	.read = equalizer_read,
};
