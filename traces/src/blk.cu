/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blk - SDK BlackScholes: prices of European call and put options by the closed formula, the
 * cumulative normal distribution by Hull's polynomial. Threads stride over the options by the size
 * of the grid.
 *
 * Type C. CTAs of 128 threads, 8 per core, as in CLASO: N = 8.
 *
 * Sizes: default 2048 CTAs (8 waves) with four options per thread; small 205 and large 20,480 CTAs;
 * short 480. tcs and claso: the sample's 4,000,000 options on 480 CTAs, 65 per thread.
 */
#include "device.h"

DEVICE float
normal_cdf(float d)
{
	float k = rcp_approx(1.0f + 0.2316419f * abs_f(d)), c;

	c = 0.39894228040143267794f * exp_approx(-0.5f * d * d) *
	    (k * (0.31938153f + k * (-0.356563782f +
				     k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
	return d > 0 ? 1.0f - c : c;
}

KERNEL(128) void
black_scholes(float *call, float *put, const float *price, const float *strike, const float *years,
	      float riskfree, float volatility, int n)
{
	int i, step = grid_x * 128;
	float root, d1, d2, n1, n2, discounted;

	NO_UNROLL
	for (i = cta_x * 128 + tid_x; i < n; i += step) {
		float s = price[i], x = strike[i], t = years[i];

		root = sqrt_rn(t);
		d1 = div_approx(log_approx(div_approx(s, x)) +
					(riskfree + 0.5f * volatility * volatility) * t,
				volatility * root);
		d2 = d1 - volatility * root;
		n1 = normal_cdf(d1);
		n2 = normal_cdf(d2);
		discounted = x * exp_approx(-riskfree * t);
		call[i] = s * n1 - discounted * n2;
		put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
	}
}
