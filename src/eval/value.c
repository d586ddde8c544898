/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * value.c - values: evaluation into them, copying, comparing, printing.
 *
 * Integers are printed as integers: exactly up to 2^53 (where doubles stop distinguishing
 * neighbours) and as the exact value of the double up to 2^64. Everything else is printed with six
 * significant digits.
 */
#include "eval/eval.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int
expr_eval(const struct expr *x, struct value *out)
{
	const double *r = expr_run(x);
	unsigned n = expr_size(x);

	/* The scratch area serves as a vector to copy from. */
	return value_copy(out, &(struct value){.n = n > 1 ? n : 0, .x = r[0], .v = (double *)r});
}

int
value_copy(struct value *to, const struct value *from)
{
	*to = (struct value){.x = from->n ? 0 : from->x};
	if (!from->n)
		return 0;
	to->v = malloc(from->n * sizeof(*to->v));
	if (!to->v)
		return -1;
	memcpy(to->v, from->v, from->n * sizeof(*to->v));
	to->n = from->n;
	return 0;
}

void
value_free(struct value *v)
{
	free(v->v);
	*v = (struct value){0};
}

static bool
is_same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

bool
value_equal(const struct value *a, const struct value *b)
{
	if (a->n != b->n)
		return false;
	for (unsigned i = 0; i < a->n; i++)
		if (!is_same_number(a->v[i], b->v[i]))
			return false;
	return a->n || is_same_number(a->x, b->x);
}

static void
format_binary(uint64_t bits, bool neg, char *buf, size_t size)
{
	char digits[65];
	unsigned at = 64;

	digits[at] = '\0';
	do {
		digits[--at] = '0' + (char)(bits & 1);
		bits >>= 1;
	} while (bits);
	snprintf(buf, size, "%s0b%s", neg ? "-" : "", digits + at);
}

/* The fewest digits that read back as the same double. */
static void
format_full(double v, char *buf, size_t size)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, size, "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			return;
	}
}

static void
format_one(double v, char fmt, char *buf, size_t size)
{
	double size_of_v = fabs(v);
	bool integer = trunc(v) == v && size_of_v < 0x1p64;

	if (isnan(v))
		snprintf(buf, size, "unknown");
	else if (fmt == '%')
		snprintf(buf, size, "%.1f%%", v * 100);
	else if (fmt == 'd' && size_of_v < 0x1p64)
		snprintf(buf, size, "%.0f", round(v) + 0.0);
	else if (fmt == 'x' && integer)
		snprintf(buf, size, "%s0x%" PRIx64, v < 0 ? "-" : "", (uint64_t)size_of_v);
	else if (fmt == 't' && integer)
		format_binary((uint64_t)size_of_v, v < 0, buf, size);
	else if (integer)
		snprintf(buf, size, "%.0f", v + 0.0); /* + 0.0: no "-0" */
	else if (fmt == 'f')
		format_full(v, buf, size);
	else
		snprintf(buf, size, "%.6g", v);
}

void
value_format(const struct value *v, char fmt, char *buf, size_t n)
{
	static const char rest[] = ", ...}";
	char one[400]; /* '%' prints numbers of up to 308 digits in full */
	size_t used = 0;

	if (!n)
		return;
	if (!v->n) {
		format_one(v->x, fmt, one, sizeof(one));
		snprintf(buf, n, "%s", one);
		if (strlen(one) >= n && n > 3)
			strcpy(buf + n - 4, "...");
		return;
	}
	snprintf(buf, n, "{...}");
	for (unsigned i = 0; i < v->n; i++) {
		size_t len;

		format_one(v->v[i], fmt, one, sizeof(one));
		len = strlen(one) + (i ? 2 : 1);
		if (used + len + sizeof(rest) > n) {
			if (i)
				strcpy(buf + used, rest);
			return;
		}
		used += (size_t)sprintf(buf + used, "%s%s", i ? ", " : "{", one);
	}
	strcpy(buf + used, "}");
}
