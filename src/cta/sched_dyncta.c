/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_dyncta.c - DYNCTA (Kayiran et al. 4.1, Algorithm 1).
 *
 * At the end of a period each core decides by itself from two counters of that period: C_idle,
 * cycles without a warp to execute (too few CTAs), and C_mem, cycles in which every warp waited for
 * memory (too many CTAs). The limit n moves by one; the host then pauses or resumes CTAs to fit.
 * Options define what the counters include and what a paused CTA may do; the defaults follow the
 * paper. Where the printed algorithm and its text disagree, this follows ctascope-model(7) 17.4: an
 * increase raises n also when a paused CTA resumes, and exactly max(0, nCTA - n) CTAs are paused.
 * With algorithm=listing an increase leaves n while a CTA is paused, as in Algorithm 1. A
 * core that another policy has paused or switched off decides nothing, because its counters then do
 * not describe its CTAs. The same is true of a core that holds CTAs of other kernels only.
 */
#include "cta/cta.h"

enum { CMEM_BLOCKED, CMEM_DATA, CMEM_RAW };
static const char *const cmem_names[] = {"blocked", "data", "raw", NULL};
enum { CIDLE_EMPTY, CIDLE_ANY };
static const char *const cidle_names[] = {"empty", "any", NULL};
enum { ALGORITHM_TEXT, ALGORITHM_LISTING };
static const char *const algorithm_names[] = {"text", "listing", NULL};
enum { PAUSE_YIELD, PAUSE_HOLD, PAUSE_MEM };
static const char *const pause_names[] = {"yield", "hold", "mem", NULL};

/* Defaults are the paper's values. */
struct dyncta_opts {
	opt_u32 period, t_idle, t_mem_l, t_mem_h, n0, counter_bits;
	opt_enum cmem, cidle, pause, algorithm;
};
static const struct opt_row dyncta_opts[] = {
	CTA_PARAM(struct dyncta_opts, period, u32, 2048, 16, 1 << 24, "cycles",
		  "cycles between decisions"),
	CTA_PARAM(struct dyncta_opts, t_idle, u32, 16, 0, 1 << 24, "cycles",
		  "n grows if C_idle reaches this"),
	CTA_PARAM(struct dyncta_opts, t_mem_l, u32, 128, 0, 1 << 24, "cycles",
		  "n grows if C_mem is below this"),
	CTA_PARAM(struct dyncta_opts, t_mem_h, u32, 384, 0, 1 << 24, "cycles",
		  "n shrinks if C_mem reaches this"),
	CTA_PARAM(struct dyncta_opts, n0, u32, 0, 0, MAX_CTAS, "CTAs",
		  "n at a kernel's start; 0: half of N"),
	CTA_PARAM_ENUM(
		struct dyncta_opts, cmem, CMEM_BLOCKED, cmem_names,
		"what C_mem counts: cycles of class memory and blocked; data: of class memory; "
		"raw: waits for any register"),
	CTA_PARAM_ENUM(struct dyncta_opts, cidle, CIDLE_EMPTY, cidle_names,
		       "what C_idle counts: cycles without an unfinished warp; any: all cycles of "
		       "class idle"),
	CTA_PARAM_ENUM(struct dyncta_opts, pause, PAUSE_YIELD, pause_names,
		       "paused CTAs issue when no other can; hold: they do not; mem: they access "
		       "memory only while no running warp waits for it"),
	CTA_PARAM_ENUM(struct dyncta_opts, algorithm, ALGORITHM_TEXT, algorithm_names,
		       "an increase raises n and resumes a paused CTA; listing: it leaves n while "
		       "a CTA is paused, as Algorithm 1 is printed"),
	CTA_PARAM(struct dyncta_opts, counter_bits, u32, 0, 0, 32, "bits",
		  "width of C_mem and C_idle, which wrap around (the paper: 11); 0: wide enough"),
};

