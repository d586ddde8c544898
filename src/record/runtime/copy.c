/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * copy.c - copies between host, device and arrays: lines, rectangles and boxes.
 *
 * Every copy of more than one line is the driver's box copy. The deprecated copies of lines to and
 * from arrays (cudaMemcpyToArray and others) are those of the driver, too.
 */
#include "record/runtime/graph.h"

#include <string.h>

static CUdeviceptr
get_address(const void *p)
{
	return (CUdeviceptr)(uintptr_t)p;
}

/* ---- lines ---- */

static cudaError_t
copy_line(void *dst, const void *src, size_t n, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	cudaGraph_t into = capture_of(stream);

	TRY(runtime_ready());
	if (!n)
		return cudaSuccess;
	if (!dst || !src)
		return runtime_done(cudaErrorInvalidValue);
	if (into)
		return cudaGraphAddMemcpyNode1D(NULL, into, NULL, 0, dst, src, n, kind);
	switch (kind) {
	case cudaMemcpyHostToHost:
		TRY(runtime_stream(stream));
		memmove(dst, src, n);
		return cudaSuccess;
	case cudaMemcpyHostToDevice:
		TRY(cuMemcpyHtoDAsync_v2(get_address(dst), src, n, stream));
		return cudaSuccess;
	case cudaMemcpyDeviceToHost:
		TRY(cuMemcpyDtoHAsync_v2(dst, get_address(src), n, stream));
		return cudaSuccess;
	case cudaMemcpyDeviceToDevice:
		TRY(cuMemcpyDtoDAsync_v2(get_address(dst), get_address(src), n, stream));
		return cudaSuccess;
	case cudaMemcpyDefault:
		TRY(cuMemcpyAsync(get_address(dst), get_address(src), n, stream));
		return cudaSuccess;
	default:
		return runtime_done(cudaErrorInvalidMemcpyDirection);
	}
}

EXPORT
cudaMemcpy(void *dst, const void *src, size_t n, enum cudaMemcpyKind kind)
{
	return runtime_wait(copy_line(dst, src, n, kind, NULL));
}

ALIAS(cudaMemcpy, cudaMemcpy_ptds);

EXPORT
cudaMemcpyAsync(void *dst, const void *src, size_t n, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_line(dst, src, n, kind, stream);
}

ALIAS(cudaMemcpyAsync, cudaMemcpyAsync_ptsz);

EXPORT
cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t n,
		    cudaStream_t stream)
{
	if (dst_device || src_device)
		return runtime_done(cudaErrorInvalidDevice);
	return copy_line(dst, src, n, cudaMemcpyDeviceToDevice, stream);
}

EXPORT
cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t n)
{
	return cudaMemcpyPeerAsync(dst, dst_device, src, src_device, n, NULL);
}

/* ---- boxes ---- */

/* One end of a copy; x in bytes. */
struct end {
	CUmemorytype type;
	const void *memory;
	cudaArray_const_t array;
	size_t pitch, height, x, y, z;
};

static bool
get_memory_types(enum cudaMemcpyKind kind, CUmemorytype *to, CUmemorytype *from)
{
	static const CUmemorytype type[][2] = {
		[cudaMemcpyHostToHost] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST},
		[cudaMemcpyHostToDevice] = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST},
		[cudaMemcpyDeviceToHost] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE},
		[cudaMemcpyDeviceToDevice] = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_DEVICE},
		[cudaMemcpyDefault] = {CU_MEMORYTYPE_UNIFIED, CU_MEMORYTYPE_UNIFIED}};

	if ((unsigned)kind >= ARRAY_LEN(type))
		return false;
	*to = type[kind][0];
	*from = type[kind][1];
	return true;
}

/* Converts a copy to the driver's struct. An empty copy has a width of 0. */
static cudaError_t
describe_copy(struct end to, struct end from, struct cudaExtent n, enum cudaMemcpyKind kind,
	      CUDA_MEMCPY3D *c)
{
	if (!get_memory_types(kind, &to.type, &from.type))
		return cudaErrorInvalidMemcpyDirection;
	memset(c, 0, sizeof(*c));
	if (!n.width || !n.height || !n.depth)
		return cudaSuccess;
	c->srcMemoryType = from.array ? CU_MEMORYTYPE_ARRAY : from.type;
	c->srcHost = from.memory;
	c->srcDevice = get_address(from.memory);
	c->srcArray = (CUarray)(uintptr_t)from.array;
	c->srcPitch = from.pitch;
	c->srcHeight = from.height;
	c->srcXInBytes = from.x;
	c->srcY = from.y;
	c->srcZ = from.z;
	c->dstMemoryType = to.array ? CU_MEMORYTYPE_ARRAY : to.type;
	c->dstHost = (void *)(uintptr_t)to.memory;
	c->dstDevice = get_address(to.memory);
	c->dstArray = (CUarray)(uintptr_t)to.array;
	c->dstPitch = to.pitch;
	c->dstHeight = to.height;
	c->dstXInBytes = to.x;
	c->dstY = to.y;
	c->dstZ = to.z;
	c->WidthInBytes = n.width;
	c->Height = n.height;
	c->Depth = n.depth;
	return cudaSuccess;
}

