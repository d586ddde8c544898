/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memcpy.c - implements the copy functions of the API as copies of boxes (copy.c). Streams make no
 * difference. */
#include "record/cuda/driver.h"

#include <string.h>

/* ---- linear ---- */

enum side { ON_DEVICE, ON_HOST, ANYWHERE };

static CUresult
find_side(struct driver *d, enum side side, uint64_t addr, size_t n, struct place *p)
{
	return side == ON_HOST	   ? copy_place_host(d, (const void *)(uintptr_t)addr, n, p)
	       : side == ON_DEVICE ? copy_place_device(d, addr, n, p)
				   : copy_place_any(d, addr, n, p);
}

/* The source is checked before the destination, memory of the host last. */
static CUresult
copy_line(struct driver *d, enum side dst_side, uint64_t dst, enum side src_side, uint64_t src,
	  size_t n)
{
	struct place to = {0}, from = {0};
	CUresult r;

	if (!n)
		return CUDA_SUCCESS;
	r = src_side == ON_HOST ? CUDA_SUCCESS : find_side(d, src_side, src, n, &from);
	if (r == CUDA_SUCCESS)
		r = find_side(d, dst_side, dst, n, &to);
	if (r == CUDA_SUCCESS && src_side == ON_HOST)
		r = find_side(d, src_side, src, n, &from);
	return r == CUDA_SUCCESS ? copy_box(d, &to, &from, n, 1, 1) : r;
}

/* Defines the entry point and the one with a stream, each with the name it has in programs with a
 * default stream per thread. */
