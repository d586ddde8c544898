/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spmv.c - host of spmv.cu: makes the rows, sorts them by length (counting sort, stable) and lays
 * them out. Checked: the product against row sums in doubles, within 1e-5.
 */
#include "workload.h"

#define LONGEST 64

struct jds {
	int rows, cells;
	int start[5000], count[5000];
	int *perm, *column;
	float *value;
};

static void
make_matrix(struct work *w, struct jds *m, const float *x, float *want)
{
	int *length = work_host(w, (size_t)m->rows * 4), i, k, n = 0, longest;
	double sum;

	m->perm = work_host(w, (size_t)m->rows * 4);
	for (i = 0; i < m->rows; i++)
		length[i] = 2 + (int)(work_below(w, 30) * work_below(w, 30) / 15);
	for (longest = LONGEST; longest > 0; longest--)
		for (i = 0; i < m->rows; i++)
			if (length[i] == longest)
				m->perm[n++] = i;
	/* The k-th elements of the rows of all warps that have one. */
	for (i = 0; i < (m->rows + 31) / 32; i++)
		m->count[i] = length[m->perm[i * 32]];
	longest = m->count[0];
	for (k = 0; k < longest; k++) {
		m->start[k] = m->cells;
		for (i = 0; i < (m->rows + 31) / 32 && m->count[i] > k; i++)
			m->cells += 32;
	}
	m->value = work_host(w, (size_t)m->cells * 4);
	m->column = work_host(w, (size_t)m->cells * 4);
	for (i = 0; i < m->rows; i++) {
		int row = m->perm[i], at;

		sum = 0;
		for (k = 0; k < length[row]; k++) {
			at = m->start[k] + i;
			if (k % 3)
				m->column[at] = (row + k * 7) % m->rows;
			else
				m->column[at] = (int)work_below(w, (uint32_t)m->rows);
			m->value[at] = work_randf(w, -1, 1);
			sum += (double)m->value[at] * x[m->column[at]];
		}
		want[row] = (float)sum;
	}
}

int
main(int argc, char **argv)
{
	static struct jds m;
	struct work w;
	float *x, *y, *want;
	int i, rounds;
	CUdeviceptr d_y, d_value, d_column, d_perm, d_x;

	work_open(&w, argc, argv, "spmv");
	m.rows = work_size(&w, 14688, 146689, 146689, [WORK_SHORT] = 65536);
	rounds = work_size(&w, 1, 1, 10, [WORK_SHORT] = 1);
	x = work_host(&w, (size_t)m.rows * 4);
	y = work_host(&w, (size_t)m.rows * 4);
	want = work_host(&w, (size_t)m.rows * 4);
	for (i = 0; i < m.rows; i++)
		x[i] = work_randf(&w, 0, 1);
	make_matrix(&w, &m, x, want);
	work_const(&w, "jds_start", m.start, sizeof(m.start));
	work_const(&w, "jds_count", m.count, sizeof(m.count));
	d_y = work_new(&w, (size_t)m.rows * 4);
	d_value = work_put(&w, m.value, (size_t)m.cells * 4);
	d_column = work_put(&w, m.column, (size_t)m.cells * 4);
	d_perm = work_put(&w, m.perm, (size_t)m.rows * 4);
	d_x = work_put(&w, x, (size_t)m.rows * 4);
	for (i = 0; i < rounds; i++)
		work_launch(&w, "spmv", DIM((unsigned)work_div_up(m.rows, 192), 1), DIM(192, 1),
			    &d_y, &d_value, &d_column, &d_perm, &d_x, &m.rows);
	work_get(&w, y, d_y, (size_t)m.rows * 4);
	work_check_f32(&w, "y", y, want, (size_t)m.rows, 1e-5, 1);
	return work_close(&w);
}
