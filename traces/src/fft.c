/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fft.c - host of fft.cu. Checked: every coefficient against the sum that defines it, in doubles,
 * within 1e-4 of the larger of its size and 1 (sin.approx and cos.approx are good to about 1e-6).
 */
#include "workload.h"

#include <math.h>

#define N 256

int
main(int argc, char **argv)
{
	struct work w;
	int batch, i, k, b;
	float *data, *want;
	double c[N], s[N];
	size_t n;
	CUdeviceptr d_data;

	work_open(&w, argc, argv, "fft");
	batch = work_size(&w, 205, 2048, 20480, [WORK_SHORT] = 1024);
	n = (size_t)batch * N * 2;
	data = work_host(&w, n * 4);
	want = work_host(&w, n * 4);
	for (i = 0; i < (int)n; i++)
		data[i] = work_randf(&w, -1, 1);
	for (i = 0; i < N; i++) {
		c[i] = cos(-2 * 3.14159265358979323846 * i / N);
		s[i] = sin(-2 * 3.14159265358979323846 * i / N);
	}
	for (b = 0; b < batch; b++)
		for (k = 0; k < N; k++) {
			const float *v = data + b * N * 2;
			double re = 0, im = 0;

			for (i = 0; i < N; i++) {
				double x = (double)v[2 * i], y = (double)v[2 * i + 1];
				int a = i * k % N;

				re += x * c[a] - y * s[a];
				im += x * s[a] + y * c[a];
			}
			want[(b * N + k) * 2] = (float)re;
			want[(b * N + k) * 2 + 1] = (float)im;
		}
	d_data = work_put(&w, data, n * 4);
	work_launch(&w, "fft", DIM((unsigned)batch, 1), DIM(N / 2, 1), &d_data);
	work_get(&w, data, d_data, n * 4);
	work_check_f32(&w, "fft", data, want, n, 1e-4, 1);
	return work_close(&w);
}