static cudaError_t
copy_box(struct end to, struct end from, struct cudaExtent n, enum cudaMemcpyKind kind,
	 cudaStream_t stream)
{
	struct work w = {.type = cudaGraphNodeTypeMemcpy, .is_box = true};
	cudaGraph_t into = capture_of(stream);

	TRY(runtime_ready());
	TRY(describe_copy(to, from, n, kind, &w.box));
	if (!w.box.WidthInBytes)
		return cudaSuccess;
	if (into)
		return graph_add(into, &w, NULL, 0, NULL);
	return runtime_done((cudaError_t)cuMemcpy3DAsync_v2(&w.box, stream));
}

EXPORT
cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
		  size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	struct end to = {.memory = dst, .pitch = dpitch, .height = height};
	struct end from = {.memory = src, .pitch = spitch, .height = height};

	if (width > dpitch || width > spitch)
		return runtime_done(cudaErrorInvalidPitchValue);
	return copy_box(to, from, (struct cudaExtent){width, height, 1}, kind, stream);
}

ALIAS(cudaMemcpy2DAsync, cudaMemcpy2DAsync_ptsz);

EXPORT
cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
	     enum cudaMemcpyKind kind)
{
	return runtime_wait(cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, NULL));
}

ALIAS(cudaMemcpy2D, cudaMemcpy2D_ptds);

EXPORT
cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch,
			 size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	struct end to = {.array = dst, .x = x, .y = y};
	struct end from = {.memory = src, .pitch = spitch, .height = height};

	if (!dst)
		return runtime_done(cudaErrorInvalidResourceHandle);
	if (width > spitch)
		return runtime_done(cudaErrorInvalidPitchValue);
	return copy_box(to, from, (struct cudaExtent){width, height, 1}, kind, stream);
}

ALIAS(cudaMemcpy2DToArrayAsync, cudaMemcpy2DToArrayAsync_ptsz);

EXPORT
cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch,
		    size_t width, size_t height, enum cudaMemcpyKind kind)
{
	return runtime_wait(
		cudaMemcpy2DToArrayAsync(dst, x, y, src, spitch, width, height, kind, NULL));
}

ALIAS(cudaMemcpy2DToArray, cudaMemcpy2DToArray_ptds);

EXPORT
cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y,
			   size_t width, size_t height, enum cudaMemcpyKind kind,
			   cudaStream_t stream)
{
	struct end to = {.memory = dst, .pitch = dpitch, .height = height};
	struct end from = {.array = src, .x = x, .y = y};

	if (!src)
		return runtime_done(cudaErrorInvalidResourceHandle);
	if (width > dpitch)
		return runtime_done(cudaErrorInvalidPitchValue);
	return copy_box(to, from, (struct cudaExtent){width, height, 1}, kind, stream);
}

ALIAS(cudaMemcpy2DFromArrayAsync, cudaMemcpy2DFromArrayAsync_ptsz);

EXPORT
cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y,
		      size_t width, size_t height, enum cudaMemcpyKind kind)
{
	return runtime_wait(
		cudaMemcpy2DFromArrayAsync(dst, dpitch, src, x, y, width, height, kind, NULL));
}

ALIAS(cudaMemcpy2DFromArray, cudaMemcpy2DFromArray_ptds);

EXPORT
cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src, size_t sx,
			 size_t sy, size_t width, size_t height, enum cudaMemcpyKind kind)
{
	struct end to = {.array = dst, .x = dx, .y = dy};
	struct end from = {.array = src, .x = sx, .y = sy};

	if (!dst || !src)
		return runtime_done(cudaErrorInvalidResourceHandle);
	return runtime_wait(copy_box(to, from, (struct cudaExtent){width, height, 1}, kind, NULL));
}

ALIAS(cudaMemcpy2DArrayToArray, cudaMemcpy2DArrayToArray_ptds);

