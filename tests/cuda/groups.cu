// SPDX-License-Identifier: GPL-3.0-or-later
// groups.cu - cooperative groups: tiles, the lanes that are together, a barrier of the whole grid.
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void
tiles(const int *from, int *sum, int *odd)
{
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
	unsigned i = block.group_index().x * block.size() + block.thread_rank();
	int v = from[i];

	for (unsigned k = tile.size() / 2; k; k /= 2)
		v += tile.shfl_down(v, k);
	if (tile.thread_rank() == 0)
		sum[i / 8] = v;
	if (from[i] & 1) {
		cg::coalesced_group together = cg::coalesced_threads();

		if (together.thread_rank() == 0)
			atomicAdd(odd, (int)together.size());
	}
	block.sync();
}

/* Each step every block reads what its neighbours wrote before the barrier. */
__global__ void
steps(int *p, int n, int many)
{
	cg::grid_group grid = cg::this_grid();
	unsigned i = grid.thread_rank();

	for (int s = 0; s < many; s++) {
		int v = p[s * n + (i + blockDim.x) % n] + 1;

		p[(s + 1) * n + i] = v;
		grid.sync();
	}
}

int
main(int argc, char **argv)
{
	const int n = 256;
	int many = 5, host[6 * n], got[6 * n], odd = 0, want = 0, m = n, *d, *sum, *count;
	void *args[] = {&d, &m, &many};

	for (int i = 0; i < n; i++) {
		host[i] = i * i % 23;
		want += host[i] & 1;
	}
	CALL(cudaMalloc(&d, sizeof(host)));
	CALL(cudaMalloc(&sum, n / 8 * sizeof(int)));
	CALL(cudaMalloc(&count, sizeof(int)));
	CALL(cudaMemset(count, told_fault(argc, argv), sizeof(int)));
	CALL(cudaMemcpy(d, host, n * sizeof(int), cudaMemcpyHostToDevice));
	tiles<<<4, n / 4>>>(d, sum, count);
	CALL(cudaMemcpy(got, sum, n / 8 * sizeof(int), cudaMemcpyDeviceToHost));
	CALL(cudaMemcpy(&odd, count, sizeof(int), cudaMemcpyDeviceToHost));
	for (int i = 0; i < n / 8; i++) {
		int s = 0;

		for (int k = 0; k < 8; k++)
			s += host[8 * i + k];
		expect(got[i] == s);
	}
	expect(odd == want);
	CALL(cudaLaunchCooperativeKernel((const void *)steps, dim3(8), dim3(n / 8), args, 0, 0));
	CALL(cudaDeviceSynchronize());
	CALL(cudaMemcpy(got, d, sizeof(got), cudaMemcpyDeviceToHost));
	for (int s = 0; s < many; s++)
		for (int i = 0; i < n; i++) {
			host[(s + 1) * n + i] = host[s * n + (i + n / 8) % n] + 1;
			expect(got[(s + 1) * n + i] == host[(s + 1) * n + i]);
		}
	CALL(cudaFree(d));
	CALL(cudaFree(sum));
	CALL(cudaFree(count));
	return report();
}
