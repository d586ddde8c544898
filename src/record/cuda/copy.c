/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * copy.c - copies boxes of bytes between the host, the device and arrays; all other copies are
 * special cases.
 *
 * A box on the device must lie in one allocation, otherwise nothing is copied. Copies from the host
 * are reported to the recording.
 */
#include "record/cuda/driver.h"

#include <inttypes.h>
#include <string.h>

static CUresult
report_invalid(const struct err *e)
{
	return driver_error(e, CUDA_ERROR_INVALID_VALUE);
}

CUresult
copy_place_device(struct driver *d, uint64_t addr, uint64_t bytes, struct place *p)
{
	struct err e = {0};

	p->addr = addr;
	p->host = ptx_host(d->device, addr, bytes, &e);
	return p->host ? CUDA_SUCCESS : report_invalid(&e);
}

CUresult
copy_place_host(struct driver *d, const void *host, uint64_t bytes, struct place *p)
{
	uint64_t addr = (uintptr_t)host;
	struct err e = {0};

	p->host = (uint8_t *)(uintptr_t)addr;
	p->addr = 0;
	/* Page-locked memory is in the device's range, where only allocated bytes are accessible.
	 */
	if (d->machine.unified &&
	    ((addr >= PTX_GLOBAL_BASE && addr - PTX_GLOBAL_BASE < ptx_capacity(d->device)) ||
	     virtual_reserved(d, addr)) &&
	    !ptx_host(d->device, addr, bytes, &e))
		return report_invalid(&e);
	return host ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult
copy_place_any(struct driver *d, uint64_t addr, uint64_t bytes, struct place *p)
{
	struct memory *m = memory_at(d, addr);
	bool host = m ? m->kind == MEM_HOST || m->kind == MEM_REGISTERED
		      : !ptx_allocation(d->device, addr, NULL, NULL);

	if (host)
		return copy_place_host(d, (const void *)(uintptr_t)addr, bytes, p);
	return copy_place_device(d, addr, bytes, p);
}

static void
record_copy(struct driver *d, const struct place *to, uint64_t width, uint64_t height,
	    uint64_t depth)
{
	/* rows without gaps are one copy */
	if (to->pitch == width || height == 1) {
		width = height == 1 ? width : width * height;
		if (to->slice == width) {
			recording_copy(d, to->addr, width * depth);
			return;
		}
		height = 1;
	}
	for (uint64_t z = 0; z < depth; z++)
		for (uint64_t y = 0; y < height; y++)
			recording_copy(d, to->addr + z * to->slice + y * to->pitch, width);
}

CUresult
copy_box(struct driver *d, const struct place *to, const struct place *from, uint64_t width,
	 uint64_t height, uint64_t depth)
{
	for (uint64_t z = 0; z < depth; z++)
		for (uint64_t y = 0; y < height; y++) {
			memmove(to->host + z * to->slice + y * to->pitch,
				from->host + z * from->slice + y * from->pitch, width);
			if (to->addr)
				ptx_note_written(d->device,
						 to->addr + z * to->slice + y * to->pitch, width);
		}
	if (to->addr && !from->addr && width)
		record_copy(d, to, width, height, depth);
	return CUDA_SUCCESS;
}

/* ---- one end of a 3D copy ---- */

struct end {
	size_t x, y, z, lod;
	CUmemorytype type;
	const void *host;
	CUdeviceptr addr;
	CUarray array;
	size_t pitch, height;
};

static bool
is_inside(uint64_t at, uint64_t n, uint64_t all)
{
	return at <= all && n <= all - at;
}

static CUresult
resolve_array_end(struct driver *d, const struct end *n, const CUDA_MEMCPY3D *c, struct place *p)
{
	const struct array *a = FIND(d, OBJ_ARRAY, n->array);

	if (!a)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!is_inside(n->x, c->WidthInBytes, a->desc.Width * a->element) ||
	    !is_inside(n->y, c->Height, MAX(a->desc.Height, 1)) ||
	    !is_inside(n->z, c->Depth, MAX(a->desc.Depth, 1))) {
		driver_print("copy of %zu x %zu x %zu bytes at %zu, %zu, %zu goes beyond the array",
			     c->WidthInBytes, c->Height, c->Depth, n->x, n->y, n->z);
		return CUDA_ERROR_INVALID_VALUE;
	}
	p->pitch = a->pitch;
	p->slice = a->pitch * MAX(a->desc.Height, 1);
	return copy_place_device(d, a->addr + n->x + n->y * p->pitch + n->z * p->slice, 1, p);
}

