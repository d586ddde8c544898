/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hold.c - finds the instruction that a warp waits for between its issue and its write-back.
 *
 * An instruction is in a slot after issue, in a collector, in a slot before the pipes, or in a pipe
 * (ctascope-model(7) 4.5, 5 and 6). Older ones do not always go first there: the collectors of a
 * set, or of a sub-core, that come last do not move while those before them have work (5.7, 5.8).
 */
#include "core/core_part.h"

/* What is looked for: an instruction of a warp that writes a register, or (255) any. */
struct wanted {
	const struct core_env *e;
	unsigned warp;
	uint8_t reg;
};

static bool
is_wanted(const struct wanted *q, unsigned warp, uint32_t inst)
{
	const struct dinst *d = &q->e->di[inst];

	if (warp != q->warp)
		return false;
	for (unsigned i = 0; i < d->n_dst && q->reg != 255; i++)
		if (d->dst[i] == q->reg)
			return true;
	return q->reg == 255;
}

/* Takes this instruction, unless an older one was found before. */
static void
consider_flight(const struct wanted *q, struct core_hold *h, const struct flight *f,
		enum hold_place place, bool comes_last)
{
	uint32_t younger = q->e->core->uid - 1 - f->uid;

	if (!is_wanted(q, f->warp, f->inst) || (h->place != HOLD_NOWHERE && younger < h->younger))
		return;
	*h = (struct core_hold){.place = place,
				.comes_last = comes_last,
				.inst = f->inst,
				.fu = q->e->di[f->inst].fu,
				.younger = younger};
}

static void
find_in_core(const struct wanted *q, struct core_hold *h)
{
	const struct core *c = q->e->core;
	uint32_t used = 0;

	for (unsigned fu = 0; fu < FU_CLASSES; fu++) {
		const struct latch *id = &c->id_oc[fu], *ex = &c->oc_ex[fu];

		used |= c->cu_of_fu[fu];
		for (unsigned i = 0; i < id->n; i++)
			consider_flight(q, h, &c->flight[id->flight[i]], HOLD_ISSUED, false);
		for (unsigned i = 0; i < ex->n; i++)
			consider_flight(q, h, &c->flight[ex->flight[i]], HOLD_BEFORE_PIPE, false);
	}
	for (; used; used &= used - 1) {
		unsigned cu = (unsigned)__builtin_ctz(used);

		consider_flight(q, h, &c->flight[c->cu_flight[cu]],
				c->cu_ready >> cu & 1 ? HOLD_COLLECTED : HOLD_READING,
				q->e->shape->set_of[cu] != SET_GEN);
	}
}

static void
find_in_sub_core(const struct wanted *q, struct core_hold *h)
{
	const struct subs *p = core_subs(q->e);
	unsigned s = core_sub_of(q->warp);

	for (unsigned fu = 0; fu < FU_ALL; fu++) {
		if (p->id_taken[fu] >> s & 1)
			consider_flight(q, h, &p->id[fu][s], HOLD_ISSUED, false);
		if (p->ex_taken[fu] >> s & 1)
			consider_flight(q, h, &p->ex[fu][s], HOLD_BEFORE_PIPE, false);
	}
	for (unsigned cu = 2 * s; cu < 2 * s + 2; cu++)
		if (p->cu_taken >> cu & 1)
			consider_flight(q, h, &p->cu[cu],
					p->cu_ready >> cu & 1 ? HOLD_COLLECTED : HOLD_READING,
					cu % 2);
}

/* The entries of the wheel belong to the cycles from now - 2 on, as results are written back two
 * cycles after their pipe. now: the next cycle. */
static void
find_in_pipes(const struct wanted *q, struct core_hold *h, cycle_t now)
{
	struct core *c = q->e->core;

	for (unsigned i = 0; i < CORE_WHEEL; i++) {
		unsigned at = (unsigned)(now + i - 2) % CORE_WHEEL;
		const struct finish *f = &core_wheel(c)[at * q->e->shape->cfg->result_buses];

		if (!(c->wheel_some[at / 64] >> at % 64 & 1))
			continue;
		for (unsigned n = f->n; n; n--, f++) {
			if (!is_wanted(q, f->warp, f->inst))
				continue;
			*h = (struct core_hold){.place = HOLD_IN_PIPE,
						.inst = f->inst,
						.fu = q->e->di[f->inst].fu,
						.cycles = i + 1};
			return;
		}
	}
}

/* How long the interval of all pipes of the class still lasts; 0: one of them is free. */
static uint32_t
pipe_is_busy_for(const struct core_env *e, unsigned warp, unsigned fu, cycle_t now)
{
	cycle_t free = CYCLE_NEVER;

	if (fu == FU_MEM)
		return 0;
	if (e->shape->sub_cores) {
		free = core_subs(e)->unit_free[fu][core_sub_of(warp)];
	} else {
		unsigned unit = e->shape->first_unit[fu], end = unit + e->shape->units[fu];

		for (; unit < end; unit++)
			free = MIN(free, e->core->unit_free[unit]);
	}
	return free > now ? (uint32_t)(free - now) : 0;
}

struct core_hold
core_find_hold(const struct core_env *e, unsigned warp, unsigned reg, cycle_t now)
{
	const struct wanted q = {e, warp, (uint8_t)reg};
	struct core_hold h = {.place = HOLD_NOWHERE};

	if (e->shape->sub_cores)
		find_in_sub_core(&q, &h);
	else
		find_in_core(&q, &h);
	if (h.place == HOLD_NOWHERE)
		find_in_pipes(&q, &h, now);
	else if (h.place == HOLD_BEFORE_PIPE)
		h.cycles = pipe_is_busy_for(e, warp, h.fu, now);
	return h;
}

uint64_t
core_ready_without_slot(const struct core *c)
{
	return c->ready & c->no_room;
}
