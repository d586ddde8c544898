// SPDX-License-Identifier: GPL-3.0-or-later
// templates.cu - many kernels from one template, found by their addresses; attributes, occupancy, dynamic
// shared memory, launches by cudaLaunchKernel and cudaLaunchKernelEx.
#include "check.h"

template <typename T, int N>
__global__ void
power(T *p, int n, T more)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	T v = 1;

	for (int k = 0; k < N; k++)
		v *= (T)(i % 5);
	if (i < n)
		p[i] = v + more;
}

template <typename T>
__global__ void
reverse(T *p)
{
	extern __shared__ unsigned char memory[];
	T *s = (T *)memory;

	s[threadIdx.x] = p[threadIdx.x];
	__syncthreads();
	p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

template <typename T, int N>
static void
run(T more)
{
	const int n = 300;
	T *d, host[n];
	int blocks, size, grid;
	cudaFuncAttributes a;

	CALL(cudaFuncGetAttributes(&a, power<T, N>));
	expect(a.numRegs > 0 && a.maxThreadsPerBlock >= 128);
	CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &size, power<T, N>, 0, 0));
	CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, power<T, N>, 128, 0));
	expect(size > 0 && size <= 1024 && grid > 0 && blocks > 0);
	CALL(cudaMalloc(&d, sizeof(host)));
	power<T, N><<<(n + size - 1) / size, size>>>(d, n, more);
	CALL(cudaGetLastError());
	CALL(cudaMemcpy(host, d, sizeof(host), cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++) {
		T v = 1;

		for (int k = 0; k < N; k++)
			v *= (T)(i % 5);
		expect(host[i] == v);
	}
	CALL(cudaFree(d));
}

template <typename T>
static void
turn()
{
	const int n = 64;
	T *d, host[n];
	void *args[] = {&d};
	cudaLaunchConfig_t c = {};

	for (int i = 0; i < n; i++)
		host[i] = (T)i;
	CALL(cudaMalloc(&d, sizeof(host)));
	CALL(cudaMemcpy(d, host, sizeof(host), cudaMemcpyHostToDevice));
	CALL(cudaFuncSetAttribute(reverse<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, 8192));
	reverse<T><<<1, n, sizeof(host)>>>(d);
	CALL(cudaLaunchKernel((const void *)reverse<T>, dim3(1), dim3(n), args, sizeof(host), 0));
	c.gridDim = dim3(1);
	c.blockDim = dim3(n);
	c.dynamicSmemBytes = sizeof(host);
	CALL(cudaLaunchKernelEx(&c, reverse<T>, d));
	CALL(cudaMemcpy(host, d, sizeof(host), cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		expect(host[i] == (T)(n - 1 - i));
	CALL(cudaFree(d));
}

int
main(int argc, char **argv)
{
	int more = told_fault(argc, argv);

	run<int, 1>(more);
	run<int, 2>(more);
	run<int, 3>(more);
	run<float, 2>((float)more);
	run<float, 3>((float)more);
	run<double, 2>(more);
	run<double, 4>(more);
	run<long long, 3>(more);
	run<unsigned short, 2>((unsigned short)more);
	turn<char>();
	turn<float>();
	turn<double>();
	return report();
}
