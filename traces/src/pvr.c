/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pvr.c - host of pvr.cu. Checked, exactly, against a stable sort on the CPU: views in order of
 * rank, and the rank of every page.
 */
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>

#define LONGEST 96

static int
compare(const void *a, const void *b)
{
	const int *x = a, *y = b; /* count, page */

	return x[0] != y[0] ? (x[0] < y[0] ? 1 : -1) : x[1] - y[1];
}

/* Records with their counts and pages in pair. */
static void
make_records(struct work *w, char *text, int *line, int n, int *pair)
{
	int i, at = 0;

	for (i = 0; i < n; i++) {
		uint32_t product = work_below(w, 1000) * work_below(w, 1000);

		line[i] = at;
		pair[2 * i] = (int)(product / (1 + work_below(w, 99)));
		pair[2 * i + 1] = i;
		at += sprintf(text + at, "http://www.host%u.com/", work_below(w, 1000));
		for (int k = (int)work_below(w, 4); k > 0; k--)
			at += sprintf(text + at, "part%u/", work_below(w, 100));
		at += sprintf(text + at, "index%u.html %d\n", work_below(w, 100), pair[2 * i]);
	}
	line[n] = at;
}

int
main(int argc, char **argv)
{
	struct work w;
	int n, size, stride, first = 1, chunk = 512, i, *line, *pair, *rank, *views, *want;
	char *text;
	size_t bytes;
	struct work_dim ctas, halves, block = DIM(256, 1);
	CUdeviceptr d_text, d_line, d_key, d_rank, d_views;

	work_open(&w, argc, argv, "pvr");
	n = work_size(&w, 16384, 131072, 1048576, [WORK_SHORT] = 32768);
	bytes = (size_t)n * 4;
	text = work_host(&w, (size_t)n * LONGEST);
	line = work_host(&w, bytes + 4);
	pair = work_host(&w, bytes * 2);
	rank = work_host(&w, bytes);
	views = work_host(&w, bytes);
	want = work_host(&w, bytes);
	make_records(&w, text, line, n, pair);
	qsort(pair, (size_t)n, 8, compare);
	ctas = DIM((unsigned)n / 256, 1);
	halves = DIM((unsigned)n / 512, 1);
	d_text = work_put(&w, text, (size_t)line[n]);
	d_line = work_put(&w, line, bytes + 4);
	d_key = work_new(&w, bytes * 2);
	d_rank = work_new(&w, bytes);
	d_views = work_new(&w, bytes);
	work_launch(&w, "map", ctas, block, &d_text, &d_line, &d_key, &n, &n);
	work_launch(&w, "sort_shared", halves, block, &d_key, &chunk, &first);
	first = 0;
	for (size = 1024; size <= n; size *= 2) {
		for (stride = size / 2; stride >= 512; stride /= 2)
			work_launch(&w, "sort_global", halves, block, &d_key, &size, &stride);
		work_launch(&w, "sort_shared", halves, block, &d_key, &size, &first);
	}
	work_launch(&w, "reduce", ctas, block, &d_key, &d_rank, &d_views, &n, &n);
	work_get(&w, views, d_views, bytes);
	for (i = 0; i < n; i++)
		want[i] = pair[2 * i];
	work_check_i32(&w, "views", views, want, (size_t)n);
	work_get(&w, rank, d_rank, bytes);
	for (i = 0; i < n; i++)
		want[pair[2 * i + 1]] = i;
	work_check_i32(&w, "rank", rank, want, (size_t)n);
	return work_close(&w);
}
