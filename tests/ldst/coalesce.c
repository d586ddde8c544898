/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coalesce.c - lane addresses to accesses (ctascope-model(7) 7.2), and shared memory conflicts
 * (7.3).
 *
 * Known patterns are checked by hand. Then random records are checked: the path for regular records
 * must give the same as the general one, and both the same as a slow restatement of the rules.
 */
#include "ldst/ldst_part.h"
#include "tests/tap.h"

static uint32_t seed = 2463534242u;

static uint32_t
rnd(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static struct dinst
load(unsigned width)
{
	return (struct dinst){.cls = OP_LOAD, .space = SPACE_GLOBAL, .width = (uint8_t)width};
}

static struct dinst
store(unsigned width)
{
	return (struct dinst){.cls = OP_STORE, .space = SPACE_GLOBAL, .width = (uint8_t)width};
}

static struct dinst
bypass(unsigned width)
{
	return (struct dinst){.cls = OP_LOAD,
			      .space = SPACE_GLOBAL,
			      .width = (uint8_t)width,
			      .flags = INST_BYPASS};
}

static struct dinst
atomic(unsigned width)
{
	return (struct dinst){.cls = OP_ATOMIC,
			      .space = SPACE_GLOBAL,
			      .width = (uint8_t)width,
			      .flags = INST_BYPASS | INST_ATOMIC};
}

/* "line:sectors line:sectors", lines counted from base, sectors as a mask in hex. */
static const char *
pattern(struct dinst d, uint64_t base, int64_t stride, uint32_t mask, uint32_t line,
	unsigned *n_out)
{
	static char text[1024];
	struct access a[LDST_MAX_ACCESSES];
	uint64_t addr[2] = {base, (uint64_t)stride};
	struct cta_trace c = {.addr = addr};
	struct winst r = {.mask = mask, .mode = ADDR_STRIDE};
	unsigned n = coalesce_record(&d, &c, &r, line, a);
	size_t at = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < n && i < 6; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%d:%x", i ? " " : "",
				       (int)((int64_t)(a[i].line - (base & ~(uint64_t)(line - 1))) /
					     (int64_t)line),
				       a[i].sectors);
	if (n_out)
		*n_out = n;
	return text;
}

#define P(d, base, stride, mask, line) pattern(d, base, stride, mask, line, NULL)

