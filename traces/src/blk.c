/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blk.c - host of blk.cu. Checked: all prices against the formula in doubles, within 1e-4 of
 * the larger of the price and 1.
 */
#include "workload.h"

#include <math.h>

static double
normal_cdf(double d)
{
	double k = 1 / (1 + 0.2316419 * fabs(d)), c;

	c = 0.39894228040143267794 * exp(-0.5 * d * d) *
	    (k * (0.31938153 +
		  k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
	return d > 0 ? 1 - c : c;
}

static void
reference(double s, double x, double t, double r, double v, float *call, float *put)
{
	double d1 = (log(s / x) + (r + 0.5 * v * v) * t) / (v * sqrt(t)), d2 = d1 - v * sqrt(t);
	double n1 = normal_cdf(d1), n2 = normal_cdf(d2), discounted = x * exp(-r * t);

	*call = (float)(s * n1 - discounted * n2);
	*put = (float)(discounted * (1 - n2) - s * (1 - n1));
}

int
main(int argc, char **argv)
{
	struct work w;
	int n, i;
	size_t bytes;
	unsigned ctas;
	float *s, *x, *t, *call, *put, *want_call, *want_put, riskfree = 0.02f, volatility = 0.3f;
	CUdeviceptr d_s, d_x, d_t, d_call, d_put;

	work_open(&w, argc, argv, "blk");
	ctas = (unsigned)work_size(&w, 205, 2048,
				   20480, [WORK_SHORT] = 480, [WORK_TCS] = 480, [WORK_CLASO] = 480);
	n = work_size(&w, 205 * 128 * 4, 2048 * 128 * 4, 20480 * 128 * 4,
		      [WORK_SHORT] = 480 * 128 * 4, [WORK_TCS] = 4000000, [WORK_CLASO] = 4000000);
	bytes = (size_t)n * 4;
	s = work_host(&w, bytes);
	x = work_host(&w, bytes);
	t = work_host(&w, bytes);
	call = work_host(&w, bytes);
	put = work_host(&w, bytes);
	want_call = work_host(&w, bytes);
	want_put = work_host(&w, bytes);
	for (i = 0; i < n; i++) {
		s[i] = work_randf(&w, 5, 30);
		x[i] = work_randf(&w, 1, 100);
		t[i] = work_randf(&w, 0.25f, 10);
		reference(s[i], x[i], t[i], riskfree, volatility, &want_call[i], &want_put[i]);
	}
	d_s = work_put(&w, s, bytes);
	d_x = work_put(&w, x, bytes);
	d_t = work_put(&w, t, bytes);
	d_call = work_new(&w, bytes);
	d_put = work_new(&w, bytes);
	work_launch(&w, "black_scholes", DIM(ctas, 1), DIM(128, 1), &d_call, &d_put, &d_s, &d_x,
		    &d_t, &riskfree, &volatility, &n);
	work_get(&w, call, d_call, bytes);
	work_get(&w, put, d_put, bytes);
	work_check_f32(&w, "call", call, want_call, (size_t)n, 1e-4, 1);
	work_check_f32(&w, "put", put, want_put, (size_t)n, 1e-4, 1);
	return work_close(&w);
}
