/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cache.c - tags, sector states, miss registers; last a random walk beside a slow model of the same
 * rules.
 */
#include "cache/cache.h"
#include "tests/tap.h"

static struct tags
tags_new(const struct cache_cfg *c, void **mem)
{
	struct tags t;

	*mem = calloc(1, tags_bytes(c, true));
	tags_init(&t, c, true, *mem);
	return t;
}

static void
victims(void)
{
	const struct cache_cfg cfg = {
		.sets = 4, .assoc = 4, .line = 128, .mshr = 4, .merge = 2, .miss_queue = 4};
	void *mem;
	struct tags t = tags_new(&cfg, &mem);
	uint32_t index, set = tags_set(&t, 0x1080);

	is_u64(set, 1, "set of an address: bits above the line");
	for (unsigned i = 0; i < 4; i++) {
		ok(tags_probe(&t, set, 0x1080 + i * 0x200, 0, false, &index) == PROBE_MISS &&
			   index == set * 4 + 3 - i,
		   "an invalid way is the victim, the highest-numbered first: way %u", 3 - i);
		tags_allocate(&t, index, 0x1080 + i * 0x200, 0, 10 + i);
		ok(tags_probe(&t, set, 0x1080 + i * 0x200, 0, false, &index) == PROBE_PENDING,
		   "it waits for its fill");
	}
	ok(tags_probe(&t, set, 0x9080, 0, false, &index) == PROBE_FAIL,
	   "all ways reserved: no victim");
	tags_fill(&t, set * 4 + 1, 0);
	ok(tags_probe(&t, set, 0x9080, 0, false, &index) == PROBE_MISS && index == set * 4 + 1,
	   "the only way that is not reserved is the victim, whatever its age");
	for (unsigned i = 0; i < 4; i++)
		tags_fill(&t, set * 4 + i, 0);
	ok(tags_probe(&t, set, 0x9080, 0, false, &index) == PROBE_MISS && index == set * 4 + 3,
	   "else the least recently used");
	tags_touch(&t, set * 4 + 3, 99);
	ok(tags_probe(&t, set, 0x9080, 0, false, &index) == PROBE_MISS && index == set * 4 + 2,
	   "a use makes it young");
	ok(tags_probe(&t, set, 0x1080, 0, false, &index) == PROBE_HIT && index == set * 4 + 3,
	   "a line is found in its way");
	ok(tags_probe(&t, (set + 1) % 4, 0x1080, 0, false, &index) == PROBE_MISS,
	   "and in no other set");
	tags_invalidate(&t);
	ok(tags_probe(&t, set, 0x1080, 0, false, &index) == PROBE_MISS && index == set * 4 + 3,
	   "invalidated: gone, the highest way is taken again");
	free(mem);
}

static void
sectors(void)
{
	const struct cache_cfg cfg = {.sets = 1, .assoc = 2, .line = 128};
	void *mem;
	struct tags t = tags_new(&cfg, &mem);
	uint32_t i;
	struct cache_line *l;

	tags_probe(&t, 0, 0x80, 2, false, &i);
	tags_allocate(&t, i, 0x80, 2, 1);
	l = &t.lines[i];
	is_u64(line_sectors_in(l, SEC_RESERVED), 4, "a new line has one sector reserved");
	ok(tags_probe(&t, 0, 0x80, 1, false, &i) == PROBE_SECTOR_MISS,
	   "its other sectors miss in the line");
	tags_reserve_sector(&t, i, 1, 2);
	tags_fill(&t, i, 2);
	is_u64(line_sectors_in(l, SEC_VALID), 4, "filled: valid");
	is_u64(line_sectors_in(l, SEC_RESERVED), 2, "the other one still waits");
	ok(!tags_modified(&t, i), "nothing is modified");
	tags_set_sector(&t, i, 3, SEC_MODIFIED);
	l->flags |= LINE_UNREADABLE(3);
	ok(tags_modified(&t, i) && line_sectors_in(l, SEC_MODIFIED) == 8,
	   "a write modifies its sector");
	ok(tags_probe(&t, 0, 0x80, 3, false, &i) == PROBE_SECTOR_MISS,
	   "partly written: a read must fetch it");
	ok(tags_probe(&t, 0, 0x80, 3, true, &i) == PROBE_HIT, "a write may go on");
	tags_reserve_sector(&t, i, 3, 3);
	ok(tags_probe(&t, 0, 0x80, 3, false, &i) == PROBE_PENDING, "fetched: it waits");
	tags_fill(&t, i, 3);
	ok(line_sectors_in(l, SEC_MODIFIED) == 8 &&
		   tags_probe(&t, 0, 0x80, 3, false, &i) == PROBE_HIT,
	   "then it is modified and readable");
	l->flags |= LINE_UNREADABLE(1) | LINE_READABLE_ON_FILL(1) | LINE_MODIFIED_ON_FILL(1);
	tags_fill(&t, i, 1);
	ok(line_sectors_in(l, SEC_MODIFIED) == 10 &&
		   !(l->flags & LINE_SECTOR_FLAGS(1) & ~LINE_MODIFIED_ON_FILL(1)),
	   "a write to a sector on its way: modified and readable when it is here");
	free(mem);
}

