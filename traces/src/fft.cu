/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fft - Parboil: a batch of FFTs of 256 complex points, radix 2 (Stockham). A CTA of 128 threads
 * per FFT: a thread holds two points, multiplies by the twiddle factor, makes the butterfly, and
 * the points change hands through shared memory after each of the eight stages.
 *
 * Type M. 128 threads, 2 KiB of shared memory: N = 8 with up to 32 registers, as in Kayiran et al.
 *
 * Sizes: default 2048 FFTs (8 waves); small 205, large 20,480, short 1024.
 */
#include "device.h"

#define N 256
#define THREADS (N / 2)

DEVICE void
stage(int j, int ns, struct float2 *v)
{
	float angle = -3.14159265f * (float)(j & (ns - 1)) / (float)ns;
	float c = cos_approx(angle), s = sin_approx(angle), re, im;

	re = v[1].x * c - v[1].y * s;
	im = v[1].x * s + v[1].y * c;
	v[1].x = v[0].x - re;
	v[1].y = v[0].y - im;
	v[0].x += re;
	v[0].y += im;
}

KERNEL(THREADS) void
fft(struct float2 *data)
{
	SHARED float re[N], im[N];
	int j = tid_x, base = cta_x * N, ns, to;
	struct float2 v[2];

	v[0] = data[base + j];
	v[1] = data[base + j + THREADS];
	NO_UNROLL
	for (ns = 1; ns < THREADS; ns *= 2) {
		stage(j, ns, v);
		to = (j & ~(ns - 1)) * 2 + (j & (ns - 1));
		re[to] = v[0].x;
		im[to] = v[0].y;
		re[to + ns] = v[1].x;
		im[to + ns] = v[1].y;
		barrier();
		v[0].x = re[j];
		v[0].y = im[j];
		v[1].x = re[j + THREADS];
		v[1].y = im[j + THREADS];
		barrier();
	}
	stage(j, THREADS, v);
	data[base + j] = v[0];
	data[base + j + THREADS] = v[1];
}
