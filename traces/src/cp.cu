/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cp - Parboil coulombic potential (cuenergy): the potential of point charges on a plane of a grid,
 * summed directly. A thread keeps eight points of a row in registers and goes through all atoms,
 * which are in constant memory as x, y, square of the distance to the plane, charge.
 *
 * Type C. CTAs of 16 x 8 threads: N = 8 on kayiran30 (128 threads, below 32 registers).
 *
 * Sizes: default 1408 x 1408 points (1936 CTAs, 8 waves) and 20 atoms (the benchmark has up to 4000
 * per launch); large 200 atoms; small 512 x 512 points; short 1024 x 1024 (1024 CTAs) and 10 atoms;
 * claso the same grid and 40.
 */
#include "device.h"

#define POINTS 8

struct atom {
	float x, y, z2, charge;
};

CONSTANT struct atom atoms[4000];

KERNEL(128) void
energy(float *grid, int n_atoms, float spacing)
{
	int column = cta_x * 16 * POINTS + tid_x, row = cta_y * 8 + tid_y, i, k;
	int at = grid_x * 16 * POINTS * row + column;
	float x = spacing * (float)column, y = spacing * (float)row, step = spacing * 16;
	float sum[POINTS], dx, dy, dyz2, charge;

	UNROLL
	for (k = 0; k < POINTS; k++)
		sum[k] = 0;
	NO_UNROLL
	for (i = 0; i < n_atoms; i++) {
		dy = y - atoms[i].y;
		dyz2 = dy * dy + atoms[i].z2;
		dx = x - atoms[i].x;
		charge = atoms[i].charge;
		UNROLL
		for (k = 0; k < POINTS; k++) {
			sum[k] += charge * rsqrt_approx(dx * dx + dyz2);
			dx += step;
		}
	}
	UNROLL
	for (k = 0; k < POINTS; k++)
		grid[at + k * 16] += sum[k];
}
