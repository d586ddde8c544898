/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bt2.c - host of bt2.cu. Checked: first record and length of every range, which are known from how
 * it was drawn.
 */
#include "bt.h"

#define RANGE 3000

int
main(int argc, char **argv)
{
	struct work w;
	struct bt tree;
	int ranges, records, i;
	int32_t *start, *end, *first, *length, *want_first, *want_length;
	int64_t height, n_nodes;
	CUdeviceptr d_nodes, d_current, d_offset, d_last, d_offset_2, d_start, d_end, d_first,
		d_length;

	work_open(&w, argc, argv, "bt2");
	ranges = work_size(&w, 480, 4800, 48000, [WORK_ONAC] = 32768);
	records = work_size(&w, 100000, 1000000, 1000000, [WORK_ONAC] = 1000000);
	tree = bt_build(&w, records);
	start = work_host(&w, (size_t)ranges * 4);
	end = work_host(&w, (size_t)ranges * 4);
	first = work_host(&w, (size_t)ranges * 4);
	length = work_host(&w, (size_t)ranges * 4);
	want_first = work_host(&w, (size_t)ranges * 4);
	want_length = work_host(&w, (size_t)ranges * 4);
	for (i = 0; i < ranges; i++) {
		want_first[i] = (int32_t)work_below(&w, (uint32_t)(records - RANGE));
		want_length[i] = RANGE;
		start[i] = tree.key[want_first[i]];
		end[i] = tree.key[want_first[i] + RANGE - 1];
	}
	height = tree.height;
	n_nodes = tree.n_nodes;
	d_nodes = work_put(&w, tree.node, (size_t)n_nodes * sizeof(*tree.node));
	d_current = work_new(&w, (size_t)ranges * 8);
	d_offset = work_new(&w, (size_t)ranges * 8);
	d_last = work_new(&w, (size_t)ranges * 8);
	d_offset_2 = work_new(&w, (size_t)ranges * 8);
	d_start = work_put(&w, start, (size_t)ranges * 4);
	d_end = work_put(&w, end, (size_t)ranges * 4);
	d_first = work_new(&w, (size_t)ranges * 4);
	d_length = work_new(&w, (size_t)ranges * 4);
	work_launch(&w, "find_range_k", DIM((unsigned)ranges, 1), DIM(BT_ORDER, 1), &height,
		    &d_nodes, &n_nodes, &d_current, &d_offset, &d_last, &d_offset_2, &d_start,
		    &d_end, &d_first, &d_length);
	work_get(&w, first, d_first, (size_t)ranges * 4);
	work_get(&w, length, d_length, (size_t)ranges * 4);
	work_check_i32(&w, "first", first, want_first, (size_t)ranges);
	work_check_i32(&w, "length", length, want_length, (size_t)ranges);
	return work_close(&w);
}
