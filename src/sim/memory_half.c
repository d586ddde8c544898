/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory_half.c - L2, DRAM and the reply network of a stretch on two threads (halves.c), and the
 * loop of the partner's thread, which runs them and the second team.
 *
 * The partner never waits inside of a cycle: what cannot go on is left where it is, so that the
 * other part can. Each is ahead of the first thread as far as it may.
 */
#include "sim/halves_part.h"

void
halves_enter_accepted(struct halves *h)
{
	struct sim *s = h->s;
	uint32_t n = atomic_load_explicit(&h->n_accepted, memory_order_acquire);

	for (uint32_t i = h->memory.accepted; i != n; i++)
		__builtin_prefetch(&s->req[h->accepted[i & h->accepted_mask].request], 1);
	for (; h->memory.accepted != n; h->memory.accepted++) {
		const struct accepted *a = &h->accepted[h->memory.accepted & h->accepted_mask];
		unsigned page = calendar_page(a->due, h->memory.cycle);

		if (slice_enter_request(&s->slice[a->slice], a->request))
			s->sleep->wake.slice[page] |= UINT64_C(1) << a->slice;
	}
}

/* ---------------------------------------------------------------- what goes to the cores */

/* Who gets what goes to a cluster. */
static unsigned
team_of(const struct halves *h, unsigned cluster)
{
	return cluster < h->first_clusters ? FIRST : SECOND;
}

void
halves_give_back(void *ctx, uint32_t request)
{
	struct halves *h = ctx;
	unsigned core = h->s->req[request].core;
	unsigned to = team_of(h, h->s->cluster_of[core]);

	if (h->parted)
		h->to[to].returned[h->memory.n_returned[to]++ & h->accepted_mask] =
			(struct returned){(uint32_t)h->memory.tick, request};
	else
		req_sector_done(sim_pool_of(h->s, core), h->s->req, request);
}

/* Has the team of a cluster served its ejection buffer in this cycle? */
static bool
has_served(struct halves *h, unsigned cluster, cycle_t now)
{
	if (cluster >= h->first_clusters)
		return h->team->ejected > now;
	return atomic_load_explicit(&h->ejected, memory_order_acquire) > now;
}

enum room { ROOM, NO_ROOM, NOT_KNOWN };

static enum room
look_for_room(struct halves *h, unsigned cluster, cycle_t now)
{
	uint32_t cap = h->s->eject[cluster]->cap, moved = h->memory.moved[cluster];
	uint32_t *given = &h->memory.given[cluster];
	bool sure;

	if (likely(moved - *given < cap))
		return ROOM;
	sure = has_served(h, cluster, now);
	*given =
		atomic_load_explicit(&h->given[team_of(h, cluster)][cluster], memory_order_acquire);
	return moved - *given < cap ? ROOM : sure ? NO_ROOM : NOT_KNOWN;
}

/* Is it known which ejection buffers take a packet? */
static bool
knows_room(struct halves *h, cycle_t now)
{
	const uint64_t *net = h->s->reply.net->out_mask;

	for (unsigned word = 0; word < NOC_WORDS; word++)
		for (uint64_t k = net[word]; k; k &= k - 1) {
			unsigned i = word * 64 + (unsigned)__builtin_ctzll(k);

			if (look_for_room(h, i, now) == NOT_KNOWN)
				return false;
		}
	return true;
}

/* Moves a packet of each output of the reply network into the ejection buffer. */
static void
move_replies(struct halves *h, cycle_t now)
{
	uint64_t *net = h->s->reply.net->out_mask;

	for (unsigned word = 0; word < NOC_WORDS; word++)
		for (uint64_t k = net[word]; k; k &= k - 1) {
			unsigned i = word * 64 + (unsigned)__builtin_ctzll(k);
			struct fifo *q = h->s->reply.out[i].q;
			unsigned to = team_of(h, i);

			if (!q->n || look_for_room(h, i, now) != ROOM)
				continue;
			h->to[to].replies[h->memory.n_replies[to]++ & h->replies_mask] =
				(struct sent){(uint32_t)now, i, fifo_pop(q)};
			h->memory.moved[i]++;
			net[word] &= ~((uint64_t)!q->n << i % 64);
		}
}

