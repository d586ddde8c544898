/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pvc.c - host of pvc.cu: makes the log; a few pages get most views. Checked, exactly, against a
 * sort of the keys: the number of distinct pairs and the views of each line's pair.
 */
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 128

struct key {
	const char *text;
	int bytes, line;
};

static int
compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int n = x->bytes < y->bytes ? x->bytes : y->bytes, d = memcmp(x->text, y->text, (size_t)n);

	return d ? d : x->bytes - y->bytes;
}

static void
make_log(struct work *w, char *text, int *line, int n, int dirs)
{
	int i, at = 0, page, visitor, k;

	for (i = 0; i < n; i++) {
		line[i] = at;
		page = (int)(work_below(w, 200) * work_below(w, 200) / 80);
		visitor = (int)work_below(w, 40);
		at += sprintf(text + at, "http://www.site%d.org/", page % 17);
		for (k = 0; k < page % dirs; k++)
			at += sprintf(text + at, "dir%d/", page * 31 % 97 + k);
		at += sprintf(text + at, "%d.html 10.%d.%d.%d %08x\n", page, visitor % 3,
			      visitor % 7, visitor, work_rand(w));
	}
	line[n] = at;
}

/* Views of every line's pair; returns the number of pairs. */
static int
reference(struct work *w, const char *text, const int *line, int n, int *count)
{
	struct key *key = work_host(w, (size_t)n * sizeof(*key));
	int i, k, pairs = 0;
	const char *p;

	for (i = 0; i < n; i++) {
		p = memchr(text + line[i], ' ', (size_t)(line[i + 1] - line[i]));
		p = memchr(p + 1, ' ', (size_t)(text + line[i + 1] - p - 1));
		key[i] = (struct key){text + line[i], (int)(p - text) - line[i], i};
	}
	qsort(key, (size_t)n, sizeof(*key), compare);
	for (i = 0; i < n; i = k, pairs++) {
		for (k = i; k < n && compare(&key[i], &key[k]) == 0; k++)
			;
		for (int m = i; m < k; m++)
			count[key[m].line] = k - i;
	}
	return pairs;
}

int
main(int argc, char **argv)
{
	struct work w;
	int n, dirs, slots, pairs, distinct, *line, *count, *want;
	char *text;
	size_t bytes;
	struct work_dim ctas, block = DIM(256, 1);
	CUdeviceptr d_text, d_line, d_bytes, d_hash, d_table, d_views, d_slot, d_distinct, d_count;

	work_open(&w, argc, argv, "pvc");
	n = work_size(&w, 24576, 245760, 2457600, [WORK_SHORT] = 30720, [WORK_TCS] = 499968);
	dirs = work_size(&w, 3, 3, 3, [WORK_SHORT] = 7, [WORK_TCS] = 7);
	for (slots = 1; slots < 2 * n; slots *= 2) /* the kernel masks the hash */
		;
	bytes = (size_t)n * 4;
	ctas = DIM((unsigned)work_div_up(n, 256), 1);
	text = work_host(&w, (size_t)n * LONGEST);
	line = work_host(&w, bytes + 4);
	count = work_host(&w, bytes);
	want = work_host(&w, bytes);
	make_log(&w, text, line, n, dirs);
	d_text = work_put(&w, text, (size_t)line[n]);
	d_line = work_put(&w, line, bytes + 4);
	d_bytes = work_new(&w, bytes);
	d_hash = work_new(&w, bytes);
	d_table = work_new(&w, (size_t)slots * 4);
	d_views = work_new(&w, (size_t)slots * 4);
	d_slot = work_new(&w, bytes);
	d_distinct = work_new(&w, 4);
	d_count = work_new(&w, bytes);
	work_launch(&w, "map", ctas, block, &d_text, &d_line, &d_bytes, &d_hash, &n);
	work_launch(&w, "group", ctas, block, &d_text, &d_line, &d_bytes, &d_hash, &d_table,
		    &d_views, &d_slot, &d_distinct, &slots, &n);
	work_launch(&w, "reduce", ctas, block, &d_views, &d_slot, &d_count, &n);
	pairs = reference(&w, text, line, n, want);
	work_get(&w, &distinct, d_distinct, 4);
	work_check_i32(&w, "pairs", &distinct, &pairs, 1);
	work_get(&w, count, d_count, bytes);
	work_check_i32(&w, "views", count, want, (size_t)n);
	return work_close(&w);
}
