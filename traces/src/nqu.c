/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nqu.c - host of nqu.cu. Checked: the number of solutions, exactly, against a recursion on the CPU
 * and the known numbers.
 */
#include "workload.h"

#define ROOM 131072

struct starts {
	int n, count, placed;
	uint32_t full, *columns, *left, *right;
};

static void
place(struct starts *s, int row, uint32_t columns, uint32_t left, uint32_t right)
{
	uint32_t open = s->full & ~(columns | left | right), queen;

	if (row == s->placed) {
		s->columns[s->count] = columns;
		s->left[s->count] = left;
		s->right[s->count] = right;
		s->count++;
		return;
	}
	for (; open; open &= open - 1) {
		queen = open & -open;
		place(s, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
	}
}

static int
reference(uint32_t full, uint32_t columns, uint32_t left, uint32_t right)
{
	uint32_t open = full & ~(columns | left | right), queen;
	int found = 0;

	if (columns == full)
		return 1;
	for (; open; open &= open - 1) {
		queen = open & -open;
		found +=
			reference(full, columns | queen, (left | queen) << 1, (right | queen) >> 1);
	}
	return found;
}

int
main(int argc, char **argv)
{
	struct work w;
	struct starts s = {0};
	int known, want, sum = 0, i, ctas, rows, *result;
	CUdeviceptr d_columns, d_left, d_right, d_result;

	work_open(&w, argc, argv, "nqu");
	s.n = work_size(&w, 10, 12, 13, [WORK_SHORT] = 11);
	known = work_size(&w, 724, 14200, 73712, [WORK_SHORT] = 2680);
	s.placed = work_size(&w, 4, 5, 5, [WORK_SHORT] = 4);
	rows = s.n - s.placed;
	s.full = (1u << s.n) - 1;
	s.columns = work_host(&w, ROOM * 4);
	s.left = work_host(&w, ROOM * 4);
	s.right = work_host(&w, ROOM * 4);
	place(&s, 0, 0, 0, 0);
	ctas = work_div_up(s.count, 96);
	result = work_host(&w, (size_t)ctas * 4);
	d_columns = work_put(&w, s.columns, (size_t)s.count * 4);
	d_left = work_put(&w, s.left, (size_t)s.count * 4);
	d_right = work_put(&w, s.right, (size_t)s.count * 4);
	d_result = work_new(&w, (size_t)ctas * 4);
	work_launch(&w, "queens", DIM((unsigned)ctas, 1), DIM(96, 1), &s.n, &rows, &d_columns,
		    &d_left, &d_right, &d_result, &s.count);
	work_get(&w, result, d_result, (size_t)ctas * 4);
	for (i = 0; i < ctas; i++)
		sum += result[i];
	want = reference(s.full, 0, 0, 0);
	work_check_i32(&w, "solutions", &sum, &want, 1);
	work_check_i32(&w, "known", &sum, &known, 1);
	return work_close(&w);
}
