/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sectors.c - the lines of a sectored L1 that allocates on stores (ctascope-model(7) 7.16 and
 * 7.17).
 *
 * The array has few sets with many ways, and their number changes from kernel to kernel. Lines are
 * therefore found by a hash of their address, and the lines of a set are linked in the order of
 * their last use; lines used in the same cycle are ordered by place. A fill goes to the place
 * recorded when its sector was requested, whatever line is there by then, as in the reference. A
 * written line is not replaced while the share of written lines is low.
 */
#include "ldst/ldst_part.h"
#include <string.h>

#define ANY(state, s) ((state)&SEC_ALL(s))

static inline unsigned
bucket_of(uint64_t line)
{
	return (uint32_t)(line >> 7) * 0x9e3779b1u >> 22;
}
_Static_assert(SECTOR_LINES == 1 << 10, "a bucket number has ten bits");

static inline unsigned
set_of(const struct ldst_env *e, uint64_t line)
{
	return (unsigned)(line >> 7) & (e->tags[L1_DATA].sets - 1);
}

static inline unsigned
sector_state(const struct sector_line *l, unsigned sector)
{
	return l->state >> 8 * sector & 0xff;
}

static void
clear_index(struct sector_l1 *a)
{
	memset(a->valid, 0, sizeof(a->valid));
	memset(a->bucket, 0xff, sizeof(a->bucket));
	memset(a->oldest, 0xff, sizeof(a->oldest));
	memset(a->newest, 0xff, sizeof(a->newest));
	a->n_dirty = 0;
}

void
sectors_init(struct sector_l1 *a)
{
	clear_index(a);
	for (unsigned i = 0; i < SECTOR_LINES; i++)
		a->line[i].tag = UINT64_MAX;
}

void
sectors_invalidate(struct sector_l1 *a)
{
	for (unsigned w = 0; w < ARRAY_LEN(a->valid); w++)
		for (uint64_t m = a->valid[w]; m; m &= m - 1)
			a->line[w * 64 + (unsigned)__builtin_ctzll(m)].state = 0;
	clear_index(a);
}

/* ---------------------------------------------------------------- order of use */

static void
unlink_use(struct sector_l1 *a, unsigned set, unsigned place)
{
	const struct sector_line *l = &a->line[place];

	*(l->older == PLACE_NONE ? &a->oldest[set] : &a->line[l->older].newer) = l->newer;
	*(l->newer == PLACE_NONE ? &a->newest[set] : &a->line[l->newer].older) = l->older;
}

static void
link_use(struct sector_l1 *a, unsigned set, unsigned place)
{
	struct sector_line *l = &a->line[place];
	unsigned before = a->newest[set];

	while (before != PLACE_NONE && (a->line[before].used > l->used ||
					(a->line[before].used == l->used && before > place)))
		before = a->line[before].older;
	l->older = (uint16_t)before;
	l->newer = before == PLACE_NONE ? a->oldest[set] : a->line[before].newer;
	*(before == PLACE_NONE ? &a->oldest[set] : &a->line[before].newer) = (uint16_t)place;
	*(l->newer == PLACE_NONE ? &a->newest[set] : &a->line[l->newer].older) = (uint16_t)place;
}

/* Enters a line that has its first valid sector into its bucket and into the order of use. */
static void
link_line(struct sector_l1 *a, unsigned set, unsigned place)
{
	struct sector_line *l = &a->line[place];
	uint16_t *b = &a->bucket[bucket_of(l->tag)];

	l->chain = *b;
	*b = (uint16_t)place;
	a->valid[place / 64] |= UINT64_C(1) << place % 64;
	link_use(a, set, place);
}

static void
unlink_line(struct sector_l1 *a, unsigned set, unsigned place)
{
	uint16_t *b = &a->bucket[bucket_of(a->line[place].tag)];

	while (*b != place)
		b = &a->line[*b].chain;
	*b = a->line[place].chain;
	a->valid[place / 64] &= ~(UINT64_C(1) << place % 64);
	unlink_use(a, set, place);
}

/* ---------------------------------------------------------------- look-up */

/* The highest place of a set without a valid sector; PLACE_NONE if all have one. */
static unsigned
empty_place(const struct sector_l1 *a, unsigned first, unsigned ways)
{
	for (unsigned end = first + ways; end > first;) {
		unsigned word = (end - 1) / 64, from = MAX(first, word * 64);
		uint64_t m = ~a->valid[word] & ~UINT64_C(0) << from % 64 &
			     ~UINT64_C(0) >> (63 - (end - 1) % 64);

		if (m)
			return word * 64 + 63 - (unsigned)__builtin_clzll(m);
		end = from;
	}
	return PLACE_NONE;
}

static unsigned
choose_victim(const struct ldst_env *e, unsigned set)
{
	const struct sector_l1 *a = ldst_sectors(e);
	unsigned lines = e->tags[L1_DATA].sets * e->ways;
	bool keeps_dirty = a->n_dirty * 100 < e->cfg->write_ratio * lines;
	unsigned place = empty_place(a, set * e->ways, e->ways);

	if (place != PLACE_NONE)
		return place;
	for (place = a->oldest[set]; place != PLACE_NONE; place = a->line[place].newer) {
		uint32_t state = a->line[place].state;

		if (!ANY(state, SEC_RESERVED) && !(keeps_dirty && ANY(state, SEC_MODIFIED)))
			break;
	}
	return place;
}

