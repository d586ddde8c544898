/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cache.c - tag arrays with LRU replacement, and miss status holding registers (MSHRs).
 *
 * The victim is an invalid way, the highest-numbered first, otherwise the least recently used way
 * without a reserved sector. If there is none, the probe returns PROBE_FAIL and the access is
 * retried. Each set keeps its ways in the order of their use, so that a look-up reads no line
 * except the one it finds.
 *
 * Not modelled: ports and banks of the tag array, ECC.
 */
#include "cache/cache.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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
align_to_line(size_t n)
{
	return (n + 63) & ~(size_t)63;
}

static uint32_t
bits_for(uint32_t n)
{
	uint32_t bits = 0;

	while (1u << bits < n)
		bits++;
	return bits;
}

/* The order of up to 16 ways fits into one word, 4 bits per way; more ways take a byte each. */
static inline unsigned
order_bits(uint32_t assoc)
{
	return assoc <= 16 ? 4 : 8;
}

static uint32_t
set_words(const struct cache_cfg *c)
{
	return (c->assoc + 7) / 8;
}

static size_t
set_bytes(const struct cache_cfg *c)
{
	uint32_t order = (c->assoc * order_bits(c->assoc) + 63) / 64;

	return align_to_line(sizeof(struct cache_set) + (set_words(c) + order) * sizeof(uint64_t));
}

size_t
tags_places(const struct cache_cfg *c)
{
	return (size_t)c->sets << bits_for(c->assoc);
}

size_t
tags_bytes(const struct cache_cfg *c, bool keeps_bytes)
{
	size_t n = tags_places(c);

	return c->sets * set_bytes(c) + align_to_line(n * sizeof(struct cache_line)) +
	       (keeps_bytes ? align_to_line(n * 16) : 0);
}

void
tags_init(struct tags *t, const struct cache_cfg *c, bool keeps_bytes, void *mem)
{
	size_t n = tags_places(c);

	*t = (struct tags){.sets = c->sets,
			   .assoc = c->assoc,
			   .line = c->line,
			   .words = set_words(c),
			   .set_shift = bits_for(c->line),
			   .way_bits = bits_for(c->assoc),
			   .set_bytes = (uint32_t)set_bytes(c),
			   .hash = c->poly_hash ? 2 : c->hash_index,
			   .set = mem};
	t->lines = (struct cache_line *)(t->set + c->sets * set_bytes(c));
	if (keeps_bytes)
		t->bytes =
			(uint32_t(*)[4])((char *)t->lines + align_to_line(n * sizeof(*t->lines)));
	for (size_t i = 0; i < n; i++)
		t->lines[i].tag = UINT64_MAX;
	for (uint32_t s = 0; s < t->sets; s++)
		for (uint32_t way = 0; way < t->assoc; way++) {
			uint32_t at = way * order_bits(t->assoc);

			tags_ways(t, s)->word[t->words + at / 64] |= (uint64_t)way << at % 64;
		}
}

void
tags_invalidate(struct tags *t)
{
	for (size_t i = 0; i < (size_t)t->sets << t->way_bits; i++)
		t->lines[i].state = 0;
	for (uint32_t s = 0; s < t->sets; s++)
		tags_ways(t, s)->used = tags_ways(t, s)->held = tags_ways(t, s)->dirty = 0;
}

uint32_t
tags_hashed_set(const struct tags *t, uint64_t line)
{
	static const unsigned above[5] = {1, 2, 3, 5, 7};
	unsigned bits = (unsigned)__builtin_ctz(t->sets);
	uint32_t set = (uint32_t)line & (t->sets - 1);

	if (t->hash == 2)
		return addr_hash(line >> bits, set, t->sets);
	for (unsigned i = 0; i < 5 && i < bits; i++)
		set ^= (uint32_t)(line >> (bits + above[i]) & 1) << i;
	return set;
}

#define BYTES(b) ((uint64_t)(b)*UINT64_C(0x0101010101010101))

/* The zero fields of x, marked by their top bit; `ones` has a 1 in every field. A field above a
 * zero field may be marked wrongly because of the borrow. */