static void
hashed(void)
{
	const struct cache_cfg cfg = {.sets = 32, .assoc = 1, .line = 128, .hash_index = true};
	void *mem;
	struct tags t = tags_new(&cfg, &mem);
	static const unsigned bit[] = {13, 14, 15, 17, 19};
	unsigned bad = 0;

	for (unsigned i = 0; i < 5; i++)
		is_u64(tags_set(&t, UINT64_C(1) << bit[i]), 1u << i,
		       "hash: bit %u of the address turns bit %u of the set", bit[i], i);
	is_u64(tags_set(&t, 0x1000), 0, "hash: bit 12 has no part");
	is_u64(tags_set(&t, 3u << 7 | 1u << 13), 2, "hash: exclusive or");
	for (uint64_t a = 0; a < 1 << 20; a += 128)
		bad += tags_set(&t, a) >= 32;
	is_u64(bad, 0, "hash: always a set");
	free(mem);
}

static void
miss_registers(void)
{
	const struct cache_cfg cfg = {.mshr = 3, .merge = 2};
	void *mem = calloc(1, mshr_bytes(&cfg));
	struct mshr m;
	unsigned a, b, c;

	mshr_init(&m, &cfg, mem);
	ok(mshr_find(&m, 0x80) == MSHR_NONE && mshr_can_add(&m, MSHR_NONE),
	   "empty: nothing found, room");
	a = mshr_take(&m, 0x80);
	mshr_add(&m, a, 11);
	ok(mshr_find(&m, 0x80) == a && mshr_can_add(&m, a),
	   "found by its address, one more may merge");
	mshr_add(&m, a, 12);
	ok(!mshr_can_add(&m, a), "then its list is full");
	b = mshr_take(&m, 0x100);
	mshr_add(&m, b, 21);
	c = mshr_take(&m, 0x180);
	mshr_add(&m, c, 31);
	ok(!mshr_can_add(&m, MSHR_NONE) && m.state->used == 3, "three entries: full");
	ok(!mshr_has_ready(&m), "nothing is here yet");
	mshr_mark_ready(&m, b);
	mshr_mark_ready(&m, a);
	is_u64(mshr_next_ready(&m), 21, "drained in the order the data came");
	ok(mshr_find(&m, 0x100) == MSHR_NONE && mshr_can_add(&m, MSHR_NONE),
	   "the entry is free with its last one");
	is_u64(mshr_next_ready(&m), 11, "then the next entry, oldest first");
	ok(mshr_can_add(&m, a), "a place in its list is free while it drains");
	mshr_add(&m, a, 13);
	is_u64(mshr_next_ready(&m), 12, "in order");
	is_u64(mshr_next_ready(&m), 13, "with what came last");
	ok(!mshr_has_ready(&m) && mshr_find(&m, 0x80) == MSHR_NONE && mshr_find(&m, 0x180) == c,
	   "one is left");
	free(mem);
}

