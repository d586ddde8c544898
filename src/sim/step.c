/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * step.c - one core cycle of the whole machine (ctascope-model(7) 1).
 *
 * There are four clocks, each with the time of its next tick. A step goes to the earliest tick of
 * core, network and DRAM. Every clock due by then ticks, in this order: replies into cores, L2
 * answers into the network, DRAM, L2, network, cores. sim_step() steps until a core cycle is done
 * and then lets the CTA scheduler act.
 */
#include "sim/visits.h"

void
sim_wake_core(struct sim *s, unsigned core)
{
	wake_core(s, core);
}

/* Moves the head reply of each cluster's ejection buffer to its core, then one packet from the
 * network into that buffer. */
HOT static inline void
eject_replies(struct sim *s)
{
	uint64_t *buf = s->machine->eject_mask, *net = s->reply.net->out_mask;

	for (unsigned word = 0; word < NOC_WORDS; word++) {
		uint64_t held = 0, left = 0;

		for (uint64_t k = buf[word] | net[word]; k; k &= k - 1) {
			unsigned i = (unsigned)__builtin_ctzll(k);
			struct fifo *q = s->eject[word * 64 + i],
				    *from = s->reply.out[word * 64 + i].q;

			if (q->n && give_reply(s, fifo_front(q)))
				fifo_pop(q);
			if (from->n && !fifo_full(q))
				fifo_restart_push(q, fifo_pop(from));
			held |= (uint64_t)(q->n != 0) << i;
			left |= (uint64_t)(from->n != 0) << i;
		}
		buf[word] = held;
		net[word] = left;
	}
}

static void
tick_slices(struct sim *s, struct clocks *k, cycle_t now)
{
	struct sleepers *z = s->sleep;
	cycle_t before = k->l2_before;
	uint64_t asks = s->request.net->out_mask[0], shut = z->slice_shut;
	uint64_t awake = z->slice_awake | (asks & ~shut), again = z->slice_due;

	if (unlikely(!s->cfg->run.skip))
		awake = ~UINT64_C(0) >> (64 - s->n_slices);
	shut &= ~awake;
	for (; awake; awake &= awake - 1) {
		uint64_t bit = awake & -awake;
		unsigned i = (unsigned)__builtin_ctzll(awake);
		cycle_t next = slice_tick(&s->slice[i], now, before, asks >> i & 1);

		shut |= (uint64_t)!slice_has_room(&s->slice[i]) << i;
		if (next <= now)
			again |= bit;
		else if (next != CYCLE_NEVER)
			z->wake.slice[calendar_page(next, now)] |= bit;
	}
	z->slice_awake = again;
	z->slice_shut = shut;
	z->slice_due = 0;
	k->l2_before = now;
}

HOT void
sim_step(struct sim *s)
{
	struct machine *m = s->machine;
	struct clocks *k = &m->clock;
	unsigned clk;

	wake_cores_due(s, m->cycle);
	wake_memory_due(s, m->cycle);
	do {
		clk = next_clocks(s, k);
		if (clk & CLK_CORE)
			eject_replies(s);
		if (clk & CLK_NOC)
			inject_replies(s);
		if (clk & CLK_DRAM)
			tick_channels(s, k, m->cycle);
		if (clk & CLK_L2)
			tick_slices(s, k, m->cycle);
		if (clk & CLK_NOC) {
			if (net_busy(&s->request))
				tick_requests(s, k->noc_ticks);
			if (net_busy(&s->reply))
				tick_replies(s, k->noc_ticks);
			k->noc_ticks++;
		}
		if (clk & CLK_CORE)
			tick_cores(s, s->sleep->core_awake, m->cycle);
	} while (!(clk & CLK_CORE));
	m->cycle++;
	if (unlikely(after_cycle_is_due(s)))
		kernel_after_cycle(s);
}

/* Books the cycles of sleeping units, so that all counters and states are up to date. */
void
sim_settle(struct sim *s)
{
	struct machine *m = s->machine;

	for (unsigned i = 0; i < s->n_cores; i++)
		core_settle(&s->core[i], m->cycle);
	for (unsigned i = 0; i < s->n_channels; i++)
		channel_settle(&s->channel[i], m->clock.dram_ticks);
}