enum probe
sectors_probe(const struct ldst_env *e, uint64_t line, unsigned sector, bool write, unsigned *place)
{
	const struct sector_l1 *a = ldst_sectors(e);
	unsigned set = set_of(e, line), found = PLACE_NONE;

	for (unsigned i = a->bucket[bucket_of(line)]; i != PLACE_NONE; i = a->line[i].chain)
		if (a->line[i].tag == line && i / e->ways == set && i < found)
			found = i;
	if (found == PLACE_NONE) {
		*place = choose_victim(e, set);
		return *place == PLACE_NONE ? PROBE_FAIL : PROBE_MISS;
	}
	*place = found;
	switch (sector_state(&a->line[found], sector)) {
	case SEC_RESERVED:
		return PROBE_PENDING;
	case SEC_VALID:
		return PROBE_HIT;
	case SEC_MODIFIED:
		return write || !(a->line[found].flags & LINE_UNREADABLE(sector))
			       ? PROBE_HIT
			       : PROBE_SECTOR_MISS;
	default:
		return PROBE_SECTOR_MISS;
	}
}

/* ---------------------------------------------------------------- changes */

static void
set_state(struct sector_line *l, unsigned sector, enum sector_state s)
{
	l->state = (l->state & ~(0xffu << 8 * sector)) | (uint32_t)s << 8 * sector;
}

/* A displaced written line is dropped, because L2 already has its data. */
static void
allocate_line(const struct ldst_env *e, unsigned place, uint64_t line, unsigned sector,
	      unsigned warp, cycle_t now)
{
	struct sector_l1 *a = ldst_sectors(e);
	struct sector_line *l = &a->line[place];
	unsigned set = set_of(e, line);

	ldst_note_owner(e, place, l->state ? l->tag : LINE_NONE, line, warp);
	if (l->state) {
		a->n_dirty -= ANY(l->state, SEC_MODIFIED) != 0;
		unlink_line(a, set, place);
	}
	*l = (struct sector_line){.tag = line, .used = now};
	set_state(l, sector, SEC_RESERVED);
	link_line(a, set, place);
}

void
sectors_use(const struct ldst_env *e, enum probe p, unsigned place, uint64_t line, unsigned sector,
	    unsigned warp, cycle_t now)
{
	struct sector_l1 *a = ldst_sectors(e);
	struct sector_line *l = &a->line[place];

	e->unit->l1_used = 1;
	if (p == PROBE_MISS) {
		allocate_line(e, place, line, sector, warp, now);
		return;
	}
	if (p == PROBE_SECTOR_MISS) {
		bool dirty = ANY(l->state, SEC_MODIFIED);

		l->flags &= (uint16_t)~LINE_SECTOR_FLAGS(sector);
		if (sector_state(l, sector) == SEC_MODIFIED)
			l->flags |= LINE_MODIFIED_ON_FILL(sector);
		set_state(l, sector, SEC_RESERVED);
		a->n_dirty -= dirty && !ANY(l->state, SEC_MODIFIED);
	}
	unlink_use(a, set_of(e, line), place);
	l->used = now;
	link_use(a, set_of(e, line), place);
}

void
sectors_write(const struct ldst_env *e, enum probe p, unsigned place, unsigned sector,
	      const uint32_t bytes[LINE_SECTORS])
{
	struct sector_l1 *a = ldst_sectors(e);
	struct sector_line *l = &a->line[place];
	unsigned n = 0;

	a->n_dirty += !ANY(l->state, SEC_MODIFIED);
	set_state(l, sector, SEC_MODIFIED);
	for (unsigned k = 0; k < LINE_SECTORS; k++) {
		l->bytes[k] |= bytes[k];
		n += (unsigned)__builtin_popcount(bytes[k]);
	}
	if (p != PROBE_HIT) {
		l->flags &= (uint16_t)~LINE_UNREADABLE(sector);
		if (n != SECTOR)
			l->flags |= LINE_UNREADABLE(sector);
		if (p == PROBE_PENDING)
			l->flags |= LINE_MODIFIED_ON_FILL(sector);
		if (p == PROBE_PENDING && n != SECTOR)
			l->flags |= LINE_READABLE_ON_FILL(sector);
	}
	if (l->bytes[sector] == UINT32_MAX)
		l->flags &= (uint16_t)~LINE_UNREADABLE(sector);
}

void
sectors_fill(const struct ldst_env *e, unsigned place, unsigned sector)
{
	struct sector_l1 *a = ldst_sectors(e);
	struct sector_line *l = &a->line[place];
	bool was_valid = l->state, was_dirty = ANY(l->state, SEC_MODIFIED);

	if (place / e->ways >= e->tags[L1_DATA].sets)
		return; /* the array has been divided differently since, and this place no longer
			   exists */
	set_state(l, sector, l->flags & LINE_MODIFIED_ON_FILL(sector) ? SEC_MODIFIED : SEC_VALID);
	if (l->flags & LINE_READABLE_ON_FILL(sector))
		l->flags &= (uint16_t) ~(LINE_READABLE_ON_FILL(sector) | LINE_UNREADABLE(sector));
	a->n_dirty += !was_dirty && ANY(l->state, SEC_MODIFIED);
	if (!was_valid)
		link_line(a, place / e->ways, place);
}

void
ldst_set_ways(struct ldst_env *e, uint64_t shared)
{
	uint64_t whole = (uint64_t)e->cfg->unified << 10;
	uint64_t ways = whole / (e->tags[L1_DATA].sets * e->tags[L1_DATA].line), size = 0;

	if (!e->cfg->unified)
		return;
	for (uint64_t m = e->cfg->shared_sizes; m; m &= m - 1) {
		size = (uint64_t)__builtin_ctzll(m) << 12;
		if (size >= shared)
			break;
	}
	size = MIN(size, whole);
	e->ways = (uint16_t)MAX(1, (2 * ways * (whole - size) + whole) / (2 * whole));
}
