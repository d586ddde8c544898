/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lkc - Rodinia leukocyte, detection: kernel gicov scores every pixel by the gradient along circles
 * of seven radii around it (square of the mean over variance, the best circle counts), kernel
 * dilate takes the largest score within a disk. Angles and circle points are in constant memory.
 *
 * Type C. As in the benchmark gicov has a CTA per column of pixels with a thread per row, dilate
 * CTAs of 176 threads; N = 8 on kayiran30 for gicov (128 rows here), 5 for dilate.
 *
 * Sizes: default 588 columns, as the benchmark (588 CTAs), 25 points a circle, disk of radius 3;
 * large has the benchmark's 150 points and radius 12, too; small 40, short 152 columns.
 */
#include "device.h"

#define CIRCLES 7
#define MARGIN 14
#define MAX_POINTS 150
#define MAX_DISK 25

CONSTANT float cos_angle[MAX_POINTS];
CONSTANT float sin_angle[MAX_POINTS];
CONSTANT int circle_x[CIRCLES * MAX_POINTS];
CONSTANT int circle_y[CIRCLES * MAX_POINTS];
CONSTANT u8 disk[MAX_DISK * MAX_DISK];

KERNEL(256) void
gicov(const float *grad_x, const float *grad_y, float *score, int rows, int points)
{
	int x = cta_x + MARGIN, y = tid_x + MARGIN, k, n, at;
	float best = 0, sum, sum2, mean, var, p;

	NO_UNROLL
	for (k = 0; k < CIRCLES; k++) {
		sum = 0;
		sum2 = 0;
		UNROLL_BY_5
		for (n = 0; n < points; n++) {
			at = (x + circle_x[k * MAX_POINTS + n]) * rows + y +
			     circle_y[k * MAX_POINTS + n];
			p = grad_x[at] * cos_angle[n] + grad_y[at] * sin_angle[n];
			sum += p;
			sum2 += p * p;
		}
		mean = div_approx(sum, (float)points);
		var = div_approx(sum2 - sum * mean, (float)(points - 1));
		best = max_f(best, div_approx(mean * mean, var));
	}
	score[x * rows + y] = best;
}

KERNEL(176) void
dilate(const float *score, float *dilated, int rows, int columns, int side)
{
	int id = cta_x * 176 + tid_x, x = id / rows, y = id % rows, i, j, px, py;
	float best = 0;

	if (x >= columns)
		return;
	NO_UNROLL
	for (j = 0; j < side; j++) {
		px = x - side / 2 + j;
		if (px < 0 || px >= columns)
			continue;
		NO_UNROLL
		for (i = 0; i < side; i++) {
			py = y - side / 2 + i;
			if (py >= 0 && py < rows && disk[j * side + i])
				best = max_f(best, score[px * rows + py]);
		}
	}
	dilated[id] = best;
}
