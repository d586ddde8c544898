/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * context.c - creates contexts, and keeps the stack of contexts of each thread.
 *
 * A context owns what is created while it is current, and frees it when it ends. Memory belongs to
 * the device: an address of one context is valid in another, as with unified addressing.
 */
#include "record/cuda/driver.h"

#include <stdlib.h>
#include <string.h>

#define STACK_MAX 64

static _Thread_local struct {
	struct context *ctx[STACK_MAX];
	unsigned n;
} stack;

struct context *
context_current(void)
{
	return stack.n ? stack.ctx[stack.n - 1] : NULL;
}

static struct context *
context_new(struct driver *d, unsigned flags, unsigned api_version)
{
	static const size_t limit[N_LIMITS] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
	struct context *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->flags = flags;
	c->api_version = api_version;
	c->id = ++d->ids;
	c->refs = 1;
	memcpy(c->limit, limit, sizeof(limit));
	object_add(d, &c->o, OBJ_CONTEXT, (uintptr_t)c);
	return c;
}

static void
free_plain(struct driver *d, struct object *o)
{
	object_remove(d, o);
	free(o);
}

/* Frees what the context owns, not itself. */
static void
context_free_contents(struct driver *d, struct context *c)
{
	object_each(d, OBJ_TEXTURE, c, texture_free);
	object_each(d, OBJ_SURFACE, c, texture_free);
	object_each(d, OBJ_MODULE, c, module_free);
	object_each(d, OBJ_TEXREF, c, texref_free);
	object_each(d, OBJ_LINKER, c, linker_free);
	object_each(d, OBJ_ARRAY, c, array_free);
	object_each(d, OBJ_STREAM, c, free_plain);
	object_each(d, OBJ_EVENT, c, free_plain);
	object_each(d, OBJ_MEMORY, c, memory_free);
}

static void
context_free(struct driver *d, struct context *c)
{
	context_free_contents(d, c);
	if (c == d->primary)
		d->primary = NULL;
	object_remove(d, &c->o);
	free(c);
}

static CUresult
push_context(struct context *c)
{
	if (stack.n == STACK_MAX)
		return CUDA_ERROR_OUT_OF_MEMORY;
	stack.ctx[stack.n++] = c;
	return CUDA_SUCCESS;
}

/* ---- primary context ---- */

EXPORT
cuDevicePrimaryCtxRetain(CUcontext *ctx, CUdevice dev)
{
	ENTER(NEED_INIT);

	if (!ctx || dev != 0)
		return ctx ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
	if (d->primary) {
		d->primary->refs++;
	} else {
		d->primary = context_new(d, d->primary_flags, 3020);
		if (!d->primary)
			return CUDA_ERROR_OUT_OF_MEMORY;
		d->primary->primary = true;
	}
	*ctx = (CUcontext)d->primary;
	return CUDA_SUCCESS;
}

EXPORT
cuDevicePrimaryCtxRelease_v2(CUdevice dev)
{
	ENTER(NEED_INIT);

	if (dev != 0)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!d->primary)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (--d->primary->refs == 0)
		context_free(d, d->primary);
	return CUDA_SUCCESS;
}

ALIAS(cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease);

EXPORT
cuDevicePrimaryCtxReset_v2(CUdevice dev)
{
	ENTER(NEED_INIT);

	if (dev != 0)
		return CUDA_ERROR_INVALID_DEVICE;
	if (d->primary) {
		context_free_contents(d, d->primary);
		d->primary->sticky = CUDA_SUCCESS;
	}
	return CUDA_SUCCESS;
}

ALIAS(cuDevicePrimaryCtxReset_v2, cuDevicePrimaryCtxReset);

EXPORT
cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags)
{
	ENTER(NEED_INIT);

	if (dev != 0 || (flags & ~(unsigned)CU_CTX_FLAGS_MASK))
		return dev ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
	d->primary_flags = flags;
	if (d->primary)
		d->primary->flags = flags;
	return CUDA_SUCCESS;
}

ALIAS(cuDevicePrimaryCtxSetFlags_v2, cuDevicePrimaryCtxSetFlags);

EXPORT
cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
	ENTER(NEED_INIT);

	if (dev != 0 || !flags || !active)
		return dev ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
	*flags = d->primary_flags;
	*active = d->primary != NULL;
	return CUDA_SUCCESS;
}

