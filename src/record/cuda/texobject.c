/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * texobject.c - creates texture objects (a resource with its sampling mode, identified by a number
 * that a kernel gets as a parameter) and surface objects (arrays that kernels read and write by
 * bytes, which the emulator treats as textures without sampling). Not supported: mipmaps, views of
 * another format, sRGB, borders that are not black.
 */
#include "record/cuda/driver.h"

#include <stdlib.h>

static CUresult
report_unsupported(const char *what)
{
	driver_print("cuTexObjectCreate: %s are not supported", what);
	return CUDA_ERROR_NOT_SUPPORTED;
}

/* ---- both kinds ---- */

/* Makes an object of the kind for texture x. */
static CUresult
texture_new(struct driver *d, enum object_kind kind, const struct ptx_texture *x,
	    const struct texture *like, unsigned long long *number)
{
	struct texture *t = calloc(1, sizeof(*t));
	struct err e = {0};
	uint64_t handle;

	if (!t)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (ptx_texture_new(d->device, x, &handle, &e) != 0) {
		free(t);
		return driver_error(&e, CUDA_ERROR_INVALID_VALUE);
	}
	*t = *like;
	t->o.ctx = context_current();
	object_add(d, &t->o, kind, handle);
	*number = handle;
	return CUDA_SUCCESS;
}

void
texture_free(struct driver *d, struct object *o)
{
	ptx_texture_free(d->device, o->key, NULL);
	object_remove(d, o);
	free(o);
}

static CUresult
destroy_texture(struct driver *d, enum object_kind kind, uint64_t handle)
{
	struct object *o = object_find(d, kind, handle);

	if (!o)
		return CUDA_ERROR_INVALID_HANDLE;
	texture_free(d, o);
	return CUDA_SUCCESS;
}

static CUresult
get_resource(struct driver *d, enum object_kind kind, uint64_t handle, CUDA_RESOURCE_DESC *desc)
{
	const struct texture *t = object_find(d, kind, handle);

	if (!desc || !t)
		return t ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	*desc = t->resource;
	return CUDA_SUCCESS;
}

/* ---- textures ---- */

/* Describes the memory of resource r in x. */
static CUresult
read_resource(struct driver *d, const CUDA_RESOURCE_DESC *r, struct ptx_texture *x)
{
	const struct array *a;
	CUarray_format format;
	unsigned channels;

	x->height = x->depth = 1;
	if (r->resType == CU_RESOURCE_TYPE_ARRAY) {
		a = FIND(d, OBJ_ARRAY, r->res.array.hArray);
		if (!a)
			return CUDA_ERROR_INVALID_HANDLE;
		*x = array_texture(a);
		format = a->desc.Format;
		channels = a->desc.NumChannels;
	} else if (r->resType == CU_RESOURCE_TYPE_LINEAR) {
		format = r->res.linear.format;
		channels = r->res.linear.numChannels;
		x->addr = r->res.linear.devPtr;
		x->dims = 1;
		x->pitch = r->res.linear.sizeInBytes;
		if (channels && array_format_bytes(format) &&
		    x->pitch / channels / array_format_bytes(format) <= UINT32_MAX)
			x->width = (uint32_t)(x->pitch / channels / array_format_bytes(format));
	} else if (r->resType == CU_RESOURCE_TYPE_PITCH2D) {
		format = r->res.pitch2D.format;
		channels = r->res.pitch2D.numChannels;
		x->addr = r->res.pitch2D.devPtr;
		x->dims = 2;
		x->pitch = r->res.pitch2D.pitchInBytes;
		if (r->res.pitch2D.width <= UINT32_MAX && r->res.pitch2D.height <= UINT32_MAX) {
			x->width = (uint32_t)r->res.pitch2D.width;
			x->height = (uint32_t)r->res.pitch2D.height;
		}
	} else {
		return report_unsupported("mipmapped arrays");
	}
	if (!array_format_bytes(format) || (channels != 1 && channels != 2 && channels != 4) ||
	    !x->width || !x->height)
		return CUDA_ERROR_INVALID_VALUE;
	x->texel = (enum ptx_texel)array_texel(format);
	x->channels = (uint8_t)channels;
	return CUDA_SUCCESS;
}

EXPORT
cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *desc,
		  const CUDA_RESOURCE_VIEW_DESC *view)
{
	ENTER(NEED_CONTEXT);
	struct ptx_texture x = {0};
	CUresult result;

	if (!texture || !r || !desc)
		return CUDA_ERROR_INVALID_VALUE;
	if (view && view->format)
		return report_unsupported("views of another format");
	if (desc->flags & CU_TRSF_SRGB)
		return report_unsupported("sRGB colours");
	result = read_resource(d, r, &x);
	if (result != CUDA_SUCCESS)
		return result;
	for (int i = 0; i < 3; i++)
		x.wrap[i] = (enum ptx_wrap)((unsigned)desc->addressMode[i] & 3);
	x.linear = desc->filterMode == CU_TR_FILTER_MODE_LINEAR;
	x.normalized = desc->flags & CU_TRSF_NORMALIZED_COORDINATES;
	x.as_integer = desc->flags & CU_TRSF_READ_AS_INTEGER;
	return texture_new(d, OBJ_TEXTURE, &x, &(struct texture){.resource = *r, .desc = *desc},
			   texture);
}

EXPORT
cuTexObjectDestroy(CUtexObject texture)
{
	ENTER(NEED_CONTEXT);

	return destroy_texture(d, OBJ_TEXTURE, texture);
}

EXPORT
cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUtexObject texture)
{
	ENTER(NEED_CONTEXT);

	return get_resource(d, OBJ_TEXTURE, texture, desc);
}

EXPORT
cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *desc, CUtexObject texture)
{
	ENTER(NEED_CONTEXT);
	const struct texture *t = object_find(d, OBJ_TEXTURE, texture);

	if (!desc || !t)
		return t ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	*desc = t->desc;
	return CUDA_SUCCESS;
}

/* ---- surfaces ---- */

EXPORT
cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *r)
{
	ENTER(NEED_CONTEXT);
	const struct array *a;
	struct ptx_texture x;

	if (!surface || !r || r->resType != CU_RESOURCE_TYPE_ARRAY)
		return CUDA_ERROR_INVALID_VALUE;
	a = FIND(d, OBJ_ARRAY, r->res.array.hArray);
	if (!a)
		return CUDA_ERROR_INVALID_HANDLE;
	x = array_texture(a);
	return texture_new(d, OBJ_SURFACE, &x, &(struct texture){.resource = *r}, surface);
}

EXPORT
cuSurfObjectDestroy(CUsurfObject surface)
{
	ENTER(NEED_CONTEXT);

	return destroy_texture(d, OBJ_SURFACE, surface);
}

EXPORT
cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUsurfObject surface)
{
	ENTER(NEED_CONTEXT);

	return get_resource(d, OBJ_SURFACE, surface, desc);
}
