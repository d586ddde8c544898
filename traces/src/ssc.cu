/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ssc - Mars MapReduce, similarity score: the cosine of all pairs of document vectors. Kernel
 * norms: a thread per document; kernel map: a thread per pair of the input records, which goes
 * through both vectors, row-major as Mars stores them, and emits the score.
 *
 * Type M: the lanes of a warp read 32 vectors at a time. CTAs of 256 threads as in Mars: N = 4 on
 * kayiran30 by its 1024 threads.
 *
 * Sizes: default 704 documents of 64 features, 247,456 pairs (967 CTAs, 8 waves); small 224 and
 * large 2224 documents; short 256 (128 CTAs).
 */
#include "device.h"

#define FEATURES 64

KERNEL(256) void
norms(const float *vectors, float *norm, int docs)
{
	int doc = cta_x * 256 + tid_x, i;
	float sum = 0, x;

	if (doc >= docs)
		return;
	NO_UNROLL
	for (i = 0; i < FEATURES; i++) {
		x = vectors[doc * FEATURES + i];
		sum += x * x;
	}
	norm[doc] = sqrt_rn(sum);
}

struct pair {
	int a, b;
} __attribute__((aligned(8)));

KERNEL(256) void
map(const float *vectors, const float *norm, const struct pair *pairs, float *score, int n)
{
	int id = cta_x * 256 + tid_x, i;
	const float *a, *b;
	float sum = 0;
	struct pair p;

	if (id >= n)
		return;
	p = pairs[id];
	a = vectors + p.a * FEATURES;
	b = vectors + p.b * FEATURES;
	NO_UNROLL
	for (i = 0; i < FEATURES; i++)
		sum += a[i] * b[i];
	score[id] = div_approx(sum, norm[p.a] * norm[p.b]);
}
