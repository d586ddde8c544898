/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lbm - Parboil: lattice Boltzmann, D3Q19, a lid-driven cavity with a ball in it. A thread per
 * cell, a CTA per row of 100: it reads the 19 distributions of its cell, lets them collide
 * (Bhatnagar, Gross, Krook) or, in an obstacle, turns them round, and writes each to the cell it
 * goes to. The distributions are arrays of their own; rows are padded to 128 cells.
 *
 * 100 threads and 63 registers: N = 4 on kayiran30. Default: 50 x 40 rows, 3 steps. tcs:
 * the grid of Song et al., 100 x 130 rows, 3 steps.
 */
#include "device.h"

#define CELLS 100
#define ROW 128
#define DIRECTIONS 19
#define OBSTACLE 1
#define LID 2
#define OMEGA 1.95f

/* Direction d and d + 1 are opposite for odd d. All loops over them are unrolled. */
#define TABLES                                                                                     \
	const int ex[DIRECTIONS] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1}; \
	const int ey[DIRECTIONS] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0}; \
	const int ez[DIRECTIONS] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1}

DEVICE void
collide(float *f, bool lid)
{
	TABLES;
	float rho = 0, ux = 0, uy = 0, uz = 0, square, base, u;
	int d;

	UNROLL
	for (d = 0; d < DIRECTIONS; d++) {
		rho += f[d];
		if (ex[d])
			ux = ex[d] > 0 ? ux + f[d] : ux - f[d];
		if (ey[d])
			uy = ey[d] > 0 ? uy + f[d] : uy - f[d];
		if (ez[d])
			uz = ez[d] > 0 ? uz + f[d] : uz - f[d];
	}
	ux = lid ? 0.005f : div_approx(ux, rho);
	uy = lid ? 0.002f : div_approx(uy, rho);
	uz = lid ? 0 : div_approx(uz, rho);
	square = 1 - 1.5f * (ux * ux + uy * uy + uz * uz);
	f[0] = (1 - OMEGA) * f[0] + 1.0f / 3 * OMEGA * rho * square;
	UNROLL
	for (d = 1; d < DIRECTIONS; d++) {
		base = (d < 7 ? 1.0f / 18 : 1.0f / 36) * OMEGA * rho;
		u = (float)ex[d] * ux + (float)ey[d] * uy + (float)ez[d] * uz;
		f[d] = (1 - OMEGA) * f[d] + base * (u * (4.5f * u + 3) + square);
	}
}

/* cells: of an array; flags follow the last array of from. */
MAXNREG(stream_collide, 63)
KERNEL(CELLS) void
stream_collide(const float *from, float *to, int cells)
{
	TABLES;
	int rows = grid_x, plane = rows * ROW, d;
	int at = tid_x + cta_x * ROW + (cta_y + 2) * plane; /* two planes are margin */
	int flags = ((const int *)from)[DIRECTIONS * cells + at];
	float f[DIRECTIONS], swap;

	UNROLL
	for (d = 0; d < DIRECTIONS; d++)
		f[d] = from[d * cells + at];
	if (flags & OBSTACLE) {
		UNROLL
		for (d = 1; d < DIRECTIONS; d += 2) {
			swap = f[d];
			f[d] = f[d + 1];
			f[d + 1] = swap;
		}
	} else {
		collide(f, flags & LID);
	}
	UNROLL
	for (d = 0; d < DIRECTIONS; d++)
		to[d * cells + at + ex[d] + ey[d] * ROW + ez[d] * plane] = f[d];
}
