/* SPDX-License-Identifier: GPL-3.0-or-later */
/* human.c - two numbers that are compared have the same number of decimals. */
#include "base/human.h"
#include "ctascope/base.h"
#include "tests/tap.h"
#include <math.h>

int
main(void)
{
	static const struct {
		double v[2];
		const char *want[2];
	} pairs[] = {
		{{8763, 21411}, {"8,763", "21,411"}},
		{{1.42, 8}, {"1.420", "8.000"}},
		{{0.2294, 0.0939}, {"0.2294", "0.0939"}},
		{{0.001, 0.0011}, {"0.00100", "0.00110"}},
		{{0.001001, 0.000842}, {"0.001001", "0.000842"}},
		{{0, 0.00289}, {"0.00000", "0.00289"}},
		{{0.5, 1e-9}, {"0.50000", "0.00000"}},
		{{-1665.57, 2844}, {"-1,665.6", "2,844.0"}},
		{{1.3e-6, 3.18e-6}, {"1.30e-06", "3.18e-06"}},
		{{0, 3e-7}, {"0", "3.00e-07"}},
		{{12277216684.46, 12094984833.5}, {"12,277,216,684", "12,094,984,834"}},
		{{3e15, 0.5}, {"3e+15", "0.500"}},
		{{NAN, 0.5}, {"-", "0.500"}},
	};
	char num[2][HUMAN];

	for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
		for (int first = 0; first < 2; first++) {
			human_pair(num[first], num[!first], pairs[i].v[first], pairs[i].v[!first]);
			for (int k = 0; k < 2; k++)
				is_str(num[k], pairs[i].want[k], "%g beside %g, in either order",
				       pairs[i].v[k], pairs[i].v[!k]);
		}
	return done();
}
