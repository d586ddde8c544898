/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coalesce.c - turns lane addresses into accesses, and counts shared memory bank conflicts.
 *
 * A segment has 32 bytes for byte accesses and for everything that bypasses L1, 64 bytes for 2-byte
 * accesses and 128 bytes otherwise, but never more than a line. A 128-byte segment used in one half
 * only shrinks to 64 bytes, a 64-byte one used in one sector only to 32. A segment used in both
 * halves counts as a whole, with all its sectors.
 */
#include "ldst/ldst_part.h"
#include <string.h>

static uint32_t
segment_size(const struct dinst *d, uint32_t line)
{
	bool sector = d->sectored || d->width == 1 || d->flags & INST_BYPASS;
	uint32_t seg = sector ? 32 : d->width == 2 ? 64 : 128;

	return MIN(seg, line);
}

/* The sectors of an access, given the sectors in which its lanes start. */
static uint8_t
reduce_sectors(uint8_t used, uint32_t seg)
{
	if (seg == 128 && used & 3 && used & 12)
		return 15;
	return used;
}

/* Marks up to 16 bytes; those beyond the line are ignored. */
static inline void
set_bytes(struct access *a, uint32_t at, unsigned n, uint32_t line)
{
	uint64_t bits = ((UINT64_C(1) << n) - 1) << at % SECTOR;
	uint32_t k = at / SECTOR;

	a->bytes[k] |= (uint32_t)bits;
	if (unlikely(bits >> 32) && (k + 1) * SECTOR < line)
		a->bytes[k + 1] |= (uint32_t)(bits >> 32);
}

static bool
bytes_taken(const struct access *a, uint32_t at, unsigned n, uint32_t line)
{
	for (unsigned i = at; i < at + n && i < line; i++)
		if (a->bytes[i / SECTOR] >> i % SECTOR & 1)
			return true;
	return false;
}

/* Finds or inserts the access of a segment; out[] stays sorted by address. An atomic to bytes
 * that are already taken gets a separate access, after the others of that segment. */
static struct access *
access_for(struct access *out, uint64_t *seg_of, unsigned *n, uint64_t seg, bool atomic,
	   uint32_t at, unsigned width, uint32_t line)
{
	unsigned i = *n;

	while (i && seg_of[i - 1] > seg)
		i--;
	if (!atomic) {
		if (i && seg_of[i - 1] == seg)
			return &out[i - 1];
	} else {
		unsigned first = i;

		while (first && seg_of[first - 1] == seg)
			first--;
		for (unsigned k = first; k < i; k++)
			if (!bytes_taken(&out[k], at, width, line))
				return &out[k];
	}
	assert(*n < LDST_MAX_ACCESSES);
	memmove(&out[i + 1], &out[i], (*n - i) * sizeof(*out));
	memmove(&seg_of[i + 1], &seg_of[i], (*n - i) * sizeof(*seg_of));
	++*n;
	seg_of[i] = seg;
	out[i] = (struct access){.line = seg & ~(uint64_t)(line - 1)};
	return &out[i];
}

/* Coalesces any lanes, one at a time. The words of a lane lie `step` bytes apart. */
static unsigned
coalesce_one_by_one(const struct dinst *d, const uint64_t lane[WARP_SIZE], uint32_t mask,
		    uint64_t step, uint32_t line, struct access *out)
{
	bool atomic = d->cls == OP_ATOMIC;
	bool keep = atomic || d->cls == OP_STORE;
	uint32_t seg = segment_size(d, line);
	unsigned words = d->space == SPACE_LOCAL && d->width > 4 ? d->width / 4 : 1;
	unsigned width = words > 1 ? 4 : d->width, n = 0;
	uint64_t seg_of[LDST_MAX_ACCESSES + 1];

	for (; mask; mask &= mask - 1) {
		unsigned i = (unsigned)__builtin_ctz(mask);

		if (!lane[i])
			continue;
		for (unsigned w = 0; w < words; w++) {
			uint64_t first = lane[i] + step * w, last = first + width - 1;

			for (uint64_t a = first;; a = last) {
				uint32_t at = (uint32_t)(a & (line - 1));
				struct access *x =
					access_for(out, seg_of, &n, a & ~(uint64_t)(seg - 1),
						   atomic, at, width, line);

				x->sectors |= (uint8_t)(1u << at / SECTOR);
				x->lanes += a == first;
				if (keep)
					set_bytes(x, at, width, line);
				if (a == last || ((a ^ last) & ~(uint64_t)(seg - 1)) == 0)
					break;
			}
		}
	}
	return n;
}

