/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_int.c - integer arithmetic, logic, shifts, bit fields, carries and video instructions of the
 * PTX emulator compared with C code that follows the pseudo-code of the PTX ISA bit by bit, where
 * src/record/ptx uses faster methods. PTX leaves division by zero open; ours gives all ones. Both
 * methods of alu_div.c are tested, below 2^52 and above.
 */
#include "tests/record/ptx/alu.h"

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

#define A16 ((uint16_t)a)
#define B16 ((uint16_t)b)
#define C16 ((uint16_t)c)
#define A32 ((uint32_t)a)
#define B32 ((uint32_t)b)
#define C32 ((uint32_t)c)
#define D32 ((uint32_t)d)
#define I16(x) ((int64_t)(int16_t)(x))
#define I32(x) ((int64_t)(int32_t)(x))
#define I64(x) ((int64_t)(x))

static uint64_t
sat(i128 x)
{
	return (uint64_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}

static uint64_t
distance(i128 x, i128 y)
{
	return (uint64_t)(x > y ? x - y : y - x);
}

static i128
quotient(i128 x, i128 y)
{
	return y ? x / y : -1;
}

static i128
rest(i128 x, i128 y)
{
	return y ? x % y : -1;
}

static i128
s24(uint64_t x)
{
	x &= 0xffffff;
	return x & 0x800000 ? (i128)x - 0x1000000 : (i128)x;
}

static i128
u24(uint64_t x)
{
	return x & 0xffffff;
}

static unsigned
bit(u128 x, unsigned i)
{
	return x >> i & 1;
}

static uint64_t
count(uint64_t x, unsigned n)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < n; i++)
		r += bit(x, i);
	return r;
}

static uint64_t
leading(uint64_t x, int n)
{
	uint64_t r = 0;

	while (n-- > 0 && !bit(x, (unsigned)n))
		r++;
	return r;
}

static uint64_t
find(uint64_t x, int msb, bool sign, bool shiftamt)
{
	bool neg = sign && bit(x, (unsigned)msb);

	for (int i = msb; i >= 0; i--)
		if (bit(x, (unsigned)i) != neg)
			return (uint64_t)(shiftamt ? msb - i : i);
	return 0xffffffff;
}

static uint64_t
reverse(uint64_t x, unsigned n)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < n; i++)
		r |= (uint64_t)bit(x, i) << (n - 1 - i);
	return r;
}

static uint64_t
extract(uint64_t x, uint64_t b, uint64_t c, unsigned msb, bool sign)
{
	unsigned pos = b & 0xff, len = c & 0xff, top = pos + len - 1 < msb ? pos + len - 1 : msb;
	bool fill = sign && len && bit(x, top);
	uint64_t r = 0;

	for (unsigned i = 0; i <= msb; i++)
		r |= (uint64_t)(i < len && pos + i <= msb ? bit(x, pos + i) : fill) << i;
	return r;
}

static uint64_t
insert(uint64_t x, uint64_t y, uint64_t c, uint64_t d, unsigned msb)
{
	unsigned pos = c & 0xff, len = d & 0xff;

	for (unsigned i = 0; i < len && pos + i <= msb; i++)
		y = (y & ~(1ull << (pos + i))) | (uint64_t)bit(x, i) << (pos + i);
	return y;
}

static uint64_t
nth(uint32_t mask, uint32_t base, int32_t offset)
{
	int64_t pos = (int32_t)base, left = llabs((long long)offset) - 1;

	if (offset == 0)
		return base < 32 && bit(mask, base) ? base : 0xffffffff;
	for (; pos >= 0 && pos<32; pos += offset> 0 ? 1 : -1)
		if (bit(mask, (unsigned)pos) && left-- == 0)
			return (uint64_t)pos;
	return 0xffffffff;
}

static uint64_t
extend(uint32_t x, uint32_t n, bool sign, bool wrap)
{
	n = wrap ? n & 31 : n;
	if (n >= 32)
		return x;
	if (n == 0)
		return 0;
	x &= (1u << n) - 1;
	return sign && bit(x, n - 1) ? x - (1ull << n) : x;
}

static uint64_t
ones(uint64_t pos, uint64_t n, bool wrap)
{
	uint64_t r = 0;

	pos = wrap ? pos & 31 : pos;
	n = wrap ? n & 31 : n;
	for (unsigned i = 0; i < 32; i++)
		r |= (uint64_t)(i >= pos && i - pos < n) << i;
	return r;
}

static uint64_t
permute(uint64_t a, uint64_t b, unsigned s3, unsigned s2, unsigned s1, unsigned s0)
{
	const unsigned sel[4] = {s0, s1, s2, s3};
	uint64_t r = 0;

	for (unsigned i = 0; i < 4; i++) {
		uint64_t src = (sel[i] & 7) < 4 ? a : b, v = src >> 8 * (sel[i] & 3) & 0xff;

		r |= (sel[i] & 8 ? (v >= 128 ? 255 : 0) : v) << 8 * i;
	}
	return r;
}

