/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * core.c - one cycle of a core, its sleep, and the class of each cycle.
 *
 * Each cycle in which a core is on belongs to one class (ctascope-model(7) 14): "active" when an
 * instruction was issued or the SIMT lanes are still busy with the last one; "stall" when a ready
 * warp found its pipe taken, or "blocked" when that pipe is the load/store unit and it waits for
 * memory; otherwise "memory", "dependence" or "idle". Cycles are counted in runs: a run is booked
 * when the class changes, and the class cannot change while the core sleeps.
 *
 * A fast path covers the cycles in which only the load/store unit has work (a reply or a retry) or
 * in which results are written back and no warp can issue because of them: it skips the other
 * stages.
 *
 * Not modelled: dual issue, divergence (the trace has resolved it), a register cache.
 */
#include "core/core_part.h"
#include <stdlib.h>
#include <string.h>

#define OPT(...) DECL_ROW(struct core_cfg, __VA_ARGS__)
const struct opt_row core_opts[] = {
#include "core/core.def"
};
const unsigned core_n_opts = ARRAY_LEN(core_opts);

const char *const cycle_class_names[CC_CLASSES] = {"active",	 "stall", "blocked", "memory",
						   "dependence", "idle",  "gated"};

/* ---------------------------------------------------------------- set-up */

size_t
core_bytes(const struct core_cfg *k)
{
	return sizeof(struct core) + CORE_WHEEL * k->result_buses * sizeof(struct finish) +
	       (k->sub_cores ? sizeof(struct subs) : 0);
}

void
core_shape_init(struct core_shape *s)
{
	const struct core_cfg *k = s->cfg;
	unsigned unit = 0, cu = 0, du = 0;
	const uint32_t collectors[4] = {k->collectors_gen, k->collectors_sp, k->collectors_sfu,
					k->collectors_mem};
	const uint32_t ports[4] = {k->ports_gen, k->ports_sp, k->ports_sfu, k->ports_mem};
	const uint32_t units[FU_CLASSES] = {[FU_SP] = k->units_sp,
					    [FU_SFU] = k->units_sfu,
					    [FU_BRANCH] = k->units_branch,
					    [FU_TEX] = k->units_tex};
	const uint32_t slots[FU_CLASSES] = {[FU_SP] = k->slots_sp,
					    [FU_SFU] = k->slots_sfu,
					    [FU_MEM] = k->slots_mem,
					    [FU_BRANCH] = k->slots_branch,
					    [FU_TEX] = k->slots_tex};

	s->n_warps = (uint8_t)(k->threads / WARP_SIZE);
	s->n_sched = (uint8_t)k->schedulers;
	s->wsched = s->sched->inlined;
	s->lanes_cycles = (uint8_t)(WARP_SIZE / k->simt_width);
	s->fetch_width = (uint8_t)k->fetch_width;
	s->fetch_fallthrough = k->fetch_fallthrough;
	s->sub_cores = k->sub_cores;
	s->fetch_rounds = (uint8_t)k->fetch_rounds;
	s->reg_steps = (uint8_t)k->reg_steps;
	s->sub_banks = (uint8_t)(k->reg_banks / CORE_SUBS);
	for (unsigned f = 0; f < FU_CLASSES; f++) {
		s->slots[f] = (uint8_t)slots[f];
		s->units[f] = (uint8_t)units[f];
		s->first_unit[f] = (uint8_t)unit;
		unit += units[f];
	}
	assert(unit <= CORE_MAX_UNITS);
	for (unsigned i = 0; i < 4; i++) {
		s->set_first[i] = (uint8_t)cu;
		s->set_mask[i] = ((UINT32_C(1) << collectors[i]) - 1) << cu;
		s->ports[i] = (uint8_t)ports[i];
		s->first_du[i] = (uint8_t)du;
		memset(s->set_of + cu, (int)i, collectors[i]);
		du += ports[i];
		cu += collectors[i];
	}
	assert(cu <= CORE_COLLECTORS);
	for (unsigned f = 0; f < FU_CLASSES; f++)
		s->units_for[f] = s->set_mask[SET_GEN] | s->set_mask[core_set_of(f)];
	s->gen_only = 1u << FU_BRANCH | 1u << FU_TEX | (k->collectors_sp ? 0 : 1u << FU_SP) |
		      (k->collectors_sfu ? 0 : 1u << FU_SFU);
	for (unsigned i = 0; i < s->n_sched; i++)
		for (unsigned w = i; w < s->n_warps; w += s->n_sched)
			s->sched_warps[i] |= UINT64_C(1) << w;
}

