/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * visits.h - private to src/sim: visits of the units in a cycle, for the step of the whole machine
 * (step.c) and for its parts on two threads (halves.c).
 *
 * Only units with work are visited: a core, slice or channel without work returns the next cycle in
 * which it may have some. With run.skip off, all units are visited every cycle; the resulting state
 * must be the same.
 */
#ifndef SIM_VISITS_H
#define SIM_VISITS_H

#include "sim/sim_priv.h"

enum { CLK_CORE = 1, CLK_NOC = 2, CLK_L2 = 4, CLK_DRAM = 8 };

/* Goes to the earliest tick of core, network and DRAM. Returns the clocks that tick then. */
static inline unsigned
next_clocks(const struct sim *s, struct clocks *k)
{
	double t = k->due_core;
	unsigned mask = 0;

	if (k->due_noc < t)
		t = k->due_noc;
	if (k->due_dram < t)
		t = k->due_dram;
	if (k->due_l2 <= t) {
		t = k->due_l2;
		mask |= CLK_L2;
		k->due_l2 += s->period_l2;
	}
	if (k->due_noc <= t) {
		mask |= CLK_NOC;
		k->due_noc += s->period_noc;
	}
	if (k->due_dram <= t) {
		mask |= CLK_DRAM;
		k->due_dram += s->period_dram;
	}
	if (k->due_core <= t) {
		mask |= CLK_CORE;
		k->due_core += s->period_core;
	}
	return mask;
}

static inline void
wake_core(struct sim *s, unsigned core)
{
	s->sleep->core_awake[core / 64] |= UINT64_C(1) << core % 64;
}

/* Delivers a reply to its core. Returns false when there is no room. */
static inline bool
give_reply(struct sim *s, uint32_t token)
{
	cycle_t now = s->machine->cycle;
	const struct req *r = &s->req[token >> 2];
	unsigned core = r->core;

	if (unlikely(r->kind == REQ_INST)) {
		wake_core(s, core);
		core_fill_inst(&s->core[core], now, token);
		return true;
	}
	switch (core_take_sector(&s->core[core], now, token)) {
	case LDST_COUNTED:
		return true;
	case LDST_FILLS_LINE:
		s->sleep->wake.core[core / 64][(now + 1) % WAKE_RING] |= UINT64_C(1) << core % 64;
		return true;
	default:
		break;
	}
	if (fifo_full(s->resp[core]))
		return false;
	fifo_push(s->resp[core], token);
	wake_core(s, core);
	return true;
}

/* Moves answers of the slices into the reply network. */
static inline void
inject_replies(struct sim *s)
{
	for (uint64_t k = s->machine->l2_out_mask & ~s->machine->reply_full; k; k &= k - 1) {
		unsigned i = (unsigned)__builtin_ctzll(k);

		/* the slice may be waiting for room */
		s->sleep->slice_awake |= (uint64_t)ring_full(&s->slice[i].slice->reply) << i;
		port_push(&s->reply.in[i], slice_pop_reply(&s->slice[i]));
		s->machine->reply_full |= (uint64_t)fifo_full(s->reply.in[i].q) << i;
	}
}

/* The calendar page of a cycle; for a cycle too far ahead, that of the latest possible one. */
static inline unsigned
calendar_page(uint64_t at, uint64_t now)
{
	return (unsigned)(MIN(at, now + WAKE_RING - 1) % WAKE_RING);
}

static inline uint64_t
all_channels(const struct sim *s)
{
	return ~UINT64_C(0) >> (64 - s->n_channels);
}

/* Wakes the cores, or the slices and channels, that are to be visited in this core cycle. */
static inline void
wake_cores_due(struct sim *s, cycle_t now)
{
	struct sleepers *z = s->sleep;
	struct calendar *w = &z->wake;
	unsigned at = now % WAKE_RING;

	z->core_awake[0] |= w->core[0][at];
	w->core[0][at] = 0;
	if (s->n_cores > 64) {
		z->core_awake[1] |= w->core[1][at];
		w->core[1][at] = 0;
	}
	if (unlikely(!s->cfg->run.skip)) {
		for (unsigned i = 0; i < s->n_cores; i++)
			wake_core(s, i);
	}
}

static inline void
wake_memory_due(struct sim *s, cycle_t now)
{
	struct sleepers *z = s->sleep;
	struct calendar *w = &z->wake;
	unsigned at = now % WAKE_RING;

	z->slice_due |= w->slice[at];
	z->channel_due |= w->channel_late[at];
	w->slice[at] = w->channel_late[at] = 0;
}

