/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sla - SDK scanLargeArray: the exclusive prefix sums of a large array (Blelloch; Harris, Sengupta
 * and Owens, GPU Gems 3, chapter 39). A CTA of 256 threads scans 512 elements in shared memory, up
 * and down a tree, and leaves their sum; the sums are scanned in the same way, level by level, and
 * added to all elements of their block. The last block of an array is a launch of its own.
 *
 * CTAs of 256 threads, 2.2 KiB of shared memory: N = 4 by threads (6 in Yu et al., 1536 threads).
 * Default: 1921 blocks of 512. claso: 193 blocks, which with the sample's first scan of a single
 * block are the 387 CTAs in 6 launches of Yu et al.
 */
#include "device.h"

#define THREADS 256
#define BLOCK (2 * THREADS)

/* 16 banks: every sixteenth place is left free, so that strides of powers of two do not conflict.
 */
DEVICE int
place(int i)
{
	return i + (i >> 4);
}

/* n: elements from element first on; sums NULL: their sum is not wanted. */
KERNEL(THREADS) void
scan_block(float *out, const float *in, float *sums, int n, int first, int first_sum)
{
	SHARED float s[BLOCK + BLOCK / 16];
	int tid = tid_x, a = tid, b = tid + THREADS, base = first + cta_x * BLOCK;
	int left = n - cta_x * BLOCK, stride = 1, half, i, j;
	float t;

	s[place(a)] = a < left ? in[base + a] : 0;
	s[place(b)] = b < left ? in[base + b] : 0;
	NO_UNROLL
	for (half = THREADS; half > 0; half /= 2) {
		barrier();
		if (tid < half) {
			i = place(stride * (2 * tid + 1) - 1);
			j = place(stride * (2 * tid + 2) - 1);
			s[j] += s[i];
		}
		stride *= 2;
	}
	if (tid == 0) {
		if (sums)
			sums[first_sum + cta_x] = s[place(BLOCK - 1)];
		s[place(BLOCK - 1)] = 0;
	}
	NO_UNROLL
	for (half = 1; half <= THREADS; half *= 2) {
		stride /= 2;
		barrier();
		if (tid < half) {
			i = place(stride * (2 * tid + 1) - 1);
			j = place(stride * (2 * tid + 2) - 1);
			t = s[i];
			s[i] = s[j];
			s[j] += t;
		}
	}
	barrier();
	if (a < left)
		out[base + a] = s[place(a)];
	if (b < left)
		out[base + b] = s[place(b)];
}

KERNEL(THREADS) void
add_sums(float *out, const float *sums, int n, int first, int first_sum)
{
	SHARED float sum;
	int tid = tid_x, base = first + cta_x * BLOCK, left = n - cta_x * BLOCK;

	if (tid == 0)
		sum = sums[first_sum + cta_x];
	barrier();
	if (tid < left)
		out[base + tid] += sum;
	if (tid + THREADS < left)
		out[base + tid + THREADS] += sum;
}
