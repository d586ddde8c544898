/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * front.c - fetch, decode, instruction cache, retirement of warps (ctascope-model(7) 2, 3).
 *
 * One warp is fetched per cycle, and only when its instruction buffer is empty. The scan that finds
 * it also retires warps that have exited and drained. The scan stops at the first warp it can
 * fetch, so a retirement may have to wait for a later scan.
 */
#include "core/core_part.h"
#include "wsched/wsched.h"

#define INST_BASE UINT64_C(0xF0000000) /* where instructions lie in the memory that L2 sees */

HOT bool
decode_step(struct core_env *e)
{
	struct core *c = e->core;
	struct warp *p;
	unsigned w = c->fetch_warp;

	if (!c->fetch_valid)
		return false;
	c->fetch_valid = 0;
	p = &c->warp[w];
	p->nbuf = (uint8_t)MIN(e->shape->fetch_width, p->n - p->head);
	p->in_pipe += p->nbuf;
	c->valid |= UINT64_C(1) << w;
	c->changed |= UINT64_C(1) << w;
	return true;
}

static void
retire_warps(struct core *c, uint64_t warps)
{
	c->retire &= ~warps;
	for (; warps; warps &= warps - 1) {
		unsigned w = (unsigned)__builtin_ctzll(warps), slot = c->warp[w].slot;

		c->live &= ~(UINT64_C(1) << w);
		if (!(c->slot_warps[slot] & c->live))
			c->slots_freed |= 1u << slot;
	}
}

/* Looks up the warp's next instruction line. Unless the miss resources are exhausted, the warp
 * needs no further look-up for now. */
HOT static void
fetch_warp(struct core_env *e, cycle_t now, unsigned w)
{
	struct core *c = e->core;
	uint64_t addr = INST_BASE + c->warp[w].fetch_pc,
		 line = addr & ~(uint64_t)(e->l1i->line - 1);
	unsigned entry;

	c->last_fetched = (uint8_t)w;
	if (tags_hit(e->l1i, line, now)) {
		c->fetch_valid = 1;
		c->fetch_warp = (uint8_t)w;
		c->st.fetches++;
		return;
	}
	entry = mshr_find(e->l1i_mshr, line);
	if (fifo_full(e->l1i_missq) || !mshr_can_add(e->l1i_mshr, entry))
		return;
	if (entry == MSHR_NONE) {
		uint32_t i = req_take(e->ldst.pool, e->ldst.req);
		unsigned sectors = e->l1i->line / SECTOR;
		struct req *r;

		entry = mshr_take(e->l1i_mshr, line);
		r = &e->ldst.req[i];
		*r = (struct req){.addr = line,
				  .kind = REQ_INST,
				  .core = e->id,
				  .warp = (uint8_t)w,
				  .id = (uint16_t)entry,
				  .sectors = (uint8_t)((1u << sectors) - 1),
				  .left = (uint8_t)sectors};
		r->slice = (uint8_t)addr_route(e->ldst.map, line, &r->local);
		fifo_push(e->l1i_missq, i);
		c->l1i_some |= L1I_ASKS;
	}
	mshr_add(e->l1i_mshr, entry, w);
	c->imiss |= UINT64_C(1) << w;
	c->st.fetch_misses++;
}

/* Warps whose next instruction line is to be looked up. */
static inline uint64_t
warps_to_fetch(const struct core *c)
{
	return c->live & ~(c->done | c->imiss | c->valid);
}

/* The warps that a scan passes from the one after `last` until it stops at `first`; MAX_WARPS:
 * all. */
static NOINLINE uint64_t
warps_passed(unsigned last, unsigned first)
{
	uint64_t from = ~UINT64_C(1) << last;

	if (first == MAX_WARPS)
		return ~UINT64_C(0);
	if (first > last)
		return from & ((UINT64_C(1) << first) - 1);
	return from | ((UINT64_C(1) << first) - 1);
}

static ALWAYS_INLINE void
scan_warps(struct core_env *e, cycle_t now, const bool hits)
{
	struct core *c = e->core;
	uint64_t want = warps_to_fetch(c);
	unsigned first = want ? wsched_lrr_first(want, c->last_fetched) : MAX_WARPS;

	if (unlikely(c->retire))
		retire_warps(c, c->retire & warps_passed(c->last_fetched, first));
	if (want && hits) {
		c->last_fetched = c->fetch_warp = (uint8_t)first;
		c->fetch_valid = 1;
		c->st.fetches++;
	} else if (want) {
		fetch_warp(e, now, first);
	}
}

/* Serves a warp whose instruction line has arrived; otherwise the scan finds one. */
static ALWAYS_INLINE bool
fetch_one(struct core_env *e, cycle_t now, const bool hits)
{
	struct core *c = e->core;

	if (unlikely(c->l1i_some & L1I_READY)) {
		unsigned w = mshr_next_ready(e->l1i_mshr);

		if (!mshr_has_ready(e->l1i_mshr))
			c->l1i_some &= (uint8_t)~L1I_READY;
		c->imiss &= ~(UINT64_C(1) << w);
		c->fetch_valid = 1;
		c->fetch_warp = (uint8_t)w;
		c->st.fetches++;
	} else if (c->retire | warps_to_fetch(c)) {
		scan_warps(e, now, hits);
	} else {
		return false;
	}
	return true;
}

/* The instruction cache sends a request for a line. */
static ALWAYS_INLINE bool
send_line(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;

	if (likely(!(c->l1i_some & L1I_ASKS)) || fifo_full(e->ldst.out->q))
		return false;
	ldst_send(&e->ldst, now, fifo_pop(e->l1i_missq));
	if (!e->l1i_missq->n)
		c->l1i_some &= (uint8_t)~L1I_ASKS;
	return true;
}

/* Returns true when something was fetched, retired or sent, or may be in the next cycle. */
HOT bool
fetch_step(struct core_env *e, cycle_t now)
{
	bool busy = fetch_one(e, now, false);

	return send_line(e, now) | busy;
}

bool
sub_fetch(struct core_env *e, cycle_t now)
{
	const bool hits = e->shape->cfg->perfect_icache;
	bool busy = false;

	for (unsigned i = 0; i < e->shape->fetch_rounds; i++) {
		bool decoded = decode_step(e), fetched = fetch_one(e, now, hits);

		if (!decoded && !fetched)
			break;
		busy = true;
	}
	return send_line(e, now) | busy;
}

bool
fetch_has_work(const struct core_env *e)
{
	return e->core->fetch_valid | e->core->l1i_some ||
	       e->core->retire | warps_to_fetch(e->core);
}

void
core_fill_inst(struct core_env *e, cycle_t now, uint32_t token)
{
	struct req *r = &e->ldst.req[token >> 2];

	e->core->still_until = 0;
	ldst_count_reply(&e->ldst, r);
	if (r->left == 1) {
		const struct mshr_entry *m = &e->l1i_mshr->entry[r->id];
		uint32_t index;

		/* tags are allocated on arrival and never reserved, so a victim always exists */
		tags_probe(e->l1i, tags_set(e->l1i, m->addr), m->addr, 0, false, &index);
		tags_allocate(e->l1i, index, m->addr, 0, now);
		tags_fill(e->l1i, index, 0);
		mshr_mark_ready(e->l1i_mshr, r->id);
		e->core->l1i_some |= L1I_READY;
	}
	req_sector_done(e->ldst.pool, e->ldst.req, token >> 2);
}