/* ---------------------------------------------------------------- all lanes at once */

#define NOWHERE INT32_MAX

struct keys {
	int32_t of[WARP_SIZE]; /* per lane, its segment number relative to that of the first lane */
	uint32_t lanes; /* lanes with an address; 0: some cannot be numbered (number_segments) */
	bool ascend;
};

/* A lane cannot be numbered when its bytes lie in two segments or far from the others. */
static void
number_segments(const uint64_t lane[WARP_SIZE], uint32_t mask, unsigned width, uint32_t seg,
		struct keys *k)
{
	unsigned shift = (unsigned)__builtin_ctz(seg);
	uint64_t first = lane[__builtin_ctz(mask)] >> shift, cannot = 0;
	int32_t before = -NOWHERE;

	k->lanes = 0;
	k->ascend = true;
	for (unsigned i = 0; i < WARP_SIZE; i++)
		k->of[i] = NOWHERE;
	for (; mask; mask &= mask - 1) {
		unsigned i = (unsigned)__builtin_ctz(mask);
		uint64_t a = lane[i], d = (a >> shift) - first;
		int32_t key = (int32_t)d;

		if (unlikely(!a))
			continue;
		cannot |= (a ^ (a + width - 1)) >> shift | (d + (1u << 30)) >> 31;
		k->of[i] = key;
		k->lanes |= 1u << i;
		k->ascend &= key >= before;
		before = key;
	}
	if (cannot)
		k->lanes = 0;
}

/* The index of each lane's access in ascending order; returns the number of accesses. */
static unsigned
index_ascending(const struct keys *k, uint8_t place[WARP_SIZE])
{
	int32_t before = NOWHERE;
	unsigned n = 0;

	for (uint32_t m = k->lanes; m; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctz(m);

		n += k->of[i] != before;
		before = k->of[i];
		place[i] = (uint8_t)(n - 1);
	}
	return n;
}

/* The same for lanes in any order. The rank of a segment is the number of lanes with a lower
 * one: counting them avoids unpredictable branches and vectorizes well. */
static unsigned
index_by_rank(const struct keys *k, uint8_t place[WARP_SIZE])
{
	uint8_t of_rank[WARP_SIZE];
	uint32_t taken = 0;
	unsigned n = 0;

	for (uint32_t m = k->lanes; m; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctz(m);
		int32_t key = k->of[i], lower = 0;

		for (unsigned j = 0; j < WARP_SIZE; j++)
			lower += k->of[j] < key;
		place[i] = (uint8_t)lower;
		taken |= 1u << lower;
	}
	for (; taken; taken &= taken - 1)
		of_rank[__builtin_ctz(taken)] = (uint8_t)n++;
	for (uint32_t m = k->lanes; m; m &= m - 1) {
		uint8_t *p = &place[__builtin_ctz(m)];

		*p = of_rank[*p];
	}
	return n;
}

/* Coalesces loads and stores of one word per lane. Returns 0 when they must be processed one by
 * one. */
static unsigned
coalesce_at_once(const struct dinst *d, const uint64_t lane[WARP_SIZE], uint32_t mask,
		 uint32_t line, struct access *out)
{
	bool keep = d->cls == OP_STORE;
	uint8_t place[WARP_SIZE];
	struct keys k;
	unsigned n;

	number_segments(lane, mask, d->width, segment_size(d, line), &k);
	n = k.ascend ? index_ascending(&k, place) : index_by_rank(&k, place);
	for (uint32_t m = k.lanes; m; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctz(m);

		out[place[i]] = (struct access){.line = lane[i] & ~(uint64_t)(line - 1)};
	}
	for (uint32_t m = k.lanes; m; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctz(m);
		uint32_t at = (uint32_t)lane[i] & (line - 1);
		struct access *x = &out[place[i]];

		x->sectors |= (uint8_t)(1u << at / SECTOR);
		x->lanes++;
		if (keep)
			set_bytes(x, at, d->width, line);
	}
	return n;
}

static unsigned
coalesce_words(const struct dinst *d, const uint64_t lane[WARP_SIZE], uint32_t mask, uint64_t step,
	       uint32_t line, struct access *out)
{
	bool several = d->space == SPACE_LOCAL && d->width > 4;
	uint32_t seg = segment_size(d, line);
	unsigned n = 0;

	if (mask && d->cls != OP_ATOMIC && !several)
		n = coalesce_at_once(d, lane, mask, line, out);
	if (!n)
		n = coalesce_one_by_one(d, lane, mask, step, line, out);
	for (unsigned i = 0; i < n; i++)
		out[i].sectors = reduce_sectors(out[i].sectors, seg);
	return n;
}

