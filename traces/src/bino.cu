/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bino - SDK binomialOptions: prices of European call options by a binomial tree. A CTA of 256
 * threads per option holds 256 nodes of a level in shared memory and goes back 32 levels before it
 * writes the 224 that are still good to a buffer and takes the next.
 *
 * 256 threads and 2 KiB of shared memory: N = 4 by threads. Default: 512 options as in Song et al.,
 * and trees of 256 steps instead of the sample's 2048. tcs: 512 options, 768 steps.
 */
#include "device.h"

#define CACHE 256
#define LEVELS 32
#define GOOD (CACHE - LEVELS)

struct option {
	float price, strike, step, up, down; /* step: of the logarithm; up, down: discounted */
};

CONSTANT struct option options[512];

KERNEL(CACHE) void
binomial(float *value, float *buffer, int steps)
{
	SHARED float even[CACHE + 1], odd[CACHE + 1];
	const struct option *o = &options[cta_x];
	float *level = buffer + cta_x * (steps + 16), up = o->up, down = o->down;
	int tid = tid_x, i, base, start, end, k;

	NO_UNROLL
	for (i = tid; i <= steps; i += CACHE)
		level[i] =
			max_f(o->price * exp_approx(o->step * (float)(2 * i - steps)) - o->strike,
			      0);
	if (tid == 0)
		even[CACHE] = odd[CACHE] = 0;
	NO_UNROLL
	for (i = steps; i > 0; i -= LEVELS)
		NO_UNROLL
	for (base = 0; base < i; base += GOOD) {
		start = min_i(CACHE - 1, i - base);
		end = start - LEVELS;
		barrier();
		even[tid] = tid <= start ? level[base + tid] : 0;
		UNROLL_BY_4
		for (k = 0; k < LEVELS; k += 2) {
			barrier();
			odd[tid] = up * even[tid + 1] + down * even[tid];
			barrier();
			even[tid] = up * odd[tid + 1] + down * odd[tid];
		}
		barrier();
		if (tid <= end)
			level[base + tid] = even[tid];
	}
	if (tid == 0)
		value[cta_x] = even[0];
}
