/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * l2.c - one cycle of an L2 slice (ctascope-model(7) 9).
 *
 * Everything here works on 32-byte sectors of lines. Writes are acknowledged at once and fetch
 * nothing; a sector written only in part cannot be read until a read has fetched the rest.
 */
#include "mem/mem_part.h"

#define OPT(...) DECL_ROW(struct mem_cfg, __VA_ARGS__)
const struct opt_row mem_opts[] = {
#include "mem/mem.def"
};
const unsigned mem_n_opts = ARRAY_LEN(mem_opts);

size_t
slice_bytes(void)
{
	return sizeof(struct slice);
}

void
slice_init(const struct slice_env *e)
{
	e->s->rop_head = e->s->rop_tail = REQ_NONE;
	e->s->rop_due = CYCLE_NEVER;
}

static void
answer(const struct slice_env *e, uint32_t token)
{
	__builtin_prefetch(&e->req[token >> 2]); /* the network asks where to */
	port_push(e->reply, token);
}

/* A dirty line leaves: its modified sectors go to DRAM as one request, behind the miss that
 * displaced it. */
static unsigned
write_back(const struct slice_env *e, uint32_t index)
{
	unsigned sectors = line_sectors_in(&e->tags->lines[index], SEC_MODIFIED);
	uint32_t i = req_take(e->pool, e->req);

	e->req[i] = (struct req){.addr = e->tags->lines[index].tag,
				 .kind = REQ_WRBK,
				 .sectors = (uint8_t)sectors,
				 .left = 1};
	fifo_push(e->miss, HANDLE_WRITE | i);
	e->s->st.write_backs++;
	return sector_count(sectors);
}

static void
written(const struct slice_env *e, uint32_t index, unsigned sector, uint32_t bytes)
{
	struct cache_line *l = &e->tags->lines[index];
	uint32_t *written = &e->tags->bytes[index][sector];

	tags_set_sector(e->tags, index, sector, SEC_MODIFIED);
	*written = (l->flags & LINE_WRITTEN(sector) ? *written : 0) | bytes;
	l->flags |= LINE_WRITTEN(sector);
	if (*written == UINT32_MAX)
		l->flags &= (uint16_t)~LINE_UNREADABLE(sector);
}

/* The line is mostly that of the sector before. An L2 is never emptied, so that it is here once. */
static inline enum probe
probe(const struct slice_env *e, const struct req *r, unsigned sector, bool write, uint32_t *index)
{
	uint32_t set = tags_set(e->tags, addr_l2_index(e->map, r->local));
	enum probe p;

	*index = e->s->last;
	p = tags_probe_again(e->tags, set, r->addr, sector, write, index);
	if (p != PROBE_FAIL)
		e->s->last = *index;
	return p;
}

static bool
look_up_read(const struct slice_env *e, cycle_t time, uint32_t token)
{
	struct req *r = &e->req[token >> 2];
	unsigned sector = token & 3, entry;
	uint64_t addr = r->addr + sector * SECTOR;
	uint32_t index;
	enum probe p = probe(e, r, sector, false, &index);

	if (p == PROBE_FAIL)
		return false;
	if (p == PROBE_HIT) {
		tags_touch(e->tags, index, time);
		if (r->kind == REQ_ATOMIC)
			written(e, index, sector, r->bytes[sector]);
		e->s->st.accesses++;
		answer(e, token);
		return true;
	}
	if (e->miss->n + 1 >= e->miss_queue)
		return false;
	entry = mshr_find(e->mshr, addr);
	if (!mshr_can_add(e->mshr, entry))
		return false;
	if (entry == MSHR_NONE) {
		entry = mshr_take(e->mshr, addr);
		e->mshr->e[entry].index = index;
		fifo_push(e->miss, entry);
	}
	if (p == PROBE_MISS) {
		if (tags_modified(e->tags, index))
			write_back(e, index);
		tags_allocate(e->tags, index, r->addr, sector, time);
	} else if (p == PROBE_SECTOR_MISS) {
		tags_reserve_sector(e->tags, index, sector, time);
	} else {
		tags_touch(e->tags, index, time);
	}
	e->mshr->e[entry].atomic |= r->kind == REQ_ATOMIC;
	mshr_add(e->mshr, entry, token);
	e->s->st.accesses++;
	if (p == PROBE_PENDING)
		e->s->st.pending++;
	else
		e->s->st.misses++;
	return true;
}

