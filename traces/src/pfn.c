/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pfn.c - host of pfn.cu: moves the particles, weighs them by their distance to the object (as it
 * would be measured), sums the weights up. Checked: the resampled particles, exactly.
 */
#include "workload.h"

#include <math.h>
#include <string.h>

/* Moves and weighs the particles of a frame: summed weights and the numbers to look for. */
static void
prepare(struct work *w, int n, int frame, double *x, double *y, double *total, double *u)
{
	double dx, dy, sum = 0, u1 = (double)work_randf(w, 0, 1) / n;
	int i;

	for (i = 0; i < n; i++) {
		x[i] += 1 + 5 * (double)(work_randf(w, -1, 1) + work_randf(w, -1, 1));
		y[i] += -2 + 2 * (double)(work_randf(w, -1, 1) + work_randf(w, -1, 1));
		dx = x[i] - 64 - frame;
		dy = y[i] - 64 + 2 * frame;
		sum += exp(-(dx * dx + dy * dy) / 20);
		total[i] = sum;
	}
	for (i = 0; i < n; i++) {
		total[i] /= sum;
		u[i] = u1 + (double)i / n;
	}
}

int
main(int argc, char **argv)
{
	struct work w;
	int n, i, k, frame;
	size_t bytes;
	double *x, *y, *total, *u, *want_x, *want_y;
	CUdeviceptr d_x, d_y, d_total, d_u, d_x2, d_y2;

	work_open(&w, argc, argv, "pfn");
	n = work_size(&w, 768, 3072, 10240, [WORK_SHORT] = 3072);
	bytes = (size_t)n * 8;
	x = work_host(&w, bytes);
	y = work_host(&w, bytes);
	total = work_host(&w, bytes);
	u = work_host(&w, bytes);
	want_x = work_host(&w, bytes);
	want_y = work_host(&w, bytes);
	d_x = work_new(&w, bytes);
	d_y = work_new(&w, bytes);
	d_total = work_new(&w, bytes);
	d_u = work_new(&w, bytes);
	d_x2 = work_new(&w, bytes);
	d_y2 = work_new(&w, bytes);
	for (i = 0; i < n; i++)
		x[i] = y[i] = 64;
	for (frame = 1; frame <= 2; frame++) {
		prepare(&w, n, frame, x, y, total, u);
		for (i = 0; i < n; i++) {
			for (k = 0; k < n - 1 && total[k] < u[i]; k++)
				;
			want_x[i] = x[k];
			want_y[i] = y[k];
		}
		work_set(&w, d_x, x, bytes);
		work_set(&w, d_y, y, bytes);
		work_set(&w, d_total, total, bytes);
		work_set(&w, d_u, u, bytes);
		work_launch(&w, "resample", DIM((unsigned)work_div_up(n, 128), 1), DIM(128, 1),
			    &d_x, &d_y, &d_total, &d_u, &d_x2, &d_y2, &n);
		work_get(&w, x, d_x2, bytes);
		work_get(&w, y, d_y2, bytes);
		work_check_bytes(&w, "x", x, want_x, bytes);
		work_check_bytes(&w, "y", y, want_y, bytes);
	}
	return work_close(&w);
}
