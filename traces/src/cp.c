/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cp.c - host of cp.cu. Checked: the potential at every point against sums in doubles, within 1e-4.
 */
#include "workload.h"

#include <math.h>

int
main(int argc, char **argv)
{
	struct work w;
	int side, n, i, x, y;
	float(*atom)[4], *grid, *want, spacing = 0.1f;
	size_t cells;
	CUdeviceptr d_grid;

	work_open(&w, argc, argv, "cp");
	side = work_size(&w, 512, 1408, 1408, [WORK_SHORT] = 1024, [WORK_CLASO] = 1024);
	n = work_size(&w, 20, 20, 200, [WORK_SHORT] = 10, [WORK_CLASO] = 40);
	cells = (size_t)side * (size_t)side;
	atom = work_host(&w, (size_t)n * sizeof(*atom));
	grid = work_host(&w, cells * 4);
	want = work_host(&w, cells * 4);
	for (i = 0; i < n; i++) {
		atom[i][0] = work_randf(&w, 0, spacing * (float)side);
		atom[i][1] = work_randf(&w, 0, spacing * (float)side);
		atom[i][2] = work_randf(&w, 0.5f, 10);
		atom[i][3] = work_randf(&w, 0.1f, 2);
	}
	for (y = 0; y < side; y++)
		for (x = 0; x < side; x++) {
			double sum = 0;

			for (i = 0; i < n; i++) {
				double dx = (double)spacing * x - (double)atom[i][0];
				double dy = (double)spacing * y - (double)atom[i][1];

				sum += (double)atom[i][3] /
				       sqrt(dx * dx + dy * dy + (double)atom[i][2]);
			}
			grid[y * side + x] = work_randf(&w, 0, 1); /* of atoms before */
			want[y * side + x] = (float)((double)grid[y * side + x] + sum);
		}
	work_const(&w, "atoms", atom, (size_t)n * sizeof(*atom));
	d_grid = work_put(&w, grid, cells * 4);
	work_launch(&w, "energy", DIM((unsigned)side / 128, (unsigned)side / 8), DIM(16, 8),
		    &d_grid, &n, &spacing);
	work_get(&w, grid, d_grid, cells * 4);
	work_check_f32(&w, "grid", grid, want, cells, 1e-4, 0.01);
	return work_close(&w);
}
