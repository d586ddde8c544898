/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvt2 - SDK convolutionTexture, kernel 2: columns of a separable convolution of radius 8. A thread
 * per pixel fetches the 17 of its column through the texture unit, which clamps at the edges, and
 * takes the weights from constant memory; the loop is unrolled.
 *
 * Type B of Zhu et al. CTAs of 16 x 12 threads: N = 5 by threads. Default: 1024 x 768 pixels, 4096
 * CTAs. onac: 98 304 CTAs, 6144 x 3072 pixels, as printed. To the model a fetch occupies the
 * texture pipe and does not access memory (ctascope-model(7) 7.11); what it reads counts for the
 * result.
 */
#include "device.h"

#define RADIUS 8

CONSTANT float weight[2 * RADIUS + 1];

KERNEL(192) void
convolve_columns(float *out, int width, int height, u64 image)
{
	int ix = cta_x * 16 + tid_x, iy = cta_y * 12 + tid_y, k;
	float x = (float)ix + 0.5f, y = (float)iy + 0.5f, sum = 0;

	if (ix >= width || iy >= height)
		return;
	UNROLL
	for (k = -RADIUS; k <= RADIUS; k++)
		sum += texture_2d(image, x, y + (float)k) * weight[RADIUS - k];
	out[iy * width + ix] = sum;
}
