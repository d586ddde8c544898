/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halves.c - one run on two threads, with the results of one (ctascope-model(7), COST).
 *
 * The cores' half, on the caller's thread, has the ejection buffers, the request network, the cores
 * and the CTA scheduler. The memory half, on the partner's, has the L2 slices, DRAM and the reply
 * network. Each steps through the same cycles in the order of sim_step(). They exchange:
 *
 *   replies    memory -> cores   packets that enter a cluster's ejection buffer
 *   room       memory -> cores   for every L2 cycle, the slices that could take a request
 *   returned   memory -> cores   requests of the cores' pool that are done and get no reply
 *   accepted   cores -> memory   requests that a slice has taken from the network
 *
 * Why the result is that of one thread: let both halves have completed all cycles before t.
 *
 *  - The cores' half needs for cycle t only the replies that entered the ejection buffers before t,
 *    and room and returned of the L2 cycles in t. It waits until the memory half has done those.
 *  - A request taken in cycle a enters the L2 queue no earlier than a + mem.rop_latency. So the
 *    memory half may run cycle t once the cores' half has completed t - mem.rop_latency.
 *  - A reply enters an ejection buffer if there is room, which depends on how many its cores have
 *    taken. If there is room even if they took none since the last count known, there is room.
 *    Otherwise the memory half waits until the cores' half has served the buffers in this cycle.
 *  - The host of the policies, which acts with the cores, touches the memory half only where a
 *    sample is closed, where a copy fills L2 after a kernel, and at the end of the run. So two
 *    threads run no further than the next sample. And the memory half runs only cycles by whose
 *    start no such kernel can have ended, which earliest_end() finds out.
 *
 * What is handed over is read only after the counter that the other half raises behind it. No half
 * waits for something that waits for it: the one that is behind can always run its next cycle.
 *
 * A listener may stop the run in any cycle, and a policy file may ask for the load of DRAM; then
 * there is one thread.
 */
#include "sim/halves.h"
#include "base/partner.h"
#include "sim/visits.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
	LEAD_MOST = 256,  /* cycles by which the memory half is ahead */
	LEAD_LEAST = 8,	  /* with less, one thread is faster */
	TICKS_KEPT = 1024 /* L2 cycles: at most two in a core cycle, and a few more */
};

struct sent_reply {
	uint32_t cycle, cluster, token;
};

struct accepted {
	uint32_t request, slice;
};

struct returned {
	uint32_t tick, request;
};

/* Counters of a stretch are reset at its start. What one thread writes has its own lines. */
struct halves {
	struct sim *s;
	cycle_t lead;
	uint32_t replies_mask, accepted_mask;
	struct sent_reply *replies;
	struct accepted *accepted;
	struct returned *returned; /* as many as accepted */
	bool parted;		   /* the halves are on two threads now */

	/* written by the cores' half */
	_Alignas(64) _Atomic cycle_t limit; /* the memory half may run the cycles before it */
	_Atomic cycle_t last;		    /* where the stretch ends; it may come nearer */
	_Alignas(64) _Atomic cycle_t
		ejected; /* the ejection buffers were served in the cycles before it */
	_Atomic uint32_t n_accepted;
	_Alignas(64) _Atomic uint32_t given[NOC_PORTS]; /* replies that left each ejection buffer */

	/* written by the memory half */
	_Alignas(64) _Atomic cycle_t done; /* cycles before it */
	_Atomic uint64_t ticks;		   /* L2 cycles done */
	_Atomic uint32_t n_replies, n_returned;
	_Alignas(64) uint64_t room[TICKS_KEPT];

	_Alignas(64) struct {
		cycle_t limit, last;	      /* its own copies */
		cycle_t done, safe, check_at; /* done, ticks: as last read */
		uint64_t ticks, tick;
		uint32_t n_replies, n_returned; /* as last read */
		uint32_t reply, returned;	/* taken so far */
		uint32_t n_accepted;
		bool ends;
	} cores;

	_Alignas(64) struct {
		struct clocks clock;
		cycle_t cycle, limit;
		uint64_t tick, room;
		uint32_t accepted, n_replies, n_returned;
		uint32_t moved[NOC_PORTS], given[NOC_PORTS]; /* given: as last read */
	} memory;
};