/* ---------------------------------------------------------------- random */

#define MOST_WAYS 64

struct slow_line {
	uint64_t line, time;
	bool valid, reserved;
};

/* What a look-up has to find; *want is the way. Later rules win: the oldest, an invalid one, a hit.
 */
static enum probe
look_up_slowly(const struct slow_line *s, unsigned assoc, uint64_t line, uint32_t *want)
{
	enum probe p = PROBE_FAIL;

	*want = UINT32_MAX;
	for (unsigned i = 0; i < assoc; i++)
		if (s[i].valid && (*want == UINT32_MAX || s[i].time < s[*want].time))
			*want = i, p = PROBE_MISS;
	for (unsigned i = 0; i < assoc; i++)
		if (!s[i].valid && !s[i].reserved)
			*want = i, p = PROBE_MISS;
	for (unsigned i = 0; i < assoc; i++)
		if ((s[i].valid || s[i].reserved) && s[i].line == line)
			*want = i, p = s[i].reserved ? PROBE_PENDING : PROBE_HIT;
	return p;
}

/* Several uses may have the same time; fills come now and then. */
static void
at_random(unsigned assoc)
{
	const struct cache_cfg cfg = {.sets = 8, .assoc = assoc, .line = 64};
	void *mem;
	struct tags t = tags_new(&cfg, &mem);
	static struct slow_line slow[8][MOST_WAYS];
	uint32_t seed = 7, all = assoc * 22; /* lines in use: more than there is room for */
	unsigned wrong = 0, seen[5] = {0};

	memset(slow, 0, sizeof(slow));
	for (unsigned k = 1; k < 20000; k++) {
		uint64_t line = ((seed = seed * 1664525 + 1013904223) >> 12) % all * 64, now;
		uint32_t set = tags_set(&t, line), index, want;
		struct slow_line *s = slow[set];
		enum probe expected = look_up_slowly(s, assoc, line, &want);
		enum probe p = tags_probe(&t, set, line, 0, false, &index);
		uint32_t hint = set << t.way_bits | (seed >> 8) % assoc, again;

		again = p != PROBE_FAIL && k % 2 ? index : hint; /* of any line that may be it */
		wrong += tags_probe_again(&t, set, line, 0, false, &again) != p;
		wrong += p != PROBE_FAIL && again != index;
		now = k / 64 * 4 + k % 64 / 16; /* several at a time */
		seen[p]++;
		wrong += p != expected;
		wrong += p != PROBE_FAIL && index != (set << t.way_bits | want);
		if (p == PROBE_HIT) {
			tags_touch(&t, index, now);
			s[want].time = now;
		} else if (p == PROBE_MISS) {
			tags_allocate(&t, index, line, 0, now);
			s[want] = (struct slow_line){.line = line, .time = now, .reserved = true};
		}
		for (unsigned i = 0; i < assoc; i++)
			if (s[i].reserved && (seed >> (i % 17 + 5) & 15) == 0) {
				tags_fill(&t, set << t.way_bits | i, 0);
				s[i].reserved = false;
				s[i].valid = true;
			}
		if (k % 5000 == 0) {
			tags_invalidate(&t);
			memset(slow, 0, sizeof(slow));
		}
	}
	is_u64(wrong, 0,
	       "%u ways, 20000 random look-ups: %u hits, %u pending, %u misses, %u without a "
	       "victim",
	       assoc, seen[PROBE_HIT], seen[PROBE_PENDING], seen[PROBE_MISS], seen[PROBE_FAIL]);
	ok(seen[PROBE_HIT] > 100 && seen[PROBE_PENDING] > 100 && seen[PROBE_MISS] > 100 &&
		   (assoc > 16 || seen[PROBE_FAIL] > 100),
	   "of every kind enough");
	free(mem);
}

int
main(void)
{
	victims();
	sectors();
	hashed();
	miss_registers();
	at_random(1);
	at_random(3);
	at_random(8);
	at_random(16);
	at_random(24);
	at_random(64);
	return done();
}
