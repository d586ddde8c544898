/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * second_team.c - the cores that the partner's thread visits (halves.c).
 *
 * The team goes through the same cycles as the cores of the first team, in the order of sim_step(),
 * on a copy of the sim with its own clocks and sleepers. It takes replies from the memory half,
 * which is on the same thread, and puts what it sends into `sent`, from where the first thread
 * moves it into the request network.
 *
 * A port has room if it has even when nothing left it since the last count known. Where that is not
 * sure, the port is tight, and the team waits until the network has run the cycle.
 */
#include "sim/halves_part.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- ports */

static unsigned
true_room(const struct halves *h, unsigned cluster)
{
	const struct second_team *t = h->team;

	return t->real[cluster]->cap - (t->sent[cluster] - t->left[cluster]);
}

/* Sets the room of a port as it is known. */
static void
set_room(struct halves *h, unsigned cluster)
{
	struct second_team *t = h->team;
	unsigned room = true_room(h, cluster);
	uint64_t bit = UINT64_C(1) << cluster % 64;

	t->port[cluster]->cap = (uint16_t)room;
	t->tight[cluster / 64] &= ~bit;
	if (room < MOST_SENT * h->s->per_cluster)
		t->tight[cluster / 64] |= bit;
}

/* What has left tight ports by this cycle; cores of a port that was full are visited again. Returns
 * false if the network has not run it yet. */
static bool
look_at_tight_ports(struct halves *h, cycle_t now)
{
	struct second_team *t = h->team;

	if (likely(!(t->tight[0] | t->tight[1])))
		return true;
	atomic_store_explicit(&h->asks, true, memory_order_release);
	if (atomic_load_explicit(&h->netted, memory_order_acquire) <= now)
		return false;
	for (unsigned word = 0; word < NOC_WORDS; word++)
		for (uint64_t k = t->tight[word]; k; k &= k - 1) {
			unsigned i = word * 64 + (unsigned)__builtin_ctzll(k);
			uint32_t left = atomic_load_explicit(&h->left[i], memory_order_relaxed);

			for (unsigned j = 0; left != t->left[i] && t->full[word] >> i % 64 & 1 &&
					     j < t->s.per_cluster;
			     j++)
				wake_core(&t->s, i * t->s.per_cluster + j);
			t->left[i] = left;
			set_room(h, i);
		}
	if (!(t->tight[0] | t->tight[1]))
		atomic_store_explicit(&h->asks, false, memory_order_release);
	return true;
}

/* Hands over what the cores have sent in this cycle. */
static void
hand_over_packets(struct halves *h, cycle_t now)
{
	struct second_team *t = h->team;

	for (unsigned word = 0; word < NOC_WORDS; word++) {
		for (uint64_t k = t->port_mask[word]; k; k &= k - 1) {
			unsigned i = word * 64 + (unsigned)__builtin_ctzll(k);
			struct fifo *q = t->port[i];

			for (; q->n; t->sent[i]++)
				h->sent[t->n_sent++ & h->sent_mask] =
					(struct sent){(uint32_t)now, i, fifo_pop(q)};
			set_room(h, i);
		}
		t->port_mask[word] = 0;
		for (uint64_t k = t->tight[word]; unlikely(k); k &= k - 1) {
			unsigned i = word * 64 + (unsigned)__builtin_ctzll(k);
			uint64_t bit = k & -k;

			t->full[word] = (t->full[word] & ~bit) | (t->port[i]->cap ? 0 : bit);
		}
	}
}

/* ---------------------------------------------------------------- a cycle */

