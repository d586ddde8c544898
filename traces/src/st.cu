/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * st - Parboil stencil: one step of the heat equation on a three-dimensional grid, 7 points. A CTA
 * of 32 x 4 threads goes through all planes: a thread keeps the cells below, here and above in
 * registers and reads the four neighbours in the plane, which its own warp or another has read.
 *
 * 128 threads: N = 8, as in Yu et al. Default: Parboil's 512 x 512 x 64 cells, 2048 CTAs, a step.
 * claso: Parboil's small input, 128 x 128 x 32: the 128 CTAs of Yu et al.
 */
#include "device.h"

#define WIDTH 32
#define HEIGHT 4
#define THREADS (WIDTH * HEIGHT)

KERNEL(THREADS) void
stencil(float c0, float c1, const float *from, float *to, int nx, int ny, int nz)
{
	int x = cta_x * WIDTH + tid_x, y = cta_y * HEIGHT + tid_y, z;
	u32 row = (u32)nx, plane = row * (u32)ny, at = (u32)x + (u32)y * row + plane;
	float below = from[at - plane], here = from[at], above;

	if (x == 0 || x == nx - 1 || y == 0 || y == ny - 1)
		return;
	NO_UNROLL
	for (z = 1; z < nz - 1; z++) {
		const float *in = from + at;

		above = from[at + plane];
		to[at] = c1 * (above + below + in[-1] + in[1] + from[at - row] + from[at + row]) -
			 c0 * here;
		below = here;
		here = above;
		at += plane;
	}
}
