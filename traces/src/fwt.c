/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fwt.c - host of fwt.cu. Checked: every element against the convolution by its definition in
 * doubles, within 1e-4 of 8, the size of a sum of 128 products.
 */
#include "workload.h"

#define FILTER 128 /* elements of the filter that are not zero */

/* Data in place, 2^log2_n elements: each step halves twice what a transform goes over. */
static void
transform(struct work *w, CUdeviceptr data, int log2_n)
{
	unsigned parts = 1, n = 1u << log2_n;
	int stride;

	for (; log2_n > 11; log2_n -= 2, parts *= 4) {
		stride = 1 << (log2_n - 2);
		work_launch(w, "fwt_global", DIM(n / parts / 1024, parts), DIM(256, 1), &data,
			    &stride);
	}
	work_launch(w, "fwt_shared", DIM(parts, 1), DIM(n / parts / 4, 1), &data, &log2_n);
}

int
main(int argc, char **argv)
{
	struct work w;
	int log2_n, n, i, k;
	float *data, *filter, *got, *want;
	double sum;
	CUdeviceptr d_data, d_filter;

	work_open(&w, argc, argv, "fwt");
	log2_n = work_size(&w, 17, 20, 23, [WORK_ONAC] = 22, [WORK_CLASO] = 17);
	n = 1 << log2_n;
	data = work_host(&w, (size_t)n * 4);
	filter = work_host(&w, (size_t)n * 4);
	got = work_host(&w, (size_t)n * 4);
	want = work_host(&w, (size_t)n * 4);
	for (i = 0; i < n; i++)
		data[i] = work_randf(&w, -1, 1);
	for (i = 0; i < FILTER; i++)
		filter[i] = work_randf(&w, -1, 1);
	for (i = 0; i < n; i++) {
		for (sum = 0, k = 0; k < FILTER; k++)
			sum += (double)data[i ^ k] * (double)filter[k];
		want[i] = (float)sum;
	}
	d_data = work_put(&w, data, (size_t)n * 4);
	d_filter = work_put(&w, filter, (size_t)n * 4);
	transform(&w, d_data, log2_n);
	transform(&w, d_filter, log2_n);
	work_launch(&w, "modulate", DIM(128, 1), DIM(256, 1), &d_data, &d_filter, &n);
	transform(&w, d_data, log2_n);
	work_get(&w, got, d_data, (size_t)n * 4);
	work_check_f32(&w, "element", got, want, (size_t)n, 1e-4, 8);
	return work_close(&w);
}