static inline uint64_t
zero_fields(uint64_t x, uint64_t ones, unsigned bits)
{
	return (x - ones) & ~x & ones << (bits - 1);
}

/* The byte that represents a tag (a hash), repeated in every byte of a word. */
static inline uint64_t
mark_of(uint64_t line)
{
	return BYTES((uint32_t)(line >> 5) * 0x9e3779b1u >> 24);
}

/* ---------------------------------------------------------------- order of use */

/* The first way in an order that is not held; UINT32_MAX if all are. */
static ALWAYS_INLINE uint32_t
first_free(const uint64_t *order, uint32_t assoc, uint64_t held, unsigned bits)
{
	for (uint32_t i = 0; i < assoc; i++) {
		uint32_t way = order[i * bits / 64] >> i * bits % 64 & ((1u << bits) - 1);

		if (!(held >> way & 1))
			return way;
	}
	return UINT32_MAX;
}

/* Chooses an unused way, otherwise the least recently used way that is not held. */
static inline uint32_t
choose_victim(const struct tags *t, uint32_t set)
{
	const struct cache_set *w = tags_ways(t, set);
	uint64_t unused = ~w->used & ~UINT64_C(0) >> (64 - t->assoc);

	if (unused)
		return 63 - (uint32_t)__builtin_clzll(unused);
	if (order_bits(t->assoc) == 4)
		return first_free(&w->word[t->words], t->assoc, w->held, 4);
	return first_free(&w->word[t->words], t->assoc, w->held, 8);
}

/* Moves a way up to position `to`, which is not below its own; the ways between move down. */
static ALWAYS_INLINE void
move_up(uint64_t *order, uint64_t way, uint32_t to, unsigned bits)
{
	uint64_t ones = bits == 4 ? UINT64_C(0x1111111111111111) : BYTES(1), found, below, upto, w;
	uint32_t k = 0, end = bits == 4 ? 0 : to / 8, top = to * bits % 64;

	while (!(found = zero_fields(order[k] ^ way * ones, ones, bits)) && k < end)
		k++;
	below = ((found & -found) >> (bits - 1)) - 1;
	for (; k < end; k++, below = 0)
		order[k] = (order[k] & below) | (order[k] >> bits & ~below) |
			   order[k + 1] << (64 - bits);
	w = order[end];
	upto = (UINT64_C(1) << top) - 1;
	order[end] = (w & below) | (w >> bits & ~below & upto) | way << top |
		     (w & ~upto << (bits - 1) << 1);
}

/* Moves a way up to the last position, which is at bit `top`; all bits above it must be zero.
 * For up to 16 ways. */
static inline uint64_t
moved_to_top(uint64_t order, uint64_t way, uint32_t top)
{
	const uint64_t ones = UINT64_C(0x1111111111111111);
	uint64_t found = zero_fields(order ^ way * ones, ones, 4);
	uint64_t below = ((found & -found) >> 3) - 1;

	return (order & below) | (order >> 4 & ~below) | way << top;
}

/* The general case of tags_touch(): more than 16 ways, or another line was used at the same
 * time. */
static NOINLINE void
touch_general(const struct tags *t, struct cache_set *w, uint32_t way, uint64_t time)
{
	uint32_t to = t->assoc - 1;

	if (time == w->last)
		to -= (uint32_t)__builtin_popcountll(w->tied >> way >> 1);
	else
		w->tied = 0;
	w->last = time;
	w->tied |= UINT64_C(1) << way;
	if (order_bits(t->assoc) == 4)
		move_up(&w->word[t->words], way, to, 4);
	else
		move_up(&w->word[t->words], way, to, 8);
}

HOT void
tags_touch(const struct tags *t, uint32_t index, uint64_t time)
{
	struct cache_set *w = tags_ways(t, index >> t->way_bits);
	uint32_t way = index & ((1u << t->way_bits) - 1);
	uint64_t *order = &w->word[t->words];

	if (unlikely(time == w->last || order_bits(t->assoc) != 4)) {
		touch_general(t, w, way, time);
		return;
	}
	w->last = time;
	w->tied = UINT64_C(1) << way;
	if (*order >> (t->assoc - 1) * 4 != way)
		*order = moved_to_top(*order, way, (t->assoc - 1) * 4);
}

