/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * km.c - host of km.cu, two rounds. Checked: membership of every point and the number of points
 * that moved, exactly (fmaf is what the kernel does).
 */
#include "workload.h"

#include <math.h>
#include <string.h>

#define FEATURES 34
#define CENTRES 5

static int
reference(const float *points, const float *centre, int *member, int n)
{
	int p, k, i, nearest, moved = 0;
	float best, dist, d;

	for (p = 0; p < n; p++) {
		best = 3.40282347e38f;
		nearest = 0;
		for (k = 0; k < CENTRES; k++) {
			dist = 0;
			for (i = 0; i < FEATURES; i++) {
				d = points[p * FEATURES + i] - centre[k * FEATURES + i];
				dist = fmaf(d, d, dist);
			}
			if (dist < best) {
				best = dist;
				nearest = k;
			}
		}
		moved += member[p] != nearest;
		member[p] = nearest;
	}
	return moved;
}

static void
new_centres(const float *points, const int *member, float *centre, int n)
{
	int p, i, count[CENTRES] = {0};
	double sum[CENTRES * FEATURES] = {0};

	for (p = 0; p < n; p++) {
		count[member[p]]++;
		for (i = 0; i < FEATURES; i++)
			sum[member[p] * FEATURES + i] += (double)points[p * FEATURES + i];
	}
	for (i = 0; i < CENTRES * FEATURES; i++)
		if (count[i / FEATURES])
			centre[i] = (float)(sum[i] / count[i / FEATURES]);
}

int
main(int argc, char **argv)
{
	struct work w;
	int n, i, round, rounds, ctas, sum, *member, *want, *moved;
	size_t bytes;
	float *points, centre[CENTRES * FEATURES];
	CUdeviceptr d_points, d_features, d_member, d_moved;

	work_open(&w, argc, argv, "km");
	n = work_size(&w, 25600, 256000, 2560000, [WORK_SHORT] = 30900, [WORK_TCS] = 495616,
		      [WORK_ONAC] = 1638400, [WORK_CLASO] = 30900);
	bytes = (size_t)n * FEATURES * 4;
	ctas = work_div_up(n, 256);
	points = work_host(&w, bytes);
	member = work_host(&w, (size_t)n * 4);
	want = work_host(&w, (size_t)n * 4);
	moved = work_host(&w, (size_t)ctas * 4);
	for (i = 0; i < n * FEATURES; i++)
		points[i] = work_randf(&w, 0, 1) + (float)(i / FEATURES % 7 * (i % 3)) * 0.1f;
	memcpy(centre, points, sizeof(centre));
	memset(want, 0xff, (size_t)n * 4);
	d_points = work_put(&w, points, bytes);
	d_features = work_new(&w, bytes);
	d_member = work_put(&w, want, (size_t)n * 4);
	d_moved = work_new(&w, (size_t)ctas * 4);
	work_launch(&w, "transpose", DIM((unsigned)ctas, 1), DIM(256, 1), &d_points, &d_features,
		    &n);
	rounds = work_size(&w, 2, 2,
			   2, [WORK_SHORT] = 2, [WORK_TCS] = 2, [WORK_ONAC] = 1, [WORK_CLASO] = 2);
	for (round = 0; round < rounds; round++) {
		work_const(&w, "centre", centre, sizeof(centre));
		work_launch(&w, "assign", DIM((unsigned)ctas, 1), DIM(256, 1), &d_features,
			    &d_member, &d_moved, &n);
		work_get(&w, moved, d_moved, (size_t)ctas * 4);
		for (i = 0, sum = 0; i < ctas; i++)
			sum += moved[i];
		i = reference(points, centre, want, n);
		work_check_i32(&w, "moved", &sum, &i, 1);
		work_get(&w, member, d_member, (size_t)n * 4);
		work_check_i32(&w, "member", member, want, (size_t)n);
		new_centres(points, member, centre, n);
	}
	return work_close(&w);
}
