/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * digits.c - numbers as decimal text (digits.h).
 *
 * The shortest decimal that reads back as v is found in whole numbers. A double is m * 2^-s; for v
 * from 1e-4 to 1e15 and a power of ten that gives m * 10^k * 2^-s seventeen digits before the
 * point, m * 10^k fits into 128 bits, so nothing is rounded. What reads back as v lies within half
 * a unit of m of it, which is 0.5 to 12 of the seventeenth digit. Hence there is at most one such
 * number that ends in 00, and it is the only one that can be shorter still.
 *
 * Powers of two have a smaller neighbour at half the distance; within these limits they have fewer
 * than fifteen digits and are met exactly. Everything beyond goes through printf.
 */
#include "base/digits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

#define WHOLE_MAX 1e15

static const uint64_t ten[] = {UINT64_C(1),
			       UINT64_C(10),
			       UINT64_C(100),
			       UINT64_C(1000),
			       UINT64_C(10000),
			       UINT64_C(100000),
			       UINT64_C(1000000),
			       UINT64_C(10000000),
			       UINT64_C(100000000),
			       UINT64_C(1000000000),
			       UINT64_C(10000000000),
			       UINT64_C(100000000000),
			       UINT64_C(1000000000000),
			       UINT64_C(10000000000000),
			       UINT64_C(100000000000000),
			       UINT64_C(1000000000000000),
			       UINT64_C(10000000000000000),
			       UINT64_C(100000000000000000),
			       UINT64_C(1000000000000000000),
			       UINT64_C(10000000000000000000)};

static unsigned
count_digits(uint64_t v)
{
	/* 1233 / 4096 is just above the logarithm of 2 */
	unsigned n = (unsigned)(64 - __builtin_clzll(v | 1)) * 1233 >> 12;

	return n + (v >= ten[n]) + (v == 0);
}

/* Exactly n digits, zeros in front. */
static void
put_digits(char *to, uint64_t v, unsigned n)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	for (; n >= 2; v /= 100)
		memcpy(to + (n -= 2), pairs + v % 100 * 2, 2);
	if (n)
		*to = (char)('0' + v % 10);
}

char *
digits_u64(char *to, uint64_t v)
{
	unsigned n;

	if (v < 10) {
		*to = (char)('0' + v);
		return to + 1;
	}
	n = count_digits(v);
	put_digits(to, v, n);
	return to + n;
}

char *
digits_i64(char *to, int64_t v)
{
	if (v < 0)
		*to++ = '-';
	return digits_u64(to, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

/* v = q + r / 2^s, half an interval to either side; ends_in: does the interval have its ends? */
struct scaled {
	uint64_t q;
	u128 r, half;
	unsigned s;
	bool ends_in;
};

/* Rounds to a multiple of unit, the even one of two as near, as printf does; *to: how many units.
 * Does that read back as v? */
static bool
round_to(const struct scaled *d, uint64_t unit, uint64_t *to)
{
	u128 down = (u128)(d->q % unit) << d->s | d->r, up = ((u128)unit << d->s) - down, by;

	*to = d->q / unit;
	if (up < down || (up == down && *to % 2))
		++*to;
	by = MIN(up, down);
	return by < d->half || (by == d->half && d->ends_in);
}

/* c * 10^-k with 0 < k < 21. */
static char *
put_point(char *to, uint64_t c, unsigned k)
{
	unsigned n = count_digits(c);

	if (n <= k) {
		memcpy(to, "0.00000000000000000000", 2 + k - n);
		put_digits(to + 2 + k - n, c, n);
		return to + 2 + k;
	}
	put_digits(to, c / ten[k], n - k);
	to[n - k] = '.';
	put_digits(to + n - k + 1, c % ten[k], k);
	return to + n + 1;
}

/* v from 1e-4 to below 1e15, and not whole. */
static char *
put_fraction(char *to, double v)
{
	static const double power[] = {1e-4, 1e-3, 1e-2, 1e-1, 1e0,  1e1,  1e2,	 1e3,  1e4,  1e5,
				       1e6,  1e7,  1e8,	 1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	struct scaled d;
	uint64_t bits, m, c;
	unsigned exponent, k;
	int tens; /* power[tens + 4] <= v < power[tens + 5] */
	u128 scale, n;

	memcpy(&bits, &v, sizeof(bits));
	exponent = (unsigned)(bits >> 52) & 0x7ff;
	m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	tens = MAX((int)((exponent - 1) * 1233 >> 12) - 308, -4);
	while (tens > -4 && v < power[tens + 4])
		tens--;
	while (v >= power[tens + 5])
		tens++;
	k = (unsigned)(16 - tens);
	scale = k < ARRAY_LEN(ten) ? (u128)ten[k] : (u128)ten[19] * 10;
	n = m * scale;
	d.s = 1075 - exponent;
	d.q = (uint64_t)(n >> d.s);
	d.r = n & (((u128)1 << d.s) - 1);
	d.half = scale / 2;
	d.ends_in = m % 2 == 0;
	if (round_to(&d, 100, &c)) {
		for (k -= 2; c % 10000 == 0; c /= 10000)
			k -= 4;
		for (; c % 10 == 0; c /= 10)
			k--;
	} else if (round_to(&d, 10, &c)) {
		k--;
	} else {
		round_to(&d, 1, &c);
	}
	return put_point(to, c, k);
}

char *
digits_double(char *to, double v)
{
	double size = fabs(v);

	if (size < WHOLE_MAX && (double)(int64_t)size == size) {
		if (signbit(v))
			*to++ = '-';
		return digits_u64(to, (uint64_t)size);
	}
	if (size >= 1e-4 && size < WHOLE_MAX) {
		if (v < 0)
			*to++ = '-';
		return put_fraction(to, size);
	}
	for (int digits = 6;; digits++) {
		int n = snprintf(to, DIGITS_MAX, "%.*g", digits, v);

		if (digits == 17 || strtod(to, NULL) == v)
			return to + n;
	}
}
