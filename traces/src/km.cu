/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * km - Rodinia k-means: kernel transpose turns the points from point-major into feature-major,
 * kernel assign gives each point its nearest centre (centres in constant memory) and counts per CTA
 * how many points moved. The host makes the new centres, as the benchmark does.
 *
 * Type M. CTAs of 256 threads: N = 4 by threads (6 in CLASO, 1536 threads, so the real kernel has
 * at most 21 registers: .maxnreg 20).
 *
 * Sizes: default 256,000 points (1000 CTAs, 8 waves; the benchmark's data set has 494,020) of 34
 * features, 5 centres, two rounds; small and large a tenth and ten times of it; short and claso
 * 30,900 (363 CTAs in three launches); tcs 495,616 (1936 CTAs). onac: 1,638,400 points in one
 * round, 6400 CTAs, a quarter of the paper's.
 */
#include "device.h"

#define FEATURES 34
#define CENTRES 5

CONSTANT float centre[CENTRES * FEATURES];

KERNEL(256) void
transpose(const float *points, float *features, int n)
{
	int point = cta_x * 256 + tid_x, i;

	if (point < n)
		NO_UNROLL
	for (i = 0; i < FEATURES; i++)
		features[i * n + point] = points[point * FEATURES + i];
}

MAXNREG(assign, 20)
KERNEL(256) void
assign(const float *features, int *member, int *moved, int n)
{
	SHARED int count[256];
	int point = cta_x * 256 + tid_x, i, k, nearest = 0, half;
	float best = 3.40282347e38f, d, dist;

	count[tid_x] = 0;
	if (point < n) {
		NO_UNROLL
		for (k = 0; k < CENTRES; k++) {
			dist = 0;
			UNROLL
			for (i = 0; i < FEATURES; i++) {
				d = features[i * n + point] - centre[k * FEATURES + i];
				dist += d * d;
			}
			if (dist < best) {
				best = dist;
				nearest = k;
			}
		}
		count[tid_x] = member[point] != nearest;
		member[point] = nearest;
	}
	for (half = 128; half > 0; half /= 2) {
		barrier();
		if (tid_x < half)
			count[tid_x] += count[tid_x + half];
	}
	if (tid_x == 0)
		moved[cta_x] = count[0];
}
