/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_detect.c - measures samples of the IPC with some of the cores (Zhu et al. IV.C).
 *
 *   fill    the launch fills the cores. Ends when the number of their CTAs has not grown for some
 *           cycles and `warmup` waves of CTAs have ended (not in the paper, whose first sample
 *           consists of CTAs that all begin at once and run in step)
 *   drain   every core is paused until its instructions in flight are done
 *   sample  the first k cores work and the others stay paused, until waves * (CTAs resident on
 *           those k at the start) of their CTAs have ended; then the policy chooses: drain or done
 *   done    cores from N_opt on are wanted off: they run their CTAs to the end and lose power
 *   gave up every core works
 *
 * "The first k" counts only cores that may take CTAs of the kernel. Detection gives up when no CTA
 * is left to issue, or when the cores of a sample hold no CTA and get none although they may take
 * some (because of limits or credits of another policy in the stack): such a sample would never
 * end.
 *
 * Detection restarts for every kernel; the result for a kernel is not reused at its next launch.
 */
#include "cta/sched_detect.h"
#include <math.h>

#define QUIET 4 /* this many cycles without a new CTA end the fill */

const struct opt_row detect_opts[3] = {
	CTA_PARAM(struct detect_opts, waves, u32, 4, 1, 4096, "waves",
		  "length of a sample of the IPC, in waves of CTAs"),
	CTA_PARAM(struct detect_opts, warmup, u32, 0, 0, 4096, "waves",
		  "waves of CTAs before the first sample"),
	CTA_PARAM(struct detect_opts, loss, f64, 0.02, 0, 0.99, "",
		  "acceptable loss, as a share of the IPC with all cores"),
};

static const char *const phase_names[] = {"fill", "drain", "sample", "detected", "gave-up", NULL};

const struct cta_field detect_fields[7] = {
	CTA_FIELD_ENUM(struct detect, phase, phase_names, "state of the detection"),
	CTA_FIELD(struct detect, estimate, u32, "cores", "cores of the current sample"),
	CTA_FIELD_FOUND(struct detect, n_opt, "cores", "cores found to be enough; 0: not known"),
	CTA_FIELD(struct detect, ipc_all, f64, "insts/cycle", "thread IPC sampled with all cores"),
	CTA_FIELD(struct detect, ipc_thr, f64, "insts/cycle", "target thread IPC"),
	CTA_FIELD(struct detect, detect_cycles, u64, "cycles",
		  "cycles from the launch until N_opt was known"),
	CTA_FIELD(struct detect, samples, u32, "samples", "samples taken of this kernel"),
};

/* ---------------------------------------------------------------- cores */

/* Wants the first k cores that may take CTAs active and the others in state `rest`. */
static void
want_first_cores(struct cta_ctx *x, uint64_t k, const struct reason *first, enum core_state rest,
		 const struct reason *why)
{
	uint64_t n = 0;

	for (unsigned c = 0; c < x->gpu->n_cores; c++) {
		if (x->gpu->core[c].unused)
			continue;
		if (n++ < k)
			x->call->want(x, c, CORE_ACTIVE, first);
		else
			x->call->want(x, c, rest, why);
	}
}

static bool
is_sampled(const struct cta_gpu *g, const struct detect *d, unsigned core)
{
	unsigned n = 0;

	for (unsigned c = 0; c < core; c++)
		n += !g->core[c].unused;
	return !g->core[core].unused && n < d->estimate;
}

/* A core that another policy has switched off has nothing in flight either. */
static bool
all_drained(const struct cta_gpu *g)
{
	for (unsigned c = 0; c < g->n_cores; c++)
		if (!g->core[c].unused && !g->core[c].drained && g->core[c].state != CORE_OFF)
			return false;
	return true;
}

static uint64_t
insts_of_sample(const struct cta_gpu *g, const struct detect *d, uint64_t *resident)
{
	uint64_t insts = 0;
	unsigned n = 0;

	*resident = 0;
	for (unsigned c = 0; c < g->n_cores && n < d->estimate; c++) {
		if (g->core[c].unused)
			continue;
		insts += g->core[c].thread_insts;
		*resident += g->core[c].resident;
		n++;
	}
	return insts;
}

static uint64_t
cycles_of_sample(const struct cta_gpu *g, const struct detect *d)
{
	return MAX(g->cycle - d->since, 1);
}

const struct cta_gauge detect_gauges[DETECT_GAUGES] = {
	{"IPC", "insts/cycle", "thread IPC of the sample", .low = "IPC_thr"},
};

/* IPC_thr is unknown until the sample with all cores has ended. */
void
detect_read(const struct cta_ctx *x, unsigned core, struct cta_reading *r)
{
	const struct detect *d = x->state;
	uint64_t resident;

	(void)core;
	if (d->samples)
		r->low = d->ipc_thr;
	if (d->phase == DETECT_SAMPLE)
		r->value = (double)(insts_of_sample(x->gpu, d, &resident) - d->insts) /
			   (double)cycles_of_sample(x->gpu, d);
}

/* ---------------------------------------------------------------- phases */

static void
enter_phase(struct cta_ctx *x, struct detect *d, enum detect_phase phase)
{
	d->phase = phase;
	d->since = x->gpu->cycle;
}

void
detect_sample(struct cta_ctx *x, struct detect *d, uint64_t cores)
{
	struct reason r = {DR_PAUSE, {(int64_t)cores, x->gpu->n_used}};

	d->estimate = (uint32_t)cores;
	want_first_cores(x, 0, NULL, CORE_PAUSED, &r);
	enter_phase(x, d, DETECT_DRAIN);
}

