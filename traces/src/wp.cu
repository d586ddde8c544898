/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wp - GPGPU-Sim WP (microphysics of the WRF weather model; Michalakes and Vachharajani): rain and
 * clouds in columns of air. A thread goes through one column several times: fall speeds and the
 * fall of rain in sub-steps, then conversion of cloud to rain, condensation and evaporation, with
 * arrays of intermediate values per level between.
 *
 * Type M: these arrays are local memory. The benchmark's scheme is WSM5 (with ice); this is
 * Kessler's warm rain, of the same structure and shorter. CTAs of 8 x 8 threads (ISPASS 2009): N =
 * 8 on kayiran30, the limit of CTAs.
 *
 * Sizes: default 4608 columns of 27 levels in 72 CTAs, as the benchmark has; so is short; small 9
 * CTAs, large 720.
 */
#include "device.h"

#define LEVELS 27

DEVICE float
power(float x, float y)
{
	return x > 0 ? ex2_approx(y * lg2_approx(x)) : 0;
}

KERNEL(64) void
kessler(float *theta, float *vapour, float *cloud, float *rain, const float *rho_in,
	const float *exner_in, float *fallen, float dt, float dz, int n)
{
	int column = (cta_y * grid_x + cta_x) * 64 + tid_y * 8 + tid_x, k, step, steps;
	float speed[LEVELS], fall[LEVELS], rho[LEVELS], moved[LEVELS], produced[LEVELS];
	float fastest = 0, left, ground = 0, flux, above;

	if (column >= n)
		return;
	NO_UNROLL
	for (k = 0; k < LEVELS; k++) {
		rho[k] = rho_in[k * n + column];
		fall[k] = rain[k * n + column];
		speed[k] = 36.34f * power(0.001f * rho[k] * fall[k], 0.1364f) *
			   sqrt_rn(div_approx(rho[0], rho[k]));
		fastest = max_f(fastest, speed[k] * dt / dz);
	}
	/* Rain falls at most three quarters of a level per sub-step. */
	steps = (int)(fastest / 0.75f) + 1;
	left = dt / (float)steps;
	NO_UNROLL
	for (step = 0; step < steps; step++) {
		ground += rho[0] * fall[0] * speed[0] * left;
		NO_UNROLL
		for (k = 0; k < LEVELS; k++) {
			above = k < LEVELS - 1 ? rho[k + 1] * fall[k + 1] * speed[k + 1] : 0;
			flux = (above - rho[k] * fall[k] * speed[k]) *
			       div_approx(left, rho[k] * dz);
			moved[k] = max_f(fall[k] + flux, 0);
		}
		NO_UNROLL
		for (k = 0; k < LEVELS; k++) {
			fall[k] = moved[k];
			speed[k] = 36.34f * power(0.001f * rho[k] * fall[k], 0.1364f) *
				   sqrt_rn(div_approx(rho[0], rho[k]));
		}
	}
	fallen[column] += ground;
	/* Cloud becomes rain: by itself, and collected by falling rain. */
	NO_UNROLL
	for (k = 0; k < LEVELS; k++) {
		float qc = cloud[k * n + column];
		float keep = rcp_approx(1.0f + 2.2f * dt * power(fall[k], 0.875f));
		float grown = qc * (1.0f - keep) + keep * 0.001f * dt * max_f(qc - 0.001f, 0);

		produced[k] = min_f(grown, qc);
	}
	NO_UNROLL
	for (k = 0; k < LEVELS; k++) {
		int at = k * n + column;
		float pi = exner_in[at], t = theta[at] * pi, qv = vapour[at], qr, qc, gain, es, qvs;
		float p = 100000.0f * power(pi, 1004.0f / 287.0f), evaporated, wet;

		qc = cloud[at] - produced[k];
		qr = fall[k] + produced[k];
		es = 611.2f * exp_approx(17.67f * div_approx(t - 273.15f, t - 29.65f));
		qvs = 0.622f * div_approx(es, p - es);
		gain = div_approx(qv - qvs,
				  1.0f + div_approx(p, p - es) * qvs *
						  div_approx(17.67f * 243.5f * 2490.0f,
							     (t - 29.65f) * (t - 29.65f)));
		wet = 0.001f * rho[k] * qr;
		evaporated = dt * (1.6f + 124.9f * power(wet, 0.2046f)) * power(wet, 0.525f);
		evaporated = div_approx(evaporated, div_approx(2.55e8f, p * qvs) + 5.4e5f);
		evaporated *= div_approx(max_f(qvs - qv, 0), 0.001f * rho[k] * qvs);
		evaporated = min_f(min_f(evaporated, max_f(-gain - qc, 0)), qr);
		gain = max_f(gain, -qc);
		theta[at] += div_approx(2490.0f, pi) * (gain - evaporated);
		vapour[at] = max_f(qv - gain + evaporated, 0);
		cloud[at] = qc + gain;
		rain[at] = qr - evaporated;
	}
}
