/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ssc.c - host of ssc.cu. Checked: all scores against doubles, within 1e-5.
 */
#include "workload.h"

#include <math.h>

#define FEATURES 64

int
main(int argc, char **argv)
{
	struct work w;
	int docs, n, a, b, k, at = 0, *pair;
	float *vectors, *score, *want;
	size_t bytes;
	CUdeviceptr d_vectors, d_norm, d_pair, d_score;

	work_open(&w, argc, argv, "ssc");
	docs = work_size(&w, 224, 704, 2224, [WORK_SHORT] = 256);
	n = docs * (docs - 1) / 2;
	bytes = (size_t)(docs * FEATURES) * 4;
	vectors = work_host(&w, bytes);
	pair = work_host(&w, (size_t)n * 8);
	score = work_host(&w, (size_t)n * 4);
	want = work_host(&w, (size_t)n * 4);
	for (k = 0; k < docs * FEATURES; k++)
		vectors[k] = work_below(&w, 3) ? 0 : work_randf(&w, 0, 1);
	for (a = 0; a < docs; a++)
		for (b = a + 1; b < docs; b++, at++) {
			double dot = 0, aa = 0, bb = 0;

			for (k = 0; k < FEATURES; k++) {
				double x = (double)vectors[a * FEATURES + k];
				double y = (double)vectors[b * FEATURES + k];

				dot += x * y;
				aa += x * x;
				bb += y * y;
			}
			pair[2 * at] = a;
			pair[2 * at + 1] = b;
			want[at] = (float)(dot / sqrt(aa * bb));
		}
	d_vectors = work_put(&w, vectors, bytes);
	d_norm = work_new(&w, (size_t)docs * 4);
	d_pair = work_put(&w, pair, (size_t)n * 8);
	d_score = work_new(&w, (size_t)n * 4);
	work_launch(&w, "norms", DIM((unsigned)work_div_up(docs, 256), 1), DIM(256, 1), &d_vectors,
		    &d_norm, &docs);
	work_launch(&w, "map", DIM((unsigned)work_div_up(n, 256), 1), DIM(256, 1), &d_vectors,
		    &d_norm, &d_pair, &d_score, &n);
	work_get(&w, score, d_score, (size_t)n * 4);
	work_check_f32(&w, "score", score, want, (size_t)n, 1e-5, 1);
	return work_close(&w);
}
