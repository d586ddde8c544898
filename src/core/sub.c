/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sub.c - a core divided into four sub-cores (ctascope-model(7) 5.8 and 6.5).
 *
 * Warp w belongs to sub-core w mod 4. Each sub-core has its own scheduler, one issue slot and one
 * slot before the pipes for every class, two collectors, a quarter of the register banks and one
 * pipe of every kind. The sub-cores share the ports and dispatchers of the collector, the result
 * buses and the load/store unit. A slot holds its instruction itself; a mask per class marks the
 * occupied slots.
 */
#include "core/core_part.h"

/* The order in which collector ports serve classes, and the order in which pipes take
 * instructions. */
static const uint8_t port_order[] = {FU_SP,	FU_SFU, FU_MEM,	   FU_DP,     FU_INT,
				     FU_BRANCH, FU_TEX, FU_TENSOR, FU_UNIFORM};
static const uint8_t pipe_order[] = {FU_SP,	FU_DP,	FU_INT,	   FU_SFU,
				     FU_BRANCH, FU_TEX, FU_TENSOR, FU_UNIFORM};

static inline bool
is_older(uint32_t uid, uint32_t than)
{
	return (int32_t)(uid - than) < 0;
}

/* Of the occupied slots of a class, the one with the oldest instruction. */
static inline unsigned
oldest_slot(const struct flight slot[CORE_SUBS], unsigned taken)
{
	unsigned best = (unsigned)__builtin_ctz(taken);

	for (taken &= taken - 1; taken; taken &= taken - 1) {
		unsigned s = (unsigned)__builtin_ctz(taken);

		if (is_older(slot[s].uid, slot[best].uid))
			best = s;
	}
	return best;
}

static inline void
take_slot(uint8_t *taken, uint16_t *some, unsigned fu, unsigned s)
{
	*taken |= (uint8_t)(1u << s);
	*some |= (uint16_t)(1u << fu);
}

static inline void
free_slot(uint8_t *taken, uint16_t *some, unsigned fu, unsigned s)
{
	*taken &= (uint8_t) ~(1u << s);
	*some &= (uint16_t) ~((uint32_t) !*taken << fu);
}

static inline unsigned
bank_of(const struct core_env *e, unsigned reg, unsigned warp)
{
	unsigned n = e->shape->sub_banks;

	return ((reg + warp) & (n - 1)) + core_sub_of(warp) * n;
}

void
sub_issued(struct core_env *e, unsigned w, const struct dinst *d)
{
	struct core *c = e->core;
	struct subs *q = core_subs(e);
	unsigned s = core_sub_of(w);

	q->id[d->fu][s] = (struct flight){.uid = c->uid++,
					  .inst = c->warp[w].head_inst,
					  .rec = c->warp[w].head,
					  .warp = (uint8_t)w,
					  .fu = d->fu,
					  .group = c->warp[w].group};
	take_slot(&q->id_taken[d->fu], &q->id_some, d->fu, s);
}

/* ---------------------------------------------------------------- pipes */

/* Results claim the banks of their registers in order, up to the first bank already taken. A
 * result does not wait for its banks. */
static void
claim_banks(struct core_env *e, const struct dinst *d, unsigned warp)
{
	for (unsigned k = 0; k < d->n_dst; k++) {
		uint32_t bank = UINT32_C(1) << bank_of(e, d->dst[k] + 1u, warp);

		if (e->core->banks_written & bank)
			return;
		e->core->banks_written |= bank;
	}
}

bool
sub_write_back(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;
	unsigned at = (unsigned)(now - 2) % CORE_WHEEL;
	uint64_t *some = &c->wheel_some[at / 64], bit = UINT64_C(1) << at % 64;
	const struct finish *f = &core_wheel(c)[at * e->shape->cfg->result_buses];

	if (!(*some & bit))
		return false;
	*some &= ~bit;
	for (unsigned n = f->n; n; n--, f++) {
		const struct dinst *d = &e->di[f->inst];
		struct warp *p = &c->warp[f->warp];

		claim_banks(e, d, f->warp);
		assert(p->in_pipe);
		p->in_pipe--;
		if (core_is_arithmetic(d))
			core_end_arithmetic(c, now);
		warp_release(p, d);
		c->changed |= UINT64_C(1) << f->warp;
	}
	return true;
}

/* Reserves the cycle in which a result leaves its pipe; entries are kept in the order of the
 * pipes. Returns false when no bus is free or the same pipe already delivers a result in that
 * cycle. */
