/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldst.c - one cycle of the load/store unit (ctascope-model(7) 7).
 *
 * The latency queue and the shared memory pipe are rings with a due time per entry instead of shift
 * registers. An entry reaches the end when its latency has passed and the entry before it has left,
 * at most one per cycle, exactly like a pipe that closes its bubbles. A pipe takes an entry while
 * it holds fewer entries than it has stages.
 */
#include "ldst/ldst_part.h"
#include <string.h>

#define OPT(...) DECL_ROW(struct ldst_cfg, __VA_ARGS__)
const struct opt_row ldst_opts[] = {
#include "ldst/ldst.def"
};
const unsigned ldst_n_opts = ARRAY_LEN(ldst_opts);

void
ldst_init(const struct ldst_env *e)
{
	struct ldst *u = e->unit;

	if (e->sectored)
		sectors_init(ldst_sectors(e));
	for (unsigned i = 0; i < LDST_LOADS; i++)
		u->loads[i].next = (uint16_t)(i + 1 < LDST_LOADS ? i + 1 : LOAD_NONE);
	u->free_load = 0;
	u->bypass = REQ_NONE;
}

/* ---------------------------------------------------------------- replies */

HOT static void
fill_line(const struct ldst_env *e, cycle_t now, uint32_t token)
{
	struct ldst *u = e->unit;
	struct req *r = &e->req[token >> 2];
	unsigned cache = r->cache;
	const struct mshr_entry *m = &e->mshr[cache].entry[r->id];

	if (r->left == 1) {
		tags_fill(&e->tags[cache], m->index, 0);
		if (m->index >> e->tags[cache].way_bits == u->blocked_set)
			u->happened |= LDST_FILLED;
		u->has_data |= (uint8_t)(1u << cache);
		mshr_mark_ready(&e->mshr[cache], r->id);
		u->st.round_trips++;
		u->st.round_trip_cycles += now - r->born;
	}
	req_sector_done(e->pool, e->req, token >> 2);
}

static void
fill_sector(const struct ldst_env *e, cycle_t now, uint32_t token)
{
	struct ldst *u = e->unit;
	struct req *r = &e->req[token >> 2];
	struct mshr *m = &e->mshr[L1_DATA];

	sectors_fill(e, m->entry[r->id].index, token & 3);
	u->has_data |= 1u << L1_DATA;
	mshr_mark_ready(m, r->id);
	u->st.replies++;
	u->st.round_trips++;
	u->st.round_trip_cycles += now - r->born;
	req_sector_done(e->pool, e->req, token >> 2);
}

enum ldst_reply
ldst_leave_reply(const struct ldst_env *e)
{
	e->unit->replied = 1;
	return LDST_NOT_TAKEN;
}

/* A quiet unit moves nothing in this cycle, so it makes no difference whether the line arrives
 * at the start of the cycle or when replies are taken. */
HOT enum ldst_reply
ldst_take_sector(const struct ldst_env *e, cycle_t now, uint32_t token)
{
	struct ldst *u = e->unit;
	struct req *r = &e->req[token >> 2];

	if (r->kind != REQ_LINE || u->replied)
		return ldst_leave_reply(e);
	if (r->left > 1) {
		if (--r->left == 1) /* the line arrives with the next sector */
			tags_prefetch_line(&e->tags[r->cache],
					   e->mshr[r->cache].entry[r->id].index);
		u->st.replies++;
		return LDST_COUNTED;
	}
	if (now >= u->quiet_until || u->blocked_on & LDST_FILLED)
		return ldst_leave_reply(e);
	ldst_count_reply(e, r);
	fill_line(e, now, token);
	u->quiet_until = now + 1;
	return LDST_FILLS_LINE;
}

static bool
take_reply(const struct ldst_env *e, cycle_t now)
{
	struct ldst *u = e->unit;
	uint32_t token = fifo_front(e->resp);
	struct req *r = &e->req[token >> 2];

	switch (r->kind) {
	case REQ_WRITE:
		assert(e->warp[r->warp].stores >= ldst_sectors_answered(e, r));
		e->warp[r->warp].stores -= (uint16_t)ldst_sectors_answered(e, r);
		*e->changed |= UINT64_C(1) << r->warp;
		u->st.acks += ldst_sectors_answered(e, r);
		req_sector_done(e->pool, e->req, token >> 2);
		break;
	case REQ_LINE:
		ldst_count_reply(e, r);
		fill_line(e, now, token);
		break;
	case REQ_SECTOR:
		fill_sector(e, now, token);
		break;
	default:
		if (u->bypass != REQ_NONE)
			return false;
		u->st.replies++;
		u->st.round_trips++;
		u->st.round_trip_cycles += now - r->born;
		u->bypass = token;
	}
	fifo_pop(e->resp);
	u->replied = e->resp->n != 0;
	return true;
}

/* ---------------------------------------------------------------- dispatch slot */

static void
release_slot(const struct ldst_env *e)
{
	assert(e->warp[e->unit->warp].in_pipe);
	e->warp[e->unit->warp].in_pipe--;
	*e->changed |= UINT64_C(1) << e->unit->warp;
	e->unit->what = LDST_IDLE;
}

