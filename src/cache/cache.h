/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cache.h - tags and MSHRs: one implementation for L1 data, L1 instruction and L2.
 *
 * A line has one state per 32-byte sector, packed as one byte each in a uint32_t (a plain cache
 * uses sector 0 only). Tags are whole line addresses. Lines are found and filled by index, as in
 * the reference: a fill for a line that was replaced meanwhile lands in its successor. The users in
 * ldst, core and mem decide what a miss does and who waits for it.
 */
#ifndef CACHE_H
#define CACHE_H

#include "base/fifo.h"
#include "ctascope/addrmap.h"
#include "ctascope/base.h"
#include "ctascope/decl.h"

#define OPT DECL_FIELD
struct cache_cfg {
#include "cache/cache.def"
};
#define OPT(type, name, ...) CACHE_OPT_##name,
enum cache_opt {
#include "cache/cache.def"
	CACHE_OPTS,
	CACHE_OPTS_SHARED = CACHE_OPT_miss_queue /* options of a cache that shares its miss queue */
};
enum cache_kind { CACHE_L1D, CACHE_L1I, CACHE_L1C, CACHE_L1T, CACHE_L2, CACHE_KINDS };
extern const struct opt_row cache_opts[CACHE_KINDS][CACHE_OPTS];

/* Sector states, one byte each. */
enum sector_state { SEC_INVALID = 0, SEC_VALID = 1, SEC_MODIFIED = 2, SEC_RESERVED = 4 };
#define SEC_ALL(s) ((uint32_t)(s)*0x01010101u)

/* Per-sector flags of a line. */
#define LINE_UNREADABLE(s) (1u << (s)) /* partly written: a read must fetch it */
#define LINE_MODIFIED_ON_FILL(s) (1u << (4 + (s)))
#define LINE_READABLE_ON_FILL(s) (1u << (8 + (s)))
#define LINE_WRITTEN(s) (1u << (12 + (s))) /* the mask of its written bytes is valid */
#define LINE_SECTOR_FLAGS(s) (0x111u << (s))

struct cache_line {
	uint64_t tag;	/* line address */
	uint32_t state; /* four sector states; changed by the functions below only */
	uint16_t flags;
	uint16_t pad;
};

/* What a look-up reads first; in the masks, each way is one bit. Sets are adjacent, each
 * beginning at a line of the host's cache. */
struct cache_set {
	uint64_t used;	 /* some sector is not invalid */
	uint64_t held;	 /* some sector is reserved, so the line must not be replaced */
	uint64_t dirty;	 /* some sector is modified */
	uint64_t last;	 /* time of the last use of any line */
	uint64_t tied;	 /* the ways used at that time */
	uint64_t word[]; /* [words] one byte per way, a hash of its tag; then the ways, least
			    recently used first */
};

/* Who loaded each line, for display. It is not part of the machine: no digest includes it, and no
 * decision depends on it. The user of the cache defines the meaning of an owner. */
struct line_owners {
	uint64_t evicted_by_others; /* lines of present owners, replaced for another one */
	uint32_t present[MAX_CTAS]; /* the owner in each slot; OWNER_NONE: none */
	uint32_t of[];		    /* of each line, by its index */
};
#define OWNER_NONE UINT32_MAX

/* The constant shape, and pointers into the arena. The index of a line is set << way_bits | way.
 * */
struct tags {
	_Alignas(64) uint32_t sets, assoc, line;
	uint32_t words; /* words with a byte per way */
	uint32_t set_shift, way_bits;
	uint32_t set_bytes; /* from one struct cache_set to the next */
	uint8_t hash;	    /* 0: low bits; 1, 2: tags_hashed_set() */
	char *set;
	struct cache_line *lines;   /* [sets << way_bits] */
	uint32_t (*bytes)[4];	    /* written bytes per sector; NULL when the cache keeps none */
	struct line_owners *owners; /* NULL when the cache keeps none */
};

enum probe { PROBE_HIT, PROBE_PENDING, PROBE_SECTOR_MISS, PROBE_MISS, PROBE_FAIL };

size_t tags_places(const struct cache_cfg *c); /* indexes of lines, gaps included */
size_t tags_bytes(const struct cache_cfg *c, bool keeps_bytes);
void tags_init(struct tags *t, const struct cache_cfg *c, bool keeps_bytes, void *mem);
void tags_invalidate(struct tags *t);

