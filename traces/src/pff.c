/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pff.c - host of pff.cu. Checked after each kernel from what it was given (a filter turns rounding
 * into other particles): positions within 1e-4, weights and their sums within 5e-3 (an exponential
 * of sums), the sums of the distribution within 1e-5, resampled particles exactly.
 */
#include "workload.h"

#include <math.h>
#include <string.h>

#define RADIUS 5
#define POINTS ((2 * RADIUS - 1) * (2 * RADIUS - 1))

struct filter {
	int n, side, points, ctas;
	int disk[2 * POINTS];
	int *seed;
	uint8_t *video;
	float *x, *y, *weight, *total, *u, *want, *want2, *sums;
	CUdeviceptr d_x, d_y, d_x2, d_y2, d_weight, d_sums, d_video, d_disk, d_seed, d_total, d_u;
};

static float
uniform(int *seed)
{
	*seed = (int)(1103515245u * (uint32_t)*seed + 12345u) % 0x7fffffff;
	return fabsf((float)*seed * (1.0f / 2147483648.0f));
}

static float
normal(int *seed)
{
	float u = uniform(seed), v = uniform(seed);

	return (float)(sqrt(-2 * log((double)u)) * cos(6.28318531 * (double)v));
}

/* An object of brightness 228 on 100, which moves by 1 to the right and 2 up each frame. */
static void
make_video(struct work *w, struct filter *f, int frames)
{
	int k, x, y, dx, dy;

	f->video = work_host(w, (size_t)(f->side * f->side * frames));
	for (k = 0; k < frames; k++)
		for (y = 0; y < f->side; y++)
			for (x = 0; x < f->side; x++) {
				dx = x - f->side / 2 - k;
				dy = y - f->side / 2 + 2 * k;
				f->video[(k * f->side + y) * f->side + x] =
					(uint8_t)((dx * dx + dy * dy <= 64 ? 218 : 90) +
						  (int)work_below(w, 21));
			}
	for (y = -RADIUS + 1; y < RADIUS; y++)
		for (x = -RADIUS + 1; x < RADIUS; x++)
			if (x * x + y * y < RADIUS * RADIUS) {
				f->disk[2 * f->points] = y;
				f->disk[2 * f->points + 1] = x;
				f->points++;
			}
}

static void
check_likelihood(struct work *w, struct filter *f, int frame, const float *x_from,
		 const float *y_from)
{
	size_t bytes = (size_t)f->n * 4;
	double sum, all = 0, a, b;
	float want_all;
	int i, k, at;

	for (i = 0; i < f->n; i++) {
		f->want[i] = x_from[i] + 1 + 5 * normal(&f->seed[i]);
		f->want2[i] = y_from[i] - 2 + 2 * normal(&f->seed[i]);
	}
	work_get(w, f->x, f->d_x, bytes);
	work_get(w, f->y, f->d_y, bytes);
	work_check_f32(w, "x", f->x, f->want, (size_t)f->n, 1e-4, 1);
	work_check_f32(w, "y", f->y, f->want2, (size_t)f->n, 1e-4, 1);
	for (i = 0; i < f->n; i++) {
		for (k = 0, sum = 0; k < f->points; k++) {
			at = (frame * f->side + (int)floorf(f->y[i] + 0.5f) + f->disk[2 * k]) *
				     f->side +
			     (int)floorf(f->x[i] + 0.5f) + f->disk[2 * k + 1];
			if (at < 0 || at >= f->side * f->side * (frame + 1))
				at = 0;
			a = f->video[at] - 100.0;
			b = f->video[at] - 228.0;
			sum += (a * a - b * b) / 50;
		}
		f->want[i] = (float)(exp(sum / f->points - 300) / f->n);
		all += (double)f->want[i];
	}
	work_get(w, f->weight, f->d_weight, bytes);
	work_check_f32(w, "weight", f->weight, f->want, (size_t)f->n, 5e-3, 1e-9);
	want_all = (float)all;
	work_get(w, f->sums, f->d_sums, 4);
	work_check_f32(w, "sum of weights", f->sums, &want_all, 1, 5e-3, 0);
}

