/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * texref.c - binds texture references, which are variables of a module, to memory. Many small calls
 * configure them, and each binds the reference again if it has memory. Not supported: mipmaps,
 * anisotropy, sRGB.
 */
#include "record/cuda/driver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct texref *
texref_new(struct driver *d, struct module *m, const char *name)
{
	struct texref *t = calloc(1, sizeof(*t));

	if (!t || (name && !(t->name = strdup(name)))) {
		free(t);
		return NULL;
	}
	t->module = m;
	t->format = CU_AD_FORMAT_FLOAT;
	t->channels = 1;
	for (int i = 0; i < 3; i++)
		t->address_mode[i] = CU_TR_ADDRESS_MODE_CLAMP;
	/* references of a module are freed with it, those of cuTexRefCreate with the context */
	t->o.ctx = m ? NULL : context_current();
	object_add(d, &t->o, OBJ_TEXREF, (uintptr_t)t);
	return t;
}

void
texref_free(struct driver *d, struct object *o)
{
	struct texref *t = (struct texref *)o;

	object_remove(d, o);
	free(t->name);
	free(t);
}

static CUresult
bind_texref(struct driver *d, const struct texref *t)
{
	struct ptx_texture x = {.addr = t->addr,
				.width = (uint32_t)t->width,
				.height = (uint32_t)MAX(t->height, 1),
				.depth = 1,
				.pitch = t->pitch,
				.texel = (enum ptx_texel)array_texel(t->format),
				.channels = (uint8_t)t->channels,
				.dims = t->height ? 2 : 1,
				.linear = t->filter == CU_TR_FILTER_MODE_LINEAR,
				.normalized = t->flags & CU_TRSF_NORMALIZED_COORDINATES,
				.as_integer = t->flags & CU_TRSF_READ_AS_INTEGER};
	struct err e = {0};

	if (!t->module || (!t->addr && !t->array))
		return CUDA_SUCCESS;
	if (t->array) {
		const struct ptx_texture a = array_texture(t->array);

		x.addr = a.addr;
		x.width = a.width;
		x.height = a.height;
		x.depth = a.depth;
		x.pitch = a.pitch;
		x.dims = a.dims;
	} else if (!t->height) { /* width is in bytes */
		x.width /= array_format_bytes(t->format) * t->channels;
		x.pitch = t->width;
	}
	for (int i = 0; i < 3; i++)
		x.wrap[i] = (enum ptx_wrap)t->address_mode[i];
	if (ptx_texref_bind(d->device, t->module->ptx, t->name, &x, &e) != 0)
		return driver_error(&e, CUDA_ERROR_INVALID_VALUE);
	return CUDA_SUCCESS;
}

EXPORT
cuModuleGetTexRef(CUtexref *texref, CUmodule module, const char *name)
{
	ENTER(NEED_CONTEXT);
	struct module *m = FIND(d, OBJ_MODULE, module);
	struct err e = {0};
	struct texref *t;

	if (!texref || !name)
		return CUDA_ERROR_INVALID_VALUE;
	*texref = NULL;
	if (!m)
		return CUDA_ERROR_INVALID_HANDLE;
	for (t = m->texref; t && strcmp(t->name, name) != 0; t = t->next)
		;
	if (!t) {
		if (ptx_texref_bind(d->device, m->ptx, name, NULL, &e) != 0)
			return driver_error(&e, CUDA_ERROR_NOT_FOUND);
		t = texref_new(d, m, name);
		if (!t)
			return CUDA_ERROR_OUT_OF_MEMORY;
		t->next = m->texref;
		m->texref = t;
	}
	*texref = (CUtexref)t;
	return CUDA_SUCCESS;
}

EXPORT
cuTexRefCreate(CUtexref *texref)
{
	ENTER(NEED_CONTEXT);

	if (!texref)
		return CUDA_ERROR_INVALID_VALUE;
	*texref = (CUtexref)texref_new(d, NULL, NULL);
	return *texref ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT
cuTexRefDestroy(CUtexref texref)
{
	ENTER(NEED_CONTEXT);
	struct texref *t = FIND(d, OBJ_TEXREF, texref);

	if (!t || t->module)
		return CUDA_ERROR_INVALID_HANDLE;
	texref_free(d, &t->o);
	return CUDA_SUCCESS;
}

/* ---- setting ---- */

EXPORT
cuTexRefSetArray(CUtexref texref, CUarray array, unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	struct texref *t = FIND(d, OBJ_TEXREF, texref);
	struct array *a = FIND(d, OBJ_ARRAY, array);

	if (!t || !a)
		return CUDA_ERROR_INVALID_HANDLE;
	if (flags != CU_TRSA_OVERRIDE_FORMAT)
		return CUDA_ERROR_INVALID_VALUE;
	t->array = a;
	t->addr = 0;
	t->format = a->desc.Format;
	t->channels = a->desc.NumChannels;
	return bind_texref(d, t);
}

void
texref_unbind_array(struct driver *d, const struct array *a)
{
	for (unsigned i = 0; i < OBJECT_BUCKETS; i++)
		for (struct object *o = d->bucket[i]; o; o = o->next)
			if (o->kind == OBJ_TEXREF && ((struct texref *)o)->array == a)
				((struct texref *)o)->array = NULL;
}

EXPORT
cuTexRefSetAddress_v2(size_t *offset, CUtexref texref, CUdeviceptr addr, size_t bytes)
{
	ENTER(NEED_CONTEXT);
	struct texref *t = FIND(d, OBJ_TEXREF, texref);
	struct place p;

	if (!t)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!bytes || copy_place_device(d, addr, bytes, &p) != CUDA_SUCCESS)
		return CUDA_ERROR_INVALID_VALUE;
	if (offset)
		*offset = 0;
	t->array = NULL;
	t->addr = addr;
	t->width = bytes;
	t->height = t->pitch = 0;
	return bind_texref(d, t);
}

