/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * path.c - host of path.cu. Checked: the cheapest cost of every column against the same recurrence
 * over whole rows, exactly.
 */
#include "workload.h"

#include <string.h>

#define BLOCK 256
#define HEIGHT 20

static int
min_of(int a, int b)
{
	return a < b ? a : b;
}

static void
reference(const int *wall, int *cost, int *tmp, int cols, int rows)
{
	int r, x, best;

	for (r = 0; r < rows; r++) {
		memcpy(tmp, cost, (size_t)cols * 4);
		for (x = 0; x < cols; x++) {
			best = min_of(tmp[x], tmp[x ? x - 1 : 0]);
			best = min_of(best, tmp[x < cols - 1 ? x + 1 : x]);
			cost[x] = best + wall[(size_t)r * (size_t)cols + (size_t)x];
		}
	}
}

int
main(int argc, char **argv)
{
	struct work w;
	int ctas, cols, rows, first, step, border = HEIGHT, *wall, *cost, *got, *tmp;
	size_t n, i, bytes;
	CUdeviceptr d_wall, d_from, d_to, d_tmp;

	work_open(&w, argc, argv, "path");
	ctas = work_size(&w, 200, 1000, 5000, [WORK_ONAC] = 46297 / 4);
	rows = work_size(&w, HEIGHT, 2 * HEIGHT, 4 * HEIGHT, [WORK_ONAC] = HEIGHT);
	cols = ctas * (BLOCK - 2 * HEIGHT) - 80; /* the last CTA is not full */
	n = (size_t)cols * (size_t)rows;
	bytes = (size_t)cols * 4;
	wall = work_host(&w, n * 4);
	cost = work_host(&w, bytes);
	got = work_host(&w, bytes);
	tmp = work_host(&w, bytes);
	for (i = 0; i < n; i++)
		wall[i] = (int)work_below(&w, 10);
	for (i = 0; i < (size_t)cols; i++)
		cost[i] = (int)work_below(&w, 10);
	d_wall = work_put(&w, wall, n * 4);
	d_from = work_put(&w, cost, bytes);
	d_to = work_new(&w, bytes);
	step = HEIGHT;
	for (first = 0; first < rows; first += HEIGHT) {
		work_launch(&w, "dynamic_rows", DIM((unsigned)ctas, 1), DIM(BLOCK, 1), &step,
			    &d_wall, &d_from, &d_to, &cols, &first, &border);
		d_tmp = d_from;
		d_from = d_to;
		d_to = d_tmp;
	}
	work_get(&w, got, d_from, bytes);
	reference(wall, cost, tmp, cols, rows);
	work_check_i32(&w, "cost", got, cost, (size_t)cols);
	return work_close(&w);
}
