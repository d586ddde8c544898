// SPDX-License-Identifier: GPL-3.0-or-later
// symbols.cu - variables of the device: constant, global, managed; managed memory; atomics.
#include "check.h"

__constant__ int coefficient[4];
__device__ int histogram[8];
__device__ unsigned seen = 100;
__managed__ int both[2];

__global__ void
count(const unsigned char *p, int n, int more)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	atomicAdd(&histogram[p[i] & 7], coefficient[i & 3] + more);
	atomicInc(&seen, 1u << 30);
	if (i == 0)
		both[1] = both[0] * 2;
}

int
main(int argc, char **argv)
{
	const int n = 999, c[4] = {1, 10, 100, 1000};
	int want[8] = {0}, got[8], *where;
	unsigned char *p;
	unsigned s;
	size_t size;

	CALL(cudaMallocManaged(&p, n));
	for (int i = 0; i < n; i++) {
		p[i] = (unsigned char)(i * 7);
		want[p[i] & 7] += c[i & 3];
	}
	both[0] = 21;
	CALL(cudaMemcpyToSymbol(coefficient, c, sizeof(c)));
	CALL(cudaMemset(nullptr, 0, 0));
	CALL(cudaGetSymbolAddress((void **)&where, histogram));
	CALL(cudaGetSymbolSize(&size, histogram));
	expect(size == sizeof(got));
	CALL(cudaMemset(where, 0, size));
#if CUDART_VERSION >= 13000
	CALL(cudaMemPrefetchAsync(p, n, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0));
#else
	CALL(cudaMemPrefetchAsync(p, n, 0));
#endif
	count<<<8, 128>>>(p, n, told_fault(argc, argv));
	CALL(cudaDeviceSynchronize());
	CALL(cudaMemcpyFromSymbol(got, histogram, sizeof(got)));
	for (int i = 0; i < 8; i++)
		expect(got[i] == want[i]);
	CALL(cudaMemcpyFromSymbol(&s, seen, sizeof(s)));
	expect(s == 100 + n);
	expect(both[1] == 42);
	CALL(cudaFree(p));
	return report();
}
