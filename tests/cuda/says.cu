// SPDX-License-Identifier: GPL-3.0-or-later
// says.cu - a kernel that prints, and one whose assertion fails: both on the program's standard output and error.
#include "check.h"

#include <cassert>

__global__ void
say(const char *what, double x)
{
	if (threadIdx.x % 2 == 0)
		printf("block %d thread %u: %s %5.2f %c %lld%%\n", blockIdx.x, threadIdx.x, "is", x, what[0],
		       1ll << 40);
}

__global__ void
insist(const int *p)
{
	assert(p[threadIdx.x] < 3);
}

int
main(int argc, char **argv)
{
	int host[4] = {0, 1, 2, 2 + told_fault(argc, argv)}, *d;
	char *text;
	cudaError_t r;

	CALL(cudaMalloc(&d, sizeof(host)));
	CALL(cudaMalloc(&text, 2));
	CALL(cudaMemcpy(text, "q", 2, cudaMemcpyHostToDevice));
	CALL(cudaMemcpy(d, host, sizeof(host), cudaMemcpyHostToDevice));
	say<<<2, 4>>>(text, 2.5);
	CALL(cudaDeviceSynchronize());
	insist<<<1, 4>>>(d);
	r = cudaDeviceSynchronize();
	expect(r == cudaSuccess);
	if (r != cudaSuccess)
		printf("%s\n", cudaGetErrorName(r));
	return report();
}
