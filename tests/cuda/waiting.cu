// SPDX-License-Identifier: GPL-3.0-or-later
// waiting.cu - ordinary launches whose blocks wait for later ones: a chain from the last block to the first, and vertices of
// a graph that wait until all neighbours of higher rank are decided, as in mis and gc of HeCBench.
#include "check.h"

__global__ void
chain(volatile int *value, int first)
{
	int block = blockIdx.x, next = block + 1;

	if (threadIdx.x != 0)
		return;
	if (next == (int)gridDim.x) {
		value[block] = first;
		return;
	}
	while (value[next] == 0)
		;
	value[block] = value[next] + 1;
}

// A vertex belongs to the set if no neighbour of higher number does. Its neighbours are number ^ 1, ^ 2, ^ 4, ...
__global__ void
choose(volatile int *state, int n, int bits)
{
	int missing;

	do {
		missing = 0;
		for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
			int taken = 0, open = 0;

			if (state[v] != 0)
				continue;
			for (int b = 0; b < bits; b++) {
				int other = v ^ 1 << b;

				if (other > v && other < n) {
					taken |= state[other] == 1;
					open |= state[other] == 0;
				}
			}
			if (taken || !open)
				state[v] = taken ? 2 : 1;
			else
				missing = 1;
		}
	} while (missing);
}

int
main(int argc, char **argv)
{
	const int blocks = 9, n = 1000, bits = 10;
	int h[n], want[n], *d;

	CALL(cudaMalloc(&d, sizeof(h)));
	CALL(cudaMemset(d, 0, sizeof(h)));
	chain<<<blocks, 64>>>(d, 1 + told_fault(argc, argv));
	CALL(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
	for (int i = 0; i < blocks; i++)
		expect(h[i] == blocks - i);
	CALL(cudaMemset(d, 0, sizeof(h)));
	choose<<<5, 96>>>(d, n - told_fault(argc, argv), bits);
	CALL(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
	for (int v = n - 1; v >= 0; v--) {
		want[v] = 1;
		for (int b = 0; b < bits; b++)
			if ((v ^ 1 << b) > v && (v ^ 1 << b) < n && want[v ^ 1 << b] == 1)
				want[v] = 2;
		expect(h[v] == want[v]);
	}
	return report();
}
