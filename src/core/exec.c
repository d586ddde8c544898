/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exec.c - the pipes and their write-back (ctascope-model(7) 6).
 *
 * Pipes are not shifted. An instruction that enters a pipe at T with latency L gets an entry in a
 * timing wheel at T + L and is written back two cycles later. The entries of one time slot also
 * serve as reservations of the result buses, and show whether two instructions of one unit would
 * collide.
 */
#include "core/core_part.h"

HOT bool
exec_write_back(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;
	unsigned at = (unsigned)(now - 2) % CORE_WHEEL, last = e->shape->cfg->reg_banks - 1;
	uint64_t some = c->wheel_some[at / 64], bit = UINT64_C(1) << at % 64;
	const struct finish *f;
	uint32_t banks;

	if (!(some & bit))
		return false;
	c->wheel_some[at / 64] = some & ~bit;
	f = &core_wheel(c)[at * e->shape->cfg->result_buses];
	banks = c->banks_written;
	for (unsigned n = f->n; n; n--, f++) {
		const struct dinst *d = &e->di[f->inst];
		struct warp *p = &c->warp[f->warp];

		for (unsigned k = 0, n_dst = d->n_dst; k < n_dst; k++)
			banks |= 1u << ((d->dst[k] + 1u + f->warp) & last);
		assert(p->in_pipe);
		p->in_pipe--;
		if (core_is_arithmetic(d))
			core_end_arithmetic(c, now);
		warp_release(p, d);
		c->changed |= UINT64_C(1) << f->warp;
	}
	c->banks_written = banks;
	return true;
}

static NOINLINE unsigned
oldest_of_several(const struct core *c, const struct latch *l)
{
	unsigned best = 0;

	for (unsigned i = 1; i < l->n; i++)
		if (c->flight[l->flight[i]].uid - c->flight[l->flight[best]].uid > UINT32_MAX / 2)
			best = i;
	return best;
}

static inline unsigned
oldest_entry(const struct core *c, const struct latch *l)
{
	return likely(l->n == 1) ? 0 : oldest_of_several(c, l);
}

static inline void
remove_from_latch(struct core *c, unsigned fu, unsigned i)
{
	c->flights &= ~(UINT64_C(1) << latch_take(&c->oc_ex[fu], fu, i, &c->ex_some, &c->ex_full));
	c->cu_no_room &= ~c->cu_of_fu[fu];
}

/* Offers the oldest instruction of a class to a free unit. The unit refuses it when its
 * result would find no bus. */
static inline void
offer_instruction(struct core_env *e, cycle_t now, unsigned fu, unsigned unit)
{
	struct core *c = e->core;
	struct latch *l = &c->oc_ex[fu];
	unsigned i = oldest_entry(c, l);
	const struct flight *f = &c->flight[l->flight[i]];
	const struct dinst *d = &e->di[f->inst];
	unsigned at = (unsigned)(now + d->lat) % CORE_WHEEL, buses = e->shape->cfg->result_buses;
	uint64_t *some = &c->wheel_some[at / 64], bit = UINT64_C(1) << at % 64;
	struct finish *entry = &core_wheel(c)[at * buses];
	unsigned n = *some & bit ? entry->n : 0;

	if (n >= buses)
		return;
	for (unsigned k = 0; k < n; k++)
		if (entry[k].unit == unit)
			return;
	entry[n].inst = f->inst;
	entry[n].warp = f->warp;
	entry[n].unit = (uint8_t)unit;
	entry->n = (uint8_t)(n + 1);
	*some |= bit;
	c->unit_free[unit] = now + d->ii;
	remove_from_latch(c, fu, i);
}

/* The first cycle after `now` in which a pipe may take an instruction that waits for it. */
cycle_t
exec_next_take(const struct core_env *e, cycle_t now)
{
	const struct core *c = e->core;
	cycle_t next = CYCLE_NEVER;

	for (unsigned some = c->ex_some & ~(1u << FU_MEM); some; some &= some - 1) {
		unsigned fu = (unsigned)__builtin_ctz(some);
		unsigned unit = e->shape->first_unit[fu], end = unit + e->shape->units[fu];

		for (; unit < end; unit++)
			next = MIN(next, MAX(c->unit_free[unit], now + 1));
	}
	return next;
}

