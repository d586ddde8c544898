/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * texture.c - creates texture and surface objects, and binds the references of CUDA 11 and before.
 * A reference is a variable on the host and one in the driver; binding copies its settings from the
 * host's to the driver's. Not supported, as in the driver: mipmaps, views, sRGB.
 */
#include "record/runtime/runtime.h"

#include <string.h>

/* Converts a resource to the driver's struct. */
static bool
convert_resource(const struct cudaResourceDesc *r, CUDA_RESOURCE_DESC *out)
{
	memset(out, 0, sizeof(*out));
	out->resType = (CUresourcetype)r->resType;
	switch (r->resType) {
	case cudaResourceTypeLinear:
		out->res.linear.devPtr = (CUdeviceptr)(uintptr_t)r->res.linear.devPtr;
		out->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
		return channel_format(&r->res.linear.desc, &out->res.linear.format,
				      &out->res.linear.numChannels);
	case cudaResourceTypePitch2D:
		out->res.pitch2D.devPtr = (CUdeviceptr)(uintptr_t)r->res.pitch2D.devPtr;
		out->res.pitch2D.width = r->res.pitch2D.width;
		out->res.pitch2D.height = r->res.pitch2D.height;
		out->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
		return channel_format(&r->res.pitch2D.desc, &out->res.pitch2D.format,
				      &out->res.pitch2D.numChannels);
	default: /* an array, or a mipmapped one, which the driver refuses */
		out->res.array.hArray = (CUarray)r->res.array.array;
		return true;
	}
}

/* Are the elements integers, which may be read without conversion to floats? */
static bool
has_integers(const CUDA_RESOURCE_DESC *r)
{
	CUDA_ARRAY3D_DESCRIPTOR d = {.Format = CU_AD_FORMAT_FLOAT};
	CUarray_format f = r->res.pitch2D.format;

	if (r->resType == CU_RESOURCE_TYPE_ARRAY) {
		cuArray3DGetDescriptor_v2(&d, r->res.array.hArray);
		f = d.Format;
	} else if (r->resType == CU_RESOURCE_TYPE_LINEAR) {
		f = r->res.linear.format;
	}
	return f != CU_AD_FORMAT_FLOAT && f != CU_AD_FORMAT_HALF;
}

static void
convert_sampling(const struct cudaTextureDesc *t, bool as_integer, CUDA_TEXTURE_DESC *out)
{
	memset(out, 0, sizeof(*out));
	for (int i = 0; i < 3; i++)
		out->addressMode[i] = (CUaddress_mode)t->addressMode[i];
	out->filterMode = (CUfilter_mode)t->filterMode;
	out->flags = (as_integer ? CU_TRSF_READ_AS_INTEGER : 0u) |
		     (t->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
		     (t->sRGB ? CU_TRSF_SRGB : 0u);
	out->maxAnisotropy = t->maxAnisotropy;
	memcpy(out->borderColor, t->borderColor, sizeof(out->borderColor));
}

EXPORT
cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *r,
			const struct cudaTextureDesc *t, const struct cudaResourceViewDesc *view)
{
	CUDA_RESOURCE_DESC rd;
	CUDA_TEXTURE_DESC td;

	if (!texture || !r || !t)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	if (!convert_resource(r, &rd))
		return runtime_done(cudaErrorInvalidChannelDescriptor);
	convert_sampling(t, t->readMode == cudaReadModeElementType && has_integers(&rd), &td);
	return runtime_done((cudaError_t)cuTexObjectCreate(texture, &rd, &td,
							   (const CUDA_RESOURCE_VIEW_DESC *)view));
}

ALIAS(cudaCreateTextureObject, cudaCreateTextureObject_v2);

EXPORT
cudaDestroyTextureObject(cudaTextureObject_t texture)
{
	FORWARD(texture ? cuTexObjectDestroy(texture) : CUDA_SUCCESS);
}

EXPORT
cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out, cudaTextureObject_t texture)
{
	CUDA_RESOURCE_DESC r;

	if (!out)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	TRY(cuTexObjectGetResourceDesc(&r, texture));
	memset(out, 0, sizeof(*out));
	out->resType = (enum cudaResourceType)r.resType;
	if (r.resType == CU_RESOURCE_TYPE_LINEAR) {
		out->res.linear.devPtr = (void *)(uintptr_t)r.res.linear.devPtr;
		out->res.linear.desc = channel_desc(r.res.linear.format, r.res.linear.numChannels);
		out->res.linear.sizeInBytes = r.res.linear.sizeInBytes;
	} else if (r.resType == CU_RESOURCE_TYPE_PITCH2D) {
		out->res.pitch2D.devPtr = (void *)(uintptr_t)r.res.pitch2D.devPtr;
		out->res.pitch2D.desc =
			channel_desc(r.res.pitch2D.format, r.res.pitch2D.numChannels);
		out->res.pitch2D.width = r.res.pitch2D.width;
		out->res.pitch2D.height = r.res.pitch2D.height;
		out->res.pitch2D.pitchInBytes = r.res.pitch2D.pitchInBytes;
	} else {
		out->res.array.array = (cudaArray_t)r.res.array.hArray;
	}
	return cudaSuccess;
}

/* ---- surface objects ---- */