static void
by_hand(void)
{
	unsigned n;

	is_str(P(load(4), 0x1000, 4, ~0u, 128), "0:f", "4 bytes per lane: one line");
	is_str(P(load(8), 0x1000, 8, ~0u, 128), "0:f 1:f", "8 bytes: two");
	is_str(P(load(16), 0x1000, 16, ~0u, 128), "0:f 1:f 2:f 3:f", "16 bytes: four");
	is_str(P(load(4), 0x1000, 4, ~0u, 64), "0:3 1:3", "lines of 64 bytes: two");
	is_str(P(load(4), 0x1000, 0, ~0u, 128), "0:1", "all lanes on one word: one sector");
	is_str(P(load(4), 0x1020, 4, 0xff, 128), "0:2", "8 lanes in one sector: shrunk to it");
	is_str(P(load(4), 0x1000, 4, 0xffff, 128), "0:3", "16 lanes in the lower half");
	is_str(P(load(4), 0x1040, 4, 0xffff, 128), "0:c", "16 lanes in the upper half");
	is_str(P(load(4), 0x1020, 4, 0xffff, 128), "0:f",
	       "16 lanes over both halves: the whole line");
	is_str(P(load(4), 0x1000, 64, 3, 128), "0:f", "one lane in each half: the whole line");
	is_str(P(load(4), 0x1040, 4, ~0u, 128), "0:c 1:3", "half a line off: two, each half");
	is_str(P(load(1), 0x1000, 1, ~0u, 128), "0:1", "bytes: segments of 32");
	is_str(P(load(1), 0x1010, 1, ~0u, 128), "0:1 0:2", "bytes over two sectors: two accesses");
	is_str(P(load(2), 0x1000, 2, ~0u, 128), "0:3", "2 bytes: a segment of 64");
	is_str(P(load(2), 0x1020, 2, ~0u, 128), "0:2 0:4",
	       "2 bytes over two segments, each shrunk to a sector");
	is_str(P(bypass(4), 0x1000, 4, ~0u, 128), "0:1 0:2 0:4 0:8", "past L1: four of 32 bytes");
	pattern(load(4), 0x1000, 128, ~0u, 128, &n);
	is_u64(n, 32, "stride of a line: 32 accesses");
	pattern(load(4), 0x1000, 8, ~0u, 128, &n);
	is_u64(n, 2, "stride of two words: two lines");
	is_str(P(load(4), 0x1000, 4, 0xff0000ffu, 128), "0:1",
	       "a hole in the mask ends a strided list");
	is_str(P(load(4), 0x101e, 4, 1, 128), "0:1", "a sector is that of the first byte");
	is_str(P(load(4), 0x107e, 4, 1, 128), "0:8 1:1", "a lane over two lines touches both");
	pattern(atomic(4), 0x1000, 0, ~0u, 128, &n);
	is_u64(n, 32, "atomics of 32 lanes on one word: 32 accesses");
	pattern(atomic(4), 0x1000, 4, ~0u, 128, &n);
	is_u64(n, 4, "atomics on 32 words: a sector each");
	pattern(load(4), 0x1000, 4, 0, 128, &n);
	is_u64(n, 0, "no lanes, no access");
	is_str(P(load(4), 0x107c, -4, ~0u, 128), "0:f", "downwards is as good as upwards");
}

/* ---------------------------------------------------------------- the rules, stated slowly */

struct slow {
	uint64_t seg;
	uint32_t used; /* sectors of the segment's line */
	uint32_t bytes[4];
};

static unsigned
slowly(const struct dinst *d, const uint64_t lane[32], uint32_t mask, uint32_t line,
       struct slow *out)
{
	uint32_t size = d->width == 1 || d->flags & INST_BYPASS ? 32 : d->width == 2 ? 64 : 128;
	unsigned n = 0;

	if (size > line)
		size = line;
	for (unsigned i = 0; i < 32; i++) {
		if (!(mask >> i & 1) || !lane[i])
			continue;
		for (unsigned b = 0; b < d->width; b++) {
			uint64_t a = lane[i] + b, seg = a / size * size;
			unsigned k = 0;

			while (k < n && out[k].seg != seg)
				k++;
			if (k == n)
				out[n++] = (struct slow){.seg = seg};
			out[k].bytes[a % line / 32] |= 1u << a % 32;
			/* the sector of a lane is that of its first byte in the segment */
			if (b == 0 || seg != (a - 1) / size * size)
				out[k].used |= 1u << a % line / 32;
		}
	}
	for (unsigned k = 0; k < n; k++)
		if (size == 128 && out[k].used & 3 && out[k].used & 12)
			out[k].used = 15;
	return n;
}

/* Does a lane cross the end of a segment? Which bytes it writes is then approximate, as in the
 * reference. */
static bool
crosses(const struct dinst *d, const uint64_t lane[32], uint32_t mask)
{
	for (unsigned i = 0; i < 32; i++)
		if (mask >> i & 1 && lane[i] / 32 != (lane[i] + d->width - 1) / 32)
			return true;
	return false;
}

static bool
agree(const struct dinst *d, const uint64_t lane[32], uint32_t mask, uint32_t line,
      const struct access *a, unsigned n)
{
	struct slow s[128];
	unsigned m = slowly(d, lane, mask, line, s), found = 0;
	bool bytes = d->cls == OP_STORE && !crosses(d, lane, mask);

	if (m != n)
		return false;
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < m; k++) {
			if (s[k].seg / line * line != a[i].line || s[k].used != a[i].sectors)
				continue;
			if (bytes && memcmp(s[k].bytes, a[i].bytes, sizeof(s[k].bytes)))
				continue;
			found++;
			break;
		}
	for (unsigned i = 1; i < n; i++)
		if (a[i].line < a[i - 1].line)
			return false; /* ascending */
	return found == n;
}

