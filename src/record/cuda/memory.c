/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.c - allocates, frees and describes memory of the device and of the host.
 *
 * If device addresses equal host addresses (ptx_unified, nearly always), page-locked and managed
 * memory is ordinary device memory, and registered memory is visible to the device under its own
 * address. Otherwise page-locked memory is accessible to the host only, and managed memory is
 * rejected.
 *
 * Freeing memory that a context owns, or with the wrong kind of call, is an error.
 */
#include "record/cuda/driver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HOST_ALIGN 4096

/* ---- the table ---- */

static CUresult
memory_add(struct driver *d, uint64_t addr, enum memory_kind kind, uint64_t bytes, unsigned flags,
	   bool outside)
{
	struct memory *m = calloc(1, sizeof(*m));

	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->kind = kind;
	m->flags = flags;
	m->bytes = bytes;
	m->id = ++d->ids;
	m->outside = outside;
	m->o.ctx = context_current();
	object_add(d, &m->o, OBJ_MEMORY, addr);
	return CUDA_SUCCESS;
}

CUresult
memory_new(struct driver *d, enum memory_kind kind, uint64_t bytes, uint32_t align, unsigned flags,
	   const char *what, uint64_t *addr)
{
	bool outside = kind == MEM_HOST && !d->machine.unified;
	struct err e = {0};
	CUresult r;

	*addr = 0;
	if (!bytes)
		return CUDA_ERROR_INVALID_VALUE;
	if (kind == MEM_MANAGED && !d->machine.unified) {
		driver_print("managed memory is not possible in this process: another mapping "
			     "occupies 0x%" PRIx64 ", the place of device memory",
			     (uint64_t)PTX_GLOBAL_BASE);
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (outside) {
		void *p;

		if (posix_memalign(&p, HOST_ALIGN, bytes) != 0)
			return CUDA_ERROR_OUT_OF_MEMORY;
		*addr = (uintptr_t)p;
	} else {
		*addr = ptx_alloc(d->device, bytes, align, what, &e);
		if (!*addr)
			return driver_error(&e, CUDA_ERROR_OUT_OF_MEMORY);
		if (kind != MEM_DEVICE)
			ptx_share(d->device, *addr);
		else if (recording_checks(d, CHECK_INIT) && ptx_track(d->device, *addr, &e))
			driver_print("%s", e.msg);
	}
	r = memory_add(d, *addr, kind, bytes, flags, outside);
	if (r != CUDA_SUCCESS && outside)
		free((void *)(uintptr_t)*addr);
	else if (r != CUDA_SUCCESS)
		ptx_release(d->device, *addr, NULL);
	return r;
}

void
memory_free(struct driver *d, struct object *o)
{
	struct memory *m = (struct memory *)o;

	if (!m->outside)
		ptx_release(d->device, o->key, NULL);
	else if (m->kind == MEM_HOST)
		free((void *)(uintptr_t)o->key);
	object_remove(d, o);
	free(m);
}

struct memory *
memory_at(struct driver *d, uint64_t addr)
{
	uint64_t start, bytes;

	if (!ptx_allocation(d->device, addr, &start, &bytes))
		start = addr;
	return object_find(d, OBJ_MEMORY, start);
}

/* ---- device memory ---- */

EXPORT
cuMemGetInfo_v2(size_t *available, size_t *total)
{
	ENTER(NEED_CONTEXT);

	if (available)
		*available = ptx_capacity(d->device) -
			     MIN(ptx_used(d->device) + d->physical, ptx_capacity(d->device));
	if (total)
		*total = ptx_capacity(d->device);
	return CUDA_SUCCESS;
}

static CUresult
alloc_device(struct driver *d, CUdeviceptr *addr, size_t bytes, const char *what)
{
	uint64_t at;
	CUresult r;

	if (!addr)
		return CUDA_ERROR_INVALID_VALUE;
	r = memory_new(d, MEM_DEVICE, bytes, 0, 0, what, &at);
	*addr = at;
	return r;
}

EXPORT
cuMemAlloc_v2(CUdeviceptr *addr, size_t bytes)
{
	ENTER(NEED_CONTEXT);

	return alloc_device(d, addr, bytes, "cuMemAlloc");
}

EXPORT
cuMemAllocAsync(CUdeviceptr *addr, size_t bytes, CUstream stream)
{
	ENTER(NEED_CONTEXT);

	return stream_select(d, stream) ? alloc_device(d, addr, bytes, "cuMemAllocAsync")
					: CUDA_ERROR_INVALID_HANDLE;
}

ALIAS(cuMemAllocAsync, cuMemAllocAsync_ptsz);

EXPORT
cuMemAllocPitch_v2(CUdeviceptr *addr, size_t *pitch, size_t width, size_t height,
		   unsigned int element)
{
	ENTER(NEED_CONTEXT);

	if (!pitch || !width || !height || (element != 4 && element != 8 && element != 16))
		return CUDA_ERROR_INVALID_VALUE;
	if (width > SIZE_MAX - 511 || (width + 511) / 512 * 512 > SIZE_MAX / height)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*pitch = (width + 511) / 512 * 512;
	return alloc_device(d, addr, *pitch * height, "cuMemAllocPitch");
}

static CUresult
free_memory(struct driver *d, uint64_t addr, bool host)
{
	struct memory *m = object_find(d, OBJ_MEMORY, addr);

	if (!addr)
		return CUDA_SUCCESS;
	if (!m || m->kind == MEM_REGISTERED || (m->kind == MEM_HOST) != host) {
		driver_print("%s of 0x%" PRIx64 ": %s", host ? "cuMemFreeHost" : "cuMemFree", addr,
			     m ? "another call allocated it" : "nothing is allocated there");
		return CUDA_ERROR_INVALID_VALUE;
	}
	memory_free(d, &m->o);
	return CUDA_SUCCESS;
}

EXPORT
cuMemFree_v2(CUdeviceptr addr)
{
	ENTER(NEED_CONTEXT);

	recording_order(d, TRACE_HOST_ALL, NULL);
	return free_memory(d, addr, false);
}

EXPORT
cuMemFreeAsync(CUdeviceptr addr, CUstream stream)
{
	ENTER(NEED_CONTEXT);

	return stream_select(d, stream) ? free_memory(d, addr, false) : CUDA_ERROR_INVALID_HANDLE;
}

ALIAS(cuMemFreeAsync, cuMemFreeAsync_ptsz);

EXPORT
cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr addr)
{
	ENTER(NEED_CONTEXT);
	uint64_t start, n;

	if (!ptx_allocation(d->device, addr, &start, &n))
		return CUDA_ERROR_NOT_FOUND;
	if (base)
		*base = start;
	if (bytes)
		*bytes = n;
	return CUDA_SUCCESS;
}

