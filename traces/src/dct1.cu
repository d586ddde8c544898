/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dct1 - SDK dct8x8, kernel 2: the discrete cosine transform of an image in blocks of 8 x 8. A CTA
 * has 32 x 16 pixels in shared memory; a thread transforms a row of its block there, then a column.
 * The eight threads of a block are in one warp, so that there is no barrier, as in the sample.
 *
 * Zhu et al., type A. CTAs of 8 x 4 x 2 threads: N = 8 on kayiran30; 2 KiB of shared memory.
 * Default: 1536 x 1024 pixels (3,072 CTAs); onac: 4096 x 4096, the 32,768 CTAs of Zhu et al., Table
 * II.
 */
#include "device.h"

#define WIDTH 32
#define HEIGHT 16
#define STRIDE (WIDTH + 1)

/* sqrt(2) cos(k pi / 16) for k = 1, 2, 3, 5, 6, 7 */
#define C1 1.38703984532214746f
#define C2 1.30656296487637652f
#define C3 1.17587560241935872f
#define C5 0.78569495838710218f
#define C6 0.54119610014619698f
#define C7 0.27589937928294301f
#define NORM 0.35355339059327376f

DEVICE void
dct_8(float *v, int step)
{
	float p0 = v[0] + v[7 * step], m0 = v[0] - v[7 * step];
	float p1 = v[step] + v[6 * step], m1 = v[step] - v[6 * step];
	float p2 = v[2 * step] + v[5 * step], m2 = v[2 * step] - v[5 * step];
	float p3 = v[3 * step] + v[4 * step], m3 = v[3 * step] - v[4 * step];
	float e0 = p0 + p3, e1 = p1 + p2, o0 = p0 - p3, o1 = p1 - p2;

	v[0] = NORM * (e0 + e1);
	v[4 * step] = NORM * (e0 - e1);
	v[2 * step] = NORM * (C2 * o0 + C6 * o1);
	v[6 * step] = NORM * (C6 * o0 - C2 * o1);
	v[step] = NORM * (C1 * m0 + C3 * m1 + C5 * m2 + C7 * m3);
	v[3 * step] = NORM * (C3 * m0 - C7 * m1 - C1 * m2 - C5 * m3);
	v[5 * step] = NORM * (C5 * m0 - C1 * m1 + C7 * m2 + C3 * m3);
	v[7 * step] = NORM * (C7 * m0 - C5 * m1 + C3 * m2 - C1 * m3);
}

KERNEL(64) void
dct(float *to, const float *from, int pitch)
{
	SHARED float block[HEIGHT * STRIDE];
	int x = tid_y * 8 + tid_x, y = tid_z * 8, i;
	int at = (cta_y * HEIGHT + y) * pitch + cta_x * WIDTH + x;
	float *column = block + y * STRIDE + x;

	UNROLL
	for (i = 0; i < 8; i++)
		column[i * STRIDE] = from[at + i * pitch];
	dct_8(block + (y + tid_x) * STRIDE + x - tid_x, 1);
	dct_8(column, STRIDE);
	UNROLL
	for (i = 0; i < 8; i++)
		to[at + i * pitch] = column[i * STRIDE];
}
