/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collector.c - the operand collector (facts/timing.md 5).
 *
 * Four sets of collector units (general, SP, SFU, memory). Each cycle: dispatchers move finished units on, every
 * register bank not written this cycle serves the head of its queue, and ports fill free units
 * from the issue latches. The general ports come first and look at every class.
 */
#include "core/core.h"

enum { SET_GEN, SET_SP, SET_SFU, SET_MEM };

static uint32_t
set_mask(const struct core_env *e, unsigned set)
{
	return ((UINT32_C(1) << e->set_n[set]) - 1) << e->set_first[set];
}

static bool
dispatch(struct core_env *e)
{
	struct core *c = e->c;
	unsigned du = 0;
	bool moved = false;

	for (unsigned set = 0; set < 4; set++) {
		for (unsigned p = 0; p < e->ports[set]; p++, du++) {
			uint32_t can = 0, after;
			unsigned cu, fu;

			for (unsigned f = 0; f < FU_CLASSES; f++)
				if (c->oc_ex[f].n < e->slots[f])
					can |= c->cu_of_fu[f];
			can &= c->cu_ready & set_mask(e, set);
			if (!can)
				continue;
			after = can & ~((UINT32_C(2) << (e->set_first[set] + c->du_last[du])) - 1);
			cu = (unsigned)__builtin_ctz(after ? after : can);
			c->du_last[du] = (uint8_t)(cu - e->set_first[set]);
			fu = c->flight[c->cu_flight[cu]].fu;
			c->oc_ex[fu].f[c->oc_ex[fu].n++] = c->cu_flight[cu];
			c->cu_ready &= ~(UINT32_C(1) << cu);
			c->cu_of_fu[fu] &= ~(UINT32_C(1) << cu);
			c->cu_free |= UINT32_C(1) << cu;
			moved = true;
			if (!c->cu_ready)
				return true;
		}
	}
	return moved;
}

static void
read_banks(struct core *c)
{
	for (uint32_t m = c->bank_some & ~c->banks_written; m; m &= m - 1) {
		unsigned b = (unsigned)__builtin_ctz(m);
		unsigned cu = c->bank_q[b][c->bank_head[b]++];

		if (!--c->bank_n[b])
			c->bank_some &= ~(1u << b);
		if (!--c->flight[c->cu_flight[cu]].wait)
			c->cu_ready |= UINT32_C(1) << cu;
	}
}

static void
fill_unit(struct core_env *e, unsigned fu, unsigned cu)
{
	struct core *c = e->c;
	struct latch *l = &c->id_oc[fu];
	unsigned id = l->f[0];
	struct flight *f = &c->flight[id];
	const struct dinst *d = &e->di[f->inst];

	l->n--;
	for (unsigned i = 0; i < l->n; i++)
		l->f[i] = l->f[i + 1];
	c->cu_free &= ~(UINT32_C(1) << cu);
	c->cu_of_fu[fu] |= UINT32_C(1) << cu;
	c->cu_flight[cu] = (uint8_t)id;
	f->wait = d->n_src;
	if (!d->n_src)
		c->cu_ready |= UINT32_C(1) << cu;
	for (unsigned i = 0; i < d->n_src; i++) {
		unsigned b = (d->src_bank[i] + f->warp) & (e->cfg->reg_banks - 1);

		c->bank_q[b][(uint8_t)(c->bank_head[b] + c->bank_n[b]++)] = (uint8_t)cu;
		c->bank_some |= 1u << b;
	}
}

static bool
allocate(struct core_env *e)
{
	static const uint8_t own[4] = {0, FU_SP, FU_SFU, FU_MEM};
	struct core *c = e->c;
	bool took = false;

	for (unsigned p = 0; p < e->ports[SET_GEN]; p++)
		for (unsigned f = 0; f < FU_CLASSES; f++) {
			uint32_t m = c->cu_free & set_mask(e, SET_GEN);

			if (!c->id_oc[f].n || !m)
				continue;
			fill_unit(e, f, (unsigned)__builtin_ctz(m));
			took = true;
		}
	for (unsigned set = SET_SP; set <= SET_MEM; set++)
		for (unsigned p = 0; p < e->ports[set] && c->id_oc[own[set]].n; p++) {
			uint32_t m = c->cu_free & set_mask(e, set);

			if (!m)
				m = c->cu_free & set_mask(e, SET_GEN);
			if (!m)
				break;
			fill_unit(e, own[set], (unsigned)__builtin_ctz(m));
			took = true;
		}
	return took;
}

bool
collector_step(struct core_env *e)
{
	struct core *c = e->c;
	bool busy = false;

	if (c->cu_ready)
		busy = dispatch(e);
	if (c->bank_some) {
		read_banks(c);
		busy = true;
	}
	if (c->id_oc[FU_SP].n | c->id_oc[FU_SFU].n | c->id_oc[FU_MEM].n | c->id_oc[FU_BRANCH].n |
	    c->id_oc[FU_TEX].n)
		busy |= allocate(e);
	c->banks_written = 0;
	return busy;
}