static uint64_t
mode(uint64_t a, uint64_t b, uint64_t c, const char *four) /* "3210 4321 .." by the low bits of c */
{
	const char *s = four + 5 * (c & 3);

	return permute(a, b, (unsigned)s[0] - '0', (unsigned)s[1] - '0', (unsigned)s[2] - '0',
		       (unsigned)s[3] - '0');
}

static uint64_t
lut(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < 32; i++)
		r |= (uint64_t)bit(table, bit(a, i) << 2 | bit(b, i) << 1 | bit(c, i)) << i;
	return r;
}

static uint64_t
funnel(uint64_t lo, uint64_t hi, unsigned n, bool left)
{
	u128 x = (u128)(uint32_t)hi << 32 | (uint32_t)lo;

	return (uint64_t)(left ? x << n >> 32 : x >> n) & 0xffffffff;
}

static uint64_t
dot4(uint64_t a, uint64_t b, uint64_t c, bool sa, bool sb)
{
	for (unsigned i = 0; i < 32; i += 8)
		c += (uint64_t)((sa ? (int64_t)(int8_t)(a >> i) : (int64_t)(uint8_t)(a >> i)) *
				(sb ? (int64_t)(int8_t)(b >> i) : (int64_t)(uint8_t)(b >> i)));
	return c;
}

static uint64_t
dot2(uint64_t a, uint64_t b, uint64_t c, bool sa, bool sb)
{
	for (unsigned i = 0; i < 2; i++)
		c += (uint64_t)((sa ? I16(a >> 16 * i) : (int64_t)(uint16_t)(a >> 16 * i)) *
				(sb ? (int64_t)(int8_t)(b >> 8 * i)
				    : (int64_t)(uint8_t)(b >> 8 * i)));
	return c;
}

static uint64_t
limit(i128 x, i128 lo, i128 hi)
{
	return (uint64_t)(x < lo ? lo : x > hi ? hi : x);
}

static i128
product_128(uint64_t a, uint64_t b, uint64_t c, unsigned what)
{
	u128 p = (u128)a * b + c;

	return (i128)(what ? p >> 64 : p);
}

static uint64_t
sum_of_bytes(uint64_t a, uint64_t b, uint64_t c, bool add)
{
	uint64_t r = add ? c : 0;

	for (unsigned i = 0; i < 32; i += 8) {
		int x = (uint8_t)(a >> i) - (uint8_t)(b >> i);

		r += add ? (uint64_t)abs(x) : (uint64_t)(abs(x) & 255) << i;
	}
	return r;
}

#define MIN_(x, y) ((x) < (y) ? (x) : (y))
#define MAX_(x, y) ((x) > (y) ? (x) : (y))

/* One less than a multiple, below 2^52. */
#define NEAR                                                                            \
	"shr.u64 d1, d1, 38; shr.u64 d2, d2, 39; max.u64 d1, d1, 1; max.u64 d2, d2, 1;" \
	"mad.lo.u64 d1, d1, d2, -1;"
#define LEAST(b) ((b) >> 39 ? (b) >> 39 : 1)
#define MOST(a, b) (((a) >> 38 ? (a) >> 38 : 1) * LEAST(b))

