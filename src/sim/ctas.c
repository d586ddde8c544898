/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctas.c - launches, pauses and frees the CTAs of the cores: reports the cores to the policies of
 * src/cta, and applies the policies' answers to the cores (ctascope-model(7) 2).
 *
 * This is the only file that changes the slots of a core. The records of a CTA are pinned in the
 * trace while it is resident.
 */
#include "sim/sim_priv.h"
#include <string.h>

void
ctas_read_counters(const struct sim *s, unsigned c, struct cta_core *v)
{
	const struct core_stat *st = core_stat(s->core[c].core);
	const struct ldst_stat *l = ldst_stat(&s->core[c].ldst);

	v->c_mem = st->c_mem;
	v->c_idle = st->c_idle;
	v->blocked = st->cls[CC_BLOCKED];
	v->idle = st->cls[CC_IDLE];
	v->c_raw = st->c_raw;
	v->n_act = st->cls[CC_ACTIVE];
	v->n_inact = s->machine->cycle - st->cls[CC_ACTIVE] - st->cls[CC_GATED];
	v->thread_insts = st->thread_insts;
	v->loads = l->loads_done;
	v->load_cycles = l->load_cycles;
	v->mem_stall = l->l1_fails;
	v->mem_stall_run = ldst_stall_run(&s->core[c].ldst, s->machine->cycle);
	v->drained = v->state == CORE_PAUSED && core_drained(s->core[c].core);
}

/* Updates the counters of a core that the policies see. */
static void
show_counters(struct sim *s, unsigned c)
{
	core_settle(&s->core[c], s->machine->cycle);
	ctas_read_counters(s, c, &s->stack.host->core[c]);
}

void
ctas_show_counters(struct sim *s)
{
	for (unsigned c = 0; c < s->n_cores; c++)
		show_counters(s, c);
}

/* ---------------------------------------------------------------- pausing */

/* The number of CTAs in the slots, if the one in `slot` is their youngest (or oldest) one. */
static unsigned
count_among(const struct core *c, uint32_t slots, unsigned slot, bool youngest)
{
	unsigned n = 1;

	for (uint32_t k = slots & ~(1u << slot); k; k &= k - 1) {
		unsigned order = core_slot(c, (unsigned)__builtin_ctz(k)).order;

		n += (order < core_slot(c, slot).order) == youngest;
	}
	return n;
}

static void
set_pause(struct sim *s, unsigned core, unsigned slot, enum cta_pause how)
{
	core_pause(&s->core[core], slot, how);
	sim_wake_core(s, core);
}

/* Pauses or resumes one CTA and publishes the event. */
static void
pause_one(struct sim *s, unsigned core, unsigned slot, enum cta_pause how, uint32_t those,
	  const struct event *why)
{
	bool pause = how != CTA_RUNS;
	struct core_env *e = &s->core[core];
	struct event ev = {.kind = pause ? EV_PAUSE : EV_RESUME,
			   .core = (int16_t)core,
			   .slot = (int8_t)slot,
			   .cta = core_slot(e->core, slot).cta,
			   .resident = (uint8_t)s->stack.host->core[core].resident,
			   .among = (uint8_t)count_among(e->core, those, slot, pause),
			   .held = how == CTA_HELD,
			   .policy = POLICY_HOST,
			   .rule = HR_RESUME_DONE};

	if (why) {
		memcpy(ev.v, why->v, sizeof(ev.v));
		ev.policy = why->policy;
		ev.rule = why->rule;
		ev.limit_before = why->limit_before;
		ev.limit = why->limit;
	}
	set_pause(s, core, slot, how);
	cta_paused(&s->stack, core,
		   (uint32_t)__builtin_popcount(core_paused(e->core) & concurrent_slots(s, core)));
	sim_emit(s, &ev);
}

/* Pauses the youngest resident CTAs and resumes the others, to fit the limits. The youngest of
 * the paused ones are held, the next ones deferred, as many as the policies want. */
