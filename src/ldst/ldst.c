/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldst.c - one cycle of the load/store unit (ctascope-model(7) 7).
 *
 * Latency queue and shared memory pipe are rings with a due time per entry instead of shift
 * registers: an entry reaches the end when its latency has passed and the entry before it has left,
 * at most one a cycle, which is what a pipe that closes its bubbles does. A pipe takes an entry
 * while it holds fewer than it has stages.
 */
#include "ctascope/sim.h"
#include "ldst/ldst_part.h"
#include <string.h>

#define OPT(...) DECL_ROW(struct ldst_cfg, __VA_ARGS__)
const struct opt_row ldst_opts[] = {
#include "ldst/ldst.def"
};
const unsigned ldst_n_opts = ARRAY_LEN(ldst_opts);

void
ldst_init(struct ldst *u)
{
	for (unsigned i = 0; i < LDST_LOADS; i++)
		u->loads[i].next = (uint16_t)(i + 1 < LDST_LOADS ? i + 1 : LOAD_NONE);
	u->free_load = 0;
	u->bypass = REQ_NONE;
}

/* ---------------------------------------------------------------- replies */

static void
fill_line(const struct ldst_env *e, cycle_t now, uint32_t token)
{
	struct ldst *u = e->u;
	struct req *r = &e->req[token >> 2];
	unsigned cache = r->cache;
	const struct mshr_entry *m = &e->mshr[cache].e[r->id];

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

enum ldst_reply
ldst_leave_reply(const struct ldst_env *e)
{
	e->u->replied = 1;
	return LDST_NOT_TAKEN;
}

/* A unit that is quiet moves nothing in this cycle, so that nobody sees whether the line came at
 * its beginning or when replies are taken. */
enum ldst_reply
ldst_take_sector(const struct ldst_env *e, cycle_t now, uint32_t token)
{
	struct ldst *u = e->u;
	struct req *r = &e->req[token >> 2];

	if (r->kind != REQ_LINE || u->replied)
		return ldst_leave_reply(e);
	if (r->left > 1) {
		if (--r->left == 1) /* the line comes with the next one */
			tags_prefetch_line(&e->tags[r->cache], e->mshr[r->cache].e[r->id].index);
		u->st.replies++;
		return LDST_COUNTED;
	}
	if (now >= u->quiet_until || u->blocked_on & LDST_FILLED)
		return ldst_leave_reply(e);
	u->st.replies++;
	fill_line(e, now, token);
	u->quiet_until = now + 1;
	return LDST_FILLS_LINE;
}

static bool
take_reply(const struct ldst_env *e, cycle_t now)
{
	struct ldst *u = e->u;
	uint32_t token = fifo_front(e->resp);
	struct req *r = &e->req[token >> 2];

	switch (r->kind) {
	case REQ_WRITE:
		e->warp[r->warp].stores--;
		*e->changed |= UINT64_C(1) << r->warp;
		u->st.acks++;
		req_sector_done(e->pool, e->req, token >> 2);
		break;
	case REQ_LINE:
		u->st.replies++;
		fill_line(e, now, token);
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

/* ---------------------------------------------------------------- L1 */

static uint32_t
new_request(const struct ldst_env *e, enum req_kind kind, uint64_t line, unsigned sectors,
	    unsigned warp)
{
	uint32_t i = req_take(e->pool, e->req);
	struct req *r = &e->req[i];

	*r = (struct req){.addr = line,
			  .kind = (uint8_t)kind,
			  .core = e->core,
			  .warp = (uint8_t)warp,
			  .sectors = (uint8_t)sectors,
			  .left = (uint8_t)sector_count(sectors),
			  .id = LOAD_NONE};
	r->slice = (uint8_t)addr_route(e->map, line, &r->local);
	return i;
}

static void
missq_push(struct ldst *u, uint32_t req)
{
	u->mq_head &= (uint8_t) - (u->mq_n != 0); /* as in port_push() */
	u->missq[(u->mq_head + u->mq_n++) % MISSQ_SIZE] = req;
}

void
ldst_send(const struct ldst_env *e, cycle_t now, uint32_t req)
{
	struct req *r = &e->req[req];

	r->born = now;
	if (r->kind == REQ_WRITE)
		e->u->st.stores_sent += r->left;
	else if (r->kind == REQ_WRBK)
		e->u->st.write_backs++;
	else
		e->u->st.sent += r->left;
	port_push(e->out, req);
}

static bool
send_miss(const struct ldst_env *e, cycle_t now)
{
	struct ldst *u = e->u;

	if (!u->mq_n || fifo_full(e->out->q))
		return false;
	u->mq_n--;
	u->happened |= LDST_SENT;
	ldst_send(e, now, u->missq[u->mq_head++ % MISSQ_SIZE]);
	return true;
}

/* Takes a miss register for a line and queues the request for all of it. */
static unsigned
ask_for_line(const struct ldst_env *e, const struct lq_entry *q, uint32_t index)
{
	unsigned sectors = e->tags[q->cache].line / SECTOR;
	unsigned entry = mshr_take(&e->mshr[q->cache], q->line);
	uint32_t r = new_request(e, REQ_LINE, q->line, (1u << sectors) - 1, q->warp);

	e->mshr[q->cache].e[entry].index = index;
	e->req[r].id = (uint16_t)entry;
	e->req[r].cache = q->cache;
	missq_push(e->u, r);
	return entry;
}

/* A modified line goes to L2; the reference sends it where the line goes that displaces it. */
static uint32_t
write_back_line(const struct ldst_env *e, const struct lq_entry *q, uint64_t old)
{
	unsigned sectors = e->tags[L1_DATA].line / SECTOR;
	uint32_t r = new_request(e, REQ_WRBK, old, (1u << sectors) - 1, q->warp);
	uint64_t local;

	if (e->cfg->wrbk_with_load)
		e->req[r].slice = (uint8_t)addr_route(e->map, q->line, &local);
	return r;
}

static void
count_load(const struct ldst_env *e, const struct lq_entry *q, bool miss, bool pending)
{
	struct ldst *u = e->u;

	if (unlikely(e->profile != NULL) && q->load != LOAD_NONE) {
		struct inst_profile *p = &e->profile[u->loads[q->load].inst];

		p->l1_accesses++;
		p->l1_misses += miss;
	}
	if (q->cache != L1_DATA) {
		u->st.ro_accesses++;
		u->st.ro_misses += miss;
		return;
	}
	u->st.l1_accesses++;
	u->st.l1_misses += miss;
	u->st.l1_pending += pending;
}

/* A load looks its line up; false: it stays where it is and blocks the queue. A line that is on its
 * way takes the load along, or is asked for again when its miss register is gone. */
static bool
look_up_load(const struct ldst_env *e, const struct dinst *di, cycle_t now,
	     const struct lq_entry *q, unsigned since)
{
	struct ldst *u = e->u;
	struct tags *t = &e->tags[q->cache];
	struct mshr *m = &e->mshr[q->cache];
	unsigned was = u->blocked_on, entry;
	uint32_t index;
	enum probe p;

	if (was && !(since & (LDST_FILLED | LDST_FLUSHED))) { /* the set is as it was */
		p = (enum probe)u->blocked_probe;
		index = u->blocked_index;
	} else {
		u->blocked_set = q->set;
		p = tags_probe(t, u->blocked_set, q->line, 0, false, &index);
	}
	if (p == PROBE_HIT) {
		tags_touch(t, index, now);
		count_load(e, q, false, false);
		if (q->load != LOAD_NONE)
			ldst_access_done(e, di, now, q->load);
		return true;
	}
	u->blocked_probe = (uint8_t)p;
	u->blocked_index = index;
	u->blocked_on =
		p == PROBE_FAIL || p == PROBE_PENDING ? LDST_FLUSHED | LDST_FILLED : LDST_FLUSHED;
	if (p == PROBE_FAIL)
		return false;
	if (u->mq_n + 1u >= e->miss_queue) {
		u->blocked_on |= LDST_SENT;
		return false;
	}
	entry = was & LDST_FREED ? MSHR_NONE : mshr_find(m, q->line);
	if (!mshr_can_add(m, entry)) {
		u->blocked_on |= entry == MSHR_NONE ? LDST_FREED : LDST_TAKEN;
		return false;
	}
	if (p == PROBE_MISS) {
		bool dirty = tags_modified(t, index);
		uint64_t old = dirty ? t->lines[index].tag : 0;

		tags_allocate(t, index, q->line, 0, now);
		if (entry == MSHR_NONE)
			entry = ask_for_line(e, q, index);
		if (dirty)
			missq_push(u, write_back_line(e, q, old));
	} else {
		tags_touch(t, index, now);
		if (entry == MSHR_NONE)
			entry = ask_for_line(e, q, index);
	}
	count_load(e, q, true, p != PROBE_MISS);
	mshr_add(m, entry, q->load);
	return true;
}

/* Global stores are written through and evict the line; local ones stay in a line that is here. */
static bool
look_up_store(const struct ldst_env *e, cycle_t now, const struct lq_entry *q)
{
	struct ldst *u = e->u;
	struct tags *t = &e->tags[L1_DATA];
	uint32_t set = q->set, index;
	enum probe p = tags_probe(t, set, q->line, 0, true, &index);

	if (q->local && p == PROBE_HIT) {
		struct warp *w = &e->warp[q->warp];

		tags_touch(t, index, now);
		tags_set_sector(t, index, 0, SEC_MODIFIED);
		w->stores -= (uint16_t)sector_count(q->sectors);
		*e->changed |= UINT64_C(1) << q->warp;
		while (e->req[q->req].left > 1)
			req_sector_done(e->pool, e->req, q->req);
		req_sector_done(e->pool, e->req, q->req);
		u->st.l1_accesses++;
		return true;
	}
	if (u->mq_n >= e->miss_queue) {
		u->blocked_set = (uint16_t)set;
		u->blocked_on = q->local ? LDST_SENT | LDST_FILLED | LDST_FLUSHED : LDST_SENT;
		return false;
	}
	missq_push(u, q->req);
	if (p == PROBE_HIT)
		tags_set_sector(t, index, 0, SEC_INVALID);
	u->st.l1_accesses++;
	u->st.l1_misses += p != PROBE_HIT;
	return true;
}

static bool
look_up(const struct ldst_env *e, const struct dinst *di, cycle_t now)
{
	struct ldst *u = e->u;
	struct lq_entry *q = &u->lq[u->lq_head % LQ_SIZE];

	unsigned was = u->blocked_on, since = u->happened;

	if (was && !(since & was))
		return false;
	u->happened = 0;
	if (q->store ? !look_up_store(e, now, q) : !look_up_load(e, di, now, q, since)) {
		if (!was)
			u->blocked_from = u->fails_from = now;
		return false;
	}
	if (was) {
		u->st.l1_fails += now - u->fails_from;
		u->fails_from = 0; /* whatever was booked on the way */
		u->longest_run = MAX(u->longest_run, now - u->blocked_from);
	}
	u->blocked_on = 0;
	u->lq_head++;
	if (--u->lq_n) {
		struct lq_entry *n = &u->lq[u->lq_head % LQ_SIZE];

		n->ready = MAX(n->ready, now + 1);
		ldst_prefetch_look_up(e, n); /* what it brought when it was placed may have gone */
	}
	return true;
}

/* ---------------------------------------------------------------- dispatch slot */

static void
slot_done(const struct ldst_env *e)
{
	e->warp[e->u->warp].in_pipe--;
	*e->changed |= UINT64_C(1) << e->u->warp;
	e->u->what = LDST_IDLE;
}

/* A load without any access (no active lane) is over as soon as it is here. */
static void
load_without_access(const struct ldst_env *e, const struct dinst *di, cycle_t now)
{
	struct ldst *u = e->u;

	if (u->load != LOAD_NONE && !u->loads[u->load].left) {
		u->loads[u->load].left = 1;
		ldst_access_done(e, di, now, u->load);
	}
}

/* Places the next access in the latency queue; false: its last stage is taken. */
static bool
place_access(const struct ldst_env *e, cycle_t now)
{
	struct ldst *u = e->u;
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
		q->req = new_request(e, REQ_WRITE, a->line, a->sectors, u->warp);
		memcpy(e->req[q->req].bytes, a->bytes, sizeof(a->bytes));
		e->warp[u->warp].stores += e->req[q->req].left;
	}
	tags_prefetch(&e->tags[u->cache], q->set);
	return true;
}

static bool
send_past_l1(const struct ldst_env *e, cycle_t now)
{
	struct ldst *u = e->u;
	const struct access *a;
	uint32_t i;

	if (fifo_full(e->out->q))
		return false;
	a = &u->acc[--u->n_acc];
	i = new_request(e,
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

/* Returns true when something moved or will next cycle. */
static bool
dispatch(const struct ldst_env *e, const struct dinst *di, cycle_t now)
{
	struct ldst *u = e->u;

	switch (u->what) {
	case LDST_SMEM_LOAD:
	case LDST_SMEM_STORE:
		if (u->conflict && --u->conflict) {
			u->st.smem_conflict_cycles++;
			return true;
		}
		if (u->what == LDST_SMEM_STORE) {
			slot_done(e);
			return true;
		}
		if (u->sm_n >= e->cfg->smem_latency)
			return false;
		u->smem[(u->sm_head + u->sm_n++) % LQ_SIZE] =
			(struct smem_entry){.ready = now + e->cfg->smem_latency,
					    .inst = u->inst,
					    .warp = u->warp,
					    .lanes = u->atomic ? u->lanes : 0};
		u->what = LDST_IDLE;
		return true;
	case LDST_FENCE:
		slot_done(e);
		return true;
	default:
		break;
	}
	if (u->n_acc && !(u->what == LDST_BYPASS ? send_past_l1(e, now) : place_access(e, now)))
		return false;
	if (u->n_acc)
		return true;
	load_without_access(e, di, now);
	slot_done(e);
	return true;
}

/* Something moved: may something in the next cycle? */
static bool
may_move(const struct ldst_env *e, cycle_t now)
{
	const struct ldst *u = e->u;

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

/* Nothing moved: when will something by itself? What waits for the network is asked every time. */
static cycle_t
quiet_until(const struct ldst *u, cycle_t now)
{
	cycle_t next = CYCLE_NEVER;

	if (u->lq_n && u->lq[u->lq_head % LQ_SIZE].ready > now)
		next = u->lq[u->lq_head % LQ_SIZE].ready;
	if (u->sm_n && u->smem[u->sm_head % LQ_SIZE].ready > now)
		next = MIN(next, u->smem[u->sm_head % LQ_SIZE].ready);
	return next;
}

bool
ldst_tick(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t *banks,
	  cycle_t *next)
{
	struct ldst *u = e->u;
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
		busy |= send_miss(e, now);
	if (u->lq_n) {
		if (u->lq[u->lq_head % LQ_SIZE].ready <= now)
			busy |= look_up(e, di, now);
	}
	if (u->what != LDST_IDLE)
		busy |= dispatch(e, di, now);
	if (busy && may_move(e, now)) {
		u->quiet_until = 0;
		return true;
	}
	*next = MIN(*next, quiet_until(u, now));
	u->quiet_until = u->mq_n || u->what == LDST_BYPASS ? 0 : *next;
	return false;
}

/* ---------------------------------------------------------------- taking an instruction */

static void
accept_global(const struct ldst_env *e, const struct dinst *d, cycle_t now,
	      const struct cta_trace *c, const struct winst *r)
{
	struct ldst *u = e->u;

	u->cache = d->space == SPACE_CONST ? L1_CONST : d->space == SPACE_TEX ? L1_TEX : L1_DATA;
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
	if (d->n_dst || d->flags & INST_LDGSTS) {
		u->load = u->free_load;
		u->free_load = u->loads[u->load].next;
		u->loads[u->load] = (struct load){.born = now,
						  .inst = u->inst,
						  .left = u->n_acc,
						  .warp = u->warp,
						  .group = e->warp[u->warp].group};
		if (d->flags & INST_LDGSTS)
			e->warp[u->warp].group_left[e->warp[u->warp].group % LDGSTS_GROUPS]++;
	}
}

bool
ldst_accept(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t inst,
	    unsigned warp, const struct cta_trace *c, const struct winst *r)
{
	struct ldst *u = e->u;
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
		accept_global(e, d, now, c, r);
	}
	return true;
}

void
ldst_invalidate_l1(const struct ldst_env *e)
{
	e->u->happened |= LDST_FLUSHED;
	e->u->quiet_until = 0;
	tags_invalidate(&e->tags[L1_DATA]);
}
