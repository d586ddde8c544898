/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halves.c - one run on two threads, with the results of one (ctascope-model(7), COST).
 *
 * The cores' half, on the caller's thread, has the ejection buffers, the request network, the cores
 * and the CTA scheduler. The memory half, on the partner's, has the L2 slices, DRAM and the reply
 * network (memory_half.c). The partner may also have the second team: the cores of a half or a
 * quarter of the clusters, with their ejection buffers (second_team.c). Each of the three steps
 * through the same cycles in the order of sim_step(). They exchange:
 *
 *   replies    memory -> a team   packets that enter a cluster's ejection buffer
 *   returned   memory -> a team   requests of the team's pool that are done and get no reply
 *   room       memory -> cores    for every L2 cycle, the slices that could take a request
 *   accepted   cores -> memory    requests that a slice has taken from the network
 *   sent       second team -> cores   packets for the request network
 *   freed      second team -> cores   cores on which a CTA has ended
 *
 * Why the result is that of one thread: let all three have completed all cycles before t.
 *
 *  - A team needs for cycle t only the replies that entered the ejection buffers before t, and what
 *    L2 does in t before the cores do. It waits until the memory half has done that.
 *  - A request taken in cycle a enters the L2 queue no earlier than a + mem.rop_latency. So the
 *    memory half may run cycle t once the cores' half has completed t - mem.rop_latency.
 *  - A reply enters an ejection buffer if there is room, which depends on how many its cores have
 *    taken. If there is room even if they took none since the last count known, there is room.
 *    Otherwise the memory half waits until the buffers of this cycle are served. The same holds for
 *    what the second team sends and the room in its ports, which the request network empties.
 *  - A packet that the second team sends in cycle t is for the network of t + 1. So the cores' half
 *    waits at the end of t until the second team has done t; so it also learns which CTAs ended.
 *  - The host of the policies acts with the cores' half. The second team is ahead of it only
 *    through cycles after which the host does nothing that concerns it: up to the next period
 *    (look_at), to the end of the kernel, and to the next CTA that ends on one of its own cores.
 *    If a CTA ends on a core of the first team, all that matters for the other team is whether one
 *    of its cores takes a CTA then. None does if all have refused since something changed for them
 *    (`alone`), unless the policies' answer about a core depends on what happens on another one
 *    (cta_decides_by_core()). Under such policies the second team is never ahead of the host.
 *  - The host touches the memory half only where a sample is closed, where a copy fills L2 after a
 *    kernel, and at the end of the run. So two threads run no further than the next sample. And the
 *    memory half runs only cycles by whose start no such kernel can have ended: earliest_end().
 *
 * What is handed over is read only after the counter that the other thread raises behind it. No
 * part waits for one that waits for it: the part that is behind can always run its next cycle, and
 * the partner, which has two parts, never waits inside of a cycle.
 *
 * A listener may stop the run in any cycle, and a policy file may ask for the load of DRAM; then
 * there is one thread.
 */
#include "sim/halves_part.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- the cores' half */

/* The first cycle in which the kernel might end: a core of the first team issues what its warps
 * have left as fast as any core can, and a cluster gets at most one CTA a cycle. (The instructions
 * that a trace promises for a kernel do not count: it may be cut.) */
static cycle_t
kernel_end(const struct halves *h)
{
	const struct sim *s = h->s;
	const struct cta_host *host = s->stack.host;
	uint64_t least = (host->n_cta - host->issued) / s->n_clusters;

	if (!s->machine->running)
		return s->machine->cycle;
	for (unsigned i = 0; i < h->first_clusters * s->per_cluster; i++)
		least = MAX(least, core_cycles_left(&s->core[i]));
	return s->machine->cycle + least;
}

/* The first one in which a kernel might end so that the host touches the memory half, if the
 * present one ends at `end`. */
static cycle_t
earliest_end(const struct sim *s, cycle_t end)
{
	const struct machine *m = s->machine;
	const struct trace_cmd *next = m->cmd < s->info->n_cmds ? &s->info->cmd[m->cmd] : NULL;

	if (m->running && next && next->kind == TRACE_KERNEL && sim_most_ctas(s, next->kernel))
		end += s->cfg->gpu.launch_latency; /* the next one must end first */
	return end;
}

/* Lets the memory half go on to a cycle. */
static void
set_limit(struct halves *h, cycle_t limit)
{
	atomic_store_explicit(&h->n_accepted, h->cores.n_accepted, memory_order_release);
	if (limit <= h->cores.limit)
		return;
	h->cores.limit = limit;
	atomic_store_explicit(&h->limit, limit, memory_order_release);
}

