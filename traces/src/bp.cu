/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bp - Rodinia back propagation, a network with 16 hidden units. Kernel forward: a CTA multiplies
 * 16 inputs by their 16 x 16 weights and reduces the columns in shared memory; kernel adjust
 * changes every weight by the gradient and the momentum.
 *
 * Type M. CTAs of 16 x 16 threads: N = 4 by threads (6 and 5 in CLASO, 1536 threads; grid (1, CTAs)
 * as in TCS).
 *
 * Sizes: default 65,536 inputs, as the benchmark, 4096 CTAs a launch; so is tcs; small 410 and
 * large 40,960 CTAs, short 1024, claso 128 (256 in two launches). onac: 32,768 CTAs a launch, half
 * the paper's.
 */
#include "device.h"

#define HIDDEN 16

KERNEL(256) void
forward(const float *input, float *weight, float *partial)
{
	SHARED float node[16], product[16][16];
	int tx = tid_x, ty = tid_y, by = cta_y, half;
	int at = (HIDDEN + 1) * 16 * by + (HIDDEN + 1) * ty + tx + 1 + (HIDDEN + 1);

	if (tx == 0)
		node[ty] = input[16 * by + ty + 1];
	barrier();
	product[ty][tx] = weight[at];
	barrier();
	product[ty][tx] *= node[ty];
	barrier();
	NO_UNROLL
	for (half = 1; half < 16; half *= 2) {
		if (ty % (2 * half) == 0)
			product[ty][tx] += product[ty + half][tx];
		barrier();
	}
	weight[at] = product[ty][tx];
	if (tx == 0)
		partial[by * HIDDEN + ty] = product[0][ty];
}

KERNEL(256) void
adjust(const float *delta, const float *input, float *weight, float *old)
{
	int tx = tid_x, ty = tid_y, by = cta_y;
	int at = (HIDDEN + 1) * 16 * by + (HIDDEN + 1) * ty + tx + 1 + (HIDDEN + 1);
	int y = 16 * by + ty + 1, x = tx + 1;
	float change = 0.3f * delta[x] * input[y] + 0.3f * old[at];

	weight[at] += change;
	old[at] = change;
	barrier();
	if (ty == 0 && by == 0) { /* the bias */
		change = 0.3f * delta[x] + 0.3f * old[x];
		weight[x] += change;
		old[x] = change;
	}
}
