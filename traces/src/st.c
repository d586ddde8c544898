/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * st.c - host of st.cu. Checked: all cells against the same steps in doubles, within 1e-5.
 */
#include "workload.h"

#include <string.h>

struct box {
	int nx, ny, nz;
};

static void
reference(const struct box *b, float c0, float c1, const float *from, float *to)
{
	ptrdiff_t row = b->nx, plane = row * b->ny, at;
	double sum;
	int x, y, z;

	for (z = 1; z < b->nz - 1; z++)
		for (y = 1; y < b->ny - 1; y++)
			for (x = 1; x < b->nx - 1; x++) {
				at = x + y * row + z * plane;
				sum = (double)from[at - 1] + (double)from[at + 1];
				sum += (double)from[at - row] + (double)from[at + row];
				sum += (double)from[at - plane] + (double)from[at + plane];
				to[at] = (float)(c1 * sum - (double)c0 * (double)from[at]);
			}
}

int
main(int argc, char **argv)
{
	struct work w;
	struct box b;
	int steps, i;
	size_t n, k;
	float *from, *to, *tmp, c0 = 1.0f / 6, c1 = 1.0f / 36;
	CUdeviceptr d_from, d_to, d_tmp;

	work_open(&w, argc, argv, "st");
	b.nx = work_size(&w, 192, 512, 512, [WORK_CLASO] = 128);
	b.ny = work_size(&w, 128, 512, 512, [WORK_CLASO] = 128);
	b.nz = work_size(&w, 64, 64, 64, [WORK_CLASO] = 32);
	steps = work_size(&w, 1, 1, 10, [WORK_CLASO] = 1);
	n = (size_t)b.nx * (size_t)b.ny * (size_t)b.nz;
	from = work_host(&w, n * 4);
	to = work_host(&w, n * 4);
	for (k = 0; k < n; k++)
		from[k] = work_randf(&w, 0, 1);
	memcpy(to, from, n * 4);
	d_from = work_put(&w, from, n * 4);
	d_to = work_put(&w, from, n * 4);
	for (i = 0; i < steps; i++) {
		work_launch(&w, "stencil", DIM((unsigned)b.nx / 32, (unsigned)b.ny / 4), DIM(32, 4),
			    &c0, &c1, &d_from, &d_to, &b.nx, &b.ny, &b.nz);
		d_tmp = d_from, d_from = d_to, d_to = d_tmp;
		reference(&b, c0, c1, from, to);
		tmp = from, from = to, to = tmp;
	}
	work_get(&w, to, d_from, n * 4);
	work_check_f32(&w, "cell", to, from, n, 1e-5, 1);
	return work_close(&w);
}
