/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nw.c - host of nw.cu. Similarities are -4 .. 11 by a symmetric table of 24 letters, as BLOSUM has
 * them; penalty 10. Checked: the whole matrix, exactly.
 */
#include "workload.h"

static int
max3(int a, int b, int c)
{
	return a > b ? (a > c ? a : c) : (b > c ? b : c);
}

static void
make_similar(struct work *w, int n, int *similar)
{
	int table[24][24], i, j, cols = n + 1;
	int *a = work_host(w, (size_t)cols * 4), *b = work_host(w, (size_t)cols * 4);

	for (i = 0; i < 24; i++) {
		for (j = 0; j < i; j++)
			table[i][j] = table[j][i] = (int)work_below(w, 8) - 4;
		table[i][i] = 4 + (int)work_below(w, 8);
	}
	for (i = 0; i < cols; i++) {
		a[i] = (int)work_below(w, 24);
		b[i] = (int)work_below(w, 24);
	}
	for (i = 1; i < cols; i++)
		for (j = 1; j < cols; j++)
			similar[i * cols + j] = table[a[i]][b[j]];
}

int
main(int argc, char **argv)
{
	struct work w;
	int n, cols, tiles, penalty = 10, i, j, *similar, *score, *want;
	size_t bytes;
	CUdeviceptr d_similar, d_score;

	work_open(&w, argc, argv, "nw");
	n = work_size(&w, 320, 1024, 3200, [WORK_SHORT] = 512);
	cols = n + 1;
	tiles = n / 16;
	bytes = (size_t)cols * (size_t)cols * 4;
	similar = work_host(&w, bytes);
	score = work_host(&w, bytes);
	want = work_host(&w, bytes);
	make_similar(&w, n, similar);
	for (i = 0; i < cols; i++)
		score[i] = score[i * cols] = want[i] = want[i * cols] = -i * penalty;
	for (i = 1; i < cols; i++)
		for (j = 1; j < cols; j++)
			want[i * cols + j] =
				max3(want[(i - 1) * cols + j - 1] + similar[i * cols + j],
				     want[i * cols + j - 1] - penalty,
				     want[(i - 1) * cols + j] - penalty);
	d_similar = work_put(&w, similar, bytes);
	d_score = work_put(&w, score, bytes);
	for (i = 1; i <= tiles; i++)
		work_launch(&w, "upper_left", DIM((unsigned)i, 1), DIM(16, 1), &d_similar, &d_score,
			    &cols, &penalty, &i);
	for (i = tiles - 1; i > 0; i--)
		work_launch(&w, "lower_right", DIM((unsigned)i, 1), DIM(16, 1), &d_similar,
			    &d_score, &cols, &penalty, &i, &tiles);
	work_get(&w, score, d_score, bytes);
	work_check_i32(&w, "score", score, want, (size_t)cols * (size_t)cols);
	return work_close(&w);
}
