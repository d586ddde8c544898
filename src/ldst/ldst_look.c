/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldst_look.c - queries of a load/store unit, and the booking of cycles it slept through.
 */
#include "ldst/ldst_part.h"

size_t
ldst_bytes(const struct ldst_cfg *k)
{
	return sizeof(struct ldst) + (k->sectored ? sizeof(struct sector_l1) : 0);
}

size_t
ldst_places(const struct ldst_cfg *k, const struct cache_cfg *l1d)
{
	return k->sectored ? SECTOR_LINES : tags_places(l1d);
}

unsigned
ldst_ways(const struct ldst_env *e)
{
	return e->sectored ? e->ways : e->tags[L1_DATA].assoc;
}

static bool
any_sector_arrived(uint32_t state)
{
	return state & (SEC_ALL(SEC_VALID) | SEC_ALL(SEC_MODIFIED));
}

struct ldst_line
ldst_line(const struct ldst_env *e, unsigned set, unsigned way)
{
	const struct tags *t = &e->tags[L1_DATA];
	uint32_t index = e->sectored ? set * e->ways + way : set << t->way_bits | way, state;
	struct ldst_line l = {.owner = t->owners->of[index]};

	if (e->sectored) {
		const struct sector_line *s = &ldst_sectors(e)->line[index];

		l.addr = s->tag;
		state = s->state;
	} else {
		l.addr = t->lines[index].tag;
		state = t->lines[index].state;
	}
	l.used = state;
	l.pending = state && !any_sector_arrived(state);
	return l;
}

cycle_t
ldst_due(const struct ldst_env *e)
{
	const struct ldst *u = e->unit;

	if (u->replied)
		return 0;
	if (u->what | u->lq_n | u->mq_n | u->sm_n | u->has_data | u->wb_valid ||
	    u->bypass != REQ_NONE)
		return u->quiet_until;
	return CYCLE_NEVER;
}

void
ldst_begin_kernel(const struct ldst_env *e, uint32_t age)
{
	e->unit->kernel_age = age;
}

bool
ldst_is_free(const struct ldst_env *e)
{
	return e->unit->what == LDST_IDLE;
}

unsigned
ldst_next_release(const struct ldst_env *e)
{
	const struct ldst *u = e->unit;

	if (!u->wb_valid)
		return MAX_WARPS;
	if (u->wb_smem)
		return u->wb_warp;
	return u->wb_load != LOAD_NONE && u->loads[u->wb_load].left == 1 ? u->wb_warp : MAX_WARPS;
}

bool
ldst_nearly_free(const struct ldst_env *e)
{
	return e->unit->n_acc <= 1;
}

bool
ldst_is_blocked(const struct ldst_env *e)
{
	const struct ldst *u = e->unit;

	return u->blocked_on || (u->what == LDST_BYPASS && u->n_acc && fifo_full(e->out->q));
}

const struct ldst_stat *
ldst_stat(const struct ldst_env *e)
{
	return &e->unit->st;
}

void
ldst_settle(const struct ldst_env *e, cycle_t now)
{
	if (!e->unit->blocked_on)
		return;
	e->unit->st.l1_fails += now - e->unit->fails_from;
	e->unit->fails_from = now;
}

void
ldst_count_reply(const struct ldst_env *e, const struct req *r)
{
	e->unit->st.replies += ldst_sectors_answered(e, r);
}

uint64_t
ldst_stall_run(const struct ldst_env *e, cycle_t now)
{
	const struct ldst *u = e->unit;

	return u->blocked_on ? MAX(u->longest_run, now - u->blocked_from) : u->longest_run;
}

void
ldst_forget_runs(const struct ldst_env *e, cycle_t now)
{
	e->unit->longest_run = 0;
	e->unit->blocked_from = now;
}

struct ldst_runs
ldst_runs(const struct ldst_env *e)
{
	return (struct ldst_runs){.from = e->unit->blocked_from, .longest = e->unit->longest_run};
}

void
ldst_put_runs(const struct ldst_env *e, struct ldst_runs r)
{
	e->unit->blocked_from = r.from;
	e->unit->longest_run = r.longest;
}
