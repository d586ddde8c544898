/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_approx.h - elementary functions in double precision that use only additions, multiplications
 * and divisions, so that they compute the same bits on every machine, unlike the C library's. Their
 * relative error is below 1e-12, far below what PTX allows for any .approx; rounded to f32 they are
 * nearly always the nearest value.
 */
#ifndef PTX_ALU_APPROX_H
#define PTX_ALU_APPROX_H

#include "record/ptx/alu/half.h"

#define F64_QNAN 0x7ff8000000000000ull

double alu_sin(double x); /* x: a float; NaN for infinities */
double alu_cos(double x);
double alu_tanh(double x);

/* Adds x + y rounded to odd: an inexact result gets an odd last bit. Rounding it again, to a format
 * with at least two digits fewer, is then the same as rounding the exact sum. Vectorizes. */
static inline double
alu_add_odd(double x, double y)
{
	double s = x + y, t = s - x, low = (x - (s - t)) + (y - t);
	uint64_t u = f64_bits(s);
	uint64_t even = ~u & 1, away = (f64_bits(low) ^ u) >> 63; /* the exact sum is nearer to 0 */

	even &= (uint64_t)(low > 0.0) | (uint64_t)(low < 0.0);
	return bits_f64(u + even - (away & even) * 2);
}

static inline bool
alu_is_finite(double x)
{
	return (f64_bits(x) >> 52 & 0x7ff) != 0x7ff;
}

/* c ? a : b without a branch. */
static inline double
alu_pick(bool c, double a, double b)
{
	uint64_t on = 0u - (uint64_t)c;

	return bits_f64((f64_bits(a) & on) | (f64_bits(b) & ~on));
}

#define ALU_LN2 0.693147180559945309417

/* Computes 2^x as 2^n * e^(f ln 2), f in [-1/2, 1/2]. Outside of [-1000, 1000] the result is 0 or
 * infinite as an f32. It has no branch, so it vectorizes. */
static inline double
alu_exp2(double given)
{
	double x = alu_pick((given <= 1000.0) & (given >= -1000.0), given, 0.0), n, f,
	       p = 1.0 / 479001600.0;

	n = (double)(int)(x + alu_pick(x < 0.0, -0.5, 0.5));
	f = (x - n) * ALU_LN2;
	p = p * f + 1.0 / 39916800.0;
	p = p * f + 1.0 / 3628800.0;
	p = p * f + 1.0 / 362880.0;
	p = p * f + 1.0 / 40320.0;
	p = p * f + 1.0 / 5040.0;
	p = p * f + 1.0 / 720.0;
	p = p * f + 1.0 / 120.0;
	p = p * f + 1.0 / 24.0;
	p = p * f + 1.0 / 6.0;
	p = p * f + 0.5;
	p = p * f + 1.0;
	p = p * f + 1.0;
	p *= bits_f64((uint64_t)((int)n + 1023) << 52);
	p = alu_pick(given > 1000.0, bits_f64(0x7ff0000000000000ull), p);
	p = alu_pick(given < -1000.0, 0.0, p);
	return alu_pick(given != given, given, p);
}

/* Computes log2(m * 2^e) as e + 2/ln2 * artanh((m - 1)/(m + 1)), m in [sqrt(1/2), sqrt(2)]. x is a
 * normal double, 0, infinite or a NaN. It has no branch either. */
static inline double
alu_log2(double x)
{
	uint64_t u = f64_bits(x);
	double m = bits_f64((u & ((1ull << 52) - 1)) | 0x3ff0000000000000ull);
	int big = m > 1.41421356237309504880, e = (int)(u >> 52) - 1023 + big;
	double s, y, p = 1.0 / 19.0;

	m *= alu_pick(big, 0.5, 1.0);
	s = (m - 1.0) / (m + 1.0);
	y = s * s;
	p = p * y + 1.0 / 17.0;
	p = p * y + 1.0 / 15.0;
	p = p * y + 1.0 / 13.0;
	p = p * y + 1.0 / 11.0;
	p = p * y + 1.0 / 9.0;
	p = p * y + 1.0 / 7.0;
	p = p * y + 1.0 / 5.0;
	p = p * y + 1.0 / 3.0;
	p = p * y + 1.0;
	p = (double)e + s * p * (2.0 / ALU_LN2);
	p = alu_pick(x == 0.0, -bits_f64(0x7ff0000000000000ull), p);
	p = alu_pick(u == 0x7ff0000000000000ull, x, p);
	return alu_pick(x >= 0.0, p, bits_f64(F64_QNAN));
}

#endif