/* ---------------------------------------------------------------- a cycle */

/* As in step.c, but the network belongs to the other half. */
static void
tick_slices_alone(struct halves *h, cycle_t now)
{
	struct sim *s = h->s;
	struct sleepers *z = s->sleep;
	struct clocks *k = &h->memory.clock;
	uint64_t awake = z->slice_awake, again = z->slice_due, could = h->memory.room;

	for (; awake; awake &= awake - 1) {
		uint64_t bit = awake & -awake;
		unsigned i = (unsigned)__builtin_ctzll(awake);
		bool room;
		cycle_t next = slice_tick_alone(&s->slice[i], now, k->l2_before, &room);

		could = (could & ~bit) | (uint64_t)room << i;
		h->memory.room = (h->memory.room & ~bit) | (uint64_t)slice_has_room(&s->slice[i])
								   << i;
		if (next <= now)
			again |= bit;
		else if (next != CYCLE_NEVER)
			z->wake.slice[calendar_page(next, now)] |= bit;
	}
	z->slice_awake = again;
	z->slice_due = 0;
	k->l2_before = now;
	h->room[h->memory.tick++ % TICKS_KEPT] = could;
	atomic_store_explicit(&h->n_returned, h->memory.n_returned[FIRST], memory_order_release);
	atomic_store_explicit(&h->ticks, h->memory.tick, memory_order_release);
}

/* Runs a cycle, or the part of one that can be run. Returns whether it did anything. */
HOT static bool
step_memory(struct halves *h)
{
	struct sim *s = h->s;
	struct clocks *k = &h->memory.clock;
	cycle_t now = h->memory.cycle;
	unsigned clk = h->memory.pending;
	bool waited = clk;

	if (!clk)
		wake_memory_due(s, now);
	do {
		clk = waited ? clk : next_clocks(s, k);
		if (clk & CLK_CORE && !knows_room(h, now)) {
			h->memory.pending = clk;
			return !waited;
		}
		waited = false;
		if (clk & CLK_CORE)
			move_replies(h, now);
		if (clk & CLK_NOC)
			inject_replies(s);
		if (clk & CLK_DRAM)
			tick_channels(s, k, now);
		if (clk & CLK_L2)
			tick_slices_alone(h, now);
		if (clk & CLK_NOC) {
			if (net_busy(&s->reply))
				tick_replies(s, k->noc_ticks);
			k->noc_ticks++;
		}
	} while (!(clk & CLK_CORE));
	h->memory.pending = 0;
	h->memory.cycle++;
	atomic_store_explicit(&h->n_replies, h->memory.n_replies[FIRST], memory_order_release);
	atomic_store_explicit(&h->done, h->memory.cycle, memory_order_release);
	return true;
}

/* ---------------------------------------------------------------- the partner */

static bool
may_run_memory(struct halves *h)
{
	if (likely(h->memory.cycle < h->memory.limit))
		return true;
	h->memory.limit = atomic_load_explicit(&h->limit, memory_order_acquire);
	if (h->memory.limit <= h->memory.cycle)
		return false;
	halves_enter_accepted(h);
	return true;
}

static bool
is_over(const struct halves *h)
{
	cycle_t last = atomic_load_explicit(&h->last, memory_order_acquire);

	return last <= h->memory.cycle && (!h->teams || last <= h->team->machine.cycle);
}

/* Is the second team the one that the first thread would wait for? */
static bool
team_is_short(const struct halves *h)
{
	const struct second_team *t = h->team;

	return t->machine.cycle < t->acted + LEAD_LEAST &&
	       h->memory.cycle > t->machine.cycle + LEAD_LEAST;
}

void
halves_run_partner(void *ctx)
{
	struct halves *h = ctx;
	unsigned n = 0;

	for (;;) {
		bool did = h->teams && second_team_step(h);

		if (did && team_is_short(h))
			continue;
		did |= may_run_memory(h) && step_memory(h);
		if (did)
			n = 0;
		else if (is_over(h))
			return;
		else
			partner_doze(&n);
	}
}
