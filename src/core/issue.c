/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * issue.c - scoreboard, warp schedulers, barriers (ctascope-model(7) 4 and 3.6 to 3.10).
 *
 * Masks hold which warps could issue; only the warps marked changed are re-examined. A scheduler
 * intersects the masks and picks one bit.
 */
#include "core/core_part.h"
#include "wsched/wsched.h"

/* Ends the waits of a warp whose atomics are answered or whose LDGSTS groups are written back.
 * */
static __attribute__((noinline)) void
end_waits(struct core *c, const struct warp *p, uint64_t bit)
{
	if (!p->atomics)
		c->atomic &= ~bit;
	if (!warp_groups_left(p, p->depbar))
		c->depbar &= ~bit;
}

/* Is the issue slot or latch of the instruction's class full? */
static ALWAYS_INLINE bool
no_room(const struct core_env *e, const struct dinst *d, unsigned w, const bool subs)
{
	return subs ? core_subs(e)->id_taken[d->fu] >> core_sub_of(w) & 1
		    : e->core->id_full >> d->fu & 1;
}

/* Examines the fetched instruction of a warp that is not marked ready: is it ready and, if not,
 * does it wait for memory? */
static ALWAYS_INLINE void
examine_warp(struct core_env *e, struct warp *p, const struct dinst *d, unsigned w, const bool subs)
{
	struct core *c = e->core;
	uint64_t bit = UINT64_C(1) << w;

	if (!warp_hazard(p, d)) {
		c->ready |= bit;
		c->by_fu[d->fu] |= bit;
		c->no_room |= bit & -(uint64_t)no_room(e, d, w, subs);
	} else if (warp_hazard_mem(p, d)) {
		c->memwait |= bit;
	}
}

/* Examines warps that have a fetched instruction. Their `memwait` bits are recomputed. */
static ALWAYS_INLINE void
examine_warps(struct core_env *e, uint64_t warps, const bool subs)
{
	struct core *c = e->core;

	c->memwait &= ~warps;
	do {
		unsigned w = (unsigned)__builtin_ctzll(warps);
		struct warp *p = &c->warp[w];

		examine_warp(e, p, &e->di[p->head_inst], w, subs);
		__builtin_prefetch(&e->stream[w].rec[p->head]);
	} while (warps &= warps - 1);
}

HOT void
issue_look_at(struct core_env *e, uint64_t warps)
{
	examine_warps(e, warps, false);
}

void
sub_look_at(struct core_env *e, uint64_t warps)
{
	examine_warps(e, warps, true);
}

/* Re-examines warps that have exited or wait for atomics or LDGSTS groups. */
void
issue_look_at_ends(struct core *c, uint64_t warps)
{
	for (; warps; warps &= warps - 1) {
		unsigned w = (unsigned)__builtin_ctzll(warps);
		const struct warp *p = &c->warp[w];
		uint64_t bit = UINT64_C(1) << w;

		if ((c->atomic | c->depbar) & bit)
			end_waits(c, p, bit);
		if (c->done & c->live & bit && !p->in_pipe && !p->stores && !warp_pending(p))
			c->retire |= bit;
	}
}

/* Releases the warps of a CTA once all that have not exited wait at the barrier or have
 * arrived.
 * */
static void
release_barrier(struct core *c, unsigned slot)
{
	uint64_t active = c->slot_warps[slot] & ~c->slot_exited[slot];

	if (((c->barrier | c->bar_arrived) & active) != active)
		return;
	c->barrier &= ~active;
	c->bar_arrived &= ~active;
}

/* A warp has exited, or come to a barrier. */
static void
tell_of_warps(const struct core_env *e)
{
	if (e->warps_changed)
		e->warps_changed(e->warps_ctx, e->id);
}

static __attribute__((noinline)) void
warp_exits(struct core_env *e, unsigned w)
{
	struct core *c = e->core;
	uint64_t bit = UINT64_C(1) << w;
	unsigned slot = c->warp[w].slot;

	c->done |= bit;
	c->changed |= bit;
	c->slot_exited[slot] |= bit;
	release_barrier(c, slot);
	tell_of_warps(e);
}

/* A fence ends when its warp has no pending register. Passing it may invalidate L1. */
static bool
end_fence_if_drained(struct core_env *e, unsigned w)
{
	if (warp_pending(&e->core->warp[w]))
		return false;
	e->core->membar &= ~(UINT64_C(1) << w);
	ldst_flush_l1(&e->ldst);
	e->core->unit_at = ldst_due(&e->ldst);
	return true;
}