/* ---- memory of host and device ---- */

static CUresult
host_alloc(struct driver *d, void **p, size_t bytes, unsigned flags)
{
	uint64_t addr;
	CUresult r;

	if (!p || flags > 7)
		return CUDA_ERROR_INVALID_VALUE;
	r = memory_new(d, MEM_HOST, bytes, HOST_ALIGN, flags, "cuMemHostAlloc", &addr);
	*p = (void *)(uintptr_t)addr;
	return r;
}

EXPORT
cuMemAllocHost_v2(void **p, size_t bytes)
{
	ENTER(NEED_CONTEXT);

	return host_alloc(d, p, bytes, 0);
}

EXPORT
cuMemHostAlloc(void **p, size_t bytes, unsigned int flags)
{
	ENTER(NEED_CONTEXT);

	return host_alloc(d, p, bytes, flags);
}

EXPORT
cuMemFreeHost(void *p)
{
	ENTER(NEED_CONTEXT);

	return free_memory(d, (uintptr_t)p, true);
}

EXPORT
cuMemHostGetDevicePointer_v2(CUdeviceptr *addr, void *p, unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	struct memory *m = memory_at(d, (uintptr_t)p);

	if (!addr || flags)
		return CUDA_ERROR_INVALID_VALUE;
	*addr = 0;
	if (!m || m->kind == MEM_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	if (m->outside)
		return CUDA_ERROR_NOT_SUPPORTED;
	*addr = (uintptr_t)p;
	return CUDA_SUCCESS;
}

EXPORT
cuMemHostGetFlags(unsigned int *flags, void *p)
{
	ENTER(NEED_CONTEXT);
	struct memory *m = memory_at(d, (uintptr_t)p);

	if (!flags || !m || m->kind != MEM_HOST)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = m->flags;
	return CUDA_SUCCESS;
}

EXPORT
cuMemHostRegister_v2(void *p, size_t bytes, unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	bool outside = !d->machine.unified;
	struct err e = {0};
	uint64_t addr = (uintptr_t)p;
	CUresult r;

	if (!p || !bytes || flags > 15)
		return CUDA_ERROR_INVALID_VALUE;
	if (memory_at(d, addr) || memory_at(d, addr + bytes - 1))
		return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	if (!outside && ptx_adopt(d->device, p, bytes, "cuMemHostRegister", &e) != 0)
		return driver_error(&e, CUDA_ERROR_INVALID_VALUE);
	r = memory_add(d, addr, MEM_REGISTERED, bytes, flags, outside);
	if (r != CUDA_SUCCESS && !outside)
		ptx_release(d->device, addr, NULL);
	return r;
}

ALIAS(cuMemHostRegister_v2, cuMemHostRegister);

EXPORT
cuMemHostUnregister(void *p)
{
	ENTER(NEED_CONTEXT);
	struct memory *m = FIND(d, OBJ_MEMORY, p);

	if (!m || m->kind != MEM_REGISTERED)
		return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
	memory_free(d, &m->o);
	return CUDA_SUCCESS;
}

EXPORT
cuMemAllocManaged(CUdeviceptr *addr, size_t bytes, unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	uint64_t at;
	CUresult r;

	if (!addr || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
		return CUDA_ERROR_INVALID_VALUE;
	r = memory_new(d, MEM_MANAGED, bytes, HOST_ALIGN, flags, "cuMemAllocManaged", &at);
	*addr = at;
	return r;
}

/* ---- hints: only their arguments are checked ---- */

static CUresult
check_managed(struct driver *d, uint64_t addr, uint64_t bytes)
{
	struct memory *m = memory_at(d, addr);
	uint64_t start, n;

	return bytes && m && m->kind == MEM_MANAGED &&
			       ptx_allocation(d->device, addr, &start, &n) &&
			       bytes <= n - (addr - start)
		       ? CUDA_SUCCESS
		       : CUDA_ERROR_INVALID_VALUE;
}

EXPORT
cuMemPrefetchAsync(CUdeviceptr addr, size_t bytes, CUdevice dev ATTR_UNUSED, CUstream stream)
{
	ENTER(NEED_CONTEXT);

	return stream_select(d, stream) ? check_managed(d, addr, bytes) : CUDA_ERROR_INVALID_HANDLE;
}

ALIAS(cuMemPrefetchAsync, cuMemPrefetchAsync_ptsz);

EXPORT
cuMemPrefetchAsync_v2(CUdeviceptr addr, size_t bytes, CUmemLocation to ATTR_UNUSED,
		      unsigned int flags, CUstream stream)
{
	ENTER(NEED_CONTEXT);

	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	return stream_select(d, stream) ? check_managed(d, addr, bytes) : CUDA_ERROR_INVALID_HANDLE;
}

ALIAS(cuMemPrefetchAsync_v2, cuMemPrefetchAsync_v2_ptsz);

EXPORT
cuMemAdvise(CUdeviceptr addr, size_t bytes, CUmem_advise advice ATTR_UNUSED,
	    CUdevice dev ATTR_UNUSED)
{
	ENTER(NEED_CONTEXT);

	return check_managed(d, addr, bytes);
}

EXPORT
cuMemAdvise_v2(CUdeviceptr addr, size_t bytes, CUmem_advise advice ATTR_UNUSED,
	       CUmemLocation where ATTR_UNUSED)
{
	ENTER(NEED_CONTEXT);

	return check_managed(d, addr, bytes);
}
