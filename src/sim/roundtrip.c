/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * roundtrip.c - the latency of a load that misses every cache without contention (Song et al.
 * III.B, "contention-free latency").
 *
 *   L1 latency -> request network -> ROP -> L2 -> DRAM: activate, read (the whole line, or one
 * sector with a sectored L1) -> L2 -> reply network -> register
 *
 * The result is a sum of parameters, each stage in its own clock. The half period that is lost on
 * average between two clocks is ignored. tests/sim/roundtrip.c compares the sum with the model.
 */
#include "sim/sim_priv.h"
#include <math.h>

#define CORE_STAGES 6 /* pick-up, miss queue, reply into the core, fill, release */
#define L2_STAGES 5   /* queues and look-up on the way there and back */
#define DRAM_STAGES 2 /* into the scheduler, out of the return queue */

uint32_t
roundtrip_cycles(const struct config *k)
{
	const struct machine_cfg *g = &k->gpu;
	const struct mem_cfg *m = &k->mem;
	const struct net_env net = {.cfg = &k->noc,
				    .n_in = g->clusters,
				    .n_out = m->channels * m->slices};
	unsigned sectors = k->ldst.sectored ? 1 : k->l1d.line / SECTOR;
	double core = k->ldst.l1_latency + m->rop_latency + m->dram_latency + CORE_STAGES;
	double l2 = L2_STAGES + sectors - 1;
	unsigned last = k->noc.reply == NOC_REPLY_LINE ? sectors : 1; /* sectors of a reply */
	double noc = net_unloaded(&net, 0) + net_unloaded(&net, last * SECTOR);
	double dram = m->tRCD + m->tCL + DRAM_STAGES +
		      (double)(sectors * ((SECTOR + m->atom - 1) / m->atom) - 1) *
			      MAX(m->tCCD, m->bank_groups > 1 ? m->tCCDL : 0);

	return (uint32_t)lround(core + l2 * g->clock_core / g->clock_l2 +
				noc * g->clock_core / g->clock_noc +
				dram * g->clock_core / g->clock_dram);
}