/* ---- others ---- */

static CUresult
create_context(struct driver *d, CUcontext *ctx, unsigned flags, CUdevice dev, unsigned api_version)
{
	struct context *c;
	CUresult r;

	if (!ctx || (flags & ~(unsigned)CU_CTX_FLAGS_MASK))
		return CUDA_ERROR_INVALID_VALUE;
	if (dev != 0)
		return CUDA_ERROR_INVALID_DEVICE;
	c = context_new(d, flags, api_version);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r = push_context(c);
	if (r != CUDA_SUCCESS)
		context_free(d, c);
	else
		*ctx = (CUcontext)c;
	return r;
}

EXPORT
cuCtxCreate_v2(CUcontext *ctx, unsigned int flags, CUdevice dev)
{
	ENTER(NEED_INIT);

	return create_context(d, ctx, flags, dev, 3020);
}

ALIAS(cuCtxCreate_v2, cuCtxCreate);

EXPORT
cuCtxCreate_v3(CUcontext *ctx, CUexecAffinityParam *params ATTR_UNUSED, int n ATTR_UNUSED,
	       unsigned int flags, CUdevice dev)
{
	ENTER(NEED_INIT);

	return create_context(d, ctx, flags, dev, 3030);
}

EXPORT
cuCtxCreate_v4(CUcontext *ctx, CUctxCreateParams *params ATTR_UNUSED, unsigned int flags,
	       CUdevice dev)
{
	ENTER(NEED_INIT);

	return create_context(d, ctx, flags, dev, 3030);
}

static CUresult
destroy_context(struct driver *d, CUcontext ctx)
{
	struct context *c = FIND(d, OBJ_CONTEXT, ctx);

	if (!c || c->primary)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (context_current() == c)
		stack.n--;
	context_free(d, c);
	return CUDA_SUCCESS;
}

EXPORT
cuCtxDestroy_v2(CUcontext ctx)
{
	ENTER(NEED_INIT);

	return destroy_context(d, ctx);
}

ALIAS(cuCtxDestroy_v2, cuCtxDestroy);

EXPORT
cuCtxAttach(CUcontext *ctx, unsigned int flags)
{
	ENTER(NEED_CONTEXT);

	if (!ctx || flags)
		return CUDA_ERROR_INVALID_VALUE;
	context_current()->refs++;
	*ctx = (CUcontext)context_current();
	return CUDA_SUCCESS;
}

EXPORT
cuCtxDetach(CUcontext ctx)
{
	ENTER(NEED_INIT);
	struct context *c = FIND(d, OBJ_CONTEXT, ctx);

	if (!c || c != context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	return --c->refs == 0 ? destroy_context(d, ctx) : CUDA_SUCCESS;
}

EXPORT
cuCtxPushCurrent_v2(CUcontext ctx)
{
	ENTER(NEED_INIT);
	struct context *c = FIND(d, OBJ_CONTEXT, ctx);

	return c ? push_context(c) : CUDA_ERROR_INVALID_CONTEXT;
}

ALIAS(cuCtxPushCurrent_v2, cuCtxPushCurrent);

EXPORT
cuCtxPopCurrent_v2(CUcontext *ctx)
{
	ENTER(NEED_INIT);

	if (!stack.n)
		return CUDA_ERROR_INVALID_CONTEXT;
	stack.n--;
	if (ctx)
		*ctx = (CUcontext)stack.ctx[stack.n];
	return CUDA_SUCCESS;
}

ALIAS(cuCtxPopCurrent_v2, cuCtxPopCurrent);

EXPORT
cuCtxSetCurrent(CUcontext ctx)
{
	ENTER(NEED_INIT);
	struct context *c = FIND(d, OBJ_CONTEXT, ctx);

	if (ctx && !c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (stack.n)
		stack.n--;
	return c ? push_context(c) : CUDA_SUCCESS;
}

EXPORT
cuCtxGetCurrent(CUcontext *ctx)
{
	ENTER(NEED_INIT);

	if (!ctx)
		return CUDA_ERROR_INVALID_VALUE;
	*ctx = (CUcontext)context_current();
	return CUDA_SUCCESS;
}