#define COPY(name, async, dst_side, dst_type, src_side, src_type)                                  \
	EXPORT                                                                                     \
	name(dst_type dst, src_type src, size_t n)                                                 \
	{                                                                                          \
		ENTER(NEED_CONTEXT);                                                               \
		return stream_wait(d, copy_line(d, dst_side, (uint64_t)dst, src_side,              \
						(uint64_t)src, n));                                \
	}                                                                                          \
	ALIAS(name, name##_ptds);                                                                  \
	EXPORT                                                                                     \
	async(dst_type dst, src_type src, size_t n, CUstream stream)                               \
	{                                                                                          \
		ENTER(NEED_CONTEXT);                                                               \
		return stream_select(d, stream)                                                    \
			       ? copy_line(d, dst_side, (uint64_t)dst, src_side, (uint64_t)src, n) \
			       : CUDA_ERROR_INVALID_HANDLE;                                        \
	}                                                                                          \
	ALIAS(async, async##_ptsz)

COPY(cuMemcpyHtoD_v2, cuMemcpyHtoDAsync_v2, ON_DEVICE, CUdeviceptr, ON_HOST, const void *);
COPY(cuMemcpyDtoH_v2, cuMemcpyDtoHAsync_v2, ON_HOST, void *, ON_DEVICE, CUdeviceptr);
COPY(cuMemcpyDtoD_v2, cuMemcpyDtoDAsync_v2, ON_DEVICE, CUdeviceptr, ON_DEVICE, CUdeviceptr);
COPY(cuMemcpy, cuMemcpyAsync, ANYWHERE, CUdeviceptr, ANYWHERE, CUdeviceptr);

/* ---- arrays: n bytes from byte `at` of the concatenated rows ---- */

enum direction { TO_ARRAY, FROM_ARRAY };

static CUresult
copy_array_line(struct driver *d, CUarray handle, size_t at, const struct place *other, size_t n,
		enum direction way)
{
	const struct array *a = FIND(d, OBJ_ARRAY, handle);
	struct place in = {0}, out = *other;
	uint64_t row, rows;
	CUresult r = CUDA_SUCCESS;

	if (!a)
		return CUDA_ERROR_INVALID_HANDLE;
	row = a->desc.Width * a->element;
	rows = MAX(a->desc.Height, 1) * MAX(a->desc.Depth, 1);
	if (at > row * rows || n > row * rows - at) {
		driver_print("copy of %zu bytes at offset %zu goes beyond the array of %llu bytes",
			     n, at, (unsigned long long)(row * rows));
		return CUDA_ERROR_INVALID_VALUE;
	}
	while (n && r == CUDA_SUCCESS) {
		size_t part = MIN(n, row - at % row);

		r = copy_place_device(d, a->addr + at / row * a->pitch + at % row, part, &in);
		if (r == CUDA_SUCCESS)
			r = copy_box(d, way == TO_ARRAY ? &in : &out, way == TO_ARRAY ? &out : &in,
				     part, 1, 1);
		out.host += part;
		out.addr += out.addr ? part : 0;
		at += part;
		n -= part;
	}
	return r;
}

static CUresult
copy_to_array(struct driver *d, CUarray dst, size_t at, const void *src, size_t n)
{
	struct place p = {0};
	CUresult r = n ? copy_place_host(d, src, n, &p) : CUDA_SUCCESS;

	return r ? r : copy_array_line(d, dst, at, &p, n, TO_ARRAY);
}

static CUresult
copy_from_array(struct driver *d, void *dst, CUarray src, size_t at, size_t n)
{
	struct place p = {0};
	CUresult r = n ? copy_place_host(d, dst, n, &p) : CUDA_SUCCESS;

	return r ? r : copy_array_line(d, src, at, &p, n, FROM_ARRAY);
}

EXPORT
cuMemcpyHtoA_v2(CUarray dst, size_t at, const void *src, size_t n)
{
	ENTER(NEED_CONTEXT);

	return copy_to_array(d, dst, at, src, n);
}

ALIAS(cuMemcpyHtoA_v2, cuMemcpyHtoA_v2_ptds);

EXPORT
cuMemcpyHtoAAsync_v2(CUarray dst, size_t at, const void *src, size_t n, CUstream stream)
{
	ENTER(NEED_CONTEXT);

	return stream_select(d, stream) ? copy_to_array(d, dst, at, src, n)
					: CUDA_ERROR_INVALID_HANDLE;
}

ALIAS(cuMemcpyHtoAAsync_v2, cuMemcpyHtoAAsync_v2_ptsz);

EXPORT
cuMemcpyAtoH_v2(void *dst, CUarray src, size_t at, size_t n)
{
	ENTER(NEED_CONTEXT);

	return copy_from_array(d, dst, src, at, n);
}

ALIAS(cuMemcpyAtoH_v2, cuMemcpyAtoH_v2_ptds);

EXPORT
cuMemcpyAtoHAsync_v2(void *dst, CUarray src, size_t at, size_t n, CUstream stream)
{
	ENTER(NEED_CONTEXT);

	return stream_select(d, stream) ? copy_from_array(d, dst, src, at, n)
					: CUDA_ERROR_INVALID_HANDLE;
}

ALIAS(cuMemcpyAtoHAsync_v2, cuMemcpyAtoHAsync_v2_ptsz);

EXPORT
cuMemcpyDtoA_v2(CUarray dst, size_t at, CUdeviceptr src, size_t n)
{
	ENTER(NEED_CONTEXT);
	struct place p = {0};
	CUresult r = n ? copy_place_device(d, src, n, &p) : CUDA_SUCCESS;

	return r ? r : copy_array_line(d, dst, at, &p, n, TO_ARRAY);
}

ALIAS(cuMemcpyDtoA_v2, cuMemcpyDtoA_v2_ptds);

EXPORT
cuMemcpyAtoD_v2(CUdeviceptr dst, CUarray src, size_t at, size_t n)
{
	ENTER(NEED_CONTEXT);
	struct place p = {0};
	CUresult r = n ? copy_place_device(d, dst, n, &p) : CUDA_SUCCESS;

	return r ? r : copy_array_line(d, src, at, &p, n, FROM_ARRAY);
}

ALIAS(cuMemcpyAtoD_v2, cuMemcpyAtoD_v2_ptds);

EXPORT
cuMemcpyAtoA_v2(CUarray dst, size_t dst_at, CUarray src, size_t src_at, size_t n)
{
	ENTER(NEED_CONTEXT);
	const struct array *a = FIND(d, OBJ_ARRAY, src);
	CUresult r = a ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
	uint64_t row = a ? a->desc.Width * a->element : 0;

	while (n && r == CUDA_SUCCESS) {
		size_t part = MIN(n, row - src_at % row);
		struct place p = {0};

		r = copy_place_device(d, a->addr + src_at / row * a->pitch + src_at % row, part,
				      &p);
		if (r == CUDA_SUCCESS)
			r = copy_array_line(d, dst, dst_at, &p, part, TO_ARRAY);
		src_at += part;
		dst_at += part;
		n -= part;
	}
	return r;
}

ALIAS(cuMemcpyAtoA_v2, cuMemcpyAtoA_v2_ptds);

/* ---- boxes ---- */

static CUresult
copy_box_2d(struct driver *d, const CUDA_MEMCPY2D *c)
{
	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	return copy_box_3d(d, &(CUDA_MEMCPY3D){.srcXInBytes = c->srcXInBytes,
					       .srcY = c->srcY,
					       .srcMemoryType = c->srcMemoryType,
					       .srcHost = c->srcHost,
					       .srcDevice = c->srcDevice,
					       .srcArray = c->srcArray,
					       .srcPitch = c->srcPitch,
					       .dstXInBytes = c->dstXInBytes,
					       .dstY = c->dstY,
					       .dstMemoryType = c->dstMemoryType,
					       .dstHost = c->dstHost,
					       .dstDevice = c->dstDevice,
					       .dstArray = c->dstArray,
					       .dstPitch = c->dstPitch,
					       .WidthInBytes = c->WidthInBytes,
					       .Height = c->Height,
					       .Depth = 1});
}

EXPORT
cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy)
{
	ENTER(NEED_CONTEXT);

	return stream_wait(d, copy_box_2d(d, copy));
}

ALIAS(cuMemcpy2D_v2, cuMemcpy2D_v2_ptds);
ALIAS(cuMemcpy2D_v2, cuMemcpy2DUnaligned_v2);
ALIAS(cuMemcpy2D_v2, cuMemcpy2DUnaligned_v2_ptds);

EXPORT
cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream)
{
	ENTER(NEED_CONTEXT);

	return stream_select(d, stream) ? copy_box_2d(d, copy) : CUDA_ERROR_INVALID_HANDLE;
}

ALIAS(cuMemcpy2DAsync_v2, cuMemcpy2DAsync_v2_ptsz);

EXPORT
cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy)
{
	ENTER(NEED_CONTEXT);

	return stream_wait(d, copy_box_3d(d, copy));
}

ALIAS(cuMemcpy3D_v2, cuMemcpy3D_v2_ptds);

EXPORT
cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream)
{
	ENTER(NEED_CONTEXT);

	return stream_select(d, stream) ? copy_box_3d(d, copy) : CUDA_ERROR_INVALID_HANDLE;
}

ALIAS(cuMemcpy3DAsync_v2, cuMemcpy3DAsync_v2_ptsz);
