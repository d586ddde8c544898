/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mc - SDK MonteCarlo: prices of European call options by Monte Carlo with reduction. Kernel
 * inverse_cnd makes normal samples from equidistant numbers (Moro); in kernel price each CTA takes
 * an option, its threads sum the payoffs and their squares over all samples, and a tree reduces
 * them.
 *
 * 128 CTAs of 128 threads and one of 256 threads per option: 384 CTAs of 192 threads on average for
 * 256 options, as in Yu et al., who have 8 and 5 per core: price has 24 registers. N = 8 and 4, the
 * second by threads (5 with 1536 threads). Default: 256 options, 65 536 paths. claso: the sample's
 * 262 144 paths.
 */
#include "device.h"

#define THREADS 256
#define MAX_OPTIONS 2048

struct option {
	float price, strike, drift, deviation; /* of the logarithm over the whole time */
};

CONSTANT struct option options[MAX_OPTIONS];

/* Moro, "The Full Monte", 1995: rational in the middle, a polynomial of log(-log p) in the tails.
 */
DEVICE float
inverse_normal(float p)
{
	bool upper = p >= 0.5f;
	float y, z;

	if (upper)
		p = 1.0f - p;
	y = 0.5f - p;
	if (y < 0.42f) {
		z = y * y;
		z = y *
		    div_approx(((-25.44106049637f * z + 41.39119773534f) * z - 18.61500062529f) *
					       z +
				       2.50662823884f,
			       (((3.13082909833f * z - 21.06224101826f) * z + 23.08336743743f) * z -
				8.4735109309f) *
					       z +
				       1.0f);
	} else {
		z = log_approx(-log_approx(p));
		y = 3.960315187e-7f;
		y = y * z + 2.888167364e-7f;
		y = y * z + 3.21767881768e-5f;
		y = y * z + 3.951896511919e-4f;
		y = y * z + 3.8405729373609e-3f;
		y = y * z + 2.76438810333863e-2f;
		y = y * z + 0.160797971491821f;
		y = y * z + 0.976169019091719f;
		z = y * z + 0.337475482272615f;
	}
	return upper ? z : -z;
}

KERNEL(128) void
inverse_cnd(float *sample, int paths)
{
	int i, step = grid_x * 128;
	float scale = rcp_approx((float)(paths + 1));

	NO_UNROLL
	for (i = cta_x * 128 + tid_x; i < paths; i += step)
		sample[i] = inverse_normal((float)(i + 1) * scale);
}

MAXNREG(price, 24)
KERNEL(THREADS) void
price(struct float2 *value, const float *sample, int paths)
{
	SHARED float sums[THREADS], squares[THREADS];
	const struct option *o = &options[cta_x];
	float sum = 0, square = 0, payoff;
	int tid = tid_x, i, half;

	NO_UNROLL
	for (i = tid; i < paths; i += THREADS) {
		payoff = max_f(o->price * exp_approx(o->drift + o->deviation * sample[i]) -
				       o->strike,
			       0);
		sum += payoff;
		square += payoff * payoff;
	}
	sums[tid] = sum;
	squares[tid] = square;
	for (half = THREADS / 2; half > 0; half /= 2) {
		barrier();
		if (tid < half) {
			sums[tid] += sums[tid + half];
			squares[tid] += squares[tid + half];
		}
	}
	if (tid == 0)
		value[cta_x] = (struct float2){sums[0], squares[0]};
}
