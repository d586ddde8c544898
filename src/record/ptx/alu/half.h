/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * half.h - the 16-bit floats and every rounding, in integer arithmetic, so that all machines
 * compute the same bits.
 *
 * f16 has 1 sign, 5 exponent and 10 fraction bits; bf16 is the upper half of an f32. Widening is
 * exact. A NaN becomes the canonical one: f16 0x7fff, bf16 0x7fff, f32 0x7fffffff, as in the
 * hardware; f64 NaNs keep their payload. RND_NONE means RND_RN everywhere.
 */
#ifndef PTX_HALF_H
#define PTX_HALF_H

#include "record/ptx/decode/prog.h"
#include <string.h>

#define F16_NAN 0x7fffu
#define BF16_NAN 0x7fffu
#define F32_NAN 0x7fffffffu

static inline uint32_t
f32_bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof(u));
	return u;
}

static inline float
bits_f32(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof(f));
	return f;
}

static inline uint64_t
f64_bits(double f)
{
	uint64_t u;

	memcpy(&u, &f, sizeof(u));
	return u;
}

static inline double
bits_f64(uint64_t u)
{
	double f;

	memcpy(&f, &u, sizeof(f));
	return f;
}

/* ---- a binary floating-point format, and rounding of m * 2^exp to it ---- */

struct fp_format {
	uint8_t man; /* stored fraction bits: 10, 7, 23, 52 */
	uint8_t exp; /* exponent bits: 5, 8, 8, 11 */
};

extern const struct fp_format fp_f16, fp_bf16, fp_f32, fp_f64;

/* Encodes (-1)^neg * m * 2^exp with one rounding; rnd is rn, rz, rm or rp. */
uint64_t fp_encode(const struct fp_format *f, bool neg, uint64_t m, int exp, enum prog_round rnd);
/* Rounds x to the format; a NaN becomes the canonical one. */
uint64_t fp_from_double(const struct fp_format *f, double x, enum prog_round rnd);

/* ---- f16 ---- */

/* Exact; a NaN becomes the canonical one of f32. It has no branch, so it vectorizes. */
static inline float
half_to_float(uint16_t h)
{
	uint32_t m = (uint32_t)(h & 0x7fff) << 13;
	uint32_t u = f32_bits(bits_f32(m) * 0x1p112f); /* subnormals become normal */

	u = m >= 0x0f800000u ? 0x7f800000u : u;
	u |= (uint32_t)(h & 0x8000) << 16;
	return bits_f32(m > 0x0f800000u ? F32_NAN : u);
}

/* Rounds to nearest, ties to even. It has no branch, so it vectorizes. */
static inline uint16_t
float_to_half_rn(float f)
{
	uint32_t x = f32_bits(f), sign = x >> 16 & 0x8000u, a = x & 0x7fffffffu;
	/* The ulp of 0.5 is that of the f16 subnormals. */
	uint32_t sub = f32_bits(bits_f32(a) + 0.5f) - 0x3f000000u;
	uint32_t nor = (a + 0xc8000fffu + (a >> 13 & 1)) >> 13;
	uint32_t h = a < 0x38800000u ? sub : nor;

	h = a >= 0x47800000u ? 0x7c00u : h;
	return (uint16_t)(a > 0x7f800000u ? F16_NAN : h | sign);
}

uint16_t float_to_half(float f, enum prog_round rnd);
uint16_t double_to_half(double f, enum prog_round rnd);

/* ---- bf16 ---- */

static inline float
bf16_to_float(uint16_t h)
{
	return bits_f32((h & 0x7fffu) > 0x7f80u ? F32_NAN : (uint32_t)h << 16);
}

static inline uint16_t
float_to_bf16_rn(float f)
{
	uint32_t x = f32_bits(f), r = (x + 0x7fffu + (x >> 16 & 1)) >> 16;

	return (uint16_t)((x & 0x7fffffffu) > 0x7f800000u ? BF16_NAN : r);
}

uint16_t float_to_bf16(float f, enum prog_round rnd);
uint16_t double_to_bf16(double f, enum prog_round rnd);

/* ---- f8 ---- */

/* Widens e4m3, which has 4 bits of exponent with bias 7 and no infinities; exact. e5m2 is the upper
 * half of an f16. */
static inline float
f8_e4m3_to_float(uint32_t x)
{
	float f = bits_f32((x & 0x7f) << 20) * 0x1p120f;

	return bits_f32((x & 0x7f) == 0x7f ? F32_NAN : f32_bits(f) | (x & 0x80) << 24);
}

/* Rounds a double to f32 with any rounding; a NaN becomes canonical. */
float double_to_float(double f, enum prog_round rnd);

#endif
