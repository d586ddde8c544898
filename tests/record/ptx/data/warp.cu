// warp.cu - nvcc only: atomics, shuffles, votes, matches, barriers, fences, textures, half, clock.
//
// Made with nvcc 13 (-ptx):
//   warp-nvcc-75.ptx             nvcc -arch=compute_75
//   warp-nvcc-90-lineinfo.ptx    nvcc -arch=compute_90 -lineinfo
#include <cuda_fp16.h>

__global__ void __launch_bounds__(128, 2)
warp(int *out, float *f, unsigned long long *l, cudaTextureObject_t tex, int n)
{
	__shared__ int count[4];
	int i = threadIdx.x;
	unsigned all = 0xffffffffu;

	if (i < 4)
		count[i] = 0;
	__syncthreads();
	atomicAdd(&count[i & 3], i);
	out[0] = atomicCAS(out + 9, 1, 2) + atomicExch(&count[3], 4) + atomicMax(out + 1, i);
	atomicAdd(f, 1.f);
	atomicMin(l, (unsigned long long)i);
	out[2] = __shfl_xor_sync(all, i, 3) + __shfl_down_sync(all, i, 1, 16) +
		 __ballot_sync(all, i > 3) + __popc(__activemask()) + __any_sync(all, n);
	out[3] = __syncthreads_count(i & 1) + __syncthreads_or(n);
	out[4] = (int)(tex2D<float>(tex, i, n) + tex1Dfetch<float4>(tex, i).y +
		       tex3D<float>(tex, i, n, 2.f));
	__half2 h = __half2half2(__float2half(f[1]));
	h = __hfma2(h, h, h);
	f[2] = __half2float(__low2half(h)) + __sinf(f[3]) + rsqrtf(f[4]);
	__threadfence();
#if __CUDA_ARCH__ >= 700
	out[5] = (int)__match_any_sync(all, i);
#endif
	out[6] = (int)clock64() + __byte_perm(n, i, 0x5410) + __clz(n) + __brev(i);
	if (n == 99)
		__trap();
}