/* May it run its next cycle? A few cycles at a time, unless the first team waits for it. */
static bool
may_run(struct halves *h)
{
	struct second_team *t = h->team;
	cycle_t now = t->machine.cycle, limit;

	if (likely(now < t->until))
		return true;
	t->acted = atomic_load_explicit(&h->acted, memory_order_acquire);
	if (t->waits && t->acted < now)
		return false;
	t->waits = false;
	limit = atomic_load_explicit(&h->team_limit, memory_order_acquire);
	limit = MIN(limit, t->acted + TEAM_LEAD);
	if (limit <= now || (limit < now + LEAD_LEAST && limit == t->acted + TEAM_LEAD))
		return false;
	t->until = limit;
	return true;
}

/* Does what a tick of some clocks asks for; the clocks that have to wait for the memory half or the
 * network stay in t->pending. */
static void
run_tick(struct halves *h)
{
	struct second_team *t = h->team;
	struct sim *s = &t->s;
	cycle_t now = s->machine->cycle;

	if (t->pending & CLK_CORE && t->ejected <= now) {
		if (h->memory.cycle < now)
			return;
		t->reply = halves_take_replies(h, SECOND, s, t->reply, h->memory.n_replies[SECOND],
					       now);
		halves_serve_ejection(h, SECOND, s);
		t->ejected = now + 1;
	}
	if (t->pending & CLK_L2) {
		if (h->memory.tick <= t->tick)
			return;
		t->returned = halves_take_returned(h, SECOND, s, t->returned,
						   h->memory.n_returned[SECOND], t->tick++);
		t->pending &= ~(unsigned)CLK_L2;
	}
	if (t->pending & CLK_CORE) {
		if (!look_at_tight_ports(h, now))
			return;
		tick_cores(s, s->sleep->core_awake, now);
	}
	t->pending = 0;
}

static void
end_cycle(struct halves *h)
{
	struct second_team *t = h->team;
	uint64_t *freed = t->sleep.freed;
	cycle_t now = t->machine.cycle++;

	hand_over_packets(h, now);
	if (unlikely(freed[0] | freed[1])) {
		for (unsigned word = 0; word < 2; word++) {
			h->freed[word] = freed[word];
			freed[word] = 0;
		}
		atomic_store_explicit(&h->freed_in, now + 1, memory_order_release);
		t->waits = true;
		t->until = now + 1;
	}
	atomic_store_explicit(&h->n_sent, t->n_sent, memory_order_release);
	atomic_store_explicit(&h->team_done, now + 1, memory_order_release);
}

/* Goes to the next tick of its clocks. */
static void
begin_tick(struct second_team *t)
{
	struct clocks *k = &t->machine.clock;
	unsigned clk = next_clocks(&t->s, k);

	t->core_ticks = clk & CLK_CORE;
	t->pending = clk & (CLK_CORE | CLK_L2);
	if (clk & CLK_L2)
		k->l2_before = t->machine.cycle;
	if (clk & CLK_DRAM) {
		k->dram_ticks++;
		k->dram_before = t->machine.cycle;
	}
	k->noc_ticks += clk & CLK_NOC ? 1 : 0;
}

HOT bool
second_team_step(struct halves *h)
{
	struct second_team *t = h->team;
	bool did = false;

	if (!t->begun) {
		if (!may_run(h))
			return false;
		wake_cores_due(&t->s, t->machine.cycle);
		t->begun = true;
	}
	do {
		unsigned before;
		cycle_t ejected = t->ejected;

		if (!t->pending)
			begin_tick(t);
		before = t->pending;
		run_tick(h);
		did |= t->pending != before || t->ejected != ejected;
		if (t->pending)
			return did;
	} while (!t->core_ticks);
	t->begun = false;
	end_cycle(h);
	return true;
}

/* ---------------------------------------------------------------- a stretch */

/* Moves the bits of a team's cores from one to the other. */
static void
move_sleepers(struct sleepers *from, struct sleepers *to, const uint64_t team[2])
{
	for (unsigned word = 0; word < 2; word++) {
		if (!team[word])
			continue;
		to->core_awake[word] |= from->core_awake[word] & team[word];
		from->core_awake[word] &= ~team[word];
		for (unsigned i = 0; i < WAKE_RING; i++) {
			to->wake.core[word][i] |= from->wake.core[word][i] & team[word];
			from->wake.core[word][i] &= ~team[word];
		}
	}
}