/* The hashed set of a line address. hash 2 is addr_hash() with the bits above the index. hash 1
 * takes bits 13, 14, 15, 17, 19 on a 32-set cache of 128-byte lines (ctascope-model(7) 7.7): two
 * groups of bits above the index, the second with gaps. Other shapes use the same positions
 * relative to the end of the index field. */
uint32_t tags_hashed_set(const struct tags *t, uint64_t line);

/* Set of an address (for L2: of the slice-local address). */
static inline uint32_t
tags_set(const struct tags *t, uint64_t addr)
{
	uint64_t line = addr >> t->set_shift;

	return t->hash ? tags_hashed_set(t, line) : (uint32_t)line & (t->sets - 1);
}

/* Looks up a sector. *index becomes the line found or, on PROBE_MISS, the victim. */
enum probe tags_probe(const struct tags *t, uint32_t set, uint64_t line, unsigned sector,
		      bool write, uint32_t *index);

/* The same, where *index is a line that this one probably is: the sectors of a request are
 * looked up one after the other. */
enum probe tags_probe_again(const struct tags *t, uint32_t set, uint64_t line, unsigned sector,
			    bool write, uint32_t *index);

/* Prefetches what a look-up of this set will read. */
static inline void
tags_prefetch(const struct tags *t, uint32_t set)
{
	const char *line = (const char *)&t->lines[set << t->way_bits];

	__builtin_prefetch(t->set + (size_t)set * t->set_bytes);
	for (unsigned i = 0; i < sizeof(struct cache_line) << t->way_bits; i += 64)
		__builtin_prefetch(line + i);
}

/* The same for a fill of this line. */
static inline void
tags_prefetch_line(const struct tags *t, uint32_t index)
{
	__builtin_prefetch(t->set + (size_t)(index >> t->way_bits) * t->set_bytes);
	__builtin_prefetch(&t->lines[index]);
}

static inline uint32_t
line_sector(const struct cache_line *l, unsigned sector)
{
	return l->state >> (8 * sector) & 0xff;
}

static inline struct cache_set *
tags_ways(const struct tags *t, uint32_t set)
{
	return (struct cache_set *)(t->set + (size_t)set * t->set_bytes);
}

/* Is any sector of the line modified? Does not read the line itself. */
static inline bool
tags_modified(const struct tags *t, uint32_t index)
{
	return tags_ways(t, index >> t->way_bits)->dirty >> (index & ((1u << t->way_bits) - 1)) & 1;
}

static inline void
tags_set_sector(const struct tags *t, uint32_t index, unsigned sector, enum sector_state s)
{
	struct cache_line *l = &t->lines[index];
	struct cache_set *w = tags_ways(t, index >> t->way_bits);
	unsigned way = index & ((1u << t->way_bits) - 1);
	uint64_t others = ~(UINT64_C(1) << way);
	uint32_t state = (l->state & ~(0xffu << (8 * sector))) | (uint32_t)s << (8 * sector);

	l->state = state;
	w->used = (w->used & others) | (uint64_t)(state != 0) << way;
	w->held = (w->held & others) | (uint64_t)((state & SEC_ALL(SEC_RESERVED)) != 0) << way;
	w->dirty = (w->dirty & others) | (uint64_t)((state & SEC_ALL(SEC_MODIFIED)) != 0) << way;
}

/* Marks a line as used. Time must not go back. Among lines used at the same time, the lowest way
 * counts as the oldest. */
void tags_touch(const struct tags *t, uint32_t index, uint64_t time);

/* Looks up a line for reading in a cache with one sector per line, and marks it as used if
 * present. */
bool tags_find(const struct tags *t, uint32_t set, uint64_t line, uint64_t time);

/* The same with a fast path for the line that was used last in its set, which is the usual case.
 * */
static inline bool
tags_hit(const struct tags *t, uint64_t line, uint64_t time)
{
	uint32_t set = tags_set(t, line);
	struct cache_set *w = tags_ways(t, set);
	uint32_t way = 63 - (uint32_t)__builtin_clzll(w->tied | 1);
	const struct cache_line *l = &t->lines[set << t->way_bits | way];

	if (unlikely(w->last == time || l->tag != line || l->state != SEC_VALID))
		return tags_find(t, set, line, time);
	w->last = time;
	w->tied = UINT64_C(1) << way;
	return true;
}

