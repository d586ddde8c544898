/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * l2.c - one cycle of an L2 slice (ctascope-model(7) 9).
 *
 * The slice works on 32-byte sectors of lines. Writes are acknowledged at once and fetch nothing. A
 * sector that was written only partly cannot be read until a read has fetched the rest.
 */
#include "mem/mem_part.h"

/* A slice with empty rings. */
static struct slice
empty_slice(const struct mem_cfg *k, uint32_t miss_queue)
{
	return (struct slice){.rop_due = CYCLE_NEVER,
			      .in = ring_of(k->queue_in),
			      .miss = ring_of(miss_queue + 1),
			      .from_dram = ring_of(k->queue_from_dram),
			      .to_dram = ring_of(k->queue_to_dram),
			      .reply = ring_of(k->queue_out),
			      .rop_head = REQ_NONE,
			      .rop_tail = REQ_NONE};
}

size_t
slice_bytes(const struct mem_cfg *k, uint32_t miss_queue)
{
	struct slice s = empty_slice(k, miss_queue);

	return sizeof(s) + (ring_places(&s.in) + ring_places(&s.miss) + ring_places(&s.from_dram) +
			    ring_places(&s.to_dram) + ring_places(&s.reply)) *
				   sizeof(uint32_t);
}

void
slice_init(struct slice_env *e, uint32_t miss_queue)
{
	struct slice *s = e->slice;

	*s = empty_slice(e->cfg, miss_queue);
	e->in = (uint32_t *)(s + 1);
	e->miss = e->in + ring_places(&s->in);
	e->from_dram = e->miss + ring_places(&s->miss);
	e->to_dram = e->from_dram + ring_places(&s->from_dram);
	e->reply = e->to_dram + ring_places(&s->to_dram);
}

/* Answers a sector. Where replies are whole, a sector before the request's last one is only
 * counted. */
HOT static void
push_reply(const struct slice_env *e, uint32_t token)
{
	if (e->whole && e->req[token >> 2].left > 1) {
		e->req[token >> 2].left--;
		return;
	}
	__builtin_prefetch(&e->req[token >> 2]); /* the network reads its destination soon */
	ring_push(&e->slice->reply, e->reply, token);
	*e->reply_mask |= UINT64_C(1) << e->id;
}

/* Writes back a dirty line that is evicted: its modified sectors go to DRAM as one request,
 * queued behind the miss that displaced the line. Returns the number of sectors. */
static unsigned
write_back(const struct slice_env *e, uint32_t index)
{
	unsigned sectors = line_sectors_in(&e->tags->lines[index], SEC_MODIFIED);
	uint32_t i = req_take(e->pool, e->req);

	e->req[i] = (struct req){.addr = e->tags->lines[index].tag,
				 .kind = REQ_WRBK,
				 .sectors = (uint8_t)sectors,
				 .left = 1};
	ring_push(&e->slice->miss, e->miss, HANDLE_WRITE | i);
	e->slice->st.write_backs++;
	return sector_count(sectors);
}

HOT static void
mark_written(const struct slice_env *e, uint32_t index, unsigned sector, uint32_t bytes)
{
	struct cache_line *l = &e->tags->lines[index];
	uint32_t *written = &e->tags->bytes[index][sector];

	tags_set_sector(e->tags, index, sector, SEC_MODIFIED);
	*written = (l->flags & LINE_WRITTEN(sector) ? *written : 0) | bytes;
	l->flags |= LINE_WRITTEN(sector);
	if (*written == UINT32_MAX)
		l->flags &= (uint16_t)~LINE_UNREADABLE(sector);
}

/* Probes the tags. Usually the line is that of the previous sector; an L2 is never invalidated,
 * so a line is in only one place. */
static inline enum probe
probe_sector(const struct slice_env *e, const struct req *r, unsigned sector, bool write,
	     uint32_t *index)
{
	uint32_t set = tags_set(e->tags, addr_l2_index(e->map, r->local));
	enum probe p;

	*index = e->slice->last;
	p = tags_probe_again(e->tags, set, r->addr, sector, write, index);
	if (p != PROBE_FAIL)
		e->slice->last = *index;
	return p;
}

