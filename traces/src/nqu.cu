/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nqu - SDK/GPGPU-Sim N-queens (Chen): the host places the first rows, a thread counts the
 * completions of one such start by backtracking over bit masks, whose stacks are in shared memory;
 * the CTA adds up its counts.
 *
 * Type X: few CTAs, whose threads end at very different times. CTAs of 96 threads with 15 KiB of
 * stacks: N = 2 on kayiran30 by its 32 KiB of shared memory.
 *
 * Sizes: default 12 queens, 5 rows placed (176 CTAs; the benchmark has 256); small 10 and large 13
 * queens; short 11 queens, 4 rows placed (26 CTAs).
 */
#include "device.h"

#define THREADS 96
#define DEPTH 10

KERNEL(THREADS) void
queens(int n, int rows, const u32 *columns, const u32 *left, const u32 *right, int *result,
       int starts)
{
	SHARED u32 mask[THREADS][DEPTH], l_mask[THREADS][DEPTH], r_mask[THREADS][DEPTH];
	SHARED u32 open[THREADS][DEPTH];
	SHARED int sum[THREADS];
	int t = tid_x, start = cta_x * THREADS + t, row = 0, found = 0, half;
	u32 full = (1u << n) - 1, queen;

	if (start < starts) {
		mask[t][0] = columns[start];
		l_mask[t][0] = left[start];
		r_mask[t][0] = right[start];
		open[t][0] = full & ~(mask[t][0] | l_mask[t][0] | r_mask[t][0]);
		while (row >= 0) {
			if (open[t][row] == 0) {
				row--;
				continue;
			}
			queen = open[t][row] & -open[t][row];
			open[t][row] &= ~queen;
			if (row + 1 == rows) {
				found++;
				continue;
			}
			mask[t][row + 1] = mask[t][row] | queen;
			l_mask[t][row + 1] = (l_mask[t][row] | queen) << 1;
			r_mask[t][row + 1] = (r_mask[t][row] | queen) >> 1;
			row++;
			open[t][row] = full & ~(mask[t][row] | l_mask[t][row] | r_mask[t][row]);
		}
	}
	sum[t] = found;
	barrier();
	for (half = 64; half > 0; half /= 2) {
		if (t < half && t + half < THREADS)
			sum[t] += sum[t + half];
		barrier();
	}
	if (t == 0)
		result[cta_x] = sum[0];
}
