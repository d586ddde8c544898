/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digits.c - numbers formatted without printf are identical to printf's output. */
#include "base/digits.h"

#include "tests/tap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static unsigned wrong;

/* The definition: whole numbers in full, otherwise the shortest precision that reads back equal. */
static void
by_printf(double v, char *buf, size_t size)
{
	if (v == floor(v) && fabs(v) < 1e15) {
		snprintf(buf, size, "%.0f", v);
		return;
	}
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(buf, size, "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			break;
	}
}

static void
check(double v)
{
	char ours[DIGITS_MAX + 1], printf_s[64];

	for (int sign = 0; sign < 2; sign++, v = -v) {
		*digits_double(ours, v) = '\0';
		by_printf(v, printf_s, sizeof(printf_s));
		if (strcmp(ours, printf_s) != 0 && wrong++ < 10)
			diag("%a: %s, expected %s", v, ours, printf_s);
	}
}

static void
check_whole(uint64_t v)
{
	char ours[DIGITS_MAX + 1], printf_s[64];

	*digits_u64(ours, v) = '\0';
	snprintf(printf_s, sizeof(printf_s), "%" PRIu64, v);
	wrong += strcmp(ours, printf_s) != 0;
	*digits_i64(ours, (int64_t)v) = '\0';
	snprintf(printf_s, sizeof(printf_s), "%" PRId64, (int64_t)v);
	wrong += strcmp(ours, printf_s) != 0;
}

static uint64_t
next(uint64_t *state) /* xorshift */
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

static void
whole_numbers(uint64_t *state)
{
	uint64_t v = 1;

	wrong = 0;
	check_whole(0);
	check_whole(UINT64_MAX);
	for (unsigned i = 0; i < 20; i++, v *= 10)
		for (unsigned d = 0; d < 3; d++)
			check_whole(v - 1 + d);
	for (unsigned i = 0; i < 64; i++)
		for (unsigned d = 0; d < 3; d++)
			check_whole((UINT64_C(1) << i) - 1 + d);
	for (unsigned i = 0; i < 100000; i++)
		check_whole(next(state) >> (next(state) & 63));
	is_u64(wrong, 0, "whole numbers");
}

/* Numbers at which the digits, or the distance to the next double, change. */
static void
edges(void)
{
	static const double some[] = {0,
				      0.1,
				      0.3,
				      2.0 / 3,
				      123456.5,
				      1e15,
				      1e16,
				      999999.9999999999,
				      5e-324,
				      2.2250738585072014e-308,
				      1e23,
				      9007199254740993.0,
				      4503599627370497.5,
				      1e308};
	double v;

	wrong = 0;
	for (unsigned i = 0; i < ARRAY_LEN(some); i++)
		check(some[i]);
	for (int e = -30; e <= 30; e++) {
		v = pow(10, e);
		check(v);
		check(nextafter(v, 0));
		check(nextafter(v, INFINITY));
	}
	for (int e = -1074; e < 1024; e++) {
		v = ldexp(1, e);
		check(v);
		check(nextafter(v, 0));
		check(nextafter(v, INFINITY));
	}
	is_u64(wrong, 0, "powers of ten and two and their neighbours");
}

static void
fractions(uint64_t *state)
{
	unsigned n = tap_is_fast() ? 10000 : 100000;

	wrong = 0;
	for (unsigned i = 0; i < n; i++) {
		double a = (double)(next(state) % 100000), b = (double)(1 + next(state) % 100000);

		check(a / b);
		check((double)((float)a / (float)b));
		check(a / 1000); /* ends early */
	}
	is_u64(wrong, 0, "ratios, of doubles and of floats");
	wrong = 0;
	for (unsigned i = 0; i < n; i++) {
		/* any mantissa, exponents of 2^-16 to 2^52 */
		uint64_t bits = next(state) >> 12 | (1007 + next(state) % 68) << 52;
		double v;

		memcpy(&v, &bits, sizeof(v));
		check(v);
	}
	is_u64(wrong, 0, "any bits");
}

int
main(void)
{
	uint64_t state = 88172645463325252u;

	whole_numbers(&state);
	edges();
	fractions(&state);
	return done();
}