void
core_init(struct core_env *e)
{
	const struct core_shape *k = e->shape;
	struct core *c = e->core;

	for (unsigned s = 0; s < 4; s++)
		c->cu_free |= k->set_mask[s];
	c->starve_at = c->unit_at = CYCLE_NEVER;
	core_set_rest_kind(c, CC_IDLE);
	for (unsigned s = 0; s < k->n_sched; s++)
		c->last[s] = (uint8_t)(k->wsched == WSCHED_GTO ? s : 63);
	e->ldst.warp = c->warp;
	e->ldst.changed = &c->changed;
	e->ldst.arith = &c->arith;
	c->arith.since = CYCLE_NEVER;
	ldst_init(&e->ldst);
}

/* ---------------------------------------------------------------- states set by a policy */

void
core_set_state(struct core_env *e, enum core_state state)
{
	struct core *c = e->core;

	if (core_state_of(c) == state)
		return;
	c->state = (uint8_t)((c->state & CORE_ORDERED) | state);
	c->still_until = 0;
	if (!core_is_on(c))
		core_set_rest_kind(c, state == CORE_OFF ? CC_GATED : CC_IDLE);
	if (state != CORE_OFF)
		return;
	ldst_invalidate_l1(&e->ldst);
	c->unit_at = ldst_due(&e->ldst);
	for (unsigned k = L1_TEX; k < L1_KINDS; k++)
		tags_invalidate(&e->ldst.tags[k]);
	tags_invalidate(e->l1i);
}

bool
core_drained(const struct core *c)
{
	for (uint64_t m = c->live; m; m &= m - 1) {
		const struct warp *p = &c->warp[__builtin_ctzll(m)];

		if (p->in_pipe != p->nbuf || p->stores || p->atomics || warp_pending(p))
			return false;
	}
	return true;
}

/* ---------------------------------------------------------------- one cycle */

/* The class of a cycle in which only memory decides whether a ready warp is held back. */
static inline enum cycle_class
stall_class(const struct core_env *e)
{
	return ldst_is_blocked(&e->ldst) ? CC_BLOCKED : CC_STALL;
}

/* Ready warps that are held back by instructions waiting for the load/store unit: warps whose
 * next instruction is for that unit, and warps that need a general collector when such instructions
 * occupy all of them. */
static uint64_t
held_by_unit(const struct core_env *e)
{
	const struct core *c = e->core;
	bool all = !(e->shape->set_mask[SET_GEN] & ~c->cu_of_fu[FU_MEM]);
	uint64_t behind = 0;

	if (core_state_of(c) >= CORE_THROTTLED)
		return 0;
	if (e->shape->sub_cores)
		return sub_behind_unit(e);
	for (unsigned k = c->id_full & (1u << FU_MEM | (all ? e->shape->gen_only : 0)); k;
	     k &= k - 1)
		behind |= c->by_fu[__builtin_ctz(k)];
	return behind;
}

