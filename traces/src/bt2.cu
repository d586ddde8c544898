/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bt2 - Rodinia B+ tree, findRangeK: finds where a range of keys begins and how many records are in
 * it. A CTA takes one range and walks down twice at once, as bt1 does, for its first and last key.
 *
 * Zhu et al., type A. CTAs of 256 threads, the tree's order: N = 4 on kayiran30 by its 1024
 * threads; no shared memory. Default: 4,800 ranges of 3,000 records (the benchmark's command: 6,000
 * of 3,000) in a million; onac: half of the 65,535 CTAs of Zhu et al., Table II.
 */
#include "device.h"

#define ORDER 256

struct node {
	int location;
	int indices[ORDER + 1];
	int keys[ORDER + 1];
	int is_leaf, n_keys;
};

KERNEL(256) void
find_range_k(long height, const node *nodes, long n_nodes, long *current, long *offset, long *last,
	     long *offset_2, const int *start, const int *end, int *first, int *length)
{
	int t = tid_x, q = cta_x, i;

	for (i = 0; i < height; i++) {
		if (nodes[current[q]].keys[t] <= start[q] &&
		    nodes[current[q]].keys[t + 1] > start[q])
			if (nodes[current[q]].indices[t] < n_nodes)
				offset[q] = nodes[current[q]].indices[t];
		if (nodes[last[q]].keys[t] <= end[q] && nodes[last[q]].keys[t + 1] > end[q])
			if (nodes[last[q]].indices[t] < n_nodes)
				offset_2[q] = nodes[last[q]].indices[t];
		barrier();
		if (t == 0) {
			current[q] = offset[q];
			last[q] = offset_2[q];
		}
		barrier();
	}
	if (nodes[current[q]].keys[t] == start[q])
		first[q] = nodes[current[q]].indices[t];
	barrier();
	if (nodes[last[q]].keys[t] == end[q])
		length[q] = nodes[last[q]].indices[t] - first[q] + 1;
}
