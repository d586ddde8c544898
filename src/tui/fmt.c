/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmt.c - formats numbers for people. The output does not depend on the locale, so that tests can
 * compare screens. */
#include "tui/fmt.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Copies digits with a comma before every third from the right. */
static void
copy_grouped(char *to, const char *digits, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
}

const char *
fmt_u64(char buf[FMT_MAX], uint64_t v)
{
	char d[24];
	int n = snprintf(d, sizeof(d), "%" PRIu64, v);

	copy_grouped(buf, d, (size_t)n);
	return buf;
}

const char *
fmt_i64(char buf[FMT_MAX], int64_t v)
{
	char d[24];
	uint64_t size = v < 0 ? -(uint64_t)v : (uint64_t)v;
	int n = snprintf(d, sizeof(d), "%" PRIu64, size);

	buf[0] = '-';
	copy_grouped(buf + (v < 0), d, (size_t)n);
	return buf;
}

const char *
fmt_num(char buf[FMT_MAX], double v, unsigned decimals)
{
	char d[64], *dot;
	size_t n;

	if (!isfinite(v) || fabs(v) >= 1e15) {
		strcpy(buf, isnan(v) ? "-" : "big");
		return buf;
	}
	snprintf(d, sizeof(d), "%.*f", (int)MIN(decimals, 6u), fabs(v));
	dot = strchr(d, '.');
	n = dot ? (size_t)(dot - d) : strlen(d);
	char *p = buf;
	if (v < 0 && strpbrk(d, "123456789"))
		*p++ = '-';
	copy_grouped(p, d, n);
	if (dot)
		strcat(p, dot);
	return buf;
}

const char *
fmt_short(char buf[FMT_MAX], uint64_t v)
{
	static const struct {
		uint64_t unit;
		char suffix;
	} scale[] = {{UINT64_C(1000000000000), 'T'},
		     {UINT64_C(1000000000), 'G'},
		     {UINT64_C(1000000), 'M'},
		     {UINT64_C(1000), 'k'}};

	for (size_t i = 0; i < ARRAY_LEN(scale); i++) {
		if (v < scale[i].unit)
			continue;
		double x = (double)v / (double)scale[i].unit;
		char t[FMT_MAX];
		snprintf(t, sizeof(t), x < 100 ? "%.2f" : "%.1f", x);
		size_t n = strlen(t);
		while (t[n - 1] == '0')
			n--;
		if (t[n - 1] == '.')
			n--;
		snprintf(buf, FMT_MAX, "%.*s%c", (int)n, t, scale[i].suffix);
		return buf;
	}
	snprintf(buf, FMT_MAX, "%" PRIu64, v);
	return buf;
}