/* The kind of a cycle in which no SIMT lane works. */
HOT static NOINLINE unsigned
kind_at_rest(const struct core_env *e)
{
	const struct core *c = e->core;
	uint64_t unfinished = c->live & ~(c->done | c->absent);
	uint64_t act = unfinished & ~c->barrier;
	uint64_t held = c->membar | c->atomic | c->depbar | (c->deferred ? issue_deferred(e) : 0);
	uint64_t mem = (c->memwait | held) & act;
	uint64_t fetched = (c->valid | held) & act;

	if (c->ready & act & ~held)
		return act & ~mem & ~held_by_unit(e) ? CC_STALL : stall_class(e) | MAY_BLOCK;
	if (!fetched)
		return unfinished ? CC_IDLE : CC_IDLE | NO_WARP;
	return (mem == act ? CC_MEMORY : CC_DEPENDENCE) | (fetched == act ? WAITS_RAW : 0);
}

/* The kind of cycle `now` when nothing is issued: active while the lanes are busy (until
 * lanes_until) if a warp is ready. */
static inline unsigned
kind_without_issue(const struct core_env *e, cycle_t now)
{
	const struct core *c = e->core;

	if (now < c->lanes_until &&
	    c->ready & c->live &
		    ~(c->done | c->absent | c->barrier | c->membar | c->atomic | c->depbar |
		      (c->deferred ? issue_deferred(e) : 0)))
		return CC_ACTIVE;
	return kind_at_rest(e);
}

static void
book_cycles(struct core *c, uint64_t cycles)
{
	enum cycle_class cls = c->kind & KIND_CLASS;

	c->st.cls[cls] += cycles;
	c->st.occupied += c->resident ? cycles : 0;
	c->st.c_mem += cls == CC_MEMORY || cls == CC_BLOCKED ? cycles : 0;
	c->st.c_raw += c->kind & WAITS_RAW ? cycles : 0;
	if (unlikely(c->kind & NO_WARP)) /* c_idle lies on another cache line */
		c->st.c_idle += cycles;
}

HOT static void
settle_class(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;
	uint64_t n = now - c->booked_to;

	if (!n)
		return;
	book_cycles(c, n);
	if (e->shape->n_sched > 1 && core_is_on(c))
		c->prio = (uint8_t)((c->prio + n) % e->shape->n_sched);
	c->booked_to = now;
}

void
core_settle(struct core_env *e, cycle_t now)
{
	ldst_settle(&e->ldst, now);
	settle_class(e, now);
}

/* Sets the kind of cycle `now`. If it differs from the current kind, the earlier cycles are
 * booked first. */
static inline void
set_kind(struct core_env *e, cycle_t now, unsigned kind)
{
	struct core *c = e->core;

	if (kind == c->kind)
		return;
	settle_class(e, now);
	c->kind = (uint8_t)kind;
}

/* The next cycle in which a core without work in the other stages needs a visit. */
static inline cycle_t
next_visit(const struct core *c, cycle_t now, bool busy, cycle_t next)
{
	cycle_t written;

	if (busy)
		return now + 1;
	written = exec_next_write_back(c, now);
	next = MIN(next, c->still_until);
	return MIN(next, written);
}

/* A cycle in which only the load/store unit worked. Its class is that of the cycle before,
 * except that the unit may have become blocked by memory or free again. */
static inline void
pass_unit_only(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;

	c->banks_written = 0;
	if (c->kind & MAY_BLOCK)
		set_kind(e, now, stall_class(e) | MAY_BLOCK);
}

/* A cycle in which the load/store unit worked and results were written or stores acknowledged.
 * Returns false when a warp can now issue or retire, so that the other stages must run. */
static bool
pass_release(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;
	unsigned kind;

	issue_look_again(e);
	if (c->absent || c->deferred || c->retire || issue_has_work(e))
		return false;
	c->banks_written = 0;
	kind = kind_without_issue(e, now);
	if (kind == CC_ACTIVE)
		c->still_until = MIN(c->still_until, c->lanes_until);
	set_kind(e, now, kind);
	return true;
}

/* Runs the stages before the load/store unit (collector to fetch) and sets the kind of the
 * cycle. */