static void
check_resampling(struct work *w, struct filter *f)
{
	size_t bytes = (size_t)f->n * 4;
	float *got = f->weight;
	double sum = 0;
	int i, k;

	work_get(w, f->weight, f->d_weight, bytes);
	for (i = 0; i < f->n; i++)
		f->want[i] = (float)(sum += (double)f->weight[i]);
	work_get(w, f->total, f->d_total, bytes);
	work_check_f32(w, "total", f->total, f->want, (size_t)f->n, 1e-5, 1);
	work_get(w, f->u, f->d_u, bytes);
	for (i = 0; i < f->n; i++) {
		for (k = 0; k < f->n - 1 && f->total[k] < f->u[i]; k++)
			;
		f->want[i] = f->x[k];
		f->want2[i] = f->y[k];
	}
	work_get(w, got, f->d_x2, bytes);
	work_check_bytes(w, "resampled x", got, f->want, bytes);
	work_get(w, got, f->d_y2, bytes);
	work_check_bytes(w, "resampled y", got, f->want2, bytes);
}

static void
filter_frame(struct work *w, struct filter *f, int frame)
{
	struct work_dim ctas = DIM((unsigned)f->ctas, 1), block = DIM(512, 1), one = DIM(1, 1);
	size_t bytes = (size_t)f->n * 4;
	float u1 = work_randf(w, 0, 1) / (float)f->n;
	float *x_from = f->total, *y_from = f->u; /* not in use yet */

	work_get(w, x_from, f->d_x2, bytes);
	work_get(w, y_from, f->d_y2, bytes);
	work_launch(w, "likelihood", ctas, block, &f->d_x, &f->d_y, &f->d_x2, &f->d_y2,
		    &f->d_weight, &f->d_sums, &f->d_video, &f->d_disk, &f->points, &f->d_seed,
		    &f->side, &frame, &f->n);
	work_launch(w, "sum_up", one, one, &f->d_sums, &f->ctas);
	check_likelihood(w, f, frame, x_from, y_from);
	work_launch(w, "normalize", ctas, block, &f->d_weight, &f->d_u, &f->d_sums, &u1, &f->n);
	work_launch(w, "cdf", one, one, &f->d_total, &f->d_weight, &f->n);
	work_launch(w, "find_index", ctas, block, &f->d_x, &f->d_y, &f->d_total, &f->d_u, &f->d_x2,
		    &f->d_y2, &f->n);
	check_resampling(w, f);
}

int
main(int argc, char **argv)
{
	struct work w;
	struct filter f = {0};
	int i, frames = 2;
	size_t bytes;

	work_open(&w, argc, argv, "pff");
	f.n = work_size(&w, 768, 2560, 8192, [WORK_SHORT] = 2560);
	f.side = 128;
	f.ctas = work_div_up(f.n, 512);
	bytes = (size_t)f.n * 4;
	make_video(&w, &f, frames + 1);
	f.seed = work_host(&w, bytes);
	f.x = work_host(&w, bytes);
	f.y = work_host(&w, bytes);
	f.weight = work_host(&w, bytes);
	f.total = work_host(&w, bytes);
	f.u = work_host(&w, bytes);
	f.want = work_host(&w, bytes);
	f.want2 = work_host(&w, bytes);
	f.sums = work_host(&w, (size_t)f.ctas * 4);
	for (i = 0; i < f.n; i++) {
		f.seed[i] = (int)(work_rand(&w) >> 1);
		f.x[i] = f.y[i] = (float)f.side / 2;
	}
	f.d_x = work_new(&w, bytes);
	f.d_y = work_new(&w, bytes);
	f.d_x2 = work_put(&w, f.x, bytes);
	f.d_y2 = work_put(&w, f.y, bytes);
	f.d_weight = work_new(&w, bytes);
	f.d_total = work_new(&w, bytes);
	f.d_u = work_new(&w, bytes);
	f.d_sums = work_new(&w, (size_t)f.ctas * 4);
	f.d_seed = work_put(&w, f.seed, bytes);
	f.d_disk = work_put(&w, f.disk, sizeof(f.disk));
	f.d_video = work_put(&w, f.video, (size_t)(f.side * f.side * (frames + 1)));
	for (i = 1; i <= frames; i++)
		filter_frame(&w, &f, i);
	return work_close(&w);
}
