// SPDX-License-Identifier: GPL-3.0-or-later
// search.cu - breadth first in the manner of Rodinia's bfs: a launch for each level until a flag stays down.
#include "check.h"

struct node {
	int first, n;
};

__global__ void
level(const struct node *node, const int *edge, int *cost, int n, int now, int *more)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n || cost[i] != now)
		return;
	for (int k = node[i].first; k < node[i].first + node[i].n; k++)
		if (cost[edge[k]] < 0) {
			cost[edge[k]] = now + 1;
			*more = 1;
		}
}

int
main(int argc, char **argv)
{
	const int n = 500;
	static struct node node[n];
	static int edge[3 * n], cost[n], got[n];
	struct node *dn;
	int *de, *dc, *dm, more = 1, fault = told_fault(argc, argv);

	for (int i = 0; i < n; i++) {
		node[i].first = 3 * i;
		node[i].n = i % 4;
		for (int k = 0; k < 3; k++)
			edge[3 * i + k] = (i * (k + 2) + 7 * k + 1) % n;
		cost[i] = -1;
	}
	cost[3] = 0;
	CALL(cudaMalloc(&dn, sizeof(node)));
	CALL(cudaMalloc(&de, sizeof(edge)));
	CALL(cudaMalloc(&dc, sizeof(cost)));
	CALL(cudaMalloc(&dm, sizeof(more)));
	CALL(cudaMemcpy(dn, node, sizeof(node), cudaMemcpyHostToDevice));
	CALL(cudaMemcpy(de, edge, sizeof(edge), cudaMemcpyHostToDevice));
	CALL(cudaMemcpy(dc, cost, sizeof(cost), cudaMemcpyHostToDevice));
	for (int now = 0; more && now < n; now++) {
		CALL(cudaMemset(dm, 0, sizeof(more)));
		level<<<(n + 255) / 256, 256>>>(dn, de, dc, n - 200 * fault, now, dm);
		CALL(cudaMemcpy(&more, dm, sizeof(more), cudaMemcpyDeviceToHost));
	}
	CALL(cudaMemcpy(got, dc, sizeof(got), cudaMemcpyDeviceToHost));
	for (int now = 0, changed = 1; changed; now++) {
		changed = 0;
		for (int i = 0; i < n; i++)
			for (int k = 0; cost[i] == now && k < node[i].n; k++)
				if (cost[edge[3 * i + k]] < 0) {
					cost[edge[3 * i + k]] = now + 1;
					changed = 1;
				}
	}
	for (int i = 0; i < n; i++)
		expect(got[i] == cost[i]);
	CALL(cudaFree(dn));
	CALL(cudaFree(de));
	CALL(cudaFree(dc));
	CALL(cudaFree(dm));
	return report();
}
