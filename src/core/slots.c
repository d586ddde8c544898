/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slots.c - the CTA slots of a core: launch, pause, free, and queries.
 *
 * The CTA in a slot has consecutive hardware warps. The caller decides which CTA is launched and
 * when; the core only chooses the slot and the warps, and returns the slot. A slot whose last warp
 * has retired is in slots_freed until core_take_freed(), and stays used until core_free(): in
 * between the caller can still ask for its CTA.
 */
#include "core/core_part.h"
#include <string.h>

/* ---------------------------------------------------------------- launch, pause, free */

/* The streams lie outside the arena, so a restore must set them again. */
void
core_attach(struct core_env *e, unsigned slot, const struct cta_trace *t)
{
	unsigned i = 0;

	for (uint64_t m = e->core->slot_warps[slot]; m; m &= m - 1, i++)
		e->stream[__builtin_ctzll(m)] =
			(struct warp_stream){.rec = i < t->n_warps ? t->warp[i].rec : NULL,
					     .cta = t};
}

void
core_begin_kernel(struct core_env *e)
{
	ldst_begin_kernel(&e->ldst, e->core->age);
}

/* The warps for a CTA of `warps` warps: the first free group, where groups begin at multiples of
 * the size of the CTA, as in the reference. 0: no group is free. CTAs of one kernel never leave a
 * gap; those of several may. */
static uint64_t
free_warps(const struct core_env *e, unsigned warps)
{
	uint64_t group = ~UINT64_C(0) >> (64 - warps), taken = 0;

	for (uint32_t k = e->core->slot_used; k; k &= k - 1)
		taken |= e->core->slot_warps[__builtin_ctz(k)];
	for (unsigned first = 0; first + warps <= e->shape->n_warps; first += warps)
		if (!(taken & group << first))
			return group << first;
	return 0;
}

bool
core_has_warps_for(const struct core_env *e, unsigned warps)
{
	return e->core->slot_used != UINT32_MAX && free_warps(e, warps);
}

unsigned
core_launch(struct core_env *e, cycle_t now, uint32_t cta, const struct cta_trace *t,
	    unsigned warps_per_cta, uint32_t inst_base)
{
	struct core *c = e->core;
	unsigned slot = (unsigned)__builtin_ctz(~c->slot_used);
	uint64_t warps = free_warps(e, warps_per_cta);
	unsigned first = (unsigned)__builtin_ctzll(warps);

	c->still_until = 0;
	c->slot_used |= 1u << slot;
	c->slot_cta[slot] = cta;
	c->slot_issued[slot] = now;
	c->slot_warps[slot] = warps;
	c->slot_exited[slot] = 0;
	core_attach(e, slot, t);
	for (unsigned i = 0; i < warps_per_cta; i++) {
		unsigned w = first + i;
		uint64_t bit = UINT64_C(1) << w;
		struct warp *p = &c->warp[w];

		*p = (struct warp){.n = i < t->n_warps ? t->warp[i].n : 0,
				   .age = c->age++,
				   .slot = (uint8_t)slot,
				   .warp_in_cta = (uint8_t)i,
				   .inst_base = inst_base};
		c->live |= bit;
		c->done &= ~bit;
		c->bar_arrived &= ~bit;
		if (p->n) {
			p->head_inst = inst_base + e->stream[w].rec[0].inst;
			p->fetch_pc = e->di[p->head_inst].pc;
		} else { /* the trace has no records of this warp */
			c->done |= bit;
			c->slot_exited[slot] |= bit;
			c->retire |= bit;
		}
	}
	c->by_age[c->resident++] = (uint8_t)slot;
	e->ldst.tags[L1_DATA].owners->present[slot] = owner_of(slot, c->age - warps_per_cta);
	return slot;
}

