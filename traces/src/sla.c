/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sla.c - host of sla.cu. Checked: all prefix sums, exactly: the elements are 0 and 1, whose sums a
 * float holds.
 */
#include "workload.h"

#define BLOCK 512

static void
scan_part(struct work *w, CUdeviceptr out, CUdeviceptr in, CUdeviceptr sums, int n, int first)
{
	int first_sum = first / BLOCK;

	if (n)
		work_launch(w, "scan_block", DIM((unsigned)work_div_up(n, BLOCK), 1), DIM(256, 1),
			    &out, &in, &sums, &n, &first, &first_sum);
}

static void
add_part(struct work *w, CUdeviceptr out, CUdeviceptr sums, int n, int first)
{
	int first_sum = first / BLOCK;

	if (n)
		work_launch(w, "add_sums", DIM((unsigned)work_div_up(n, BLOCK), 1), DIM(256, 1),
			    &out, &sums, &n, &first, &first_sum);
}

/* Full blocks, then the one that is not; nothing is to be added to the first block. */
static void
scan(struct work *w, CUdeviceptr out, CUdeviceptr in, int n)
{
	int blocks = work_div_up(n, BLOCK), full = n / BLOCK * BLOCK;
	CUdeviceptr sums = 0;

	if (blocks == 1) {
		scan_part(w, out, in, sums, n, 0);
		return;
	}
	sums = work_new(w, (size_t)blocks * 4);
	scan_part(w, out, in, sums, full, 0);
	scan_part(w, out, in, sums, n - full, full);
	scan(w, sums, sums, blocks);
	add_part(w, out, sums, full - BLOCK, BLOCK);
	add_part(w, out, sums, n - full, full);
}

int
main(int argc, char **argv)
{
	struct work w;
	int n, i;
	float *in, *got, *want;
	CUdeviceptr d_in, d_out;

	work_open(&w, argc, argv, "sla");
	n = work_size(&w, 192, 1920, 19200, [WORK_CLASO] = 192) * BLOCK + 100;
	in = work_host(&w, (size_t)n * 4);
	got = work_host(&w, (size_t)n * 4);
	want = work_host(&w, (size_t)n * 4);
	for (i = 0; i < n; i++) {
		in[i] = (float)work_below(&w, 2);
		want[i] = i ? want[i - 1] + in[i - 1] : 0;
	}
	d_in = work_put(&w, in, (size_t)n * 4);
	d_out = work_new(&w, (size_t)n * 4);
	scan(&w, d_out, d_in, BLOCK); /* the sample's first run, which it does not time */
	scan(&w, d_out, d_in, n);
	work_get(&w, got, d_out, (size_t)n * 4);
	work_check_f32(&w, "sum", got, want, (size_t)n, 0, 1);
	return work_close(&w);
}