/* Ends the stretch where the memory half may be already. The present cycle is still run. */
static void
end_early(struct halves *h)
{
	h->cores.ends = true;
	set_limit(h, h->s->machine->cycle + 1);
	h->cores.last = h->cores.limit;
	atomic_store_explicit(&h->last, h->cores.last, memory_order_release);
}

/* When the last CTA is issued, clusters of several cores without a CTA are turned off
 * (update_clusters()). May that be so in the next cycle for one of the second team? */
static bool
may_turn_off(const struct halves *h)
{
	const struct sim *s = h->s;
	const struct cta_host *host = s->stack.host;
	uint64_t left = host->n_cta - host->issued;

	if (s->per_cluster == 1 || !left || left > s->n_clusters)
		return false;
	for (unsigned i = h->first_clusters * s->per_cluster; i < s->n_cores; i += s->per_cluster) {
		uint32_t resident = 0;

		for (unsigned j = 0; j < s->per_cluster; j++)
			resident += host->core[i + j].resident;
		if (!resident)
			return true;
	}
	return false;
}

/* Lets the second team go as far as it may. */
static void
set_team_limit(struct halves *h)
{
	struct sim *s = h->s;
	const struct cta_host *host = s->stack.host;
	cycle_t now = s->machine->cycle, limit = now + 1;

	if (h->cores.alone && !may_turn_off(h))
		limit = MAX(limit, MIN(s->sleep->look_at, h->cores.kernel_end));
	if (!host->issued) /* before it, no core takes a CTA */
		limit = MAX(limit, MIN(s->sleep->look_at,
				       s->machine->launched + s->cfg->gpu.launch_latency + 1));
	set_limit(h, now + 1);
	h->cores.team_limit = MIN(limit, h->cores.limit);
	atomic_store_explicit(&h->team_limit, h->cores.team_limit, memory_order_release);
}

/* Lets the memory half and the second team go as far as they may. */
static void
raise_limit(struct halves *h)
{
	cycle_t now = h->s->machine->cycle, limit = now + h->lead;
	bool late = limit > h->cores.safe || (h->teams && now + TEAM_LEAD > h->cores.kernel_end);

	if (late && now >= h->cores.check_at && !h->cores.ends) {
		h->cores.kernel_end = kernel_end(h);
		h->cores.safe = earliest_end(h->s, h->cores.kernel_end);
		h->cores.check_at = now + LEAD_LEAST;
		if (h->cores.safe < now + LEAD_LEAST)
			end_early(h); /* what follows is run on one thread */
	}
	limit = MAX(MIN(limit, h->cores.safe), now + 1);
	set_limit(h, MIN(limit, h->cores.last));
	if (h->teams)
		set_team_limit(h);
}

static void
await_done(struct halves *h, cycle_t cycle)
{
	const struct sim *s = h->s;
	unsigned n = 0;

	if (h->cores.done >= cycle)
		return;
	raise_limit(h);
	while ((h->cores.done = atomic_load_explicit(&h->done, memory_order_acquire)) < cycle)
		partner_pause(&n);
	n = atomic_load_explicit(&h->n_replies, memory_order_acquire);
	for (uint32_t i = h->cores.n_replies; i != n; i++)
		__builtin_prefetch(&s->req[h->to[FIRST].replies[i & h->replies_mask].packet >> 2],
				   1);
	h->cores.n_replies = n;
}

static void
await_tick(struct halves *h, uint64_t tick)
{
	unsigned n = 0;

	if (h->cores.ticks > tick)
		return;
	raise_limit(h);
	while ((h->cores.ticks = atomic_load_explicit(&h->ticks, memory_order_acquire)) <= tick)
		partner_pause(&n);
	h->cores.n_returned = atomic_load_explicit(&h->n_returned, memory_order_acquire);
}

static void
take_replies(struct halves *h, cycle_t now)
{
	h->cores.reply =
		halves_take_replies(h, FIRST, h->s, h->cores.reply, h->cores.n_replies, now);
}

