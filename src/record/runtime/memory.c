/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.c - allocates and describes memory, by the driver, and keeps pools. A pool is only a name
 * for the device's memory.
 */
#include "record/runtime/graph.h"

#include <stdlib.h>
#include <string.h>

static CUdeviceptr
get_address(const void *p)
{
	return (CUdeviceptr)(uintptr_t)p;
}

/* Returns a null pointer for an allocation of 0 bytes, which is not an error, unlike in the driver
 * API. */
static cudaError_t
return_null(void **p)
{
	if (!p)
		return runtime_done(cudaErrorInvalidValue);
	*p = NULL;
	return runtime_done(runtime_ready());
}

static cudaError_t
return_address(void **p, const CUdeviceptr *addr, CUresult r)
{
	*p = (void *)(uintptr_t)*addr;
	return runtime_done((cudaError_t)r);
}

EXPORT
cudaMalloc(void **p, size_t bytes)
{
	CUdeviceptr addr = 0;

	if (!p || !bytes)
		return return_null(p);
	TRY(runtime_ready());
	return return_address(p, &addr, cuMemAlloc_v2(&addr, bytes));
}

EXPORT
cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
	CUdeviceptr addr = 0;

	if (!p || !pitch)
		return runtime_done(cudaErrorInvalidValue);
	if (!width || !height) {
		*pitch = 0;
		return return_null(p);
	}
	TRY(runtime_ready());
	return return_address(p, &addr, cuMemAllocPitch_v2(&addr, pitch, width, height, 4));
}

EXPORT
cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent)
{
	cudaError_t r;

	if (!p || (extent.depth && extent.height > SIZE_MAX / extent.depth))
		return runtime_done(cudaErrorInvalidValue);
	memset(p, 0, sizeof(*p));
	r = cudaMallocPitch(&p->ptr, &p->pitch, extent.width, extent.height * extent.depth);
	p->xsize = extent.width;
	p->ysize = extent.height;
	return r;
}

EXPORT
cudaFree(void *p)
{
	if (graph_memory_is_kept(p))
		return cudaSuccess;
	FORWARD(cuMemFree_v2(get_address(p)));
}

EXPORT
cudaMallocManaged(void **p, size_t bytes, unsigned int flags)
{
	CUdeviceptr addr = 0;

	if (!p || !bytes)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	return return_address(p, &addr, cuMemAllocManaged(&addr, bytes, flags));
}

EXPORT
cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream)
{
	CUdeviceptr addr = 0;

	if (!p || !bytes)
		return return_null(p);
	TRY(runtime_ready());
	TRY(return_address(p, &addr, cuMemAllocAsync(&addr, bytes, stream)));
	return capture_of(stream) ? runtime_done(graph_memory_keep(*p)) : cudaSuccess;
}

ALIAS(cudaMallocAsync, cudaMallocAsync_ptsz);

EXPORT
cudaFreeAsync(void *p, cudaStream_t stream)
{
	if (capture_of(stream) || graph_memory_is_kept(p)) /* launches of the graph use it */
		return cudaSuccess;
	FORWARD(cuMemFreeAsync(get_address(p), stream));
}

ALIAS(cudaFreeAsync, cudaFreeAsync_ptsz);

EXPORT
cudaMemGetInfo(size_t *available, size_t *total)
{
	FORWARD(cuMemGetInfo_v2(available, total));
}

/* ---- memory of the host ---- */

EXPORT
cudaHostAlloc(void **p, size_t bytes, unsigned int flags)
{
	if (!p || !bytes)
		return return_null(p);
	FORWARD(cuMemHostAlloc(p, bytes, flags));
}

EXPORT
cudaMallocHost(void **p, size_t bytes)
{
	return cudaHostAlloc(p, bytes, cudaHostAllocDefault);
}

EXPORT
cudaFreeHost(void *p)
{
	FORWARD(cuMemFreeHost(p));
}

EXPORT
cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
	CUdeviceptr addr = 0;

	if (!device)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	return return_address(device, &addr, cuMemHostGetDevicePointer_v2(&addr, host, flags));
}

EXPORT
cudaHostGetFlags(unsigned int *flags, void *host)
{
	FORWARD(cuMemHostGetFlags(flags, host));
}

EXPORT
cudaHostRegister(void *p, size_t bytes, unsigned int flags)
{
	FORWARD(cuMemHostRegister_v2(p, bytes, flags));
}

EXPORT
cudaHostUnregister(void *p)
{
	FORWARD(cuMemHostUnregister(p));
}

/* ---- attributes of an address ---- */

static bool
query_pointer(const void *p, CUpointer_attribute a, void *value)
{
	return cuPointerGetAttribute(value, a, get_address(p)) == CUDA_SUCCESS;
}

EXPORT
cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *p)
{
	unsigned type = 0;
	bool managed = false;

	if (!out)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	memset(out, 0, sizeof(*out));
	if (!p || !query_pointer(p, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, &type)) {
		out->type = cudaMemoryTypeUnregistered;
		out->device = cudaInvalidDeviceId;
		out->hostPointer = (void *)(uintptr_t)p;
		return cudaSuccess;
	}
	query_pointer(p, CU_POINTER_ATTRIBUTE_IS_MANAGED, &managed);
	managed = managed || register_managed(get_address(p));
	out->type = managed			 ? cudaMemoryTypeManaged
		    : type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost
						 : cudaMemoryTypeDevice;
	if (!query_pointer(p, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, &out->devicePointer))
		out->devicePointer = NULL;
	if (managed)
		out->hostPointer = out->devicePointer;
	else if (!query_pointer(p, CU_POINTER_ATTRIBUTE_HOST_POINTER, &out->hostPointer))
		out->hostPointer = NULL;
	return cudaSuccess;
}

