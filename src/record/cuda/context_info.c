/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * context_info.c - stores and returns the settings of the current context. None of them changes how
 * a kernel runs.
 */
#include "record/cuda/driver.h"

EXPORT
cuCtxGetDevice(CUdevice *dev)
{
	ENTER(NEED_CONTEXT);

	if (!dev)
		return CUDA_ERROR_INVALID_VALUE;
	*dev = 0;
	return CUDA_SUCCESS;
}

EXPORT
cuCtxSynchronize(void)
{
	ENTER(NEED_CONTEXT);

	recording_order(d, TRACE_HOST_ALL, NULL);
	return CUDA_SUCCESS;
}

EXPORT
cuCtxGetFlags(unsigned int *flags)
{
	ENTER(NEED_CONTEXT);

	if (!flags)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = context_current()->flags;
	return CUDA_SUCCESS;
}

EXPORT
cuCtxSetFlags(unsigned int flags)
{
	ENTER(NEED_CONTEXT);

	if (flags & ~(unsigned)CU_CTX_FLAGS_MASK)
		return CUDA_ERROR_INVALID_VALUE;
	context_current()->flags = flags;
	return CUDA_SUCCESS;
}

EXPORT
cuCtxGetId(CUcontext ctx, unsigned long long *id)
{
	ENTER(NEED_INIT);
	struct context *c = ctx ? FIND(d, OBJ_CONTEXT, ctx) : context_current();

	if (!id || !c)
		return id ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_VALUE;
	*id = c->id;
	return CUDA_SUCCESS;
}

EXPORT
cuCtxSetLimit(CUlimit limit, size_t value)
{
	ENTER(NEED_CONTEXT);

	if ((unsigned)limit >= N_LIMITS)
		return CUDA_ERROR_UNSUPPORTED_LIMIT;
	context_current()->limit[limit] = value;
	return CUDA_SUCCESS;
}

EXPORT
cuCtxGetLimit(size_t *value, CUlimit limit)
{
	ENTER(NEED_CONTEXT);

	if (!value || (unsigned)limit >= N_LIMITS)
		return value ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE;
	*value = context_current()->limit[limit];
	return CUDA_SUCCESS;
}

EXPORT
cuCtxGetCacheConfig(CUfunc_cache *config)
{
	ENTER(NEED_CONTEXT);

	if (!config)
		return CUDA_ERROR_INVALID_VALUE;
	*config = context_current()->cache;
	return CUDA_SUCCESS;
}

EXPORT
cuCtxSetCacheConfig(CUfunc_cache config)
{
	ENTER(NEED_CONTEXT);

	if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
		return CUDA_ERROR_INVALID_VALUE;
	context_current()->cache = config;
	return CUDA_SUCCESS;
}

EXPORT
cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
	ENTER(NEED_CONTEXT);

	if (!config)
		return CUDA_ERROR_INVALID_VALUE;
	*config = context_current()->shared_config;
	return CUDA_SUCCESS;
}

EXPORT
cuCtxSetSharedMemConfig(CUsharedconfig config)
{
	ENTER(NEED_CONTEXT);

	if ((unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
		return CUDA_ERROR_INVALID_VALUE;
	context_current()->shared_config = config;
	return CUDA_SUCCESS;
}

EXPORT
cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
	ENTER(NEED_INIT);
	struct context *c = ctx ? FIND(d, OBJ_CONTEXT, ctx) : context_current();

	if (!version || !c)
		return version ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
	*version = c->api_version;
	return CUDA_SUCCESS;
}

EXPORT
cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	ENTER(NEED_CONTEXT);

	if (least)
		*least = 0;
	if (greatest)
		*greatest = -5;
	return CUDA_SUCCESS;
}

EXPORT
cuCtxResetPersistingL2Cache(void)
{
	ENTER(NEED_CONTEXT);

	return CUDA_SUCCESS;
}
