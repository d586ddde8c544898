/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * number.c - the numbers a user types.
 *
 * A decimal number is kept as digits and a power of ten until the very end, so that "1.001k" is
 * 1001 and not 1000.9999, and 64-bit values keep every digit. Suffixes k (or K), M and G stand for
 * powers of 1000, or of 1024 where the caller counts bytes. Left out: hexadecimal fractions and
 * infinities. The process must keep the numeric locale "C", as strtod is used for
 * the last step.
 */
#include "base/ascii.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NUMBER 63	 /* characters; longer texts are not numbers anybody meant */
#define MAX_EXPONENT 999 /* beyond the reach of a double already */

static bool
mul_add(uint64_t *v, unsigned by, unsigned plus)
{
	return !__builtin_mul_overflow(*v, (uint64_t)by, v) &&
	       !__builtin_add_overflow(*v, (uint64_t)plus, v);
}

/* How many times kilo the suffix at *s means; 0 and *s untouched when there is none. */
static unsigned
scan_suffix(const char **s)
{
	switch (**s) {
	case 'k':
	case 'K':
		(*s)++;
		return 1;
	case 'M':
		(*s)++;
		return 2;
	case 'G':
		(*s)++;
		return 3;
	default:
		return 0;
	}
}

static int
parse_hex(const char *s, unsigned kilo, struct number *out)
{
	unsigned powers;
	bool fits = true;

	if (!ascii_is_hex(*s))
		return -1;
	for (; ascii_is_hex(*s); s++) {
		unsigned digit = *s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10;

		fits = fits && mul_add(&out->mag, 16, digit);
		out->f = out->f * 16 + digit;
	}
	for (powers = scan_suffix(&s); powers; powers--) {
		fits = fits && mul_add(&out->mag, kilo, 0);
		out->f *= kilo;
	}
	out->whole = fits;
	return *s ? -1 : 0;
}

/* Digits with an optional point; *tens counts the digits after it, downwards from 0. */
static int
scan_digits(const char **s, uint64_t *mag, int *tens, bool *fits)
{
	bool any = false, point = false;

	for (;; (*s)++) {
		if (**s == '.' && !point) {
			point = true;
		} else if (ascii_is_digit(**s)) {
			any = true;
			*fits = *fits && mul_add(mag, 10, **s - '0');
			*tens -= point;
		} else {
			return any ? 0 : -1;
		}
	}
}

static int
scan_exponent(const char **s, int *tens)
{
	bool neg = false;
	int e = 0;

	if (**s != 'e' && **s != 'E')
		return 0;
	(*s)++;
	if (**s == '+' || **s == '-')
		neg = *(*s)++ == '-';
	if (!ascii_is_digit(**s))
		return -1;
	for (; ascii_is_digit(**s); (*s)++)
		e = MIN(e * 10 + (**s - '0'), MAX_EXPONENT);
	*tens += neg ? -e : e;
	return 0;
}

static int
parse_decimal(const char *s, unsigned kilo, struct number *out)
{
	const char *start = s, *mantissa_end;
	char buf[2 * MAX_NUMBER];
	unsigned powers;
	bool fits = true;
	int tens = 0, exponent = 0;

	if (scan_digits(&s, &out->mag, &tens, &fits))
		return -1;
	mantissa_end = s;
	if (scan_exponent(&s, &exponent))
		return -1;
	powers = scan_suffix(&s);
	if (*s)
		return -1;
	if (kilo == 1000) {
		exponent += 3 * (int)powers;
		powers = 0;
	}
	snprintf(buf, sizeof(buf), "%.*se%d", (int)(mantissa_end - start), start, exponent);
	out->f = strtod(buf, NULL);
	for (; powers; powers--) {
		fits = fits && mul_add(&out->mag, kilo, 0);
		out->f *= kilo;
	}
	for (tens += exponent; fits && tens > 0 && out->mag; tens--)
		fits = mul_add(&out->mag, 10, 0);
	for (; fits && tens < 0 && out->mag % 10 == 0 && out->mag; tens++)
		out->mag /= 10;
	out->whole = fits && (tens == 0 || out->mag == 0);
	return 0;
}

/* Copies text without the digit separators; -1 when it is too long for a number. */
static int
remove_separators(const char *text, const char *marks, char clean[MAX_NUMBER + 1])
{
	size_t n = 0;

	for (; *text && n < MAX_NUMBER; text++)
		if (n == 0 || !strchr(marks, *text))
			clean[n++] = *text;
	clean[n] = '\0';
	return *text ? -1 : 0;
}

int
number_parse(const char *text, unsigned kilo, struct number *out)
{
	char clean[MAX_NUMBER + 1], *s = clean;
	int rc;

	*out = (struct number){0};
	if (remove_separators(text, "_", clean))
		return -1;
	if (*s == '+' || *s == '-')
		out->neg = *s++ == '-';
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		rc = parse_hex(s + 2, kilo, out);
	else
		rc = parse_decimal(s, kilo, out);
	if (out->neg)
		out->f = -out->f;
	return rc;
}

bool
number_commas_fit(const char *word)
{
	size_t before = strspn(word, "0123456789");

	if (word[before] != ',')
		return true;
	for (word += before; before <= 3 && *word == ','; word += 1 + before) {
		before = strspn(word + 1, "0123456789");
		if (before != 3)
			return false;
	}
	return before <= 3;
}

int
number_count(const char *word, uint64_t *out)
{
	char clean[MAX_NUMBER + 1];
	struct number v;

	if (!ascii_is_digit(*word) || !number_commas_fit(word) ||
	    remove_separators(word, ",_", clean) || number_parse(clean, 1000, &v) || !v.whole)
		return -1;
	*out = v.mag;
	return 0;
}

const char *
number_count_fault(const char *word)
{
	char clean[MAX_NUMBER + 1];
	struct number v;

	if (remove_separators(word, ",_", clean) || number_parse(clean, 1000, &v))
		return NULL;
	if (v.neg)
		return "is negative";
	if (v.whole)
		return NULL;
	return v.f >= 0x1p64 ? "is too large, at most 18,446,744,073,709,551,615"
			     : "is not a whole number";
}

int
number_range(const char *word, uint64_t *from, uint64_t *to)
{
	const char *dots = strstr(word, "..");
	uint64_t a = *from, b = *to;
	char text[40];
	size_t n = dots ? (size_t)(dots - word) : 0;

	if (!dots || n >= sizeof(text))
		return -1;
	memcpy(text, word, n);
	text[n] = '\0';
	if ((n && number_count(text, &a)) || (dots[2] && number_count(dots + 2, &b)))
		return -1;
	if (a > b)
		return -2;
	*from = a;
	*to = b;
	return 0;
}

void
number_format(double v, char *buf, size_t size)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, size, "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			return;
	}
}
