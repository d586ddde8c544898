/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bfs.c - host of bfs.cu. The graph: the degree of a node is 1 / u^0.6 scaled (u uniform), a power
 * law with a cut-off, its neighbours uniform. Checked: the cost of every node, exactly, against a
 * queue.
 */
#include "workload.h"

#include <math.h>
#include <string.h>

static int
make_graph(struct work *w, int n, int *first, int *edge, int room)
{
	int i, k, degree, edges = 0;

	for (i = 0; i < n; i++) {
		degree = (int)(2.4 * pow(work_randf(w, 1e-4f, 1), -0.6));
		first[i] = edges;
		for (k = 0; k < degree && edges < room; k++)
			edge[edges++] = (int)work_below(w, (uint32_t)n);
	}
	first[n] = edges;
	return edges;
}

static void
reference(int n, const int *first, const int *edge, int *cost, int *queue)
{
	int head = 0, tail = 1, i, node;

	for (i = 0; i < n; i++)
		cost[i] = -1;
	cost[0] = 0;
	queue[0] = 0;
	while (head < tail) {
		node = queue[head++];
		for (i = first[node]; i < first[node + 1]; i++)
			if (cost[edge[i]] < 0) {
				cost[edge[i]] = cost[node] + 1;
				queue[tail++] = edge[i];
			}
	}
}

int
main(int argc, char **argv)
{
	struct work w;
	int n, edges, more, *first, *edge, *cost, *want, *queue;
	CUdeviceptr d_first, d_edge, d_frontier, d_next, d_seen, d_cost, d_more;
	unsigned char one = 1;
	unsigned ctas;

	work_open(&w, argc, argv, "bfs");
	n = work_size(&w, 24576, 262144,
		      2621440, [WORK_SHORT] = 65536, [WORK_TCS] = 1000448, [WORK_CLASO] = 65536);
	first = work_host(&w, (size_t)(n + 1) * 4);
	edge = work_host(&w, (size_t)n * 16 * 4);
	cost = work_host(&w, (size_t)n * 4);
	want = work_host(&w, (size_t)n * 4);
	queue = work_host(&w, (size_t)n * 4);
	edges = make_graph(&w, n, first, edge, n * 16);
	reference(n, first, edge, want, queue);

	memset(cost, 0xff, (size_t)n * 4);
	cost[0] = 0;
	d_first = work_put(&w, first, (size_t)(n + 1) * 4);
	d_edge = work_put(&w, edge, (size_t)edges * 4);
	d_cost = work_put(&w, cost, (size_t)n * 4);
	d_frontier = work_new(&w, (size_t)n);
	d_next = work_new(&w, (size_t)n);
	d_seen = work_new(&w, (size_t)n);
	d_more = work_new(&w, 4);
	work_set(&w, d_frontier, &one, 1);
	work_set(&w, d_seen, &one, 1);
	ctas = (unsigned)work_div_up(n, 512);
	do {
		more = 0;
		work_set(&w, d_more, &more, 4);
		work_launch(&w, "visit", DIM(ctas, 1), DIM(512, 1), &d_first, &d_edge, &d_frontier,
			    &d_next, &d_seen, &d_cost, &n);
		work_launch(&w, "advance", DIM(ctas, 1), DIM(512, 1), &d_frontier, &d_next, &d_seen,
			    &d_more, &n);
		work_get(&w, &more, d_more, 4);
	} while (more);
	work_get(&w, cost, d_cost, (size_t)n * 4);
	work_check_i32(&w, "cost", cost, want, (size_t)n);
	return work_close(&w);
}
