/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * energy.c - what happened in the machine, as counts for src/power.
 *
 * Energies follow from the counters and the coefficients as they are now: a coefficient changed at
 * a stop holds for the whole run. Only samples of the time series keep what they were taken with.
 */
#include "sim/sim_priv.h"
#include <math.h>
#include <string.h>

double
energy_core_hz(const struct sim *s)
{
	return s->cfg->gpu.clock_core * 1e6;
}

/* Of one core; sim_settle() has been called. */
void
energy_count_core(const struct sim *s, unsigned core, struct power_counts *c)
{
	const struct core_stat *st = core_stat(s->core[core].core);
	const struct ldst_stat *l = ldst_stat(&s->core[core].ldst);

	*c = (struct power_counts){.core_cycles = s->machine->cycle,
				   .gated = st->cls[CC_GATED],
				   .active = st->cls[CC_ACTIVE],
				   .warp_insts = st->warp_insts,
				   .thread_insts = st->thread_insts,
				   .l1 = l->l1_accesses,
				   .rocache = l->ro_accesses,
				   .smem = l->smem_insts + l->smem_conflict_cycles};
	memcpy(c->insts_of, st->insts_of, sizeof(c->insts_of));
}

/* What is not a core's. A network of type simple moves packets whole: header and sectors. In a mesh
 * a flit passes one router more than it passes links between routers. */
void
energy_count_uncore(const struct sim *s, struct power_counts *c)
{
	const struct noc_cfg *k = &s->cfg->noc;
	const struct net_stat *up = &s->request.net->st, *down = &s->reply.net->st;

	*c = (struct power_counts){.noc_bytes = (up->flits + up->hops + down->flits + down->hops) *
						k->flit};
	if (k->type == NOC_SIMPLE) {
		c->noc_bytes = (up->packets + down->packets) * k->control;
		for (unsigned i = 0; i < s->n_cores; i++)
			c->noc_bytes += SECTOR * (ldst_stat(&s->core[i].ldst)->stores_sent +
						  ldst_stat(&s->core[i].ldst)->replies);
	}
	for (unsigned i = 0; i < s->n_slices; i++) {
		const struct slice_stat *st = slice_stat(&s->slice[i]);

		c->l2_reads += st->accesses - st->writes;
		c->l2_writes += st->writes;
	}
	for (unsigned i = 0; i < s->n_channels; i++) {
		const struct dram_stat *st = channel_stat(&s->channel[i]);

		c->dram_bytes_read += st->reads * s->cfg->mem.atom;
		c->dram_bytes_written += st->writes * s->cfg->mem.atom;
		c->dram_activates += st->activates;
	}
}

void
energy_count(const struct sim *s, struct power_counts *c)
{
	energy_count_uncore(s, c);
	for (unsigned i = 0; i < s->n_cores; i++) {
		struct power_counts one;

		energy_count_core(s, i, &one);
		power_add(c, &one);
	}
}

double
energy_value(const struct sim *s, enum energy_what what)
{
	double seconds = (double)s->machine->cycle / energy_core_hz(s);
	struct power_counts c;
	struct power_energy e;
	double all;

	energy_count(s, &c);
	power_of_gpu(&s->cfg->power, &c, energy_core_hz(s), seconds, &e);
	all = power_static(&e) + power_dynamic(&e);
	if (what < (enum energy_what)POWER_PARTS)
		return e.part[what];
	switch (what) {
	case ENERGY_ALL:
		return all;
	case ENERGY_RELATIVE:
	case ENERGY_RELATIVE_PCPG:
		return power_relative(&s->cfg->power, &c, what == ENERGY_RELATIVE_PCPG);
	default:
		break;
	}
	if (!s->machine->cycle)
		return (double)NAN;
	switch (what) {
	case ENERGY_POWER:
		return all / seconds;
	case ENERGY_POWER_STATIC:
		return power_static(&e) / seconds;
	case ENERGY_POWER_DYNAMIC:
		return power_dynamic(&e) / seconds;
	case ENERGY_EDP:
		return all * seconds;
	case ENERGY_EFFICIENCY:
		return all > 0 ? (double)c.thread_insts / all : (double)NAN;
	default: { /* committed instructions per watt: a rate over the relative power */
		double watt = power_relative(&s->cfg->power, &c, what == ENERGY_PER_WATT_PCPG);

		return watt > 0 ? (double)c.thread_insts / (double)s->machine->cycle / watt
				: (double)NAN;
	}
	}
}
