/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hot - Rodinia hotspot: the temperature of a chip from its power, an explicit 5-point stencil.
 * Pyramid tiles: a CTA of 16 x 16 loads its tile with a halo and makes two steps in shared memory,
 * so that 12 x 12 cells are good at the end.
 *
 * Type C. 256 threads and 3 KiB of shared memory: N = 4 by threads.
 *
 * Sizes: default 512 x 512 cells, as the benchmark, 4 steps in 2 launches of 1849 CTAs; small 160,
 * large 1616, short 256. onac: 2048 x 2048 cells, one launch of 29,241 CTAs.
 */
#include "device.h"

#define BLOCK 16
#define STEPS 2
#define GOOD (BLOCK - 2 * STEPS)

KERNEL(256) void
hotspot(const float *power, const float *from, float *to, int cols, int rows, float step_by_cap,
	float rx_inv, float ry_inv, float rz_inv, float ambient)
{
	SHARED float cell[BLOCK][BLOCK], heat[BLOCK][BLOCK], next[BLOCK][BLOCK];
	int tx = tid_x, ty = tid_y;
	int top = GOOD * cta_y - STEPS, left = GOOD * cta_x - STEPS;
	int y = top + ty, x = left + tx, at = cols * y + x, i;
	int first_y = top < 0 ? -top : 0, first_x = left < 0 ? -left : 0;
	int last_y = top + BLOCK > rows ? rows - 1 - top : BLOCK - 1;
	int last_x = left + BLOCK > cols ? cols - 1 - left : BLOCK - 1;
	int n = max_i(ty - 1, first_y), s = min_i(ty + 1, last_y);
	int w = max_i(tx - 1, first_x), e = min_i(tx + 1, last_x);
	bool computed = false;

	if (y >= 0 && y < rows && x >= 0 && x < cols) {
		cell[ty][tx] = from[at];
		heat[ty][tx] = power[at];
	}
	barrier();
	NO_UNROLL
	for (i = 0; i < STEPS; i++) {
		computed = false;
		if (tx >= i + 1 && tx <= BLOCK - 2 - i && ty >= i + 1 && ty <= BLOCK - 2 - i &&
		    tx >= first_x && tx <= last_x && ty >= first_y && ty <= last_y) {
			float here = cell[ty][tx];

			computed = true;
			next[ty][tx] =
				here +
				step_by_cap * (heat[ty][tx] +
					       (cell[s][tx] + cell[n][tx] - 2.0f * here) * ry_inv +
					       (cell[ty][e] + cell[ty][w] - 2.0f * here) * rx_inv +
					       (ambient - here) * rz_inv);
		}
		barrier();
		if (i == STEPS - 1)
			break;
		if (computed)
			cell[ty][tx] = next[ty][tx];
		barrier();
	}
	if (computed)
		to[at] = next[ty][tx];
}