/* The sectors of a line that are in a state, one bit each. */
unsigned line_sectors_in(const struct cache_line *l, enum sector_state s);

/* Gives the line at `index` a new address, with one sector reserved. */
void tags_allocate(struct tags *t, uint32_t index, uint64_t line, unsigned sector, uint64_t time);
/* Reserves one more sector of a line that is present. */
void tags_reserve_sector(struct tags *t, uint32_t index, unsigned sector, uint64_t time);
void tags_fill(struct tags *t, uint32_t index, unsigned sector);

/* ---------------------------------------------------------------- miss registers */

#define MSHR_NONE 0xffffu

struct mshr_entry {
	uint64_t addr;
	uint32_t index;	  /* the line to fill */
	uint32_t handle;  /* the handle that has waited longest; usually the only one */
	uint16_t next;	  /* hash chain or free list */
	uint8_t first, n; /* ring of the other waiting handles; n: all waiting handles */
	uint8_t ready;
	uint8_t atomic; /* L2: some handle modifies the sector */
	uint8_t core; /* L2: the core that missed first; CORE_NONE: nobody asked (mem.row_prefetch)
		       */
	uint8_t pad;
};

struct mshr_state {
	uint16_t free, used;
	uint16_t ready_head, ready_n; /* ring of entries whose data has arrived */
};

struct mshr {
	_Alignas(64) uint32_t entries, merge, buckets;
	struct mshr_state *state;
	struct mshr_entry *entry;
	uint16_t *bucket;
	uint16_t *ready; /* ring, after the state; its size is a power of two >= entries */
	uint32_t *list;	 /* [entries][merge] handles */
};

size_t mshr_bytes(const struct cache_cfg *c);
void mshr_init(struct mshr *m, const struct cache_cfg *c, void *mem);

static inline uint32_t
mshr_bucket(const struct mshr *m, uint64_t addr)
{
	return (uint32_t)((addr >> 5) * 0x9e3779b1u >> 7) & (m->buckets - 1);
}

static inline unsigned
mshr_find(const struct mshr *m, uint64_t addr)
{
	unsigned i = m->bucket[mshr_bucket(m, addr)];

	while (i != MSHR_NONE && m->entry[i].addr != addr)
		i = m->entry[i].next;
	return i;
}

/* Prefetches for a search of this address. */
static inline void
mshr_prefetch(const struct mshr *m, uint64_t addr)
{
	__builtin_prefetch(&m->bucket[mshr_bucket(m, addr)]);
}

static inline bool
mshr_can_add(const struct mshr *m, unsigned i)
{
	return i == MSHR_NONE ? m->state->used < m->entries : m->entry[i].n < m->merge;
}

/* Takes a free entry for addr; the caller has checked mshr_can_add(). */
unsigned mshr_take(struct mshr *m, uint64_t addr);

/* The position in an entry's list of the i-th handle, wrapping around. */
static inline unsigned
mshr_place(const struct mshr *m, unsigned i)
{
	return i < m->merge ? i : i - m->merge;
}

static inline void
mshr_add(struct mshr *m, unsigned i, uint32_t handle)
{
	struct mshr_entry *e = &m->entry[i];

	if (!e->n++)
		e->handle = handle;
	else
		m->list[i * m->merge + mshr_place(m, e->first + e->n - 2u)] = handle;
}

static inline void
mshr_mark_ready(struct mshr *m, unsigned i)
{
	m->entry[i].ready = 1;
	m->state->ready_head &=
		(uint16_t) - (m->state->ready_n != 0); /* an empty ring restarts at 0 */
	m->ready[(m->state->ready_head + m->state->ready_n++) & (m->buckets - 1)] = (uint16_t)i;
}

static inline bool
mshr_has_ready(const struct mshr *m)
{
	return m->state->ready_n;
}

/* Frees an entry for which no handle waits. */
void mshr_give(struct mshr *m, unsigned i);

/* Takes the next waiting handle of the oldest ready entry, and frees the entry with its last
 * handle. */
uint32_t mshr_next_ready(struct mshr *m);

#endif
