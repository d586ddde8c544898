/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bfs - Rodinia (Harish and Narayanan): breadth-first search of a graph in CSR form, level by
 * level, a thread per node. Kernel visit: the nodes of the frontier give their unvisited neighbours
 * a cost; kernel advance: these become the next frontier, and a flag says that there is one.
 *
 * Type M. CTAs of 512 threads: N = 2 on kayiran30 by its 1024 threads (3 in CLASO, whose machine
 * has 1536).
 *
 * Sizes: default 262,144 nodes (512 CTAs a launch, 8 waves), degrees by a power law with mean about
 * 6; small 24,576, large 2,621,440; short and claso 65,536 (24 launches of 128 CTAs; the paper has
 * 2560 in 20 launches); tcs 1,000,448 (1954 CTAs in each of 30 launches; the paper has 24).
 */
#include "device.h"

KERNEL(512) void
visit(const int *first, const int *edge, u8 *frontier, u8 *next, const u8 *seen, int *cost, int n)
{
	int node = cta_x * 512 + tid_x, i, end, to;

	if (node >= n || !frontier[node])
		return;
	frontier[node] = 0;
	end = first[node + 1];
	NO_UNROLL
	for (i = first[node]; i < end; i++) {
		to = edge[i];
		if (!seen[to]) {
			cost[to] = cost[node] + 1;
			next[to] = 1;
		}
	}
}

KERNEL(512) void
advance(u8 *frontier, u8 *next, u8 *seen, int *more, int n)
{
	int node = cta_x * 512 + tid_x;

	if (node >= n || !next[node])
		return;
	frontier[node] = 1;
	seen[node] = 1;
	*more = 1;
	next[node] = 0;
}
