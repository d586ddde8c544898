/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * banks.c - the path of an access through a sectored L1: one latency queue per bank, and a look-up
 * at the head of each (ctascope-model(7) 7.15 to 7.17).
 *
 * As in l1.c, a queue is a ring with a due time per entry. A head whose look-up failed is tried
 * again at every visit of the unit. The unit sleeps when nothing moves, because only a reply, a
 * departing request or a written result can change the outcome.
 */
#include "ctascope/sim.h"
#include "ldst/ldst_part.h"
#include <string.h>

/* ---------------------------------------------------------------- look-ups */

static unsigned
request_sector(const struct ldst_env *e, const struct lq_entry *q, unsigned place)
{
	struct mshr *m = &e->mshr[L1_DATA];
	unsigned sector = (unsigned)__builtin_ctz(q->sectors);
	unsigned entry = mshr_take(m, q->line + sector * SECTOR);
	uint32_t r = ldst_new_request(e, REQ_SECTOR, q->line, q->sectors, q->warp);

	m->entry[entry].index = place;
	e->req[r].id = (uint16_t)entry;
	ldst_missq_push(e->unit, r);
	return entry;
}

/* Returns false when the look-up fails. Every outcome except a hit needs two free places in the
 * miss queue. */
static bool
look_up_load(const struct ldst_env *e, const struct dinst *di, cycle_t now,
	     const struct lq_entry *q)
{
	struct mshr *m = &e->mshr[L1_DATA];
	unsigned sector = (unsigned)__builtin_ctz(q->sectors), place, entry;
	enum probe p = sectors_probe(e, q->line, sector, false, &place);

	if (p == PROBE_HIT) {
		sectors_use(e, p, place, q->line, sector, q->warp, now);
		ldst_count_load(e, q, false, false);
		if (q->load != LOAD_NONE)
			ldst_access_done(e, di, now, q->load);
		return true;
	}
	if (p == PROBE_FAIL || e->unit->mq_n + 1u >= e->miss_queue)
		return false;
	entry = mshr_find(m, q->line + sector * SECTOR);
	if (!mshr_can_add(m, entry))
		return false;
	sectors_use(e, p, place, q->line, sector, q->warp, now);
	if (entry == MSHR_NONE)
		entry = request_sector(e, q, place);
	mshr_add(m, entry, q->load);
	ldst_count_load(e, q, true, p == PROBE_PENDING);
	return true;
}

/* A store writes its line, hit or miss, and is always sent to L2 as well. */
static bool
look_up_store(const struct ldst_env *e, cycle_t now, const struct lq_entry *q)
{
	struct ldst *u = e->unit;
	unsigned sector = (unsigned)__builtin_ctz(q->sectors), place;
	enum probe p;

	if (u->mq_n >= e->miss_queue)
		return false;
	p = sectors_probe(e, q->line, sector, true, &place);
	if (p == PROBE_FAIL)
		return false;
	sectors_use(e, p, place, q->line, sector, q->warp, now);
	sectors_write(e, p, place, sector, e->req[q->req].bytes);
	ldst_missq_push(u, q->req);
	u->st.l1_accesses++;
	u->st.l1_misses += p != PROBE_HIT;
	return true;
}

/* Keeps the record of failed look-ups that ldst_is_blocked() and the counters read. */
static void
note_blocked(const struct ldst_env *e, cycle_t now, bool stuck)
{
	struct ldst *u = e->unit;

	if (stuck && !u->blocked_on)
		u->blocked_from = u->fails_from = now;
	if (!stuck && u->blocked_on) {
		u->st.l1_fails += now - u->fails_from;
		u->fails_from = 0;
		u->longest_run = MAX(u->longest_run, now - u->blocked_from);
	}
	u->blocked_on = stuck ? LDST_SENT : 0;
}

bool
banks_look_up(const struct ldst_env *e, const struct dinst *di, cycle_t now)
{
	struct sector_l1 *a = ldst_sectors(e);
	bool moved = false, stuck = false;

	for (unsigned b = 0; b < e->cfg->l1_banks; b++) {
		struct lq_entry *q = &a->lq[b][a->head[b] % LQ_SIZE];

		if (!a->n[b] || q->ready > now)
			continue;
		if (!(q->store ? look_up_store(e, now, q) : look_up_load(e, di, now, q))) {
			stuck = true;
			continue;
		}
		moved = true;
		a->head[b]++;
		e->unit->lq_n--;
		if (--a->n[b]) {
			q = &a->lq[b][a->head[b] % LQ_SIZE];
			q->ready = MAX(q->ready, now + 1);
		}
	}
	if (stuck || e->unit->blocked_on)
		note_blocked(e, now, stuck);
	return moved;
}

/* ---------------------------------------------------------------- dispatch slot */

static void
place_access(const struct ldst_env *e, unsigned b, const struct access *a, cycle_t now)
{
	struct ldst *u = e->unit;
	struct sector_l1 *s = ldst_sectors(e);
	struct lq_entry *q = &s->lq[b][(s->head[b] + s->n[b]++) % LQ_SIZE];

	u->lq_n++;
	*q = (struct lq_entry){.ready = now + e->cfg->l1_latency,
			       .line = a->line,
			       .load = u->load,
			       .req = REQ_NONE,
			       .store = u->what == LDST_STORE,
			       .local = u->local,
			       .cache = L1_DATA,
			       .warp = u->warp,
			       .sectors = a->sectors};
	if (!q->store)
		return;
	q->req = ldst_new_request(e, REQ_WRITE, a->line, a->sectors, u->warp);
	memcpy(e->req[q->req].bytes, a->bytes, sizeof(a->bytes));
	e->warp[u->warp].stores++;
}

/* Stops for this cycle at the first access whose bank is taken. */
bool
banks_place(const struct ldst_env *e, cycle_t now)
{
	struct ldst *u = e->unit;
	const struct sector_l1 *s = ldst_sectors(e);
	unsigned taken = 0;

	while (u->n_acc) {
		const struct access *a = &u->acc[u->n_acc - 1];
		unsigned b = (unsigned)__builtin_ctz(a->sectors) & (e->cfg->l1_banks - 1);

		if (taken >> b & 1 || s->n[b] >= e->cfg->l1_latency)
			break;
		taken |= 1u << b;
		place_access(e, b, a, now);
		u->n_acc--;
	}
	return taken;
}

cycle_t
banks_due(const struct ldst_env *e, cycle_t now)
{
	const struct ldst *u = e->unit;
	const struct sector_l1 *a = ldst_sectors(e);
	cycle_t next = CYCLE_NEVER;

	for (unsigned b = 0; b < e->cfg->l1_banks; b++) {
		const struct lq_entry *q = &a->lq[b][a->head[b] % LQ_SIZE];

		if (a->n[b] && q->ready > now)
			next = MIN(next, q->ready);
	}
	if (u->sm_n && u->smem[u->sm_head % LQ_SIZE].ready > now)
		next = MIN(next, u->smem[u->sm_head % LQ_SIZE].ready);
	return next;
}
