/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_bit.c - executes logic, shifts and bit fields: the functions of alu_bit.def, and those of
 * predicates. A predicate is one word of 32 lanes, so its logic is one operation.
 */
#include "record/ptx/alu/alu.h"

/* ORs those of the eight minterms of (a, b, c) whose bit in the table is set; t has all ones or
 * zero for each bit. */
static inline uint32_t
lop3(uint32_t a, uint32_t b, uint32_t c, const uint32_t t[8])
{
	uint32_t c0 = (~c & t[0]) | (c & t[1]), c1 = (~c & t[2]) | (c & t[3]);
	uint32_t c2 = (~c & t[4]) | (c & t[5]), c3 = (~c & t[6]) | (c & t[7]);

	return (~a & ((~b & c0) | (b & c1))) | (a & ((~b & c2) | (b & c3)));
}

static inline uint32_t
popc_32(uint32_t x)
{
	x -= x >> 1 & 0x55555555u;
	x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
	x = (x + (x >> 4)) & 0x0f0f0f0fu;
	x += x >> 8;
	return (x + (x >> 16)) & 0x3f;
}

static inline uint32_t
popc_64(uint64_t x)
{
	return popc_32((uint32_t)x) + popc_32((uint32_t)(x >> 32));
}

static inline uint32_t
clz_32(uint32_t x)
{
	return x ? (uint32_t)__builtin_clz(x) : 32;
}

static inline uint32_t
clz_64(uint64_t x)
{
	return x ? (uint32_t)__builtin_clzll(x) : 64;
}

/* Returns the position of the highest set bit, or the shift that moves it to the top; all ones if
 * no bit is set. */
static inline uint32_t
top_32(uint32_t x, bool shiftamt)
{
	return !x ? ~0u : shiftamt ? clz_32(x) : 31 - clz_32(x);
}

static inline uint32_t
top_64(uint64_t x, bool shiftamt)
{
	return !x ? ~0u : shiftamt ? clz_64(x) : 63 - clz_64(x);
}

static inline uint32_t
brev_32(uint32_t x)
{
	x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
	x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
	x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
	return __builtin_bswap32(x);
}

/* Finds the |offset|-th set bit from base on, upwards or downwards; offset 0 means base itself, if
 * it is set. */
static uint32_t
find_nth_set(uint32_t mask, uint32_t base, int32_t offset)
{
	int64_t left = offset < 0 ? -(int64_t)offset : offset;
	int step = offset < 0 ? -1 : 1;

	if (offset == 0)
		return base < 32 && mask >> base & 1 ? base : ~0u;
	for (int64_t pos = (int32_t)base; pos >= 0 && pos < 32; pos += step)
		if (mask >> pos & 1 && --left == 0)
			return (uint32_t)pos;
	return ~0u;
}

static inline uint64_t
low_bits(uint32_t n)
{
	return n < 64 ? ((uint64_t)1 << n) - 1 : ~0ull;
}

/* Extracts a field of len bits at pos. Bits beyond the width or the field are copies of the field's
 * top bit. */
static inline uint64_t
bfe(uint64_t a, uint32_t b, uint32_t c, uint32_t width, bool sign)
{
	uint32_t pos = b & 0xff, len = c & 0xff, top = MIN(pos + len - 1, width - 1);
	bool fill = sign && len && a >> top & 1;
	uint64_t field = pos < width ? a >> pos : 0;
	uint32_t have = pos < width ? MIN(len, width - pos) : 0;

	return (field & low_bits(have)) | (fill ? ~low_bits(have) : 0);
}

static inline uint64_t
bfi(uint64_t a, uint64_t b, uint32_t c, uint32_t d, uint32_t width)
{
	uint32_t pos = c & 0xff, len = d & 0xff;
	uint64_t field;

	if (pos >= width)
		return b;
	field = low_bits(len) << pos;
	return (b & ~field) | (a << pos & field);
}

/* Extends the low b bits of a with their sign or with zeros. */
static inline uint32_t
szext(uint32_t a, uint32_t b, bool sign, bool wrap)
{
	uint32_t n = b & 31, high;

	if (b >= 32 && !wrap)
		return a;
	high = ~0u << n;
	return sign && n && a >> (n - 1) & 1 ? a | high : a & ~high;
}

/* Returns b ones from bit a on. */
static inline uint32_t
bmsk(uint32_t a, uint32_t b, bool wrap)
{
	if (wrap) {
		a &= 31;
		b &= 31;
	}
	return a >= 32 ? 0 : (uint32_t)(low_bits(MIN(b, 32)) << a);
}

static inline uint32_t
prmt(uint32_t a, uint32_t b, uint32_t sel)
{
	uint64_t bytes = (uint64_t)b << 32 | a;
	uint32_t r = 0;

	for (unsigned i = 0; i < 4; i++, sel >>= 4) {
		uint32_t v = bytes >> 8 * (sel & 7) & 0xff;

		v = sel & 8 ? (v & 0x80 ? 0xff : 0) : v;
		r |= v << 8 * i;
	}
	return r;
}

/* The modes as selectors, indexed by the low bits of c: f4e b4e rc8 ecl ecr rc16, in the order of
 * inst/arith.def. */
static const uint16_t prmt_selector[6][4] = {
	{0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
	{0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
	{0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232},
};

#define FN1 ALU_FN1
#define FN2 ALU_FN2
#define FN3 ALU_FN3
#define FN(name)
#include "record/ptx/alu/alu_bit.def"

#define BFI_FN(bits)                                                           \
	ALU_FN(bfi_##bits)                                                     \
	{                                                                      \
		ALU_SRC(ALU_T(bits), a, 0);                                    \
		ALU_SRC(ALU_T(bits), b, 1);                                    \
		ALU_SRC(uint32_t, c, 2);                                       \
		ALU_SRC(uint32_t, d, 3);                                       \
		ALU_T(bits) r[WARP_SIZE];                                      \
		ALU_LOOP(l)                                                    \
		{                                                              \
			r[l] = (ALU_T(bits))bfi(a[l], b[l], c[l], d[l], bits); \
		}                                                              \
		return alu_put_##bits(w, in->dst[0], r, mask);                 \
	}

BFI_FN(32)
BFI_FN(64)

#define PRED_FN(name, expr)                                                                    \
	ALU_FN(name##_pred)                                                                    \
	{                                                                                      \
		uint32_t a = vec_pred(w, in->src[0]), b = vec_pred(w, in->src[in->n_src - 1]); \
		(void)b;                                                                       \
		return alu_put_pred(w, in->dst[0], expr, mask);                                \
	}

PRED_FN(and, a &b)
PRED_FN(or, a | b)
PRED_FN(xor, a ^ b)
PRED_FN(not, ~a)

static void
lop3_table(uint32_t t[8], int64_t imm)
{
	for (unsigned i = 0; i < 8; i++)
		t[i] = imm >> i & 1 ? ~0u : 0;
}

ALU_FN(lop3)
{
	ALU_SRC(uint32_t, a, 0);
	ALU_SRC(uint32_t, b, 1);
	ALU_SRC(uint32_t, c, 2);
	uint32_t r[WARP_SIZE], t[8];

	lop3_table(t, in->imm);
	ALU_LOOP(l)
	{
		r[l] = lop3(a[l], b[l], c[l], t);
	}
	if (in->n_dst == 2) {
		uint32_t p = alu_bits(r), q = vec_pred(w, in->src[3]) ^ (in->sub2 ? ~0u : 0);

		alu_put_pred(w, in->dst[1], in->sub == W_and ? p & q : p | q, mask);
	}
	return alu_put_32(w, in->dst[0], r, mask);
}