/* ---------------------------------------------------------------- both */

static bool
is_behind(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

/* Passes the accepted requests on to their slices. */
static void
enter_accepted(struct halves *h)
{
	struct sim *s = h->s;
	uint32_t n = atomic_load_explicit(&h->n_accepted, memory_order_acquire);

	for (; h->memory.accepted != n; h->memory.accepted++) {
		const struct accepted *a = &h->accepted[h->memory.accepted & h->accepted_mask];
		uint64_t due = s->req[a->request].due;

		if (slice_enter_request(&s->slice[a->slice], a->request))
			s->sleep->wake.slice[calendar_page(due, h->memory.cycle)] |= UINT64_C(1)
										     << a->slice;
	}
}

/* ---------------------------------------------------------------- the memory half */

/* A core's write-back is done. */
static void
give_back(void *ctx, uint32_t request)
{
	struct halves *h = ctx;

	if (h->parted)
		h->returned[h->memory.n_returned++ & h->accepted_mask] =
			(struct returned){(uint32_t)h->memory.tick, request};
	else
		req_sector_done(sim_pool_of(h->s, h->s->req[request].core), h->s->req, request);
}

static void
await_ejection(struct halves *h, cycle_t now)
{
	unsigned n = 0;

	while (atomic_load_explicit(&h->ejected, memory_order_acquire) <= now)
		partner_pause(&n);
}

static bool
has_ejection_room(struct halves *h, unsigned cluster, cycle_t now)
{
	uint32_t cap = h->s->eject[cluster]->cap, moved = h->memory.moved[cluster];
	uint32_t *given = &h->memory.given[cluster];

	if (likely(moved - *given < cap))
		return true;
	*given = atomic_load_explicit(&h->given[cluster], memory_order_acquire);
	if (moved - *given < cap)
		return true;
	await_ejection(h, now);
	*given = atomic_load_explicit(&h->given[cluster], memory_order_acquire);
	return moved - *given < cap;
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

			if (!q->n || !has_ejection_room(h, i, now))
				continue;
			h->replies[h->memory.n_replies++ & h->replies_mask] =
				(struct sent_reply){(uint32_t)now, i, fifo_pop(q)};
			h->memory.moved[i]++;
			net[word] &= ~((uint64_t)!q->n << i % 64);
		}
}

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
	atomic_store_explicit(&h->n_returned, h->memory.n_returned, memory_order_release);
	atomic_store_explicit(&h->ticks, h->memory.tick, memory_order_release);
}

