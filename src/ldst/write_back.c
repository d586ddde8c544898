/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * write_back.c - moves results of the load/store unit to the registers (ctascope-model(7) 7).
 *
 * One result per cycle: shared memory, the caches and the accesses that bypass L1 take turns for
 * the write-back register, which waits until the banks of its registers are free.
 */
#include "ldst/ldst_part.h"

enum wb_client { WB_SMEM, WB_TEX, WB_CONST, WB_BYPASS, WB_L1, WB_CLIENTS };

static const uint8_t cache_of[WB_CLIENTS] = {[WB_SMEM] = L1_KINDS,
					     [WB_TEX] = L1_TEX,
					     [WB_CONST] = L1_CONST,
					     [WB_BYPASS] = L1_KINDS,
					     [WB_L1] = L1_DATA};

static inline void
release_registers(const struct ldst_env *e, unsigned warp, const struct dinst *d)
{
	warp_release(&e->warp[warp], d);
	*e->changed |= UINT64_C(1) << warp;
}

/* A warp may exit before its copies complete; another warp may have its place by now. */
static NOINLINE void
end_copy(const struct ldst_env *e, const struct load *l)
{
	struct warp *w = &e->warp[l->warp];

	if (w->age == l->age)
		warp_group_leave(w, l->group);
}

HOT void
ldst_access_done(const struct ldst_env *e, const struct dinst *di, cycle_t now, unsigned id)
{
	struct ldst *u = e->unit;
	struct load *l = &u->loads[id];
	assert(l->left);
	if (--l->left)
		return;
	u->st.loads_done++;
	u->st.load_cycles += now - l->born;
	u->st.overlap_cycles += arith_cycles(e->arith, now) - l->arith;
	if (!load_outlives(e, l))
		release_registers(e, l->warp, &di[l->inst]);
	if (unlikely(l->copies))
		end_copy(e, l);
	l->next = u->free_load;
	u->free_load = (uint16_t)id;
}

HOT void
ldst_write_back(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t *banks)
{
	struct ldst *u = e->unit;
	const struct dinst *d = NULL;
	const uint32_t by_others = *banks;
	const bool in_turn = e->cfg->banks_in_turn;

	if (u->wb_smem)
		d = &di[u->wb_inst];
	else if (u->wb_load != LOAD_NONE && !load_outlives(e, &u->loads[u->wb_load]))
		d = &di[u->loads[u->wb_load].inst];
	for (unsigned i = u->wb_claimed; d && i < d->n_dst; i++) {
		uint32_t bank = 1u << (((d->dst[i] + 1u + u->wb_warp) & (e->reg_banks - 1u)) +
				       (u->wb_warp & e->sub_last) * e->reg_banks);

		if ((in_turn ? *banks : by_others) & bank) {
			u->wb_claimed = in_turn ? (uint8_t)i : 0;
			return;
		}
		*banks |= bank;
	}
	u->wb_claimed = 0;
	if (u->wb_smem)
		release_registers(e, u->wb_warp, d);
	else if (u->wb_load != LOAD_NONE)
		ldst_access_done(e, di, now, u->wb_load);
	u->wb_valid = 0;
}

/* The sources with a result for the write-back register, one bit each. */
static unsigned
ready_clients(const struct ldst *u, cycle_t now)
{
	unsigned can = u->has_data & 1u << L1_DATA ? 1u << WB_L1 : 0;

	if (u->sm_n && u->smem[u->sm_head % LQ_SIZE].ready <= now)
		can |= 1u << WB_SMEM;
	if (u->bypass != REQ_NONE)
		can |= 1u << WB_BYPASS;
	if (u->has_data & 1u << L1_TEX)
		can |= 1u << WB_TEX;
	if (u->has_data & 1u << L1_CONST)
		can |= 1u << WB_CONST;
	return can;
}

static void
take_shared(const struct ldst_env *e, cycle_t now)
{
	struct ldst *u = e->unit;
	struct smem_entry *s = &u->smem[u->sm_head++ % LQ_SIZE];

	if (--u->sm_n) { /* the next entry moves up in this cycle and leaves in the next one at the
			    earliest */
		struct smem_entry *n = &u->smem[u->sm_head % LQ_SIZE];

		n->ready = MAX(n->ready, now + 1);
	}
	u->wb_smem = s->has_regs;
	u->wb_load = LOAD_NONE;
	u->wb_inst = s->inst;
	u->wb_warp = s->warp;
	assert(e->warp[s->warp].in_pipe && e->warp[s->warp].atomics >= s->lanes);
	e->warp[s->warp].in_pipe--;
	e->warp[s->warp].atomics -= s->lanes;
	*e->changed |= UINT64_C(1) << s->warp;
}

static void
take_bypass(const struct ldst_env *e)
{
	struct ldst *u = e->unit;
	struct req *r = &e->req[u->bypass >> 2];

	u->wb_smem = 0;
	u->wb_load = r->id;
	u->wb_warp = r->warp;
	if (r->kind == REQ_ATOMIC) {
		assert(e->warp[r->warp].atomics >= r->lanes);
		e->warp[r->warp].atomics -= r->lanes;
		*e->changed |= UINT64_C(1) << r->warp;
	}
	req_sector_done(e->pool, e->req, u->bypass >> 2);
	u->bypass = REQ_NONE;
}

static void
take_line(const struct ldst_env *e, unsigned cache)
{
	struct ldst *u = e->unit;
	struct mshr *m = &e->mshr[cache];
	unsigned used = m->state->used;
	uint32_t h = mshr_next_ready(m);

	u->happened |= m->state->used < used ? LDST_TAKEN | LDST_FREED : LDST_TAKEN;
	if (!mshr_has_ready(m))
		u->has_data &= (uint8_t) ~(1u << cache);
	u->wb_smem = 0;
	u->wb_load = (uint16_t)h;
	u->wb_warp = h == LOAD_NONE ? 0 : u->loads[h].warp;
}

HOT bool
ldst_choose_result(const struct ldst_env *e, cycle_t now)
{
	struct ldst *u = e->unit;

	unsigned can = ready_clients(u, now), c;

	if (!can)
		return false;
	c = (unsigned)__builtin_ctz(can >> u->wb_arb ? can >> u->wb_arb << u->wb_arb : can);
	if (c == WB_SMEM)
		take_shared(e, now);
	else if (c == WB_BYPASS)
		take_bypass(e);
	else
		take_line(e, cache_of[c]);
	u->wb_valid = 1;
	u->wb_arb = (uint8_t)(c + 1 == WB_CLIENTS ? 0 : c + 1);
	return true;
}
