/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bt1 - Rodinia B+ tree, findK: looks keys up in a tree of order 256. A CTA takes one key, a thread
 * one of the places of a node; the thread whose interval holds the key writes the child into global
 * memory, and after a barrier all go on there, level by level.
 *
 * Zhu et al., type B. CTAs of 256 threads, the tree's order: N = 4 on kayiran30 by its 1024
 * threads; no shared memory. Default: 4,800 keys (the benchmark's command: 10,000) in a million
 * records, as the benchmark's file has; onac: the 65,535 CTAs of Zhu et al., Table II.
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
find_k(long height, const node *nodes, long n_nodes, const int *records, long *current,
       long *offset, const int *keys, int *answers)
{
	int t = tid_x, q = cta_x, i;

	for (i = 0; i < height; i++) {
		if (nodes[current[q]].keys[t] <= keys[q] && nodes[current[q]].keys[t + 1] > keys[q])
			if (nodes[offset[q]].indices[t] < n_nodes)
				offset[q] = nodes[offset[q]].indices[t];
		barrier();
		if (t == 0)
			current[q] = offset[q];
		barrier();
	}
	if (nodes[current[q]].keys[t] == keys[q])
		answers[q] = records[nodes[current[q]].indices[t]];
}
