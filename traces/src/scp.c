/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scp.c - host of scp.cu. Checked: every product against the sum in doubles, within 1e-5 of the sum
 * of absolute values that a vector of this length can have.
 */
#include "workload.h"

int
main(int argc, char **argv)
{
	struct work w;
	int pairs, elements = 4096, i, k;
	unsigned ctas;
	size_t n;
	float *a, *b, *c, *want;
	CUdeviceptr d_a, d_b, d_c;

	work_open(&w, argc, argv, "scp");
	pairs = work_size(&w, 192, 2048, 10240, [WORK_SHORT] = 256, [WORK_CLASO] = 256);
	ctas = (unsigned)work_size(&w, 96, 1024, 5120, [WORK_SHORT] = 128, [WORK_CLASO] = 128);
	n = (size_t)pairs * (size_t)elements;
	a = work_host(&w, n * 4);
	b = work_host(&w, n * 4);
	c = work_host(&w, (size_t)pairs * 4);
	want = work_host(&w, (size_t)pairs * 4);
	for (i = 0; i < pairs; i++) {
		double sum = 0;

		for (k = 0; k < elements; k++) {
			size_t at = (size_t)i * (size_t)elements + (size_t)k;

			a[at] = work_randf(&w, 0, 1);
			b[at] = work_randf(&w, 0, 1);
			sum += (double)a[at] * b[at];
		}
		want[i] = (float)sum;
	}
	d_a = work_put(&w, a, n * 4);
	d_b = work_put(&w, b, n * 4);
	d_c = work_new(&w, (size_t)pairs * 4);
	work_launch(&w, "scalar_products", DIM(ctas, 1), DIM(256, 1), &d_c, &d_a, &d_b, &pairs,
		    &elements);
	work_get(&w, c, d_c, (size_t)pairs * 4);
	work_check_f32(&w, "product", c, want, (size_t)pairs, 1e-5, 1);
	return work_close(&w);
}
