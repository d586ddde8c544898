/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_onac.c - ONAC: estimates how many cores are enough (Zhu et al. IV).
 *
 * ONAC samples the IPC with all cores and with one. If the IPC were proportional to the number of
 * cores, IPC_thr = (1 - loss) * IPC_all would need ceil(IPC_thr / IPC_1) cores: the first estimate.
 * Because each additional core adds at most as much as the one before, the line through the last
 * two points of the curve meets IPC_thr at the next estimate, which is never too high. Estimates
 * are sampled until one reaches IPC_thr; the IPC with all cores is known. Estimates are rounded up
 * and exceed the one before by at least one core (ctascope-model(7) 17.9); a line that does not
 * rise leads to all cores.
 *
 * sched_detect.c takes the samples and switches the cores.
 */
#include "cta/sched_detect.h"

enum { R_FIRST = DR_RULES, R_LINE, R_FLAT, R_MET, R_ALL };
static const struct rule onac_rules[] = {
	DETECT_RULES,
	[R_FIRST] = {"first-estimate",
		     "target IPC {ipc_thr_milli}, {ipc_1_milli} per core: {estimate} of {all} "
		     "cores needed",
		     .value = {"ipc_thr_milli", "ipc_1_milli", "estimate", "all"}},
	[R_LINE] = {"line",
		    "the line through IPC {prev_ipc_milli} with {prev} cores and "
		    "{cur_ipc_milli} with {cur} reaches the target {ipc_thr_milli} at "
		    "{estimate} cores",
		    .value = {"prev", "prev_ipc_milli", "cur", "cur_ipc_milli", "ipc_thr_milli",
			      "estimate"}},
	[R_FLAT] = {"flat-line",
		    "the line through IPC {prev_ipc_milli} with {prev} cores and "
		    "{cur_ipc_milli} with {cur} does not reach the target {ipc_thr_milli}: all "
		    "{estimate} cores needed",
		    .value = {"prev", "prev_ipc_milli", "cur", "cur_ipc_milli", "ipc_thr_milli",
			      "estimate"}},
	[R_MET] = {"threshold-met",
		   "IPC {ipc_milli} with {n_opt} cores >= target IPC {ipc_thr_milli}: N_opt "
		   "{n_opt}, after {samples} samples, {cycles} cycles",
		   .value = {"n_opt", "ipc_milli", "ipc_thr_milli", "samples", "cycles"}},
	[R_ALL] = {"all-cores",
		   "the estimate is all cores, IPC {ipc_milli}: N_opt {n_opt}, after "
		   "{samples} samples, {cycles} cycles",
		   .value = {"n_opt", "ipc_milli", "ipc_thr_milli", "samples", "cycles"}},
};

static void
finish_with(struct cta_ctx *x, struct detect *d, unsigned rule, const struct point *p)
{
	detect_found(x, d, p->cores,
		     &(struct reason){(uint8_t)rule,
				      {(int64_t)p->cores, detect_milli(p->ipc),
				       detect_milli(d->thr), d->samples,
				       (int64_t)d->detect_cycles}});
}

/* The number of cores at which IPC_1 * cores meets IPC_thr. */
static uint64_t
first_estimate(struct cta_ctx *x, const struct detect *d)
{
	uint64_t n = d->cur.ipc ? (d->thr + d->cur.ipc - 1) / d->cur.ipc : d->all.cores;

	n = MIN(MAX(n, 2), d->all.cores);
	x->call->publish(x, EV_ESTIMATE, -1,
			 &(struct reason){R_FIRST,
					  {detect_milli(d->thr), detect_milli(d->cur.ipc),
					   (int64_t)n, (int64_t)d->all.cores}});
	return n;
}

/* The number of cores at which the line through the last two points meets IPC_thr, which is
 * above the last point. */
static uint64_t
next_estimate(struct cta_ctx *x, const struct detect *d)
{
	const struct point *a = &d->prev, *b = &d->cur;
	bool rises = b->ipc > a->ipc;
	uint64_t n = d->all.cores;

	if (rises) {
		uint64_t dx = b->cores - a->cores, dy = b->ipc - a->ipc;

		n = MIN(n, b->cores + ((d->thr - b->ipc) * dx + dy - 1) / dy);
	}
	x->call->publish(x, EV_ESTIMATE, -1,
			 &(struct reason){rises ? R_LINE : R_FLAT,
					  {(int64_t)a->cores, detect_milli(a->ipc),
					   (int64_t)b->cores, detect_milli(b->ipc),
					   detect_milli(d->thr), (int64_t)n}});
	return n;
}

static void
after_sample(struct cta_ctx *x, struct detect *d)
{
	uint64_t n = 1;

	if (d->samples == 2)
		n = first_estimate(x, d);
	else if (d->samples > 2 && d->cur.ipc >= d->thr)
		return finish_with(x, d, R_MET, &d->cur);
	else if (d->samples > 2)
		n = next_estimate(x, d);
	if (n == d->all.cores)
		return finish_with(x, d, R_ALL, &d->all);
	detect_sample(x, d, n);
}

static cycle_t
onac_act(struct cta_ctx *x, unsigned why)
{
	return detect_act(x, why, after_sample);
}

const struct cta_sched_ops cta_sched_onac = {
	.name = "onac",
	.help = "estimates how many cores are enough and switches the others off (Zhu et al. IV)",
	.abi = CTA_SCHED_ABI,
	.role = CTA_ROLE_CORES,
	.rules = onac_rules,
	.n_rules = ARRAY_LEN(onac_rules),
	.opts = detect_opts,
	.n_opts = ARRAY_LEN(detect_opts),
	.opts_size = sizeof(struct detect_opts),
	.state_size = sizeof(struct detect),
	.fields = detect_fields,
	.n_fields = ARRAY_LEN(detect_fields),
	.gauges = detect_gauges,
	.n_gauges = ARRAY_LEN(detect_gauges),
	.act = onac_act,
	.done = detect_done,
	.read = detect_read,
};
