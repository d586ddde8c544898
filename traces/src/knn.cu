/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * knn - Rodinia nearest neighbours: the distance of every record (a latitude and a longitude) to
 * one place, a thread per record. The choice of the nearest is the host's and left out.
 *
 * Zhu et al., type A. CTAs of 256 threads: N = 4 on kayiran30 by its 1024 threads; no shared
 * memory. Default: 4,800 CTAs (the file that comes with the benchmark makes 168); onac: the 50,115
 * CTAs of Zhu et al., Table II.
 */
#include "device.h"

KERNEL(256) void
euclid(const float2 *places, float *distances, int records, float lat, float lng)
{
	int i = 256 * (grid_x * cta_y + cta_x) + tid_x;
	float2 p;

	if (i < records) {
		p = places[i];
		distances[i] = sqrt_rn((lat - p.x) * (lat - p.x) + (lng - p.y) * (lng - p.y));
	}
}
