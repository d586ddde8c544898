/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * human.c - numbers as people read them: thousands get separators, an unknown value is "-".
 */
#include "base/human.h"
#include "ctascope/base.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Puts commas between the digits before the point of a plain number. */
static const char *
separate_thousands(char buf[HUMAN], const char *plain)
{
	size_t sign = *plain == '-', n = strspn(plain + sign, "0123456789"), o = 0;

	for (size_t i = 0; plain[i] && o + 2 < HUMAN; i++) {
		if (i > sign && i < n + sign && (n + sign - i) % 3 == 0)
			buf[o++] = ',';
		buf[o++] = plain[i];
	}
	buf[o] = '\0';
	return buf;
}

const char *
human(char buf[HUMAN], uint64_t v)
{
	char plain[24];

	snprintf(plain, sizeof(plain), "%" PRIu64, v);
	return separate_thousands(buf, plain);
}

const char *
human_cycle(char buf[HUMAN], uint64_t v)
{
	if (v != CYCLE_NEVER)
		return human(buf, v);
	snprintf(buf, HUMAN, "-");
	return buf;
}

/* Returns the decimals of a number of that size that is not a whole number. */
static int
decimals_of_size(double size)
{
	if (size < 0.1)
		return 2 - (int)floor(log10(size)); /* three digits */
	return size < 10 ? 3 : size < 1000 ? 2 : size < 1e9 ? 1 : 0;
}

const char *
human_num(char buf[HUMAN], double v)
{
	char plain[32];

	if (!isfinite(v))
		snprintf(plain, sizeof(plain), "-");
	else if (fabs(v) >= 1e15)
		snprintf(plain, sizeof(plain), "%.6g", v);
	else if (v == floor(v))
		snprintf(plain, sizeof(plain), "%.0f", v);
	else if (fabs(v) < 0.1)
		snprintf(plain, sizeof(plain), "%.3g", v);
	else
		snprintf(plain, sizeof(plain), "%.*f", decimals_of_size(fabs(v)), v);
	return separate_thousands(buf, plain);
}

/* The smaller number decides on the decimals, but the larger one gets at most two more than alone.
 * If both are tiny, they have an exponent. */
void
human_pair(char a[HUMAN], char b[HUMAN], double va, double vb)
{
	double most = fmax(fabs(va), fabs(vb)), least = fmin(fabs(va), fabs(vb));
	int decimals;

	human_num(a, va);
	human_num(b, vb);
	if (!isfinite(va) || !isfinite(vb) || most >= 1e15 || (va == floor(va) && vb == floor(vb)))
		return;
	if (most < 1e-4) {
		snprintf(a, HUMAN, va == 0 ? "0" : "%.2e", va);
		snprintf(b, HUMAN, vb == 0 ? "0" : "%.2e", vb);
		return;
	}
	decimals = decimals_of_size(most);
	if (least > 0 && least != floor(least))
		decimals = MIN(decimals_of_size(least), decimals + 2);
	human_fixed(a, va, (unsigned)decimals);
	human_fixed(b, vb, (unsigned)decimals);
}

const char *
human_fixed(char buf[HUMAN], double v, unsigned decimals)
{
	char plain[HUMAN] = "-";

	if (isfinite(v) && fabs(v) < 1e15)
		snprintf(plain, sizeof(plain), "%.*f", (int)decimals, v);
	return separate_thousands(buf, plain);
}

const char *
human_change(char buf[HUMAN], double percent, int decimals)
{
	double size = fabs(percent);

	if (!isfinite(percent))
		snprintf(buf, HUMAN, "-");
	else if (percent == 0)
		snprintf(buf, HUMAN, "%.*f %%", decimals, 0.0);
	else if (size >= 9999.5)
		snprintf(buf, HUMAN, "%+.3g %%", percent);
	else if (size >= 0.5 * pow(10, -decimals))
		snprintf(buf, HUMAN, "%+.*f %%", decimals, percent);
	else if (size >= 0.005)
		snprintf(buf, HUMAN, "%+.2f %%", percent);
	else
		snprintf(buf, HUMAN, "%s", percent > 0 ? "<+0.01 %" : ">-0.01 %");
	return buf;
}

const char *
human_ratio(char buf[HUMAN], double v)
{
	snprintf(buf, HUMAN, isfinite(v) ? "%.3f" : "-", v);
	return buf;
}
