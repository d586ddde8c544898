/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_approx.c - the elementary functions of alu_approx.h: an exact or nearly exact reduction to a
 * small interval, then a Taylor series in Horner form whose first omitted term is below 1e-13.
 * There are no tables and no calls of the C library. Equal bits on all machines are more important
 * than speed.
 */
#include "record/ptx/alu/alu_approx.h"

/* ---- sin, cos ---- */

/* 2/pi: the 256 bits after the binary point. */
static const uint64_t two_over_pi[4] = {0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull,
					0xdb6295993c439041ull, 0xfe5163abdebbc561ull};

/* Returns 64 bits of 2/pi from bit pos on, counted from 0 after the point. pos may be negative:
 * zeros come first. */
static uint64_t
pi_bits(int pos)
{
	unsigned word, shift;

	if (pos < 0)
		return pos <= -64 ? 0 : two_over_pi[0] >> -pos;
	word = (unsigned)pos / 64;
	shift = (unsigned)pos % 64;
	return shift == 0 ? two_over_pi[word]
			  : two_over_pi[word] << shift | two_over_pi[word + 1] >> (64 - shift);
}

/* Splits |x| = quarter turns * pi/2 + rest, with the rest in [-pi/4, pi/4]. x is a float m * 2^e
 * with 24 bits of m, so m times 128 bits of 2/pi, from weight 2^(2-e) on (the bits above are whole
 * turns), gives the fraction of a turn to 100 bits. */
static unsigned
reduce_angle(double x, double *rest)
{
	uint64_t u = f64_bits(x), frac;
	int e = (int)(u >> 52 & 0x7ff) - 1023 - 23; /* x = m * 2^e */
	uint64_t m = (u & ((1ull << 52) - 1)) >> 29 | 1u << 23;
	uint64_t hi, lo;
	unsigned q;
	double f;
	bool neg;

	*rest = bits_f64(u & ~(1ull << 63));
	if (*rest < 0.785)
		return 0;
	/* the fraction of x * 2/pi / 4: bits of 2/pi of weights 2^(1-e), 2^-e, ... times m */
	hi = pi_bits(e - 2);
	lo = pi_bits(e + 62);
	frac = m * hi + (m * (lo >> 32) >> 32); /* turns, modulo 1, in 2^-64 */
	q = (unsigned)(frac >> 62);
	frac <<= 2;
	frac |= m * (lo >> 32) >> 30 & 3;
	neg = frac >> 63; /* closer to the next quarter */
	if (neg) {
		q++;
		frac = 0 - frac;
	}
	f = (double)frac * 0x1p-64 * 1.57079632679489661923;
	*rest = neg ? -f : f;
	return q;
}

static double
sin_small(double x)
{
	double y = x * x, p = -1.0 / 1307674368000.0;

	p = p * y + 1.0 / 6227020800.0;
	p = p * y - 1.0 / 39916800.0;
	p = p * y + 1.0 / 362880.0;
	p = p * y - 1.0 / 5040.0;
	p = p * y + 1.0 / 120.0;
	p = p * y - 1.0 / 6.0;
	return x + x * y * p;
}

static double
cos_small(double x)
{
	double y = x * x, p = 1.0 / 20922789888000.0;

	p = p * y - 1.0 / 87178291200.0;
	p = p * y + 1.0 / 479001600.0;
	p = p * y - 1.0 / 3628800.0;
	p = p * y + 1.0 / 40320.0;
	p = p * y - 1.0 / 720.0;
	p = p * y + 1.0 / 24.0;
	p = p * y - 0.5;
	return 1.0 + y * p;
}

double
alu_sin(double x)
{
	double r, s;
	unsigned q;

	if (!alu_is_finite(x) || x == 0.0)
		return alu_is_finite(x) ? x : bits_f64(F64_QNAN);
	q = reduce_angle(x, &r);
	s = q & 1 ? cos_small(r) : sin_small(r);
	return (q >> 1 & 1) != (x < 0.0) ? -s : s;
}

double
alu_cos(double x)
{
	double r, s;
	unsigned q;

	if (!alu_is_finite(x) || x == 0.0)
		return alu_is_finite(x) ? 1.0 : bits_f64(F64_QNAN);
	q = reduce_angle(x, &r);
	s = q & 1 ? sin_small(r) : cos_small(r);
	return ((q + 1) >> 1 & 1) ? -s : s;
}

double
alu_tanh(double x)
{
	double a = x < 0.0 ? -x : x, t;

	if (x != x)
		return x;
	if (a < 0.01) { /* the other formula would cancel digits */
		double y = x * x;

		return x * (1.0 - y * (1.0 / 3.0 - y * (2.0 / 15.0 - y * (17.0 / 315.0))));
	}
	if (a > 30.0) {
		t = 1.0;
	} else {
		t = alu_exp2(a * (2.0 / ALU_LN2));
		t = (t - 1.0) / (t + 1.0);
	}
	return x < 0.0 ? -t : t;
}
