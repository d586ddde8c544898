/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_approx.h - elementary functions in double precision, by additions, multiplications and
 * divisions alone: the same bits on every machine, as the C library's are not. Good to a relative
 * error below 1e-12, far below what PTX allows of any .approx; rounded to f32 they are nearly
 * always the nearest.
 */
#ifndef PTX_ALU_APPROX_H
#define PTX_ALU_APPROX_H

#include "record/ptx/alu/half.h"

#define F64_QNAN 0x7ff8000000000000ull

double alu_sin(double x); /* x: a float; NaN for infinities */
double alu_cos(double x);
double alu_log2(double x);
double alu_exp2(double x);
double alu_tanh(double x);

/* x + y rounded to odd: what is inexact gets an odd last bit, so that rounding it once more, to a
 * format of fewer digits by two, is rounding the exact sum. Vectorizes. */
static inline double
alu_add_odd(double x, double y)
{
	double s = x + y, t = s - x, low = (x - (s - t)) + (y - t);
	uint64_t u = f64_bits(s);
	uint64_t even = ~u & 1, away = (f64_bits(low) ^ u) >> 63; /* the exact sum is nearer to 0 */

	even &= (uint64_t)(low > 0.0) | (uint64_t)(low < 0.0);
	return bits_f64(u + even - (away & even) * 2);
}

#endif
