/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mc.c - host of mc.cu. Checked against doubles: the samples within 1e-4; the means of the payoffs
 * and of their squares, over the same samples, within 1e-4 of the larger of them and 1 (100 for
 * squares); the price within a hundredth of the share price of what Black and Scholes give, which
 * is what equidistant numbers come to.
 */
#include "workload.h"

#include <math.h>

#define MAX_OPTIONS 2048

struct option {
	float price, strike, drift, deviation;
};

static double
inverse_normal(double p)
{
	static const double a[] = {2.50662823884, -18.61500062529, 41.39119773534, -25.44106049637};
	static const double b[] = {-8.4735109309, 23.08336743743, -21.06224101826, 3.13082909833};
	static const double c[] = {0.337475482272615,	0.976169019091719,  0.160797971491821,
				   2.76438810333863e-2, 3.8405729373609e-3, 3.951896511919e-4,
				   3.21767881768e-5,	2.888167364e-7,	    3.960315187e-7};
	double y = fabs(p - 0.5), z = y * y, sum = 0;
	int i;

	if (y < 0.42) {
		z = y * (((a[3] * z + a[2]) * z + a[1]) * z + a[0]) /
		    ((((b[3] * z + b[2]) * z + b[1]) * z + b[0]) * z + 1);
	} else {
		z = log(-log(0.5 - y));
		for (i = 8; i >= 0; i--)
			sum = sum * z + c[i];
		z = sum;
	}
	return p >= 0.5 ? z : -z;
}

/* The mean of the payoff: Black and Scholes, not discounted. */
static double
exact_mean(const struct option *o)
{
	double d2 = (log((double)o->price / (double)o->strike) + (double)o->drift) /
		    (double)o->deviation;
	double d1 = d2 + (double)o->deviation;
	double forward = (double)o->price *
			 exp((double)o->drift + 0.5 * (double)o->deviation * (double)o->deviation);

	return forward * 0.5 * erfc(-d1 / sqrt(2)) - (double)o->strike * 0.5 * erfc(-d2 / sqrt(2));
}

static void
sums_of(const struct option *o, const float *sample, int paths, double *sum, double *square)
{
	double payoff;
	int i;

	*sum = *square = 0;
	for (i = 0; i < paths; i++) {
		payoff = o->price *
				 exp((double)o->drift + (double)o->deviation * (double)sample[i]) -
			 (double)o->strike;
		if (payoff <= 0)
			continue;
		*sum += payoff;
		*square += payoff * payoff;
	}
}

static void
check(struct work *w, const struct option *options, const float *value, const float *sample, int n,
      int paths)
{
	float got[3], want[3];
	double sum, square;
	int i;

	for (i = 0; i < n; i++) {
		sums_of(&options[i], sample, paths, &sum, &square);
		got[0] = value[2 * i] / (float)paths;
		got[1] = value[2 * i + 1] / (float)paths;
		want[0] = (float)(sum / paths);
		want[1] = (float)(square / paths);
		want[2] = (float)exact_mean(&options[i]);
		work_check_f32(w, "mean", &got[0], &want[0], 1, 1e-4, 1);
		work_check_f32(w, "square", &got[1], &want[1], 1, 1e-4, 100);
		work_check_f32(w, "price", &got[0], &want[2], 1, 0.01, (double)options[i].price);
	}
}

int
main(int argc, char **argv)
{
	struct work w;
	int n, paths, i;
	size_t bytes;
	struct option options[MAX_OPTIONS] = {{0}};
	float *sample, *want, *value;
	CUdeviceptr d_sample, d_value;

	work_open(&w, argc, argv, "mc");
	n = work_size(&w, 64, 256, MAX_OPTIONS, [WORK_CLASO] = 256);
	paths = work_size(&w, 24576, 65536, 81920, [WORK_CLASO] = 262144);
	bytes = (size_t)paths * 4;
	sample = work_host(&w, bytes);
	want = work_host(&w, bytes);
	value = work_host(&w, (size_t)n * 8);
	for (i = 0; i < n; i++) {
		const float riskfree = 0.06f, volatility = 0.1f;
		float years = work_randf(&w, 1, 5);

		options[i].price = work_randf(&w, 5, 50);
		options[i].strike = work_randf(&w, 10, 25);
		options[i].drift = (riskfree - 0.5f * volatility * volatility) * years;
		options[i].deviation = volatility * sqrtf(years);
	}
	for (i = 0; i < paths; i++)
		want[i] = (float)inverse_normal((i + 1.0) / (paths + 1.0));
	d_sample = work_new(&w, bytes);
	d_value = work_new(&w, (size_t)n * 8);
	work_const(&w, "options", options, sizeof(options));
	work_launch(&w, "inverse_cnd", DIM(128, 1), DIM(128, 1), &d_sample, &paths);
	work_launch(&w, "price", DIM((unsigned)n, 1), DIM(256, 1), &d_value, &d_sample, &paths);
	work_get(&w, sample, d_sample, bytes);
	work_check_f32(&w, "sample", sample, want, (size_t)paths, 1e-4, 1);
	work_get(&w, value, d_value, (size_t)n * 8);
	check(&w, options, value, sample, n, paths);
	return work_close(&w);
}
