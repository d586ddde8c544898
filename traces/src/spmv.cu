/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spmv - Parboil: sparse matrix by vector in JDS layout. Rows are sorted by length and padded to
 * the longest of their warp; the k-th elements of all rows lie together, so a warp reads them in
 * one piece while the vector is gathered. Row counts and starts are in constant memory.
 *
 * Type M. CTAs of 192 threads: N = 5 on kayiran30 by its 1024 threads.
 *
 * Sizes: default 146,689 rows, as the benchmark's largest matrix has (765 CTAs, 5 waves), with 2 to
 * 58 elements near the diagonal and anywhere; small 14,688; large ten products with the same
 * matrix; short 65,536 rows.
 */
#include "device.h"

CONSTANT int jds_start[5000];
CONSTANT int jds_count[5000]; /* of each warp */

KERNEL(192) void
spmv(float *y, const float *value, const int *column, const int *perm, const float *x, int rows)
{
	int row = cta_x * 192 + tid_x, k, n, at;
	float sum = 0;

	if (row >= rows)
		return;
	n = jds_count[row / 32];
	NO_UNROLL
	for (k = 0; k < n; k++) {
		at = jds_start[k] + row;
		sum += value[at] * x[column[at]];
	}
	y[perm[row]] = sum;
}