void
core_pause(struct core_env *e, unsigned slot, enum cta_pause how)
{
	struct core *c = e->core;
	uint64_t warps = c->slot_warps[slot];
	uint32_t bit = 1u << slot;

	c->still_until = 0;
	c->slot_paused = how == CTA_RUNS ? c->slot_paused & ~bit : c->slot_paused | bit;
	c->slot_held = how == CTA_HELD ? c->slot_held | bit : c->slot_held & ~bit;
	c->paused = how == CTA_RUNS ? c->paused & ~warps : c->paused | warps;
	c->slot_deferred = how == CTA_DEFERS ? c->slot_deferred | bit : c->slot_deferred & ~bit;
	c->absent = how == CTA_HELD ? c->absent | warps : c->absent & ~warps;
	c->deferred = how == CTA_DEFERS ? c->deferred | warps : c->deferred & ~warps;
	c->passed &= c->paused;
}

bool
core_set_order(struct core_env *e, struct core_order o)
{
	struct core *c = e->core;

	if (memcmp(&c->order, &o, sizeof(o)) == 0)
		return false;
	c->order = o;
	c->state = (uint8_t)(core_state_of(c) |
			     (o.stopped | o.no_memory | o.first ? CORE_ORDERED : 0));
	c->still_until = 0;
	return true;
}

struct core_order
core_order(const struct core *c)
{
	return c->order;
}

uint64_t
core_passed(const struct core *c)
{
	return c->passed;
}

void
core_set_passed(struct core *c, uint64_t passed)
{
	c->passed = passed & c->paused;
}

uint32_t
core_take_freed(struct core_env *e)
{
	uint32_t freed = e->core->slots_freed;

	e->core->slots_freed = 0;
	return freed;
}

/* The next warps in these places begin without an order of the former ones. */
static void
forget_order(struct core_env *e, uint64_t warps)
{
	struct core_order o = e->core->order;

	o.stopped &= ~warps;
	o.no_memory &= ~warps;
	o.first &= ~warps;
	core_set_order(e, o);
}

void
core_free(struct core_env *e, unsigned slot)
{
	struct core *c = e->core;
	unsigned i = 0;

	core_pause(e, slot, CTA_RUNS);
	forget_order(e, c->slot_warps[slot]);
	c->slot_used &= ~(1u << slot);
	e->ldst.tags[L1_DATA].owners->present[slot] = OWNER_NONE;
	while (c->by_age[i] != slot)
		i++;
	for (c->resident--; i < c->resident; i++)
		c->by_age[i] = c->by_age[i + 1];
	if (!core_is_on(c)) /* its past cycles are already settled */
		core_set_rest_kind(c, CC_IDLE);
}

void
core_forget_warps(struct core_env *e, unsigned slot)
{
	struct core *c = e->core;

	for (uint64_t m = c->slot_warps[slot]; m; m &= m - 1)
		c->warp[__builtin_ctzll(m)].age = UINT32_MAX;
}

/* ---------------------------------------------------------------- queries */

bool
core_has_freed(const struct core *c)
{
	return c->slots_freed;
}

uint32_t
core_used(const struct core *c)
{
	return c->slot_used;
}

uint32_t
core_paused(const struct core *c)
{
	return c->slot_paused;
}

uint32_t
core_deferred(const struct core *c)
{
	return c->slot_deferred;
}

uint32_t
core_held(const struct core *c)
{
	return c->slot_held;
}

uint32_t
core_youngest(const struct core *c, uint32_t among, unsigned n)
{
	uint32_t slots = 0;

	for (unsigned i = c->resident; i-- && n;) {
		uint32_t bit = 1u << c->by_age[i] & among;

		slots |= bit;
		n -= bit != 0;
	}
	return slots;
}

struct core_slot
core_slot(const struct core *c, unsigned slot)
{
	struct core_slot s = {.cta = c->slot_cta[slot],
			      .issued = c->slot_issued[slot],
			      .all_warps = c->slot_warps[slot],
			      .warps = c->slot_warps[slot] & c->live};

	while (s.order < c->resident && c->by_age[s.order] != slot)
		s.order++;
	return s;
}
