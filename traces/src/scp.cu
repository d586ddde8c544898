/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scp - SDK scalarProd: scalar products of many pairs of vectors. A CTA takes one pair after
 * another, by the size of the grid: its threads sum strided slices into 1024 accumulators in shared
 * memory, which a tree reduces to one.
 *
 * Type M. CTAs of 256 threads: N = 4 on kayiran30 by its 1024 threads (6 in CLASO, 1536 threads); 4
 * KiB of shared memory.
 *
 * Sizes: default 2048 pairs of 4096 elements on 1024 CTAs (8 waves), two pairs to each as in the
 * sample; small 96 and large 5120 CTAs; short and claso are the sample's 256 pairs on 128 CTAs.
 */
#include "device.h"

#define ACCUM 1024

KERNEL(256) void
scalar_products(float *c, const float *a, const float *b, int pairs, int elements)
{
	SHARED float accum[ACCUM];
	int pair, i, pos, stride, base;
	float sum;

	for (pair = cta_x; pair < pairs; pair += grid_x) {
		base = pair * elements;
		for (i = tid_x; i < ACCUM; i += 256) {
			sum = 0;
			for (pos = base + i; pos < base + elements; pos += ACCUM)
				sum += a[pos] * b[pos];
			accum[i] = sum;
		}
		for (stride = ACCUM / 2; stride > 0; stride /= 2) {
			barrier();
			for (i = tid_x; i < stride; i += 256)
				accum[i] += accum[stride + i];
		}
		if (tid_x == 0)
			c[pair] = accum[0];
		barrier();
	}
}
