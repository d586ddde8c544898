/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_tcs_core.c - throttled CTA scheduling (Song et al. III): the part that TCS and hTCS share.
 *
 *   MONITOR  every mon_cycle each active core is tested. It is memory bound if the memory unit
 *            stalled it for more than half of the window and AMAT exceeds thr. If at least half of
 *            the active cores are bound, the highest-numbered one is throttled. Ends when the first
 *            CTA has ended and `monitor` cycles have passed.
 *   REDUCE   active cores take no new CTA. One that runs out of CTAs goes off, and the
 *            lowest-numbered throttled core replaces it, so the number of active cores stays.
 *   RUN      no core is throttled: the active ones work to the end of the kernel.
 *
 * Decisions (ctascope-model(7) 17.6): the stall cycles of a window are those in which the whole
 * core stalls; with stall=unit, all in which the load/store unit does; with stall=run, the longest
 * unbroken run of these, as in the paper's text. Without a load in the window AMAT is unknown and
 * the core counts as not bound. With throttle=off a throttled core takes no new CTA but its warps
 * continue (Fig. 8c). MONITOR lasts at least one mon_cycle, because otherwise no core would be
 * tested; one core always stays active. A core that never had a CTA "runs out" like any other.
 */
#include "cta/sched_tcs_core.h"
#include <math.h>

static const char *const tcs_stall_names[] = {"core", "unit", "run", NULL};
enum { STALL_CORE, STALL_UNIT, STALL_RUN };
static const char *const tcs_reset_names[] = {"window", "listing", NULL};
enum { RESET_WINDOW, RESET_LISTING };

const struct opt_row tcs_opts[7] = {
	CTA_PARAM(struct tcs_opts, mon_cycle, u32, 8192, 16, 1 << 24, "cycles",
		  "cycles between tests for memory-bound cores"),
	CTA_PARAM(struct tcs_opts, thr, u32, 0, 0, 1 << 24, "cycles",
		  "AMAT above which a core may be memory bound; 0: the machine's round trip"),
	CTA_PARAM(struct tcs_opts, thr_factor, f64, 1, 0, 100, "",
		  "factor of thr; the product is rounded"),
	CTA_PARAM_ENUM(struct tcs_opts, stall, STALL_CORE, tcs_stall_names,
		       "stall cycles of a test: those of class blocked; unit: those in which the "
		       "load/store unit refused something; run: the longest run of these"),
	CTA_PARAM(struct tcs_opts, monitor, u32, 10000, 0, 1 << 30, "cycles",
		  "minimum length of MONITOR, at least one mon_cycle"),
	CTA_PARAM(struct tcs_opts, throttle, bool, 1, 0, 1, "",
		  "warps of a throttled core issue no memory access; off: they do"),
	CTA_PARAM_ENUM(
		struct tcs_opts, reset, RESET_WINDOW, tcs_reset_names,
		"what a test resets: all counters; listing: the stall cycles of bound cores, "
		"and the number of these when a core is throttled, as in Algorithm 1"),
};

