/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tp1 - SDK transpose without bank conflicts: a CTA reads a tile of 16 x 16 by rows into shared
 * memory and writes it by columns. A row of the tile is 17 words long, so that the threads of a
 * column are in different banks.
 *
 * Zhu et al., type A. CTAs of 16 x 16 threads: N = 4 on kayiran30 by its 1024 threads; 1 KiB of
 * shared memory. Default: 1280 x 1280 words (6,400 CTAs); onac: 4096 x 4096, the 65,536 CTAs of Zhu
 * et al., Table II.
 */
#include "device.h"

#define TILE 16

KERNEL(256) void
transpose(u32 *to, const u32 *from, int width, int height)
{
	SHARED u32 tile[TILE][TILE + 1];
	int x = cta_x * TILE + tid_x, y = cta_y * TILE + tid_y;
	int to_x = cta_y * TILE + tid_x, to_y = cta_x * TILE + tid_y;

	tile[tid_y][tid_x] = from[y * width + x];
	barrier();
	to[to_y * height + to_x] = tile[tid_x][tid_y];
}
