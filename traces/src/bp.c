/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bp.c - host of bp.cu: one training step; the output layer is the host's, as in the benchmark.
 * (There too, forward leaves its products in the weights, and the host copies the weights anew
 * before adjust.) Checked: partial sums, changes and weights within 1e-5.
 */
#include "workload.h"

#include <math.h>
#include <string.h>

#define HIDDEN 16
#define ROW (HIDDEN + 1)

/* The gradient of the hidden units for one output with target 0.1. */
static void
hidden_delta(const float *partial, int ctas, const float *bias, const float *out, float *delta)
{
	double unit[ROW] = {1}, sum = 0, output, error;
	int i, k;

	for (k = 1; k <= HIDDEN; k++) {
		double s = bias[k];

		for (i = 0; i < ctas; i++)
			s += partial[i * HIDDEN + k - 1];
		unit[k] = 1 / (1 + exp(-s));
	}
	for (k = 0; k <= HIDDEN; k++)
		sum += unit[k] * out[k];
	output = 1 / (1 + exp(-sum));
	error = output * (1 - output) * (0.1 - output);
	for (k = 0; k <= HIDDEN; k++)
		delta[k] = (float)(unit[k] * (1 - unit[k]) * error * out[k]);
}

int
main(int argc, char **argv)
{
	struct work w;
	int ctas, in, i, k;
	float *input, *weight, *got, *partial, *want, out[ROW], delta[ROW];
	size_t bytes;
	CUdeviceptr d_input, d_weight, d_old, d_partial, d_delta;

	work_open(&w, argc, argv, "bp");
	ctas = work_size(&w, 410, 4096, 40960, [WORK_SHORT] = 1024, [WORK_TCS] = 4096,
			 [WORK_ONAC] = 32768, [WORK_CLASO] = 128);
	in = ctas * 16;
	bytes = (size_t)(in + 1) * ROW * 4;
	input = work_host(&w, (size_t)(in + 1) * 4);
	weight = work_host(&w, bytes);
	got = work_host(&w, bytes);
	want = work_host(&w, bytes);
	partial = work_host(&w, (size_t)ctas * HIDDEN * 4);
	input[0] = 1;
	for (i = 1; i <= in; i++)
		input[i] = work_randf(&w, 0, 1);
	for (i = 0; i < (in + 1) * ROW; i++)
		weight[i] = work_randf(&w, -1, 1);
	for (k = 0; k < ROW; k++)
		out[k] = work_randf(&w, -1, 1);
	d_input = work_put(&w, input, (size_t)(in + 1) * 4);
	d_weight = work_put(&w, weight, bytes);
	d_old = work_new(&w, bytes);
	d_partial = work_new(&w, (size_t)ctas * HIDDEN * 4);
	work_launch(&w, "forward", DIM(1, (unsigned)ctas), DIM(16, 16), &d_input, &d_weight,
		    &d_partial);
	work_get(&w, partial, d_partial, (size_t)ctas * HIDDEN * 4);
	for (i = 0; i < ctas * HIDDEN; i++) {
		double sum = 0;

		for (k = 0; k < 16; k++)
			sum += (double)weight[(i / 16 * 16 + k + 1) * ROW + i % 16 + 1] *
			       input[i / 16 * 16 + k + 1];
		want[i] = (float)sum;
	}
	work_check_f32(&w, "partial", partial, want, (size_t)ctas * HIDDEN, 1e-5, 1);

	hidden_delta(partial, ctas, weight, out, delta);
	d_delta = work_put(&w, delta, sizeof(delta));
	work_set(&w, d_weight, weight, bytes);
	work_launch(&w, "adjust", DIM(1, (unsigned)ctas), DIM(16, 16), &d_delta, &d_input,
		    &d_weight, &d_old);
	memset(want, 0, bytes);
	for (i = 0; i <= in; i++)
		for (k = 1; k <= HIDDEN; k++)
			want[i * ROW + k] = 0.3f * delta[k] * input[i];
	work_get(&w, got, d_old, bytes);
	work_check_f32(&w, "change", got, want, (size_t)(in + 1) * ROW, 1e-5, 1e-3);
	for (i = 0; i < (in + 1) * ROW; i++)
		want[i] += weight[i];
	work_get(&w, got, d_weight, bytes);
	work_check_f32(&w, "weight", got, want, (size_t)(in + 1) * ROW, 1e-5, 1);
	return work_close(&w);
}
