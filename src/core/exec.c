/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exec.c - the pipes and their write-back (ctascope-model(7) 6).
 *
 * A pipe is not shifted: an instruction taken at T with latency L is entered in a wheel at T + L
 * and written back two cycles later. The entries of one time slot are also the reservations of the
 * result buses, and tell whether two instructions of one unit would collide.
 */
#include "core/core_part.h"

bool
exec_write_back(struct core_env *e, cycle_t now)
{
	struct core *c = e->c;
	unsigned at = (unsigned)(now - 2) % CORE_WHEEL, last = e->k->cfg->reg_banks - 1;
	uint64_t some = c->wheel_some[at / 64], bit = UINT64_C(1) << at % 64;
	const struct finish *f;
	uint32_t banks;

	if (!(some & bit))
		return false;
	c->wheel_some[at / 64] = some & ~bit;
	f = &core_wheel(c)[at * e->k->cfg->result_buses];
	banks = c->banks_written;
	for (unsigned n = f->n; n; n--, f++) {
		const struct dinst *d = &e->di[f->inst];
		struct warp *p = &c->warp[f->warp];

		for (unsigned k = 0, n_dst = d->n_dst; k < n_dst; k++)
			banks |= 1u << ((d->dst[k] + 1u + f->warp) & last);
		assert(p->in_pipe);
		p->in_pipe--;
		warp_release(p, d);
		c->changed |= UINT64_C(1) << f->warp;
	}
	c->banks_written = banks;
	return true;
}

static NOINLINE unsigned
oldest_of(const struct core *c, const struct latch *l)
{
	unsigned best = 0;

	for (unsigned i = 1; i < l->n; i++)
		if (c->flight[l->f[i]].uid - c->flight[l->f[best]].uid > UINT32_MAX / 2)
			best = i;
	return best;
}

static inline unsigned
oldest(const struct core *c, const struct latch *l)
{
	return likely(l->n == 1) ? 0 : oldest_of(c, l);
}

static inline void
leave_latch(struct core *c, unsigned fu, unsigned i)
{
	c->flights &= ~(UINT64_C(1) << latch_take(&c->oc_ex[fu], fu, i, &c->ex_some, &c->ex_full));
	c->cu_no_room &= ~c->cu_of_fu[fu];
}

/* Offers the oldest instruction of a class to one of its units that is free. It refuses when its
 * result would find no bus. */
static inline void
offer(struct core_env *e, cycle_t now, unsigned fu, unsigned unit)
{
	struct core *c = e->c;
	struct latch *l = &c->oc_ex[fu];
	unsigned i = oldest(c, l);
	const struct flight *f = &c->flight[l->f[i]];
	const struct dinst *d = &e->di[f->inst];
	unsigned at = (unsigned)(now + d->lat) % CORE_WHEEL, buses = e->k->cfg->result_buses;
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
	leave_latch(c, fu, i);
}

/* Cycle after now at which a pipe may next take an instruction that waits for it. */
cycle_t
exec_next_take(const struct core_env *e, cycle_t now)
{
	const struct core *c = e->c;
	cycle_t next = CYCLE_NEVER;

	for (unsigned some = c->ex_some & ~(1u << FU_MEM); some; some &= some - 1) {
		unsigned fu = (unsigned)__builtin_ctz(some);
		unsigned unit = e->k->first_unit[fu], end = unit + e->k->units[fu];

		for (; unit < end; unit++)
			next = MIN(next, MAX(c->unit_free[unit], now + 1));
	}
	return next;
}

/* Cycle at which the wheel next writes back, looking from now + 1. */
cycle_t
exec_next_write_back(const struct core *c, cycle_t now)
{
	unsigned from = (unsigned)(now - 1) % CORE_WHEEL; /* written back at now + 1 */
	uint64_t m = c->wheel_some[from / 64] >> from % 64, some = 0;
	cycle_t at = now + 1 - from % 64;

	if (m)
		return now + 1 + (unsigned)__builtin_ctzll(m);
	for (unsigned k = 0; k < CORE_WHEEL / 64; k++)
		some |= c->wheel_some[k];
	if (!some)
		return CYCLE_NEVER;
	for (unsigned k = from / 64;;) { /* at last what of the first word lies before */
		k = (k + 1) % (CORE_WHEEL / 64);
		at += 64;
		if (c->wheel_some[k])
			return at + (unsigned)__builtin_ctzll(c->wheel_some[k]);
	}
}

/* What a warp's trace says is used once, long after what stands before it, and is in none of the
 * host's caches: it is asked for a cycle ahead. Of a warp that gets a register it is the record it
 * issues next, of an instruction that goes into the load/store unit its record and addresses. */
static inline void
prefetch_trace(const struct core_env *e)
{
	const struct core *c = e->c;
	const struct latch *l = &c->oc_ex[FU_MEM];
	unsigned w = ldst_next_release(&e->ldst);

	if (w != MAX_WARPS)
		__builtin_prefetch(&e->stream[w].rec[c->warp[w].head]);
	if (l->n && ldst_nearly_free(&e->ldst)) {
		const struct flight *f = &c->flight[l->f[0]];
		const struct warp_stream *s = &e->stream[f->warp];

		core_prefetch_addresses(s->cta, &s->rec[f->rec]);
	}
}

struct unit_visit
exec_load_store(struct core_env *e, cycle_t now)
{
	struct core *c = e->c;
	struct latch *l = &c->oc_ex[FU_MEM];
	struct unit_visit v = {.next = CYCLE_NEVER};

	if (ldst_tick(&e->ldst, e->di, now, &c->banks_written, &v.next))
		v.did = LS_BUSY;
	if (l->n && ldst_is_free(&e->ldst)) {
		unsigned i = oldest(c, l);
		const struct flight *f = &c->flight[l->f[i]];
		const struct warp_stream *s = &e->stream[f->warp];

		v.did = LS_BUSY;
		if (ldst_accept(&e->ldst, e->di, now, f->inst, f->warp, f->group, s->cta,
				&s->rec[f->rec])) {
			leave_latch(c, FU_MEM, i);
			v.did |= LS_ACCEPTED;
		}
	}
	prefetch_trace(e);
	c->unit_at = ldst_due(&e->ldst);
	return v;
}

bool
exec_pipes(struct core_env *e, cycle_t now, cycle_t *next)
{
	struct core *c = e->c;
	bool busy = false;

	for (unsigned some = c->ex_some & ~(1u << FU_MEM); some; some &= some - 1) {
		unsigned fu = (unsigned)__builtin_ctz(some);
		unsigned unit = e->k->first_unit[fu], end = unit + e->k->units[fu];

		do {
			if (c->unit_free[unit] > now) {
				*next = MIN(*next, c->unit_free[unit]);
				continue;
			}
			busy = true; /* what it refuses now it may take in the next cycle */
			offer(e, now, fu, unit);
		} while (++unit < end && c->ex_some >> fu & 1);
	}
	return busy;
}