static __attribute__((noinline)) void
issue_special(struct core_env *e, unsigned w, const struct dinst *d, uint32_t mask)
{
	struct core *c = e->core;
	struct warp *p = &c->warp[w];
	uint64_t bit = UINT64_C(1) << w;

	if (unlikely(d->flags & DINST_TOLD))
		e->issued(e->issued_ctx, e->id, w, (uint32_t)(d - e->di));
	switch (d->cls) {
	case OP_BARRIER:
		if (d->flags & INST_ARRIVES && !e->shape->cfg->arrive_waits)
			c->bar_arrived |= bit;
		else
			c->barrier |= bit;
		release_barrier(c, p->slot);
		tell_of_warps(e);
		break;
	case OP_MEMBAR:
		c->membar |= bit;
		end_fence_if_drained(e, w); /* the scheduler checks again right after the issue */
		break;
	case OP_DEPBAR:
		if (d->imm == DEPBAR_CLOSES) {
			warp_group_close(p);
		} else {
			p->depbar = d->imm;
			c->depbar |= bit;
			c->changed |= bit;
		}
		break;
	default:
		break;
	}
	if (d->flags & INST_LDGSTS && mask)
		warp_group_join(p);
	if (d->flags & INST_ATOMIC && mask) {
		p->atomics += (uint16_t)__builtin_popcount(mask);
		c->atomic |= bit;
	}
}