#define CASES(X)                                                                                  \
	X(add_u16, "add.u16 h0, h1, h2;", 'h', A16 + B16)                                         \
	X(add_s32, "add.s32 r0, r1, r2;", 'r', A32 + B32)                                         \
	X(add_imm, "add.u32 r0, r1, -5;", 'r', A32 - 5)                                           \
	X(add_u64, "add.u64 d0, d1, d2;", 'd', a + b)                                             \
	X(add_sat, "add.sat.s32 r0, r1, r2;", 'r', sat((i128)I32(a) + I32(b)))                    \
	X(sub_s16, "sub.s16 h0, h1, h2;", 'h', A16 - B16)                                         \
	X(sub_u32, "sub.u32 r0, r1, r2;", 'r', A32 - B32)                                         \
	X(sub_s64, "sub.s64 d0, d1, d2;", 'd', a - b)                                             \
	X(sub_sat, "sub.sat.s32 r0, r1, r2;", 'r', sat((i128)I32(a) - I32(b)))                    \
	X(mul_lo_u16, "mul.lo.u16 h0, h1, h2;", 'h', (uint64_t)A16 *B16)                          \
	X(mul_lo_s32, "mul.lo.s32 r0, r1, r2;", 'r', a *b)                                        \
	X(mul_lo_u64, "mul.lo.u64 d0, d1, d2;", 'd', a *b)                                        \
	X(mul_hi_u16, "mul.hi.u16 h0, h1, h2;", 'h', (uint64_t)A16 *B16 >> 16)                    \
	X(mul_hi_s16, "mul.hi.s16 h0, h1, h2;", 'h', (uint64_t)(I16(a) * I16(b) >> 16))           \
	X(mul_hi_u32, "mul.hi.u32 r0, r1, r2;", 'r', (uint64_t)A32 *B32 >> 32)                    \
	X(mul_hi_s32, "mul.hi.s32 r0, r1, r2;", 'r', (uint64_t)(I32(a) * I32(b) >> 32))           \
	X(mul_hi_u64, "mul.hi.u64 d0, d1, d2;", 'd', (uint64_t)((u128)a * b >> 64))               \
	X(mul_hi_s64, "mul.hi.s64 d0, d1, d2;", 'd', (uint64_t)((i128)I64(a) * I64(b) >> 64))     \
	X(mul_wide_u16, "mul.wide.u16 r0, h1, h2;", 'r', (uint64_t)A16 *B16)                      \
	X(mul_wide_s16, "mul.wide.s16 r0, h1, h2;", 'r', (uint64_t)(I16(a) * I16(b)))             \
	X(mul_wide_u32, "mul.wide.u32 d0, r1, r2;", 'd', (uint64_t)A32 *B32)                      \
	X(mul_wide_s32, "mul.wide.s32 d0, r1, r2;", 'd', (uint64_t)(I32(a) * I32(b)))             \
	X(mad_lo_s16, "mad.lo.s16 h0, h1, h2, h3;", 'h', (uint64_t)A16 *B16 + C16)                \
	X(mad_lo_u32, "mad.lo.u32 r0, r1, r2, r3;", 'r', a *b + c)                                \
	X(mad_lo_s64, "mad.lo.s64 d0, d1, d2, d3;", 'd', a *b + c)                                \
	X(mad_hi_u16, "mad.hi.u16 h0, h1, h2, h3;", 'h', ((uint64_t)A16 * B16 >> 16) + C16)       \
	X(mad_hi_s16, "mad.hi.s16 h0, h1, h2, h3;", 'h', (uint64_t)(I16(a) * I16(b) >> 16) + c)   \
	X(mad_hi_u32, "mad.hi.u32 r0, r1, r2, r3;", 'r', ((uint64_t)A32 * B32 >> 32) + c)         \
	X(mad_hi_s32, "mad.hi.s32 r0, r1, r2, r3;", 'r', (uint64_t)(I32(a) * I32(b) >> 32) + c)   \
	X(mad_hi_sat, "mad.hi.sat.s32 r0, r1, r2, r3;", 'r',                                      \
	  sat((I32(a) * I32(b) >> 32) + (i128)I32(c)))                                            \
	X(mad_hi_u64, "mad.hi.u64 d0, d1, d2, d3;", 'd', (uint64_t)((u128)a * b >> 64) + c)       \
	X(mad_hi_s64, "mad.hi.s64 d0, d1, d2, d3;", 'd',                                          \
	  (uint64_t)((i128)I64(a) * I64(b) >> 64) + c)                                            \
	X(mad_wide_u16, "mad.wide.u16 r0, h1, h2, r3;", 'r', (uint64_t)A16 *B16 + c)              \
	X(mad_wide_s16, "mad.wide.s16 r0, h1, h2, r3;", 'r', (uint64_t)(I16(a) * I16(b)) + c)     \
	X(mad_wide_u32, "mad.wide.u32 d0, r1, r2, d3;", 'd', (uint64_t)A32 *B32 + c)              \
	X(mad_wide_s32, "mad.wide.s32 d0, r1, r2, d3;", 'd', (uint64_t)(I32(a) * I32(b)) + c)     \
	X(mul24_lo_u, "mul24.lo.u32 r0, r1, r2;", 'r', (uint64_t)(u24(a) * u24(b)))               \
	X(mul24_lo_s, "mul24.lo.s32 r0, r1, r2;", 'r', (uint64_t)(s24(a) * s24(b)))               \
	X(mul24_hi_u, "mul24.hi.u32 r0, r1, r2;", 'r', (uint64_t)(u24(a) * u24(b) >> 16))         \
	X(mul24_hi_s, "mul24.hi.s32 r0, r1, r2;", 'r', (uint64_t)(s24(a) * s24(b) >> 16))         \
	X(mad24_lo_u, "mad24.lo.u32 r0, r1, r2, r3;", 'r', (uint64_t)(u24(a) * u24(b)) + c)       \
	X(mad24_lo_s, "mad24.lo.s32 r0, r1, r2, r3;", 'r', (uint64_t)(s24(a) * s24(b)) + c)       \
	X(mad24_hi_u, "mad24.hi.u32 r0, r1, r2, r3;", 'r', (uint64_t)(u24(a) * u24(b) >> 16) + c) \
	X(mad24_hi_s, "mad24.hi.s32 r0, r1, r2, r3;", 'r', (uint64_t)(s24(a) * s24(b) >> 16) + c) \
	X(mad24_sat, "mad24.hi.sat.s32 r0, r1, r2, r3;", 'r',                                     \
	  sat(I32((uint64_t)(s24(a) * s24(b) >> 16)) + (i128)I32(c)))                             \
	X(sad_u16, "sad.u16 h0, h1, h2, h3;", 'h', distance(A16, B16) + c)                        \
	X(sad_s16, "sad.s16 h0, h1, h2, h3;", 'h', distance(I16(a), I16(b)) + c)                  \
	X(sad_u32, "sad.u32 r0, r1, r2, r3;", 'r', distance(A32, B32) + c)                        \
	X(sad_s32, "sad.s32 r0, r1, r2, r3;", 'r', distance(I32(a), I32(b)) + c)                  \
	X(sad_u64, "sad.u64 d0, d1, d2, d3;", 'd', distance(a, b) + c)                            \
	X(sad_s64, "sad.s64 d0, d1, d2, d3;", 'd', distance(I64(a), I64(b)) + c)                  \
	X(div_u16, "div.u16 h0, h1, h2;", 'h', (uint64_t)quotient(A16, B16))                      \
	X(div_s16, "div.s16 h0, h1, h2;", 'h', (uint64_t)quotient(I16(a), I16(b)))                \
	X(div_u32, "div.u32 r0, r1, r2;", 'r', (uint64_t)quotient(A32, B32))                      \
	X(div_s32, "div.s32 r0, r1, r2;", 'r', (uint64_t)quotient(I32(a), I32(b)))                \
	X(div_u64, "div.u64 d0, d1, d2;", 'd', (uint64_t)quotient(a, b))                          \
	X(div_s64, "div.s64 d0, d1, d2;", 'd', (uint64_t)quotient(I64(a), I64(b)))                \
	X(rem_u16, "rem.u16 h0, h1, h2;", 'h', (uint64_t)rest(A16, B16))                          \
	X(rem_s16, "rem.s16 h0, h1, h2;", 'h', (uint64_t)rest(I16(a), I16(b)))                    \
	X(rem_u32, "rem.u32 r0, r1, r2;", 'r', (uint64_t)rest(A32, B32))                          \
	X(rem_s32, "rem.s32 r0, r1, r2;", 'r', (uint64_t)rest(I32(a), I32(b)))                    \
	X(rem_u64, "rem.u64 d0, d1, d2;", 'd', (uint64_t)rest(a, b))                              \
	X(rem_s64, "rem.s64 d0, d1, d2;", 'd', (uint64_t)rest(I64(a), I64(b)))                    \
	X(div_near, NEAR "div.u64 d0, d1, d2;", 'd', (MOST(a, b) - 1) / LEAST(b))                 \
	X(rem_near, NEAR "neg.s64 d1, d1; rem.s64 d0, d1, d2;", 'd',                              \
	  0 - (MOST(a, b) - 1) % LEAST(b))                                                        \
	X(abs_s16, "abs.s16 h0, h1;", 'h', distance(I16(a), 0))                                   \
	X(abs_s32, "abs.s32 r0, r1;", 'r', distance(I32(a), 0))                                   \
	X(abs_s64, "abs.s64 d0, d1;", 'd', distance(I64(a), 0))                                   \
	X(neg_s16, "neg.s16 h0, h1;", 'h', 0 - a)                                                 \
	X(neg_s32, "neg.s32 r0, r1;", 'r', 0 - a)                                                 \
	X(neg_s64, "neg.s64 d0, d1;", 'd', 0 - a)                                                 \
	X(min_u16, "min.u16 h0, h1, h2;", 'h', MIN_(A16, B16))                                    \
	X(min_s16, "min.s16 h0, h1, h2;", 'h', (uint64_t)MIN_(I16(a), I16(b)))                    \
	X(min_u32, "min.u32 r0, r1, r2;", 'r', MIN_(A32, B32))                                    \
	X(min_s32, "min.s32 r0, r1, r2;", 'r', (uint64_t)MIN_(I32(a), I32(b)))                    \
	X(min_u64, "min.u64 d0, d1, d2;", 'd', MIN_(a, b))                                        \
	X(min_s64, "min.s64 d0, d1, d2;", 'd', (uint64_t)MIN_(I64(a), I64(b)))                    \
	X(max_u16, "max.u16 h0, h1, h2;", 'h', MAX_(A16, B16))                                    \
	X(max_s16, "max.s16 h0, h1, h2;", 'h', (uint64_t)MAX_(I16(a), I16(b)))                    \
	X(max_u32, "max.u32 r0, r1, r2;", 'r', MAX_(A32, B32))                                    \
	X(max_s32, "max.s32 r0, r1, r2;", 'r', (uint64_t)MAX_(I32(a), I32(b)))                    \
	X(max_u64, "max.u64 d0, d1, d2;", 'd', MAX_(a, b))                                        \
	X(max_s64, "max.s64 d0, d1, d2;", 'd', (uint64_t)MAX_(I64(a), I64(b)))

