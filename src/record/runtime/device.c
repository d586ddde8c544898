/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.c - selects, limits and resets the only device; returns versions and entry points;
 * forwards the profiler calls to the driver. */
#include "record/runtime/graph.h"

#include <string.h>

EXPORT
cudaGetDeviceCount(int *count)
{
	FORWARD(cuDeviceGetCount(count));
}

EXPORT
cudaGetDevice(int *device)
{
	FORWARD(cuCtxGetDevice(device));
}

EXPORT
cudaSetDevice(int device)
{
	CUdevice d;

	FORWARD(cuDeviceGet(&d, device));
}

EXPORT
cudaInitDevice(int device, unsigned int flags ATTR_UNUSED, unsigned int all ATTR_UNUSED)
{
	return cudaSetDevice(device);
}

EXPORT
cudaChooseDevice(int *device, const struct cudaDeviceProp *like)
{
	if (!device || !like)
		return runtime_done(cudaErrorInvalidValue);
	return cudaGetDevice(device);
}

EXPORT
cudaSetValidDevices(int *device, int n)
{
	for (int i = 0; device && i < n; i++)
		if (device[i] != 0)
			return runtime_done(cudaErrorInvalidDevice);
	return runtime_done(device || !n ? cudaSuccess : cudaErrorInvalidValue);
}

EXPORT
cudaSetDeviceFlags(unsigned int flags)
{
	FORWARD(cuDevicePrimaryCtxSetFlags_v2(0, flags));
}

EXPORT
cudaGetDeviceFlags(unsigned int *flags)
{
	int active;

	FORWARD(cuDevicePrimaryCtxGetState(0, flags, &active));
}

EXPORT
cudaDeviceReset(void)
{
	TRY(runtime_ready());
	TRY(cuDevicePrimaryCtxReset_v2(0));
	register_unload();
	graph_memory_forget();
	runtime_forget();
	return cudaSuccess;
}

EXPORT
cudaDeviceSynchronize(void)
{
	FORWARD(cuCtxSynchronize());
}

EXPORT
cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
	FORWARD(cuCtxSetLimit((CUlimit)limit, value));
}

EXPORT
cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
	FORWARD(cuCtxGetLimit(value, (CUlimit)limit));
}

EXPORT
cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
	CUfunc_cache c = CU_FUNC_CACHE_PREFER_NONE;

	if (!config)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	TRY(cuCtxGetCacheConfig(&c));
	*config = (enum cudaFuncCache)c;
	return cudaSuccess;
}

EXPORT
cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
	FORWARD(cuCtxSetCacheConfig((CUfunc_cache)config));
}

EXPORT
cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
	CUsharedconfig c = CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;

	if (!config)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	TRY(cuCtxGetSharedMemConfig(&c));
	*config = (enum cudaSharedMemConfig)c;
	return cudaSuccess;
}

EXPORT
cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
	FORWARD(cuCtxSetSharedMemConfig((CUsharedconfig)config));
}

EXPORT
cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	FORWARD(cuCtxGetStreamPriorityRange(least, greatest));
}

EXPORT
cudaCtxResetPersistingL2Cache(void)
{
	FORWARD(cuCtxResetPersistingL2Cache());
}

EXPORT
cudaDeviceGetPCIBusId(char *id, int len, int device)
{
	FORWARD(cuDeviceGetPCIBusId(id, len, device));
}

EXPORT
cudaDeviceGetByPCIBusId(int *device, const char *id)
{
	FORWARD(cuDeviceGetByPCIBusId(device, id));
}

/* ---- other devices: there are none ---- */

EXPORT
cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
	FORWARD(cuDeviceCanAccessPeer(can, device, peer));
}

EXPORT
cudaDeviceEnablePeerAccess(int peer ATTR_UNUSED, unsigned int flags ATTR_UNUSED)
{
	return runtime_done(cudaErrorInvalidDevice);
}

EXPORT
cudaDeviceDisablePeerAccess(int peer)
{
	return runtime_done(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

/* ---- versions and entry points ---- */

EXPORT
cudaDriverGetVersion(int *version)
{
	return runtime_done((cudaError_t)cuDriverGetVersion(version));
}

EXPORT
cudaRuntimeGetVersion(int *version)
{
	if (!version)
		return runtime_done(cudaErrorInvalidValue);
	*version = CUDART_VERSION;
	return cudaSuccess;
}

static cudaError_t
find_entry_point(const char *symbol, void **fn, unsigned version, unsigned long long flags,
		 int *status)
{
	CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	CUresult r = cuGetProcAddress_v2(symbol, fn, (int)version, flags, &found);

	if (status)
		*status = (int)found;
	else if (r == CUDA_SUCCESS && found != CU_GET_PROC_ADDRESS_SUCCESS)
		r = CUDA_ERROR_NOT_FOUND;
	if (symbol && found != CU_GET_PROC_ADDRESS_SUCCESS)
		runtime_print("the program requested %s, which ctascope's driver API does not have",
			      symbol);
	return runtime_done((cudaError_t)r);
}

#if CUDART_MAJOR == 11
EXPORT
cudaGetDriverEntryPoint(const char *symbol, void **fn, unsigned long long flags)
{
	return find_entry_point(symbol, fn, CUDART_VERSION, flags, NULL);
}
#else
EXPORT
cudaGetDriverEntryPoint(const char *symbol, void **fn, unsigned long long flags, int *status)
{
	return find_entry_point(symbol, fn, CUDART_VERSION, flags, status);
}

EXPORT
cudaGetDriverEntryPointByVersion(const char *symbol, void **fn, unsigned int version,
				 unsigned long long flags, int *status)
{
	return find_entry_point(symbol, fn, version, flags, status);
}

ALIAS(cudaGetDriverEntryPointByVersion, cudaGetDriverEntryPointByVersion_ptsz);
#endif

ALIAS(cudaGetDriverEntryPoint, cudaGetDriverEntryPoint_ptsz);

EXPORT
cudaProfilerStart(void)
{
	FORWARD(cuProfilerStart());
}

EXPORT
cudaProfilerStop(void)
{
	FORWARD(cuProfilerStop());
}

/* ---- the names of CUDA 3 and before ---- */

ALIAS(cudaDeviceReset, cudaThreadExit);
ALIAS(cudaDeviceSynchronize, cudaThreadSynchronize);
ALIAS(cudaDeviceSetLimit, cudaThreadSetLimit);
ALIAS(cudaDeviceGetLimit, cudaThreadGetLimit);
ALIAS(cudaDeviceSetCacheConfig, cudaThreadSetCacheConfig);
ALIAS(cudaDeviceGetCacheConfig, cudaThreadGetCacheConfig);