unsigned
coalesce(const struct dinst *d, const uint64_t lane[WARP_SIZE], uint32_t mask, uint32_t line,
	 struct access *out)
{
	return coalesce_words(d, lane, mask, 4, line, out);
}

/* Coalesces consecutive lanes that access adjacent words, without visiting the lanes. */
static unsigned
coalesce_run(const struct dinst *d, uint64_t base, unsigned lanes, uint32_t line,
	     struct access *out)
{
	uint32_t seg = segment_size(d, line);
	bool keep = d->cls == OP_STORE;
	uint64_t end = base + (uint64_t)lanes * d->width;
	unsigned n = 0;

	for (uint64_t s = base & ~(uint64_t)(seg - 1); s < end; s += seg) {
		uint64_t lo = MAX(s, base), hi = MIN(s + seg, end); /* bytes [lo, hi) */
		struct access *x = &out[n++];
		unsigned first = (unsigned)(lo & (line - 1)) / SECTOR;
		unsigned last = (unsigned)((hi - 1) & (line - 1)) / SECTOR;

		*x = (struct access){.line = s & ~(uint64_t)(line - 1),
				     .lanes = (uint8_t)((hi - lo) / d->width)};
		for (unsigned k = first; k <= last; k++) {
			x->sectors |= (uint8_t)(1u << k);
			if (keep) {
				uint64_t sec = x->line + k * SECTOR;
				unsigned b0 = lo > sec ? (unsigned)(lo - sec) : 0;
				unsigned b1 = hi < sec + SECTOR ? (unsigned)(hi - sec) : SECTOR;

				x->bytes[k] = (uint32_t)((UINT64_C(1) << b1) - (UINT64_C(1) << b0));
			}
		}
		x->sectors = reduce_sectors(x->sectors, seg);
	}
	return n;
}

/* The lowest run of ones in mask: sets *first to its start and returns its length. */
static unsigned
mask_run(uint32_t mask, unsigned *first)
{
	*first = mask ? (unsigned)__builtin_ctz(mask) : 0;
	return mask ? (unsigned)__builtin_ctzll(~((uint64_t)mask >> *first)) : 0;
}

unsigned
coalesce_record(const struct dinst *d, const struct cta_trace *c, const struct winst *r,
		uint32_t line, struct access *out)
{
	uint64_t lane[WARP_SIZE];
	uint32_t mask;

	if (r->mode == ADDR_NONE || !r->mask)
		return 0;
	if (r->mode == ADDR_STRIDE && d->cls != OP_ATOMIC && d->space != SPACE_LOCAL) {
		unsigned first, run = mask_run(r->mask, &first);
		uint64_t base = c->addr[r->at];

		if (base && c->addr[r->at + 1] == d->width && base % d->width == 0)
			return coalesce_run(d, base, run, line, out);
	}
	mask = trace_lanes(c, r, lane);
	return coalesce(d, lane, mask, line, out);
}