static bool
look_up_write(const struct slice_env *e, cycle_t time, uint32_t token)
{
	struct req *r = &e->req[token >> 2];
	unsigned sector = token & 3;
	uint32_t index, bytes = r->bytes[sector];
	enum probe p = probe(e, r, sector, true, &index);
	struct cache_line *l;

	if (p == PROBE_FAIL || (p != PROBE_HIT && e->miss->n >= e->miss_queue))
		return false;
	l = &e->tags->lines[index];
	if (p == PROBE_MISS) {
		if (tags_modified(e->tags, index))
			e->s->port_busy += write_back(e, index);
		tags_allocate(e->tags, index, r->addr, sector, time);
	} else if (p == PROBE_SECTOR_MISS) {
		tags_reserve_sector(e->tags, index, sector, time);
	} else {
		tags_touch(e->tags, index, time);
	}
	if (p != PROBE_HIT) {
		if (p == PROBE_PENDING)
			l->flags |= LINE_MODIFIED_ON_FILL(sector);
		if (bytes != UINT32_MAX) {
			l->flags |= LINE_UNREADABLE(sector);
			if (p == PROBE_PENDING)
				l->flags |= LINE_READABLE_ON_FILL(sector);
		}
		e->s->st.misses += p != PROBE_PENDING;
		e->s->st.pending += p == PROBE_PENDING;
	}
	written(e, index, sector, bytes);
	e->s->st.accesses++;
	e->s->st.writes++;
	if (r->kind == REQ_WRBK)
		req_sector_done(e->pool, e->req, token >> 2);
	else
		answer(e, token);
	return true;
}

/* Cuts a store of 64 bytes into sectors as the reference does: those of an upper half come out a
 * line too high, but stay in this slice. */
static void
move_upper_half(const struct slice_env *e, struct req *r)
{
	if (r->kind != REQ_WRITE || r->sectors != 0xc)
		return;
	r->addr += LINE_SECTORS * SECTOR;
	addr_route(e->map, r->addr, &r->local);
}

/* A request is the first in the ROP delay. */
static inline void
come_first(const struct slice_env *e, uint32_t i)
{
	struct slice *s = e->s;
	const struct req *r = &e->req[i];

	s->rop_head = i;
	s->rop_sectors = r->sectors;
	s->rop_due = r->due;
	if (r->next != REQ_NONE)
		__builtin_prefetch(&e->req[r->next]);
}

static inline void
receive(const struct slice_env *e, cycle_t now)
{
	uint32_t i = port_pop(e->request);
	struct slice *s = e->s;
	struct req *r = &e->req[i];

	r->due = now + e->cfg->rop_latency;
	r->next = REQ_NONE;
	if (r->kind == REQ_WRBK) /* comes as a whole line of written bytes */
		for (unsigned k = 0; k < LINE_SECTORS; k++)
			r->bytes[k] = UINT32_MAX;
	if (e->cfg->upper_half_next)
		move_upper_half(e, r);
	if (s->rop_head == REQ_NONE)
		come_first(e, i);
	else
		e->req[s->rop_tail].next = i;
	s->rop_tail = i;
}

static inline void
fill(const struct slice_env *e)
{
	uint32_t entry = fifo_pop(e->from_dram);
	struct mshr_entry *m = &e->mshr->e[entry];
	unsigned sector = (unsigned)(m->addr / SECTOR) & 3 & (e->tags->line / SECTOR - 1);

	tags_fill(e->tags, m->index, sector);
	if (m->atomic)
		tags_set_sector(e->tags, m->index, sector, SEC_MODIFIED);
	mshr_mark_ready(e->mshr, entry);
}

