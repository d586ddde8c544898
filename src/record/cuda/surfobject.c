/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * surfobject.c - surface objects: an array that kernels read and write by bytes, identified by a
 * number that they get as a parameter. The emulator treats it as a texture that is never sampled.
 */
#include "record/cuda/driver.h"

#include <stdlib.h>

EXPORT
cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *r)
{
	ENTER(NEED_CONTEXT);
	const struct array *a;
	struct ptx_texture x;
	struct err e = {0};
	struct texture *t;
	uint64_t handle;

	if (!surface || !r || r->resType != CU_RESOURCE_TYPE_ARRAY)
		return CUDA_ERROR_INVALID_VALUE;
	a = FIND(d, OBJ_ARRAY, r->res.array.hArray);
	if (!a)
		return CUDA_ERROR_INVALID_HANDLE;
	x = array_texture(a);
	t = calloc(1, sizeof(*t));
	if (!t)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (ptx_texture_new(d->device, &x, &handle, &e) != 0) {
		free(t);
		return driver_error(&e, CUDA_ERROR_INVALID_VALUE);
	}
	t->resource = *r;
	t->o.ctx = context_current();
	object_add(d, &t->o, OBJ_SURFACE, handle);
	*surface = handle;
	return CUDA_SUCCESS;
}

EXPORT
cuSurfObjectDestroy(CUsurfObject surface)
{
	ENTER(NEED_CONTEXT);
	struct object *o = object_find(d, OBJ_SURFACE, surface);

	if (!o)
		return CUDA_ERROR_INVALID_HANDLE;
	texture_free(d, o);
	return CUDA_SUCCESS;
}

EXPORT
cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUsurfObject surface)
{
	ENTER(NEED_CONTEXT);
	const struct texture *t = object_find(d, OBJ_SURFACE, surface);

	if (!desc || !t)
		return t ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	*desc = t->resource;
	return CUDA_SUCCESS;
}
