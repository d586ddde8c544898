/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pff - Rodinia particle filter, float version: an object is followed through a noisy video. Per
 * frame, kernel likelihood moves the particles at random and compares the pixels around each with
 * object and background, normalize scales the weights, cdf sums them up (one thread, as in the
 * benchmark), find_index draws the next particles by a linear search in the sums.
 *
 * Type M. CTAs of 512 threads: N = 2 on kayiran30 by its 1024 threads, as in Kayiran et al.
 *
 * Sizes: default 2560 particles (5 CTAs: the benchmark has few, too), two frames of 128 x 128; so
 * is short; small 768, large 8192.
 */
#include "device.h"

#define THREADS 512

/* The generator of the benchmark: a linear congruence modulo 2^31 - 1 in 32-bit arithmetic. */
DEVICE float
uniform(int *seed, int i)
{
	int s = (int)(1103515245u * (u32)seed[i] + 12345u) % 0x7fffffff;

	seed[i] = s;
	return abs_f((float)s * (1.0f / 2147483648.0f));
}

DEVICE float
normal(int *seed, int i)
{
	float u = uniform(seed, i), v = uniform(seed, i);

	return sqrt_rn(-2.0f * log_approx(u)) * cos_approx(6.28318531f * v);
}

KERNEL(THREADS) void
likelihood(float *x, float *y, const float *x_from, const float *y_from, float *weight, float *sums,
	   const u8 *video, const int *disk, int points, int *seed, int side, int frame, int n)
{
	SHARED float part[THREADS];
	int i = cta_x * THREADS + tid_x, k, px, py, at, half;
	float sum = 0, a, b, w = 0;

	if (i < n) {
		x[i] = x_from[i] + 1.0f + 5.0f * normal(seed, i);
		y[i] = y_from[i] - 2.0f + 2.0f * normal(seed, i);
		px = (int)__builtin_floorf(x[i] + 0.5f);
		py = (int)__builtin_floorf(y[i] + 0.5f);
		NO_UNROLL
		for (k = 0; k < points; k++) {
			at = (frame * side + py + disk[2 * k]) * side + px + disk[2 * k + 1];
			if (at < 0 || at >= side * side * (frame + 1))
				at = 0;
			a = (float)video[at] - 100.0f;
			b = (float)video[at] - 228.0f;
			sum += (a * a - b * b) * 0.02f;
		}
		w = exp_approx(sum / (float)points - 300.0f) / (float)n;
		weight[i] = w;
	}
	part[tid_x] = w;
	NO_UNROLL
	for (half = THREADS / 2; half > 0; half /= 2) {
		barrier();
		if (tid_x < half)
			part[tid_x] += part[tid_x + half];
	}
	if (tid_x == 0)
		sums[cta_x] = part[0];
}

KERNEL(1) void
sum_up(float *sums, int n)
{
	float sum = 0;
	int i;

	NO_UNROLL
	for (i = 0; i < n; i++)
		sum += sums[i];
	sums[0] = sum;
}

KERNEL(THREADS) void
normalize(float *weight, float *u, const float *sums, float u1, int n)
{
	SHARED float sum;
	int i = cta_x * THREADS + tid_x;

	if (tid_x == 0)
		sum = sums[0];
	barrier();
	if (i < n) {
		weight[i] /= sum;
		u[i] = u1 + (float)i / (float)n;
	}
}

KERNEL(1) void
cdf(float *total, const float *weight, int n)
{
	float sum = 0;
	int i;

	NO_UNROLL
	for (i = 0; i < n; i++) {
		sum += weight[i];
		total[i] = sum;
	}
}

KERNEL(THREADS) void
find_index(const float *x, const float *y, const float *total, const float *u, float *x_to,
	   float *y_to, int n)
{
	int i = cta_x * THREADS + tid_x, k;
	float mine;

	if (i >= n)
		return;
	mine = u[i];
	NO_UNROLL
	for (k = 0; k < n - 1; k++)
		if (total[k] >= mine)
			break;
	x_to[i] = x[k];
	y_to[i] = y[k];
}
