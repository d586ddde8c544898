/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dxtc.c - host of dxtc.cu. Checked: what each block decodes to is as far from the picture as the
 * best of all ways that the CPU finds in doubles, within 10 % or 0.002 (distance: squared
 * differences of colours 0 to 1, over the block's pixels). Nearly all are equal, but where two
 * colours lie all but equally far along the axis their order, and so the best way, may differ.
 */
#include "workload.h"

#include <float.h>
#include <math.h>

#define ALL 992
#define THREE 160

/* Bits 0 are the first end point, 1 the last, 2 and 3 between: a way gives the sorted colours 0, 2,
 * 3, 1 in runs. First the ways without a 3, then the others, both without those of a single point,
 * filled up to their numbers with the first one. */
static void
make_ways(uint32_t *ways)
{
	int i, j, k, at, n = 0, thirds;

	for (thirds = 0; thirds < 2; thirds++) {
		for (i = 0; i <= 16; i++)
			for (j = i; j <= 16; j++)
				for (k = thirds ? j + 1 : j; k <= (thirds ? 16 : j); k++) {
					uint32_t way = 0;

					if (i == 16 || k == 0 || (i == 0 && j == 16) ||
					    (j == 0 && k == 16))
						continue;
					for (at = 0; at < 16; at++)
						way |= (at < i	 ? 0u
							: at < j ? 2u
							: at < k ? 3u
								 : 1u)
						       << (2 * at);
					ways[n++] = way;
				}
		while (n < (thirds ? ALL : THREE)) {
			ways[n] = ways[0];
			n++;
		}
	}
}

/* ---- the picture: smooth shades with edges and noise ---- */

static void
make_block(struct work *w, uint32_t *image)
{
	int base[3], slope[3], i, c, v, edge = (int)work_below(w, 32);

	for (c = 0; c < 3; c++) {
		base[c] = (int)work_below(w, 256);
		slope[c] = (int)work_below(w, 21) - 10;
	}
	for (i = 0; i < 16; i++) {
		image[i] = 0;
		for (c = 0; c < 3; c++) {
			v = base[c] + slope[c] * (i % 4 + i / 4) + (i >= edge ? 60 - 20 * c : 0) +
			    (int)work_below(w, 9);
			image[i] |= (uint32_t)(v < 0 ? 0 : v > 255 ? 255 : v) << (8 * c);
		}
	}
}

static void
colours(const uint32_t *image, double x[16][3])
{
	int i, c;

	for (i = 0; i < 16; i++)
		for (c = 0; c < 3; c++)
			x[i][c] = (image[i] >> (8 * c) & 255) / 255.0;
}

/* ---- what a block decodes to ---- */

static void
expand(uint32_t bits, double to[3])
{
	to[0] = (bits >> 11) / 31.0;
	to[1] = (bits >> 5 & 63) / 63.0;
	to[2] = (bits & 31) / 31.0;
}

static double
distance(const uint32_t *image, const uint32_t *block)
{
	uint32_t a = block[0] & 0xffff, b = block[0] >> 16;
	double x[16][3], point[4][3], d, sum = 0;
	int i, c;

	colours(image, x);
	expand(a, point[0]);
	expand(b, point[1]);
	for (c = 0; c < 3; c++) {
		point[2][c] = a > b ? (2 * point[0][c] + point[1][c]) / 3
				    : (point[0][c] + point[1][c]) / 2;
		point[3][c] = a > b ? (point[0][c] + 2 * point[1][c]) / 3 : 0;
	}
	for (i = 0; i < 16; i++)
		for (c = 0; c < 3; c++) {
			d = x[i][c] - point[block[1] >> (2 * i) & 3][c];
			sum += d * d;
		}
	return sum;
}

/* ---- the best of all ways ---- */

static void
sort_along_axis(double x[16][3])
{
	double mean[3] = {0}, cov[3][3] = {{0}}, v[3] = {1, 1, 1}, u[3], along[16], max, t;
	int i, j, c, d;

	for (i = 0; i < 16; i++)
		for (c = 0; c < 3; c++)
			mean[c] += x[i][c] / 16;
	for (i = 0; i < 16; i++)
		for (c = 0; c < 3; c++)
			for (d = 0; d < 3; d++)
				cov[c][d] += (x[i][c] - mean[c]) * (x[i][d] - mean[d]);
	for (i = 0; i < 8; i++) {
		for (c = 0, max = 0; c < 3; c++) {
			u[c] = v[0] * cov[c][0] + v[1] * cov[c][1] + v[2] * cov[c][2];
			max = fmax(max, fabs(u[c]));
		}
		for (c = 0; c < 3; c++)
			v[c] = max > 0 ? u[c] / max : 0;
	}
	for (i = 0; i < 16; i++)
		along[i] = x[i][0] * v[0] + x[i][1] * v[1] + x[i][2] * v[2];
	for (i = 1; i < 16; i++)
		for (j = i; j > 0 && along[j] < along[j - 1]; j--) {
			t = along[j], along[j] = along[j - 1], along[j - 1] = t;
			for (c = 0; c < 3; c++)
				t = x[j][c], x[j][c] = x[j - 1][c], x[j - 1][c] = t;
		}
}

/* The squared distance for this way less the sum of the squares of the colours. before[i] is the
 * sum of the first i sorted colours, so a way costs its runs, not its pixels. */
static double
fit_error(double before[17][3], uint32_t way, double steps)
{
	double weight[4] = {steps, 0, steps == 3 ? 2 : 1, 1}, aa = 0, bb = 0, ab = 0, error = 0;
	double ax[3] = {0}, a, b, bx, max;
	int i = 0, end, c;

	while (i < 16) {
		uint32_t bits = way >> (2 * i) & 3;
		double p = weight[bits] / steps, q = 1 - p;

		for (end = i; end < 16 && (way >> (2 * end) & 3) == bits; end++)
			;
		aa += (end - i) * p * p;
		bb += (end - i) * q * q;
		ab += (end - i) * p * q;
		for (c = 0; c < 3; c++)
			ax[c] += p * (before[end][c] - before[i][c]);
		i = end;
	}
	for (c = 0; c < 3; c++) {
		max = c == 1 ? 63 : 31;
		bx = before[16][c] - ax[c];
		a = (ax[c] * bb - bx * ab) / (aa * bb - ab * ab);
		b = (bx * aa - ax[c] * ab) / (aa * bb - ab * ab);
		a = rint(fmin(fmax(a, 0), 1) * max) / max;
		b = rint(fmin(fmax(b, 0), 1) * max) / max;
		error += a * a * aa + b * b * bb + 2 * (a * b * ab - a * ax[c] - b * bx);
	}
	return error;
}

static double
best_distance(const uint32_t *image, const uint32_t *ways)
{
	double x[16][3], before[17][3] = {{0}}, squares = 0, best = DBL_MAX;
	int i, c;

	colours(image, x);
	sort_along_axis(x);
	for (i = 0; i < 16; i++)
		for (c = 0; c < 3; c++) {
			before[i + 1][c] = before[i][c] + x[i][c];
			squares += x[i][c] * x[i][c];
		}
	for (i = 0; i < ALL; i++)
		best = fmin(best, fit_error(before, ways[i], 3));
	for (i = 0; i < THREE; i++)
		best = fmin(best, fit_error(before, ways[i], 2));
	return best + squares;
}

int
main(int argc, char **argv)
{
	struct work w;
	int blocks, launches, i;
	uint32_t ways[ALL], *image, *out;
	float *got, *want;
	CUdeviceptr d_ways, d_image, d_out;

	work_open(&w, argc, argv, "dxtc");
	blocks = work_size(&w, 192, 1920, 19200, [WORK_TCS] = 4096, [WORK_ONAC] = 8192);
	launches = work_size(&w, 1, 1, 1, [WORK_TCS] = 2, [WORK_ONAC] = 1);
	image = work_host(&w, (size_t)blocks * 64);
	out = work_host(&w, (size_t)blocks * 8);
	got = work_host(&w, (size_t)blocks * 4);
	want = work_host(&w, (size_t)blocks * 4);
	make_ways(ways);
	for (i = 0; i < blocks; i++)
		make_block(&w, image + 16 * i);
	d_ways = work_put(&w, ways, sizeof(ways));
	d_image = work_put(&w, image, (size_t)blocks * 64);
	d_out = work_new(&w, (size_t)blocks * 8);
	for (i = 0; i < launches; i++)
		work_launch(&w, "compress", DIM((unsigned)blocks, 1), DIM(64, 1), &d_ways, &d_image,
			    &d_out);
	work_get(&w, out, d_out, (size_t)blocks * 8);
	for (i = 0; i < blocks; i++) {
		got[i] = (float)distance(image + 16 * i, out + 2 * i);
		want[i] = (float)best_distance(image + 16 * i, ways);
	}
	work_check_f32(&w, "distance", got, want, (size_t)blocks, 0.1, 0.02);
	return work_close(&w);
}