HOT static bool
front_stages(struct core_env *e, cycle_t now, cycle_t *next)
{
	struct core *c = e->core;
	unsigned kind = CC_ACTIVE;
	bool busy = collector_step(e);

	if (c->changed)
		issue_look_again(e);
	if (issue_step(e, now)) {
		busy = true;
	} else {
		kind = kind_without_issue(e, now);
		if (kind == CC_ACTIVE)
			*next = MIN(*next, c->lanes_until);
	}
	busy |= decode_step(e);
	busy |= fetch_step(e, now);
	if (c->changed)
		issue_look_again(e);
	set_kind(e, now, kind);
	return busy;
}

/* Called after a cycle with work. If only the load/store unit can have work in the next cycle,
 * that cycle's kind is set now, so that the other stages need no visit. */
static inline void
look_ahead(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;
	unsigned kind;
	cycle_t next;

	if (c->bank_some || c->absent || c->deferred || fetch_has_work(e) || issue_has_work(e) ||
	    collector_has_work(e))
		return;
	next = exec_next_take(e, now);
	if (next == now + 1)
		return;
	kind = kind_without_issue(e, now + 1);
	set_kind(e, now + 1, kind);
	c->still_until = kind == CC_ACTIVE ? MIN(next, c->lanes_until) : next;
}

/* Sub-cores: re-examines the warps marked changed. */
static void
sub_look_again(struct core_env *e)
{
	struct core *c = e->core;
	uint64_t changed = c->changed, m;

	c->changed = 0;
	issue_look_at_ends(c, changed & (c->done | c->atomic | c->depbar));
	m = changed & c->valid & ~c->ready;
	if (m)
		sub_look_at(e, m);
}

/* A group scheduler may hold back a warp of a paused CTA until it starves, and a CTA that defers
 * one until the running warps have their data. */
static inline bool
waits_for_issue(const struct core_env *e)
{
	const struct core *c = e->core;

	return c->ready && ((c->paused && e->shape->sched->holds) || c->deferred);
}

/* One cycle of a core with sub-cores. A stage that did nothing stays idle until a pipe becomes
 * free, a result is written or something arrives from outside. */
static NOINLINE cycle_t
tick_subs(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;
	cycle_t next = CYCLE_NEVER, written;
	struct unit_visit unit = {.next = c->unit_at};
	unsigned kind = CC_ACTIVE;
	bool busy = sub_write_back(e, now);

	busy |= sub_pipes(e, now, &next);
	if (now >= c->unit_at || (sub_mem_waits(e) && ldst_is_free(&e->ldst)))
		unit = sub_load_store(e, now);
	busy |= sub_collect(e);
	if (c->changed)
		sub_look_again(e);
	if (sub_issue(e, now)) {
		busy = true;
	} else {
		kind = kind_without_issue(e, now);
		if (kind == CC_ACTIVE)
			next = MIN(next, c->lanes_until);
	}
	busy |= sub_fetch(e, now);
	if (c->changed)
		sub_look_again(e);
	set_kind(e, now, kind);
	if (unlikely(c->absent))
		next = MIN(next, issue_next_starved(e, now));
	busy |= unit.did || waits_for_issue(e) || (sub_mem_waits(e) && ldst_is_free(&e->ldst));
	if (busy)
		return now + 1;
	written = exec_next_write_back(c, now);
	next = MIN(next, unit.next);
	return MIN(next, written);
}

/* A core without a CTA rests, as in the reference. It may still receive replies to loads that no
 * warp waited for: copies and loads without a destination register. They are taken only when the
 * response buffer is full, because they would otherwise block the cluster for ever. */
static NOINLINE cycle_t
tick_without_cta(struct core_env *e, cycle_t now)
{
	if (!fifo_full(e->ldst.resp))
		return CYCLE_NEVER;
	if (e->shape->sub_cores)
		sub_load_store(e, now);
	else
		exec_load_store_without_cta(e, now);
	e->core->banks_written = 0;
	e->core->changed = 0;
	return now + 1;
}