HOT static void
step_memory(struct halves *h)
{
	struct sim *s = h->s;
	struct clocks *k = &h->memory.clock;
	cycle_t now = h->memory.cycle;
	unsigned clk;

	wake_memory_due(s, now);
	do {
		clk = next_clocks(s, k);
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
	h->memory.cycle++;
	atomic_store_explicit(&h->n_replies, h->memory.n_replies, memory_order_release);
	atomic_store_explicit(&h->done, h->memory.cycle, memory_order_release);
}

/* Waits until the memory half may run its next cycle. Returns false at the end of the stretch. */
static bool
await_limit(struct halves *h)
{
	unsigned n = 0;

	while ((h->memory.limit = atomic_load_explicit(&h->limit, memory_order_acquire)) <=
	       h->memory.cycle) {
		if (atomic_load_explicit(&h->last, memory_order_acquire) <= h->memory.cycle)
			return false;
		partner_doze(&n);
	}
	enter_accepted(h);
	return true;
}

static void
run_memory(void *ctx)
{
	struct halves *h = ctx;

	while (h->memory.cycle < h->memory.limit || await_limit(h))
		step_memory(h);
}

/* ---------------------------------------------------------------- the cores' half */

/* The first cycle in which a kernel might end so that the host touches the memory half: a core
 * issues what its warps have left as fast as any core can, and a cluster gets at most one CTA a
 * cycle. (The instructions that a trace promises for a kernel do not count: it may be cut.) */
static cycle_t
earliest_end(const struct sim *s)
{
	const struct machine *m = s->machine;
	const struct cta_host *host = s->stack.host;
	const struct trace_cmd *next = m->cmd < s->info->n_cmds ? &s->info->cmd[m->cmd] : NULL;
	uint64_t least = (host->n_cta - host->issued) / s->n_clusters;

	if (!m->running)
		return m->cycle;
	for (unsigned i = 0; i < s->n_cores; i++)
		least = MAX(least, core_cycles_left(&s->core[i]));
	if (next && next->kind == TRACE_KERNEL && sim_most_ctas(s, next->kernel))
		least += s->cfg->gpu.launch_latency; /* the next one must end first */
	return m->cycle + least;
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

/* Lets the memory half go as far as it may. */
static void
raise_limit(struct halves *h)
{
	cycle_t now = h->s->machine->cycle, limit = now + h->lead;

	if (limit > h->cores.safe && now >= h->cores.check_at && !h->cores.ends) {
		h->cores.safe = earliest_end(h->s);
		h->cores.check_at = now + LEAD_LEAST;
		if (h->cores.safe < now + LEAD_LEAST)
			end_early(h); /* what follows is run on one thread */
	}
	limit = MAX(MIN(limit, h->cores.safe), now + 1);
	set_limit(h, MIN(limit, h->cores.last));
}

static void
await_done(struct halves *h, cycle_t cycle)
{
	unsigned n = 0;

	if (h->cores.done >= cycle)
		return;
	raise_limit(h);
	while ((h->cores.done = atomic_load_explicit(&h->done, memory_order_acquire)) < cycle)
		partner_pause(&n);
	h->cores.n_replies = atomic_load_explicit(&h->n_replies, memory_order_acquire);
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

/* Replies that entered the ejection buffers before this cycle. */
static void
take_replies(struct halves *h, cycle_t now)
{
	struct sim *s = h->s;

	for (; h->cores.reply != h->cores.n_replies; h->cores.reply++) {
		const struct sent_reply *r = &h->replies[h->cores.reply & h->replies_mask];

		if (!is_behind(r->cycle, (uint32_t)now))
			break;
		fifo_restart_push(s->eject[r->cluster], r->token);
		s->machine->eject_mask[r->cluster / 64] |= UINT64_C(1) << r->cluster % 64;
	}
}

static void
serve_ejection(struct halves *h)
{
	struct sim *s = h->s;
	uint64_t *mask = s->machine->eject_mask;

	for (unsigned word = 0; word < NOC_WORDS; word++)
		for (uint64_t k = mask[word]; k; k &= k - 1) {
			unsigned i = word * 64 + (unsigned)__builtin_ctzll(k);
			struct fifo *q = s->eject[i];
			_Atomic uint32_t *given = &h->given[i];

			if (!give_reply(s, fifo_front(q)))
				continue;
			fifo_pop(q);
			atomic_store_explicit(given,
					      atomic_load_explicit(given, memory_order_relaxed) + 1,
					      memory_order_release);
			mask[word] &= ~((uint64_t)!q->n << i % 64);
		}
}

/* The slices take requests from the network, in an L2 cycle. */
static void
accept_requests(struct halves *h, cycle_t now)
{
	struct sim *s = h->s;
	uint64_t tick = h->cores.tick++, asks;

	await_tick(h, tick);
	for (; h->cores.returned != h->cores.n_returned; h->cores.returned++) {
		const struct returned *r = &h->returned[h->cores.returned & h->accepted_mask];

		if (is_behind((uint32_t)tick, r->tick))
			break;
		req_sector_done(sim_pool_of(s, s->req[r->request].core), s->req, r->request);
	}
	asks = s->request.net->out_mask[0] & h->room[tick % TICKS_KEPT];
	for (; asks; asks &= asks - 1) {
		unsigned i = (unsigned)__builtin_ctzll(asks);

		h->accepted[h->cores.n_accepted++ & h->accepted_mask] =
			(struct accepted){slice_take_request(&s->slice[i], now), i};
	}
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
			serve_ejection(h);
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
				tick_requests(s, k->noc_ticks);
			k->noc_ticks++;
		}
		if (clk & CLK_CORE)
			tick_cores(s, NULL, s->sleep->core_awake, m->cycle);
	} while (!(clk & CLK_CORE));
	m->cycle++;
}

/* ---------------------------------------------------------------- a stretch */

static void
part(struct halves *h, cycle_t end)
{
	struct sim *s = h->s;
	cycle_t now = s->machine->cycle;

	memset(&h->cores, 0, sizeof(h->cores));
	h->cores.done = h->cores.safe = h->cores.limit = now;
	h->cores.last = end;
	h->memory.clock = s->machine->clock;
	h->memory.cycle = h->memory.limit = now;
	h->memory.tick = 0;
	h->memory.accepted = h->memory.n_replies = h->memory.n_returned = 0;
	h->memory.room = 0;
	for (unsigned i = 0; i < s->n_slices; i++)
		h->memory.room |= (uint64_t)slice_has_room(&s->slice[i]) << i;
	for (unsigned i = 0; i < s->n_clusters; i++) {
		h->memory.moved[i] = s->eject[i]->n;
		h->memory.given[i] = 0;
		atomic_store_explicit(&h->given[i], 0, memory_order_relaxed);
	}
	atomic_store(&h->limit, now);
	atomic_store(&h->last, end);
	atomic_store(&h->ejected, now);
	atomic_store(&h->n_accepted, 0);
	atomic_store(&h->done, now);
	atomic_store(&h->ticks, 0);
	atomic_store(&h->n_replies, 0);
	atomic_store(&h->n_returned, 0);
	h->parted = true;
}

/* Both halves are at the same cycle, and what is under way between them arrives. */
static void
join(struct halves *h)
{
	struct sim *s = h->s;
	uint64_t shut = 0;

	partner_wait();
	h->parted = false;
	atomic_store(&h->n_accepted, h->cores.n_accepted);
	enter_accepted(h);
	h->cores.n_replies = h->memory.n_replies;
	take_replies(h, s->machine->cycle);
	assert(h->cores.reply == h->memory.n_replies && h->cores.returned == h->memory.n_returned);
	assert(memcmp(&h->memory.clock, &s->machine->clock, sizeof(struct clocks)) == 0);
	for (unsigned i = 0; i < s->n_slices; i++)
		shut |= (uint64_t)!slice_has_room(&s->slice[i]) << i;
	s->sleep->slice_shut = shut;
}

bool
halves_run(struct halves *h, cycle_t end)
{
	struct sim *s = h->s;
	struct machine *m = s->machine;

	if (earliest_end(s) < m->cycle + HALVES_LEAST)
		return false;
	part(h, end);
	raise_limit(h);
	partner_start(run_memory, h);
	while (m->cycle < h->cores.last) {
		if (m->cycle % 8 == 0)
			raise_limit(h);
		step_cores(h);
		if (m->cycle == h->cores.last)
			break;
		if (unlikely(after_cycle_is_due(s)))
			kernel_after_cycle(s);
		if (unlikely(s->stop && !h->cores.ends))
			end_early(h);
	}
	join(h);
	if (after_cycle_is_due(s))
		kernel_after_cycle(s);
	return true;
}

/* ---------------------------------------------------------------- memory */

void
halves_free(struct halves *h)
{
	if (!h)
		return;
	free(h->replies);
	free(h->accepted);
	free(h->returned);
	free(h);
}

struct halves *
halves_new(struct sim *s)
{
	/* more L2 cycles in a core cycle would need more room */
	bool slow = s->cfg->mem.rop_latency < LEAD_LEAST || s->period_l2 * 2 < s->period_core;
	struct halves *h = slow ? NULL : aligned_alloc(64, sizeof(*h));
	uint32_t replies = fifo_size(s->n_clusters * s->cfg->noc.ejection_buffer),
		 accepted = fifo_size(2 * LEAD_MOST * s->n_slices);

	if (!h)
		return NULL;
	memset(h, 0, sizeof(*h));
	h->s = s;
	h->lead = MIN(s->cfg->mem.rop_latency, LEAD_MOST);
	h->replies_mask = replies - 1;
	h->accepted_mask = accepted - 1;
	h->replies = calloc(replies, sizeof(*h->replies));
	h->accepted = calloc(accepted, sizeof(*h->accepted));
	h->returned = calloc(accepted, sizeof(*h->returned));
	if (!h->replies || !h->accepted || !h->returned) {
		halves_free(h);
		return NULL;
	}
	for (unsigned i = 0; i < s->n_slices; i++) {
		s->slice[i].give_back = give_back;
		s->slice[i].give_back_ctx = h;
	}
	return h;
}