const struct rule tcs_rules[TCS_RULES] = {
	[TCS_R_BOUND] =
		{"memory-bound",
		 "memory stall {stall} > {half} cycles, AMAT {amat} > thr {thr}: memory bound",
		 .value = {"stall", "half", "amat", "thr"}},
	[TCS_R_NO_STALL] =
		{"few-stalls",
		 "memory stall {stall} <= {half} cycles (AMAT {amat}, thr {thr}): not memory bound",
		 .value = {"stall", "half", "amat", "thr"}},
	[TCS_R_FAST] =
		{"low-amat",
		 "memory stall {stall} > {half} cycles, AMAT {amat} <= thr {thr}: not memory bound",
		 .value = {"stall", "half", "amat", "thr"}},
	[TCS_R_NO_LOAD] =
		{"no-load",
		 "memory stall {stall}, half is {half} cycles; no load ended, so AMAT is not "
		 "known: not memory bound",
		 .value = {"stall", "half"}},
	[TCS_R_THROTTLE] = {"half-bound",
			    "{bound} of {active} active cores memory bound, at least half: core "
			    "{core} is throttled, {throttled} in all",
			    .value = {"bound", "active", "core", "throttled"}},
	[TCS_R_DRAIN] = {"half-bound-drain",
			 "{bound} of {active} active cores memory bound, at least half: core "
			 "{core} takes no new CTA, {throttled} in all (throttle=off)",
			 .value = {"bound", "active", "core", "throttled"}},
	[TCS_R_FEW] = {"few-bound",
		       "{bound} of {active} active cores memory bound, fewer than half: "
		       "{throttled} throttled as before",
		       .value = {"bound", "active", "core", "throttled"}},
	[TCS_R_LAST] = {"last-core",
			"{bound} of {active} active cores memory bound, but the last active core "
			"continues",
			.value = {"bound", "active", "core", "throttled"}},
	[TCS_R_MONITOR] =
		{"monitor",
		 "monitor: {active} cores active, for {monitor} cycles and until a CTA has ended",
		 .value = {"active", "monitor"}},
	[TCS_R_REDUCE] = {"reduce",
			  "monitor -> reduce: {ctas} CTAs ended, {cycles} >= {monitor} cycles; "
			  "{active} cores active, "
			  "{throttled} throttled",
			  .value = {"ctas", "cycles", "monitor", "active", "throttled"}},
	[TCS_R_NOTHING] = {"nothing-to-reduce",
			   "monitor -> run: {ctas} CTAs ended, {cycles} >= {monitor} cycles; "
			   "{active} cores active, "
			   "none throttled",
			   .value = {"ctas", "cycles", "monitor", "active", "throttled"}},
	[TCS_R_WAIT] = {"reducing", "{throttled} cores are throttled: active ones take no new CTA",
			.value = {"throttled"}},
	[TCS_R_RAN_OUT] = {"ran-out",
			   "no CTA left on the core: off; core {next} works in its place, "
			   "{throttled} still throttled",
			   .value = {"next", "throttled"}},
	[TCS_R_TURN] = {"next-core",
			"core {empty} ran out of CTAs: this one works in its place, {throttled} "
			"still throttled",
			.value = {"empty", "throttled"}},
	[TCS_R_REDUCED] = {"reduced",
			   "reduce -> run: no core is throttled; {active} active, {off} off",
			   .value = {"active", "off"}},
	[TCS_R_HALF] = {"half-of-the-cores",
			"the first {active} of {cores} cores work until the first test",
			.value = {"active", "cores"}},
	[TCS_R_ALL] =
		{"all-cores",
		 "{bound} of {active} active cores memory bound, fewer than half: all {cores} work",
		 .value = {"bound", "active", "cores"}},
};

static const char *const phase_names[] = {"monitor", "reduce", "run", NULL};
static const char *const role_names[] = {"active", "throttled", "off", NULL};

const struct cta_field tcs_fields[] = {
	CTA_FIELD_ENUM(struct tcs, phase, phase_names, "monitor, reduce, run"),
	CTA_FIELD_FOUND(struct tcs, active, "cores", "active cores"),
	CTA_FIELD(struct tcs, throttled, u32, "cores", "throttled cores"),
	CTA_FIELD(struct tcs, off, u32, "cores", "cores that are off"),
	CTA_FIELD(struct tcs, memory_bound, u32, "cores",
		  "active cores that the last test found memory bound"),
	CTA_FIELD(struct tcs, tests, u32, "tests", "tests in this MONITOR phase"),
	{.name = "role",
	 .unit = "",
	 .help = "active, throttled, off",
	 .offset = offsetof(struct tcs_core, role),
	 .per_core = true,
	 .type = OPT_T_enum,
	 .names = role_names},
	CTA_FIELD_CORE(struct tcs_core, bound, u32, "",
		       "the last test found the core memory bound"),
	CTA_FIELD_CORE(struct tcs_core, stall, u64, "cycles", "memory stall of the last window"),
	CTA_FIELD_CORE(struct tcs_core, amat, u64, "cycles",
		       "AMAT of the last window, rounded up; 0: no load ended"),
};
struct tcs_core *
tcs_cores(const struct cta_ctx *x)
{
	return (struct tcs_core *)((char *)x->state + sizeof(struct tcs));
}

/* Counts the cores of each role. */
static void
count_roles(const struct cta_ctx *x)
{
	struct tcs *s = x->state;

	s->active = s->throttled = s->off = 0;
	for (unsigned c = 0; c < x->gpu->n_cores; c++) {
		uint32_t role = tcs_cores(x)[c].role;

		s->active += role == TCS_ACTIVE;
		s->throttled += role == TCS_THROTTLE;
		s->off += role == TCS_OFF;
	}
}

static bool
resets_by_listing(const struct cta_ctx *x)
{
	return ((const struct tcs_opts *)x->opts)->reset == RESET_LISTING;
}

/* Starts a window: stores the counters from which it is measured. */
static void
begin_window(struct tcs_core *k, const struct cta_core *v)
{
	k->blocked = v->blocked;
	k->mem_stall = v->mem_stall;
	k->loads = v->loads;
	k->load_cycles = v->load_cycles;
}

static cycle_t
monitor_length(const struct tcs_opts *o)
{
	return MAX(o->monitor, o->mon_cycle);
}

