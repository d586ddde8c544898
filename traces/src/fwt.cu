/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fwt - SDK fastWalshTransform: a dyadic convolution. Data and filter are transformed, multiplied
 * and transformed back. A transform goes in radix-4 steps through global memory (fwt_global) until
 * what is left, 1024 or 2048 elements, fits shared memory (fwt_shared).
 *
 * Zhu et al., type A. fwt_global and modulate have CTAs of 256 threads, N = 4 on kayiran30 by its
 * 1024 threads; fwt_global's is 5 where 1536 fit: CLASO's mean of 4.62 over its 13 launches is 9
 * times 5, 3 times 3 and once 6, so that the real kernel has 22 to 25 registers (.maxnreg 24).
 * fwt_shared has CTAs of a quarter of its elements, 256 or 512, with 8 KiB.
 *
 * Default: 2^20 elements (1,024 CTAs in each of 19 launches). claso: 2^17, in 13 launches the 1,472
 * CTAs, 315 threads in the mean, of Yu et al., Table 2. onac: the 32,768 CTAs of Zhu et al., Table
 * II, are 2^25 elements; here an eighth, 2^22, 4,096 CTAs.
 */
#include "device.h"

#define SHARED_ELEMENTS 2048

/* Two steps of the transform on four elements. */
#define BUTTERFLY(a, b, c, d)               \
	do {                                \
		float s = a + c, t = a - c; \
		float u = b + d, v = b - d; \
		a = s + u, b = s - u;       \
		c = t + v, d = t - v;       \
	} while (0)

MAXNREG(fwt_global, 24)
KERNEL(256) void
fwt_global(float *data, int stride)
{
	int i = cta_x * 256 + tid_x, low = i & (stride - 1), first = (i - low) * 4 + low;
	float *at = data + cta_y * (256 * grid_x * 4) + first;
	float a = at[0], b = at[stride], c = at[2 * stride], d = at[3 * stride];

	BUTTERFLY(a, b, c, d);
	at[0] = a;
	at[stride] = b;
	at[2 * stride] = c;
	at[3 * stride] = d;
}

KERNEL(512) void
fwt_shared(float *data, int log2_n)
{
	SHARED float s[SHARED_ELEMENTS];
	int n = 1 << log2_n, base = cta_x << log2_n, i, low, first, stride;
	float a, b, c, d;

	for (i = tid_x; i < n; i += block_x)
		s[i] = data[base + i];
	for (stride = n / 4; stride > 0; stride >>= 2) {
		barrier();
		low = tid_x & (stride - 1);
		first = (tid_x - low) * 4 + low;
		a = s[first];
		b = s[first + stride];
		c = s[first + 2 * stride];
		d = s[first + 3 * stride];
		BUTTERFLY(a, b, c, d);
		s[first] = a;
		s[first + stride] = b;
		s[first + 2 * stride] = c;
		s[first + 3 * stride] = d;
	}
	if (log2_n & 1) {
		barrier();
		for (i = tid_x; i < n / 2; i += block_x) {
			a = s[2 * i];
			b = s[2 * i + 1];
			s[2 * i] = a + b;
			s[2 * i + 1] = a - b;
		}
	}
	barrier();
	for (i = tid_x; i < n; i += block_x)
		data[base + i] = s[i];
}

KERNEL(256) void
modulate(float *data, const float *filter, int n)
{
	float scale = rcp_approx((float)n);
	int i;

	for (i = cta_x * 256 + tid_x; i < n; i += grid_x * 256)
		data[i] *= filter[i] * scale;
}
