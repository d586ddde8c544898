/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvsep - SDK convolutionSeparable: a filter of 17 x 17 as one of rows and one of columns. A CTA
 * stages its pixels and a halo on either side in shared memory; a thread makes eight results. The
 * filter is in constant memory.
 *
 * Zhu et al., type A. Rows: CTAs of 16 x 4 threads for 128 x 4 pixels, 2.5 KiB, N = 8 on kayiran30.
 * Columns: 16 x 8 threads for 16 x 64 pixels, 5.1 KiB, N = 6 by its 32 KiB of shared memory.
 *
 * Default: 1280 x 1280 pixels (3,200 and 1,600 CTAs). onac: 4096 x 4096, whose columns are the
 * 16,384 CTAs of Zhu et al., Table II. tcs: 3072 x 3072, the sample's, whose rows are the grid of
 * 24 x 768 of Song et al., Table II; of their 34 launches, 17 times the same two, there is one
 * pair.
 */
#include "device.h"

#define RADIUS 8
#define RESULTS 8 /* of a thread */
#define HALO 1	  /* in widths or heights of a CTA */
#define ROWS_X 16
#define ROWS_Y 4
#define COLS_X 16
#define COLS_Y 8

CONSTANT float filter[2 * RADIUS + 1];

KERNEL(64) void
rows(float *to, const float *from, int width, int pitch)
{
	SHARED float s[ROWS_Y][(RESULTS + 2 * HALO) * ROWS_X];
	int x = (cta_x * RESULTS - HALO) * ROWS_X + tid_x, y = cta_y * ROWS_Y + tid_y, i, j;
	const float *src = from + y * pitch + x;
	float *line = &s[tid_y][tid_x], sum;

	UNROLL
	for (i = HALO; i < HALO + RESULTS; i++)
		line[i * ROWS_X] = src[i * ROWS_X];
	UNROLL
	for (i = 0; i < HALO; i++)
		line[i * ROWS_X] = x >= -i * ROWS_X ? src[i * ROWS_X] : 0;
	UNROLL
	for (i = HALO + RESULTS; i < 2 * HALO + RESULTS; i++)
		line[i * ROWS_X] = width - x > i * ROWS_X ? src[i * ROWS_X] : 0;
	barrier();
	UNROLL
	for (i = HALO; i < HALO + RESULTS; i++) {
		sum = 0;
		UNROLL
		for (j = -RADIUS; j <= RADIUS; j++)
			sum += filter[RADIUS - j] * line[i * ROWS_X + j];
		to[y * pitch + x + i * ROWS_X] = sum;
	}
}

KERNEL(128) void
columns(float *to, const float *from, int height, int pitch)
{
	SHARED float s[COLS_X][(RESULTS + 2 * HALO) * COLS_Y + 1];
	int x = cta_x * COLS_X + tid_x, y = (cta_y * RESULTS - HALO) * COLS_Y + tid_y, i, j;
	const float *src = from + y * pitch + x;
	float *line = &s[tid_x][tid_y], sum;

	UNROLL
	for (i = HALO; i < HALO + RESULTS; i++)
		line[i * COLS_Y] = src[i * COLS_Y * pitch];
	UNROLL
	for (i = 0; i < HALO; i++)
		line[i * COLS_Y] = y >= -i * COLS_Y ? src[i * COLS_Y * pitch] : 0;
	UNROLL
	for (i = HALO + RESULTS; i < 2 * HALO + RESULTS; i++)
		line[i * COLS_Y] = height - y > i * COLS_Y ? src[i * COLS_Y * pitch] : 0;
	barrier();
	UNROLL
	for (i = HALO; i < HALO + RESULTS; i++) {
		sum = 0;
		UNROLL
		for (j = -RADIUS; j <= RADIUS; j++)
			sum += filter[RADIUS - j] * line[i * COLS_Y + j];
		to[(y + i * COLS_Y) * pitch + x] = sum;
	}
}
