/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale.c - ticks of an axis, and number formats for axes. */
#include "plot/plot_part.h"

#include <inttypes.h>
#include <math.h>

double
scale_step(double lo, double hi, unsigned most)
{
	double raw = (hi - lo) / (most ? most : 1), unit;

	if (!(raw > 0))
		return 1;
	unit = pow(10, floor(log10(raw)));
	return unit * (raw <= unit * 1.0000001	     ? 1
		       : raw <= 2 * unit * 1.0000001 ? 2
		       : raw <= 5 * unit * 1.0000001 ? 5
						     : 10);
}

void
scale_round(double *lo, double *hi)
{
	double step;

	if (!(*hi > *lo))
		*hi = *lo + 1;
	step = scale_step(*lo, *hi, 5);
	*lo = floor(*lo / step + 1e-9) * step;
	*hi = ceil(*hi / step - 1e-9) * step;
}

/* The number of decimals of the step. */
static int
count_decimals(double step)
{
	int n = 0;

	while (n < 6 && fabs(step - round(step)) > 1e-6 * step) {
		step *= 10;
		n++;
	}
	return n;
}

void
scale_text(char buf[TICK_TEXT], double v, double step, double top)
{
	static const struct {
		double unit, top, step; /* used from these values on */
		const char *suffix;
	} units[] = {{1e9, 1e9, 5e7, "G"}, {1e6, 1e6, 5e4, "M"}, {1e3, 1e4, 10, "k"}};

	if (fabs(v) < step * 1e-6) {
		snprintf(buf, TICK_TEXT, "0");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if ((fabs(top) >= units[i].top && step >= units[i].step) || step >= units[i].unit) {
			snprintf(buf, TICK_TEXT, "%.*f%s", count_decimals(step / units[i].unit),
				 v / units[i].unit, units[i].suffix);
			return;
		}
	snprintf(buf, TICK_TEXT, "%.*f", count_decimals(step), v);
}

void
scale_count(char buf[TICK_TEXT], uint64_t v)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, v), at = 0;

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = digits[i];
	}
	buf[at] = '\0';
}
