/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale.c - ticks of axes and the numbers at them. */
#include "plot/plot_part.h"

#include "tests/tap.h"

static void
axis(double lo, double hi, unsigned most, const char *expected)
{
	double step = scale_step(lo, hi, most);
	char all[200] = "", text[TICK_TEXT];

	for (double v = lo; v <= hi * 1.0000001; v += step) {
		scale_text(text, v, step, hi);
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", *all ? " " : "",
			 text);
	}
	is_str(all, expected, "%g to %g, at most %u steps", lo, hi, most);
}

static void
rounded(double lo, double hi, double low, double high)
{
	double a = lo, b = hi;

	scale_round(&a, &b);
	ok(a == low && b == high, "%g to %g becomes %g to %g", lo, hi, a, b);
}

int
main(void)
{
	char text[TICK_TEXT];

	axis(0, 1, 5, "0 0.2 0.4 0.6 0.8 1.0");
	axis(0, 8, 5, "0 2 4 6 8");
	axis(0, 400, 5, "0 100 200 300 400");
	axis(0, 8000, 5, "0 2k 4k 6k 8k");
	axis(0, 2000, 5, "0 500 1000 1500 2000");
	axis(0, 300000, 6, "0 50k 100k 150k 200k 250k 300k");
	axis(0, 1400000, 7, "0 0.2M 0.4M 0.6M 0.8M 1.0M 1.2M 1.4M");
	axis(1150000, 1200000, 5, "1150k 1160k 1170k 1180k 1190k 1200k");
	axis(0, 3e9, 3, "0 1G 2G 3G");
	rounded(0, 7.2, 0, 8);
	rounded(0, 1, 0, 1);
	rounded(-1, 4, -1, 4);
	rounded(0, 0, 0, 1);
	scale_count(text, 0);
	is_str(text, "0", "nothing");
	scale_count(text, 1234567);
	is_str(text, "1,234,567", "thousands are set apart");
	return done();
}
