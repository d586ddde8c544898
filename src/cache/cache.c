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
	size_t n = (size_t)c->sets * c->assoc;

	return align(n * sizeof(uint64_t)) + align(n * sizeof(struct cache_line)) +
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
			   .hash = c->hash_index};
	while (1u << t->set_shift < c->line)
		t->set_shift++;
	t->tag = (uint64_t *)p;
	p += align(n * sizeof(uint64_t));
	t->lines = (struct cache_line *)p;
	p += align(n * sizeof(struct cache_line));
	t->bytes = keeps_bytes ? (uint32_t(*)[4])p : NULL;
	for (size_t i = 0; i < n; i++)
		t->tag[i] = UINT64_MAX;
}

void
tags_invalidate(struct tags *t)
{
	size_t n = (size_t)t->sets * t->assoc;

	for (size_t i = 0; i < n; i++)
		t->lines[i].state = 0;
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

enum probe
tags_probe(const struct tags *t, uint32_t set, uint64_t line, unsigned sector, bool write,
	   uint32_t *index)
{
	uint32_t base = set * t->assoc, invalid = UINT32_MAX, lru = UINT32_MAX;
	uint64_t oldest = UINT64_MAX;

	for (uint32_t i = base; i < base + t->assoc; i++) {
		const struct cache_line *l;

		if (t->tag[i] != line)
			continue;
		l = &t->lines[i];
		if (!l->state)
			continue;
		*index = i;
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
	for (uint32_t i = base; i < base + t->assoc; i++) {
		const struct cache_line *l = &t->lines[i];

		if (!l->state)
			invalid = i;
		else if (!(l->state & SEC_ALL(SEC_RESERVED)) && l->time < oldest) {
			oldest = l->time;
			lru = i;
		}
	}
	*index = invalid != UINT32_MAX ? invalid : lru;
	return *index == UINT32_MAX ? PROBE_FAIL : PROBE_MISS;
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
	t->tag[index] = line;
	t->lines[index] =
		(struct cache_line){.state = (uint32_t)SEC_RESERVED << (8 * sector), .time = time};
	if (t->bytes)
		memset(t->bytes[index], 0, sizeof(t->bytes[index]));
}

void
tags_reserve_sector(struct tags *t, uint32_t index, unsigned sector, uint64_t time)
{
	struct cache_line *l = &t->lines[index];
	bool was_modified = line_sector(l, sector) == SEC_MODIFIED;

	l->flags &= ~LINE_SECTOR_FLAGS(sector);
	if (was_modified)
		l->flags |= LINE_MODIFIED_ON_FILL(sector);
	line_set_sector(l, sector, SEC_RESERVED);
	l->time = time;
}

void
tags_fill(struct tags *t, uint32_t index, unsigned sector)
{
	struct cache_line *l = &t->lines[index];

	line_set_sector(l, sector,
			l->flags & LINE_MODIFIED_ON_FILL(sector) ? SEC_MODIFIED : SEC_VALID);
	if (l->flags & LINE_READABLE_ON_FILL(sector))
		l->flags &= ~(LINE_READABLE_ON_FILL(sector) | LINE_UNREADABLE(sector));
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