void
tcs_kernel(struct cta_ctx *x)
{
	struct tcs *s = x->state;

	s->start = x->gpu->cycle;
	s->done = x->gpu->done;
	s->phase = TCS_MONITOR;
	if (resets_by_listing(x))
		s->memory_bound = 0;
	for (unsigned c = 0; c < x->gpu->n_cores; c++) {
		begin_window(&tcs_cores(x)[c], &x->gpu->core[c]);
		tcs_cores(x)[c].role = x->gpu->core[c].unused ? TCS_OFF : TCS_ACTIVE;
	}
	count_roles(x);
}

cycle_t
tcs_period(const struct cta_ctx *x)
{
	const struct tcs *s = x->state;

	return s->phase == TCS_MONITOR ? ((const struct tcs_opts *)x->opts)->mon_cycle : 0;
}

void
tcs_begin(struct cta_ctx *x)
{
	const struct tcs *s = x->state;

	x->call->publish(x, EV_PHASE, -1,
			 &(struct reason){TCS_R_MONITOR,
					  {s->active, (int64_t)monitor_length(x->opts)}});
}

/* ---------------------------------------------------------------- the test */

static uint64_t
amat_threshold(const struct cta_ctx *x)
{
	const struct tcs_opts *o = x->opts;

	return (uint64_t)lround((o->thr ? o->thr : x->gpu->round_trip) * o->thr_factor);
}

static uint64_t
window_stall(const struct tcs_opts *o, const struct tcs_core *k, const struct cta_core *v)
{
	switch (o->stall) {
	case STALL_RUN:
		return v->mem_stall_run;
	case STALL_UNIT:
		return v->mem_stall - k->mem_stall;
	default:
		return v->blocked - k->blocked;
	}
}

/* AMAT rounded up: AMAT > thr holds exactly when the rounded value does. */
static uint64_t
window_amat(const struct tcs_core *k, const struct cta_core *v)
{
	uint64_t loads = v->loads - k->loads, cycles = v->load_cycles - k->load_cycles;

	return loads ? (cycles + loads - 1) / loads : 0;
}

static void
measure_window(const struct tcs_opts *o, struct tcs_core *k, const struct cta_core *v)
{
	k->stall = window_stall(o, k, v);
	k->amat = window_amat(k, v);
	begin_window(k, v);
}

enum { G_STALL, G_AMAT };
const struct cta_gauge tcs_gauges[TCS_GAUGES] = {
	[G_STALL] = {"stall", "cycles", "memory stall of the window", .high = "half",
		     .per_core = true},
	[G_AMAT] = {"AMAT", "cycles", "average latency of the window's loads", .high = "thr",
		    .per_core = true},
};

/* Only MONITOR has windows, and only active cores are tested. */
void
tcs_read(const struct cta_ctx *x, unsigned core, struct cta_reading *r)
{
	const struct tcs_opts *o = x->opts;
	const struct tcs_core *k = &tcs_cores(x)[core];
	const struct cta_core *v = &x->gpu->core[core];

	r[G_STALL].high = o->mon_cycle / 2;
	r[G_AMAT].high = (double)amat_threshold(x);
	if (((const struct tcs *)x->state)->phase != TCS_MONITOR || k->role != TCS_ACTIVE)
		return;
	r[G_STALL].value = (double)window_stall(o, k, v);
	if (v->loads != k->loads)
		r[G_AMAT].value = (double)window_amat(k, v);
}

void
tcs_decide(struct cta_ctx *x, unsigned core, struct cta_decision *d)
{
	const struct tcs_opts *o = x->opts;
	const struct tcs *s = x->state;
	struct tcs_core *k = &tcs_cores(x)[core];
	bool loads = x->gpu->core[core].loads != k->loads;
	uint64_t half = o->mon_cycle / 2, thr = amat_threshold(x);
	const struct tcs_core before = *k;

	measure_window(o, k, &x->gpu->core[core]);
	k->bound = 0;
	if (s->phase != TCS_MONITOR || k->role != TCS_ACTIVE)
		return;
	k->bound = loads && k->stall > half && k->amat > thr;
	if (!k->bound && resets_by_listing(x)) { /* its stall cycles go on to count */
		k->blocked = before.blocked;
		k->mem_stall = before.mem_stall;
	}
	d->why =
		(struct reason){TCS_R_NO_STALL,
				{(int64_t)k->stall, (int64_t)half, (int64_t)k->amat, (int64_t)thr}};
	if (k->bound)
		d->why.rule = TCS_R_BOUND;
	else if (!loads)
		d->why.rule = TCS_R_NO_LOAD;
	else if (k->stall > half)
		d->why.rule = TCS_R_FAST;
}