static void
move_eject_mask(struct machine *from, struct machine *to, unsigned first_cluster)
{
	for (unsigned i = first_cluster; i < NOC_PORTS; i++) {
		uint64_t bit = UINT64_C(1) << i % 64;

		to->eject_mask[i / 64] |= from->eject_mask[i / 64] & bit;
		from->eject_mask[i / 64] &= ~bit;
	}
}

static void
give_ports(struct halves *h)
{
	struct second_team *t = h->team;
	struct net_env *net = &h->s->request;

	memset(t->port_mask, 0, sizeof(t->port_mask));
	memset(t->tight, 0, sizeof(t->tight));
	memset(t->full, 0, sizeof(t->full));
	for (unsigned i = h->first_clusters; i < h->s->n_clusters; i++) {
		t->real[i] = net->in[i].q;
		t->sent[i] = h->cores.entered[i] = t->real[i]->n;
		t->left[i] = 0;
		atomic_store_explicit(&h->left[i], 0, memory_order_relaxed);
		set_room(h, i);
		t->full[i / 64] |= (uint64_t)!t->port[i]->cap << i % 64;
		net->in[i].q = t->port[i];
		net->in[i].mask = &t->port_mask[i / 64];
	}
}

void
second_team_part(struct halves *h)
{
	struct second_team *t = h->team;
	struct sim *s = h->s;

	t->s = *s;
	t->machine = *s->machine;
	t->s.machine = &t->machine;
	t->s.sleep = &t->sleep;
	memset(t->machine.eject_mask, 0, sizeof(t->machine.eject_mask));
	move_sleepers(s->sleep, &t->sleep, h->team_cores);
	move_eject_mask(s->machine, &t->machine, h->first_clusters);
	t->until = t->acted = t->ejected = s->machine->cycle;
	t->tick = 0;
	t->reply = t->returned = t->n_sent = t->pending = 0;
	t->waits = false;
	give_ports(h);
}

void
second_team_join(struct halves *h)
{
	struct second_team *t = h->team;
	struct sim *s = h->s;

	assert(t->machine.cycle == s->machine->cycle && !t->pending);
	assert(memcmp(&t->machine.clock, &s->machine->clock, sizeof(struct clocks)) == 0);
	t->reply = halves_take_replies(h, SECOND, &t->s, t->reply, h->memory.n_replies[SECOND],
				       s->machine->cycle);
	assert(t->reply == h->memory.n_replies[SECOND] &&
	       t->returned == h->memory.n_returned[SECOND]);
	move_sleepers(&t->sleep, s->sleep, h->team_cores);
	move_eject_mask(&t->machine, s->machine, h->first_clusters);
	for (unsigned i = h->first_clusters; i < s->n_clusters; i++) {
		s->request.in[i].q = t->real[i];
		s->request.in[i].mask = &s->request.net->in_mask[i / 64];
	}
}

/* ---------------------------------------------------------------- memory */

void
second_team_free(struct second_team *t)
{
	for (unsigned i = 0; t && i < NOC_PORTS; i++)
		free(t->port[i]);
	free(t);
}

struct second_team *
second_team_new(const struct sim *s)
{
	struct second_team *t = aligned_alloc(64, sizeof(*t));
	uint32_t most = MOST_SENT * s->per_cluster;

	if (!t)
		return NULL;
	memset(t, 0, sizeof(*t));
	for (unsigned i = s->pool_from[POOL_THIRD_QUARTER] / s->per_cluster; i < s->n_clusters;
	     i++) {
		t->port[i] = calloc(1, fifo_bytes(most));
		if (!t->port[i]) {
			second_team_free(t);
			return NULL;
		}
		fifo_init(t->port[i], most);
	}
	return t;
}