#define CARRIES(X)                                                                               \
	X(addc_lo, "add.cc.u32 r5, r1, r2; addc.u32 r0, r3, r4;", 'r',                           \
	  c + d + (((uint64_t)A32 + B32) >> 32))                                                 \
	X(addc_three, "add.cc.u32 r5, r1, r2; addc.cc.u32 r5, r3, r4; addc.u32 r0, 0, 0;", 'r',  \
	  ((uint64_t)C32 + D32 + (((uint64_t)A32 + B32) >> 32)) >> 32)                           \
	X(addc_64, "add.cc.u64 d5, d1, d2; addc.u64 d0, d3, d4;", 'd',                           \
	  c + d + (uint64_t)(((u128)a + b) >> 64))                                               \
	X(addc_64_out, "add.cc.s64 d5, d1, d2; addc.cc.s64 d5, d3, d4; addc.s64 d0, 0, 0;", 'd', \
	  (uint64_t)(((u128)c + d + (((u128)a + b) >> 64)) >> 64))                               \
	X(subc_hi, "sub.cc.u32 r5, r1, r2; subc.u32 r0, r3, r4;", 'r', c - d - (A32 < B32))      \
	X(subc_three, "sub.cc.u32 r5, r1, r2; subc.cc.u32 r5, r3, r4; subc.u32 r0, 0, 0;", 'r',  \
	  0ull - ((uint64_t)C32 < (uint64_t)D32 + (A32 < B32)))                                  \
	X(subc_64, "sub.cc.u64 d5, d1, d2; subc.u64 d0, d3, d4;", 'd', c - d - (a < b))          \
	X(mad_128_hi, "mad.lo.cc.u64 d5, d1, d2, d3; madc.hi.u64 d0, d1, d2, 0;", 'd',           \
	  (uint64_t)product_128(a, b, c, 1))                                                     \
	X(mad_64_hi, "mad.lo.cc.u32 r5, r1, r2, r3; madc.hi.u32 r0, r1, r2, 0;", 'r',            \
	  ((uint64_t)A32 * B32 + C32) >> 32)                                                     \
	X(mad_64_signed, "mad.lo.cc.s32 r5, r1, r2, r3; madc.hi.s32 r0, r1, r2, 0;", 'r',        \
	  ((uint64_t)(I32(a) * I32(b)) + C32) >> 32)                                             \
	X(madc_out,                                                                              \
	  "mad.hi.cc.u32 r5, r1, r2, r3; madc.lo.cc.u32 r5, r3, r4, r1;"                         \
	  "addc.u32 r0, 0, 0;",                                                                  \
	  'r',                                                                                   \
	  ((uint64_t)(uint32_t)(c * d) + A32 + ((((uint64_t)A32 * B32 >> 32) + C32) >> 32)) >> 32)