static void
throttle_one_core(struct cta_ctx *x, struct reason *r)
{
	bool hold = ((const struct tcs_opts *)x->opts)->throttle;
	unsigned core = x->gpu->n_cores - 1;

	while (tcs_cores(x)[core].role != TCS_ACTIVE)
		core--;
	tcs_cores(x)[core].role = TCS_THROTTLE;
	count_roles(x);
	r->rule = hold ? TCS_R_THROTTLE : TCS_R_DRAIN;
	r->v[2] = core;
	r->v[3] = ((struct tcs *)x->state)->throttled;
	x->call->want(x, core, hold ? CORE_THROTTLED : CORE_DRAINING, r);
}

bool
tcs_test(struct cta_ctx *x)
{
	struct tcs *s = x->state;
	struct reason r = {0};
	bool half;

	if (s->phase != TCS_MONITOR)
		return true;
	s->tests++;
	if (!resets_by_listing(x))
		s->memory_bound = 0;
	for (unsigned c = 0; c < x->gpu->n_cores; c++)
		s->memory_bound += tcs_cores(x)[c].bound;
	half = s->memory_bound && 2 * s->memory_bound >= s->active;
	r.rule = half ? TCS_R_LAST : TCS_R_FEW;
	r.v[0] = s->memory_bound;
	r.v[1] = s->active;
	r.v[2] = -1;
	r.v[3] = s->throttled;
	if (half && s->active > 1) {
		throttle_one_core(x, &r);
		if (resets_by_listing(x))
			s->memory_bound = 0;
	}
	x->call->publish(x, EV_PERIOD, -1, &r);
	x->call->forget_runs(x);
	return half;
}

/* ---------------------------------------------------------------- the phases */

static void
end_monitor(struct cta_ctx *x)
{
	struct tcs *s = x->state;
	struct reason r = {.rule = s->throttled ? TCS_R_REDUCE : TCS_R_NOTHING};

	r.v[0] = (int64_t)(x->gpu->done - s->done);
	r.v[1] = (int64_t)(x->gpu->cycle - s->start);
	r.v[2] = (int64_t)monitor_length(x->opts);
	r.v[3] = s->active;
	r.v[4] = s->throttled;
	s->phase = s->throttled ? TCS_REDUCE : TCS_RUN;
	x->call->publish(x, EV_PHASE, -1, &r);
}

/* Switches off an active core without CTAs and activates the lowest-numbered throttled one. */
static void
replace_core(struct cta_ctx *x, unsigned empty)
{
	struct tcs *s = x->state;
	struct reason r = {0};
	unsigned next = 0;

	while (tcs_cores(x)[next].role != TCS_THROTTLE)
		next++;
	tcs_cores(x)[empty].role = TCS_OFF;
	tcs_cores(x)[next].role = TCS_ACTIVE;
	count_roles(x);
	r.v[1] = s->throttled;
	r.rule = TCS_R_RAN_OUT;
	r.v[0] = next;
	x->call->want(x, empty, CORE_OFF, &r);
	r.rule = TCS_R_TURN;
	r.v[0] = empty;
	x->call->want(x, next, s->throttled ? CORE_DRAINING : CORE_ACTIVE, &r);
}

/* Throttled cores are numbered above all active ones, so one pass also reaches those that became
 * active. */
static void
reduce_cores(struct cta_ctx *x)
{
	struct tcs *s = x->state;
	struct reason r = {.rule = TCS_R_WAIT};

	for (unsigned c = 0; c < x->gpu->n_cores && s->throttled; c++)
		if (tcs_cores(x)[c].role == TCS_ACTIVE && !x->gpu->core[c].resident)
			replace_core(x, c);
	r.v[0] = s->throttled;
	if (!s->throttled) {
		s->phase = TCS_RUN;
		r = (struct reason){TCS_R_REDUCED, {s->active, s->off}};
		x->call->publish(x, EV_PHASE, -1, &r);
	}
	for (unsigned c = 0; c < x->gpu->n_cores; c++)
		if (tcs_cores(x)[c].role == TCS_ACTIVE)
			x->call->want(x, c, s->throttled ? CORE_DRAINING : CORE_ACTIVE, &r);
}

cycle_t
tcs_go_on(struct cta_ctx *x)
{
	struct tcs *s = x->state;
	cycle_t end = s->start + monitor_length(x->opts);

	if (s->phase == TCS_MONITOR) {
		if (x->gpu->cycle < end)
			return end;
		if (x->gpu->done == s->done)
			return CYCLE_NEVER; /* tried again when a CTA ends */
		end_monitor(x);
	}
	if (s->phase == TCS_REDUCE)
		reduce_cores(x);
	return CYCLE_NEVER;
}
