/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mm.c - host of mm.cu. Checked: every element against the sum in doubles, within 1e-5.
 */
#include "workload.h"

int
main(int argc, char **argv)
{
	struct work w;
	int rows, cols, depth, i, j, k;
	float *a, *b, *c, *want;
	size_t cells;
	CUdeviceptr d_a, d_b, d_c;

	work_open(&w, argc, argv, "mm");
	rows = work_size(&w, 256, 1024, 1024, [WORK_SHORT] = 1024);
	cols = work_size(&w, 416, 1056, 1056, [WORK_SHORT] = 480);
	depth = work_size(&w, 160, 160, 992, [WORK_SHORT] = 64);
	cells = (size_t)rows * (size_t)cols;
	a = work_host(&w, (size_t)(rows * depth) * 4);
	b = work_host(&w, (size_t)(cols * depth) * 4);
	c = work_host(&w, cells * 4);
	want = work_host(&w, cells * 4);
	for (i = 0; i < rows * depth; i++)
		a[i] = work_randf(&w, 0, 1);
	for (i = 0; i < cols * depth; i++)
		b[i] = work_randf(&w, 0, 1);
	for (j = 0; j < cols; j++)
		for (i = 0; i < rows; i++) {
			double sum = 0;

			for (k = 0; k < depth; k++)
				sum += (double)a[k * rows + i] * b[k * cols + j];
			want[j * rows + i] = (float)sum;
		}
	d_a = work_put(&w, a, (size_t)(rows * depth) * 4);
	d_b = work_put(&w, b, (size_t)(cols * depth) * 4);
	d_c = work_new(&w, cells * 4);
	work_launch(&w, "sgemm", DIM((unsigned)rows / 128, (unsigned)cols / 16), DIM(16, 8), &d_a,
		    &rows, &d_b, &cols, &d_c, &rows, &depth);
	work_get(&w, c, d_c, cells * 4);
	work_check_f32(&w, "c", c, want, cells, 1e-5, 1);
	return work_close(&w);
}