EXPORT
cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *r)
{
	CUDA_RESOURCE_DESC rd;

	if (!surface || !r || r->resType != cudaResourceTypeArray)
		return runtime_done(cudaErrorInvalidValue);
	convert_resource(r, &rd);
	FORWARD(cuSurfObjectCreate(surface, &rd));
}

EXPORT
cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
	FORWARD(cuSurfObjectDestroy(surface));
}

/* ---- texture references ---- */

/* Copies the settings of the host's reference to the driver's. */
static cudaError_t
configure_reference(CUtexref t, const struct textureReference *ref,
		    const struct cudaChannelFormatDesc *desc, bool normalized,
		    CUarray_format *format, unsigned *channels)
{
	bool integer;

	if (!channel_format(desc, format, channels))
		return cudaErrorInvalidChannelDescriptor;
	integer = !normalized && desc->f != cudaChannelFormatKindFloat;
	TRY(cuTexRefSetFormat(t, *format, (int)*channels));
	TRY(cuTexRefSetFilterMode(t, (CUfilter_mode)ref->filterMode));
	TRY(cuTexRefSetFlags(t, (integer ? CU_TRSF_READ_AS_INTEGER : 0u) |
					(ref->normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0u)));
	for (int i = 0; i < 3; i++)
		TRY(cuTexRefSetAddressMode(t, i, (CUaddress_mode)ref->addressMode[i]));
	return cudaSuccess;
}

/* Returns the driver's reference of the host's, with its settings. */
static cudaError_t
find_reference(const struct textureReference *ref, const struct cudaChannelFormatDesc *desc,
	       CUtexref *t, CUarray_format *format, unsigned *channels)
{
	bool normalized;

	TRY(runtime_ready());
	TRY(register_texture(ref, t, &normalized));
	return configure_reference(*t, ref, desc, normalized, format, channels);
}

EXPORT
cudaBindTexture(size_t *offset, const struct textureReference *ref, const void *p,
		const struct cudaChannelFormatDesc *desc, size_t bytes)
{
	CUdeviceptr addr = (CUdeviceptr)(uintptr_t)p;
	CUarray_format format;
	unsigned channels;
	CUdeviceptr base;
	size_t whole;
	CUtexref t;

	if (!ref || !p || !desc)
		return runtime_done(cudaErrorInvalidValue);
	TRY(find_reference(ref, desc, &t, &format, &channels));
	/* UINT_MAX, the default, means the whole allocation */
	TRY(cuMemGetAddressRange_v2(&base, &whole, addr));
	bytes = MIN(bytes, whole - (size_t)(addr - base));
	return runtime_done((cudaError_t)cuTexRefSetAddress_v2(offset, t, addr, bytes));
}

EXPORT
cudaBindTexture2D(size_t *offset, const struct textureReference *ref, const void *p,
		  const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
		  size_t pitch)
{
	CUDA_ARRAY_DESCRIPTOR a = {.Width = width, .Height = height};
	CUtexref t;

	if (!ref || !p || !desc)
		return runtime_done(cudaErrorInvalidValue);
	TRY(find_reference(ref, desc, &t, &a.Format, &a.NumChannels));
	if (offset)
		*offset = 0;
	return runtime_done(
		(cudaError_t)cuTexRefSetAddress2D_v3(t, &a, (CUdeviceptr)(uintptr_t)p, pitch));
}

EXPORT
cudaBindTextureToArray(const struct textureReference *ref, cudaArray_const_t array,
		       const struct cudaChannelFormatDesc *desc)
{
	CUarray_format format;
	unsigned channels;
	CUtexref t;

	if (!ref || !array || !desc)
		return runtime_done(cudaErrorInvalidValue);
	TRY(find_reference(ref, desc, &t, &format, &channels));
	return runtime_done((cudaError_t)cuTexRefSetArray(t, (CUarray)(uintptr_t)array,
							  CU_TRSA_OVERRIDE_FORMAT));
}

/* Keeps the binding in the driver: a program must not read an unbound texture. */
EXPORT
cudaUnbindTexture(const struct textureReference *ref)
{
	bool normalized;
	CUtexref t;

	TRY(runtime_ready());
	return runtime_done(register_texture(ref, &t, &normalized));
}

EXPORT
cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *ref)
{
	if (!offset || !ref)
		return runtime_done(cudaErrorInvalidValue);
	*offset = 0;
	return cudaSuccess;
}

EXPORT
cudaGetTextureReference(const struct textureReference **ref, const void *symbol)
{
	bool normalized;
	CUtexref t;

	if (!ref)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	TRY(register_texture(symbol, &t, &normalized));
	*ref = symbol;
	return cudaSuccess;
}

/* ---- surface references ---- */

EXPORT
cudaBindSurfaceToArray(const struct surfaceReference *ref, cudaArray_const_t array,
		       const struct cudaChannelFormatDesc *desc)
{
	CUsurfref s;

	if (!ref || !array || !desc)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	TRY(register_surface(ref, &s));
	return runtime_done((cudaError_t)cuSurfRefSetArray(s, (CUarray)(uintptr_t)array, 0));
}

EXPORT
cudaGetSurfaceReference(const struct surfaceReference **ref, const void *symbol)
{
	CUsurfref s;

	if (!ref)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	TRY(register_surface(symbol, &s));
	*ref = symbol;
	return cudaSuccess;
}