/* The slices take requests from the network, in an L2 cycle. */
static void
accept_requests(struct halves *h, cycle_t now)
{
	struct sim *s = h->s;
	uint64_t tick = h->cores.tick++, asks;

	await_tick(h, tick);
	h->cores.returned =
		halves_take_returned(h, FIRST, s, h->cores.returned, h->cores.n_returned, tick);
	asks = s->request.net->out_mask[0] & h->room[tick % TICKS_KEPT];
	for (; asks; asks &= asks - 1) {
		unsigned i = (unsigned)__builtin_ctzll(asks);

		uint32_t r = slice_take_request(&s->slice[i], now);

		h->accepted[h->cores.n_accepted++ & h->accepted_mask] =
			(struct accepted){s->req[r].due, r, i};
	}
}

/* Tells what has left the ports of the second team by the end of this cycle's network. */
static void
tell_what_left(struct halves *h, cycle_t now)
{
	struct sim *s = h->s;

	if (likely(!atomic_load_explicit(&h->asks, memory_order_acquire)))
		return;
	for (unsigned i = h->first_clusters; i < s->n_clusters; i++)
		atomic_store_explicit(&h->left[i], h->cores.entered[i] - h->team->real[i]->n,
				      memory_order_relaxed);
	atomic_store_explicit(&h->netted, now + 1, memory_order_release);
}

/* The second team visits its own cores again when their ports have room. */
static void
run_network(struct halves *h, uint64_t x)
{
	struct sim *s = h->s;

	net_tick(&s->request, x);
	for (unsigned word = 0; word < NOC_WORDS; word++)
		s->request.room[word] &= h->first_mask[word];
	wake_senders(s);
}

HOT static void
step_cores(struct halves *h)
{
	struct sim *s = h->s;
	struct machine *m = s->machine;
	struct clocks *k = &m->clock;
	unsigned clk;

	wake_cores_due(s, m->cycle);
	do {
		clk = next_clocks(s, k);
		if (clk & CLK_CORE) {
			await_done(h, m->cycle);
			take_replies(h, m->cycle);
			halves_serve_ejection(h, FIRST, s);
			atomic_store_explicit(&h->ejected, m->cycle + 1, memory_order_release);
		}
		if (clk & CLK_DRAM) {
			k->dram_ticks++;
			k->dram_before = m->cycle;
		}
		if (clk & CLK_L2) {
			accept_requests(h, m->cycle);
			k->l2_before = m->cycle;
		}
		if (clk & CLK_NOC) {
			if (net_busy(&s->request))
				run_network(h, k->noc_ticks);
			k->noc_ticks++;
		}
		if (clk & CLK_CORE && h->teams)
			tell_what_left(h, m->cycle);
		if (clk & CLK_CORE)
			tick_cores(s, s->sleep->core_awake, m->cycle);
	} while (!(clk & CLK_CORE));
	m->cycle++;
}

/* ---------------------------------------------------------------- with the second team */

/* Waits until the second team has run a cycle. */
static void
await_team(struct halves *h, cycle_t now)
{
	const struct sim *s = h->s;
	unsigned n = 0;

	if (h->cores.team_done > now)
		return;
	while ((h->cores.team_done = atomic_load_explicit(&h->team_done, memory_order_acquire)) <=
	       now) {
		tell_what_left(h, now);
		partner_pause(&n);
	}
	n = atomic_load_explicit(&h->n_sent, memory_order_acquire);
	for (uint32_t i = h->cores.n_sent; i != n; i++)
		__builtin_prefetch(&s->req[h->sent[i & h->sent_mask].packet], 1);
	h->cores.n_sent = n;
}

/* Takes what the second team did in a cycle. */
static void
take_from_team(struct halves *h, cycle_t now)
{
	struct sim *s = h->s;

	for (; h->cores.sent != h->cores.n_sent; h->cores.sent++) {
		const struct sent *p = &h->sent[h->cores.sent & h->sent_mask];

		if (halves_is_behind((uint32_t)now, p->cycle))
			break;
		fifo_restart_push(h->team->real[p->cluster], p->packet);
		h->cores.entered[p->cluster]++;
		s->request.net->in_mask[p->cluster / 64] |= UINT64_C(1) << p->cluster % 64;
	}
	if (h->cores.team_done > now + 1 ||
	    atomic_load_explicit(&h->freed_in, memory_order_acquire) != now + 1)
		return;
	for (unsigned word = 0; word < 2; word++)
		s->sleep->freed[word] |= h->freed[word];
	h->cores.alone = false;
}

/* After the host has acted, in a cycle after which the second team has waited for it if this
 * concerns the team: passes on what the host did to its cores. */
