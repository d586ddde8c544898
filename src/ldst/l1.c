/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * l1.c - the L1 look-up and its miss queue (ctascope-model(7) 7.5 and 7.6).
 *
 * The head of the latency queue is looked up once a cycle. A look-up that fails blocks the queue.
 * blocked_on records the events that could change the outcome; the look-up is tried again only
 * after one of them.
 */
#include "ctascope/sim.h"
#include "ldst/ldst_part.h"

HOT uint32_t
ldst_new_request(const struct ldst_env *e, enum req_kind kind, uint64_t line, unsigned sectors,
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

void
ldst_missq_push(struct ldst *u, uint32_t req)
{
	u->mq_head &= (uint8_t) - (u->mq_n != 0); /* as in port_push() */
	u->missq[(u->mq_head + u->mq_n++) % MISSQ_SIZE] = req;
}

HOT void
ldst_send(const struct ldst_env *e, cycle_t now, uint32_t req)
{
	struct req *r = &e->req[req];

	r->born = now;
	if (r->kind == REQ_WRITE)
		e->unit->st.stores_sent += r->left;
	else if (r->kind == REQ_WRBK)
		e->unit->st.write_backs++;
	else
		e->unit->st.sent += r->left;
	port_push(e->out, req);
}

HOT bool
ldst_send_miss(const struct ldst_env *e, cycle_t now)
{
	struct ldst *u = e->unit;

	if (!u->mq_n || fifo_full(e->out->q))
		return false;
	u->mq_n--;
	u->happened |= LDST_SENT;
	ldst_send(e, now, u->missq[u->mq_head++ % MISSQ_SIZE]);
	return true;
}

/* Takes a miss register for a line and queues a request for the whole line. */
HOT static unsigned
request_line(const struct ldst_env *e, const struct lq_entry *q, uint32_t index)
{
	unsigned sectors = e->tags[q->cache].line / SECTOR;
	unsigned entry = mshr_take(&e->mshr[q->cache], q->line);
	uint32_t r = ldst_new_request(e, REQ_LINE, q->line, (1u << sectors) - 1, q->warp);

	e->mshr[q->cache].entry[entry].index = index;
	e->req[r].id = (uint16_t)entry;
	e->req[r].cache = q->cache;
	ldst_missq_push(e->unit, r);
	return entry;
}

/* Makes the request that writes a modified line back to L2. The reference sends it to the slice
 * of the line that displaces it (wrbk_with_load). */
static uint32_t
write_back_line(const struct ldst_env *e, const struct lq_entry *q, uint64_t old, uint32_t index)
{
	unsigned sectors = e->tags[L1_DATA].line / SECTOR;
	uint32_t r = ldst_new_request(e, REQ_WRBK, old, (1u << sectors) - 1, q->warp);
	uint64_t local;

	for (unsigned k = 0; k < LINE_SECTORS; k++)
		e->req[r].bytes[k] =
			e->tags[L1_DATA].bytes ? e->tags[L1_DATA].bytes[index][k] : UINT32_MAX;
	if (e->cfg->wrbk_with_load)
		e->req[r].slice = (uint8_t)addr_route(e->map, q->line, &local);
	return r;
}

HOT void
ldst_count_load(const struct ldst_env *e, const struct lq_entry *q, bool miss, bool pending)
{
	struct ldst *u = e->unit;

	if (unlikely(e->listener != NULL) && e->listener->profile && q->load != LOAD_NONE &&
	    !load_outlives(e, &u->loads[q->load])) {
		struct inst_profile *p = &e->listener->profile[u->loads[q->load].inst];

		p->l1_accesses++;
		p->l1_misses += miss;
	}
	if (q->cache != L1_DATA) {
		u->st.ro_accesses++;
		u->st.ro_misses += miss;
		return;
	}
	u->l1_used = 1;
	u->st.l1_accesses++;
	u->st.l1_misses += miss;
	u->st.l1_pending += pending;
}

/* Looks up the line of a load. Returns false when the look-up fails; the load then blocks the
 * queue. A load of a pending line joins its miss register, or requests the line again if that
 * register is gone. */
static bool
look_up_load(const struct ldst_env *e, const struct dinst *di, cycle_t now,
	     const struct lq_entry *q, unsigned since)
{
	struct ldst *u = e->unit;
	struct tags *t = &e->tags[q->cache];
	struct mshr *m = &e->mshr[q->cache];
	unsigned was = u->blocked_on, entry;
	uint32_t index;
	enum probe p;

	if (was && !(since & (LDST_FILLED | LDST_FLUSHED))) { /* the set has not changed */
		p = (enum probe)u->blocked_probe;
		index = u->blocked_index;
	} else {
		u->blocked_set = q->set;
		p = tags_probe(t, u->blocked_set, q->line, 0, false, &index);
	}
	if (p == PROBE_HIT) {
		tags_touch(t, index, now);
		ldst_count_load(e, q, false, false);
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

		if (q->cache == L1_DATA)
			ldst_note_owner(e, index,
					t->lines[index].state ? t->lines[index].tag : LINE_NONE,
					q->line, q->warp);
		tags_allocate(t, index, q->line, 0, now);
		if (entry == MSHR_NONE)
			entry = request_line(e, q, index);
		if (dirty)
			ldst_missq_push(u, write_back_line(e, q, old, index));
	} else {
		tags_touch(t, index, now);
		if (entry == MSHR_NONE)
			entry = request_line(e, q, index);
	}
	ldst_count_load(e, q, true, p != PROBE_MISS);
	mshr_add(m, entry, q->load);
	return true;
}

/* A global store is written through and evicts the line; a local store stays in a line that is
 * present. */
static bool
look_up_store(const struct ldst_env *e, cycle_t now, const struct lq_entry *q)
{
	struct ldst *u = e->unit;
	struct tags *t = &e->tags[L1_DATA];
	uint32_t set = q->set, index;
	enum probe p = tags_probe(t, set, q->line, 0, true, &index);

	if (q->local && p == PROBE_HIT) {
		struct warp *w = &e->warp[q->warp];

		tags_touch(t, index, now);
		tags_set_sector(t, index, 0, SEC_MODIFIED);
		u->l1_used = 1;
		for (unsigned k = 0; t->bytes && k < LINE_SECTORS; k++)
			t->bytes[index][k] |= e->req[q->req].bytes[k];
		assert(w->stores >= sector_count(q->sectors));
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
	ldst_missq_push(u, q->req);
	if (p == PROBE_HIT)
		tags_set_sector(t, index, 0, SEC_INVALID);
	u->st.l1_accesses++;
	u->st.l1_misses += p != PROBE_HIT;
	return true;
}

HOT bool
ldst_look_up(const struct ldst_env *e, const struct dinst *di, cycle_t now)
{
	struct ldst *u = e->unit;
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
		u->fails_from = 0; /* even if core_settle() has booked some of the failures */
		u->longest_run = MAX(u->longest_run, now - u->blocked_from);
	}
	u->blocked_on = 0;
	u->lq_head++;
	if (--u->lq_n) {
		struct lq_entry *n = &u->lq[u->lq_head % LQ_SIZE];

		n->ready = MAX(n->ready, now + 1);
		ldst_prefetch_look_up(e,
				      n); /* the prefetch at its placement may have been evicted */
	}
	return true;
}