static inline void
tick_channels(struct sim *s, struct clocks *k, cycle_t now)
{
	struct sleepers *z = s->sleep;
	uint64_t x = k->dram_ticks++;
	cycle_t before = k->dram_before, late;
	uint32_t *due = &z->wake.channel[x % WAKE_RING];
	uint64_t awake = z->channel_awake | *due, again = z->channel_due;

	if (unlikely(!s->cfg->run.skip))
		awake = all_channels(s);
	*due = 0;
	for (; awake; awake &= awake - 1) {
		unsigned i = (unsigned)__builtin_ctzll(awake);
		uint32_t bit = UINT32_C(1) << i;
		uint64_t next = channel_tick(&s->channel[i], x, now, before, &late);

		if (next == x + 1) {
			again |= bit;
			continue;
		}
		if (next != CYCLE_NEVER)
			z->wake.channel[calendar_page(next, x)] |= bit;
		if (late > now && late != CYCLE_NEVER)
			z->wake.channel_late[calendar_page(late, now)] |= bit;
	}
	z->channel_awake = again;
	z->channel_due = 0;
	k->dram_before = now;
}

/* Core i is not visited until the cycle `next`. */
static inline void
let_core_sleep(struct sim *s, unsigned i, cycle_t now, cycle_t next)
{
	struct sleepers *z = s->sleep;
	uint64_t bit = UINT64_C(1) << i % 64;

	assert(next > now);
	z->core_awake[i / 64] &= ~bit;
	if (next != CYCLE_NEVER)
		z->wake.core[i / 64][calendar_page(next, now)] |= bit;
}

static inline void
tick_core(struct sim *s, unsigned i, cycle_t now)
{
	struct core_env *e = &s->core[i];
	cycle_t next = core_tick(e, now);

	if (core_has_freed(e->core))
		s->sleep->freed[i / 64] |= UINT64_C(1) << i % 64;
	if (next != now + 1)
		let_core_sleep(s, i, now, next);
}

/* The awake cores of a cluster that begins with core `first`. */
static inline uint32_t
awake_cores(const struct sim *s, const uint64_t all[2], unsigned first)
{
	const uint64_t *awake = &all[first / 64];
	unsigned at = first % 64;
	uint64_t m = awake[0] >> at;

	if (unlikely(at + s->per_cluster > 64))
		m |= awake[1] << (64 - at);
	return (uint32_t)m & ((1u << s->per_cluster) - 1);
}

/* The awake cores of a cluster in visiting order. The first core rotates every cycle in which
 * the cluster is on; the cores before it are numbered after the last one. turn: the cycle modulo
 * the number of cores per cluster. */
static inline uint32_t
rotated_cores(const struct sim *s, unsigned cl, uint32_t awake, unsigned turn)
{
	const struct machine *m = s->machine;
	unsigned n = s->per_cluster, k = m->rot[cl];
	uint32_t before;

	k += m->cluster_on >> cl & 1 ? turn : 0;
	before = awake & ((1u << (k < n ? k : k - n)) - 1);
	return (awake ^ before) | before << n;
}

/* Runs the awake cores of the cluster that begins with core `first`. */
HOT static NOINLINE void
tick_cluster(struct sim *s, const uint64_t all[2], unsigned first, cycle_t now, unsigned turn)
{
	unsigned n = s->per_cluster;
	uint32_t awake = awake_cores(s, all, first);

	if (awake & (awake - 1))
		awake = rotated_cores(s, s->cluster_of[first], awake, turn);
	for (; awake; awake &= awake - 1) {
		unsigned j = (unsigned)__builtin_ctz(awake);

		tick_core(s, first + (j < n ? j : j - n), now);
	}
}

/* Visits the cores `awake`. Usually one core of a cluster is awake. */
static ALWAYS_INLINE void
tick_cores(struct sim *s, const uint64_t awake[2], cycle_t now)
{
	unsigned turn = (unsigned)(now % s->per_cluster);
	unsigned next = 0; /* first core of the clusters not yet visited */

	for (unsigned word = 0; word < 2; word++)
		for (uint64_t k = awake[word]; k; k &= k - 1) {
			unsigned i = word * 64 + (unsigned)__builtin_ctzll(k);
			uint64_t behind = k & (k - 1);

			if (i < next)
				continue;
			next = s->cluster_end[i];
			if (behind & ((UINT64_C(2) << (next - 1) % 64) - 1) ||
			    next > word * 64 + 64)
				tick_cluster(s, awake, next - s->per_cluster, now, turn);
			else
				tick_core(s, i, now);
		}
}

/* Cores that found their port to the request network full are visited again when it has room. */
static inline void
wake_senders(struct sim *s)
{
	for (unsigned word = 0; word < NOC_WORDS; word++)
		for (uint64_t k = s->request.room[word]; k; k &= k - 1) {
			unsigned cl = word * 64 + (unsigned)__builtin_ctzll(k);

			for (unsigned j = 0; j < s->per_cluster; j++)
				wake_core(s, cl * s->per_cluster + j);
		}
}

static inline void
tick_requests(struct sim *s, uint64_t x)
{
	net_tick(&s->request, x);
	wake_senders(s);
}

static inline void
tick_replies(struct sim *s, uint64_t x)
{
	net_tick(&s->reply, x);
	s->machine->reply_full &= ~s->reply.room[0];
}

/* Has the host something to do after this cycle? */
static inline bool
after_cycle_is_due(const struct sim *s)
{
	const struct sleepers *z = s->sleep;

	return s->machine->cycle >= z->look_at || z->freed[0] | z->freed[1] | z->ask;
}

#endif