static void
at_random(void)
{
	static const unsigned widths[] = {1, 2, 4, 8, 16};
	unsigned differ = 0, wrong = 0, fast = 0, tried = 0;

	for (unsigned i = 0; i < 60000; i++) {
		unsigned w = widths[rnd(5)];
		struct dinst d = rnd(2) ? load(w) : rnd(4) ? store(w) : bypass(w);
		uint32_t line = rnd(2) ? 128 : 64;
		uint32_t masks[] = {~0u,	   0xffffu,	    0xffff0000u,
				    1u << rnd(32), rnd(UINT32_MAX), 0x0ff0u << rnd(8)};
		uint64_t addr[2] = {0x7fff0000u + rnd(512) * (rnd(3) ? w : 1),
				    (uint64_t)(int64_t)w};
		struct cta_trace c = {.addr = addr};
		struct winst r = {.mask = masks[rnd(6)], .mode = ADDR_STRIDE};
		struct access a[LDST_MAX_ACCESSES], b[LDST_MAX_ACCESSES];
		uint64_t lane[32];
		uint32_t mask;
		unsigned n, m;

		if (!rnd(4))
			addr[1] = (uint64_t)(int64_t)((int)rnd(300) - 100);
		memset(a, 0, sizeof(a));
		memset(b, 0, sizeof(b));
		mask = trace_lanes(&c, &r, lane);
		n = coalesce_record(&d, &c, &r, line, a);
		m = coalesce(&d, lane, mask, line, b);
		tried++;
		fast += addr[1] == w;
		if (n != m || memcmp(a, b, n * sizeof(a[0])))
			differ++;
		if (!agree(&d, lane, mask, line, b, m))
			wrong++;
	}
	is_u64(differ, 0, "%u random records (%u regular): the short way equals the general one",
	       tried, fast);
	is_u64(wrong, 0, "both do what the rules say");
}

/* Are the accesses ascending, whatever the order of the lanes, with every lane in one access? */
static bool
in_order(const struct access *a, unsigned n, unsigned lanes)
{
	unsigned sum = n ? a[0].lanes : 0;

	for (unsigned i = 1; i < n; i++) {
		if (a[i].line == a[i - 1].line && a[i].sectors <= a[i - 1].sectors)
			return false;
		sum += a[i].lanes;
	}
	return sum == lanes;
}

/* Lists over a table of 2^k bytes, in any order or sorted, with lanes without an address, lanes
 * across two segments, and lanes far away. */
static void
lists_at_random(void)
{
	static const unsigned widths[] = {1, 2, 4, 8, 16};
	unsigned wrong = 0, disorder = 0;

	for (unsigned i = 0; i < 60000; i++) {
		unsigned w = widths[rnd(5)], lanes = 0, n;
		struct dinst d = rnd(2) ? load(w) : rnd(4) ? store(w) : bypass(w);
		uint32_t line = rnd(2) ? 128 : 64, mask = rnd(2) ? ~0u : rnd(UINT32_MAX);
		uint64_t lane[32], base = rnd(2) ? 0x7f00000000 : w, range = 1u << (4 + rnd(27));
		bool sorted = !rnd(3), gaps = !rnd(4), far = !rnd(8), odd = !rnd(8);
		struct cta_trace c = {.addr = lane};
		struct winst r = {.mask = mask, .mode = ADDR_LIST};
		struct access a[LDST_MAX_ACCESSES];

		for (unsigned k = 0; k < 32; k++) {
			uint64_t at = sorted ? k * (range / 32) : rnd((uint32_t)range);

			lane[k] = base + (odd ? at : at / w * w);
			if (far && !rnd(4))
				lane[k] += (uint64_t)rnd(1024) << (30 + rnd(10));
			if (gaps && !rnd(4))
				lane[k] = 0;
			lanes += mask >> k & 1 && lane[k];
		}
		n = coalesce_record(&d, &c, &r, line, a);
		if (!agree(&d, lane, mask, line, a, n))
			wrong++;
		if (!crosses(&d, lane, mask) && !in_order(a, n, lanes))
			disorder++;
	}
	is_u64(wrong, 0, "60000 random lists do what the rules say");
	is_u64(disorder, 0, "their accesses ascend, and have every lane once");
}

