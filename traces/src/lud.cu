/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lud - Rodinia: LU decomposition in place, in tiles of 16 x 16. Each step decomposes the tile on
 * the diagonal (one CTA of 16 threads), then the tiles right of and below it (CTAs of 32 threads,
 * half a warp for either), then subtracts their product from all tiles further in (CTAs of 16 x
 * 16).
 *
 * Type X: a single CTA of half a warp in every third launch. N of the internal kernel is 4 by
 * threads, 8 for the others.
 *
 * Sizes: default 256 x 256, 46 launches of up to 225 CTAs, as the benchmark is run; so is short;
 * small 112, large 576. onac: 4096 x 4096, whose first step has the paper's 65,025 CTAs; of 256
 * steps only this one is made.
 */
#include "device.h"

#define TILE 16

KERNEL(16) void
diagonal(float *m, int dim, int offset)
{
	SHARED float t[TILE][TILE];
	int tx = tid_x, i, j, at = offset * dim + offset;

	NO_UNROLL
	for (i = 0; i < TILE; i++)
		t[i][tx] = m[at + i * dim + tx];
	barrier();
	NO_UNROLL
	for (i = 0; i < TILE - 1; i++) {
		if (tx > i) {
			NO_UNROLL
			for (j = 0; j < i; j++)
				t[tx][i] -= t[tx][j] * t[j][i];
			t[tx][i] = div_approx(t[tx][i], t[i][i]);
		}
		barrier();
		if (tx > i)
			NO_UNROLL
		for (j = 0; j < i + 1; j++)
			t[i + 1][tx] -= t[i + 1][j] * t[j][tx];
		barrier();
	}
	NO_UNROLL
	for (i = 1; i < TILE; i++)
		m[at + i * dim + tx] = t[i][tx];
}

KERNEL(32) void
perimeter(float *m, int dim, int offset)
{
	SHARED float dia[TILE][TILE], row[TILE][TILE], col[TILE][TILE];
	int side = tid_x / TILE, k = tid_x % TILE, i, j;
	int right = offset + (cta_x + 1) * TILE;

	NO_UNROLL
	for (i = side * TILE / 2; i < (side + 1) * TILE / 2; i++)
		dia[i][k] = m[(offset + i) * dim + offset + k];
	NO_UNROLL
	for (i = 0; i < TILE; i++)
		if (side == 0)
			row[i][k] = m[(offset + i) * dim + right + k];
		else
			col[i][k] = m[(right + i) * dim + offset + k];
	barrier();
	if (side == 0) {
		NO_UNROLL
		for (i = 1; i < TILE; i++)
			NO_UNROLL
		for (j = 0; j < i; j++)
			row[i][k] -= dia[i][j] * row[j][k];
	} else {
		NO_UNROLL
		for (i = 0; i < TILE; i++) {
			NO_UNROLL
			for (j = 0; j < i; j++)
				col[k][i] -= col[k][j] * dia[j][i];
			col[k][i] = div_approx(col[k][i], dia[i][i]);
		}
	}
	barrier();
	NO_UNROLL
	for (i = 0; i < TILE; i++)
		if (side == 0)
			m[(offset + i) * dim + right + k] = row[i][k];
		else
			m[(right + i) * dim + offset + k] = col[i][k];
}

KERNEL(256) void
internal(float *m, int dim, int offset)
{
	SHARED float row[TILE][TILE], col[TILE][TILE];
	int tx = tid_x, ty = tid_y, i;
	int x = offset + (cta_x + 1) * TILE, y = offset + (cta_y + 1) * TILE;
	float sum = 0;

	row[ty][tx] = m[(offset + ty) * dim + x + tx];
	col[ty][tx] = m[(y + ty) * dim + offset + tx];
	barrier();
	UNROLL
	for (i = 0; i < TILE; i++)
		sum += col[ty][i] * row[i][tx];
	m[(y + ty) * dim + x + tx] -= sum;
}
