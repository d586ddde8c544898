/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jpeg - the parallel part of JPEG decoding: kernel idct dequantizes the 8 x 8 coefficients of a
 * block (in zigzag order) and transforms them, rows then columns, through shared memory; kernel
 * colour makes RGB from the three planes, of which the colours have half the size.
 *
 * Type M. idct has a CTA of 64 threads per block: N = 8 (the limit of CTAs), as in Kayiran et al.;
 * colour 256.
 *
 * Sizes: default 1024 x 512 pixels, 8192 blocks in the first launch (34 waves), 2048 in the others;
 * small 320 x 160, large 3200 x 1600, short 512 x 256.
 */
#include "device.h"

CONSTANT u8 zigzag[64];	 /* place in the stream of each coefficient */
CONSTANT u16 quant[128]; /* of brightness and colour, by place in the block */
CONSTANT float basis[64];

KERNEL(64) void
idct(u8 *plane, const short *stream, int blocks_x, int table)
{
	SHARED float coef[64], half[64];
	int i = tid_x, x = i % 8, y = i / 8, k;
	int block = cta_y * blocks_x + cta_x;
	float sum = 0;

	coef[i] = (float)(stream[block * 64 + zigzag[i]] * quant[table * 64 + i]);
	barrier();
	UNROLL
	for (k = 0; k < 8; k++)
		sum += coef[y * 8 + k] * basis[k * 8 + x];
	half[i] = sum;
	barrier();
	sum = 128.5f;
	UNROLL
	for (k = 0; k < 8; k++)
		sum += half[k * 8 + x] * basis[k * 8 + y];
	plane[(cta_y * 8 + y) * blocks_x * 8 + cta_x * 8 + x] = (u8)(int)min_f(max_f(sum, 0), 255);
}

KERNEL(256) void
colour(u32 *rgb, const u8 *luma, const u8 *blue, const u8 *red, int width, int n)
{
	int i = cta_x * 256 + tid_x, at;
	float y, cb, cr, r, g, b;

	if (i >= n)
		return;
	at = i / width / 2 * (width / 2) + i % width / 2;
	y = (float)luma[i] + 0.5f;
	cb = (float)blue[at] - 128.0f;
	cr = (float)red[at] - 128.0f;
	r = min_f(max_f(y + 1.402f * cr, 0), 255);
	g = min_f(max_f(y - 0.344136f * cb - 0.714136f * cr, 0), 255);
	b = min_f(max_f(y + 1.772f * cb, 0), 255);
	rgb[i] = (u32)r | (u32)g << 8 | (u32)b << 16;
}