static bool
look_up_read(const struct slice_env *e, cycle_t time, uint32_t token)
{
	struct req *r = &e->req[token >> 2];
	unsigned sector = token & 3, entry;
	uint64_t addr = r->addr + sector * SECTOR;
	uint32_t index;
	enum probe p = probe_sector(e, r, sector, false, &index);

	if (p == PROBE_FAIL)
		return false;
	if (p == PROBE_HIT) {
		tags_touch(e->tags, index, time);
		if (r->kind == REQ_ATOMIC)
			mark_written(e, index, sector, r->bytes[sector]);
		e->slice->st.accesses++;
		push_reply(e, token);
		return true;
	}
	if (e->slice->miss.n + 2 >= e->slice->miss.cap)
		return false;
	entry = mshr_find(e->mshr, addr);
	if (!mshr_can_add(e->mshr, entry))
		return false;
	if (entry == MSHR_NONE) {
		entry = mshr_take(e->mshr, addr);
		e->mshr->entry[entry].index = index;
		e->mshr->entry[entry].core = (uint8_t)r->core;
		ring_push(&e->slice->miss, e->miss, entry);
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
	e->mshr->entry[entry].atomic |= r->kind == REQ_ATOMIC;
	mshr_add(e->mshr, entry, token);
	e->slice->st.accesses++;
	if (p == PROBE_PENDING)
		e->slice->st.pending++;
	else
		e->slice->st.misses++;
	return true;
}

/* Can a sector that a store brings into the line be read at once? For a store of a whole line,
 * the reference counts the bytes written up to this sector instead of those in it (masks_add_up).
 * */
static inline bool
is_readable(const struct slice_env *e, const struct req *r, unsigned sector)
{
	unsigned n = 0;

	if (likely(!e->cfg->masks_add_up || r->sectors != 0xf))
		return r->bytes[sector] == UINT32_MAX;
	for (unsigned k = 0; k <= sector; k++)
		n += (unsigned)__builtin_popcount(r->bytes[k]);
	return n == SECTOR;
}

/* A line that a core wrote back has been written. It returns to the cores' pool, at the latest
 * before a core takes a request in this cycle. */
static void
end_core_write_back(const struct slice_env *e, uint32_t token)
{
	if (e->give_back)
		e->give_back(e->give_back_ctx, token >> 2);
	else
		req_sector_done(&e->core_pool[req_pool_of(e->pool_from, e->req[token >> 2].core)],
				e->req, token >> 2);
}

static bool
look_up_write(const struct slice_env *e, cycle_t time, uint32_t token)
{
	struct req *r = &e->req[token >> 2];
	unsigned sector = token & 3;
	uint32_t index, bytes = r->bytes[sector];
	enum probe p = probe_sector(e, r, sector, true, &index);
	struct cache_line *l;

	if (p == PROBE_FAIL || (p != PROBE_HIT && e->slice->miss.n + 1 >= e->slice->miss.cap))
		return false;
	l = &e->tags->lines[index];
	if (p == PROBE_MISS) {
		if (tags_modified(e->tags, index))
			e->slice->port_busy = (uint16_t)write_back(e, index);
		tags_allocate(e->tags, index, r->addr, sector, time);
	} else if (p == PROBE_SECTOR_MISS) {
		tags_reserve_sector(e->tags, index, sector, time);
	} else {
		tags_touch(e->tags, index, time);
	}
	if (p != PROBE_HIT) {
		if (p == PROBE_PENDING)
			l->flags |= LINE_MODIFIED_ON_FILL(sector);
		if (!is_readable(e, r, sector)) {
			l->flags |= LINE_UNREADABLE(sector);
			if (p == PROBE_PENDING)
				l->flags |= LINE_READABLE_ON_FILL(sector);
		}
		e->slice->st.misses += p != PROBE_PENDING;
		e->slice->st.pending += p == PROBE_PENDING;
	}
	mark_written(e, index, sector, bytes);
	e->slice->st.accesses++;
	e->slice->st.writes++;
	if (r->kind == REQ_WRBK)
		end_core_write_back(e, token);
	else
		push_reply(e, token);
	return true;
}

/* Splits a store of the upper 64 bytes of a line as the reference does: its sectors land one
 * line higher, but stay in this slice. */
static void
move_upper_half(const struct slice_env *e, struct req *r)
{
	if (r->kind != REQ_WRITE || r->sectors != 0xc)
		return;
	r->addr += LINE_SECTORS * SECTOR;
	addr_route(e->map, r->addr, &r->local);
}

/* A request becomes the head of the ROP delay. Prefetches its set; all its sectors are in that
 * set. */
static inline void
set_rop_head(const struct slice_env *e, uint32_t i)
{
	struct slice *s = e->slice;
	const struct req *r = &e->req[i];

	s->rop_head = i;
	s->rop_sectors = r->sectors;
	s->rop_due = r->due;
	tags_prefetch(e->tags, tags_set(e->tags, addr_l2_index(e->map, r->local)));
	if (r->next != REQ_NONE)
		__builtin_prefetch(&e->req[r->next]);
}

/* Takes a request from the network. */
static inline uint32_t
take_request(const struct slice_env *e, cycle_t now)
{
	uint32_t i = port_pop(&e->request);
	struct req *r = &e->req[i];

	r->due = now + e->cfg->rop_latency;
	r->next = REQ_NONE;
	if (e->cfg->upper_half_next)
		move_upper_half(e, r);
	return i;
}

static inline void
enter_rop_delay(const struct slice_env *e, uint32_t i)
{
	struct slice *s = e->slice;

	if (s->rop_head == REQ_NONE)
		set_rop_head(e, i);
	else
		e->req[s->rop_tail].next = i;
	s->rop_tail = i;
}

static inline void
fill_sector(const struct slice_env *e)
{
	uint32_t entry = ring_pop(&e->slice->from_dram, e->from_dram);
	struct mshr_entry *m = &e->mshr->entry[entry];
	unsigned sector = (unsigned)(m->addr / SECTOR) & 3 & (e->tags->line / SECTOR - 1);

	tags_fill(e->tags, m->index, sector);
	if (m->atomic)
		tags_set_sector(e->tags, m->index, sector, SEC_MODIFIED);
	if (unlikely(!m->n)) { /* prefetched, and nobody has asked since */
		mshr_give(e->mshr, entry);
		return;
	}
	mshr_mark_ready(e->mshr, entry);
	e->slice->ready = true;
}

/* Moves one sector of the head of the ROP delay, which is due, into the L2 queue. */
static inline void
leave_rop_delay(const struct slice_env *e)
{
	struct slice *s = e->slice;
	uint32_t i = s->rop_head;

	ring_push(&s->in, e->in, req_token(i, (unsigned)__builtin_ctz(s->rop_sectors)));
	s->rop_sectors &= (uint8_t)(s->rop_sectors - 1);
	if (!s->rop_sectors) {
		uint32_t next = e->req[i].next;

		e->req[i].next = REQ_NONE; /* as if the next one had come later */
		if (next != REQ_NONE) {
			set_rop_head(e, next);
		} else {
			s->rop_head = REQ_NONE;
			s->rop_due = CYCLE_NEVER;
		}
	}
}

static inline bool
look_up_sector(const struct slice_env *e, cycle_t now)
{
	uint32_t token = ring_front(&e->slice->in, e->in);
	unsigned kind = e->req[token >> 2].kind;
	cycle_t time = now + e->slice->lru_offset;

	return kind == REQ_WRITE || kind == REQ_WRBK ? look_up_write(e, time, token)
						     : look_up_read(e, time, token);
}

/* Can the slice do something by itself in the next cycle? When the reply queue or the queue to
 * DRAM is full, the slice is woken once there is room. */
static inline bool
has_more(const struct slice_env *e)
{
	const struct slice *s = e->slice;
	bool reply = !ring_full(&s->reply), dram = !ring_full(&s->to_dram);

	return s->port_busy | s->from_dram.n | (s->ready & reply) | ((s->miss.n != 0) & dram) |
	       ((s->in.n != 0) & reply & dram);
}

/* What leaves the ROP delay at the end of a cycle becomes visible in the next one, so it is
 * handled at the start of that cycle: a sector that finds the queue empty is looked up in the same
 * visit. */
static inline void
begin_cycle(const struct slice_env *e, cycle_t before)
{
	if (before >= e->slice->rop_due && !ring_full(&e->slice->in))
		leave_rop_delay(e);
}

/* The rest of a cycle, after the network's turn. */
HOT static inline cycle_t
end_cycle(const struct slice_env *e, cycle_t now)
{
	struct slice *s = e->slice;

	if (s->ready && !ring_full(&s->reply)) {
		push_reply(e, mshr_next_ready(e->mshr));
		s->ready = mshr_has_ready(e->mshr);
	}
	if (s->from_dram.n)
		fill_sector(e);
	if (s->miss.n && !ring_full(&s->to_dram)) {
		slice_push_to_dram(e, ring_pop(&s->miss, e->miss));
	}
	if (s->port_busy)
		s->port_busy--;
	if (s->in.n && !s->port_busy && !ring_full(&s->to_dram) && !ring_full(&s->reply)) {
		if (look_up_sector(e, now))
			ring_pop(&s->in, e->in);
		else
			s->st.fails++;
	}
	return has_more(e) ? now : ring_full(&s->in) ? CYCLE_NEVER : s->rop_due;
}

HOT cycle_t
slice_tick(const struct slice_env *e, cycle_t now, cycle_t before, bool asks)
{
	begin_cycle(e, before);
	if (asks && slice_has_room(e))
		enter_rop_delay(e, take_request(e, now));
	return end_cycle(e, now);
}

HOT cycle_t
slice_tick_alone(const struct slice_env *e, cycle_t now, cycle_t before, bool *room)
{
	begin_cycle(e, before);
	*room = slice_has_room(e);
	return end_cycle(e, now);
}

uint32_t
slice_take_request(const struct slice_env *e, cycle_t now)
{
	return take_request(e, now);
}

bool
slice_enter_request(const struct slice_env *e, uint32_t i)
{
	bool first = e->slice->rop_head == REQ_NONE;

	enter_rop_delay(e, i);
	return first;
}

/* Returns the set of a line. Usually the line is that of the previous sector, whose set is known
 * without mapping its address again. */
static inline uint32_t
set_of_line(const struct slice_env *e, uint64_t line)
{
	uint32_t last = e->slice->last;
	uint64_t local;

	if (e->tags->lines[last].tag == line)
		return last >> e->tags->way_bits;
	addr_route(e->map, line, &local);
	return tags_set(e->tags, addr_l2_index(e->map, local));
}

unsigned
slice_reserve(const struct slice_env *e, uint64_t line, unsigned sector, cycle_t now)
{
	uint64_t addr = line + sector * SECTOR;
	cycle_t time = now + e->slice->lru_offset;
	uint32_t index = e->slice->last;
	enum probe p = tags_probe_again(e->tags, set_of_line(e, line), line, sector, false, &index);
	unsigned entry;

	if ((p != PROBE_MISS && p != PROBE_SECTOR_MISS) || !mshr_can_add(e->mshr, MSHR_NONE) ||
	    mshr_find(e->mshr, addr) != MSHR_NONE)
		return MSHR_NONE;
	if (p == PROBE_SECTOR_MISS) {
		tags_reserve_sector(e->tags, index, sector, time);
	} else {
		if (tags_modified(e->tags, index)) {
			if (e->slice->miss.n + 2 >= e->slice->miss.cap)
				return MSHR_NONE;
			write_back(e, index);
		}
		tags_allocate(e->tags, index, line, sector, time);
	}
	entry = mshr_take(e->mshr, addr);
	e->mshr->entry[entry].index = index;
	e->mshr->entry[entry].core = CORE_NONE;
	return entry;
}

void
slice_warm(const struct slice_env *e, uint64_t addr, cycle_t now)
{
	uint64_t line = addr & ~(uint64_t)(e->tags->line - 1);
	unsigned sector = (unsigned)(addr & (e->tags->line - 1)) / SECTOR;
	cycle_t time = now + e->slice->lru_offset++;
	uint32_t index = e->slice->last;
	enum probe p = tags_probe_again(e->tags, set_of_line(e, line), line, sector, true, &index);

	if (p != PROBE_FAIL)
		e->slice->last = index;
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
	e->slice->lru_offset += sectors;
}

const struct slice_stat *
slice_stat(const struct slice_env *e)
{
	return &e->slice->st;
}

unsigned
slice_waiting(const struct slice_env *e, cycle_t before)
{
	return e->slice->in.n + (before >= e->slice->rop_due && !ring_full(&e->slice->in));
}

bool
slice_has_requests(const struct slice_env *e)
{
	return e->slice->in.n || e->slice->rop_head != REQ_NONE;
}