EXPORT
cuTexRefSetAddress2D_v3(CUtexref texref, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr addr,
			size_t pitch)
{
	ENTER(NEED_CONTEXT);
	struct texref *t = FIND(d, OBJ_TEXREF, texref);
	uint64_t row =
		desc ? desc->Width * array_format_bytes(desc->Format) * desc->NumChannels : 0;
	struct place p;

	if (!t)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!row || !desc->Height || row > pitch || desc->Width > UINT32_MAX ||
	    desc->Height > UINT32_MAX ||
	    copy_place_device(d, addr, (desc->Height - 1) * pitch + row, &p) != CUDA_SUCCESS)
		return CUDA_ERROR_INVALID_VALUE;
	t->array = NULL;
	t->addr = addr;
	t->width = desc->Width;
	t->height = desc->Height;
	t->pitch = pitch;
	t->format = desc->Format;
	t->channels = desc->NumChannels;
	return bind_texref(d, t);
}

ALIAS(cuTexRefSetAddress2D_v3, cuTexRefSetAddress2D_v2);

EXPORT
cuTexRefSetFormat(CUtexref texref, CUarray_format format, int channels)
{
	ENTER(NEED_CONTEXT);
	struct texref *t = FIND(d, OBJ_TEXREF, texref);

	if (!t)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!array_format_bytes(format) || (channels != 1 && channels != 2 && channels != 4))
		return CUDA_ERROR_INVALID_VALUE;
	t->format = format;
	t->channels = (unsigned)channels;
	return bind_texref(d, t);
}

EXPORT
cuTexRefSetAddressMode(CUtexref texref, int dim, CUaddress_mode mode)
{
	ENTER(NEED_CONTEXT);
	struct texref *t = FIND(d, OBJ_TEXREF, texref);

	if (!t)
		return CUDA_ERROR_INVALID_HANDLE;
	if (dim < 0 || dim > 2 || (unsigned)mode > CU_TR_ADDRESS_MODE_BORDER)
		return CUDA_ERROR_INVALID_VALUE;
	t->address_mode[dim] = mode;
	return bind_texref(d, t);
}

EXPORT
cuTexRefSetFilterMode(CUtexref texref, CUfilter_mode mode)
{
	ENTER(NEED_CONTEXT);
	struct texref *t = FIND(d, OBJ_TEXREF, texref);

	if (!t)
		return CUDA_ERROR_INVALID_HANDLE;
	if ((unsigned)mode > CU_TR_FILTER_MODE_LINEAR)
		return CUDA_ERROR_INVALID_VALUE;
	t->filter = mode;
	return bind_texref(d, t);
}

EXPORT
cuTexRefSetFlags(CUtexref texref, unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	struct texref *t = FIND(d, OBJ_TEXREF, texref);

	if (!t)
		return CUDA_ERROR_INVALID_HANDLE;
	if (flags & ~(unsigned)(CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES)) {
		driver_print("cuTexRefSetFlags: only CU_TRSF_READ_AS_INTEGER and "
			     "_NORMALIZED_COORDINATES are supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	t->flags = flags;
	return bind_texref(d, t);
}

EXPORT
cuTexRefSetMaxAnisotropy(CUtexref texref, unsigned int max ATTR_UNUSED)
{
	ENTER(NEED_CONTEXT);

	return FIND(d, OBJ_TEXREF, texref) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

EXPORT
cuTexRefSetBorderColor(CUtexref texref, float *color)
{
	ENTER(NEED_CONTEXT);

	if (!FIND(d, OBJ_TEXREF, texref))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!color)
		return CUDA_ERROR_INVALID_VALUE;
	for (int i = 0; i < 4; i++)
		if (color[i] < 0 || color[i] > 0)
			return CUDA_ERROR_NOT_SUPPORTED; /* the border is black */
	return CUDA_SUCCESS;
}

/* ---- querying ---- */

#define GET(name, type, value)                                                           \
	EXPORT                                                                           \
	name(type *out, CUtexref texref)                                                 \
	{                                                                                \
		ENTER(NEED_CONTEXT);                                                     \
		const struct texref *t = FIND(d, OBJ_TEXREF, texref);                    \
		if (!out || !t)                                                          \
			return t ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE; \
		*out = value;                                                            \
		return CUDA_SUCCESS;                                                     \
	}                                                                                \
	_Static_assert(1, "")

GET(cuTexRefGetAddress_v2, CUdeviceptr, t->addr);
GET(cuTexRefGetArray, CUarray, (CUarray)t->array);
GET(cuTexRefGetFilterMode, CUfilter_mode, t->filter);
GET(cuTexRefGetFlags, unsigned int, t->flags);

EXPORT
cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref texref, int dim)
{
	ENTER(NEED_CONTEXT);
	const struct texref *t = FIND(d, OBJ_TEXREF, texref);

	if (!mode || !t || dim < 0 || dim > 2)
		return t ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	*mode = t->address_mode[dim];
	return CUDA_SUCCESS;
}

EXPORT
cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref texref)
{
	ENTER(NEED_CONTEXT);
	const struct texref *t = FIND(d, OBJ_TEXREF, texref);

	if (!t)
		return CUDA_ERROR_INVALID_HANDLE;
	if (format)
		*format = t->format;
	if (channels)
		*channels = (int)t->channels;
	return CUDA_SUCCESS;
}
