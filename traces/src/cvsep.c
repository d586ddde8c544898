/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvsep.c - host of cvsep.cu. Checked: every pixel against the two convolutions in doubles, within
 * 1e-5 of 256, what the filter makes of a white image at most.
 */
#include "workload.h"

#define RADIUS 8

/* One direction: neighbours are `step` apart, `place` of `length` says what lies outside. */
static double
convolve(const double *at, const float *filter, int place, int length, int step)
{
	double sum = 0;
	int j;

	for (j = -RADIUS; j <= RADIUS; j++)
		if (place + j >= 0 && place + j < length)
			sum += (double)filter[RADIUS - j] * at[j * step];
	return sum;
}

int
main(int argc, char **argv)
{
	struct work w;
	int side, x, y, i;
	float filter[2 * RADIUS + 1], *image, *got, *want;
	double *exact, *half;
	size_t n;
	CUdeviceptr d_image, d_half, d_got;
	unsigned s;

	work_open(&w, argc, argv, "cvsep");
	side = work_size(&w, 384, 1280, 4096, [WORK_TCS] = 3072, [WORK_ONAC] = 4096);
	n = (size_t)side * (size_t)side;
	image = work_host(&w, n * 4);
	got = work_host(&w, n * 4);
	want = work_host(&w, n * 4);
	exact = work_host(&w, n * 8);
	half = work_host(&w, n * 8);
	for (i = 0; i < 2 * RADIUS + 1; i++)
		filter[i] = work_randf(&w, 0, 1.0f / (2 * RADIUS + 1));
	for (i = 0; i < side * side; i++)
		exact[i] = (double)(image[i] = (float)work_below(&w, 256));
	for (y = 0; y < side; y++)
		for (x = 0; x < side; x++)
			half[y * side + x] = convolve(&exact[y * side + x], filter, x, side, 1);
	for (y = 0; y < side; y++)
		for (x = 0; x < side; x++)
			want[y * side + x] =
				(float)convolve(&half[y * side + x], filter, y, side, side);
	d_image = work_put(&w, image, n * 4);
	d_half = work_new(&w, n * 4);
	d_got = work_new(&w, n * 4);
	work_const(&w, "filter", filter, sizeof(filter));
	s = (unsigned)side;
	work_launch(&w, "rows", DIM(s / 128, s / 4), DIM(16, 4), &d_half, &d_image, &side, &side);
	work_launch(&w, "columns", DIM(s / 16, s / 64), DIM(16, 8), &d_got, &d_half, &side, &side);
	work_get(&w, got, d_got, n * 4);
	work_check_f32(&w, "pixel", got, want, n, 1e-5, 256);
	return work_close(&w);
}
