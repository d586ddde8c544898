/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nw - Rodinia Needleman-Wunsch: global alignment of two sequences by dynamic programming. The
 * matrix is worked off in anti-diagonals of 16 x 16 tiles, a CTA of 16 threads per tile, which goes
 * through its tile in anti-diagonals again, in shared memory.
 *
 * Type X: half a warp per CTA, few CTAs at both ends. N = 8 (the limit of CTAs; 2.2 KiB of shared
 * memory).
 *
 * Sizes: default 1024 x 1024 (the benchmark has 2048), 127 launches of 1 to 64 CTAs; small 320,
 * large 3200, short 512.
 */
#include "device.h"

#define TILE 16

DEVICE int
best_of(int diagonal, int left, int up)
{
	return max_i(diagonal, max_i(left, up));
}

DEVICE void
align_tile(const int *similar, int *score, int cols, int penalty, int bx, int by)
{
	SHARED int cell[TILE + 1][TILE + 1], match[TILE][TILE];
	int tx = tid_x, m, i, x, y;
	int corner = cols * TILE * by + TILE * bx;

	if (tx == 0)
		cell[0][0] = score[corner];
	NO_UNROLL
	for (i = 0; i < TILE; i++)
		match[i][tx] = similar[corner + cols * (i + 1) + tx + 1];
	barrier();
	cell[tx + 1][0] = score[corner + cols * (tx + 1)];
	cell[0][tx + 1] = score[corner + tx + 1];
	barrier();
	NO_UNROLL
	for (m = 0; m < 2 * TILE - 1; m++) {
		x = m < TILE ? tx + 1 : tx + m - TILE + 2;
		y = m < TILE ? m - tx + 1 : TILE - tx;
		if (tx <= (m < TILE ? m : 2 * TILE - 2 - m))
			cell[y][x] = best_of(cell[y - 1][x - 1] + match[y - 1][x - 1],
					     cell[y][x - 1] - penalty, cell[y - 1][x] - penalty);
		barrier();
	}
	NO_UNROLL
	for (i = 0; i < TILE; i++)
		score[corner + cols * (i + 1) + tx + 1] = cell[i + 1][tx + 1];
}

KERNEL(16) void
upper_left(const int *similar, int *score, int cols, int penalty, int diagonal)
{
	align_tile(similar, score, cols, penalty, cta_x, diagonal - 1 - cta_x);
}

KERNEL(16) void
lower_right(const int *similar, int *score, int cols, int penalty, int diagonal, int width)
{
	align_tile(similar, score, cols, penalty, cta_x + width - diagonal, width - 1 - cta_x);
}
