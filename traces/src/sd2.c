/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sd2.c - host of sd2.cu. Checked: the final image against the iterations in doubles, within 1e-3.
 * The statistics are those of the upper left 128 x 128 pixels (the benchmark's region), or of all
 * where there are fewer.
 */
#include "workload.h"

#include <math.h>

static double
statistics(const float *f, const double *d, int side)
{
	int region = side < 128 ? side : 128, x, y;
	double sum = 0, sum2 = 0, v, mean;

	for (y = 0; y < region; y++)
		for (x = 0; x < region; x++) {
			v = f ? (double)f[y * side + x] : d[y * side + x];
			sum += v;
			sum2 += v * v;
		}
	mean = sum / (region * region);
	return (sum2 / (region * region) - mean * mean) / (mean * mean);
}

static void
reference(double *image, double *c, double (*d)[4], int side, double lambda)
{
	double q0 = statistics(NULL, image, side), g2, l, q, j;
	int n = side * side, i, k, x, y;

	for (i = 0; i < n; i++) {
		x = i % side;
		y = i / side;
		j = image[i];
		d[i][0] = image[y ? i - side : i] - j;
		d[i][1] = image[y < side - 1 ? i + side : i] - j;
		d[i][2] = image[x ? i - 1 : i] - j;
		d[i][3] = image[x < side - 1 ? i + 1 : i] - j;
		for (k = 0, g2 = l = 0; k < 4; k++) {
			g2 += d[i][k] * d[i][k] / (j * j);
			l += d[i][k] / j;
		}
		q = (0.5 * g2 - l * l / 16) / ((1 + 0.25 * l) * (1 + 0.25 * l));
		c[i] = fmin(fmax(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0), 1);
	}
	for (i = 0; i < n; i++) {
		x = i % side;
		y = i / side;
		image[i] += 0.25 * lambda *
			    (c[i] * d[i][0] + c[y < side - 1 ? i + side : i] * d[i][1] +
			     c[i] * d[i][2] + c[x < side - 1 ? i + 1 : i] * d[i][3]);
	}
}

int
main(int argc, char **argv)
{
	struct work w;
	int side, n, i, round, rounds;
	float *image, *want, q0, lambda = 0.5f;
	double *exact, *c, (*d)[4];
	struct work_dim ctas, block = DIM(16, 16);
	CUdeviceptr d_image, d_c, d_n, d_s, d_w, d_e;

	work_open(&w, argc, argv, "sd2");
	side = work_size(&w, 160, 512, 1616, [WORK_SHORT] = 384, [WORK_ONAC] = 2896);
	n = side * side;
	image = work_host(&w, (size_t)n * 4);
	want = work_host(&w, (size_t)n * 4);
	exact = work_host(&w, (size_t)n * 8);
	c = work_host(&w, (size_t)n * 8);
	d = work_host(&w, (size_t)n * 32);
	for (i = 0; i < n; i++)
		exact[i] = image[i] =
			(float)exp((double)work_randf(&w, 0, 0.4f) + (i % side / 20 % 2 ? 0.5 : 0));
	d_image = work_put(&w, image, (size_t)n * 4);
	d_c = work_new(&w, (size_t)n * 4);
	d_n = work_new(&w, (size_t)n * 4);
	d_s = work_new(&w, (size_t)n * 4);
	d_w = work_new(&w, (size_t)n * 4);
	d_e = work_new(&w, (size_t)n * 4);
	ctas = DIM((unsigned)side / 16, (unsigned)side / 16);
	rounds = work_size(&w, 2, 2, 2, [WORK_SHORT] = 2, [WORK_ONAC] = 1);
	for (round = 0; round < rounds; round++) {
		q0 = (float)statistics(image, NULL, side);
		work_launch(&w, "coefficient", ctas, block, &d_e, &d_w, &d_n, &d_s, &d_image, &d_c,
			    &side, &side, &q0);
		work_launch(&w, "update", ctas, block, &d_e, &d_w, &d_n, &d_s, &d_image, &d_c,
			    &side, &side, &lambda);
		work_get(&w, image, d_image, (size_t)n * 4);
		reference(exact, c, d, side, (double)lambda);
	}
	for (i = 0; i < n; i++)
		want[i] = (float)exact[i];
	work_check_f32(&w, "image", image, want, (size_t)n, 1e-3, 1);
	return work_close(&w);
}
