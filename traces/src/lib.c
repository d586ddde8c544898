/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lib.c - host of lib.cu. Checked, in doubles: the value of every path within 1e-4 of the larger
 * of it and 10 (it is 100 times a difference of numbers near 1); its derivative by a parallel
 * shift of all rates, by a symmetric difference, within 1e-3 (a path with a swaption at its kink,
 * where the difference means nothing, is recognized by two step sizes that disagree, and left out).
 */
#include "workload.h"

#include <math.h>

#define RATES 24
#define STEPS 12
#define OPTIONS 15

static const int maturity[OPTIONS] = {2, 2, 2, 4, 4, 4, 6, 6, 6, 9, 9, 9, 12, 12, 12};

static double
reference(const float *lambda, const float *swap_rate, const float *z, int paths, double start)
{
	double rate[RATES], bond[RATES], annuity[RATES], b = 1, s = 0, v, value = 0, con, lam;
	int n, i;

	for (i = 0; i < RATES; i++)
		rate[i] = start;
	for (n = 0; n < STEPS; n++) {
		v = 0;
		for (i = n + 1; i < RATES; i++) {
			lam = lambda[i - n - 1];
			con = 0.25 * lam;
			v += con * rate[i] / (1 + 0.25 * rate[i]);
			rate[i] *= exp(con * v + lam * (0.5 * (double)z[n * paths] - 0.5 * con));
		}
	}
	for (n = 0; n < RATES - STEPS; n++) {
		b /= 1 + 0.25 * rate[STEPS + n];
		s += 0.25 * b;
		bond[n] = b;
		annuity[n] = s;
	}
	for (i = 0; i < OPTIONS; i++) {
		n = maturity[i] - 1;
		value += 100 * fmax(0, 1 - bond[n] - (double)swap_rate[i] * annuity[n]);
	}
	for (n = 0; n < STEPS; n++)
		value /= 1 + 0.25 * rate[n];
	return value;
}

/* Sum of 12 uniform numbers: nearly normal. */
static float
normal(struct work *w)
{
	float sum = -6;
	int i;

	for (i = 0; i < 12; i++)
		sum += work_randf(w, 0, 1);
	return sum;
}

int
main(int argc, char **argv)
{
	struct work w;
	int paths, i;
	float *z, *v, *slope, *want, *want_slope, lambda[RATES], swap_rate[OPTIONS];
	size_t bytes;
	unsigned ctas;
	CUdeviceptr d_v, d_slope, d_z;

	work_open(&w, argc, argv, "lib");
	ctas = (unsigned)work_size(&w, 7, 64, 640, [WORK_SHORT] = 64, [WORK_CLASO] = 128);
	paths = (int)ctas * 64;
	bytes = (size_t)paths * 4;
	z = work_host(&w, bytes * STEPS);
	v = work_host(&w, bytes);
	slope = work_host(&w, bytes);
	want = work_host(&w, bytes);
	want_slope = work_host(&w, bytes);
	for (i = 0; i < RATES; i++)
		lambda[i] = 0.2f;
	for (i = 0; i < OPTIONS; i++)
		swap_rate[i] = 0.045f + 0.005f * (float)(i % 3);
	for (i = 0; i < paths * STEPS; i++)
		z[i] = normal(&w);
	work_const(&w, "lambda", lambda, sizeof(lambda));
	work_const(&w, "swap_rate", swap_rate, sizeof(swap_rate));
	work_const(&w, "maturity", maturity, sizeof(maturity));
	d_z = work_put(&w, z, bytes * STEPS);
	d_v = work_new(&w, bytes);
	d_slope = work_new(&w, bytes);
	for (i = 0; i < paths; i++)
		want[i] = (float)reference(lambda, swap_rate, z + i, paths, (double)0.05f);
	work_launch(&w, "value", DIM(ctas, 1), DIM(64, 1), &d_v, &d_z, &paths);
	work_get(&w, v, d_v, bytes);
	work_check_f32(&w, "value", v, want, (size_t)paths, 1e-4, 10);
	work_launch(&w, "greeks", DIM(ctas, 1), DIM(64, 1), &d_v, &d_slope, &d_z, &paths);
	work_get(&w, v, d_v, bytes);
	work_check_f32(&w, "value of greeks", v, want, (size_t)paths, 1e-4, 10);
	work_get(&w, slope, d_slope, bytes);
	for (i = 0; i < paths; i++) {
		double far[2], h;
		int k;

		for (k = 0; k < 2; k++) {
			h = k ? 1e-6 : 1e-5;
			far[k] = (reference(lambda, swap_rate, z + i, paths, (double)0.05f + h) -
				  reference(lambda, swap_rate, z + i, paths, (double)0.05f - h)) /
				 (2 * h);
		}
		want_slope[i] = fabs(far[0] - far[1]) > 0.05 ? slope[i] : (float)far[1];
	}
	work_check_f32(&w, "slope", slope, want_slope, (size_t)paths, 1e-3, 100);
	return work_close(&w);
}
