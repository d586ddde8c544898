/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sd1 - Rodinia SRAD version 1: speckle reducing anisotropic diffusion of an ultrasound image. Each
 * iteration squares the image (prepare), sums both in shared memory (reduce, launched until one sum
 * is left), computes diffusion coefficients (srad) and updates (srad2); neighbours come from index
 * arrays, a thread per pixel.
 *
 * Type C. CTAs of 512 threads: N = 2 on kayiran30 by its 1024 threads.
 *
 * Sizes: default four iterations of the 100 of the benchmark on an image of its size, 502 x 458
 * (450 CTAs, 7.5 waves); small 96 x 120, large 1588 x 1448; short one iteration.
 */
#include "device.h"

#define THREADS 512

KERNEL(THREADS) void
extract(float *image, int n)
{
	int i = cta_x * THREADS + tid_x;

	if (i < n)
		image[i] = exp_approx(div_approx(image[i], 255.0f));
}

KERNEL(THREADS) void
prepare(const float *image, float *sums, float *sums2, int n)
{
	int i = cta_x * THREADS + tid_x;

	if (i < n) {
		sums[i] = image[i];
		sums2[i] = image[i] * image[i];
	}
}

/* Sums 512 numbers that lie stride apart; the result takes the place of the first. */
KERNEL(THREADS) void
reduce(float *sums, float *sums2, int n, int stride)
{
	SHARED float part[THREADS], part2[THREADS];
	int i = cta_x * THREADS + tid_x, half;

	part[tid_x] = i < n ? sums[i * stride] : 0;
	part2[tid_x] = i < n ? sums2[i * stride] : 0;
	NO_UNROLL
	for (half = THREADS / 2; half > 0; half /= 2) {
		barrier();
		if (tid_x < half) {
			part[tid_x] += part[tid_x + half];
			part2[tid_x] += part2[tid_x + half];
		}
	}
	if (tid_x == 0) {
		sums[i * stride] = part[0];
		sums2[i * stride] = part2[0];
	}
}

KERNEL(THREADS) void
srad(const int *north, const int *south, const int *west, const int *east, float *dn, float *ds,
     float *dw, float *de, float *c, const float *image, float q0, int rows, int n)
{
	int i = cta_x * THREADS + tid_x, row, col;
	float j, n_, s_, w_, e_, g2, l, num, den, q;

	if (i >= n)
		return;
	row = i % rows;
	col = i / rows;
	j = image[i];
	n_ = image[north[row] + rows * col] - j;
	s_ = image[south[row] + rows * col] - j;
	w_ = image[row + rows * west[col]] - j;
	e_ = image[row + rows * east[col]] - j;
	g2 = div_approx(n_ * n_ + s_ * s_ + w_ * w_ + e_ * e_, j * j);
	l = div_approx(n_ + s_ + w_ + e_, j);
	num = 0.5f * g2 - 0.0625f * (l * l);
	den = 1 + 0.25f * l;
	q = div_approx(num, den * den);
	den = div_approx(q - q0, q0 * (1 + q0));
	dn[i] = n_;
	ds[i] = s_;
	dw[i] = w_;
	de[i] = e_;
	c[i] = min_f(max_f(rcp_approx(1 + den), 0), 1);
}

KERNEL(THREADS) void
srad2(const int *south, const int *east, const float *dn, const float *ds, const float *dw,
      const float *de, const float *c, float *image, float lambda, int rows, int n)
{
	int i = cta_x * THREADS + tid_x, row, col;
	float here;

	if (i >= n)
		return;
	row = i % rows;
	col = i / rows;
	here = c[i];
	image[i] += 0.25f * lambda *
		    (here * dn[i] + c[south[row] + rows * col] * ds[i] + here * dw[i] +
		     c[row + rows * east[col]] * de[i]);
}

KERNEL(THREADS) void
compress(float *image, int n)
{
	int i = cta_x * THREADS + tid_x;

	if (i < n)
		image[i] = log_approx(image[i]) * 255.0f;
}
