/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sd1.c - host of sd1.cu. Checked: the final image against the iterations in doubles, within 1e-3.
 */
#include "workload.h"

#include <math.h>

static void
reference(struct work *w, double *image, int rows, int cols, int rounds, double lambda)
{
	int n = rows * cols, i, k, row, col;
	double *d[4], *c = work_host(w, (size_t)n * 8);

	for (k = 0; k < 4; k++)
		d[k] = work_host(w, (size_t)n * 8);
	for (i = 0; i < n; i++)
		image[i] = exp(image[i] / 255);
	for (; rounds > 0; rounds--) {
		double sum = 0, sum2 = 0, q0, mean;

		for (i = 0; i < n; i++) {
			sum += image[i];
			sum2 += image[i] * image[i];
		}
		mean = sum / n;
		q0 = (sum2 / n - mean * mean) / (mean * mean);
		for (i = 0; i < n; i++) {
			double j = image[i], g2 = 0, l = 0, q;

			row = i % rows;
			col = i / rows;
			d[0][i] = image[row ? i - 1 : i] - j;
			d[1][i] = image[row < rows - 1 ? i + 1 : i] - j;
			d[2][i] = image[col ? i - rows : i] - j;
			d[3][i] = image[col < cols - 1 ? i + rows : i] - j;
			for (k = 0; k < 4; k++) {
				g2 += d[k][i] * d[k][i] / (j * j);
				l += d[k][i] / j;
			}
			q = (0.5 * g2 - l * l / 16) / ((1 + 0.25 * l) * (1 + 0.25 * l));
			c[i] = fmin(fmax(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0), 1);
		}
		for (i = 0; i < n; i++) {
			row = i % rows;
			col = i / rows;
			image[i] += 0.25 * lambda *
				    (c[i] * d[0][i] + c[row < rows - 1 ? i + 1 : i] * d[1][i] +
				     c[i] * d[2][i] + c[col < cols - 1 ? i + rows : i] * d[3][i]);
		}
	}
	for (i = 0; i < n; i++)
		image[i] = log(image[i]) * 255;
}

struct device {
	CUdeviceptr image, sums, sums2, c, d[4], north, south, west, east;
	int rows, n;
	struct work_dim ctas;
};

static void
iterate(struct work *w, struct device *d, float lambda)
{
	struct work_dim block = DIM(512, 1);
	int left, stride = 1;
	float sum, sum2, mean, q0;

	work_launch(w, "prepare", d->ctas, block, &d->image, &d->sums, &d->sums2, &d->n);
	for (left = d->n; left > 1; left = work_div_up(left, 512)) {
		work_launch(w, "reduce", DIM((unsigned)work_div_up(left, 512), 1), block, &d->sums,
			    &d->sums2, &left, &stride);
		stride *= 512;
	}
	work_get(w, &sum, d->sums, 4);
	work_get(w, &sum2, d->sums2, 4);
	mean = sum / (float)d->n;
	q0 = (sum2 / (float)d->n - mean * mean) / (mean * mean);
	work_launch(w, "srad", d->ctas, block, &d->north, &d->south, &d->west, &d->east, &d->d[0],
		    &d->d[1], &d->d[2], &d->d[3], &d->c, &d->image, &q0, &d->rows, &d->n);
	work_launch(w, "srad2", d->ctas, block, &d->south, &d->east, &d->d[0], &d->d[1], &d->d[2],
		    &d->d[3], &d->c, &d->image, &lambda, &d->rows, &d->n);
}

/* Indices of the neighbours of 0 .. n - 1 on one side. */
static CUdeviceptr
neighbours(struct work *w, int n, int step)
{
	int *p = work_host(w, (size_t)n * 4), i;

	for (i = 0; i < n; i++)
		p[i] = i + step < 0 || i + step == n ? i : i + step;
	return work_put(w, p, (size_t)n * 4);
}

int
main(int argc, char **argv)
{
	struct work w;
	struct device d;
	int cols, i, rounds;
	float *image, *want, lambda = 0.5f;
	double *exact;
	size_t bytes;

	work_open(&w, argc, argv, "sd1");
	d.rows = work_size(&w, 96, 502, 1588, [WORK_SHORT] = 502);
	cols = work_size(&w, 120, 458, 1448, [WORK_SHORT] = 458);
	rounds = work_size(&w, 4, 4, 4, [WORK_SHORT] = 1);
	d.n = d.rows * cols;
	d.ctas = DIM((unsigned)work_div_up(d.n, 512), 1);
	bytes = (size_t)d.n * 4;
	image = work_host(&w, bytes);
	want = work_host(&w, bytes);
	exact = work_host(&w, bytes * 2);
	for (i = 0; i < d.n; i++)
		exact[i] = image[i] =
			(float)work_below(&w, 64) + (i % d.rows / 30 % 2 ? 150.0f : 40.0f);
	d.image = work_put(&w, image, bytes);
	d.sums = work_new(&w, bytes);
	d.sums2 = work_new(&w, bytes);
	d.c = work_new(&w, bytes);
	for (i = 0; i < 4; i++)
		d.d[i] = work_new(&w, bytes);
	d.north = neighbours(&w, d.rows, -1);
	d.south = neighbours(&w, d.rows, 1);
	d.west = neighbours(&w, cols, -1);
	d.east = neighbours(&w, cols, 1);
	work_launch(&w, "extract", d.ctas, DIM(512, 1), &d.image, &d.n);
	for (i = 0; i < rounds; i++)
		iterate(&w, &d, lambda);
	work_launch(&w, "compress", d.ctas, DIM(512, 1), &d.image, &d.n);
	work_get(&w, image, d.image, bytes);
	reference(&w, exact, d.rows, cols, rounds, (double)lambda);
	for (i = 0; i < d.n; i++)
		want[i] = (float)exact[i];
	work_check_f32(&w, "image", image, want, (size_t)d.n, 1e-3, 1);
	return work_close(&w);
}
