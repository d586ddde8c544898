/* SPDX-License-Identifier: GPL-3.0-or-later */
/* symbol.c - finds variables of the device, copies to and from them, and fills memory. */
#include "record/runtime/graph.h"

/* Finds n bytes from `offset` on in a variable. */
static cudaError_t
find_part(const void *symbol, size_t n, size_t offset, void **at)
{
	CUdeviceptr addr;
	size_t bytes;

	TRY(runtime_ready());
	TRY(register_variable(symbol, &addr, &bytes));
	if (offset > bytes || n > bytes - offset) {
		runtime_print(
			"copy of %zu bytes at offset %zu goes beyond the variable of %zu bytes", n,
			offset, bytes);
		return runtime_done(cudaErrorInvalidValue);
	}
	*at = (void *)(uintptr_t)(addr + offset);
	return cudaSuccess;
}

EXPORT
cudaGetSymbolAddress(void **p, const void *symbol)
{
	if (!p)
		return runtime_done(cudaErrorInvalidValue);
	return find_part(symbol, 0, 0, p);
}

EXPORT
cudaGetSymbolSize(size_t *size, const void *symbol)
{
	CUdeviceptr addr;

	if (!size)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	return runtime_done(register_variable(symbol, &addr, size));
}

EXPORT
cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t n, size_t offset,
			enum cudaMemcpyKind kind, cudaStream_t stream)
{
	void *at;

	if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
		return runtime_done(cudaErrorInvalidMemcpyDirection);
	TRY(find_part(symbol, n, offset, &at));
	return cudaMemcpyAsync(at, src, n, kind, stream);
}

ALIAS(cudaMemcpyToSymbolAsync, cudaMemcpyToSymbolAsync_ptsz);

EXPORT
cudaMemcpyToSymbol(const void *symbol, const void *src, size_t n, size_t offset,
		   enum cudaMemcpyKind kind)
{
	return runtime_wait(cudaMemcpyToSymbolAsync(symbol, src, n, offset, kind, NULL));
}

ALIAS(cudaMemcpyToSymbol, cudaMemcpyToSymbol_ptds);

EXPORT
cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t n, size_t offset,
			  enum cudaMemcpyKind kind, cudaStream_t stream)
{
	void *at;

	if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice)
		return runtime_done(cudaErrorInvalidMemcpyDirection);
	TRY(find_part(symbol, n, offset, &at));
	return cudaMemcpyAsync(dst, at, n, kind, stream);
}

ALIAS(cudaMemcpyFromSymbolAsync, cudaMemcpyFromSymbolAsync_ptsz);

EXPORT
cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t n, size_t offset,
		     enum cudaMemcpyKind kind)
{
	return runtime_wait(cudaMemcpyFromSymbolAsync(dst, symbol, n, offset, kind, NULL));
}

ALIAS(cudaMemcpyFromSymbol, cudaMemcpyFromSymbol_ptds);

/* ---- fills ---- */

EXPORT
cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t stream)
{
	struct cudaMemsetParams fill = {p, n, (unsigned)value & 0xff, 1, n, 1};
	cudaGraph_t into = capture_of(stream);

	if (!n)
		return runtime_done(runtime_ready());
	if (into)
		return cudaGraphAddMemsetNode(NULL, into, NULL, 0, &fill);
	FORWARD(cuMemsetD8Async((CUdeviceptr)(uintptr_t)p, (unsigned char)value, n, stream));
}

ALIAS(cudaMemsetAsync, cudaMemsetAsync_ptsz);

EXPORT
cudaMemset(void *p, int value, size_t n)
{
	return cudaMemsetAsync(p, value, n, NULL);
}

ALIAS(cudaMemset, cudaMemset_ptds);

EXPORT
cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height,
		  cudaStream_t stream)
{
	struct cudaMemsetParams fill = {p, pitch, (unsigned)value & 0xff, 1, width, height};
	cudaGraph_t into = capture_of(stream);

	if (!width || !height)
		return runtime_done(runtime_ready());
	if (width > pitch && height > 1)
		return runtime_done(cudaErrorInvalidPitchValue);
	if (into)
		return cudaGraphAddMemsetNode(NULL, into, NULL, 0, &fill);
	FORWARD(cuMemsetD2D8Async((CUdeviceptr)(uintptr_t)p, pitch, (unsigned char)value, width,
				  height, stream));
}

ALIAS(cudaMemset2DAsync, cudaMemset2DAsync_ptsz);

EXPORT
cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height)
{
	return cudaMemset2DAsync(p, pitch, value, width, height, NULL);
}

ALIAS(cudaMemset2D, cudaMemset2D_ptds);

EXPORT
cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent n, cudaStream_t stream)
{
	for (size_t z = 0; z < n.depth; z++)
		TRY(cudaMemset2DAsync((char *)p.ptr + z * p.ysize * p.pitch, p.pitch, value,
				      n.width, n.height, stream));
	return cudaSuccess;
}

ALIAS(cudaMemset3DAsync, cudaMemset3DAsync_ptsz);

EXPORT
cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent n)
{
	return cudaMemset3DAsync(p, value, n, NULL);
}

ALIAS(cudaMemset3D, cudaMemset3D_ptds);