/* ---- hints ---- */

/* Ignores the error of a hint about a __managed__ variable, which is not managed memory of the
 * driver. */
static cudaError_t
ignore_managed_error(const void *p, CUresult r)
{
	return runtime_done(r && register_managed(get_address(p)) ? cudaSuccess : (cudaError_t)r);
}

static cudaError_t
prefetch_memory(const void *p, size_t bytes, cudaStream_t stream)
{
	TRY(runtime_ready());
	return ignore_managed_error(p, cuMemPrefetchAsync(get_address(p), bytes, 0, stream));
}

static cudaError_t
advise_memory(const void *p, size_t bytes, int advice)
{
	TRY(runtime_ready());
	return ignore_managed_error(p, cuMemAdvise(get_address(p), bytes, advice, 0));
}

#if CUDART_MAJOR >= 13
EXPORT
cudaMemPrefetchAsync(const void *p, size_t bytes, struct cudaMemLocation to ATTR_UNUSED,
		     unsigned int flags, cudaStream_t stream)
{
	return flags ? runtime_done(cudaErrorInvalidValue) : prefetch_memory(p, bytes, stream);
}

EXPORT
cudaMemAdvise(const void *p, size_t bytes, int advice, struct cudaMemLocation where ATTR_UNUSED)
{
	return advise_memory(p, bytes, advice);
}
#else
EXPORT
cudaMemPrefetchAsync(const void *p, size_t bytes, int device ATTR_UNUSED, cudaStream_t stream)
{
	return prefetch_memory(p, bytes, stream);
}

EXPORT
cudaMemAdvise(const void *p, size_t bytes, int advice, int device ATTR_UNUSED)
{
	return advise_memory(p, bytes, advice);
}

EXPORT
cudaMemPrefetchAsync_v2(const void *p, size_t bytes, struct cudaMemLocation to ATTR_UNUSED,
			unsigned int flags, cudaStream_t stream)
{
	return flags ? runtime_done(cudaErrorInvalidValue) : prefetch_memory(p, bytes, stream);
}

ALIAS(cudaMemPrefetchAsync_v2, cudaMemPrefetchAsync_v2_ptsz);

EXPORT
cudaMemAdvise_v2(const void *p, size_t bytes, int advice, struct cudaMemLocation where ATTR_UNUSED)
{
	return advise_memory(p, bytes, advice);
}
#endif

ALIAS(cudaMemPrefetchAsync, cudaMemPrefetchAsync_ptsz);

/* ---- pools ---- */

struct pool {
	uint64_t threshold; /* the release threshold: stored and returned, without effect */
};

static struct pool default_pool;

static struct pool *
find_pool(cudaMemPool_t pool)
{
	return (struct pool *)pool;
}

EXPORT
cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
	if (!pool || device)
		return runtime_done(pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	*pool = (cudaMemPool_t)&default_pool;
	return cudaSuccess;
}

EXPORT
cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
	return cudaDeviceGetDefaultMemPool(pool, device);
}

EXPORT
cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
	return runtime_done(device  ? cudaErrorInvalidDevice
			    : !pool ? cudaErrorInvalidValue
				    : cudaSuccess);
}

EXPORT
cudaMemPoolCreate(cudaMemPool_t *pool, const void *props)
{
	if (!pool || !props)
		return runtime_done(cudaErrorInvalidValue);
	*pool = calloc(1, sizeof(struct pool));
	return runtime_done(*pool ? cudaSuccess : cudaErrorMemoryAllocation);
}

EXPORT
cudaMemPoolDestroy(cudaMemPool_t pool)
{
	if (!pool || find_pool(pool) == &default_pool)
		return runtime_done(cudaErrorInvalidValue);
	free(pool);
	return cudaSuccess;
}

EXPORT
cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep ATTR_UNUSED)
{
	return runtime_done(pool ? cudaSuccess : cudaErrorInvalidValue);
}

EXPORT
cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void *value)
{
	if (!pool || !value)
		return runtime_done(cudaErrorInvalidValue);
	if (attribute > cudaMemPoolAttrReleaseThreshold)
		return runtime_done(cudaErrorNotSupported);
	if (attribute == cudaMemPoolAttrReleaseThreshold)
		memcpy(&find_pool(pool)->threshold, value, sizeof(uint64_t));
	return cudaSuccess;
}

EXPORT
cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void *value)
{
	if (!pool || !value)
		return runtime_done(cudaErrorInvalidValue);
	if (attribute != cudaMemPoolAttrReleaseThreshold)
		return runtime_done(cudaErrorNotSupported);
	memcpy(value, &find_pool(pool)->threshold, sizeof(uint64_t));
	return cudaSuccess;
}

EXPORT
cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
	return pool ? cudaMallocAsync(p, bytes, stream) : runtime_done(cudaErrorInvalidValue);
}

ALIAS(cudaMallocFromPoolAsync, cudaMallocFromPoolAsync_ptsz);
