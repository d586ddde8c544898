/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memset.c - fills device memory with elements of 1, 2 and 4 bytes; addresses must be aligned to
 * the element. */
#include "record/cuda/driver.h"

#include <inttypes.h>
#include <string.h>

static void
fill_row(uint8_t *p, uint32_t value, uint32_t size, uint64_t bytes)
{
	memcpy(p, &value, size);
	for (uint64_t done = size; done < bytes; done *= 2)
		memcpy(p + done, p, MIN(done, bytes - done));
}

static CUresult
fill_box(struct driver *d, uint64_t addr, uint64_t pitch, uint32_t value, uint32_t size,
	 uint64_t width, uint64_t height)
{
	struct place p = {0};
	uint64_t bytes;
	CUresult r;

	if (!width || !height)
		return CUDA_SUCCESS;
	if (width > UINT64_MAX / 2 / size || (height > 1 && pitch < width * size) || addr % size ||
	    (height > 1 && pitch % size) || pitch > (UINT64_MAX / 2 - width * size) / height) {
		driver_print("memset of rows of %" PRIu64 " elements of %" PRIu32
			     " bytes at 0x%" PRIx64 ", pitch %" PRIu64
			     ": misaligned, or the pitch is too small",
			     width, size, addr, pitch);
		return CUDA_ERROR_INVALID_VALUE;
	}
	bytes = (height - 1) * pitch + width * size;
	r = copy_place_device(d, addr, bytes, &p);
	if (r != CUDA_SUCCESS)
		return r;
	for (uint64_t y = 0; y < height; y++) {
		fill_row(p.host + y * pitch, value, size, width * size);
		ptx_note_written(d->device, addr + y * pitch, width * size);
	}
	return CUDA_SUCCESS;
}

#define MEMSET(name, async, type)                                                                 \
	EXPORT                                                                                    \
	name(CUdeviceptr dst, type value, size_t n)                                               \
	{                                                                                         \
		ENTER(NEED_CONTEXT);                                                              \
		return fill_box(d, dst, 0, value, sizeof(value), n, 1);                           \
	}                                                                                         \
	ALIAS(name, name##_ptds);                                                                 \
	EXPORT                                                                                    \
	async(CUdeviceptr dst, type value, size_t n, CUstream stream)                             \
	{                                                                                         \
		ENTER(NEED_CONTEXT);                                                              \
		return stream_select(d, stream) ? fill_box(d, dst, 0, value, sizeof(value), n, 1) \
						: CUDA_ERROR_INVALID_HANDLE;                      \
	}                                                                                         \
	ALIAS(async, async##_ptsz)

#define MEMSET_2D(name, async, type)                                                          \
	EXPORT                                                                                \
	name(CUdeviceptr dst, size_t pitch, type value, size_t w, size_t h)                   \
	{                                                                                     \
		ENTER(NEED_CONTEXT);                                                          \
		return fill_box(d, dst, pitch, value, sizeof(value), w, h);                   \
	}                                                                                     \
	ALIAS(name, name##_ptds);                                                             \
	EXPORT                                                                                \
	async(CUdeviceptr dst, size_t pitch, type value, size_t w, size_t h, CUstream stream) \
	{                                                                                     \
		ENTER(NEED_CONTEXT);                                                          \
		return stream_select(d, stream)                                               \
			       ? fill_box(d, dst, pitch, value, sizeof(value), w, h)          \
			       : CUDA_ERROR_INVALID_HANDLE;                                   \
	}                                                                                     \
	ALIAS(async, async##_ptsz)

MEMSET(cuMemsetD8_v2, cuMemsetD8Async, unsigned char);
MEMSET(cuMemsetD16_v2, cuMemsetD16Async, unsigned short);
MEMSET(cuMemsetD32_v2, cuMemsetD32Async, unsigned int);
MEMSET_2D(cuMemsetD2D8_v2, cuMemsetD2D8Async, unsigned char);
MEMSET_2D(cuMemsetD2D16_v2, cuMemsetD2D16Async, unsigned short);
MEMSET_2D(cuMemsetD2D32_v2, cuMemsetD2D32Async, unsigned int);