void
ldst_set_kernel(struct ldst_env *e, uint32_t cta_threads, uint32_t n_max, uint32_t n_cores)
{
	uint32_t padded = (cta_threads + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;

	if (e->cfg->local_interleave)
		e->local = (struct local_map){.step = UINT64_C(4) * padded * n_max * n_cores,
					      .cta_threads = padded,
					      .core = e->core,
					      .n_cores = n_cores};
}

unsigned
coalesce_local(const struct dinst *d, const struct cta_trace *c, const struct winst *r,
	       const struct local_map *m, unsigned warp, uint32_t line, struct access *out)
{
	uint64_t slot = warp * WARP_SIZE / m->cta_threads;
	uint64_t first =
		warp * WARP_SIZE % m->cta_threads; /* all threads of a warp belong to one CTA */
	uint64_t at = LOCAL_BASE + 4 * (m->cta_threads * (m->core + m->n_cores * slot) + first);
	uint64_t lane[WARP_SIZE];
	uint32_t mask;

	if (r->mode == ADDR_NONE || !r->mask)
		return 0;
	if (r->mode == ADDR_STRIDE && !c->addr[r->at + 1] && c->addr[r->at] && d->width == 4) {
		unsigned from,
			run = mask_run(r->mask, &from); /* every thread accesses the same word */

		return coalesce_run(d, c->addr[r->at] / 4 * m->step + at + 4 * from, run, line,
				    out);
	}
	mask = trace_lanes(c, r, lane);
	for (uint32_t k = mask; k; k &= k - 1) {
		unsigned i = (unsigned)__builtin_ctz(k);
		uint64_t byte = d->width < 4 ? lane[i] & 3 : 0;

		if (lane[i])
			lane[i] = lane[i] / 4 * m->step + at + 4 * i + byte;
	}
	return coalesce_words(d, lane, mask, m->step, line, out);
}

/* Adds a bit to each of 32 counters whose bits are spread over planes; returns the carries. */
static inline uint32_t
add_bits(uint32_t *plane, uint32_t x)
{
	uint32_t carry = *plane & x;

	*plane ^= x;
	return carry;
}

/* The highest number of distinct words in any bank. row[r] has a bit for each bank in which a
 * word of row r is accessed. The n rows (an even number) are summed for all banks at once. */
static unsigned
max_rows_per_bank(const uint32_t *row, unsigned n)
{
	uint32_t plane[6] = {0}, among = UINT32_MAX;
	unsigned most = 0;

	for (unsigned r = 0; r < n; r += 2) {
		uint32_t x = add_bits(&plane[0], row[r]) | add_bits(&plane[0], row[r + 1]);

		x = add_bits(&plane[1], x);
		x = add_bits(&plane[2], x);
		x = add_bits(&plane[3], x);
		x = add_bits(&plane[4], x);
		plane[5] |= x;
	}
	for (unsigned p = 6; p-- > 0;) {
		uint32_t m = among & plane[p];

		most |= m ? 1u << p : 0;
		among = m ? m : among;
	}
	return most;
}

#define CONFLICT_ROWS 32

/* Cycles that a list of addresses takes: the highest number of distinct words in one bank. Most
 * tables are small enough for one bit per word. Otherwise each bank keeps the lanes that access
 * distinct words. */
static unsigned
list_conflicts(const uint64_t lane[WARP_SIZE], uint32_t mask, unsigned banks)
{
	uint64_t first = lane[__builtin_ctz(mask)] / 4, differ = 0;
	unsigned bits = (unsigned)__builtin_ctz(banks), most = 1, last = banks - 1, n;
	uint32_t asks[32] = {0}, row[CONFLICT_ROWS];

	if (likely(mask == UINT32_MAX))
		for (unsigned i = 0; i < WARP_SIZE; i++)
			differ |= (lane[i] / 4) ^ first;
	else
		for (uint32_t m = mask; m; m &= m - 1)
			differ |= (lane[__builtin_ctz(m)] / 4) ^ first;
	differ >>= bits;
	if (!differ)
		return 1;
	if (differ < CONFLICT_ROWS) {
		n = 2u << (31 - __builtin_clz((uint32_t)differ));
		memset(row, 0, n * sizeof(*row));
		for (uint32_t i = 0, m = mask; m; m >>= 1, i++)
			row[lane[i] / 4 >> bits & (n - 1)] |= (m & 1) << (lane[i] / 4 & last);
		return max_rows_per_bank(row, n);
	}
	for (; mask; mask &= mask - 1) {
		unsigned i = (unsigned)__builtin_ctz(mask), asked = 1;
		uint64_t word = lane[i] / 4;
		uint32_t *of = &asks[word & last], k = *of;

		for (; k && lane[__builtin_ctz(k)] / 4 != word; k &= k - 1)
			asked++;
		if (k)
			continue;
		most = MAX(most, asked);
		*of |= 1u << i;
	}
	return most;
}

unsigned
smem_conflicts(const struct cta_trace *c, const struct winst *r, unsigned banks)
{
	uint64_t lane[WARP_SIZE];
	uint32_t mask;

	if (r->mode == ADDR_NONE || !r->mask)
		return 1;
	if (r->mode == ADDR_LIST)
		return list_conflicts(c->addr + r->at, r->mask, banks);
	if ((c->addr[r->at + 1] & 3) == 0) {
		unsigned first, run = mask_run(r->mask, &first);
		int64_t words = (int64_t)c->addr[r->at + 1] / 4;
		unsigned step = (unsigned)(words < 0 ? -words : words) & (banks - 1);
		unsigned cover =
			step ? banks >> __builtin_ctz(step) : 1; /* banks that the run visits */

		return words ? (run + cover - 1) / cover : 1;
	}
	mask = trace_lanes(c, r, lane);
	return list_conflicts(lane, mask, banks);
}
