/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wp.c - host of wp.cu. Air of a standard atmosphere, moist below, with clouds and rain in some
 * columns. Checked: the fields after the step against the scheme in doubles; temperature within
 * 1e-5, water within 1e-3 of 1 g/kg, rain on the ground within 1e-3.
 */
#include "workload.h"

#include <math.h>
#include <string.h>

#define LEVELS 27

struct air {
	float *theta, *vapour, *cloud, *rain, *rho, *exner, *fallen;
};

static double
power(double x, double y)
{
	return x > 0 ? pow(x, y) : 0;
}

static double
fall_rain(const double *rho, double *fall, double dt, double dz)
{
	double speed[LEVELS], moved[LEVELS], ground = 0, fastest = 0, left, above;
	int k, step, steps;

	for (k = 0; k < LEVELS; k++) {
		speed[k] = 36.34 * power(0.001 * rho[k] * fall[k], 0.1364) * sqrt(rho[0] / rho[k]);
		fastest = fmax(fastest, speed[k] * dt / dz);
	}
	steps = (int)(fastest / 0.75) + 1;
	left = dt / steps;
	for (step = 0; step < steps; step++) {
		ground += rho[0] * fall[0] * speed[0] * left;
		for (k = 0; k < LEVELS; k++) {
			above = k < LEVELS - 1 ? rho[k + 1] * fall[k + 1] * speed[k + 1] : 0;
			moved[k] = fmax(fall[k] + (above - rho[k] * fall[k] * speed[k]) * left /
							  (rho[k] * dz),
					0);
		}
		for (k = 0; k < LEVELS; k++) {
			fall[k] = moved[k];
			speed[k] = 36.34 * power(0.001 * rho[k] * fall[k], 0.1364) *
				   sqrt(rho[0] / rho[k]);
		}
	}
	return ground;
}

static void
convert(const struct air *a, int at, double rain, double rho, double dt)
{
	double pi = a->exner[at], t = a->theta[at] * pi, qv = a->vapour[at], qc = a->cloud[at], qr;
	double keep = 1 / (1 + 2.2 * dt * power(rain, 0.875)), grown, es, qvs, gain, wet, evap;
	double p = 100000 * pow(pi, 1004.0 / 287);

	grown = fmin(qc * (1 - keep) + keep * 0.001 * dt * fmax(qc - 0.001, 0), qc);
	qc -= grown;
	qr = rain + grown;
	es = 611.2 * exp(17.67 * (t - 273.15) / (t - 29.65));
	qvs = 0.622 * es / (p - es);
	gain = (qv - qvs) /
	       (1 + p / (p - es) * qvs * (17.67 * 243.5 * 2490) / ((t - 29.65) * (t - 29.65)));
	wet = 0.001 * rho * qr;
	evap = dt * (1.6 + 124.9 * power(wet, 0.2046)) * power(wet, 0.525) /
	       (2.55e8 / (p * qvs) + 5.4e5) * fmax(qvs - qv, 0) / (0.001 * rho * qvs);
	evap = fmin(fmin(evap, fmax(-gain - qc, 0)), qr);
	gain = fmax(gain, -qc);
	a->theta[at] = (float)(a->theta[at] + 2490 / pi * (gain - evap));
	a->vapour[at] = (float)fmax(qv - gain + evap, 0);
	a->cloud[at] = (float)(qc + gain);
	a->rain[at] = (float)(qr - evap);
}

static void
reference(const struct air *a, int n, double dt, double dz)
{
	double rho[LEVELS], fall[LEVELS];
	int column, k;

	for (column = 0; column < n; column++) {
		for (k = 0; k < LEVELS; k++) {
			rho[k] = a->rho[k * n + column];
			fall[k] = a->rain[k * n + column];
		}
		a->fallen[column] = (float)fall_rain(rho, fall, dt, dz);
		for (k = 0; k < LEVELS; k++)
			convert(a, k * n + column, fall[k], rho[k], dt);
	}
}

static void
make_air(struct work *w, struct air *a, int n)
{
	size_t bytes = (size_t)n * LEVELS * 4;
	int k, i;

	a->theta = work_host(w, bytes);
	a->vapour = work_host(w, bytes);
	a->cloud = work_host(w, bytes);
	a->rain = work_host(w, bytes);
	a->rho = work_host(w, bytes);
	a->exner = work_host(w, bytes);
	a->fallen = work_host(w, (size_t)n * 4);
	for (i = 0; i < n; i++) {
		bool cloudy = work_below(w, 3) == 0;
		float warm = work_randf(w, -3, 3);

		for (k = 0; k < LEVELS; k++) {
			double z = 500.0 * k + 250, t = 288.15 - 0.0065 * z + (double)warm;
			double p = 101325 * pow(1 - 2.25577e-5 * z, 5.25588);
			int at = k * n + i;

			a->exner[at] = (float)pow(p / 100000, 287.0 / 1004);
			a->theta[at] = (float)(t / (double)a->exner[at]);
			a->rho[at] = (float)(p / (287 * t));
			a->vapour[at] = 0.012f * expf(-(float)z / 2500) * work_randf(w, 0.6f, 1.1f);
			if (cloudy && k > 2 && k < 14) {
				a->cloud[at] = work_randf(w, 0, 0.003f);
				a->rain[at] = work_randf(w, 0, 0.002f);
			}
		}
	}
}

int
main(int argc, char **argv)
{
	struct work w;
	struct air a;
	int n;
	float dt = 60, dz = 500, *got;
	size_t cells, bytes;
	unsigned gx, gy;
	CUdeviceptr d_theta, d_vapour, d_cloud, d_rain, d_rho, d_exner, d_fallen;

	work_open(&w, argc, argv, "wp");
	gx = (unsigned)work_size(&w, 3, 9, 30, [WORK_SHORT] = 9);
	gy = (unsigned)work_size(&w, 3, 8, 24, [WORK_SHORT] = 8);
	n = (int)(gx * gy) * 64;
	cells = (size_t)n * LEVELS;
	bytes = cells * 4;
	make_air(&w, &a, n);
	got = work_host(&w, bytes);
	d_theta = work_put(&w, a.theta, bytes);
	d_vapour = work_put(&w, a.vapour, bytes);
	d_cloud = work_put(&w, a.cloud, bytes);
	d_rain = work_put(&w, a.rain, bytes);
	d_rho = work_put(&w, a.rho, bytes);
	d_exner = work_put(&w, a.exner, bytes);
	d_fallen = work_new(&w, (size_t)n * 4);
	work_launch(&w, "kessler", DIM(gx, gy), DIM(8, 8), &d_theta, &d_vapour, &d_cloud, &d_rain,
		    &d_rho, &d_exner, &d_fallen, &dt, &dz, &n);
	reference(&a, n, (double)dt, (double)dz);
	work_get(&w, got, d_theta, bytes);
	work_check_f32(&w, "theta", got, a.theta, cells, 1e-5, 1);
	work_get(&w, got, d_vapour, bytes);
	work_check_f32(&w, "vapour", got, a.vapour, cells, 1e-3, 1e-3);
	work_get(&w, got, d_cloud, bytes);
	work_check_f32(&w, "cloud", got, a.cloud, cells, 1e-3, 1e-3);
	work_get(&w, got, d_rain, bytes);
	work_check_f32(&w, "rain", got, a.rain, cells, 1e-3, 1e-3);
	work_get(&w, got, d_fallen, (size_t)n * 4);
	work_check_f32(&w, "fallen", got, a.fallen, (size_t)n, 1e-3, 1);
	return work_close(&w);
}