/* A load without an access (no active lane) completes immediately. */
static void
complete_empty_load(const struct ldst_env *e, const struct dinst *di, cycle_t now)
{
	struct ldst *u = e->unit;

	if (u->load != LOAD_NONE && !u->loads[u->load].left) {
		u->loads[u->load].left = 1;
		ldst_access_done(e, di, now, u->load);
	}
}

/* Places the next access in the latency queue. Returns false when the first stage is occupied.
 * */
static ALWAYS_INLINE bool
place_access(const struct ldst_env *e, cycle_t now)
{
	struct ldst *u = e->unit;
	const struct access *a;
	struct lq_entry *q;

	if (u->lq_n >= e->cfg->l1_latency)
		return false;
	a = &u->acc[--u->n_acc];
	q = &u->lq[(u->lq_head + u->lq_n++) % LQ_SIZE];
	*q = (struct lq_entry){.ready = now + e->cfg->l1_latency,
			       .line = a->line,
			       .load = u->load,
			       .req = REQ_NONE,
			       .store = u->what == LDST_STORE,
			       .local = u->local,
			       .cache = u->cache,
			       .warp = u->warp,
			       .sectors = a->sectors,
			       .set = (uint16_t)tags_set(&e->tags[u->cache], a->line)};
	if (q->store) {
		q->req = ldst_new_request(e, REQ_WRITE, a->line, a->sectors, u->warp);
		memcpy(e->req[q->req].bytes, a->bytes, sizeof(a->bytes));
		e->warp[u->warp].stores += e->req[q->req].left;
	}
	tags_prefetch(&e->tags[u->cache], q->set);
	return true;
}

static bool
send_past_l1(const struct ldst_env *e, cycle_t now)
{
	struct ldst *u = e->unit;
	const struct access *a;
	uint32_t i;

	if (fifo_full(e->out->q))
		return false;
	a = &u->acc[--u->n_acc];
	i = ldst_new_request(e,
			     u->is_store ? REQ_WRITE
			     : u->atomic ? REQ_ATOMIC
					 : REQ_BYPASS,
			     a->line, a->sectors, u->warp);
	memcpy(e->req[i].bytes, a->bytes, sizeof(a->bytes));
	e->req[i].id = u->load;
	e->req[i].lanes = a->lanes;
	if (u->is_store)
		e->warp[u->warp].stores += e->req[i].left;
	ldst_send(e, now, i);
	return true;
}

/* Returns true when something moved or will move in the next cycle. */
static ALWAYS_INLINE bool
dispatch_slot(const struct ldst_env *e, const struct dinst *di, cycle_t now, const bool sectored)
{
	struct ldst *u = e->unit;

	switch (u->what) {
	case LDST_SMEM_LOAD:
	case LDST_SMEM_STORE:
		if (u->conflict && --u->conflict) {
			u->st.smem_conflict_cycles++;
			return true;
		}
		if (u->what == LDST_SMEM_STORE) {
			release_slot(e);
			return true;
		}
		if (u->sm_n >= e->cfg->smem_latency)
			return false;
		u->smem[(u->sm_head + u->sm_n++) % LQ_SIZE] =
			(struct smem_entry){.ready = now + e->cfg->smem_latency,
					    .inst = u->inst,
					    .warp = u->warp,
					    .lanes = u->atomic ? u->lanes : 0,
					    .has_regs = di[u->inst].n_dst != 0};
		u->what = LDST_IDLE;
		return true;
	case LDST_FENCE:
		release_slot(e);
		return true;
	default:
		break;
	}
	if (u->n_acc && !(u->what == LDST_BYPASS ? send_past_l1(e, now)
			  : sectored		 ? banks_place(e, now)
						 : place_access(e, now)))
		return false;
	if (u->n_acc)
		return true;
	complete_empty_load(e, di, now);
	release_slot(e);
	return true;
}

/* After something moved: may something move in the next cycle? */
static bool
may_move(const struct ldst_env *e, cycle_t now)
{
	const struct ldst *u = e->unit;

	if (u->wb_valid | u->has_data | u->mq_n | u->replied || u->bypass != REQ_NONE)
		return true;
	if (u->sm_n && u->smem[u->sm_head % LQ_SIZE].ready <= now + 1)
		return true;
	if (u->lq_n && u->lq[u->lq_head % LQ_SIZE].ready <= now + 1 &&
	    (!u->blocked_on || u->happened & u->blocked_on))
		return true;
	return u->what != LDST_IDLE &&
	       !((u->what == LDST_LOAD || u->what == LDST_STORE) && u->lq_n >= e->cfg->l1_latency);
}

/* After nothing moved: when will something move by itself? Whatever waits for the network is
 * tried at every visit. */
static cycle_t
next_due(const struct ldst *u, cycle_t now)
{
	cycle_t next = CYCLE_NEVER;

	if (u->lq_n && u->lq[u->lq_head % LQ_SIZE].ready > now)
		next = u->lq[u->lq_head % LQ_SIZE].ready;
	if (u->sm_n && u->smem[u->sm_head % LQ_SIZE].ready > now)
		next = MIN(next, u->smem[u->sm_head % LQ_SIZE].ready);
	return next;
}