#define BITS(X)                                                                                \
	X(and_16, "and.b16 h0, h1, h2;", 'h', a &b)                                            \
	X(and_32, "and.b32 r0, r1, r2;", 'r', a &b)                                            \
	X(and_64, "and.b64 d0, d1, 0xff00ff00ff;", 'd', a & 0xff00ff00ffull)                   \
	X(or_16, "or.b16 h0, h1, h2;", 'h', a | b)                                             \
	X(or_32, "or.b32 r0, r1, r2;", 'r', a | b)                                             \
	X(or_64, "or.b64 d0, d1, d2;", 'd', a | b)                                             \
	X(xor_16, "xor.b16 h0, h1, h2;", 'h', a ^ b)                                           \
	X(xor_32, "xor.b32 r0, r1, r2;", 'r', a ^ b)                                           \
	X(xor_64, "xor.b64 d0, d1, d2;", 'd', a ^ b)                                           \
	X(not_16, "not.b16 h0, h1;", 'h', ~a)                                                  \
	X(not_32, "not.b32 r0, r1;", 'r', ~a)                                                  \
	X(not_64, "not.b64 d0, d1;", 'd', ~a)                                                  \
	X(cnot_16, "cnot.b16 h0, h1;", 'h', !A16)                                              \
	X(cnot_32, "cnot.b32 r0, r1;", 'r', !A32)                                              \
	X(cnot_64, "cnot.b64 d0, d1;", 'd', !a)                                                \
	X(preds,                                                                               \
	  "setp.lt.u32 p1, r1, r2; setp.gt.s32 p2, r3, r4; and.pred p3, p1, p2;"               \
	  "or.pred p4, p1, p2; xor.pred p5, p1, p2; not.pred p6, p1;"                          \
	  "selp.b32 r0, 1, 0, p3; selp.b32 r5, 2, 0, p4; or.b32 r0, r0, r5;"                   \
	  "selp.b32 r5, 4, 0, p5; or.b32 r0, r0, r5; selp.b32 r5, 8, 0, p6;"                   \
	  "or.b32 r0, r0, r5;",                                                                \
	  'r',                                                                                 \
	  (unsigned)(A32 < B32 && I32(c) > I32(d)) | (A32 < B32 || I32(c) > I32(d)) * 2u |     \
		  ((A32 < B32) != (I32(c) > I32(d))) * 4u | !(A32 < B32) * 8u)                 \
	X(lop3, "lop3.b32 r0, r1, r2, r3, 0x1b;", 'r', lut(A32, B32, C32, 0x1b))               \
	X(lop3_xor, "lop3.b32 r0, r1, r2, r3, 0x96;", 'r', a ^ b ^ c)                          \
	X(lop3_or,                                                                             \
	  "setp.lt.s32 p1, r4, 0; lop3.or.b32 r5|p2, r1, r2, r3, 0x80, p1;"                    \
	  "selp.b32 r0, r5, 7, p2;",                                                           \
	  'r', (A32 & B32 & C32) || I32(d) < 0 ? a & b & c : 7)                                \
	X(lop3_and,                                                                            \
	  "setp.lt.s32 p1, r4, 0; lop3.and.b32 _|p2, r1, r2, r3, 0xfe, !p1;"                   \
	  "selp.b32 r0, 3, 7, p2;",                                                            \
	  'r', (A32 | B32 | C32) && !(I32(d) < 0) ? 3 : 7)                                     \
	X(shl_16, "shl.b16 h0, h1, r2;", 'h', B32 < 16 ? a << B32 : 0)                         \
	X(shl_32, "shl.b32 r0, r1, r2;", 'r', B32 < 32 ? a << B32 : 0)                         \
	X(shl_64, "shl.b64 d0, d1, r2;", 'd', B32 < 64 ? a << B32 : 0)                         \
	X(shr_u16, "shr.u16 h0, h1, r2;", 'h', B32 < 16 ? A16 >> B32 : 0)                      \
	X(shr_b32, "shr.b32 r0, r1, r2;", 'r', B32 < 32 ? A32 >> B32 : 0)                      \
	X(shr_u64, "shr.u64 d0, d1, r2;", 'd', B32 < 64 ? a >> B32 : 0)                        \
	X(shr_s16, "shr.s16 h0, h1, r2;", 'h', (uint64_t)(I16(a) >> MIN_(B32, 40)))            \
	X(shr_s32, "shr.s32 r0, r1, r2;", 'r', (uint64_t)(I32(a) >> MIN_(B32, 40)))            \
	X(shr_s64, "shr.s64 d0, d1, r2;", 'd', (uint64_t)((i128)I64(a) >> MIN_(B32, 80)))      \
	X(shl_few, "and.b32 r5, r2, 63; shl.b32 r0, r1, r5;", 'r',                             \
	  (b & 63) < 32 ? a << (b & 63) : 0)                                                   \
	X(shr_few, "and.b32 r5, r2, 127; shr.s64 d0, d1, r5;", 'd',                            \
	  (uint64_t)((i128)I64(a) >> (b & 127)))                                               \
	X(shf_lc, "and.b32 r5, r3, 63; shf.l.clamp.b32 r0, r1, r2, r5;", 'r',                  \
	  funnel(a, b, MIN_((unsigned)c & 63, 32), true))                                      \
	X(shf_lw, "shf.l.wrap.b32 r0, r1, r2, r3;", 'r', funnel(a, b, c & 31, true))           \
	X(shf_rc, "and.b32 r5, r3, 63; shf.r.clamp.b32 r0, r1, r2, r5;", 'r',                  \
	  funnel(a, b, MIN_((unsigned)c & 63, 32), false))                                     \
	X(shf_rw, "shf.r.wrap.b32 r0, r1, r2, r3;", 'r', funnel(a, b, c & 31, false))          \
	X(popc_32, "popc.b32 r0, r1;", 'r', count(a, 32))                                      \
	X(popc_64, "popc.b64 r0, d1;", 'r', count(a, 64))                                      \
	X(clz_32, "clz.b32 r0, r1;", 'r', leading(a, 32))                                      \
	X(clz_64, "clz.b64 r0, d1;", 'r', leading(a, 64))                                      \
	X(bfind_u32, "bfind.u32 r0, r1;", 'r', find(a, 31, false, false))                      \
	X(bfind_s32, "bfind.s32 r0, r1;", 'r', find(a, 31, true, false))                       \
	X(bfind_sh, "bfind.shiftamt.s32 r0, r1;", 'r', find(a, 31, true, true))                \
	X(bfind_u64, "bfind.u64 r0, d1;", 'r', find(a, 63, false, false))                      \
	X(bfind_s64, "bfind.shiftamt.s64 r0, d1;", 'r', find(a, 63, true, true))               \
	X(fns, "and.b32 r5, r2, 31; bfe.s32 r6, r3, 0, 4; fns.b32 r0, r1, r5, r6;", 'r',       \
	  nth(A32, b & 31, (int32_t)(C32 << 28) >> 28))                                        \
	X(brev_32, "brev.b32 r0, r1;", 'r', reverse(a, 32))                                    \
	X(brev_64, "brev.b64 d0, d1;", 'd', reverse(a, 64))                                    \
	X(bfe_u32, "bfe.u32 r0, r1, r2, r3;", 'r', extract(a, b, c, 31, false))                \
	X(bfe_s32, "bfe.s32 r0, r1, r2, r3;", 'r', extract(a, b, c, 31, true))                 \
	X(bfe_u64, "bfe.u64 d0, d1, r2, r3;", 'd', extract(a, b, c, 63, false))                \
	X(bfe_s64, "bfe.s64 d0, d1, r2, r3;", 'd', extract(a, b, c, 63, true))                 \
	X(bfi_32, "bfi.b32 r0, r1, r2, r3, r4;", 'r', insert(a, b, c, d, 31))                  \
	X(bfi_64, "bfi.b64 d0, d1, d2, r3, r4;", 'd', insert(a, b, c, d, 63))                  \
	X(szext_cu, "szext.clamp.u32 r0, r1, r2;", 'r', extend(A32, B32, false, false))        \
	X(szext_cs, "szext.clamp.s32 r0, r1, r2;", 'r', extend(A32, B32, true, false))         \
	X(szext_wu, "szext.wrap.u32 r0, r1, r2;", 'r', extend(A32, B32, false, true))          \
	X(szext_ws, "szext.wrap.s32 r0, r1, r2;", 'r', extend(A32, B32, true, true))           \
	X(bmsk_c, "and.b32 r5, r1, 63; and.b32 r6, r2, 63; bmsk.clamp.b32 r0, r5, r6;", 'r',   \
	  ones(a & 63, b & 63, false))                                                         \
	X(bmsk_w, "bmsk.wrap.b32 r0, r1, r2;", 'r', ones(A32, B32, true))                      \
	X(prmt, "prmt.b32 r0, r1, r2, r3;", 'r',                                               \
	  permute(a, b, c >> 12 & 15, c >> 8 & 15, c >> 4 & 15, c & 15))                       \
	X(prmt_f4e, "prmt.b32.f4e r0, r1, r2, r3;", 'r', mode(a, b, c, "3210 4321 5432 6543")) \
	X(prmt_b4e, "prmt.b32.b4e r0, r1, r2, r3;", 'r', mode(a, b, c, "5670 6701 7012 0123")) \
	X(prmt_rc8, "prmt.b32.rc8 r0, r1, r2, r3;", 'r', mode(a, b, c, "0000 1111 2222 3333")) \
	X(prmt_ecl, "prmt.b32.ecl r0, r1, r2, r3;", 'r', mode(a, b, c, "3210 3211 3222 3333")) \
	X(prmt_ecr, "prmt.b32.ecr r0, r1, r2, r3;", 'r', mode(a, b, c, "0000 1110 2210 3210")) \
	X(prmt_rc16, "prmt.b32.rc16 r0, r1, r2, r3;", 'r', mode(a, b, c, "1010 3232 1010 3232"))

