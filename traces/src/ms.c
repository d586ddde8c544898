/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ms.c - host of ms.cu. Checked: keys and values are those that the C library's sort makes of pairs
 * of key and place; a value is the place its key had, so that this is the stable order.
 */
#include "workload.h"

#include <stdlib.h>

#define PIECE 1024
#define SAMPLE 128
#define KEYS 65536 /* of the sample: many are equal */

static int
by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Merges from 0 to 1 and back until all is one segment; says where it lies then. */
static int
merge(struct work *w, const CUdeviceptr key[2], const CUdeviceptr value[2], int n)
{
	CUdeviceptr ranks[2], limits[2];
	int stride, threads = n / (2 * SAMPLE), from = 0, i;
	struct work_dim ctas = DIM((unsigned)work_div_up(threads, 256), 1);

	for (i = 0; i < 2; i++) {
		ranks[i] = work_new(w, (size_t)n / SAMPLE * 4);
		limits[i] = work_new(w, (size_t)n / SAMPLE * 4);
	}
	for (stride = PIECE; stride < n; stride *= 2, from = !from) {
		work_launch(w, "sample_ranks", ctas, DIM(256, 1), &ranks[0], &ranks[1],
			    (void *)&key[from], &stride, &threads);
		for (i = 0; i < 2; i++)
			work_launch(w, "merge_ranks", ctas, DIM(256, 1), &limits[i], &ranks[i],
				    &stride, &threads);
		work_launch(w, "merge_intervals", DIM((unsigned)n / SAMPLE, 1), DIM(SAMPLE, 1),
			    (void *)&key[!from], (void *)&value[!from], (void *)&key[from],
			    (void *)&value[from], &limits[0], &limits[1], &stride);
	}
	return from;
}

static void
check(struct work *w, CUdeviceptr key, CUdeviceptr value, const uint64_t *pair, int n)
{
	int32_t *got = work_host(w, (size_t)n * 4), *want = work_host(w, (size_t)n * 4), i;

	for (i = 0; i < n; i++)
		want[i] = (int32_t)(pair[i] >> 32);
	work_get(w, got, key, (size_t)n * 4);
	work_check_i32(w, "key", got, want, (size_t)n);
	for (i = 0; i < n; i++)
		want[i] = (int32_t)pair[i];
	work_get(w, got, value, (size_t)n * 4);
	work_check_i32(w, "value", got, want, (size_t)n);
}

int
main(int argc, char **argv)
{
	struct work w;
	int n, i, at;
	int32_t *key, *value;
	uint64_t *pair;
	size_t bytes;
	CUdeviceptr d_from_key, d_from_value, d_key[2], d_value[2];

	work_open(&w, argc, argv, "ms");
	n = 1 << work_size(&w, 15, 18, 21, [WORK_ONAC] = 19);
	bytes = (size_t)n * 4;
	key = work_host(&w, bytes);
	value = work_host(&w, bytes);
	pair = work_host(&w, 2 * bytes);
	for (i = 0; i < n; i++) {
		key[i] = (int32_t)work_below(&w, KEYS);
		value[i] = i;
		pair[i] = (uint64_t)key[i] << 32 | (uint64_t)i;
	}
	qsort(pair, (size_t)n, sizeof(*pair), by_size);
	d_from_key = work_put(&w, key, bytes);
	d_from_value = work_put(&w, value, bytes);
	for (i = 0; i < 2; i++) {
		d_key[i] = work_new(&w, bytes);
		d_value[i] = work_new(&w, bytes);
	}
	work_launch(&w, "sort_shared", DIM((unsigned)n / PIECE, 1), DIM(PIECE / 2, 1), &d_key[0],
		    &d_value[0], &d_from_key, &d_from_value);
	at = merge(&w, d_key, d_value, n);
	check(&w, d_key[at], d_value[at], pair, n);
	return work_close(&w);
}
