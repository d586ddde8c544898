/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collector.c - the operand collector (ctascope-model(7) 5).
 *
 * There are four sets of collector units: general, SP, SFU and memory. Each cycle has three steps.
 * First, the dispatchers move units that have all operands to the pipes. Second, every register
 * bank that is not written this cycle serves the head of its read queue. Third, the ports fill free
 * units from the issue latches; the general ports go first and accept every class.
 */
#include "core/core_part.h"

#define OWN_SETS (1u << FU_SP | 1u << FU_SFU | 1u << FU_MEM) /* classes with a set of their own */

/* Units that have all operands and whose class has room in the latch before the pipes. */
static uint32_t
dispatchable_units(const struct core *c)
{
	return c->cu_ready & ~c->cu_no_room;
}

/* Dispatches a unit. Returns the units that can no longer be dispatched: this one and, if the latch
 * of its class is now full, the others of that class. */
static inline uint32_t
dispatch_unit(struct core_env *e, unsigned cu)
{
	struct core *c = e->core;
	unsigned fu = c->cu_wait[cu] / CU_FU;
	uint32_t bit = UINT32_C(1) << cu;

	latch_put(&c->oc_ex[fu], fu, c->cu_flight[cu], e->shape->slots[fu], &c->ex_some,
		  &c->ex_full);
	c->cu_ready &= ~bit;
	c->cu_of_fu[fu] &= ~bit;
	c->cu_free |= bit;
	bit |= c->cu_of_fu[fu] & -(uint32_t)(c->ex_full >> fu & 1);
	c->cu_no_room |= bit & c->cu_of_fu[fu];
	return bit;
}

/* Each dispatcher moves one unit of its set, round robin, starting after its own last pick. */
static bool
dispatch_units(struct core_env *e)
{
	struct core *c = e->core;
	uint32_t can = dispatchable_units(c);

	if (!can)
		return false;
	if (!(can &
	      (can -
	       1))) { /* usually only one unit is ready; the first dispatcher of its set takes it */
		unsigned cu = (unsigned)__builtin_ctz(can), set = e->shape->set_of[cu];

		c->du_last[e->shape->first_du[set]] = (uint8_t)(cu - e->shape->set_first[set]);
		dispatch_unit(e, cu);
		return true;
	}
	do { /* sets are numbered in the order of their units, so the lowest unit belongs to the
		first set */
		unsigned set = e->shape->set_of[__builtin_ctz(can)],
			 first = e->shape->set_first[set];
		uint8_t *last = &c->du_last[e->shape->first_du[set]],
			*end = last + e->shape->ports[set];
		uint32_t m = can & e->shape->set_mask[set];

		can ^= m;
		for (; last < end && m; last++) {
			uint32_t after = m & ~((UINT32_C(2) << (first + *last)) - 1);
			unsigned cu = (unsigned)__builtin_ctz(after ? after : m);
			uint32_t gone;

			*last = (uint8_t)(cu - first);
			gone = dispatch_unit(e, cu);
			m &= ~gone;
			can &= ~gone;
		}
	} while (can);
	return true;
}

static void
read_banks(struct core *c)
{
	for (uint32_t m = c->bank_some & ~c->banks_written; m; m &= m - 1) {
		unsigned cu = bank_pop(c, (unsigned)__builtin_ctz(m));

		c->cu_ready |= (uint32_t) !(--c->cu_wait[cu] % CU_FU) << cu;
	}
}

/* Moves the oldest instruction of a class into a free unit and queues its register reads. */
HOT static void
fill_unit(struct core_env *e, unsigned fu, unsigned cu)
{
	struct core *c = e->core;
	uint8_t id = latch_take(&c->id_oc[fu], fu, 0, &c->id_some, &c->id_full);
	const struct flight *f = &c->flight[id];
	const struct dinst *d = &e->di[f->inst];
	unsigned last = e->shape->cfg->reg_banks - 1;

	c->cu_free &= ~(UINT32_C(1) << cu);
	c->cu_of_fu[fu] |= UINT32_C(1) << cu;
	c->cu_no_room |= (uint32_t)(c->ex_full >> fu & 1) << cu;
	c->no_room &= ~c->by_fu[fu];
	c->cu_flight[cu] = id;
	c->cu_wait[cu] = (uint8_t)(fu * CU_FU + d->n_src);
	if (!d->n_src)
		c->cu_ready |= UINT32_C(1) << cu;
	for (unsigned i = 0, n = d->n_src, warp = f->warp; i < n; i++)
		bank_push(c, (d->src_bank[i] + warp) & last, cu);
}

static bool
fill_units(struct core_env *e)
{
	struct core *c = e->core;
	uint32_t gen = e->shape->set_mask[SET_GEN], before = c->cu_free;
	unsigned first = (unsigned)__builtin_ctz(c->id_some);
	uint32_t m = before & e->shape->units_for[first];

	if (c->id_some == 1u << first && c->id_oc[first].n == 1) { /* usually there is only one */
		if (m)
			fill_unit(e, first, (unsigned)__builtin_ctz(m));
		return m;
	}
	for (unsigned some = c->id_some & (c->id_some - 1u); !m; some &= some - 1) {
		if (!some)
			return false;
		m = before & e->shape->units_for[__builtin_ctz(some)];
	}
	for (unsigned p = 0; p < e->shape->ports[SET_GEN] && c->id_some && c->cu_free & gen; p++)
		for (unsigned some = c->id_some; some && c->cu_free & gen; some &= some - 1)
			fill_unit(e, (unsigned)__builtin_ctz(some),
				  (unsigned)__builtin_ctz(c->cu_free & gen));
	for (unsigned some = c->id_some & OWN_SETS; some; some &= some - 1) {
		unsigned fu = (unsigned)__builtin_ctz(some), set = core_set_of(fu);

		for (unsigned p = 0; p < e->shape->ports[set] && c->id_oc[fu].n; p++) {
			m = c->cu_free & e->shape->set_mask[set];
			if (!m)
				m = c->cu_free & gen;
			if (!m)
				break;
			fill_unit(e, fu, (unsigned)__builtin_ctz(m));
		}
	}
	return c->cu_free != before;
}

HOT bool
collector_step(struct core_env *e)
{
	struct core *c = e->core;
	bool busy = false;

	if (!(c->cu_ready | c->bank_some | c->id_some)) {
		c->banks_written = 0;
		return false;
	}
	if (c->cu_ready)
		busy = dispatch_units(e);
	if (c->bank_some) {
		read_banks(c);
		busy = true;
	}
	if (c->id_some)
		busy |= fill_units(e);
	c->banks_written = 0;
	return busy;
}

bool
collector_has_work(const struct core_env *e)
{
	const struct core *c = e->core;

	if (c->bank_some || (c->cu_ready && dispatchable_units(c)))
		return true;
	for (unsigned some = c->id_some; some; some &= some - 1)
		if (c->cu_free & e->shape->units_for[__builtin_ctz(some)])
			return true;
	return false;
}
