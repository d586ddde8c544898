/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lib - GPGPU-Sim LIB (Giles): LIBOR market model by Monte Carlo. Each path evolves forward rates
 * over the time steps and values a portfolio of swaptions (kernel value); kernel greeks does the
 * same and then goes back through the path for the derivatives (adjoint), for which all rates of
 * the path are kept.
 *
 * Type M: rates and their history are arrays in local memory. CTAs of 64 threads: N = 8, the limit
 * of CTAs, as in Kayiran et al.
 *
 * Sizes: default 4096 paths (64 CTAs, as the benchmark), 24 rates and 12 steps (the benchmark has
 * 80 and 40); so is short; small 7 and large 640 CTAs; claso 128 in each of the two launches.
 */
#include "device.h"

#define RATES 24
#define STEPS 12
#define OPTIONS 15

CONSTANT float lambda[RATES];
CONSTANT float swap_rate[OPTIONS];
CONSTANT int maturity[OPTIONS];

#define DELTA 0.25f

/* One step; v grows over the rates that are still alive. */
DEVICE void
evolve(float *rate, float z, int n)
{
	float root = 0.5f * z, v = 0, lam, con; /* sqrt(DELTA) is 0.5 */
	int i;

	NO_UNROLL
	for (i = n + 1; i < RATES; i++) {
		lam = lambda[i - n - 1];
		con = DELTA * lam;
		v += div_approx(con * rate[i], 1.0f + DELTA * rate[i]);
		rate[i] *= exp_approx(con * v + lam * (root - 0.5f * con));
	}
}

DEVICE float
portfolio(const float *rate)
{
	float bond[RATES - STEPS], annuity[RATES - STEPS], b = 1, s = 0, v = 0, swap;
	int n, i, m;

	NO_UNROLL
	for (n = STEPS; n < RATES; n++) {
		b = div_approx(b, 1.0f + DELTA * rate[n]);
		s += DELTA * b;
		bond[n - STEPS] = b;
		annuity[n - STEPS] = s;
	}
	NO_UNROLL
	for (i = 0; i < OPTIONS; i++) {
		m = maturity[i] - 1;
		swap = bond[m] + swap_rate[i] * annuity[m] - 1.0f;
		if (swap < 0)
			v -= 100.0f * swap;
	}
	NO_UNROLL
	for (n = 0; n < STEPS; n++)
		v = div_approx(v, 1.0f + DELTA * rate[n]);
	return v;
}

KERNEL(64) void
value(float *v, const float *z, int paths)
{
	int path, i, n;
	float rate[RATES];

	for (path = cta_x * 64 + tid_x; path < paths; path += grid_x * 64) {
		NO_UNROLL
		for (i = 0; i < RATES; i++)
			rate[i] = 0.05f;
		NO_UNROLL
		for (n = 0; n < STEPS; n++)
			evolve(rate, z[n * paths + path], n);
		v[path] = portfolio(rate);
	}
}

/* Portfolio and its derivatives by the final rates. */
DEVICE float
portfolio_adjoint(const float *rate, float *adjoint)
{
	float bond[RATES - STEPS], by_bond[RATES - STEPS], by_annuity[RATES - STEPS];
	float b = 1, s = 0, v = 0, discount = 1, swap, sum = 0, sum_annuity = 0;
	float annuity[RATES - STEPS];
	int n, i, m;

	NO_UNROLL
	for (n = 0; n < STEPS; n++)
		discount = div_approx(discount, 1.0f + DELTA * rate[n]);
	NO_UNROLL
	for (n = 0; n < RATES - STEPS; n++) {
		b = div_approx(b, 1.0f + DELTA * rate[STEPS + n]);
		s += DELTA * b;
		bond[n] = b;
		annuity[n] = s;
		by_bond[n] = by_annuity[n] = 0;
	}
	NO_UNROLL
	for (i = 0; i < OPTIONS; i++) {
		m = maturity[i] - 1;
		swap = bond[m] + swap_rate[i] * annuity[m] - 1.0f;
		if (swap < 0) {
			v -= 100.0f * swap;
			by_bond[m] -= 100.0f * discount;
			by_annuity[m] -= 100.0f * discount * swap_rate[i];
		}
	}
	v *= discount;
	NO_UNROLL
	for (n = RATES - STEPS - 1; n >= 0; n--) {
		sum_annuity += by_annuity[n];
		sum += (by_bond[n] + DELTA * sum_annuity) * bond[n];
		adjoint[STEPS + n] = -DELTA * div_approx(sum, 1.0f + DELTA * rate[STEPS + n]);
	}
	NO_UNROLL
	for (n = 0; n < STEPS; n++)
		adjoint[n] = -DELTA * div_approx(v, 1.0f + DELTA * rate[n]);
	return v;
}

KERNEL(64) void
greeks(float *v, float *slope, const float *z, int paths)
{
	int path, i, n;
	float rate[STEPS + 1][RATES], adjoint[RATES], bar, lam, con, sum, d;

	for (path = cta_x * 64 + tid_x; path < paths; path += grid_x * 64) {
		NO_UNROLL
		for (i = 0; i < RATES; i++)
			rate[0][i] = 0.05f;
		NO_UNROLL
		for (n = 0; n < STEPS; n++) {
			NO_UNROLL
			for (i = 0; i < RATES; i++)
				rate[n + 1][i] = rate[n][i];
			evolve(rate[n + 1], z[n * paths + path], n);
		}
		v[path] = portfolio_adjoint(rate[STEPS], adjoint);
		NO_UNROLL
		for (n = STEPS - 1; n >= 0; n--) {
			bar = 0;
			NO_UNROLL
			for (i = RATES - 1; i > n; i--) {
				lam = lambda[i - n - 1];
				con = DELTA * lam;
				bar += con * adjoint[i] * rate[n + 1][i];
				d = 1.0f + DELTA * rate[n][i];
				adjoint[i] = adjoint[i] * div_approx(rate[n + 1][i], rate[n][i]) +
					     div_approx(bar * con, d * d);
			}
		}
		sum = 0;
		NO_UNROLL
		for (i = 0; i < RATES; i++)
			sum += adjoint[i];
		slope[path] = sum;
	}
}