static void
tell_team(struct halves *h, uint64_t issued_before)
{
	struct sim *s = h->s;
	struct second_team *t = h->team;
	uint64_t woken = 0;

	for (unsigned word = 0; word < 2; word++) {
		uint64_t *awake = &s->sleep->core_awake[word], given = *awake & h->team_cores[word];

		*awake &= ~given;
		woken |= given;
		if (given)
			t->sleep.core_awake[word] |= given;
	}
	assert(!woken || atomic_load(&h->team_done) == s->machine->cycle);
	if (woken || !h->cores.alone) {
		memcpy(t->machine.rot, s->machine->rot, sizeof(t->machine.rot));
		t->machine.cluster_on = s->machine->cluster_on;
	}
	h->cores.alone = h->cores.local &&
			 (!s->sleep->ask ||
			  (h->cores.alone && !woken && s->stack.host->issued > issued_before));
}

/* ---------------------------------------------------------------- a stretch */

static void
reset_counters(struct halves *h, cycle_t end)
{
	cycle_t now = h->s->machine->cycle;

	atomic_store(&h->limit, now);
	atomic_store(&h->last, end);
	atomic_store(&h->ejected, now);
	atomic_store(&h->n_accepted, 0);
	atomic_store(&h->acted, now);
	atomic_store(&h->team_limit, now);
	atomic_store(&h->netted, now);
	atomic_store(&h->done, now);
	atomic_store(&h->ticks, 0);
	atomic_store(&h->n_replies, 0);
	atomic_store(&h->n_returned, 0);
	atomic_store(&h->team_done, now);
	atomic_store(&h->n_sent, 0);
	atomic_store(&h->freed_in, 0);
	atomic_store(&h->asks, false);
	memset(h->memory.n_replies, 0, sizeof(h->memory.n_replies));
	memset(h->memory.n_returned, 0, sizeof(h->memory.n_returned));
}

/* The clusters from first_clusters on are the second team's. */
static void
choose_team(struct halves *h, enum halves_team team)
{
	const struct sim *s = h->s;
	unsigned pool = team == TEAM_HALF ? POOL_THIRD_QUARTER : POOL_LAST_QUARTER;
	unsigned first_cores = team == TEAM_NONE ? s->n_cores : s->pool_from[pool];

	h->teams = team != TEAM_NONE;
	h->first_clusters = first_cores / s->per_cluster;
	memset(h->first_mask, 0, sizeof(h->first_mask));
	memset(h->team_cores, 0, sizeof(h->team_cores));
	for (unsigned i = 0; i < h->first_clusters; i++)
		h->first_mask[i / 64] |= UINT64_C(1) << i % 64;
	for (unsigned i = first_cores; i < s->n_cores; i++)
		h->team_cores[i / 64] |= UINT64_C(1) << i % 64;
}

static void
part(struct halves *h, cycle_t end)
{
	struct sim *s = h->s;
	cycle_t now = s->machine->cycle;

	memset(&h->cores, 0, sizeof(h->cores));
	h->cores.done = h->cores.safe = h->cores.limit = now;
	h->cores.kernel_end = h->cores.team_done = now;
	h->cores.last = end;
	h->cores.local = cta_decides_by_core(&s->stack) && !kernels_forced(s);
	h->cores.alone = h->cores.local && !s->sleep->ask;
	h->memory.clock = s->machine->clock;
	h->memory.cycle = h->memory.limit = now;
	h->memory.tick = 0;
	h->memory.accepted = h->memory.pending = 0;
	h->memory.room = 0;
	for (unsigned i = 0; i < s->n_slices; i++)
		h->memory.room |= (uint64_t)slice_has_room(&s->slice[i]) << i;
	for (unsigned i = 0; i < s->n_clusters; i++) {
		h->memory.moved[i] = s->eject[i]->n;
		h->memory.given[i] = 0;
		for (unsigned team = 0; team < TEAMS; team++)
			atomic_store_explicit(&h->given[team][i], 0, memory_order_relaxed);
	}
	reset_counters(h, end);
	if (h->teams)
		second_team_part(h);
	h->parted = true;
}

/* All parts are at the same cycle, and what is under way between them arrives. */
static void
join(struct halves *h)
{
	struct sim *s = h->s;
	uint64_t shut = 0;

	partner_wait();
	h->parted = false;
	atomic_store(&h->n_accepted, h->cores.n_accepted);
	halves_enter_accepted(h);
	h->cores.n_replies = h->memory.n_replies[FIRST];
	take_replies(h, s->machine->cycle);
	assert(h->cores.reply == h->memory.n_replies[FIRST] &&
	       h->cores.returned == h->memory.n_returned[FIRST]);
	assert(memcmp(&h->memory.clock, &s->machine->clock, sizeof(struct clocks)) == 0);
	if (h->teams)
		second_team_join(h);
	for (unsigned i = 0; i < s->n_slices; i++)
		shut |= (uint64_t)!slice_has_room(&s->slice[i]) << i;
	s->sleep->slice_shut = shut;
}