void
ctas_repause(struct sim *s, unsigned core, const struct event *why)
{
	const struct core *c = s->core[core].core;
	const struct cta_pauses n = cta_to_pause(&s->stack, core);
	const uint32_t own = concurrent_slots(s, core), want = core_youngest(c, own, n.all),
		       held = core_youngest(c, own, n.held),
		       deferred = core_youngest(c, own, n.deferred) & ~held,
		       paused = core_paused(c) & own, running = own & ~paused;

	for (uint32_t k = (want ^ paused) | (held ^ (core_held(c) & own)) |
			  (deferred ^ (core_deferred(c) & own));
	     k; k &= k - 1) {
		unsigned slot = (unsigned)__builtin_ctz(k);
		enum cta_pause how = held >> slot & 1	    ? CTA_HELD
				     : deferred >> slot & 1 ? CTA_DEFERS
				     : want >> slot & 1	    ? CTA_YIELDS
							    : CTA_RUNS;

		if ((want ^ paused) >> slot & 1)
			pause_one(s, core, slot, how, how == CTA_RUNS ? paused : running, why);
		else /* already paused, but in another way */
			set_pause(s, core, slot, how);
	}
	cta_paused(&s->stack, core, (uint32_t)__builtin_popcount(core_paused(c) & own));
}

/* ---------------------------------------------------------------- leaving */

/* Frees those slots of a core whose CTAs are of the selected kernel. */
static void
free_slots(struct sim *s, unsigned core, uint32_t slots)
{
	struct core_env *e = &s->core[core];
	struct event why;
	bool changed = false;

	for (uint32_t k = slots; k; k &= k - 1) {
		unsigned i = (unsigned)__builtin_ctz(k);
		struct cta_resident cta = policy_resident(s, core, i);

		if (unlikely(s->profile != NULL))
			profile_cta_left(s, core, i);
		if (s->concurrent) {
			core_forget_warps(e, i);
			concurrent_note_end(s, cta.warp_insts);
		}
		core_free(e, i);
		trace_unpin(s->trace, s->stack.host->kernel, s->pin[core][i]);
		s->pin[core][i] = NULL;
		changed |= cta_done(&s->stack, core, i, &cta, &why);
	}
	ctas_repause(s, core, changed ? &why : NULL);
}

/* Frees the slots of a core whose last warp has retired. */
void
ctas_free(struct sim *s, unsigned core)
{
	uint32_t freed;

	core_settle(&s->core[core], s->machine->cycle);
	freed = core_take_freed(&s->core[core]);
	for (unsigned i = 0; concurrent_select_next(s, &i); i++)
		free_slots(s, core, freed & concurrent_slots(s, core));
	sim_wake_core(
		s,
		core); /* the core must compute its next visit again, which is part of its state */
	s->sleep->ask = 1;
}

/* ---------------------------------------------------------------- coming */

static bool
issue_to(struct sim *s, unsigned core)
{
	struct cta_choice choice;
	const unsigned place = concurrent_pick(s, core, &choice);
	const struct trace_kernel *t;
	const struct cta_trace *c;
	struct cta_host *h;
	struct reason why;
	uint32_t cta;
	unsigned slot;

	if (place == s->n_places)
		return false;
	concurrent_select(s, place);
	if (s->cfg->gpu.kernel_share == SHARE_ACCELSIM && s->concurrent)
		s->concurrent->turn = place;
	if (s->concurrent && !concurrent_has_room(s, core, &why))
		return false;
	h = s->stack.host;
	t = &s->info->kernel[h->kernel];
	if (!cta_may_issue(&s->stack, core, true, NULL)) {
		int to = cta_take_elsewhere(&s->stack);

		if (likely(to < 0))
			return false;
		core = (unsigned)to;
	}
	cta = cta_next(&s->stack, core);
	c = trace_pin(s->trace, h->kernel, cta, &s->failure);
	if (!c) {
		s->failure.set = true;
		return false;
	}
	core_settle(&s->core[core], s->machine->cycle);
	slot = core_launch(&s->core[core], s->machine->cycle, cta, c, t->warps_per_cta,
			   concurrent_code_base(s));
	s->pin[core][slot] = c;
	if (s->concurrent) {
		s->concurrent->place_of[core][slot] = (uint8_t)place;
		concurrent_note_issue(s);
		s->stack.choice = choice.by == POLICY_HOST ? NULL : &choice;
	}
	sim_wake_core(s, core);
	if (unlikely(s->orders_warps))
		warps_mark(s, core);
	cta_issued(&s->stack, core, slot, cta);
	s->stack.choice = NULL;
	ctas_repause(s, core, NULL);
	return true;
}