#define VIDEO(X)                                                                                  \
	X(dp4a_uu, "dp4a.u32.u32 r0, r1, r2, r3;", 'r', dot4(a, b, c, false, false))              \
	X(dp4a_us, "dp4a.u32.s32 r0, r1, r2, r3;", 'r', dot4(a, b, c, false, true))               \
	X(dp4a_su, "dp4a.s32.u32 r0, r1, r2, r3;", 'r', dot4(a, b, c, true, false))               \
	X(dp4a_ss, "dp4a.s32.s32 r0, r1, r2, r3;", 'r', dot4(a, b, c, true, true))                \
	X(dp2a_lo, "dp2a.lo.s32.u32 r0, r1, r2, r3;", 'r', dot2(a, b, c, true, false))            \
	X(dp2a_hi, "dp2a.hi.u32.s32 r0, r1, r2, r3;", 'r', dot2(a, b >> 16, c, false, true))      \
	X(vadd, "vadd.s32.u32.s32 r0, r1.b0, r2.h0;", 'r', (uint64_t)((uint8_t)a + I16(b)))       \
	X(vadd_sat, "vadd.u32.s32.u32.sat r0, r1, r2;", 'r',                                      \
	  limit((i128)I32(a) + B32, 0, 0xffffffff))                                               \
	X(vsub_add, "vsub.s32.s32.s32.add r0, r1.h1, r2.b3, r3;", 'r',                            \
	  (uint64_t)(I16(a >> 16) - (int8_t)(b >> 24)) + c)                                       \
	X(vsub_merge, "vsub.s32.u32.u32.sat r0.b2, r1, r2, r3;", 'r',                             \
	  (c & 0xff00ffff) | (limit((i128)A32 - B32, -128, 127) & 0xff) << 16)                    \
	X(vabsdiff_max, "vabsdiff.u32.u32.u32.max r0, r1.b1, r2.b2, r3;", 'r',                    \
	  MAX_(distance((uint8_t)(a >> 8), (uint8_t)(b >> 16)), C32))                             \
	X(vmin_min, "vmin.s32.s32.s32.min r0, r1, r2, r3;", 'r',                                  \
	  (uint64_t)MIN_(MIN_(I32(a), I32(b)), I32(c)))                                           \
	X(vmax_h, "vmax.u32.u32.u32 r0.h1, r1, r2, r3;", 'r',                                     \
	  (c & 0xffff) | (uint64_t)(uint16_t)MAX_(A32, B32) << 16)                                \
	X(vshl, "vshl.u32.u32.u32.wrap r0, r1, r2.b0;", 'r', (uint64_t)A32 << (b & 31))           \
	X(vshr, "vshr.s32.s32.u32.clamp r0, r1, r2;", 'r', (uint64_t)(I32(a) >> MIN_(B32, 32)))   \
	X(vset, "vset.s32.u32.lt.add r0, r1, r2, r3;", 'r', (I32(a) < (int64_t)B32) + c)          \
	X(vmad, "vmad.s32.s32.u32 r0, r1.h0, -r2.b1, r3;", 'r',                                   \
	  (uint64_t)(I32(c) - I16(a) * (uint8_t)(b >> 8)))                                        \
	X(vmad_po, "vmad.u32.u32.u32.po.shr15 r0, r1, r2, r3;", 'r',                              \
	  (uint64_t)(((u128)A32 * B32 + C32 + 1) >> 15))                                          \
	X(vmad_sat, "vmad.s32.s32.s32.sat.shr7 r0, r1, r2, r3;", 'r',                             \
	  limit(((i128)I32(a) * I32(b) + I32(c)) >> 7, INT32_MIN, INT32_MAX))                     \
	X(vadd2, "vadd2.s32.s32.s32 r0, r1, r2, r3;", 'r', simd(a, b, c, 2, '+', true, 0))        \
	X(vadd4, "vadd4.u32.u32.u32.sat r0, r1, r2, r3;", 'r', simd(a, b, c, 4, '+', false, 1))   \
	X(vsub2, "vsub2.s32.s32.s32.sat r0, r1, r2, r3;", 'r', simd(a, b, c, 2, '-', true, 1))    \
	X(vsub4, "vsub4.u32.u32.u32 r0, r1, r2, r3;", 'r', simd(a, b, c, 4, '-', false, 0))       \
	X(vavrg2, "vavrg2.s32.s32.s32 r0, r1, r2, r3;", 'r', simd(a, b, c, 2, '/', true, 0))      \
	X(vavrg4, "vavrg4.u32.u32.u32.add r0, r1, r2, r3;", 'r', simd(a, b, c, 4, '/', false, 2)) \
	X(vmin2, "vmin2.u32.u32.u32 r0, r1, r2, r3;", 'r', simd(a, b, c, 2, '<', false, 0))       \
	X(vmin4, "vmin4.s32.s32.s32.add r0, r1, r2, r3;", 'r', simd(a, b, c, 4, '<', true, 2))    \
	X(vmax2, "vmax2.s32.s32.s32 r0, r1, r2, r3;", 'r', simd(a, b, c, 2, '>', true, 0))        \
	X(vmax4, "vmax4.u32.u32.u32 r0, r1, r2, r3;", 'r', simd(a, b, c, 4, '>', false, 0))       \
	X(vset2, "vset2.s32.s32.lt r0, r1, r2, r3;", 'r', simd(a, b, c, 2, 'l', true, 0))         \
	X(vset4, "vset4.u32.u32.lt.add r0, r1, r2, r3;", 'r', simd(a, b, c, 4, 'l', false, 2))    \
	X(vabsdiff2, "vabsdiff2.s32.s32.s32.add r0, r1, r2, r3;", 'r',                            \
	  simd(a, b, c, 2, 'd', true, 2))                                                         \
	X(vabsdiff4, "vabsdiff4.u32.u32.u32 r0, r1, r2, r3;", 'r', sum_of_bytes(a, b, c, false))  \
	X(vabsdiff4_add, "vabsdiff4.u32.u32.u32.add r0, r1, r2, r3;", 'r',                        \
	  sum_of_bytes(a, b, c, true))

