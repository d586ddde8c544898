/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mm - Parboil sgemm (after Volkov): C = A * B^T, A column-major, tiled by registers. A CTA of 128
 * threads makes 128 x 16 elements of C: a thread keeps a row of 16 sums in registers while 8 x 16
 * elements of B at a time pass through shared memory.
 *
 * Type C. 128 threads with at most 32 registers: N = 8 on kayiran30, as in Kayiran et al.
 *
 * Sizes: default 1024 x 1056, the benchmark's medium set (528 CTAs, 2 waves), at depth 160, that of
 * its small set; large has its depth of 992; small 256 x 416; short 1024 x 480 at depth 64.
 */
#include "device.h"

#define ROWS 128
#define COLS 16
#define DEPTH 8

KERNEL(128) void
sgemm(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int depth)
{
	SHARED float tile[DEPTH][COLS];
	int id = tid_y * 16 + tid_x, row = cta_x * ROWS + id, col = cta_y * COLS, i, j, k;
	float sum[COLS], x;

	UNROLL
	for (k = 0; k < COLS; k++)
		sum[k] = 0;
	NO_UNROLL
	for (i = 0; i < depth; i += DEPTH) {
		tile[tid_y][tid_x] = b[(i + tid_y) * ldb + col + tid_x];
		barrier();
		NO_UNROLL
		for (j = 0; j < DEPTH; j++) {
			x = a[(i + j) * lda + row];
			UNROLL
			for (k = 0; k < COLS; k++)
				sum[k] += x * tile[j][k];
		}
		barrier();
	}
	UNROLL
	for (k = 0; k < COLS; k++)
		c[(col + k) * ldc + row] = sum[k];
}
