/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tp1.c - host of tp1.cu. Checked: every element's place.
 */
#include "workload.h"

int
main(int argc, char **argv)
{
	struct work w;
	int side, x, y;
	int32_t *from, *got, *want;
	size_t n, i;
	CUdeviceptr d_from, d_to;
	struct work_dim ctas;

	work_open(&w, argc, argv, "tp1");
	side = work_size(&w, 400, 1280, 4096, [WORK_ONAC] = 4096);
	n = (size_t)side * (size_t)side;
	from = work_host(&w, n * 4);
	got = work_host(&w, n * 4);
	want = work_host(&w, n * 4);
	for (i = 0; i < n; i++)
		from[i] = (int32_t)i;
	for (y = 0; y < side; y++)
		for (x = 0; x < side; x++)
			want[x * side + y] = from[y * side + x];
	d_from = work_put(&w, from, n * 4);
	d_to = work_new(&w, n * 4);
	ctas = DIM((unsigned)side / 16, (unsigned)side / 16);
	work_launch(&w, "transpose", ctas, DIM(16, 16), &d_to, &d_from, &side, &side);
	work_get(&w, got, d_to, n * 4);
	work_check_i32(&w, "element", got, want, n);
	return work_close(&w);
}
