/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * half.c - rounds to a binary floating-point format, see half.h. The number is an integer times a
 * power of two. The digits that do not fit are cut off; the first of them, and whether the rest is
 * zero, decide whether the result moves away from zero. A carry out of the fraction increments the
 * exponent, as the encoding requires.
 */
#include "record/ptx/alu/half.h"

const struct fp_format fp_f16 = {10, 5};
const struct fp_format fp_bf16 = {7, 8};
const struct fp_format fp_f32 = {23, 8};
const struct fp_format fp_f64 = {52, 11};

/* Whether to round away from zero. half: the first bit cut off; rest: any bit below it. */
static bool
rounds_up(enum prog_round rnd, bool neg, bool odd, bool half, bool rest)
{
	switch (rnd) {
	case RND_RZ:
	case RND_RZI:
		return false;
	case RND_RM:
	case RND_RMI:
		return neg && (half || rest);
	case RND_RP:
	case RND_RPI:
		return !neg && (half || rest);
	case RND_RNA:
		return half;
	default:
		return half && (rest || odd);
	}
}

uint64_t
fp_encode(const struct fp_format *f, bool neg, uint64_t m, int exp, enum prog_round rnd)
{
	int bias = (1 << (f->exp - 1)) - 1, top, cut, e;
	uint64_t sign = (uint64_t)neg << (f->man + f->exp);
	uint64_t inf = (((uint64_t)1 << f->exp) - 1) << f->man, kept;
	bool half, rest;

	if (!m)
		return sign;
	/* The value is in [2^(top+exp), 2^(top+exp+1)). */
	top = 63 - __builtin_clzll(m);
	e = top + exp < 1 - bias ? 1 - bias : top + exp;
	cut = e - f->man - exp; /* number of bits of m below the last one kept */
	if (cut <= 0) {
		kept = m << -cut; /* it fits, because top - cut <= man */
		half = rest = false;
	} else if (cut > 64) {
		kept = 0;
		half = false;
		rest = true;
	} else {
		kept = cut == 64 ? 0 : m >> cut;
		half = m >> (cut - 1) & 1;
		rest = (m & (((uint64_t)1 << (cut - 1)) - 1)) != 0;
	}
	kept += rounds_up(rnd, neg, kept & 1, half, rest);
	/* The leading bit of a normal number is kept at position man, so it adds 1 to e + bias - 1.
	 */
	if (e > bias)
		kept = inf;
	else
		kept += (uint64_t)(e + bias - 1) << f->man;
	if (kept >= inf) /* too large: infinity, or the largest finite number */
		kept = rounds_up(rnd, neg, true, true, true) ? inf : inf - 1;
	return sign | kept;
}

uint64_t
fp_from_double(const struct fp_format *f, double x, enum prog_round rnd)
{
	uint64_t u = f64_bits(x), m = u & 0xfffffffffffffu;
	int e = (int)(u >> 52 & 0x7ff);
	uint64_t all = (((uint64_t)1 << f->exp) - 1) << f->man;

	if (e == 0x7ff && m)
		return all | (((uint64_t)1 << f->man) - 1);
	if (e == 0x7ff)
		return all | (u >> 63) << (f->man + f->exp);
	return fp_encode(f, u >> 63, e ? m | (uint64_t)1 << 52 : m, (e ? e : 1) - 1075, rnd);
}

uint16_t
float_to_half(float f, enum prog_round rnd)
{
	return rnd <= RND_RN ? float_to_half_rn(f) : double_to_half((double)f, rnd);
}

uint16_t
double_to_half(double f, enum prog_round rnd)
{
	return (uint16_t)fp_from_double(&fp_f16, f, rnd);
}

uint16_t
float_to_bf16(float f, enum prog_round rnd)
{
	return rnd <= RND_RN ? float_to_bf16_rn(f) : double_to_bf16((double)f, rnd);
}

uint16_t
double_to_bf16(double f, enum prog_round rnd)
{
	return (uint16_t)fp_from_double(&fp_bf16, f, rnd);
}

float
double_to_float(double f, enum prog_round rnd)
{
	return bits_f32((uint32_t)fp_from_double(&fp_f32, f, rnd));
}
