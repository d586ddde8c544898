/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvt1.c - host of cvt1.cu. Checked: every pixel against the sum in doubles, within 1e-5.
 */
#include "workload.h"

#define RADIUS 8

static int
clamp(int i, int n)
{
	return i < 0 ? 0 : i < n ? i : n - 1;
}

static float
reference(const float *image, const float *weight, int x, int y, int width)
{
	double sum = 0;
	int k, at;

	for (k = -RADIUS; k <= RADIUS; k++) {
		at = y * width + clamp(x + k, width);
		sum += (double)image[at] * (double)weight[RADIUS - k];
	}
	return (float)sum;
}

int
main(int argc, char **argv)
{
	struct work w;
	int width, height, i;
	size_t n;
	float *image, *got, *want, weight[2 * RADIUS + 1];
	CUdeviceptr d_image, d_out;
	CUtexObject texture;

	work_open(&w, argc, argv, "cvt1");
	width = work_size(&w, 320, 1024, 3072, [WORK_ONAC] = 6144);
	height = work_size(&w, 252, 768, 2304, [WORK_ONAC] = 3072);
	n = (size_t)width * (size_t)height;
	image = work_host(&w, n * 4);
	got = work_host(&w, n * 4);
	want = work_host(&w, n * 4);
	for (i = 0; i <= 2 * RADIUS; i++)
		weight[i] = work_randf(&w, 0, 1.0f / RADIUS);
	for (i = 0; i < width * height; i++)
		image[i] = work_randf(&w, 0, 1);
	for (i = 0; i < width * height; i++)
		want[i] = reference(image, weight, i % width, i / width, width);
	d_image = work_put(&w, image, n * 4);
	d_out = work_new(&w, n * 4);
	texture = work_texture(&w, d_image, (size_t)width, (size_t)height);
	work_const(&w, "weight", weight, sizeof(weight));
	work_launch(&w, "convolve_rows",
		    DIM((unsigned)work_div_up(width, 16), (unsigned)work_div_up(height, 12)),
		    DIM(16, 12), &d_out, &width, &height, &texture);
	work_get(&w, got, d_out, n * 4);
	work_check_f32(&w, "pixel", got, want, n, 1e-5, 1);
	return work_close(&w);
}
