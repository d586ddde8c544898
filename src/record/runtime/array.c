/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * array.c - creates and describes arrays, and converts the formats of their elements. A cudaArray_t
 * is the driver's CUarray. Not supported: mipmaps, and compressed or packed formats.
 */
#include "record/runtime/runtime.h"

#include <string.h>

static const struct {
	CUarray_format format;
	int bits;
	enum cudaChannelFormatKind kind;
} formats[] = {
	{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
	{CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
	{CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
	{CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
	{CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
	{CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
	{CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
	{CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

bool
channel_format(const struct cudaChannelFormatDesc *c, CUarray_format *format, unsigned *channels)
{
	const int bits[4] = {c->x, c->y, c->z, c->w};
	unsigned n = 0;

	while (n < 4 && bits[n])
		n++;
	for (unsigned i = 0; i < 4; i++)
		if (bits[i] != (i < n ? bits[0] : 0))
			return false;
	*channels = n;
	for (size_t i = 0; n && i < ARRAY_LEN(formats); i++)
		if (formats[i].bits == c->x && formats[i].kind == c->f) {
			*format = formats[i].format;
			return true;
		}
	return false;
}

struct cudaChannelFormatDesc
channel_desc(CUarray_format format, unsigned channels)
{
	struct cudaChannelFormatDesc c = {.f = cudaChannelFormatKindNone};

	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (formats[i].format == format) {
			c.f = formats[i].kind;
			c.x = channels > 0 ? formats[i].bits : 0;
			c.y = channels > 1 ? formats[i].bits : 0;
			c.z = channels > 2 ? formats[i].bits : 0;
			c.w = channels > 3 ? formats[i].bits : 0;
		}
	return c;
}

size_t
array_element(cudaArray_const_t array)
{
	CUDA_ARRAY3D_DESCRIPTOR d;

	if (!array || cuArray3DGetDescriptor_v2(&d, (CUarray)(uintptr_t)array) != CUDA_SUCCESS)
		return 0;
	return (size_t)channel_desc(d.Format, 1).x / 8 * d.NumChannels;
}

__attribute__((visibility("default"))) struct cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
	return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

EXPORT
cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
		  struct cudaExtent extent, unsigned int flags)
{
	CUDA_ARRAY3D_DESCRIPTOR d = {.Width = extent.width,
				     .Height = extent.height,
				     .Depth = extent.depth,
				     .Flags = flags};
	CUarray a = NULL;

	if (!array || !desc)
		return runtime_done(cudaErrorInvalidValue);
	if (!channel_format(desc, &d.Format, &d.NumChannels))
		return runtime_done(cudaErrorInvalidChannelDescriptor);
	TRY(runtime_ready());
	TRY(cuArray3DCreate_v2(&a, &d));
	*array = (cudaArray_t)a;
	return cudaSuccess;
}

EXPORT
cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
		size_t height, unsigned int flags)
{
	return cudaMalloc3DArray(array, desc, (struct cudaExtent){width, height, 0}, flags);
}

EXPORT
cudaFreeArray(cudaArray_t array)
{
	if (!array)
		return runtime_done(runtime_ready());
	FORWARD(cuArrayDestroy((CUarray)array));
}

EXPORT
cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
		 cudaArray_t array)
{
	CUDA_ARRAY3D_DESCRIPTOR d;

	TRY(runtime_ready());
	TRY(cuArray3DGetDescriptor_v2(&d, (CUarray)array));
	if (desc)
		*desc = channel_desc(d.Format, d.NumChannels);
	if (extent)
		*extent = (struct cudaExtent){d.Width, d.Height, d.Depth};
	if (flags)
		*flags = d.Flags;
	return cudaSuccess;
}

EXPORT
cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
	if (!desc)
		return runtime_done(cudaErrorInvalidValue);
	return cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)(uintptr_t)array);
}