#define FUNCTION(name, text, out, expr)                                             \
	static uint64_t want_##name(uint64_t a ATTR_UNUSED, uint64_t b ATTR_UNUSED, \
				    uint64_t c ATTR_UNUSED, uint64_t d ATTR_UNUSED) \
	{                                                                           \
		return (uint64_t)(expr);                                            \
	}
#define ENTRY(name, text, out, expr) {text, out, want_##name, NULL},

CASES(FUNCTION)
CARRIES(FUNCTION)
BITS(FUNCTION)
VIDEO(FUNCTION)
static const struct alu_case cases[] = {CASES(ENTRY) CARRIES(ENTRY) BITS(ENTRY) VIDEO(ENTRY)};

static const uint64_t edge[] = {
	0,
	1,
	2,
	3,
	7,
	8,
	15,
	16,
	17,
	31,
	32,
	33,
	63,
	64,
	65,
	127,
	128,
	255,
	256,
	0x7fff,
	0x8000,
	0xffff,
	0x10000,
	0x7fffff,
	0x800000,
	0xffffff,
	0x7fffffff,
	0x80000000,
	0x80000001,
	0xffffffff,
	0x100000000,
	0x7fffffffffffffff,
	0x8000000000000000,
	0xfffffffffffffffe,
	0xffffffffffffffff,
};

