/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lbm.c - host of lbm.cu. Checked: the distributions of all cells against the same steps with
 * doubles in between, within 1e-5.
 */
#include "workload.h"

#include <string.h>

#define CELLS 100
#define ROW 128
#define DIRECTIONS 19
#define OBSTACLE 1
#define LID 2
#define OMEGA 1.95

static const int ex[DIRECTIONS] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
static const int ey[DIRECTIONS] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
static const int ez[DIRECTIONS] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};

struct box {
	int rows, planes;
	ptrdiff_t plane, cells; /* of an array: with a margin of two planes at either end */
};

static ptrdiff_t
cell_at(const struct box *b, int x, int y, int z)
{
	return x + y * ROW + (z + 2) * b->plane;
}

static double
weight(int d)
{
	return d == 0 ? 1.0 / 3 : d < 7 ? 1.0 / 18 : 1.0 / 36;
}

/* Walls all round, a ball in the middle, and the lid: the inside of the second plane and of the
 * last but one, where the fluid is carried along. */
static int
flags_of(const struct box *b, int x, int y, int z)
{
	int dx = x - CELLS / 2, dy = y - b->rows / 2, dz = z - b->planes / 2;

	if (x == 0 || x == CELLS - 1 || y == 0 || y == b->rows - 1 || z == 0 || z == b->planes - 1)
		return OBSTACLE;
	if (dx * dx + dy * dy + dz * dz < 16)
		return OBSTACLE;
	if ((z == 1 || z == b->planes - 2) && x > 1 && x < CELLS - 2 && y > 1 && y < b->rows - 2)
		return LID;
	return 0;
}

static void
make_box(struct work *w, const struct box *b, float *f)
{
	int x, y, z, d, flags;
	ptrdiff_t i, at;

	for (d = 0; d < DIRECTIONS; d++)
		for (i = 0; i < b->cells; i++)
			f[d * b->cells + i] = (float)weight(d);
	for (z = 0; z < b->planes; z++)
		for (y = 0; y < b->rows; y++)
			for (x = 0; x < CELLS; x++) {
				at = cell_at(b, x, y, z);
				flags = flags_of(b, x, y, z);
				memcpy(&f[DIRECTIONS * b->cells + at], &flags, 4);
				f[at] += work_randf(w, -0.01f, 0.01f);
			}
}

static void
collide(double *f, bool lid)
{
	double rho = 0, ux = 0, uy = 0, uz = 0, square, u;
	int d;

	for (d = 0; d < DIRECTIONS; d++) {
		rho += f[d];
		ux += ex[d] * f[d];
		uy += ey[d] * f[d];
		uz += ez[d] * f[d];
	}
	ux = lid ? 0.005 : ux / rho;
	uy = lid ? 0.002 : uy / rho;
	uz = lid ? 0 : uz / rho;
	square = 1 - 1.5 * (ux * ux + uy * uy + uz * uz);
	for (d = 0; d < DIRECTIONS; d++) {
		u = ex[d] * ux + ey[d] * uy + ez[d] * uz;
		f[d] = (1 - OMEGA) * f[d] + weight(d) * OMEGA * rho * (u * (4.5 * u + 3) + square);
	}
}

static void
reference(const struct box *b, const float *from, float *to)
{
	int x, y, z, d, back, flags;
	ptrdiff_t at;
	double f[DIRECTIONS];

	for (z = 0; z < b->planes; z++)
		for (y = 0; y < b->rows; y++)
			for (x = 0; x < CELLS; x++) {
				at = cell_at(b, x, y, z);
				flags = flags_of(b, x, y, z);
				for (d = 0; d < DIRECTIONS; d++) {
					back = d == 0 ? 0 : d % 2 ? d + 1 : d - 1;
					f[d] = from[(flags & OBSTACLE ? back : d) * b->cells + at];
				}
				if (!(flags & OBSTACLE))
					collide(f, flags & LID);
				for (d = 0; d < DIRECTIONS; d++)
					to[d * b->cells + at + ex[d] + ey[d] * ROW +
					   ez[d] * b->plane] = (float)f[d];
			}
}

int
main(int argc, char **argv)
{
	struct work w;
	struct box b;
	int steps, i, cells;
	size_t bytes;
	float *from, *to, *tmp;
	CUdeviceptr d_from, d_to, d_tmp;

	work_open(&w, argc, argv, "lbm");
	b.rows = work_size(&w, 20, 50, 100, [WORK_TCS] = 100);
	b.planes = work_size(&w, 10, 40, 130, [WORK_TCS] = 130);
	steps = work_size(&w, 3, 3, 5, [WORK_TCS] = 3);
	b.plane = ROW * b.rows;
	b.cells = b.plane * (b.planes + 4);
	cells = (int)b.cells;
	bytes = (size_t)b.cells * (DIRECTIONS + 1) * 4;
	from = work_host(&w, bytes);
	to = work_host(&w, bytes);
	make_box(&w, &b, from);
	memcpy(to, from, bytes);
	d_from = work_put(&w, from, bytes);
	d_to = work_put(&w, from, bytes);
	for (i = 0; i < steps; i++) {
		work_launch(&w, "stream_collide", DIM((unsigned)b.rows, (unsigned)b.planes),
			    DIM(CELLS, 1), &d_from, &d_to, &cells);
		d_tmp = d_from, d_from = d_to, d_to = d_tmp;
		reference(&b, from, to);
		tmp = from, from = to, to = tmp;
	}
	work_get(&w, to, d_from, bytes);
	work_check_f32(&w, "distribution", to, from, bytes / 4 / (DIRECTIONS + 1) * DIRECTIONS,
		       1e-5, 1);
	return work_close(&w);
}
