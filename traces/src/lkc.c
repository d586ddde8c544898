/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lkc.c - host of lkc.cu: a picture with bright round cells, and its gradients. Checked: scores
 * against doubles within 1e-3, the dilation of the scores exactly.
 */
#include "workload.h"

#include <math.h>

#define CIRCLES 7
#define MARGIN 14
#define MAX_POINTS 150
#define MAX_DISK 25

struct shapes {
	int points, side;
	float cos_angle[MAX_POINTS], sin_angle[MAX_POINTS];
	int x[CIRCLES * MAX_POINTS], y[CIRCLES * MAX_POINTS];
	uint8_t disk[MAX_DISK * MAX_DISK];
};

static void
make_shapes(struct shapes *s)
{
	int n, k, i, j, r = s->side / 2;

	for (n = 0; n < s->points; n++) {
		double angle = 2 * 3.14159265358979323846 * n / s->points;

		s->cos_angle[n] = (float)cos(angle);
		s->sin_angle[n] = (float)sin(angle);
		for (k = 0; k < CIRCLES; k++) { /* radii 8 to 12 by 2/3 */
			s->x[k * MAX_POINTS + n] = (int)lrint((8 + k * 2 / 3.0) * cos(angle));
			s->y[k * MAX_POINTS + n] = (int)lrint((8 + k * 2 / 3.0) * sin(angle));
		}
	}
	for (j = 0; j < s->side; j++)
		for (i = 0; i < s->side; i++)
			s->disk[j * s->side + i] = (i - r) * (i - r) + (j - r) * (j - r) <= r * r;
}

/* Gradients of a picture stored by columns. */
static void
make_gradients(struct work *w, int rows, int columns, float *gx, float *gy)
{
	float *image = work_host(w, (size_t)(rows * columns) * 4);
	int c, x, y, at;

	for (at = 0; at < rows * columns; at++)
		image[at] = work_randf(w, 0, 0.1f);
	for (c = 0; c < rows * columns / 1600 + 1; c++) {
		int cx = (int)work_below(w, (uint32_t)columns),
		    cy = (int)work_below(w, (uint32_t)rows);
		double r = (double)work_randf(w, 7, 12);

		for (x = 0; x < columns; x++)
			for (y = 0; y < rows; y++)
				if (hypot(x - cx, y - cy) < r + 3)
					image[x * rows + y] +=
						(float)fmin(1, (r + 3 - hypot(x - cx, y - cy)) / 5);
	}
	for (x = 1; x < columns - 1; x++)
		for (y = 1; y < rows - 1; y++) {
			at = x * rows + y;
			gx[at] = (image[at + rows] - image[at - rows]) / 2;
			gy[at] = (image[at + 1] - image[at - 1]) / 2;
		}
}

static float
reference_score(const struct shapes *s, const float *gx, const float *gy, int rows, int x, int y)
{
	double best = 0, sum, sum2, p, mean;
	int k, n, at;

	for (k = 0; k < CIRCLES; k++) {
		sum = sum2 = 0;
		for (n = 0; n < s->points; n++) {
			at = (x + s->x[k * MAX_POINTS + n]) * rows + y + s->y[k * MAX_POINTS + n];
			p = (double)gx[at] * (double)s->cos_angle[n] +
			    (double)gy[at] * (double)s->sin_angle[n];
			sum += p;
			sum2 += p * p;
		}
		mean = sum / s->points;
		best = fmax(best, mean * mean / ((sum2 - sum * mean) / (s->points - 1)));
	}
	return (float)best;
}

static float
reference_dilate(const struct shapes *s, const float *score, int rows, int columns, int x, int y)
{
	int i, j, px, py, r = s->side / 2;
	float best = 0;

	for (j = 0; j < s->side; j++)
		for (i = 0; i < s->side; i++) {
			px = x + j - r;
			py = y + i - r;
			if (s->disk[j * s->side + i] && px >= 0 && px < columns && py >= 0 &&
			    py < rows)
				best = fmaxf(best, score[px * rows + py]);
		}
	return best;
}

int
main(int argc, char **argv)
{
	static struct shapes s;
	struct work w;
	int rows, columns, inner, x, y;
	float *gx, *gy, *score, *dilated, *want;
	size_t cells;
	CUdeviceptr d_gx, d_gy, d_score, d_dilated;

	work_open(&w, argc, argv, "lkc");
	inner = work_size(&w, 40, 588, 588, [WORK_SHORT] = 152);
	s.points = work_size(&w, 25, 25, 150, [WORK_SHORT] = 25);
	s.side = work_size(&w, 7, 7, 25, [WORK_SHORT] = 7);
	rows = 128 + 2 * MARGIN;
	columns = inner + 2 * MARGIN;
	cells = (size_t)(rows * columns);
	gx = work_host(&w, cells * 4);
	gy = work_host(&w, cells * 4);
	score = work_host(&w, cells * 4);
	dilated = work_host(&w, cells * 4);
	want = work_host(&w, cells * 4);
	make_shapes(&s);
	make_gradients(&w, rows, columns, gx, gy);
	work_const(&w, "cos_angle", s.cos_angle, sizeof(s.cos_angle));
	work_const(&w, "sin_angle", s.sin_angle, sizeof(s.sin_angle));
	work_const(&w, "circle_x", s.x, sizeof(s.x));
	work_const(&w, "circle_y", s.y, sizeof(s.y));
	work_const(&w, "disk", s.disk, sizeof(s.disk));
	d_gx = work_put(&w, gx, cells * 4);
	d_gy = work_put(&w, gy, cells * 4);
	d_score = work_new(&w, cells * 4);
	d_dilated = work_new(&w, cells * 4);
	work_launch(&w, "gicov", DIM((unsigned)inner, 1), DIM(128, 1), &d_gx, &d_gy, &d_score,
		    &rows, &s.points);
	work_get(&w, score, d_score, cells * 4);
	for (x = MARGIN; x < columns - MARGIN; x++)
		for (y = MARGIN; y < rows - MARGIN; y++)
			want[x * rows + y] = reference_score(&s, gx, gy, rows, x, y);
	work_check_f32(&w, "score", score, want, cells, 1e-3, 1e-3);
	work_launch(&w, "dilate", DIM((unsigned)work_div_up((int)cells, 176), 1), DIM(176, 1),
		    &d_score, &d_dilated, &rows, &columns, &s.side);
	work_get(&w, dilated, d_dilated, cells * 4);
	for (x = 0; x < columns; x++)
		for (y = 0; y < rows; y++)
			want[x * rows + y] = reference_dilate(&s, score, rows, columns, x, y);
	work_check_bytes(&w, "dilated", dilated, want, cells * 4);
	return work_close(&w);
}