enum {
	R_IDLE,
	R_MEM_LOW,
	R_MEM_HIGH,
	R_KEEP,
	R_IDLE_MAX,
	R_MEM_LOW_MAX,
	R_MEM_HIGH_MIN,
	R_OFF,
	R_IDLE_PAUSED,
	R_MEM_LOW_PAUSED,
	R_OTHERS
};
static const struct rule dyncta_rules[] = {
	[R_IDLE] = {"idle", "C_idle {c_idle} >= t_idle {t_idle}, {outcome}",
		    .value = {"c_idle", "t_idle", "old", "new"}},
	[R_MEM_LOW] = {"mem-low", "C_mem {c_mem} < t_mem_l {t_mem_l}, {outcome}",
		       .value = {"c_mem", "t_mem_l", "old", "new"}},
	[R_MEM_HIGH] = {"mem-high", "C_mem {c_mem} >= t_mem_h {t_mem_h}, {outcome}",
			.value = {"c_mem", "t_mem_h", "old", "new"}},
	[R_KEEP] = {"keep", "t_mem_l {t_mem_l} <= C_mem {c_mem} < t_mem_h {t_mem_h}, {outcome}",
		    .value = {"c_mem", "t_mem_l", "old", "new", "t_mem_h"}},
	[R_IDLE_MAX] = {"idle-at-max", "C_idle {c_idle} >= t_idle {t_idle}, {outcome} (maximum)",
			.value = {"c_idle", "t_idle", "old", "new"}},
	[R_MEM_LOW_MAX] = {"mem-low-at-max",
			   "C_mem {c_mem} < t_mem_l {t_mem_l}, {outcome} (maximum)",
			   .value = {"c_mem", "t_mem_l", "old", "new"}},
	[R_MEM_HIGH_MIN] = {"mem-high-at-min",
			    "C_mem {c_mem} >= t_mem_h {t_mem_h}, {outcome} (minimum)",
			    .value = {"c_mem", "t_mem_h", "old", "new"}},
	[R_IDLE_PAUSED] = {"idle-paused",
			   "C_idle {c_idle} >= t_idle {t_idle}, {outcome}: a CTA is paused",
			   .value = {"c_idle", "t_idle", "old", "new"}},
	[R_MEM_LOW_PAUSED] = {"mem-low-paused",
			      "C_mem {c_mem} < t_mem_l {t_mem_l}, {outcome}: a CTA is paused",
			      .value = {"c_mem", "t_mem_l", "old", "new"}},
	[R_OFF] = {"core-off", "the core is paused or off, {outcome}", .value = {"old"}},
	[R_OTHERS] = {"no-cta", "the core holds only CTAs of other kernels, {outcome}",
		      .value = {"old"}},
};

/* The counters of a core that any setting of the options uses. */
struct counts {
	uint64_t c_mem, blocked, c_raw, c_idle, idle;
};

struct dyncta_core {
	struct counts since; /* at the start of the period */
	uint32_t limit;
	uint32_t changes;
};

static const struct cta_field dyncta_fields[] = {
	CTA_FIELD_CORE(struct dyncta_core, limit, u32, "CTAs", "n: the limit of running CTAs"),
	CTA_FIELD_CORE(struct dyncta_core, changes, u32, "decisions", "decisions that changed n"),
};

static uint32_t
dyncta_limit(const struct cta_ctx *x, unsigned core)
{
	const struct dyncta_opts *o = x->opts;

	(void)core;
	return o->n0 ? MIN(o->n0, x->gpu->n_max) : MAX(1, x->gpu->n_max / 2);
}

static bool
dyncta_holds(const struct cta_ctx *x)
{
	return ((const struct dyncta_opts *)x->opts)->pause == PAUSE_HOLD;
}

static bool
dyncta_defers(const struct cta_ctx *x)
{
	return ((const struct dyncta_opts *)x->opts)->pause == PAUSE_MEM;
}

static struct counts
counts_of(const struct cta_core *v)
{
	return (struct counts){.c_mem = v->c_mem,
			       .blocked = v->blocked,
			       .c_raw = v->c_raw,
			       .c_idle = v->c_idle,
			       .idle = v->idle};
}

/* C_mem in one of three readings: every warp waits for memory, either for data or for a unit
 * whose miss registers are all taken; for data only; or for any register, as simulators count
 * stalls. */
static uint64_t
memory_counter(const struct dyncta_opts *o, const struct counts *k)
{
	return o->cmem == CMEM_RAW ? k->c_raw : k->c_mem - (o->cmem == CMEM_DATA ? k->blocked : 0);
}

static uint64_t
idle_counter(const struct dyncta_opts *o, const struct counts *k)
{
	return o->cidle == CIDLE_ANY ? k->idle : k->c_idle;
}

/* What a counter of that width shows after counting so far. */
static uint64_t
counter_shows(const struct dyncta_opts *o, uint64_t count)
{
	return o->counter_bits ? count & ((UINT64_C(1) << o->counter_bits) - 1) : count;
}

/* C_mem and C_idle of the period so far. */
static void
count_period(const struct cta_ctx *x, unsigned core, uint64_t *c_mem, uint64_t *c_idle)
{
	const struct counts now = counts_of(&x->gpu->core[core]);
	const struct counts *then = &((const struct dyncta_core *)x->state)[core].since;

	*c_mem = counter_shows(x->opts,
			       memory_counter(x->opts, &now) - memory_counter(x->opts, then));
	*c_idle = counter_shows(x->opts, idle_counter(x->opts, &now) - idle_counter(x->opts, then));
}

