/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_div.c - computes div and rem of 32 and 64 bits with doubles because processors have no
 * integer vector division.
 *
 * A non-integer quotient of numbers below 2^52 is at least 1/b below the next integer. This is more
 * than the rounding error of a double, so the quotient does not round up to that integer, and
 * truncating it is correct. If any lane has a larger number, all lanes of the warp are divided one
 * by one. alu_int.c handles division by zero, and of the most negative number by -1.
 */
#include "record/ptx/alu/alu.h"

#define ONE_STEP 0x1p52 /* doubles from here to twice that are all integers */
#define ONE_STEP_BITS 0x4330000000000000ull

static inline double
to_double(uint64_t x)
{
	return bits_f64(x | ONE_STEP_BITS) - ONE_STEP;
}

/* Computes a / b for numbers below 2^52; the result for b = 0 is arbitrary. */
static inline uint64_t
small_quotient(uint64_t a, uint64_t b)
{
	double q = to_double(a) / to_double(b), near = q + ONE_STEP;

	return f64_bits(near) - ONE_STEP_BITS - (near - ONE_STEP > q);
}

/* Returns x, or -x if sign is all ones. */
#define FLIP(x, sign) (((x) ^ (sign)) - (sign))

/* All ones for a negative number if the operation is signed. */
#define SIGN(x, bits, s) ((s) ? 0u - ((x) >> ((bits)-1)) : 0)

#define SMALL_LOOP(bits, s, rem)                                                          \
	ALU_APART                                                                         \
	ALU_LOOP(l)                                                                       \
	{                                                                                 \
		const ALU_T(bits) a = pa[l], b = pb[l], na = SIGN(a, bits, s),            \
				  nb = SIGN(b, bits, s);                                  \
		ALU_T(bits) q = (ALU_T(bits))small_quotient(FLIP(a, na), FLIP(b, nb));    \
		q = FLIP(q, na ^ nb);                                                     \
		to[l] = ((rem) ? a - q * b : q) | (ALU_T(bits))(b ? 0 : ~(ALU_T(bits))0); \
	}

#define DIV_FN32(name, s, rem)                                                  \
	ALU_FN(name)                                                            \
	{                                                                       \
		ALU_SRC(uint32_t, pa, 0);                                       \
		ALU_SRC(uint32_t, pb, 1);                                       \
		uint32_t r[WARP_SIZE], *to = alu_to_32(w, in->dst[0], r, mask); \
		SMALL_LOOP(32, s, rem)                                          \
		return alu_done_32(w, in->dst[0], to, r, mask);                 \
	}

DIV_FN32(div_u32, false, false)
DIV_FN32(div_s32, true, false)
DIV_FN32(rem_u32, false, true)
DIV_FN32(rem_s32, true, true)

static uint64_t
divide_large(uint64_t a, uint64_t b, bool s, bool rem)
{
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	if (b == 0)
		return ~0ull;
	if (!s)
		return rem ? a % b : a / b;
	if (sb == -1)
		return rem ? 0 : 0 - a;
	return (uint64_t)(rem ? sa % sb : sa / sb);
}

#define DIV_FN64(name, s, rem)                                                                     \
	ALU_FN(name)                                                                               \
	{                                                                                          \
		ALU_SRC(uint64_t, pa, 0);                                                          \
		ALU_SRC(uint64_t, pb, 1);                                                          \
		uint64_t r[WARP_SIZE], *to = alu_to_64(w, in->dst[0], r, mask), some = 0;          \
		ALU_LOOP(l)                                                                        \
		{                                                                                  \
			some |= FLIP(pa[l], SIGN(pa[l], 64, s)) | FLIP(pb[l], SIGN(pb[l], 64, s)); \
		}                                                                                  \
		if (some >> 52) {                                                                  \
			ALU_LOOP(l)                                                                \
			{                                                                          \
				to[l] = divide_large(pa[l], pb[l], s, rem);                        \
			}                                                                          \
		} else {                                                                           \
			SMALL_LOOP(64, s, rem)                                                     \
		}                                                                                  \
		return alu_done_64(w, in->dst[0], to, r, mask);                                    \
	}

DIV_FN64(div_u64, false, false)
DIV_FN64(div_s64, true, false)
DIV_FN64(rem_u64, false, true)
DIV_FN64(rem_s64, true, true)