void
detect_found(struct cta_ctx *x, struct detect *d, uint64_t n_opt, const struct reason *r)
{
	struct reason gate = {DR_GATE, {(int64_t)n_opt, x->gpu->n_used}};

	d->n_opt = d->estimate = (uint32_t)n_opt;
	x->call->publish(x, EV_DETECTED, -1, r);
	want_first_cores(x, n_opt, &gate, CORE_OFF, &gate);
	enter_phase(x, d, DETECT_DONE);
}

static void
give_up(struct cta_ctx *x, struct detect *d, unsigned rule)
{
	struct reason r = {(uint8_t)rule, {d->samples, (int64_t)d->detect_cycles}};

	x->call->publish(x, EV_DETECTED, -1, &r);
	want_first_cores(x, UINT64_MAX, &r, CORE_ACTIVE, &r);
	enter_phase(x, d, DETECT_GAVE_UP);
}

static void
begin_sample(struct cta_ctx *x, struct detect *d)
{
	const struct detect_opts *o = x->opts;
	const struct cta_gpu *g = x->gpu;
	struct reason sampled = {DR_SAMPLED, {d->estimate}};
	uint64_t resident;

	d->insts = insts_of_sample(g, d, &resident);
	d->ended = 0;
	d->target = o->waves * MAX(resident, 1);
	x->call->publish(x, EV_SAMPLE_BEGIN, -1,
			 &(struct reason){DR_BEGIN,
					  {d->estimate, g->n_used, (int64_t)d->target, o->waves,
					   (int64_t)resident, (int64_t)(g->cycle - d->since)}});
	want_first_cores(x, d->estimate, &sampled, CORE_PAUSED, &sampled);
	enter_phase(x, d, DETECT_SAMPLE);
	d->stirred = g->cycle;
}

static void
end_sample(struct cta_ctx *x, struct detect *d)
{
	const struct detect_opts *o = x->opts;
	uint64_t resident, insts = insts_of_sample(x->gpu, d, &resident) - d->insts;
	uint64_t cycles = cycles_of_sample(x->gpu, d);
	uint64_t kept = IPC_UNIT - (uint64_t)lround(o->loss * IPC_UNIT);

	x->call->keep_gauges(x);
	d->prev = d->cur;
	d->cur = (struct point){d->estimate, insts * IPC_UNIT / cycles};
	if (!d->samples++)
		d->all = d->cur;
	d->thr = (d->all.ipc * kept + IPC_UNIT - 1) / IPC_UNIT;
	d->ipc_all = (double)d->all.ipc / IPC_UNIT;
	d->ipc_thr = (double)d->thr / IPC_UNIT;
	x->call->publish(x, EV_SAMPLE_END, -1,
			 &(struct reason){DR_END,
					  {d->estimate, (int64_t)d->ended, (int64_t)cycles,
					   (int64_t)insts, detect_milli(d->cur.ipc)}});
}

/* Records when something last happened after which more may follow: CTAs are issued after act(),
 * one per cluster and cycle. */
static void
watch_progress(struct detect *d, const struct cta_gpu *g, bool ended)
{
	uint64_t resident = g->issued - g->done;

	if (d->phase == DETECT_FILL ? resident > d->full : ended || g->issued != d->issued)
		d->stirred = g->cycle;
	d->full = MAX(d->full, resident);
	d->issued = g->issued;
	d->detect_cycles = g->cycle - d->start;
}

static bool
is_warmed_up(const struct cta_ctx *x, const struct detect *d)
{
	const struct detect_opts *o = x->opts;

	return x->gpu->done - d->done_before >= o->warmup * d->full;
}

static bool
sample_is_starved(const struct cta_gpu *g, const struct detect *d)
{
	uint64_t resident;

	insts_of_sample(g, d, &resident);
	return !resident;
}

/* ---------------------------------------------------------------- hooks */

void
detect_done(struct cta_ctx *x, unsigned core, const struct cta_resident *cta,
	    struct cta_decision *n)
{
	struct detect *d = x->state;

	(void)cta;
	(void)n;
	d->ended += d->phase == DETECT_SAMPLE && is_sampled(x->gpu, d, core);
}

static void
begin_detection(struct cta_ctx *x, struct detect *d)
{
	d->start = d->stirred = x->gpu->cycle;
	d->done_before = x->gpu->done;
	enter_phase(x, d, DETECT_FILL);
	if (x->gpu->n_used == 1)
		detect_found(x, d, 1, &(struct reason){DR_ONE_CORE, {1}});
}

cycle_t
detect_act(struct cta_ctx *x, unsigned why, detect_next *next)
{
	struct detect *d = x->state;
	const struct cta_gpu *g = x->gpu;
	bool quiet;

	if (why & ACT_LAUNCH)
		begin_detection(x, d);
	if (d->phase >= DETECT_DONE)
		return CYCLE_NEVER;
	watch_progress(d, g, why & ACT_ENDED);
	quiet = g->cycle - d->stirred >= QUIET;

	if (d->phase == DETECT_FILL && quiet && is_warmed_up(x, d)) {
		detect_sample(x, d, g->n_used);
	} else if (d->phase == DETECT_DRAIN && all_drained(g)) {
		begin_sample(x, d);
	} else if (d->phase == DETECT_SAMPLE && d->ended >= d->target) {
		end_sample(x, d);
		next(x, d);
	} else if (d->phase == DETECT_SAMPLE && quiet && sample_is_starved(g, d)) {
		give_up(x, d, DR_STARVED);
	}
	if (d->phase < DETECT_DONE && g->issued == g->n_cta)
		give_up(x, d, DR_NONE_LEFT);
	if (d->phase == DETECT_DRAIN)
		return g->cycle + 1;
	return d->phase >= DETECT_DONE || quiet ? CYCLE_NEVER : g->cycle + 1;
}