static ALWAYS_INLINE bool
run_cycle(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t *banks,
	  cycle_t *next, const bool sectored)
{
	struct ldst *u = e->unit;
	bool busy = false;

	if (now < u->quiet_until && !u->replied) {
		*next = MIN(*next, u->quiet_until);
		return false;
	}
	if (u->wb_valid) {
		ldst_write_back(e, di, now, banks);
		busy = true;
	}
	if (!u->wb_valid && (u->sm_n || u->bypass != REQ_NONE || u->has_data))
		busy |= ldst_choose_result(e, now);
	if (u->replied)
		busy |= take_reply(e, now) || u->replied;
	if (u->mq_n) /* a full network wakes the core when it has room again */
		busy |= ldst_send_miss(e, now);
	if (u->lq_n) {
		if (sectored)
			busy |= banks_look_up(e, di, now);
		else if (u->lq[u->lq_head % LQ_SIZE].ready <= now)
			busy |= ldst_look_up(e, di, now);
	}
	if (u->what != LDST_IDLE)
		busy |= dispatch_slot(e, di, now, sectored);
	if (busy && (sectored || may_move(e, now))) {
		u->quiet_until = 0;
		return true;
	}
	*next = MIN(*next, sectored ? banks_due(e, now) : next_due(u, now));
	u->quiet_until = u->mq_n || u->what == LDST_BYPASS ? 0 : *next;
	return false;
}

static NOINLINE bool
run_sectored_cycle(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t *banks,
		   cycle_t *next)
{
	return run_cycle(e, di, now, banks, next, true);
}

HOT bool
ldst_tick(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t *banks,
	  cycle_t *next)
{
	if (unlikely(e->sectored))
		return run_sectored_cycle(e, di, now, banks, next);
	return run_cycle(e, di, now, banks, next, false);
}

/* ---------------------------------------------------------------- taking an instruction */

static void
accept_global(const struct ldst_env *e, const struct dinst *d, cycle_t now, uint16_t group,
	      const struct cta_trace *c, const struct winst *r)
{
	struct ldst *u = e->unit;
	bool copies;

	u->cache = d->space == SPACE_CONST ? L1_CONST : d->space == SPACE_TEX ? L1_TEX : L1_DATA;
	if (e->sectored)
		u->cache = L1_DATA;
	u->local = d->space == SPACE_LOCAL;
	if (u->local && e->local.cta_threads)
		u->n_acc = (uint16_t)coalesce_local(d, c, r, &e->local, u->warp,
						    e->tags[L1_DATA].line, u->acc);
	else
		u->n_acc = (uint16_t)coalesce_record(d, c, r, e->tags[u->cache].line, u->acc);
	u->is_store = d->cls == OP_STORE;
	u->what = d->flags & INST_BYPASS ? LDST_BYPASS : u->is_store ? LDST_STORE : LDST_LOAD;
	u->st.mem_insts++;
	u->load = LOAD_NONE;
	if (u->is_store)
		return;
	copies = d->flags & INST_LDGSTS && r->mask;
	if (d->n_dst || copies) {
		u->load = u->free_load;
		u->free_load = u->loads[u->load].next;
		u->loads[u->load] = (struct load){.born = now,
						  .arith = arith_cycles(e->arith, now),
						  .inst = u->inst,
						  .left = u->n_acc,
						  .warp = u->warp,
						  .copies = copies,
						  .group = group,
						  .age = e->warp[u->warp].age};
	}
}

bool
ldst_accept(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t inst,
	    unsigned warp, uint16_t group, const struct cta_trace *c, const struct winst *r)
{
	struct ldst *u = e->unit;
	const struct dinst *d = &di[inst];

	if (u->free_load == LOAD_NONE)
		return false;
	u->quiet_until = 0;
	u->warp = (uint8_t)warp;
	u->inst = inst;
	u->atomic = (d->flags & INST_ATOMIC) != 0;
	u->lanes = (uint8_t)__builtin_popcount(r->mask);
	if (d->cls == OP_MEMBAR) {
		u->what = LDST_FENCE;
	} else if (d->space == SPACE_SHARED) {
		u->what = d->cls == OP_STORE ? LDST_SMEM_STORE : LDST_SMEM_LOAD;
		u->conflict = (uint8_t)smem_conflicts(c, r, e->cfg->smem_banks);
		u->st.smem_insts++;
	} else {
		accept_global(e, d, now, group, c, r);
	}
	return true;
}

void
ldst_flush_l1(const struct ldst_env *e)
{
	if (e->cfg->flush_l1 && (e->unit->l1_used || !e->cfg->flush_used))
		ldst_invalidate_l1(e);
}

void
ldst_invalidate_l1(const struct ldst_env *e)
{
	e->unit->happened |= LDST_FLUSHED;
	e->unit->quiet_until = 0;
	e->unit->l1_used = 0;
	if (e->sectored)
		sectors_invalidate(ldst_sectors(e));
	else
		tags_invalidate(&e->tags[L1_DATA]);
}
