// SPDX-License-Identifier: GPL-3.0-or-later
// query.cu - what the device is, and no kernel, in the manner of deviceQuery.
#include "check.h"

int
main(int argc, char **argv)
{
	int n, driver, runtime, device, v;
	cudaDeviceProp p;
	size_t free_bytes, total;
	char bus[32];

	CALL(cudaGetDeviceCount(&n));
	CALL(cudaDriverGetVersion(&driver));
	CALL(cudaRuntimeGetVersion(&runtime));
	expect(n == 1 && driver >= runtime && runtime / 1000 == CUDART_VERSION / 1000);
	CALL(cudaSetDevice(told_fault(argc, argv)));
	CALL(cudaGetDevice(&device));
	CALL(cudaGetDeviceProperties(&p, device));
	CALL(cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, device));
	expect(v == p.multiProcessorCount);
	CALL(cudaDeviceGetAttribute(&v, cudaDevAttrMaxSharedMemoryPerBlock, device));
	expect((size_t)v == p.sharedMemPerBlock);
	CALL(cudaDeviceGetAttribute(&v, cudaDevAttrL2CacheSize, device));
	expect(v == p.l2CacheSize);
	CALL(cudaDeviceGetPCIBusId(bus, sizeof(bus), device));
	CALL(cudaMemGetInfo(&free_bytes, &total));
	expect(total == p.totalGlobalMem);
	expect(p.warpSize == 32 && p.maxThreadsPerBlock > 0 && p.maxGridSize[0] > 0);
	printf("%s, compute capability %d.%d, %d SMs, %zu bytes\n", p.name, p.major, p.minor,
	       p.multiProcessorCount, p.totalGlobalMem);
	return report();
}