/* ---------------------------------------------------------------- shared memory */

static unsigned
conflicts_slowly(const uint64_t lane[32], uint32_t mask, unsigned banks)
{
	unsigned most = 1;

	for (unsigned b = 0; b < banks; b++) {
		uint64_t word[32];
		unsigned n = 0;

		for (unsigned i = 0; i < 32; i++) {
			unsigned k = 0;

			if (!(mask >> i & 1) || lane[i] / 4 % banks != b)
				continue;
			while (k < n && word[k] != lane[i] / 4)
				k++;
			if (k == n)
				word[n++] = lane[i] / 4;
		}
		most = MAX(most, n);
	}
	return most;
}

static unsigned
degree(uint64_t base, int64_t stride, uint32_t mask, unsigned banks)
{
	uint64_t addr[2] = {base, (uint64_t)stride};
	struct cta_trace c = {.addr = addr};
	struct winst r = {.mask = mask, .mode = ADDR_STRIDE};

	return smem_conflicts(&c, &r, banks);
}

static void
conflicts(void)
{
	static const unsigned want[] = {1, 1, 2, 1, 4, 1, 2, 1, 8};
	unsigned wrong = 0;

	for (unsigned words = 0; words < ARRAY_LEN(want); words++)
		is_u64(degree(0x100, 4 * (int64_t)words, ~0u, 32), want[words],
		       "stride of %u words: %u-way", words, want[words]);
	is_u64(degree(0x100, 128, ~0u, 32), 32, "stride of 32 words: 32-way");
	is_u64(degree(0x100, -8, ~0u, 32), 2, "downwards as well");
	for (unsigned i = 0; i < 20000; i++) {
		int64_t stride = rnd(3) ? 4 * ((int64_t)rnd(80) - 40) : (int64_t)rnd(64);
		uint64_t addr[2] = {0x10000 + 4 * rnd(64), (uint64_t)stride};
		struct cta_trace c = {.addr = addr};
		struct winst r = {.mask = rnd(3) ? ~0u << rnd(32) : rnd(UINT32_MAX),
				  .mode = ADDR_STRIDE};
		unsigned banks = 1u << rnd(6);
		uint64_t lane[32];
		uint32_t mask = trace_lanes(&c, &r, lane);

		wrong += smem_conflicts(&c, &r, banks) != conflicts_slowly(lane, mask, banks);
	}
	is_u64(wrong, 0, "20000 random records: the short way equals counting words per bank");
	for (unsigned i = wrong = 0; i < 20000; i++) { /* tables of 1 to 2^16 words */
		uint64_t lane[32], base = 4 * rnd(1 << 16);
		unsigned banks = 1u << rnd(6), words = 1u << rnd(17);
		struct cta_trace c = {.addr = lane};
		struct winst r = {.mask = rnd(3) ? ~0u : 1 + rnd(UINT32_MAX), .mode = ADDR_LIST};

		for (unsigned k = 0; k < 32; k++)
			lane[k] = r.mask >> k & 1 ? base + 4 * rnd(words) + rnd(4) : 0;
		wrong += smem_conflicts(&c, &r, banks) != conflicts_slowly(lane, r.mask, banks);
	}
	is_u64(wrong, 0, "20000 random lists");
}

int
main(void)
{
	by_hand();
	at_random();
	lists_at_random();
	conflicts();
	return done();
}
