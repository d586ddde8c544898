/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_seqdet.c - Seq-Det: finds how many cores are enough, removing one at a time (Zhu et al. I,
 * V).
 *
 * This is the policy with which the paper compares ONAC. It samples the IPC with all cores, then
 * with one core fewer each time, until a sample falls below IPC_thr = (1 - loss) * IPC_all; the
 * number of cores before that is N_opt. The paper derives it from TCS (Song et al.), with the IPC
 * in place of the memory latency.
 *
 * sched_detect.c takes the samples and switches the cores.
 */
#include "cta/sched_detect.h"

enum { R_LESS = DR_RULES, R_BELOW, R_LEAST };
static const struct rule seqdet_rules[] = {
	DETECT_RULES,
	[R_LESS] = {"one-less",
		    "IPC {ipc_milli} with {cores} cores >= target IPC {ipc_thr_milli}: "
		    "{estimate} cores are next",
		    .value = {"cores", "ipc_milli", "ipc_thr_milli", "estimate"}},
	[R_BELOW] = {"below-threshold",
		     "IPC {ipc_milli} with {cores} cores < target IPC {ipc_thr_milli}: "
		     "N_opt {n_opt}, after {samples} samples, {cycles} cycles",
		     .value = {"cores", "ipc_milli", "ipc_thr_milli", "n_opt", "samples",
			       "cycles"}},
	[R_LEAST] = {"least",
		     "IPC {ipc_milli} with {cores} core >= target IPC {ipc_thr_milli}: "
		     "N_opt {n_opt}, after {samples} samples, {cycles} cycles",
		     .value = {"cores", "ipc_milli", "ipc_thr_milli", "n_opt", "samples",
			       "cycles"}},
};

static void
after_sample(struct cta_ctx *x, struct detect *d)
{
	bool below = d->cur.ipc < d->thr;
	uint64_t next = below ? d->cur.cores + 1 : MAX(d->cur.cores - 1, 1);
	struct reason r = {R_LESS,
			   {(int64_t)d->cur.cores, detect_milli(d->cur.ipc), detect_milli(d->thr),
			    (int64_t)next, d->samples, (int64_t)d->detect_cycles}};

	if (!below && next < d->cur.cores) {
		x->call->publish(x, EV_ESTIMATE, -1, &r);
		detect_sample(x, d, next);
		return;
	}
	r.rule = below ? R_BELOW : R_LEAST;
	detect_found(x, d, next, &r);
}

static cycle_t
seqdet_act(struct cta_ctx *x, unsigned why)
{
	return detect_act(x, why, after_sample);
}

const struct cta_sched_ops cta_sched_seqdet = {
	.name = "seqdet",
	.help = "removes one core after another until the IPC falls too far (Seq-Det of Zhu et "
		"al.)",
	.abi = CTA_SCHED_ABI,
	.role = CTA_ROLE_CORES,
	.rules = seqdet_rules,
	.n_rules = ARRAY_LEN(seqdet_rules),
	.opts = detect_opts,
	.n_opts = ARRAY_LEN(detect_opts),
	.opts_size = sizeof(struct detect_opts),
	.state_size = sizeof(struct detect),
	.fields = detect_fields,
	.n_fields = ARRAY_LEN(detect_fields),
	.gauges = detect_gauges,
	.n_gauges = ARRAY_LEN(detect_gauges),
	.act = seqdet_act,
	.done = detect_done,
	.read = detect_read,
};