/* Lets the host act, and the second team go on. */
static void
act_after_cycle(struct halves *h)
{
	struct sim *s = h->s;
	uint64_t issued = s->stack.host->issued;
	bool due = after_cycle_is_due(s);

	if (unlikely(due))
		kernel_after_cycle(s);
	if (!h->teams)
		return;
	if (due)
		tell_team(h, issued);
	if (due || h->cores.team_limit <= s->machine->cycle)
		set_team_limit(h);
	atomic_store_explicit(&h->acted, s->machine->cycle, memory_order_release);
}

bool
halves_run(struct halves *h, cycle_t end, enum halves_team team)
{
	struct sim *s = h->s;
	struct machine *m = s->machine;

	choose_team(h, team);
	if (earliest_end(s, kernel_end(h)) < m->cycle + HALVES_LEAST)
		return false;
	part(h, end);
	raise_limit(h);
	partner_start(halves_run_partner, h);
	while (m->cycle < h->cores.last) {
		if (m->cycle % 8 == 0)
			raise_limit(h);
		step_cores(h);
		if (h->teams) {
			await_team(h, m->cycle - 1);
			take_from_team(h, m->cycle - 1);
		}
		if (m->cycle == h->cores.last)
			break;
		act_after_cycle(h);
		if (unlikely(s->stop && !h->cores.ends))
			end_early(h);
	}
	join(h);
	if (after_cycle_is_due(s))
		kernel_after_cycle(s);
	return true;
}

/* ---------------------------------------------------------------- memory */

static void
free_rings(struct to_team *to)
{
	free(to->replies);
	free(to->returned);
}

void
halves_free(struct halves *h)
{
	if (!h)
		return;
	free_rings(&h->to[FIRST]);
	free_rings(&h->to[SECOND]);
	free(h->accepted);
	free(h->sent);
	second_team_free(h->team);
	free(h);
}

static bool
make_rings(struct halves *h, struct to_team *to)
{
	to->replies = calloc(h->replies_mask + 1, sizeof(*to->replies));
	to->returned = calloc(h->accepted_mask + 1, sizeof(*to->returned));
	return to->replies && to->returned;
}

static bool
make_second_team(struct halves *h)
{
	const struct sim *s = h->s;
	uint32_t sent = fifo_size(MOST_SENT * TEAM_LEAD * (s->n_cores / 2 + s->per_cluster));

	if (s->n_clusters < 2)
		return true;
	h->sent_mask = sent - 1;
	h->sent = calloc(sent, sizeof(*h->sent));
	h->team = second_team_new(s);
	return h->sent && h->team;
}

const char *
halves_refusal(const struct sim *s)
{
	if (s->cfg->mem.rop_latency < LEAD_LEAST)
		return "mem.rop_latency is short";
	/* more L2 cycles in a core cycle would need more room */
	return s->period_l2 * 2 < s->period_core ? "the L2 clock is fast" : NULL;
}

struct halves *
halves_new(struct sim *s)
{
	struct halves *h = halves_refusal(s) ? NULL : aligned_alloc(64, sizeof(*h));

	if (!h)
		return NULL;
	memset(h, 0, sizeof(*h));
	h->s = s;
	h->lead = MIN(s->cfg->mem.rop_latency, LEAD_MOST);
	h->replies_mask = fifo_size(s->n_clusters * s->cfg->noc.ejection_buffer) - 1;
	h->accepted_mask = fifo_size(2 * LEAD_MOST * s->n_slices) - 1;
	h->accepted = calloc(h->accepted_mask + 1, sizeof(*h->accepted));
	if (!h->accepted || !make_rings(h, &h->to[FIRST]) || !make_rings(h, &h->to[SECOND]) ||
	    !make_second_team(h)) {
		halves_free(h);
		return NULL;
	}
	for (unsigned i = 0; i < s->n_slices; i++) {
		s->slice[i].give_back = halves_give_back;
		s->slice[i].give_back_ctx = h;
	}
	return h;
}

bool
halves_may_team(const struct halves *h)
{
	return h->team && !h->s->orders_warps;
}
