/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * path - Rodinia pathfinder: the cheapest way through a grid of costs, row by row; a step goes
 * straight on or to a neighbour. Pyramid tiles: a CTA of 256 threads takes 20 rows in shared
 * memory and loses a column on either side in each, so that 216 columns are good at the end.
 *
 * Type B of Zhu et al. 256 threads and 2 KiB of shared memory: N = 4 by threads. Default: 1000 CTAs
 * of 20 rows, 2 launches. onac: 11 574 CTAs, a quarter of the 46 297 that 10 million columns make,
 * and the first 20 of the benchmark's 99 steps, which is one launch of five.
 */
#include "device.h"

#define BLOCK 256

KERNEL(BLOCK) void
dynamic_rows(int rows, const int *wall, const int *from, int *to, int cols, int first, int border)
{
	SHARED int prev[BLOCK], result[BLOCK];
	int tx = tid_x, left = (BLOCK - 2 * rows) * cta_x - border, x = left + tx, i;
	int min_x = left < 0 ? -left : 0;
	int max_x = left + BLOCK > cols ? cols - 1 - left : BLOCK - 1;
	int w = max_i(tx - 1, min_x), e = min_i(tx + 1, max_x);
	bool valid = tx >= min_x && tx <= max_x, computed = false;

	if (valid)
		prev[tx] = from[x];
	barrier();
	NO_UNROLL
	for (i = 0; i < rows; i++) {
		computed = false;
		if (tx >= i + 1 && tx <= BLOCK - 2 - i && valid) {
			computed = true;
			result[tx] = min_i(min_i(prev[w], prev[e]), prev[tx]) +
				     wall[cols * (first + i) + x];
		}
		barrier();
		if (i == rows - 1)
			break;
		if (computed)
			prev[tx] = result[tx];
		barrier();
	}
	if (computed)
		to[x] = result[tx];
}
