/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dct2 - SDK dct8x8, the inverse of kernel 2: an image from the coefficients of its blocks of 8 x
 * 8, the way dct1 goes, columns and rows by the transposed transform.
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
inverse_8(float *v, int step)
{
	float e0 = v[0] + v[4 * step], e1 = v[0] - v[4 * step];
	float o0 = C2 * v[2 * step] + C6 * v[6 * step];
	float o1 = C6 * v[2 * step] - C2 * v[6 * step];
	float p0 = e0 + o0, p1 = e1 + o1, p2 = e1 - o1, p3 = e0 - o0;
	float y1 = v[step], y3 = v[3 * step], y5 = v[5 * step], y7 = v[7 * step];
	float m0 = C1 * y1 + C3 * y3 + C5 * y5 + C7 * y7;
	float m1 = C3 * y1 - C7 * y3 - C1 * y5 - C5 * y7;
	float m2 = C5 * y1 - C1 * y3 + C7 * y5 + C3 * y7;
	float m3 = C7 * y1 - C5 * y3 + C3 * y5 - C1 * y7;

	v[0] = NORM * (p0 + m0);
	v[7 * step] = NORM * (p0 - m0);
	v[step] = NORM * (p1 + m1);
	v[6 * step] = NORM * (p1 - m1);
	v[2 * step] = NORM * (p2 + m2);
	v[5 * step] = NORM * (p2 - m2);
	v[3 * step] = NORM * (p3 + m3);
	v[4 * step] = NORM * (p3 - m3);
}

KERNEL(64) void
inverse_dct(float *to, const float *from, int pitch)
{
	SHARED float block[HEIGHT * STRIDE];
	int x = tid_y * 8 + tid_x, y = tid_z * 8, i;
	int at = (cta_y * HEIGHT + y) * pitch + cta_x * WIDTH + x;
	float *column = block + y * STRIDE + x;

	UNROLL
	for (i = 0; i < 8; i++)
		column[i * STRIDE] = from[at + i * pitch];
	inverse_8(block + (y + tid_x) * STRIDE + x - tid_x, 1);
	inverse_8(column, STRIDE);
	UNROLL
	for (i = 0; i < 8; i++)
		to[at + i * pitch] = column[i * STRIDE];
}