static bool
enter_wheel(struct core_env *e, cycle_t at, const struct flight *f, unsigned unit)
{
	struct core *c = e->core;
	unsigned slot = (unsigned)at % CORE_WHEEL, buses = e->shape->cfg->result_buses, i;
	uint64_t *some = &c->wheel_some[slot / 64], bit = UINT64_C(1) << slot % 64;
	struct finish *entry = &core_wheel(c)[slot * buses];
	unsigned n = *some & bit ? entry->n : 0;

	if (n >= buses)
		return false;
	for (i = 0; i < n; i++)
		if (entry[i].unit == unit)
			return false;
	for (i = n; i && entry[i - 1].unit > unit; i--)
		entry[i] = entry[i - 1];
	entry[i] = (struct finish){.inst = f->inst, .warp = f->warp, .unit = (uint8_t)unit};
	entry->n = (uint8_t)(n + 1);
	*some |= bit;
	return true;
}

bool
sub_pipes(struct core_env *e, cycle_t now, cycle_t *next)
{
	struct subs *q = core_subs(e);
	bool busy = false;

	if (!(q->ex_some & ~(1u << FU_MEM)))
		return false;
	for (unsigned k = 0; k < ARRAY_LEN(pipe_order); k++) {
		unsigned fu = pipe_order[k];

		for (unsigned m = q->ex_taken[fu]; m; m &= m - 1) {
			unsigned s = (unsigned)__builtin_ctz(m);
			const struct flight *f = &q->ex[fu][s];
			const struct dinst *d = &e->di[f->inst];

			if (q->unit_free[fu][s] > now) {
				*next = MIN(*next, q->unit_free[fu][s]);
				continue;
			}
			busy = true; /* an instruction refused now may be taken in the next cycle */
			if (!enter_wheel(e, now + d->lat, f, k * CORE_SUBS + s))
				continue;
			q->unit_free[fu][s] = now + d->ii;
			free_slot(&q->ex_taken[fu], &q->ex_some, fu, s);
		}
	}
	return busy;
}

bool
sub_mem_waits(const struct core_env *e)
{
	return core_subs(e)->ex_taken[FU_MEM];
}

struct unit_visit
sub_load_store(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;
	struct subs *q = core_subs(e);
	struct unit_visit v = {.next = CYCLE_NEVER};

	if (ldst_tick(&e->ldst, e->di, now, &c->banks_written, &v.next))
		v.did = LS_BUSY;
	if (q->ex_taken[FU_MEM] && ldst_is_free(&e->ldst)) {
		unsigned s = oldest_slot(q->ex[FU_MEM], q->ex_taken[FU_MEM]);
		const struct flight *f = &q->ex[FU_MEM][s];
		const struct warp_stream *t = &e->stream[f->warp];

		v.did = LS_BUSY;
		if (ldst_accept(&e->ldst, e->di, now, f->inst, f->warp, f->group, t->cta,
				&t->rec[f->rec])) {
			free_slot(&q->ex_taken[FU_MEM], &q->ex_some, FU_MEM, s);
			v.did |= LS_ACCEPTED;
		}
	}
	c->unit_at = ldst_due(&e->ldst);
	return v;
}

/* ---------------------------------------------------------------- collector */

/* Collectors that have all operands and whose slot before the pipes is free. */
static unsigned
dispatchable_collectors(const struct subs *q)
{
	unsigned can = q->cu_ready;

	for (unsigned m = can; m; m &= m - 1) {
		unsigned cu = (unsigned)__builtin_ctz(m);

		can &= ~((q->ex_taken[q->cu_fu[cu]] >> cu / 2 & 1u) << cu);
	}
	return can;
}

/* Each dispatcher moves one collector: the first one found from the sub-core after the one of
 * its last pick. Within a sub-core the lower collector goes first. */
static bool
dispatch_collectors(struct subs *q)
{
	unsigned can = dispatchable_collectors(q);

	if (!can)
		return false;
	for (unsigned p = 0; p < SUB_COLLECTORS && can; p++) {
		unsigned from = (q->last[p] / 2 * 2 + 2u) % SUB_COLLECTORS;
		unsigned round = can >> from | can << (SUB_COLLECTORS - from);
		unsigned cu = (from + (unsigned)__builtin_ctz(round)) % SUB_COLLECTORS;
		unsigned fu = q->cu_fu[cu];

		q->last[p] = (uint8_t)cu;
		q->ex[fu][cu / 2] = q->cu[cu];
		take_slot(&q->ex_taken[fu], &q->ex_some, fu, cu / 2);
		q->cu_taken &= (uint8_t) ~(1u << cu);
		q->cu_ready &= (uint8_t) ~(1u << cu);
		can = dispatchable_collectors(q);
	}
	return true;
}

