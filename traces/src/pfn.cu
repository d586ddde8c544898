/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pfn - Rodinia particle filter, naive version: all of the filter is the host's but the resampling,
 * where each thread looks for the first of the summed weights that reaches its number, from the
 * beginning, in doubles.
 *
 * Type C. CTAs of 128 threads: N = 8 on kayiran30.
 *
 * Sizes: default 3072 particles (24 CTAs: the benchmark has few, too), two frames; so is short;
 * small 768, large 10,240.
 */
#include "device.h"

KERNEL(128) void
resample(const double *x, const double *y, const double *total, const double *u, double *x_to,
	 double *y_to, int n)
{
	int i = cta_x * 128 + tid_x, index = -1, k;

	if (i >= n)
		return;
	NO_UNROLL
	for (k = 0; k < n; k++)
		if (total[k] >= u[i]) {
			index = k;
			break;
		}
	if (index < 0)
		index = n - 1;
	x_to[i] = x[index];
	y_to[i] = y[index];
}