/* Probes for a victim, because the set does not hold the line. */
static enum probe
probe_victim(const struct tags *t, uint32_t set, uint32_t *index)
{
	uint32_t way = choose_victim(t, set);

	*index = set << t->way_bits | way;
	return way == UINT32_MAX ? PROBE_FAIL : PROBE_MISS;
}

/* The ways, out of sixteen, whose byte equals a mark. */
#ifdef __SSE2__
static inline uint64_t
marked_ways(const uint64_t *word, uint64_t mark)
{
	__m128i ways = _mm_loadu_si128((const __m128i *)word);
	__m128i marks = _mm_set1_epi64x((long long)mark);

	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(ways, marks));
}
#else
/* May also return a few wrong ways out of eight. */
static inline uint64_t
marked_of_eight(uint64_t word, uint64_t mark)
{
	return (zero_fields(word ^ mark, BYTES(1), 8) >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static inline uint64_t
marked_ways(const uint64_t *word, uint64_t mark)
{
	return marked_of_eight(word[0], mark) | marked_of_eight(word[1], mark) << 8;
}
#endif

/* The ways of a set that may hold a line. With an odd number of words, the last step also reads
 * the word after the marks; `used` masks out those bits. */
static NOINLINE uint64_t
find_marked_ways(const struct tags *t, const struct cache_set *w, uint64_t mark)
{
	uint64_t m = 0;

	for (uint32_t word = 0; word < t->words; word += 2)
		m |= marked_ways(&w->word[word], mark) << 8 * word;
	return m & w->used;
}

/* The result of a look-up that found the line. */
static inline enum probe
probe_sector(const struct cache_line *l, unsigned sector, bool write)
{
	uint32_t state = line_sector(l, sector);

	if (likely(state == SEC_VALID))
		return PROBE_HIT;
	if (state == SEC_RESERVED)
		return PROBE_PENDING;
	if (state == SEC_MODIFIED && (write || !(l->flags & LINE_UNREADABLE(sector))))
		return PROBE_HIT;
	return PROBE_SECTOR_MISS;
}

/* Continues a look-up when the first marked way is not the line or no way is marked. */
HOT static NOINLINE enum probe
probe_others(const struct tags *t, uint32_t set, uint64_t line, unsigned sector, bool write,
	     uint32_t *index, uint64_t m)
{
	const struct cache_line *l = &t->lines[set << t->way_bits];

	while (m &= m - 1) {
		uint32_t way = (uint32_t)__builtin_ctzll(m);

		if (l[way].tag != line)
			continue;
		*index = set << t->way_bits | way;
		return probe_sector(&l[way], sector, write);
	}
	return probe_victim(t, set, index);
}

/* A mark is only a hash: the tag decides. */
HOT enum probe
tags_probe(const struct tags *t, uint32_t set, uint64_t line, unsigned sector, bool write,
	   uint32_t *index)
{
	const struct cache_set *w = tags_ways(t, set);
	const struct cache_line *l = &t->lines[set << t->way_bits];
	uint64_t mark = mark_of(line), m;

	if (likely(t->words <= 2))
		m = marked_ways(w->word, mark) & w->used;
	else
		m = find_marked_ways(t, w, mark);
	if (likely(m)) {
		uint32_t way = (uint32_t)__builtin_ctzll(m);

		if (likely(l[way].tag == line)) {
			*index = set << t->way_bits | way;
			return probe_sector(&l[way], sector, write);
		}
	}
	return probe_others(t, set, line, sector, write, index, m);
}

enum probe
tags_probe_again(const struct tags *t, uint32_t set, uint64_t line, unsigned sector, bool write,
		 uint32_t *index)
{
	const struct cache_line *l = &t->lines[*index];

	if (l->tag == line && l->state)
		return probe_sector(l, sector, write);
	return tags_probe(t, set, line, sector, write, index);
}

bool
tags_find(const struct tags *t, uint32_t set, uint64_t line, uint64_t time)
{
	uint32_t index;

	if (tags_probe(t, set, line, 0, false, &index) != PROBE_HIT)
		return false;
	tags_touch(t, index, time);
	return true;
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

HOT void
tags_allocate(struct tags *t, uint32_t index, uint64_t line, unsigned sector, uint64_t time)
{
	struct cache_set *w = tags_ways(t, index >> t->way_bits);
	uint32_t way = index & ((1u << t->way_bits) - 1);
	uint64_t *mark = &w->word[way / 8], byte = UINT64_C(0xff) << way % 8 * 8;

	*mark = (*mark & ~byte) | (mark_of(line) & byte);
	t->lines[index] =
		(struct cache_line){.tag = line, .state = (uint32_t)SEC_RESERVED << 8 * sector};
	w->used |= UINT64_C(1) << way;
	w->held |= UINT64_C(1) << way;
	w->dirty &= ~(UINT64_C(1) << way);
	tags_touch(t, index, time);
}

HOT void
tags_reserve_sector(struct tags *t, uint32_t index, unsigned sector, uint64_t time)
{
	struct cache_line *l = &t->lines[index];
	bool was_modified = line_sector(l, sector) == SEC_MODIFIED;

	l->flags &= (uint16_t)~LINE_SECTOR_FLAGS(sector);
	if (was_modified)
		l->flags |= LINE_MODIFIED_ON_FILL(sector);
	tags_set_sector(t, index, sector, SEC_RESERVED);
	tags_touch(t, index, time);
}

HOT void
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

	return align_to_line(sizeof(struct mshr_state) + b * sizeof(uint16_t)) +
	       align_to_line(c->mshr * sizeof(struct mshr_entry)) +
	       align_to_line(b * sizeof(uint16_t)) +
	       align_to_line((size_t)c->mshr * c->merge * sizeof(uint32_t));
}

void
mshr_init(struct mshr *m, const struct cache_cfg *c, void *mem)
{
	char *p = mem;

	m->entries = c->mshr;
	m->merge = c->merge;
	m->buckets = pow2_at_least(c->mshr);
	m->state = (struct mshr_state *)p;
	m->ready = (uint16_t *)(m->state + 1);
	p += align_to_line(sizeof(struct mshr_state) + m->buckets * sizeof(uint16_t));
	m->entry = (struct mshr_entry *)p;
	p += align_to_line(c->mshr * sizeof(struct mshr_entry));
	m->bucket = (uint16_t *)p;
	p += align_to_line(m->buckets * sizeof(uint16_t));
	m->list = (uint32_t *)p;
	for (uint32_t i = 0; i < m->buckets; i++)
		m->bucket[i] = MSHR_NONE;
	for (uint32_t i = 0; i < m->entries; i++)
		m->entry[i].next = (uint16_t)(i + 1 < m->entries ? i + 1 : MSHR_NONE);
	m->state->free = 0;
}

HOT unsigned
mshr_take(struct mshr *m, uint64_t addr)
{
	unsigned i = m->state->free;
	struct mshr_entry *e = &m->entry[i];
	uint16_t *b = &m->bucket[mshr_bucket(m, addr)];

	m->state->free = e->next;
	m->state->used++;
	*e = (struct mshr_entry){.addr = addr, .next = *b};
	*b = (uint16_t)i;
	return i;
}

HOT void
mshr_give(struct mshr *m, unsigned i)
{
	struct mshr_entry *e = &m->entry[i];
	uint16_t *b = &m->bucket[mshr_bucket(m, e->addr)];

	while (*b != i)
		b = &m->entry[*b].next;
	*b = e->next;
	e->next = m->state->free;
	m->state->free = (uint16_t)i;
	m->state->used--;
}

uint32_t
mshr_next_ready(struct mshr *m)
{
	unsigned i = m->ready[m->state->ready_head & (m->buckets - 1)];
	struct mshr_entry *e = &m->entry[i];
	uint32_t handle = e->handle;

	if (--e->n) {
		e->handle = m->list[i * m->merge + e->first];
		e->first = (uint8_t)mshr_place(m, e->first + 1u);
	} else {
		mshr_give(m, i);
		m->state->ready_head++;
		m->state->ready_n--;
	}
	return handle;
}
