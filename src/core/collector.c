/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collector.c - the operand collector (ctascope-model(7) 5).
 *
 * Four sets of collector units (general, SP, SFU, memory). Each cycle: dispatchers move finished
 * units on, every register bank not written this cycle serves the head of its queue, and ports fill
 * free units from the issue latches. The general ports come first and look at every class.
 */
#include "core/core_part.h"

#define OWN_SETS (1u << FU_SP | 1u << FU_SFU | 1u << FU_MEM) /* classes with a set of their own */

/* Units with all operands whose class has room behind the collectors. */
static uint32_t
may_leave(const struct core *c)
{
	return c->cu_ready & ~c->cu_no_room;
}

/* Moves a unit on. The units that no longer may leave: it, and its class when that has no room. */
static inline uint32_t
leave(struct core_env *e, unsigned cu)
{
	struct core *c = e->c;
	unsigned fu = c->cu_wait[cu] / CU_FU;
	uint32_t bit = UINT32_C(1) << cu;

	latch_put(&c->oc_ex[fu], fu, c->cu_flight[cu], e->k->slots[fu], &c->ex_some, &c->ex_full);
	c->cu_ready &= ~bit;
	c->cu_of_fu[fu] &= ~bit;
	c->cu_free |= bit;
	bit |= c->cu_of_fu[fu] & -(uint32_t)(c->ex_full >> fu & 1);
	c->cu_no_room |= bit & c->cu_of_fu[fu];
	return bit;
}

/* Each dispatcher moves one unit of its set on, round robin from behind its own last pick. */
static bool
dispatch(struct core_env *e)
{
	struct core *c = e->c;
	uint32_t can = may_leave(c);

	if (!can)
		return false;
	if (!(can & (can - 1))) { /* mostly there is one: the first dispatcher of its set */
		unsigned cu = (unsigned)__builtin_ctz(can), set = e->k->set_of[cu];

		c->du_last[e->k->first_du[set]] = (uint8_t)(cu - e->k->set_first[set]);
		leave(e, cu);
		return true;
	}
	do { /* sets are numbered as their units are: the lowest unit is of the first set */
		unsigned set = e->k->set_of[__builtin_ctz(can)], first = e->k->set_first[set];
		uint8_t *last = &c->du_last[e->k->first_du[set]], *end = last + e->k->ports[set];
		uint32_t m = can & e->k->set_mask[set];

		can ^= m;
		for (; last < end && m; last++) {
			uint32_t after = m & ~((UINT32_C(2) << (first + *last)) - 1);
			unsigned cu = (unsigned)__builtin_ctz(after ? after : m);
			uint32_t gone;

			*last = (uint8_t)(cu - first);
			gone = leave(e, cu);
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

/* Moves the oldest instruction of a class into a free unit and queues its reads. */
static void
fill_unit(struct core_env *e, unsigned fu, unsigned cu)
{
	struct core *c = e->c;
	uint8_t id = latch_take(&c->id_oc[fu], fu, 0, &c->id_some, &c->id_full);
	const struct flight *f = &c->flight[id];
	const struct dinst *d = &e->di[f->inst];
	unsigned last = e->k->cfg->reg_banks - 1;

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
allocate(struct core_env *e)
{
	struct core *c = e->c;
	uint32_t gen = e->k->set_mask[SET_GEN], before = c->cu_free;
	unsigned first = (unsigned)__builtin_ctz(c->id_some);
	uint32_t m = before & e->k->units_for[first];

	if (c->id_some == 1u << first && c->id_oc[first].n == 1) { /* mostly there is one */
		if (m)
			fill_unit(e, first, (unsigned)__builtin_ctz(m));
		return m;
	}
	for (unsigned some = c->id_some & (c->id_some - 1u); !m; some &= some - 1) {
		if (!some)
			return false;
		m = before & e->k->units_for[__builtin_ctz(some)];
	}
	for (unsigned p = 0; p < e->k->ports[SET_GEN] && c->id_some && c->cu_free & gen; p++)
		for (unsigned some = c->id_some; some && c->cu_free & gen; some &= some - 1)
			fill_unit(e, (unsigned)__builtin_ctz(some),
				  (unsigned)__builtin_ctz(c->cu_free & gen));
	for (unsigned some = c->id_some & OWN_SETS; some; some &= some - 1) {
		unsigned fu = (unsigned)__builtin_ctz(some), set = core_set_of(fu);

		for (unsigned p = 0; p < e->k->ports[set] && c->id_oc[fu].n; p++) {
			m = c->cu_free & e->k->set_mask[set];
			if (!m)
				m = c->cu_free & gen;
			if (!m)
				break;
			fill_unit(e, fu, (unsigned)__builtin_ctz(m));
		}
	}
	return c->cu_free != before;
}

bool
collector_step(struct core_env *e)
{
	struct core *c = e->c;
	bool busy = false;

	if (!(c->cu_ready | c->bank_some | c->id_some)) {
		c->banks_written = 0;
		return false;
	}
	if (c->cu_ready)
		busy = dispatch(e);
	if (c->bank_some) {
		read_banks(c);
		busy = true;
	}
	if (c->id_some)
		busy |= allocate(e);
	c->banks_written = 0;
	return busy;
}

bool
collector_has_work(const struct core_env *e)
{
	const struct core *c = e->c;

	if (c->bank_some || (c->cu_ready && may_leave(c)))
		return true;
	for (unsigned some = c->id_some; some; some &= some - 1)
		if (c->cu_free & e->k->units_for[__builtin_ctz(some)])
			return true;
	return false;
}
