/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dct1.c - host of dct1.cu. Checked: every coefficient against the definition of the transform in
 * doubles, within 1e-5 of 128.
 */
#include "workload.h"

#include <math.h>

/* One block: to = C from C', C the matrix of the transform. */
static void
reference(float *to, const float *from, int pitch, double (*c)[8])
{
	double half[8][8], sum;
	int i, j, k;

	for (i = 0; i < 8; i++)
		for (j = 0; j < 8; j++) {
			for (sum = 0, k = 0; k < 8; k++)
				sum += c[j][k] * (double)from[i * pitch + k];
			half[i][j] = sum;
		}
	for (i = 0; i < 8; i++)
		for (j = 0; j < 8; j++) {
			for (sum = 0, k = 0; k < 8; k++)
				sum += c[i][k] * half[k][j];
			to[i * pitch + j] = (float)sum;
		}
}

int
main(int argc, char **argv)
{
	struct work w;
	struct work_dim ctas, block = {8, 4, 2};
	int width, height, x, y;
	double c[8][8];
	float *image, *got, *want;
	size_t n, i;
	CUdeviceptr d_image, d_got;

	work_open(&w, argc, argv, "dct1");
	width = work_size(&w, 512, 1536, 4096, [WORK_ONAC] = 4096);
	height = work_size(&w, 320, 1024, 4096, [WORK_ONAC] = 4096);
	n = (size_t)width * (size_t)height;
	image = work_host(&w, n * 4);
	got = work_host(&w, n * 4);
	want = work_host(&w, n * 4);
	for (i = 0; i < n; i++) /* pixels of 0 .. 255, less 128 */
		image[i] = (float)(work_below(&w, 96) + i / 13 % 160) - 128;
	for (y = 0; y < 8; y++)
		for (x = 0; x < 8; x++)
			c[y][x] = (y ? 0.5 : sqrt(0.125)) * cos((2 * x + 1) * y * acos(-1) / 16);
	for (y = 0; y < height; y += 8)
		for (x = 0; x < width; x += 8)
			reference(want + (size_t)y * (size_t)width + x,
				  image + (size_t)y * (size_t)width + x, width, c);
	d_image = work_put(&w, image, n * 4);
	d_got = work_new(&w, n * 4);
	ctas = DIM((unsigned)width / 32, (unsigned)height / 16);
	work_launch(&w, "dct", ctas, block, &d_got, &d_image, &width);
	work_get(&w, got, d_got, n * 4);
	work_check_f32(&w, "coefficient", got, want, n, 1e-5, 128);
	return work_close(&w);
}