static CUresult
report_overflow(const CUDA_MEMCPY3D *c)
{
	driver_print("copy of %zu x %zu x %zu bytes goes beyond the address space", c->WidthInBytes,
		     c->Height, c->Depth);
	return CUDA_ERROR_INVALID_VALUE;
}

static CUresult
resolve_end(struct driver *d, const struct end *n, const CUDA_MEMCPY3D *c, struct place *p)
{
	uint64_t width, height, depth, pitch, rows, at, bytes, all;

	if (n->lod)
		return CUDA_ERROR_INVALID_VALUE;
	if (n->type == CU_MEMORYTYPE_ARRAY)
		return resolve_array_end(d, n, c, p);
	if (__builtin_add_overflow(n->x, c->WidthInBytes, &width) ||
	    __builtin_add_overflow(n->y, c->Height, &height) ||
	    __builtin_add_overflow(n->z, c->Depth, &depth))
		return report_overflow(c);
	pitch = n->pitch ? n->pitch : width;
	rows = n->height ? n->height : height;
	if (pitch < width || rows < height) {
		driver_print("copy of rows of %zu bytes at %zu: a pitch of %" PRIu64
			     " is too small",
			     c->WidthInBytes, n->x, pitch);
		return CUDA_ERROR_INVALID_VALUE;
	}
	p->pitch = pitch;
	/* `all` bounds everything that is computed below */
	if (__builtin_mul_overflow(pitch, rows, &p->slice) ||
	    __builtin_mul_overflow(p->slice, depth, &all))
		return report_overflow(c);
	at = n->x + n->y * p->pitch + n->z * p->slice;
	bytes = (c->Depth - 1) * p->slice + (c->Height - 1) * p->pitch + c->WidthInBytes;
	switch (n->type) {
	case CU_MEMORYTYPE_HOST:
		return copy_place_host(d, n->host ? (const uint8_t *)n->host + at : NULL, bytes, p);
	case CU_MEMORYTYPE_DEVICE:
		return copy_place_device(d, n->addr + at, bytes, p);
	case CU_MEMORYTYPE_UNIFIED:
		return copy_place_any(d, n->addr + at, bytes, p);
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

CUresult
copy_box_3d(struct driver *d, const CUDA_MEMCPY3D *c)
{
	struct place to = {0}, from = {0};
	CUresult r;

	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	struct end src = {c->srcXInBytes, c->srcY,	c->srcZ,     c->srcLOD,	  c->srcMemoryType,
			  c->srcHost,	  c->srcDevice, c->srcArray, c->srcPitch, c->srcHeight};
	struct end dst = {c->dstXInBytes, c->dstY,	c->dstZ,     c->dstLOD,	  c->dstMemoryType,
			  c->dstHost,	  c->dstDevice, c->dstArray, c->dstPitch, c->dstHeight};

	if (!c->WidthInBytes || !c->Height || !c->Depth)
		return CUDA_SUCCESS;
	r = resolve_end(d, &src, c, &from);
	if (r == CUDA_SUCCESS)
		r = resolve_end(d, &dst, c, &to);
	if (r == CUDA_SUCCESS)
		r = copy_box(d, &to, &from, c->WidthInBytes, c->Height, c->Depth);
	return r;
}
