/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy_eyes.c - what a policy may look at beyond its view: the CTAs and warps of a core, and the
 * counters of L1, DRAM and network (struct cta_calls). Nothing is computed until a policy asks.
 */
#include "sim/sim_priv.h"

/* The CTA in a used slot. A warp has issued the records before its head. */
struct cta_resident
policy_resident(const struct sim *s, unsigned core, unsigned slot)
{
	const struct core *c = s->core[core].core;
	struct core_slot k = core_slot(c, slot);
	struct cta_resident r = {.cta = k.cta,
				 .issued = k.issued,
				 .paused = core_paused(c) >> slot & 1};

	for (uint64_t m = k.all_warps; m; m &= m - 1)
		r.warp_insts += core_warp(c, (unsigned)__builtin_ctzll(m))->head;
	return r;
}

static unsigned
list_resident(void *ctx, unsigned core, struct cta_resident *r)
{
	const struct sim *s = ctx;
	const struct core *c = s->core[core].core;
	const uint32_t own = concurrent_slots(s, core);
	unsigned n = 0, order = (unsigned)__builtin_popcount(own);

	for (uint32_t before = 0, left; order; before = left) { /* the youngest first */
		left = core_youngest(c, own, ++n);
		r[--order] = policy_resident(s, core, (unsigned)__builtin_ctz(left & ~before));
	}
	return n;
}

static struct cta_look
look_at_running(void *ctx, unsigned core)
{
	const struct sim *s = ctx;
	const struct core *c = s->core[core].core;
	const struct ldst_stat *l = ldst_stat(&s->core[core].ldst);
	struct core_masks m = core_masks(c);
	struct core_view v, memory; /* all warps; those ready for memory */

	for (uint32_t k = core_paused(c); k; k &= k - 1)
		m.absent |= core_slot(c, (unsigned)__builtin_ctz(k)).warps;
	look_at_warps(&m, &v);
	m.ready &= core_ready_for_memory(c);
	look_at_warps(&m, &memory);
	return (struct cta_look){.warps = v.warps - v.warps_done - v.warps_held,
				 .ready_memory = memory.warps_ready,
				 .ready_other = v.warps_ready - memory.warps_ready,
				 .wait_memory = v.warps_memory,
				 .wait_other = v.warps_dependence + v.warps_unfetched,
				 .at_barrier = v.warps_barrier,
				 .warps_per_cta =
					 s->info->kernel[s->stack.host->kernel].warps_per_cta,
				 .l1_accesses = l->l1_accesses,
				 .l1_misses = l->l1_misses};
}

static struct cta_memory
look_at_memory(void *ctx)
{
	struct sim *s = ctx;
	struct cta_memory v = {.dram_cycles = s->machine->clock.dram_ticks * s->n_channels,
			       .request_flits = s->request.net->st.flits,
			       .reply_flits = s->reply.net->st.flits};

	for (unsigned i = 0; i < s->n_channels; i++) {
		channel_settle(&s->channel[i], s->machine->clock.dram_ticks);
		v.dram_busy += channel_stat(&s->channel[i])->busy;
	}
	return v;
}

const struct cta_eyes policy_eyes = {.core = look_at_running,
				     .memory = look_at_memory,
				     .list_ctas = list_resident};