/* Positions and the extent count elements if an array is involved, otherwise bytes. */
cudaError_t
copy_box_of(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c)
{
	size_t to_element, from_element, element;
	struct cudaExtent n;
	struct end to, from;

	if (!p || !p->dstArray == !p->dstPtr.ptr || !p->srcArray == !p->srcPtr.ptr)
		return cudaErrorInvalidValue;
	to_element = p->dstArray ? array_element(p->dstArray) : 1;
	from_element = p->srcArray ? array_element(p->srcArray) : 1;
	if (!to_element || !from_element)
		return cudaErrorInvalidResourceHandle;
	element = p->srcArray ? from_element : to_element;
	n = p->extent;
	n.width *= element;
	to = (struct end){.memory = p->dstPtr.ptr,
			  .array = p->dstArray,
			  .pitch = p->dstPtr.pitch,
			  .height = p->dstPtr.ysize,
			  .x = p->dstPos.x * to_element,
			  .y = p->dstPos.y,
			  .z = p->dstPos.z};
	from = (struct end){.memory = p->srcPtr.ptr,
			    .array = p->srcArray,
			    .pitch = p->srcPtr.pitch,
			    .height = p->srcPtr.ysize,
			    .x = p->srcPos.x * from_element,
			    .y = p->srcPos.y,
			    .z = p->srcPos.z};
	return describe_copy(to, from, n, p->kind, c);
}

EXPORT
cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
	cudaGraph_t into = capture_of(stream);
	CUDA_MEMCPY3D c;

	if (into)
		return cudaGraphAddMemcpyNode(NULL, into, NULL, 0, p);
	TRY(runtime_ready());
	TRY(copy_box_of(p, &c));
	return runtime_done((cudaError_t)cuMemcpy3DAsync_v2(&c, stream));
}

ALIAS(cudaMemcpy3DAsync, cudaMemcpy3DAsync_ptsz);

EXPORT
cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
	return runtime_wait(cudaMemcpy3DAsync(p, NULL));
}

ALIAS(cudaMemcpy3D, cudaMemcpy3D_ptds);

/* ---- lines of arrays ---- */

/* Computes the position in the array's concatenated lines, in bytes, as the driver expects it. */
static cudaError_t
find_array_offset(cudaArray_const_t array, size_t x, size_t y, size_t *at)
{
	CUDA_ARRAY3D_DESCRIPTOR d;
	size_t element = array_element(array);

	if (!element)
		return cudaErrorInvalidResourceHandle;
	TRY(cuArray3DGetDescriptor_v2(&d, (CUarray)(uintptr_t)array));
	*at = y * d.Width * element + x;
	return cudaSuccess;
}

EXPORT
cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t n,
		  enum cudaMemcpyKind kind)
{
	size_t at = 0;

	TRY(runtime_ready());
	TRY(find_array_offset(dst, x, y, &at));
	if (kind == cudaMemcpyDeviceToDevice)
		return runtime_done(
			(cudaError_t)cuMemcpyDtoA_v2((CUarray)dst, at, get_address(src), n));
	return runtime_done((cudaError_t)cuMemcpyHtoA_v2((CUarray)dst, at, src, n));
}

ALIAS(cudaMemcpyToArray, cudaMemcpyToArray_ptds);

EXPORT
cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t n,
		    enum cudaMemcpyKind kind)
{
	CUarray a = (CUarray)(uintptr_t)src;
	size_t at = 0;

	TRY(runtime_ready());
	TRY(find_array_offset(src, x, y, &at));
	if (kind == cudaMemcpyDeviceToDevice)
		return runtime_done((cudaError_t)cuMemcpyAtoD_v2(get_address(dst), a, at, n));
	return runtime_done((cudaError_t)cuMemcpyAtoH_v2(dst, a, at, n));
}

ALIAS(cudaMemcpyFromArray, cudaMemcpyFromArray_ptds);

EXPORT
cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t n,
		       enum cudaMemcpyKind kind, cudaStream_t stream ATTR_UNUSED)
{
	return cudaMemcpyToArray(dst, x, y, src, n, kind);
}

ALIAS(cudaMemcpyToArrayAsync, cudaMemcpyToArrayAsync_ptsz);

EXPORT
cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t n,
			 enum cudaMemcpyKind kind, cudaStream_t stream ATTR_UNUSED)
{
	return cudaMemcpyFromArray(dst, src, x, y, n, kind);
}

ALIAS(cudaMemcpyFromArrayAsync, cudaMemcpyFromArrayAsync_ptsz);
