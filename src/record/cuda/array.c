/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * array.c - creates and describes CUDA arrays: rows of texels in device memory, padded to PITCH
 * bytes. Mipmaps are not supported.
 */
#include "record/cuda/driver.h"

#include <stdlib.h>

#define PITCH 64
#define EXTENT_MAX 131072

static const struct {
	CUarray_format format;
	enum ptx_texel texel;
	uint32_t bytes;
} formats[] = {
	{CU_AD_FORMAT_UNSIGNED_INT8, TEXEL_U8, 1},   {CU_AD_FORMAT_SIGNED_INT8, TEXEL_S8, 1},
	{CU_AD_FORMAT_UNSIGNED_INT16, TEXEL_U16, 2}, {CU_AD_FORMAT_SIGNED_INT16, TEXEL_S16, 2},
	{CU_AD_FORMAT_UNSIGNED_INT32, TEXEL_U32, 4}, {CU_AD_FORMAT_SIGNED_INT32, TEXEL_S32, 4},
	{CU_AD_FORMAT_HALF, TEXEL_F16, 2},	     {CU_AD_FORMAT_FLOAT, TEXEL_F32, 4},
};

uint32_t
array_texel(CUarray_format format)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (formats[i].format == format)
			return formats[i].texel;
	return UINT32_MAX;
}

uint32_t
array_format_bytes(CUarray_format format)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (formats[i].format == format)
			return formats[i].bytes;
	return 0;
}

/* Depth is the number of layers of a layered array, and of faces of a cube map. */
struct ptx_texture
array_texture(const struct array *a)
{
	bool layers = a->desc.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);

	return (struct ptx_texture){.addr = a->addr,
				    .width = (uint32_t)a->desc.Width,
				    .height = (uint32_t)MAX(a->desc.Height, 1),
				    .depth = (uint32_t)MAX(a->desc.Depth, 1),
				    .pitch = a->pitch,
				    .texel = (enum ptx_texel)array_texel(a->desc.Format),
				    .channels = (uint8_t)a->desc.NumChannels,
				    .dims = a->desc.Depth && !layers ? 3
					    : a->desc.Height	     ? 2
								     : 1};
}

static bool
is_valid_cube(const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
	if (!(desc->Flags & CUDA_ARRAY3D_CUBEMAP))
		return true;
	return desc->Width == desc->Height && desc->Depth &&
	       (desc->Flags & CUDA_ARRAY3D_LAYERED ? desc->Depth % 6 == 0 : desc->Depth == 6);
}

EXPORT
cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
	ENTER(NEED_CONTEXT);
	uint32_t element = desc ? array_format_bytes(desc->Format) * desc->NumChannels : 0;
	struct err e = {0};
	struct array *a;

	if (!array || !element || !desc->Width || desc->Width > EXTENT_MAX ||
	    desc->Height > EXTENT_MAX || desc->Depth > EXTENT_MAX ||
	    (desc->Depth && !desc->Height && !(desc->Flags & CUDA_ARRAY3D_LAYERED)) ||
	    !is_valid_cube(desc) ||
	    (desc->NumChannels != 1 && desc->NumChannels != 2 && desc->NumChannels != 4))
		return CUDA_ERROR_INVALID_VALUE;
	a = calloc(1, sizeof(*a));
	if (!a)
		return CUDA_ERROR_OUT_OF_MEMORY;
	a->desc = *desc;
	a->element = element;
	a->pitch = (desc->Width * element + PITCH - 1) / PITCH * PITCH;
	a->addr = ptx_alloc(d->device, a->pitch * MAX(desc->Height, 1) * MAX(desc->Depth, 1), 512,
			    "cuArrayCreate", &e);
	if (!a->addr) {
		free(a);
		return driver_error(&e, CUDA_ERROR_OUT_OF_MEMORY);
	}
	a->o.ctx = context_current();
	object_add(d, &a->o, OBJ_ARRAY, (uintptr_t)a);
	*array = (CUarray)a;
	return CUDA_SUCCESS;
}

EXPORT
cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc)
{
	if (!desc)
		return CUDA_ERROR_INVALID_VALUE;
	return cuArray3DCreate_v2(array,
				  &(CUDA_ARRAY3D_DESCRIPTOR){.Width = desc->Width,
							     .Height = desc->Height,
							     .Format = desc->Format,
							     .NumChannels = desc->NumChannels});
}

EXPORT
cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array)
{
	ENTER(NEED_CONTEXT);
	const struct array *a = FIND(d, OBJ_ARRAY, array);

	if (!desc || !a)
		return a ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	*desc = a->desc;
	return CUDA_SUCCESS;
}

EXPORT
cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array)
{
	ENTER(NEED_CONTEXT);
	const struct array *a = FIND(d, OBJ_ARRAY, array);

	if (!desc || !a)
		return a ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	*desc = (CUDA_ARRAY_DESCRIPTOR){a->desc.Width, a->desc.Height, a->desc.Format,
					a->desc.NumChannels};
	return CUDA_SUCCESS;
}

void
array_free(struct driver *d, struct object *o)
{
	texref_unbind_array(d, (struct array *)o);
	surfref_unbind_array(d, (struct array *)o);
	ptx_release(d->device, ((struct array *)o)->addr, NULL);
	object_remove(d, o);
	free(o);
}

EXPORT
cuArrayDestroy(CUarray array)
{
	ENTER(NEED_CONTEXT);
	struct object *o = FIND(d, OBJ_ARRAY, array);

	if (!o)
		return CUDA_ERROR_INVALID_HANDLE;
	array_free(d, o);
	return CUDA_SUCCESS;
}
