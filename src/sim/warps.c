/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warps.c - asks the policies which warps of a core may issue, and applies the answer
 * (ctascope-model(7) 16.11).
 *
 * A stack in which no policy orders warps costs nothing. With one that does, a core is marked when
 * a CTA came, a warp exited or came to a barrier, or when a policy that watches L1 wants to be
 * asked. Marked cores and those that are due are asked at the end of the cycle, after CTAs have
 * ended and come, and the answer holds from the next cycle on.
 */
#include "sim/sim_priv.h"

void
warps_mark(struct sim *s, unsigned core)
{
	s->sleep->order[core / 64] |= UINT64_C(1) << core % 64;
	s->sleep->look_at = 0;
}

static void
warps_changed(void *ctx, unsigned core)
{
	warps_mark(ctx, core);
}

static void
line_comes(void *ctx, unsigned core, unsigned warp, uint32_t place, uint64_t line, uint64_t evicted)
{
	struct sim *s = ctx;
	struct cta_l1_miss m = {.line = line,
				.evicted = evicted,
				.place = (uint16_t)place,
				.warp = (uint8_t)warp};

	if (place < CTA_L1_PLACES && cta_l1_miss(&s->stack, core, &m))
		warps_mark(s, core);
}
_Static_assert(CTA_NO_LINE == LINE_NONE, "policies know it by another name");

void
warps_attach(struct sim *s)
{
	struct ldst_listener *l = &s->l1_listener;

	s->orders_warps = cta_orders_warps(&s->stack);
	l->brings = cta_watches_l1(&s->stack) ? line_comes : NULL;
	l->ctx = s;
	for (unsigned c = 0; c < s->n_cores; c++) {
		s->core[c].ldst.listener = l->brings || l->profile ? l : NULL;
		s->core[c].warps_changed = s->orders_warps ? warps_changed : NULL;
		s->core[c].warps_ctx = s;
	}
}

/* What a policy sees of the warps of a core. */
static struct cta_warps
look_at_core_warps(const struct sim *s, unsigned core)
{
	const struct core *c = s->core[core].core;
	const struct core_masks m = core_masks(c);
	uint64_t here = m.live & ~m.done, can = m.ready & here & ~m.barrier;
	struct cta_warps w = {.unfinished = here,
			      .at_barrier = m.barrier & here,
			      .wait_memory = (m.memwait | m.membar | m.atomic | m.depbar) & here,
			      .ready = can,
			      .loads = can & core_ready_for_memory(c),
			      .warp_insts = core_stat(c)->warp_insts,
			      .n_sched = s->shape.n_sched};
	uint64_t of_order[MAX_CTAS] = {0};

	for (uint32_t k = core_used(c); k; k &= k - 1) {
		struct core_slot slot = core_slot(c, (unsigned)__builtin_ctz(k));

		of_order[slot.order] = slot.warps & here;
	}
	for (unsigned i = 0; i < MAX_CTAS; i++)
		for (uint64_t k = of_order[i]; k; k &= k - 1)
			w.oldest[w.n++] = (uint8_t)__builtin_ctzll(k);
	return w;
}

static void
ask_core(struct sim *s, unsigned core)
{
	struct cta_warps w = look_at_core_warps(s, core);
	struct cta_warp_order o;

	cta_order_warps(&s->stack, core, &w, &o);
	if (core_set_order(&s->core[core], (struct core_order){o.stopped, o.no_memory, o.first}))
		sim_wake_core(s, core);
}

void
warps_ask(struct sim *s)
{
	const struct cta_host *h = s->stack.host;

	for (unsigned c = 0; c < s->n_cores; c++)
		if (s->sleep->order[c / 64] >> c % 64 & 1 || h->warps_due[c] <= s->machine->cycle)
			ask_core(s, c);
	s->sleep->order[0] = s->sleep->order[1] = 0;
}

void
warps_ask_again(struct sim *s)
{
	for (unsigned c = 0; c < s->n_cores; c++)
		ask_core(s, c); /* without a policy that asks, the answer is that all may */
}
