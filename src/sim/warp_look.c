/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warp_look.c - shows warps as plain structs: their status, and the instruction that one waits for.
 */
#include "sim/sim_priv.h"
#include <string.h>

unsigned
sim_warps(const struct sim *s)
{
	return s->shape.n_warps;
}

enum warp_status
warp_status_of(const struct core_masks *m, unsigned w)
{
	uint64_t bit = UINT64_C(1) << w;

	if (!(m->live & bit))
		return WARP_FREE;
	if (m->done & bit)
		return WARP_DRAINING;
	if (m->barrier & bit)
		return WARP_BARRIER;
	if (m->membar & bit)
		return WARP_MEMBAR;
	if ((m->atomic | m->depbar) & bit)
		return WARP_ATOMIC;
	if (m->ready & bit)
		return WARP_READY;
	if (m->memwait & bit)
		return WARP_MEMORY;
	return m->fetched & bit ? WARP_DEPENDENCE : WARP_UNFETCHED;
}

/* The first register of the instruction that is still pending. */
static uint8_t
first_wait(const struct warp *p, const struct dinst *d)
{
	for (unsigned k = 0; k < 4; k++) {
		uint64_t m = warp_waits_for(p, d, k);

		if (m)
			return (uint8_t)(k * 64 + (unsigned)__builtin_ctzll(m));
	}
	return 255;
}

void
sim_warp_view(const struct sim *s, unsigned core, unsigned warp, struct warp_view *v)
{
	const struct core_env *e = &s->core[core];
	const struct core_masks m = core_masks(e->core);
	const struct warp *p = core_warp(e->core, warp);
	const struct winst *r;

	*v = (struct warp_view){.status = warp_status_of(&m, warp),
				.wait_reg = 255,
				.cta = UINT32_MAX};
	if (v->status == WARP_FREE)
		return;
	v->paused = core_paused(e->core) >> p->slot & 1;
	v->held = core_held(e->core) >> p->slot & 1;
	v->cta = core_slot(e->core, p->slot).cta;
	v->kernel = concurrent_kernel_of(s, core, p->slot);
	v->warp_in_cta = p->warp_in_cta;
	v->done = p->head;
	v->total = p->n;
	v->stores = p->stores;
	if (p->head >= p->n || !e->stream[warp].rec)
		return;
	r = &e->stream[warp].rec[p->head];
	v->next = &s->info->kernel[v->kernel].inst[r->inst];
	v->mask = r->mask;
	if (v->status == WARP_MEMORY || v->status == WARP_DEPENDENCE)
		v->wait_reg = first_wait(p, &e->di[p->head_inst]);
}

/* The names of the pipes in ctascope-model(7) 6.1 and 6.5. */
static const char *const pipe_name[FU_ALL] = {
	[FU_SP] = "SP",		[FU_SFU] = "SFU",	[FU_MEM] = "load/store",
	[FU_BRANCH] = "branch", [FU_TEX] = "texture",	[FU_DP] = "DP",
	[FU_INT] = "INT",	[FU_TENSOR] = "tensor", [FU_UNIFORM] = "uniform",
};

static const struct inst *
inst_of(const struct sim *s, const struct warp_view *v, const struct warp *p, uint32_t inst)
{
	return &s->info->kernel[v->kernel].inst[inst - p->inst_base];
}

void
sim_warp_hold(const struct sim *s, unsigned core, unsigned warp, struct warp_hold *h)
{
	const struct core_env *e = &s->core[core];
	const struct warp *p = core_warp(e->core, warp);
	uint64_t bit = UINT64_C(1) << warp;
	struct warp_view v;
	struct core_hold found;

	*h = (struct warp_hold){.place = HOLD_NOWHERE};
	sim_warp_view(s, core, warp, &v);
	if (v.status == WARP_READY) {
		h->held_back = core_ready_but_held_back(e) & bit;
		h->no_slot = core_ready_without_slot(e->core) & bit;
		h->pipe = pipe_name[e->di[p->head_inst].fu];
	}
	if (v.status != WARP_MEMORY && v.status != WARP_DEPENDENCE && v.status != WARP_DRAINING)
		return;
	found = core_find_hold(e, warp, v.wait_reg, s->machine->cycle);
	h->place = found.place;
	if (found.place == HOLD_NOWHERE)
		return;
	h->inst = inst_of(s, &v, p, found.inst);
	h->pipe = pipe_name[found.fu];
	h->comes_last = found.comes_last;
	h->younger = found.younger;
	h->cycles = found.cycles;
}
