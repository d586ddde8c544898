/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lud.c - host of lud.cu. The matrix is random with a strong diagonal, so that no pivoting is
 * needed. Checked: L and U against an untiled decomposition in doubles, within 1e-3.
 */
#include "workload.h"

int
main(int argc, char **argv)
{
	struct work w;
	int n, i, j, k, steps, offset;
	float *m, *want;
	double *a;
	size_t bytes;
	unsigned left;
	CUdeviceptr d_m;

	work_open(&w, argc, argv, "lud");
	n = work_size(&w, 112, 256, 576, [WORK_SHORT] = 256, [WORK_ONAC] = 4096);
	bytes = (size_t)n * (size_t)n * 4;
	m = work_host(&w, bytes);
	want = work_host(&w, bytes);
	a = work_host(&w, bytes * 2);
	for (i = 0; i < n * n; i++) {
		m[i] = work_randf(&w, -1, 1) + (i / n == i % n ? (float)n / 4 : 0);
		a[i] = m[i];
	}
	steps = work_size(&w, n / 16, n / 16, n / 16, [WORK_SHORT] = n / 16, [WORK_ONAC] = 1);
	for (k = 0; k < 16 * steps; k++)
		for (i = k + 1; i < n; i++) {
			a[i * n + k] /= a[k * n + k];
			for (j = k + 1; j < n; j++)
				a[i * n + j] -= a[i * n + k] * a[k * n + j];
		}
	for (i = 0; i < n * n; i++)
		want[i] = (float)a[i];
	d_m = work_put(&w, m, bytes);
	for (offset = 0; offset < n - 16 && offset < 16 * steps; offset += 16) {
		left = (unsigned)(n - offset) / 16 - 1;
		work_launch(&w, "diagonal", DIM(1, 1), DIM(16, 1), &d_m, &n, &offset);
		work_launch(&w, "perimeter", DIM(left, 1), DIM(32, 1), &d_m, &n, &offset);
		work_launch(&w, "internal", DIM(left, left), DIM(16, 16), &d_m, &n, &offset);
	}
	if (offset == n - 16)
		work_launch(&w, "diagonal", DIM(1, 1), DIM(16, 1), &d_m, &n, &offset);
	work_get(&w, m, d_m, bytes);
	work_check_f32(&w, "lu", m, want, (size_t)n * (size_t)n, 1e-3, 1);
	return work_close(&w);
}