enum { G_MEM, G_IDLE };
static const struct cta_gauge dyncta_gauges[] = {
	[G_MEM] = {"C_mem", "cycles", "cycles of the period in which the core waited for memory",
		   .low = "t_mem_l", .high = "t_mem_h", .per_core = true},
	[G_IDLE] = {"C_idle", "cycles", "cycles of the period without a warp to execute",
		    .high = "t_idle", .per_core = true},
};

static void
dyncta_read(const struct cta_ctx *x, unsigned core, struct cta_reading *r)
{
	const struct dyncta_opts *o = x->opts;
	uint64_t c_mem, c_idle;

	count_period(x, core, &c_mem, &c_idle);
	r[G_MEM].value = (double)c_mem;
	r[G_MEM].low = o->t_mem_l;
	r[G_MEM].high = o->t_mem_h;
	r[G_IDLE].value = (double)c_idle;
	r[G_IDLE].high = o->t_idle;
}

static void
dyncta_kernel(struct cta_ctx *x)
{
	struct dyncta_core *c = x->state;

	for (unsigned i = 0; i < x->gpu->n_cores; i++) {
		c[i].since = counts_of(&x->gpu->core[i]);
		c[i].limit = dyncta_limit(x, i);
	}
}

static cycle_t
dyncta_period(const struct cta_ctx *x)
{
	return ((const struct dyncta_opts *)x->opts)->period;
}

static void
set_decision(struct cta_decision *d, unsigned rule, uint64_t counter, uint64_t threshold,
	     uint32_t old, uint32_t now)
{
	d->limit = now;
	d->why = (struct reason){(uint8_t)rule, {(int64_t)counter, (int64_t)threshold, old, now}};
}

/* An increase of n: the rule that took it, and its variants that leave n as it is. */
static void
decide_increase(const struct dyncta_opts *o, const struct cta_core *v, struct cta_decision *d,
		const unsigned rule[3], uint64_t counter, uint64_t threshold)
{
	uint32_t n = d->limit;

	if (o->algorithm == ALGORITHM_LISTING && v->resident > n)
		set_decision(d, rule[2], counter, threshold, n, n);
	else if (n < v->n_max)
		set_decision(d, rule[0], counter, threshold, n, n + 1);
	else
		set_decision(d, rule[1], counter, threshold, n, n);
}

static void
dyncta_decide(struct cta_ctx *x, unsigned core, struct cta_decision *d)
{
	const struct dyncta_opts *o = x->opts;
	const struct cta_core *v = &x->gpu->core[core];
	struct dyncta_core *c = (struct dyncta_core *)x->state + core;
	uint64_t c_mem, c_idle;
	uint32_t n =
		d->limit; /* in force; differs from c->limit if the user forced another limit */
	static const unsigned idle[] = {R_IDLE, R_IDLE_MAX, R_IDLE_PAUSED},
			      low[] = {R_MEM_LOW, R_MEM_LOW_MAX, R_MEM_LOW_PAUSED};

	count_period(x, core, &c_mem, &c_idle);
	c->since = counts_of(v);
	if (v->state >= CORE_PAUSED) {
		d->why = (struct reason){R_OFF, {n}};
	} else if (!v->resident && x->call->look_at_core(x, core).warps) {
		d->why = (struct reason){R_OTHERS, {n}};
	} else if (c_idle >= o->t_idle) {
		decide_increase(o, v, d, idle, c_idle, o->t_idle);
	} else if (c_mem < o->t_mem_l) {
		decide_increase(o, v, d, low, c_mem, o->t_mem_l);
	} else if (c_mem >= o->t_mem_h) {
		set_decision(d, n > 1 ? R_MEM_HIGH : R_MEM_HIGH_MIN, c_mem, o->t_mem_h, n,
			     n - (n > 1));
	} else {
		set_decision(d, R_KEEP, c_mem, o->t_mem_l, n, n);
		d->why.v[4] = o->t_mem_h;
	}
	c->limit = d->limit;
	c->changes += d->limit != n;
}

const struct cta_sched_ops cta_sched_dyncta = {
	.name = "dyncta",
	.help = "adjusts each core's CTA limit by C_idle and C_mem (Kayiran 4.1)",
	.abi = CTA_SCHED_ABI,
	.rules = dyncta_rules,
	.n_rules = ARRAY_LEN(dyncta_rules),
	.opts = dyncta_opts,
	.n_opts = ARRAY_LEN(dyncta_opts),
	.opts_size = sizeof(struct dyncta_opts),
	.core_size = sizeof(struct dyncta_core),
	.fields = dyncta_fields,
	.n_fields = ARRAY_LEN(dyncta_fields),
	.gauges = dyncta_gauges,
	.n_gauges = ARRAY_LEN(dyncta_gauges),
	.pauses = true,
	.kernel = dyncta_kernel,
	.holds = dyncta_holds,
	.defers = dyncta_defers,
	.limit = dyncta_limit,
	.period = dyncta_period,
	.decide = dyncta_decide,
	.read = dyncta_read,
};