/* Number of lanes in a mask, which is usually full. */
static inline unsigned
count_lanes(uint32_t mask)
{
	if (likely(mask == UINT32_MAX))
		return WARP_SIZE;
	mask -= mask >> 1 & 0x55555555; /* many hosts have no instruction that counts bits */
	mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
	return ((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101u >> 24;
}

/* Moves an instruction into the latch before the collectors. */
static inline void
begin_flight(struct core_env *e, cycle_t now, unsigned w, const struct dinst *d)
{
	struct core *c = e->core;
	unsigned id = (unsigned)__builtin_ctzll(~c->flights);

	c->flights |= UINT64_C(1) << id;
	c->flight[id] = (struct flight){.uid = c->uid++,
					.inst = c->warp[w].head_inst,
					.rec = c->warp[w].head,
					.warp = (uint8_t)w,
					.fu = d->fu,
					.group = c->warp[w].group};
	latch_put(&c->id_oc[d->fu], d->fu, (uint8_t)id, e->shape->slots[d->fu], &c->id_some,
		  &c->id_full);
	if (d->fu <= FU_SFU)
		c->lanes_until = now + e->shape->lanes_cycles;
}
_Static_assert(FU_SP == 0 && FU_SFU == 1, "the classes that use the SIMT lanes come first");

static ALWAYS_INLINE void
issue_warp(struct core_env *e, cycle_t now, unsigned w, const bool subs)
{
	struct core *c = e->core;
	struct warp *p = &c->warp[w];
	uint64_t bit = UINT64_C(1) << w;
	const struct winst *r = &e->stream[w].rec[p->head];
	const struct dinst *d = &e->di[p->head_inst], *next = NULL;
	unsigned lanes = count_lanes(r->mask), left = p->nbuf - 1u;

	if (subs)
		sub_issued(e, w, d);
	else
		begin_flight(e, now, w, d);
	if (core_is_arithmetic(d))
		core_begin_arithmetic(c, now);
	c->st.warp_insts++;
	c->st.thread_insts += lanes;
	c->st.insts_of[d->cls] += lanes;
	warp_reserve(p, d);
	__builtin_prefetch(r + 4);
	if (d->fu == FU_MEM) /* its addresses are needed a few cycles later */
		core_prefetch_addresses(e->stream[w].cta, r);
	if (unlikely(c->paused & bit) && c->passed & bit) {
		p->passed = 0;
		c->passed &= ~bit;
	}
	c->ready &= ~bit;
	c->by_fu[d->fu] &= ~bit;
	if (subs)
		c->no_room |= c->by_fu[d->fu] & e->shape->sched_warps[core_sub_of(w)];
	else
		c->no_room |= c->by_fu[d->fu] & -(uint64_t)(c->id_full >> d->fu & 1);
	p->nbuf = (uint8_t)left;
	p->fetch_pc = d->pc + 16;
	if (likely(++p->head != p->n)) {
		p->head_inst = p->inst_base + r[1].inst;
		next = &e->di[p->head_inst];
		if (likely(!e->shape->fetch_fallthrough))
			p->fetch_pc = next->pc;
	}
	if (!left)
		c->valid &= ~bit;
	if (unlikely(d->flags))
		issue_special(e, w, d, r->mask);
	if (unlikely(!next))
		warp_exits(e, w);
	else if (left)
		examine_warp(e, p, next, w, subs);
}

HOT static NOINLINE void
issue_one(struct core_env *e, cycle_t now, unsigned w)
{
	issue_warp(e, now, w, false);
}

static NOINLINE void
issue_one_of_sub(struct core_env *e, cycle_t now, unsigned w)
{
	issue_warp(e, now, w, true);
}

/* The ready warps in m whose next instruction accesses global, local or texture memory
 * (ctascope-model(7) 4.10). */
static uint64_t
find_memory_accesses(const struct core_env *e, uint64_t m)
{
	const struct core *c = e->core;
	uint64_t held = 0;

	for (m &= c->by_fu[FU_MEM] | c->by_fu[FU_TEX]; m; m &= m - 1) {
		unsigned w = (unsigned)__builtin_ctzll(m);
		const struct dinst *d = &e->di[c->warp[w].head_inst];

		if (d->cls == OP_TEX || d->space == SPACE_GLOBAL || d->space == SPACE_LOCAL ||
		    d->space == SPACE_TEX)
			held |= UINT64_C(1) << w;
	}
	return held;
}

NOINLINE uint64_t
issue_held_back(const struct core_env *e, uint64_t m)
{
	const struct core *c = e->core;
	uint64_t no_memory = core_state_of(c) == CORE_THROTTLED ? m : m & c->order.no_memory;

	return (m & c->order.stopped) | find_memory_accesses(e, no_memory);
}

NOINLINE uint64_t
issue_deferred(const struct core_env *e)
{
	const struct core *c = e->core;
	uint64_t waits = c->memwait | c->membar | c->atomic | c->depbar;

	if (!(waits & c->live & ~(c->done | c->paused)))
		return 0;
	return find_memory_accesses(e, c->ready & c->deferred);
}

static inline uint64_t
issuable_warps(const struct core_env *e, uint64_t of)
{
	const struct core *c = e->core;
	uint64_t m = issue_candidates(c) & ~c->membar & of;

	if (m && unlikely(issue_holds_back(c))) {
		m &= ~issue_held_back(e, m);
		m = m & c->order.first ? m & c->order.first : m;
	}
	return m;
}

/* Fences end when the scheduler's walk reaches the warp: gto walks over all warps first, lrr
 * does so in turn. */
static __attribute__((noinline)) uint64_t
end_fences(struct core_env *e, unsigned s, uint64_t can)
{
	struct core *c = e->core;
	uint64_t left = c->membar & e->shape->sched_warps[s];

	while (left) {
		unsigned w = wsched_lrr_first(left | (e->shape->wsched == WSCHED_LRR ? can : 0),
					      c->last[s]);

		if (!(left >> w & 1))
			break; /* lrr: an earlier warp can issue */
		left &= ~(UINT64_C(1) << w);
		if (end_fence_if_drained(e, w))
			can = issuable_warps(e, e->shape->sched_warps[s]);
	}
	return can;
}

/* Warps that a pause keeps from issuing: all of paused CTAs while a running warp can issue, else
 * those of held CTAs and those that defer an access to memory. */
static uint64_t
paused_warps(const struct core_env *e, uint64_t can)
{
	const struct core *c = e->core;

	if (can & ~c->paused)
		return c->paused;
	return c->deferred ? c->absent | issue_deferred(e) : c->absent;
}

/* Running warps come first. Warps of a yielding CTA issue only when no running warp can, those
 * of a held CTA never, but a warp that has starved issues once. */
static __attribute__((noinline)) uint64_t
apply_pauses(struct core_env *e, cycle_t now, uint64_t can)
{
	struct core *c = e->core;
	uint64_t first = can & ~paused_warps(e, can), waiting = can & ~first;

	if (!waiting)
		return can;
	for (uint64_t m = waiting & ~c->passed; m; m &= m - 1) {
		c->warp[__builtin_ctzll(m)].passed = now;
		c->starve_at = MIN(c->starve_at, now + e->shape->cfg->starve);
	}
	c->passed = (c->passed & ~can) | waiting;
	if (now >= c->starve_at) {
		uint64_t starved = 0;

		c->starve_at = CYCLE_NEVER;
		for (uint64_t m = c->passed; m; m &= m - 1) {
			unsigned w = (unsigned)__builtin_ctzll(m);
			cycle_t due = c->warp[w].passed + e->shape->cfg->starve;

			if (now >= due && !starved && waiting >> w & 1)
				starved = UINT64_C(1) << w;
			else
				c->starve_at = MIN(c->starve_at, due);
		}
		if (starved)
			return starved;
	}
	return first;
}

cycle_t
issue_next_starved(const struct core_env *e, cycle_t now)
{
	const struct core *c = e->core;
	cycle_t next = CYCLE_NEVER;

	for (uint64_t m = c->passed & c->absent; m; m &= m - 1) {
		cycle_t due = c->warp[__builtin_ctzll(m)].passed + e->shape->cfg->starve;

		if (due > now)
			next = MIN(next, due);
	}
	return next;
}

static unsigned
pick_inlined(const struct core_env *e, unsigned s, uint64_t can)
{
	const struct core *c = e->core;

	if (e->shape->wsched == WSCHED_LRR)
		return wsched_lrr_first(can, c->last[s]);
	return can >> c->last[s] & 1 ? c->last[s] : wsched_oldest(can, c->slot_warps, c->by_age);
}

/* ---------------------------------------------------------------- schedulers of groups */

/* Warps that wait for something long, have finished or are absent. A group that consists only of
 * such warps gives up the core. Any new reason that keeps warps from issuing for long belongs here
 * too. */
static uint64_t
stalled_warps(const struct core_env *e)
{
	const struct core *c = e->core;
	uint64_t held = issue_holds_back(c) ? issue_held_back(e, c->ready) : 0;

	return ~c->live | c->done | c->memwait | c->imiss | c->barrier | c->membar | c->atomic |
	       c->depbar | held;
}

/* Asks a scheduler that is not compiled in. It is asked even when no warp can issue, because
 * groups may change in any cycle. Kept out of line so that the loop below stays small for lrr and
 * gto. */
static __attribute__((noinline)) unsigned
pick_by_scheduler(struct core_env *e, cycle_t now, unsigned s, uint64_t can)
{
	struct core *c = e->core;
	uint64_t held = c->paused ? paused_warps(e, can) : 0;
	struct wsched_view v = {.mine = e->shape->sched_warps[s],
				.stalled = stalled_warps(e) | held,
				.slot_warps = c->slot_warps,
				.by_age = c->by_age,
				.n_slots = c->resident,
				.n_sched = e->shape->n_sched,
				.last = c->last[s],
				.core = e->id,
				.opts = e->shape->sched_opts};

	v.can = c->paused ? apply_pauses(e, now, can) : can;
	if (v.can & held) /* this warp has starved, whatever its group */
		return (unsigned)__builtin_ctzll(v.can);
	return e->shape->sched->pick(&v, e->sched_state + s * e->shape->sched->state_size);
}

/* The schedulers take turns in going first, changing every cycle in which the core is on. */
static unsigned
first_scheduler(const struct core_env *e, cycle_t now)
{
	return e->shape->n_sched == 1
		       ? 0
		       : (unsigned)((e->core->prio + now - e->core->booked_to) % e->shape->n_sched);
}

/* Runs all schedulers and heeds pauses, throttling, fences and groups. */
static ALWAYS_INLINE unsigned
issue_all(struct core_env *e, cycle_t now, const bool subs)
{
	struct core *c = e->core;
	unsigned issued = 0, s = first_scheduler(e, now);
	unsigned i = unlikely(core_state_of(c) == CORE_PAUSED) ? e->shape->n_sched : 0;

	for (; i < e->shape->n_sched; i++, s = s + 1 == e->shape->n_sched ? 0 : s + 1) {
		uint64_t can = issuable_warps(e, e->shape->sched_warps[s]);
		unsigned w;

		if (unlikely(c->membar & e->shape->sched_warps[s]))
			can = end_fences(e, s, can);
		if (unlikely(e->shape->wsched == WSCHED_ASKED)) {
			w = pick_by_scheduler(e, now, s, can);
			if (w == WSCHED_NONE)
				continue;
		} else {
			if (!can)
				continue;
			if (unlikely(c->paused) && !(can = apply_pauses(e, now, can)))
				continue;
			w = pick_inlined(e, s, can);
		}
		c->last[s] = (uint8_t)w;
		c->st.issued_by[s]++;
		if (subs)
			issue_one_of_sub(e, now, w);
		else
			issue_one(e, now, w);
		issued++;
	}
	return issued;
}

static __attribute__((noinline)) unsigned
issue_step_slow(struct core_env *e, cycle_t now)
{
	return issue_all(e, now, false);
}

unsigned
sub_issue(struct core_env *e, cycle_t now)
{
	return issue_has_work(e) ? issue_all(e, now, true) : 0;
}

HOT unsigned
issue_step(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;
	uint64_t can;
	unsigned w;

	if (!issue_has_work(e))
		return 0;
	if (unlikely(e->shape->n_sched > 1 || e->shape->wsched == WSCHED_ASKED || c->membar ||
		     c->paused || issue_holds_back(c)))
		return issue_step_slow(e, now);
	can = issue_candidates(c);
	w = pick_inlined(e, 0, can);
	c->last[0] = (uint8_t)w;
	issue_one(e, now, w);
	return 1;
}
