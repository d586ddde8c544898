/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pvr - Mars MapReduce, page view rank: pages by their number of views. Map: a thread per record
 * "URL count" finds the number at its end and emits it as key; group: bitonic sort of the keys,
 * short strides in shared memory, one launch per longer stride; reduce: every page gets its rank.
 *
 * Type M. CTAs of 256 threads as in Mars: N = 4 on kayiran30 by its 1024 threads; the sort in
 * shared memory has 4 KiB.
 *
 * Sizes: default 131,072 records: 512 CTAs in map and reduce, 256 in each launch of the sort. That
 * is 4 and 2 waves: the sort of twice as many would take 20 million instructions. small 16,384,
 * large 1,048,576, short 32,768 records.
 */
#include "device.h"

#define THREADS 256
#define CHUNK (2 * THREADS)

/* Sorted downwards; equal counts keep the order of the records. */
KERNEL(THREADS) void
map(const char *text, const int *line, u64 *key, int n, int records)
{
	int id = cta_x * THREADS + tid_x, i, end;
	u32 count = 0;
	bool number = false;

	if (id >= n)
		return;
	if (id < records) {
		end = line[id + 1];
		NO_UNROLL
		for (i = line[id]; i < end; i++) {
			char c = text[i];

			if (number && c >= '0' && c <= '9')
				count = count * 10 + (u32)(c - '0');
			number |= c == ' ';
		}
	}
	key[id] = (u64)count << 32 | ~(u32)id;
}

DEVICE void
order(u64 *a, u64 *b, bool down)
{
	u64 x = *a, y = *b;

	if ((x < y) == down) {
		*a = y;
		*b = x;
	}
}

/* Strides below CHUNK of the merge of runs of size; first: all merges up to CHUNK. */
KERNEL(THREADS) void
sort_shared(u64 *key, int size, int first)
{
	SHARED u64 part[CHUNK];
	int t = tid_x, base = cta_x * CHUNK, run, stride, a;

	part[t] = key[base + t];
	part[t + THREADS] = key[base + t + THREADS];
	NO_UNROLL
	for (run = first ? 2 : size; run <= size; run *= 2) {
		NO_UNROLL
		for (stride = min_i(run, CHUNK) / 2; stride > 0; stride /= 2) {
			barrier();
			a = 2 * t - (t & (stride - 1));
			order(&part[a], &part[a + stride], ((base + a) & run) == 0);
		}
	}
	barrier();
	key[base + t] = part[t];
	key[base + t + THREADS] = part[t + THREADS];
}

KERNEL(THREADS) void
sort_global(u64 *key, int size, int stride)
{
	int t = cta_x * THREADS + tid_x, a = 2 * t - (t & (stride - 1));

	order(&key[a], &key[a + stride], (a & size) == 0);
}

KERNEL(THREADS) void
reduce(const u64 *key, int *rank, int *views, int n, int records)
{
	int id = cta_x * THREADS + tid_x, page;

	if (id >= n)
		return;
	page = (int)~(u32)key[id];
	if (page < records) {
		rank[page] = id;
		views[id] = (int)(key[id] >> 32);
	}
}
