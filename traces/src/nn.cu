/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nn - GPGPU-Sim NN: recognition of hand-written digits by a convolutional network, a kernel per
 * layer: 29 x 29 pixels to 6 maps of 13 x 13, to 50 maps of 5 x 5 (both 5 x 5 filters, stride 2),
 * to 100 and to 10 neurons, which get a CTA of one thread each.
 *
 * Type C. CTAs of 13 x 13, 5 x 5, 1 and 1 threads: N = 5 by threads (warps are whole), then 8.
 *
 * Sizes: default 20 digits (2000 CTAs in the third layer, which is nine tenths of the work: 8
 * waves; 28 digits, the grid of ISPASS 2009, would be 18 million instructions); small 2, large 200;
 * short and claso 3, which is 498 CTAs for the paper's 432 in 4 launches.
 */
#include "device.h"

DEVICE float
squash(float x)
{
	/* 1.7159 tanh(2/3 x) */
	return 1.7159f * (1.0f - 2.0f * rcp_approx(exp_approx(1.33333333f * x) + 1.0f));
}

KERNEL(169) void
layer_1(const float *in, const float *weight, float *out)
{
	int map = cta_x, digit = cta_y, x = tid_x, y = tid_y, i, j;
	const float *w = weight + map * 26, *p = in + digit * 29 * 29 + 2 * y * 29 + 2 * x;
	float sum = w[0];

	NO_UNROLL
	for (i = 0; i < 5; i++)
		UNROLL
	for (j = 0; j < 5; j++)
		sum += p[i * 29 + j] * w[1 + i * 5 + j];
	out[((digit * 6 + map) * 13 + y) * 13 + x] = squash(sum);
}

KERNEL(25) void
layer_2(const float *in, const float *weight, float *out)
{
	int map = cta_x, digit = cta_y, x = tid_x, y = tid_y, i, j, k;
	const float *w = weight + map * 151, *p = in + digit * 6 * 169 + 2 * y * 13 + 2 * x;
	float sum = *w++;

	NO_UNROLL
	for (k = 0; k < 6; k++, p += 169)
		NO_UNROLL
	for (i = 0; i < 5; i++)
		UNROLL
	for (j = 0; j < 5; j++)
		sum += p[i * 13 + j] * *w++;
	out[((digit * 50 + map) * 5 + y) * 5 + x] = squash(sum);
}

DEVICE float
neuron(const float *in, const float *weight, int n)
{
	float sum = weight[0];
	int i;

	UNROLL_BY_5
	for (i = 0; i < n; i++)
		sum += in[i] * weight[1 + i];
	return squash(sum);
}

KERNEL(1) void
layer_3(const float *in, const float *weight, float *out)
{
	out[cta_y * 100 + cta_x] = neuron(in + cta_y * 1250, weight + cta_x * 1251, 1250);
}

KERNEL(1) void
layer_4(const float *in, const float *weight, float *out)
{
	out[cta_y * 10 + cta_x] = neuron(in + cta_y * 100, weight + cta_x * 101, 100);
}
