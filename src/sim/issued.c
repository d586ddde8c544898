/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * issued.c - notifies a listener when chosen instructions are issued. They are marked in the
 * kernel's decoded table, which the issue stage checks for special instructions anyway.
 */
#include "sim/sim_priv.h"

static void
on_issued(void *ctx, unsigned core, unsigned warp, uint32_t inst)
{
	struct sim *s = ctx;

	const struct warp *w = core_warp(s->core[core].core, warp);
	const uint32_t kernel = concurrent_kernel_of(s, core, w->slot);

	s->issued(s->issued_ctx, core, warp, &s->info->kernel[kernel].inst[inst - w->inst_base]);
}

void
issued_mark(struct sim *s, uint32_t kernel)
{
	const struct trace_kernel *t = &s->info->kernel[kernel];

	for (uint32_t i = 0; s->dinst[kernel] && i < t->n_inst; i++) {
		struct dinst *d = &s->dinst[kernel][i];

		d->flags &= (uint8_t)~DINST_TOLD;
		if (s->tell && s->tell(s->issued_ctx, kernel, &t->inst[i]))
			d->flags |= DINST_TOLD;
	}
}

void
sim_on_issue(struct sim *s, bool (*wanted)(void *ctx, uint32_t kernel, const struct inst *i),
	     void (*fn)(void *ctx, unsigned core, unsigned warp, const struct inst *i), void *ctx)
{
	s->tell = fn ? wanted : NULL;
	s->issued = fn;
	s->issued_ctx = ctx;
	for (unsigned i = 0; i < s->n_cores; i++) {
		s->core[i].issued = on_issued;
		s->core[i].issued_ctx = s;
	}
	for (uint32_t k = 0; k < s->info->n_kernels; k++)
		issued_mark(s, k);
	for (unsigned i = 0; s->concurrent && concurrent_select_next(s, &i); i++)
		concurrent_load_code(s, s->stack.host->kernel);
	concurrent_select_oldest(s);
}
