// SPDX-License-Identifier: GPL-3.0-or-later
// sums.cu - reductions in the manner of NVIDIA's samples and HeCBench: shared memory, shuffles, votes, atomics of several
// types and orders.
#include "check.h"

__global__ void
tree(const int *from, int n, int *total)
{
	__shared__ int s[128];
	unsigned t = threadIdx.x;
	int v = 0;

	for (unsigned i = blockIdx.x * 128 + t; i < (unsigned)n; i += 128 * gridDim.x)
		v += from[i];
	s[t] = v;
	__syncthreads();
	for (unsigned k = 64; k >= 32; k /= 2) {
		if (t < k)
			s[t] += s[t + k];
		__syncthreads();
	}
	if (t >= 32)
		return;
	v = s[t];
	for (int k = 16; k; k /= 2)
		v += __shfl_down_sync(0xffffffff, v, k);
	if (t == 0)
		atomicAdd(total, v);
}

struct found {
	int most, least, both;
	unsigned odd, warps, round;
	unsigned long long whole;
	float real;
};

__global__ void
look(const int *from, int n, struct found *f)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = i < n ? from[i] : 0;
	unsigned odd = __ballot_sync(0xffffffff, v & 1);

	if (threadIdx.x % 32 == 0) {
		atomicAdd(&f->odd, (unsigned)__popc(odd));
		atomicAdd(&f->warps, __any_sync(1, odd != 0) ? 1u : 0u);
	}
	if (i >= n)
		return;
	atomicMax(&f->most, v);
	atomicMin(&f->least, v);
	atomicXor(&f->both, v);
	atomicInc(&f->round, 99);
	atomicAdd(&f->whole, (unsigned long long)v);
	atomicAdd(&f->real, 0.5f);
}

int
main(int argc, char **argv)
{
	const int n = 3000;
	static int host[n];
	int want = 0, got, odd = 0, most = -1000, least = 1000, both = 0, *d, *total;
	struct found f = {-1000, 1000, 0, 0, 0, 0, 0, 0}, *df;

	for (int i = 0; i < n; i++) {
		host[i] = i * i % 211;
		want += host[i];
		odd += host[i] & 1;
		most = host[i] > most ? host[i] : most;
		least = host[i] < least ? host[i] : least;
		both ^= host[i];
	}
	CALL(cudaMalloc(&d, sizeof(host)));
	CALL(cudaMalloc(&total, sizeof(int)));
	CALL(cudaMalloc(&df, sizeof(f)));
	CALL(cudaMemset(total, told_fault(argc, argv), sizeof(int)));
	CALL(cudaMemcpy(d, host, sizeof(host), cudaMemcpyHostToDevice));
	CALL(cudaMemcpy(df, &f, sizeof(f), cudaMemcpyHostToDevice));
	tree<<<7, 128>>>(d, n, total);
	look<<<(n + 127) / 128, 128>>>(d, n, df);
	CALL(cudaMemcpy(&got, total, sizeof(got), cudaMemcpyDeviceToHost));
	CALL(cudaMemcpy(&f, df, sizeof(f), cudaMemcpyDeviceToHost));
	expect(got == want);
	expect(f.most == most && f.least == least && f.both == both);
	expect(f.odd == (unsigned)odd && f.warps == (unsigned)(n + 31) / 32);
	expect(f.round == 0 && f.whole == (unsigned long long)want && f.real == n / 2);
	CALL(cudaFree(d));
	CALL(cudaFree(total));
	CALL(cudaFree(df));
	return report();
}
