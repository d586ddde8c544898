/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bt1.c - host of bt1.cu. Checked: every answer, which is known from how the key was drawn; one of
 * 16 keys is not in the tree, its answer stays -1.
 */
#include "bt.h"

int
main(int argc, char **argv)
{
	struct work w;
	struct bt tree;
	int keys, records, i;
	int32_t *key, *answer, *want;
	int64_t height, n_nodes;
	CUdeviceptr d_nodes, d_records, d_current, d_offset, d_keys, d_answers;

	work_open(&w, argc, argv, "bt1");
	keys = work_size(&w, 480, 4800, 48000, [WORK_ONAC] = 65535);
	records = work_size(&w, 100000, 1000000, 1000000, [WORK_ONAC] = 1000000);
	tree = bt_build(&w, records);
	key = work_host(&w, (size_t)keys * 4);
	answer = work_host(&w, (size_t)keys * 4);
	want = work_host(&w, (size_t)keys * 4);
	for (i = 0; i < keys; i++) {
		uint32_t at = work_below(&w, (uint32_t)records);
		int missing = work_below(&w, 16) == 0;

		key[i] = missing ? 4 * (int32_t)at + 3 : tree.key[at];
		want[i] = missing ? -1 : tree.value[at];
		answer[i] = -1;
	}
	height = tree.height;
	n_nodes = tree.n_nodes;
	d_nodes = work_put(&w, tree.node, (size_t)n_nodes * sizeof(*tree.node));
	d_records = work_put(&w, tree.value, (size_t)records * 4);
	d_current = work_new(&w, (size_t)keys * 8);
	d_offset = work_new(&w, (size_t)keys * 8);
	d_keys = work_put(&w, key, (size_t)keys * 4);
	d_answers = work_put(&w, answer, (size_t)keys * 4);
	work_launch(&w, "find_k", DIM((unsigned)keys, 1), DIM(BT_ORDER, 1), &height, &d_nodes,
		    &n_nodes, &d_records, &d_current, &d_offset, &d_keys, &d_answers);
	work_get(&w, answer, d_answers, (size_t)keys * 4);
	work_check_i32(&w, "answer", answer, want, (size_t)keys);
	return work_close(&w);
}
