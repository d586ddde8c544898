/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * knn.c - host of knn.cu. Checked: every distance against that in doubles, within 1e-5 of it or
 * of 1.
 */
#include "workload.h"

#include <math.h>

int
main(int argc, char **argv)
{
	struct work w;
	int ctas, records, i;
	float lat = 30, lng = 90, *places, *distances, *want;
	CUdeviceptr d_places, d_distances;

	work_open(&w, argc, argv, "knn");
	ctas = work_size(&w, 480, 4800, 48000, [WORK_ONAC] = 50115);
	records = ctas * 256 - 100; /* the last CTA is not full */
	places = work_host(&w, (size_t)records * 8);
	distances = work_host(&w, (size_t)records * 4);
	want = work_host(&w, (size_t)records * 4);
	for (i = 0; i < records; i++) {
		places[2 * i] = work_randf(&w, 7, 70);
		places[2 * i + 1] = work_randf(&w, 0, 180);
		want[i] = (float)hypot((double)lat - (double)places[2 * i],
				       (double)lng - (double)places[2 * i + 1]);
	}
	d_places = work_put(&w, places, (size_t)records * 8);
	d_distances = work_new(&w, (size_t)records * 4);
	work_launch(&w, "euclid", DIM((unsigned)ctas, 1), DIM(256, 1), &d_places, &d_distances,
		    &records, &lat, &lng);
	work_get(&w, distances, d_distances, (size_t)records * 4);
	work_check_f32(&w, "distance", distances, want, (size_t)records, 1e-5, 1);
	return work_close(&w);
}