int
main(void)
{
	struct alu_rig g;

	if (!alu_open(&g))
		return done();
	alu_fill(&g, edge, ARRAY_LEN(edge), 1);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		alu_run(&g, &cases[i]);
	alu_refused("add.f15 r0, r1, r2;", "f15");
	alu_refused("add r0, r1, r2;", "expected one of the types");
	alu_refused("mul.u32 r0, r1, r2;", "expected one of .lo .hi .wide");
	alu_refused("add.sat.u32 r0, r1, r2;", "unknown modifier '.sat'");
	alu_refused("popc.u32 r0, r1;",
		    "type .u32 is not possible here, expected one of .b32 .b64");
	alu_refused("add.u32 r0, r1, r2, r3;", "expected 3 operands, found 4");
	alu_refused("add.u32 r0, r1, d2;", "32-bit");
	alu_refused("mul.wide.s64 d0, d1, d2;", "expected one of .lo .hi");
	alu_refused("lop3.b32 r0, r1, r2, r3, 256;", "from 0 to 255");
	alu_refused("vadd.u32.u32.u32.add r0.b0, r1, r2, r3;", "cannot be combined");
	alu_refused("vabsdiff4.u32.u32.u32 r0.b0, r1, r2, r3;", "not supported");
	alu_refused("dp2a.u32.u32 r0, r1, r2, r3;", "expected .lo or .hi");
	ptx_device_free(g.device);
	return done();
}