/* The next cycle, from now + 1 on, in which the wheel writes back. */
HOT cycle_t
exec_next_write_back(const struct core *c, cycle_t now)
{
	unsigned from =
		(unsigned)(now - 1) % CORE_WHEEL; /* this entry is written back at now + 1 */
	uint64_t m = c->wheel_some[from / 64] >> from % 64, some = 0;
	cycle_t at = now + 1 - from % 64;

	if (m)
		return now + 1 + (unsigned)__builtin_ctzll(m);
	for (unsigned k = 0; k < CORE_WHEEL / 64; k++)
		some |= c->wheel_some[k];
	if (!some)
		return CYCLE_NEVER;
	for (unsigned k = from / 64;;) { /* ends with the part of the first word before `from` */
		k = (k + 1) % (CORE_WHEEL / 64);
		at += 64;
		if (c->wheel_some[k])
			return at + (unsigned)__builtin_ctzll(c->wheel_some[k]);
	}
}

/* Trace data is used once, long after its neighbours, so it is in none of the host's caches:
 * prefetch it one cycle ahead. For a warp that will get a register that is its next record; for an
 * instruction that will enter the load/store unit, its addresses. */
static inline void
prefetch_trace(const struct core_env *e)
{
	const struct core *c = e->core;
	const struct latch *l = &c->oc_ex[FU_MEM];
	unsigned w = ldst_next_release(&e->ldst);

	if (w != MAX_WARPS)
		__builtin_prefetch(&e->stream[w].rec[c->warp[w].head]);
	if (l->n && ldst_nearly_free(&e->ldst)) {
		const struct flight *f = &c->flight[l->flight[0]];
		const struct warp_stream *s = &e->stream[f->warp];

		core_prefetch_addresses(s->cta, &s->rec[f->rec]);
	}
}

static ALWAYS_INLINE struct unit_visit
visit_load_store(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;
	struct latch *l = &c->oc_ex[FU_MEM];
	struct unit_visit v = {.next = CYCLE_NEVER};

	if (ldst_tick(&e->ldst, e->di, now, &c->banks_written, &v.next))
		v.did = LS_BUSY;
	if (l->n && ldst_is_free(&e->ldst)) {
		unsigned i = oldest_entry(c, l);
		const struct flight *f = &c->flight[l->flight[i]];
		const struct warp_stream *s = &e->stream[f->warp];

		v.did = LS_BUSY;
		if (ldst_accept(&e->ldst, e->di, now, f->inst, f->warp, f->group, s->cta,
				&s->rec[f->rec])) {
			remove_from_latch(c, FU_MEM, i);
			v.did |= LS_ACCEPTED;
		}
	}
	prefetch_trace(e);
	c->unit_at = ldst_due(&e->ldst);
	return v;
}

/* Link-time optimization puts it into core_tick() as long as that is its only caller: a call costs
 * 26 instructions per visit. */
HOT struct unit_visit
exec_load_store(struct core_env *e, cycle_t now)
{
	return visit_load_store(e, now);
}

NOINLINE void
exec_load_store_without_cta(struct core_env *e, cycle_t now)
{
	visit_load_store(e, now);
}

HOT bool
exec_pipes(struct core_env *e, cycle_t now, cycle_t *next)
{
	struct core *c = e->core;
	bool busy = false;

	for (unsigned some = c->ex_some & ~(1u << FU_MEM); some; some &= some - 1) {
		unsigned fu = (unsigned)__builtin_ctz(some);
		unsigned unit = e->shape->first_unit[fu], end = unit + e->shape->units[fu];

		do {
			if (c->unit_free[unit] > now) {
				*next = MIN(*next, c->unit_free[unit]);
				continue;
			}
			busy = true; /* an instruction refused now may be taken in the next cycle */
			offer_instruction(e, now, fu, unit);
		} while (++unit < end && c->ex_some >> fu & 1);
	}
	return busy;
}