HOT cycle_t
core_tick(struct core_env *e, cycle_t now)
{
	struct core *c = e->core;
	cycle_t next = CYCLE_NEVER;
	struct unit_visit unit = {.next = c->unit_at};
	bool still = now < c->still_until && !c->changed, busy;

	if (!core_is_on(c))
		return tick_without_cta(e, now);
	if (e->shape->sub_cores)
		return tick_subs(e, now);
	busy = exec_write_back(e, now);
	if (!still)
		busy |= exec_pipes(e, now, &next);
	if (now >= c->unit_at || (c->ex_some >> FU_MEM & 1 && ldst_is_free(&e->ldst)))
		unit = exec_load_store(e, now);
	if (still) {
		if (!(unit.did & LS_ACCEPTED)) {
			if (!c->changed)
				pass_unit_only(e, now);
			if (!c->changed || pass_release(e, now))
				return next_visit(c, now, unit.did, unit.next);
		}
		next = c->still_until;
	}
	busy |= front_stages(e, now, &next);
	c->still_until = 0;
	if (unlikely(c->absent))
		next = MIN(next, issue_next_starved(e, now));
	if (!busy && !(c->l1i_some & L1I_ASKS)) {
		if (unlikely(c->paused) && waits_for_issue(e))
			return now + 1;
		c->still_until = next;
		return next_visit(c, now, unit.did, unit.next);
	}
	if (!busy) {
		cycle_t written = exec_next_write_back(c, now);

		next = MIN(next, unit.next);
		return unit.did ? now + 1 : MIN(next, written);
	}
	look_ahead(e, now);
	busy = unit.did || !c->still_until || (c->ex_some >> FU_MEM & 1 && ldst_is_free(&e->ldst));
	return next_visit(c, now, busy, unit.next);
}

enum ldst_reply
core_take_sector(struct core_env *e, cycle_t now, uint32_t token)
{
	struct core *c = e->core;
	enum ldst_reply r =
		core_is_on(c) ? ldst_take_sector(&e->ldst, now, token) : ldst_leave_reply(&e->ldst);

	if (r == LDST_FILLS_LINE)
		c->unit_at = now + 1;
	else if (r == LDST_NOT_TAKEN) /* the reply goes into the response buffer */
		c->unit_at = 0;
	return r;
}

/* ---------------------------------------------------------------- queries */

bool
core_is_on(const struct core *c)
{
	return c->resident || c->live;
}

uint64_t
core_cycles_left(const struct core_env *e)
{
	const struct core *c = e->core;
	uint64_t sum = 0, most = 0;

	for (uint64_t m = c->live & ~c->done; m; m &= m - 1) {
		const struct warp *w = &c->warp[__builtin_ctzll(m)];

		sum += w->n - w->head;
		most = MAX(most, w->n - w->head);
	}
	return MAX(sum / e->shape->n_sched, most) / 2;
}

bool
core_has_warps(const struct core *c)
{
	return c->live;
}

const struct core_stat *
core_stat(const struct core *c)
{
	return &c->st;
}

struct core_masks
core_masks(const struct core *c)
{
	return (struct core_masks){.live = c->live,
				   .done = c->done,
				   .fetched = c->valid,
				   .ready = c->ready,
				   .memwait = c->memwait,
				   .barrier = c->barrier,
				   .membar = c->membar,
				   .atomic = c->atomic,
				   .depbar = c->depbar,
				   .absent = c->absent};
}

uint64_t
core_ready_but_held_back(const struct core_env *e)
{
	const struct core *c = e->core;
	uint64_t waits = c->done | c->absent | c->barrier | c->membar | c->atomic | c->depbar;
	uint64_t ready = c->ready & c->live & ~waits;

	return ready && issue_holds_back(c) ? issue_held_back(e, ready) : 0;
}

uint64_t
core_ready_for_memory(const struct core *c)
{
	return c->by_fu[FU_MEM];
}

const struct warp *
core_warp(const struct core *c, unsigned w)
{
	return &c->warp[w];
}