/* The order in which clusters are asked for the first time (ctascope-model(7) 2.4). A TPC is a
 * cluster of several cores, or two clusters of one. A GPC has as many neighbouring TPCs as the
 * others, or one more. */
void
ctas_order_clusters(struct sim *s)
{
	unsigned per_tpc = s->per_cluster == 1 ? 2 : 1, gpcs = s->cfg->gpu.gpcs, n = 0;
	unsigned tpcs = (s->n_clusters + per_tpc - 1) / per_tpc;

	for (unsigned i = 0; gpcs == 1 && i < s->n_clusters; i++)
		s->hand_out[i] = (uint8_t)i;
	for (unsigned k = 0; gpcs > 1 && k < per_tpc; k++)
		for (unsigned t = 0; t < tpcs; t++)
			for (unsigned g = 0; g < gpcs; g++) {
				unsigned tpc = g * tpcs / gpcs + t, cl = tpc * per_tpc + k;

				if (tpc < (g + 1) * tpcs / gpcs && cl < s->n_clusters)
					s->hand_out[n++] = (uint8_t)cl;
			}
}

/* Issues at most one CTA per cluster and cycle; clusters, and the cores of a cluster, take
 * turns. */
void
ctas_ask(struct sim *s)
{
	struct machine *m = s->machine;
	uint32_t last = m->last_cluster;
	uint64_t forced = kernels_forced(s);

	s->sleep->ask = concurrent_is_launching(s);
	for (unsigned i = 0; i < s->n_clusters && !s->failure.set; i++) {
		unsigned at = (i + last + 1) % s->n_clusters, cl = s->hand_out[at];

		for (unsigned j = 0; j < s->per_cluster; j++) {
			unsigned k = (j + m->last_core[cl] + 1u) % s->per_cluster;

			if (!issue_to(s, cl * s->per_cluster + k))
				continue;
			m->last_core[cl] = (uint8_t)k;
			m->last_cluster = at;
			s->sleep->ask = 1;
			break;
		}
	}
	if (unlikely(kernels_forced(s) != forced))
		s->sleep->ask = 1; /* a core that could not take a CTA is asked again */
}

void
ctas_end_periods(struct sim *s)
{
	if (s->machine->cycle < cta_next_period(&s->stack))
		return;
	for (unsigned c = 0; c < s->n_cores; c++) {
		struct event why;

		show_counters(s, c);
		if (cta_decide(&s->stack, c, &why))
			ctas_repause(s, c, &why);
	}
	cta_period_over(&s->stack);
	s->sleep->ask = 1;
}

/* After a restore: pins the records of the resident CTAs. */
void
ctas_attach(struct sim *s)
{
	for (unsigned i = 0; i < s->n_cores; i++)
		for (uint32_t k = core_used(s->core[i].core); k; k &= k - 1) {
			unsigned slot = (unsigned)__builtin_ctz(k);
			uint32_t cta = core_slot(s->core[i].core, slot).cta;
			const struct cta_trace *t =
				trace_pin(s->trace, concurrent_kernel_of(s, i, slot), cta,
					  &s->failure);

			s->pin[i][slot] = t;
			if (t)
				core_attach(&s->core[i], slot, t);
		}
}
