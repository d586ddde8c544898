/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tp2.c - host of tp2.cu. Checked: every element's place.
 */
#include "workload.h"

int
main(int argc, char **argv)
{
	struct work w;
	int side, x, y, tile_x, tile_y;
	int32_t *from, *got, *want;
	size_t n, i;
	CUdeviceptr d_from, d_to;
	struct work_dim ctas;

	work_open(&w, argc, argv, "tp2");
	side = work_size(&w, 400, 1280, 4096, [WORK_ONAC] = 4096);
	n = (size_t)side * (size_t)side;
	from = work_host(&w, n * 4);
	got = work_host(&w, n * 4);
	want = work_host(&w, n * 4);
	for (i = 0; i < n; i++)
		from[i] = (int32_t)i;
	for (y = 0; y < side; y++)
		for (x = 0; x < side; x++) {
			tile_x = x / 16 * 16;
			tile_y = y / 16 * 16;
			want[(tile_x + y - tile_y) * side + tile_y + x - tile_x] =
				from[y * side + x];
		}
	d_from = work_put(&w, from, n * 4);
	d_to = work_new(&w, n * 4);
	ctas = DIM((unsigned)side / 16, (unsigned)side / 16);
	work_launch(&w, "transpose_coarse", ctas, DIM(16, 16), &d_to, &d_from, &side, &side);
	work_get(&w, got, d_to, n * 4);
	work_check_i32(&w, "element", got, want, n);
	return work_close(&w);
}