/* The head of the ROP delay is due: one sector goes on to the L2 queue. */
static inline void
rop_out(const struct slice_env *e)
{
	struct slice *s = e->s;
	uint32_t i = s->rop_head;
	unsigned sector = (unsigned)__builtin_ctz(s->rop_sectors);

	if (s->rop_sectors == e->req[i].sectors) /* the first one: the others are in the same set */
		tags_prefetch(e->tags, tags_set(e->tags, addr_l2_index(e->map, e->req[i].local)));
	s->rop_sectors &= (uint8_t)(s->rop_sectors - 1);
	if (!s->rop_sectors) {
		uint32_t next = e->req[i].next;

		if (next != REQ_NONE) {
			come_first(e, next);
		} else {
			s->rop_head = REQ_NONE;
			s->rop_due = CYCLE_NEVER;
		}
	}
	fifo_push(e->in, req_token(i, sector));
}

static inline bool
look_up(const struct slice_env *e, cycle_t now)
{
	uint32_t token = fifo_front(e->in);
	unsigned kind = e->req[token >> 2].kind;
	cycle_t time = now + e->s->lru_offset;

	return kind == REQ_WRITE || kind == REQ_WRBK ? look_up_write(e, time, token)
						     : look_up_read(e, time, token);
}

/* What waits for room in the queue of replies, or in that to DRAM, is told when there is some. */
cycle_t
slice_tick(const struct slice_env *e, cycle_t now)
{
	struct slice *s = e->s;
	const struct fifo *reply = e->reply->q, *to_dram = e->to_dram, *in = e->in;
	bool more = false; /* can do something by itself in the next cycle */

	if (e->request->q->n && slice_has_room(e))
		receive(e, now);
	if (mshr_has_ready(e->mshr) && !fifo_full(reply)) {
		answer(e, mshr_next_ready(e->mshr));
		more = mshr_has_ready(e->mshr);
	}
	if (e->from_dram->n) {
		fill(e);
		more = true;
	}
	if (e->miss->n && !fifo_full(to_dram)) {
		fifo_push(e->to_dram, fifo_pop(e->miss));
		*e->channel_awake |= e->channel_bit;
		more |= e->miss->n;
	}
	if (s->port_busy) {
		s->port_busy--;
		more = true;
	}
	if (in->n && !fifo_full(to_dram) && !fifo_full(reply)) {
		if (!s->port_busy) {
			if (look_up(e, now))
				fifo_pop(e->in);
			else
				s->st.fails++;
			more |= e->miss->n | s->port_busy;
		}
		more |= in->n;
	}
	if (now >= s->rop_due && !fifo_full(in)) {
		rop_out(e);
		more = true;
	}
	return more ? now : fifo_full(in) ? CYCLE_NEVER : s->rop_due;
}

void
slice_warm(const struct slice_env *e, uint64_t addr, cycle_t now)
{
	uint64_t line = addr & ~(uint64_t)(e->tags->line - 1);
	unsigned sector = (unsigned)(addr & (e->tags->line - 1)) / SECTOR;
	cycle_t time = now + e->s->lru_offset++;
	uint32_t index = e->s->last;
	uint64_t local;
	enum probe p;

	addr_route(e->map, line, &local);
	p = tags_probe_again(e->tags, tags_set(e->tags, addr_l2_index(e->map, local)), line, sector,
			     true, &index);
	if (p != PROBE_FAIL)
		e->s->last = index;
	if (p == PROBE_MISS)
		tags_allocate(e->tags, index, line, sector, time);
	else if (p == PROBE_SECTOR_MISS)
		tags_reserve_sector(e->tags, index, sector, time);
	else if (p != PROBE_FAIL && !e->cfg->memcpy_cleans)
		tags_touch(e->tags, index, time);
	if (p == PROBE_MISS || p == PROBE_SECTOR_MISS || (p == PROBE_HIT && e->cfg->memcpy_cleans))
		tags_fill(e->tags, index, sector);
}

void
slice_warm_past(const struct slice_env *e, uint64_t sectors)
{
	e->s->lru_offset += sectors;
}

const struct slice_stat *
slice_stat(const struct slice_env *e)
{
	return &e->s->st;
}

bool
slice_has_requests(const struct slice_env *e)
{
	return e->in->n || e->s->rop_head != REQ_NONE;
}
