/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cache.c - tag arrays with LRU replacement and miss registers.
 *
 * Victim choice: an invalid way, the highest-numbered first, else the least recently used among the
 * ways without a reserved sector; none of those: PROBE_FAIL (the access is retried).
 * Not modelled: ports and banks of the tag array, ECC.
 */
#include "cache/cache.h"
#include <string.h>

#define ROW(kind, type, name, ...) \
	[CACHE_##kind][CACHE_OPT_##name] = DECL_ROW(struct cache_cfg, type, name, __VA_ARGS__)
#define OPT(type, name, l1d, l1i, l1c, l1t, l2, ...) \
	ROW(L1D, type, name, l1d, __VA_ARGS__)       \
	ROW(L1I, type, name, l1i, __VA_ARGS__)       \
	ROW(L1C, type, name, l1c, __VA_ARGS__)       \
	ROW(L1T, type, name, l1t, __VA_ARGS__)       \
	ROW(L2, type, name, l2, __VA_ARGS__)
const struct opt_row cache_opts[CACHE_KINDS][CACHE_OPTS] = {
#include "cache/cache.def"
};

static size_t
align(size_t n)
{
	return (n + 63) & ~(size_t)63;
}

size_t
tags_bytes(const struct cache_cfg *c, bool keeps_bytes)
{
	size_t n = (size_t)c->sets * c->assoc, words = (c->assoc + 7) / 8;

	return align(n * sizeof(uint64_t)) + align(c->sets * words * sizeof(uint64_t)) +
	       align(c->sets * sizeof(struct cache_ways)) + align(n * sizeof(struct cache_line)) +
	       (keeps_bytes ? align(n * 16) : 0);
}

void
tags_init(struct tags *t, const struct cache_cfg *c, bool keeps_bytes, void *mem)
{
	size_t n = (size_t)c->sets * c->assoc;
	char *p = mem;

	*t = (struct tags){.sets = c->sets,
			   .assoc = c->assoc,
			   .line = c->line,
			   .words = (c->assoc + 7) / 8,
			   .hash = c->hash_index};
	while (1u << t->set_shift < c->line)
		t->set_shift++;
	t->tag = (uint64_t *)p;
	p += align(n * sizeof(uint64_t));
	t->marks = (uint64_t *)p;
	p += align((size_t)t->sets * t->words * sizeof(uint64_t));
	t->ways = (struct cache_ways *)p;
	p += align(t->sets * sizeof(struct cache_ways));
	t->lines = (struct cache_line *)p;
	p += align(n * sizeof(struct cache_line));
	t->bytes = keeps_bytes ? (uint32_t(*)[4])p : NULL;
	for (size_t i = 0; i < n; i++) {
		t->tag[i] = UINT64_MAX;
		t->lines[i].set = (uint16_t)(i / c->assoc);
	}
}

void
tags_invalidate(struct tags *t)
{
	size_t n = (size_t)t->sets * t->assoc;

	for (size_t i = 0; i < n; i++)
		t->lines[i].state = 0;
	memset(t->ways, 0, t->sets * sizeof(*t->ways));
}

/* The hash takes bits 13, 14, 15, 17, 19 on a 32-set cache of 128-byte lines
 * (ctascope-model(7) 7.7): two groups above the index, the second one thinned. Other shapes use the
 * same positions, counted from the end of the index field. */
uint32_t
tags_set(const struct tags *t, uint64_t addr)
{
	static const unsigned above[5] = {1, 2, 3, 5, 7};
	uint64_t line = addr >> t->set_shift;
	uint32_t set = (uint32_t)line & (t->sets - 1);

	if (t->hash) {
		unsigned bits = (unsigned)__builtin_ctz(t->sets);

		for (unsigned i = 0; i < 5 && i < bits; i++)
			set ^= (uint32_t)(line >> (bits + above[i]) & 1) << i;
	}
	return set;
}

/* The byte that stands for a tag, in every byte of a word. */
static inline uint64_t
mark_of(uint64_t line)
{
	return ((uint32_t)(line >> 5) * 0x9e3779b1u >> 24) * UINT64_C(0x0101010101010101);
}

/* The way of a set that holds a line; UINT32_MAX: none. A byte that is zero after the exclusive or
 * is found by the borrow it takes (one above another such byte may be a false find: the tag says).
 */
static inline uint32_t
find_way(const struct tags *t, uint32_t set, uint64_t line)
{
	uint64_t mark = mark_of(line), low = UINT64_C(0x0101010101010101);

	for (uint32_t word = 0; word < t->words; word++) {
		uint64_t x = t->marks[set * t->words + word] ^ mark;

		for (uint64_t m = (x - low) & ~x & low << 7; m; m &= m - 1) {
			uint32_t way = word * 8 + (uint32_t)__builtin_ctzll(m) / 8;

			if (t->tag[set * t->assoc + way] == line && t->ways[set].used >> way & 1)
				return way;
		}
	}
	return UINT32_MAX;
}

/* Takes the place of the least recently used way that is not held; UINT32_MAX: all are. */
static uint32_t
victim(const struct tags *t, uint32_t set)
{
	const struct cache_ways *w = &t->ways[set];
	uint64_t all = ~UINT64_C(0) >> (64 - t->assoc), oldest = UINT64_MAX;
	uint32_t lru = UINT32_MAX;

	if (all & ~w->used)
		return 63 - (uint32_t)__builtin_clzll(all & ~w->used);
	for (uint64_t m = all & ~w->held; m; m &= m - 1) {
		uint32_t way = (uint32_t)__builtin_ctzll(m);
		uint64_t time = t->lines[set * t->assoc + way].time;

		if (time < oldest) {
			oldest = time;
			lru = way;
		}
	}
	return lru;
}

enum probe
tags_probe(const struct tags *t, uint32_t set, uint64_t line, unsigned sector, bool write,
	   uint32_t *index)
{
	uint32_t way = find_way(t, set, line);
	const struct cache_line *l;

	if (way == UINT32_MAX) {
		way = victim(t, set);
		*index = set * t->assoc + way;
		return way == UINT32_MAX ? PROBE_FAIL : PROBE_MISS;
	}
	*index = set * t->assoc + way;
	l = &t->lines[*index];
	switch (line_sector(l, sector)) {
	case SEC_RESERVED:
		return PROBE_PENDING;
	case SEC_VALID:
		return PROBE_HIT;
	case SEC_MODIFIED:
		return write || !(l->flags & LINE_UNREADABLE(sector)) ? PROBE_HIT
								      : PROBE_SECTOR_MISS;
	default:
		return PROBE_SECTOR_MISS;
	}
}

unsigned
line_sectors_in(const struct cache_line *l, enum sector_state s)
{
	unsigned mask = 0;

	for (unsigned i = 0; i < 4; i++)
		if (line_sector(l, i) == (uint32_t)s)
			mask |= 1u << i;
	return mask;
}

void
tags_allocate(struct tags *t, uint32_t index, uint64_t line, unsigned sector, uint64_t time)
{
	struct cache_line *l = &t->lines[index];
	uint32_t way = index - l->set * t->assoc;
	uint64_t *mark = &t->marks[l->set * t->words + way / 8], byte = UINT64_C(0xff)
									<< 8 * (way % 8);

	t->tag[index] = line;
	*mark = (*mark & ~byte) | (mark_of(line) & byte);
	*l = (struct cache_line){.set = l->set, .time = time};
	tags_set_sector(t, index, sector, SEC_RESERVED);
	if (t->bytes)
		memset(t->bytes[index], 0, sizeof(t->bytes[index]));
}

void
tags_reserve_sector(struct tags *t, uint32_t index, unsigned sector, uint64_t time)
{
	struct cache_line *l = &t->lines[index];
	bool was_modified = line_sector(l, sector) == SEC_MODIFIED;

	l->flags &= (uint16_t)~LINE_SECTOR_FLAGS(sector);
	if (was_modified)
		l->flags |= LINE_MODIFIED_ON_FILL(sector);
	tags_set_sector(t, index, sector, SEC_RESERVED);
	l->time = time;
}

void
tags_fill(struct tags *t, uint32_t index, unsigned sector)
{
	struct cache_line *l = &t->lines[index];

	tags_set_sector(t, index, sector,
			l->flags & LINE_MODIFIED_ON_FILL(sector) ? SEC_MODIFIED : SEC_VALID);
	if (l->flags & LINE_READABLE_ON_FILL(sector))
		l->flags &= (uint16_t) ~(LINE_READABLE_ON_FILL(sector) | LINE_UNREADABLE(sector));
}

static uint32_t
pow2_at_least(uint32_t n)
{
	uint32_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

size_t
mshr_bytes(const struct cache_cfg *c)
{
	uint32_t b = pow2_at_least(c->mshr);

	return align(sizeof(struct mshr_state)) + align(c->mshr * sizeof(struct mshr_entry)) +
	       2 * align(b * sizeof(uint16_t)) +
	       align((size_t)c->mshr * c->merge * sizeof(uint32_t));
}

void
mshr_init(struct mshr *m, const struct cache_cfg *c, void *mem)
{
	char *p = mem;

	m->entries = c->mshr;
	m->merge = c->merge;
	m->buckets = pow2_at_least(c->mshr);
	m->s = (struct mshr_state *)p;
	p += align(sizeof(struct mshr_state));
	m->e = (struct mshr_entry *)p;
	p += align(c->mshr * sizeof(struct mshr_entry));
	m->bucket = (uint16_t *)p;
	p += align(m->buckets * sizeof(uint16_t));
	m->ready = (uint16_t *)p;
	p += align(m->buckets * sizeof(uint16_t));
	m->list = (uint32_t *)p;
	for (uint32_t i = 0; i < m->buckets; i++)
		m->bucket[i] = MSHR_NONE;
	for (uint32_t i = 0; i < m->entries; i++)
		m->e[i].next = (uint16_t)(i + 1 < m->entries ? i + 1 : MSHR_NONE);
	m->s->free = 0;
}

unsigned
mshr_take(struct mshr *m, uint64_t addr)
{
	unsigned i = m->s->free;
	struct mshr_entry *e = &m->e[i];
	uint16_t *b = &m->bucket[mshr_bucket(m, addr)];

	m->s->free = e->next;
	m->s->used++;
	*e = (struct mshr_entry){.addr = addr, .next = *b};
	*b = (uint16_t)i;
	return i;
}

uint32_t
mshr_next_ready(struct mshr *m)
{
	unsigned i = m->ready[m->s->ready_head & (m->buckets - 1)];
	struct mshr_entry *e = &m->e[i];
	uint32_t handle = m->list[i * m->merge + e->first];

	e->first = (uint8_t)((e->first + 1) % m->merge);
	if (!--e->n) {
		uint16_t *b = &m->bucket[mshr_bucket(m, e->addr)];

		while (*b != i)
			b = &m->e[*b].next;
		*b = e->next;
		e->next = m->s->free;
		m->s->free = (uint16_t)i;
		m->s->used--;
		m->s->ready_head++;
		m->s->ready_n--;
	}
	return handle;
}
