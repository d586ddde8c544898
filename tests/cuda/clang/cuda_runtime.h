/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuda_runtime.h - replaces NVIDIA's header for clang without a toolkit (-nocudainc -nocudalib):
 * the keywords of CUDA C++, our header of the runtime API with the templates that C++ programs
 * expect, and the device functions that are builtins of clang. It has only what the programs of
 * tests/cuda need. Not included: textures and surfaces, cooperative groups, __managed__, the
 * mathematics of libdevice.
 */
#ifndef TESTS_CUDA_CLANG_CUDA_RUNTIME_H
#define TESTS_CUDA_CLANG_CUDA_RUNTIME_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define CUDART_CB

#include "record/runtime/runtime_api.h"

struct uint3 {
	unsigned int x, y, z;
};

#include <__clang_cuda_builtin_vars.h>

#include <cstdio>

#define cudaDevAttrMultiProcessorCount CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
#define cudaDevAttrMaxSharedMemoryPerBlock CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK
#define cudaDevAttrL2CacheSize CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE

/* ---- what is left out of a call ---- */

extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
				     CUstream_st *stream = 0);
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n, cudaMemcpyKind kind,
			    cudaStream_t stream = 0);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
#if CUDART_MAJOR == 12
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
#endif
}

/* ---- pointers of any type ---- */

template <typename T>
static inline cudaError_t
cudaMalloc(T **p, size_t bytes)
{
	return cudaMalloc((void **)p, bytes);
}

template <typename T>
static inline cudaError_t
cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
	return cudaMallocPitch((void **)p, pitch, width, height);
}

template <typename T>
static inline cudaError_t
cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream)
{
	return cudaMallocAsync((void **)p, bytes, stream);
}

template <typename T>
static inline cudaError_t
cudaMallocHost(T **p, size_t bytes)
{
	return cudaMallocHost((void **)p, bytes);
}

template <typename T>
static inline cudaError_t
cudaHostAlloc(T **p, size_t bytes, unsigned int flags)
{
	return cudaHostAlloc((void **)p, bytes, flags);
}

template <typename T>
static inline cudaError_t
cudaHostGetDevicePointer(T **p, void *host, unsigned int flags)
{
	return cudaHostGetDevicePointer((void **)p, host, flags);
}

template <typename T>
static inline cudaError_t
cudaMemcpyToSymbol(const T &symbol, const void *from, size_t n, size_t offset = 0,
		   cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
	return cudaMemcpyToSymbol((const void *)&symbol, from, n, offset, kind);
}

template <typename T>
static inline cudaError_t
cudaMemcpyFromSymbol(void *to, const T &symbol, size_t n, size_t offset = 0,
		     cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
	return cudaMemcpyFromSymbol(to, (const void *)&symbol, n, offset, kind);
}

/* ---- kernels of any type ---- */

template <typename K>
static inline cudaError_t
cudaFuncGetAttributes(cudaFuncAttributes *a, K *kernel)
{
	return cudaFuncGetAttributes(a, (const void *)kernel);
}

template <typename K>
static inline cudaError_t
cudaFuncSetAttribute(K *kernel, cudaFuncAttribute a, int value)
{
	return cudaFuncSetAttribute((const void *)kernel, a, value);
}

template <typename K>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, K kernel, int threads, size_t shared)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
							     shared);
}

/* Returns the largest block that fits, which is what NVIDIA's function finds if only threads are
 * limited. */
template <typename K>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *grid, int *threads, K kernel, size_t shared, int most)
{
	cudaError_t r = cudaSuccess;
	int blocks = 0;

	for (*threads = most ? most : 1024; r == cudaSuccess && !blocks && *threads > 32;
	     *threads -= 32)
		r = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, *threads,
								  shared);
	*threads += 32;
	*grid = blocks;
	return r;
}

template <typename... P, typename... A>
static inline cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t *c, void (*kernel)(P...), A... a)
{
	return [&](P... p) {
		void *args[] = {(void *)&p...};

		return cudaLaunchKernelExC(c, (const void *)kernel, args);
	}(a...);
}

/* ---- the device ---- */

extern "C" {
__device__ int printf(const char *format, ...);
__device__ void __assertfail(const char *what, const char *file, unsigned line,
			     const char *function, size_t size);

__device__ inline void
__assert_fail(const char *what, const char *file, unsigned line,
	      const char *function) noexcept(true)
{
	__assertfail(what, file, line, function, 1);
}
}

#ifdef __CUDA_ARCH__

#define ATOMIC(name, type, builtin)                         \
	__device__ static inline type name(type *p, type v) \
	{                                                   \
		return builtin(p, v);                       \
	}

ATOMIC(atomicAdd, int, __nvvm_atom_add_gen_i)
ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i)
ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i)
ATOMIC(atomicXor, int, __nvvm_atom_xor_gen_i)
ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f)
ATOMIC(atomicInc, unsigned, __nvvm_atom_inc_gen_ui)

__device__ static inline unsigned
atomicAdd(unsigned *p, unsigned v)
{
	return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v);
}

__device__ static inline unsigned long long
atomicAdd(unsigned long long *p, unsigned long long v)
{
	return (unsigned long long)__nvvm_atom_add_gen_ll((long long *)p, (long long)v);
}

__device__ static inline int
__shfl_down_sync(unsigned mask, int v, unsigned by)
{
	return __nvvm_shfl_sync_down_i32(mask, v, by, 31);
}

__device__ static inline unsigned
__ballot_sync(unsigned mask, int yes)
{
	return __nvvm_vote_ballot_sync(mask, yes);
}

__device__ static inline int
__any_sync(unsigned mask, int yes)
{
	return __nvvm_vote_any_sync(mask, yes);
}

__device__ static inline int
__popc(unsigned v)
{
	return __builtin_popcount(v);
}

#else /* clang looks these up when it reads a kernel for the host, and forgets them */

template <typename T> __device__ T atomicAdd(T *p, T v);
template <typename T> __device__ T atomicMax(T *p, T v);
template <typename T> __device__ T atomicMin(T *p, T v);
template <typename T> __device__ T atomicXor(T *p, T v);
__device__ unsigned atomicInc(unsigned *p, unsigned v);
__device__ int __shfl_down_sync(unsigned mask, int v, unsigned by);
__device__ unsigned __ballot_sync(unsigned mask, int yes);
__device__ int __any_sync(unsigned mask, int yes);
__device__ int __popc(unsigned v);
__device__ void __syncthreads();

#endif
#endif
