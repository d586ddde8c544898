/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_rr.c - rr (Kayiran et al. 2, Yu et al. 2.1): issues whenever resources allow. The host
 * chooses the order of the cores. This is the baseline of all other policies.
 */
#include "cta/cta.h"

const struct cta_sched_ops cta_sched_rr = {
	.name = "rr",
	.help = "issue whenever a core has room (Kayiran 2)",
	.abi = CTA_SCHED_ABI,
};