static bool
read_banks(struct core *c, struct subs *q)
{
	uint32_t m = c->bank_some & ~c->banks_written;
	bool any = m;

	for (; m; m &= m - 1) {
		unsigned cu = bank_pop(c, (unsigned)__builtin_ctz(m));

		q->cu_ready |= (uint8_t)((unsigned)!--q->cu_left[cu] << cu);
	}
	return any;
}

static void
fill_collector(struct core_env *e, unsigned fu, unsigned s, unsigned cu)
{
	struct core *c = e->core;
	struct subs *q = core_subs(e);
	const struct flight *f = &q->id[fu][s];
	const struct dinst *d = &e->di[f->inst];

	q->cu[cu] = *f;
	q->cu_fu[cu] = (uint8_t)fu;
	q->cu_left[cu] = d->n_src;
	q->cu_taken |= (uint8_t)(1u << cu);
	q->cu_ready |= (uint8_t)((unsigned)!d->n_src << cu);
	for (unsigned i = 0; i < d->n_src; i++)
		bank_push(c, bank_of(e, d->src_bank[i], f->warp), cu);
	free_slot(&q->id_taken[fu], &q->id_some, fu, s);
	c->no_room &= ~(c->by_fu[fu] & e->shape->sched_warps[s]);
}

/* Each port moves the oldest instruction of every class into a free collector of its sub-core.
 * If that sub-core has none, the instructions of that class in other sub-cores wait as well. */
static bool
fill_collectors(struct core_env *e)
{
	struct subs *q = core_subs(e);
	bool any = false;

	for (unsigned p = 0; p < SUB_COLLECTORS && q->id_some; p++) {
		bool moved = false;

		for (unsigned k = 0; k < ARRAY_LEN(port_order); k++) {
			unsigned fu = port_order[k], s, room;

			if (!q->id_taken[fu])
				continue;
			s = oldest_slot(q->id[fu], q->id_taken[fu]);
			room = ~(unsigned)q->cu_taken >> 2 * s & 3;
			if (!room)
				continue;
			fill_collector(e, fu, s, 2 * s + (unsigned)__builtin_ctz(room));
			moved = true;
		}
		if (!moved)
			break;
		any = true;
	}
	return any;
}

/* Does the oldest instruction of a class wait in a sub-core whose collectors are both occupied by
 * instructions for the load/store unit? Then fill_collectors() moves none of that class. */
static bool
collectors_wait_for_unit(const struct subs *q, unsigned fu)
{
	unsigned cu = 2 * oldest_slot(q->id[fu], q->id_taken[fu]);

	return (q->cu_taken >> cu & 3) == 3 && q->cu_fu[cu] == FU_MEM && q->cu_fu[cu + 1] == FU_MEM;
}

uint64_t
sub_behind_unit(const struct core_env *e)
{
	const struct subs *q = core_subs(e);
	uint64_t behind = 0;

	for (unsigned m = q->id_some; m; m &= m - 1) {
		unsigned fu = (unsigned)__builtin_ctz(m);

		if (fu != FU_MEM && !collectors_wait_for_unit(q, fu))
			continue;
		for (unsigned k = q->id_taken[fu]; k; k &= k - 1) {
			unsigned s = (unsigned)__builtin_ctz(k);

			behind |= e->core->by_fu[fu] & e->shape->sched_warps[s];
			behind |= UINT64_C(1) << q->id[fu][s].warp; /* waits for its result */
		}
	}
	return behind;
}

/* Only the first step sees the banks that results have written in this cycle. */
bool
sub_collect(struct core_env *e)
{
	struct core *c = e->core;
	struct subs *q = core_subs(e);
	bool busy = false;

	for (unsigned i = 0; i < e->shape->reg_steps; i++) {
		if (q->cu_ready)
			busy |= dispatch_collectors(q);
		if (c->bank_some) {
			busy |= read_banks(c, q) || c->banks_written;
		}
		if (q->id_some)
			busy |= fill_collectors(e);
		c->banks_written = 0;
	}
	return busy;
}
