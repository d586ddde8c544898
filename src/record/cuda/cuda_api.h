/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuda_api.h - the CUDA driver API as this folder implements it: our own prototypes, after the
 * public manual. A program that includes this header instead of NVIDIA's cuda.h and is linked with
 * libcuda.so.1 runs under `ctascope record`, or on a GPU with NVIDIA's library.
 *
 * As there, a name may stand for a newer entry point: cuMemAlloc is cuMemAlloc_v2. Where CUDA 13
 * changed a prototype, this header has the older one (cuCtxCreate without parameters).
 */
#ifndef CUDA_CUDA_API_H
#define CUDA_CUDA_API_H

#include "record/cuda/cuda_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CUDAAPI
#define CUDAAPI
#endif

#ifndef CUDA_NO_VERSION_NAMES /* src/record/cuda defines both */
#define cuDeviceGetUuid cuDeviceGetUuid_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuCtxCreate cuCtxCreate_v2
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyDtoA cuMemcpyDtoA_v2
#define cuMemcpyAtoD cuMemcpyAtoD_v2
#define cuMemcpyHtoA cuMemcpyHtoA_v2
#define cuMemcpyAtoH cuMemcpyAtoH_v2
#define cuMemcpyAtoA cuMemcpyAtoA_v2
#define cuMemcpyHtoAAsync cuMemcpyHtoAAsync_v2
#define cuMemcpyAtoHAsync cuMemcpyAtoHAsync_v2
#define cuMemcpy2D cuMemcpy2D_v2
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuMemsetD16 cuMemsetD16_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuMemsetD2D8 cuMemsetD2D8_v2
#define cuMemsetD2D16 cuMemsetD2D16_v2
#define cuMemsetD2D32 cuMemsetD2D32_v2
#define cuArrayCreate cuArrayCreate_v2
#define cuArrayGetDescriptor cuArrayGetDescriptor_v2
#define cuArray3DCreate cuArray3DCreate_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuTexRefSetAddress cuTexRefSetAddress_v2
#define cuTexRefSetAddress2D cuTexRefSetAddress2D_v3
#define cuTexRefGetAddress cuTexRefGetAddress_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuGetProcAddress cuGetProcAddress_v2
#endif

#define API CUresult CUDAAPI

/* ---- errors, start, entry points ---- */

API cuGetErrorName(CUresult error, const char **name);
API cuGetErrorString(CUresult error, const char **text);
API cuInit(unsigned int flags);
API cuDriverGetVersion(int *version);
API cuGetProcAddress_v2(const char *symbol, void **fn, int version, cuuint64_t flags,
			CUdriverProcAddressQueryResult *status);
API cuProfilerStart(void);
API cuProfilerStop(void);

/* ---- devices ---- */

API cuDeviceGet(CUdevice *device, int ordinal);
API cuDeviceGetCount(int *count);
API cuDeviceGetName(char *name, int len, CUdevice dev);
API cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev);
API cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev);
API cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice dev);
API cuDeviceGetProperties(CUdevprop *prop, CUdevice dev);
API cuDeviceComputeCapability(int *major, int *minor, CUdevice dev);
API cuDeviceGetPCIBusId(char *id, int len, CUdevice dev);
API cuDeviceGetByPCIBusId(CUdevice *dev, const char *id);
API cuDeviceCanAccessPeer(int *can, CUdevice dev, CUdevice peer);

/* ---- contexts ---- */

API cuDevicePrimaryCtxRetain(CUcontext *ctx, CUdevice dev);
API cuDevicePrimaryCtxRelease_v2(CUdevice dev);
API cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags);
API cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active);
API cuDevicePrimaryCtxReset_v2(CUdevice dev);
API cuCtxCreate_v2(CUcontext *ctx, unsigned int flags, CUdevice dev);
API cuCtxCreate_v3(CUcontext *ctx, CUexecAffinityParam *params, int n, unsigned int flags,
		   CUdevice dev);
API cuCtxCreate_v4(CUcontext *ctx, CUctxCreateParams *params, unsigned int flags, CUdevice dev);
API cuCtxDestroy_v2(CUcontext ctx);
API cuCtxAttach(CUcontext *ctx, unsigned int flags);
API cuCtxDetach(CUcontext ctx);
API cuCtxPushCurrent_v2(CUcontext ctx);
API cuCtxPopCurrent_v2(CUcontext *ctx);
API cuCtxSetCurrent(CUcontext ctx);
API cuCtxGetCurrent(CUcontext *ctx);
API cuCtxGetDevice(CUdevice *dev);
API cuCtxGetFlags(unsigned int *flags);
API cuCtxSetFlags(unsigned int flags);
API cuCtxGetId(CUcontext ctx, unsigned long long *id);
API cuCtxSynchronize(void);
API cuCtxSetLimit(CUlimit limit, size_t value);
API cuCtxGetLimit(size_t *value, CUlimit limit);
API cuCtxGetCacheConfig(CUfunc_cache *config);
API cuCtxSetCacheConfig(CUfunc_cache config);
API cuCtxGetSharedMemConfig(CUsharedconfig *config);
API cuCtxSetSharedMemConfig(CUsharedconfig config);
API cuCtxGetApiVersion(CUcontext ctx, unsigned int *version);
API cuCtxGetStreamPriorityRange(int *least, int *greatest);
API cuCtxResetPersistingL2Cache(void);

/* ---- modules, libraries ---- */

API cuModuleLoad(CUmodule *module, const char *path);
API cuModuleLoadData(CUmodule *module, const void *image);
API cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n, CUjit_option *option,
		       void **value);
API cuModuleLoadFatBinary(CUmodule *module, const void *image);
API cuModuleUnload(CUmodule module);
API cuLinkCreate_v2(unsigned int n, CUjit_option *option, void **value, CUlinkState *state);
API cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size,
		     const char *name, unsigned int n, CUjit_option *option, void **value);
API cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int n,
		     CUjit_option *option, void **value);
API cuLinkComplete(CUlinkState state, void **image, size_t *bytes);
API cuLinkDestroy(CUlinkState state);
API cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);
API cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
API cuModuleGetFunctionCount(unsigned int *count, CUmodule module);
API cuModuleEnumerateFunctions(CUfunction *function, unsigned int n, CUmodule module);
API cuModuleGetGlobal_v2(CUdeviceptr *addr, size_t *bytes, CUmodule module, const char *name);
API cuModuleGetTexRef(CUtexref *texref, CUmodule module, const char *name);
API cuModuleGetSurfRef(CUsurfref *surfref, CUmodule module, const char *name);
API cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *option, void **value,
		      unsigned int n, CUlibraryOption *lib_option, void **lib_value,
		      unsigned int n_lib);
API cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *option, void **value,
			  unsigned int n, CUlibraryOption *lib_option, void **lib_value,
			  unsigned int n_lib);
API cuLibraryUnload(CUlibrary library);
API cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
API cuLibraryGetKernelCount(unsigned int *count, CUlibrary library);
API cuLibraryEnumerateKernels(CUkernel *kernel, unsigned int n, CUlibrary library);
API cuLibraryGetModule(CUmodule *module, CUlibrary library);
API cuLibraryGetGlobal(CUdeviceptr *addr, size_t *bytes, CUlibrary library, const char *name);
API cuKernelGetFunction(CUfunction *function, CUkernel kernel);
API cuKernelGetLibrary(CUlibrary *library, CUkernel kernel);
API cuKernelGetName(const char **name, CUkernel kernel);
API cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice dev);
API cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice dev);
API cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev);
API cuKernelGetParamInfo(CUkernel kernel, size_t i, size_t *offset, size_t *size);

/* ---- functions ---- */

API cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function);
API cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
API cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config);
API cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config);
API cuFuncGetModule(CUmodule *module, CUfunction function);
API cuFuncGetName(const char **name, CUfunction function);
API cuFuncGetParamInfo(CUfunction function, size_t i, size_t *offset, size_t *size);
API cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function);
API cuFuncLoad(CUfunction function);
API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size,
						size_t shared);
API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
							 int block_size, size_t shared,
							 unsigned int flags);
API cuOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size, CUfunction function,
				     CUoccupancyB2DSize shared_of, size_t shared, int limit);
API cuOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block_size, CUfunction function,
					      CUoccupancyB2DSize shared_of, size_t shared,
					      int limit, unsigned int flags);
API cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks,
					    int block_size);
API cuLaunchKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz,
		   unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared,
		   CUstream stream, void **params, void **extra);
API cuLaunchCooperativeKernel(CUfunction function, unsigned int gx, unsigned int gy,
			      unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz,
			      unsigned int shared, CUstream stream, void **params);
API cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params,
		     void **extra);
API cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *data);
API cuFuncSetBlockShape(CUfunction function, int x, int y, int z);
API cuFuncSetSharedSize(CUfunction function, unsigned int bytes);
API cuParamSetSize(CUfunction function, unsigned int bytes);
API cuParamSeti(CUfunction function, int offset, unsigned int value);
API cuParamSetf(CUfunction function, int offset, float value);
API cuParamSetv(CUfunction function, int offset, void *p, unsigned int bytes);
API cuParamSetTexRef(CUfunction function, int unit, CUtexref texref);
API cuLaunch(CUfunction function);
API cuLaunchGrid(CUfunction function, int width, int height);
API cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream);

/* ---- memory ---- */

API cuMemGetInfo_v2(size_t *available, size_t *total);
API cuMemAlloc_v2(CUdeviceptr *addr, size_t bytes);
API cuMemAllocPitch_v2(CUdeviceptr *addr, size_t *pitch, size_t width, size_t height,
		       unsigned int element);
API cuMemFree_v2(CUdeviceptr addr);
API cuMemAllocAsync(CUdeviceptr *addr, size_t bytes, CUstream stream);
API cuMemFreeAsync(CUdeviceptr addr, CUstream stream);
API cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr addr);
API cuMemAllocHost_v2(void **p, size_t bytes);
API cuMemHostAlloc(void **p, size_t bytes, unsigned int flags);
API cuMemFreeHost(void *p);
API cuMemHostGetDevicePointer_v2(CUdeviceptr *addr, void *p, unsigned int flags);
API cuMemHostGetFlags(unsigned int *flags, void *p);
API cuMemHostRegister_v2(void *p, size_t bytes, unsigned int flags);
API cuMemHostUnregister(void *p);
API cuMemAllocManaged(CUdeviceptr *addr, size_t bytes, unsigned int flags);
API cuMemPrefetchAsync(CUdeviceptr addr, size_t bytes, CUdevice dev, CUstream stream);
API cuMemPrefetchAsync_v2(CUdeviceptr addr, size_t bytes, CUmemLocation to, unsigned int flags,
			  CUstream stream);
API cuMemAdvise(CUdeviceptr addr, size_t bytes, CUmem_advise advice, CUdevice dev);
API cuMemAdvise_v2(CUdeviceptr addr, size_t bytes, CUmem_advise advice, CUmemLocation where);
API cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
				  CUmemAllocationGranularity_flags option);
API cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
		unsigned long long flags);
API cuMemRelease(CUmemGenericAllocationHandle handle);
API cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
					   CUmemGenericAllocationHandle handle);
API cuMemAddressReserve(CUdeviceptr *addr, size_t bytes, size_t align, CUdeviceptr wish,
			unsigned long long flags);
API cuMemAddressFree(CUdeviceptr addr, size_t bytes);
API cuMemMap(CUdeviceptr addr, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
	     unsigned long long flags);
API cuMemUnmap(CUdeviceptr addr, size_t bytes);
API cuMemSetAccess(CUdeviceptr addr, size_t bytes, const CUmemAccessDesc *desc, size_t n);
API cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr addr);
API cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr);
API cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr addr);
API cuPointerGetAttributes(unsigned int n, CUpointer_attribute *attribute, void **value,
			   CUdeviceptr addr);
API cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr addr);

/* ---- copies ---- */

API cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t n);
API cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream);
API cuMemcpyHtoD_v2(CUdeviceptr dst, const void *src, size_t n);
API cuMemcpyDtoH_v2(void *dst, CUdeviceptr src, size_t n);
API cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, size_t n);
API cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t n, CUstream stream);
API cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t n, CUstream stream);
API cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream);
API cuMemcpyDtoA_v2(CUarray dst, size_t at, CUdeviceptr src, size_t n);
API cuMemcpyAtoD_v2(CUdeviceptr dst, CUarray src, size_t at, size_t n);
API cuMemcpyHtoA_v2(CUarray dst, size_t at, const void *src, size_t n);
API cuMemcpyAtoH_v2(void *dst, CUarray src, size_t at, size_t n);
API cuMemcpyAtoA_v2(CUarray dst, size_t dst_at, CUarray src, size_t src_at, size_t n);
API cuMemcpyHtoAAsync_v2(CUarray dst, size_t at, const void *src, size_t n, CUstream stream);
API cuMemcpyAtoHAsync_v2(void *dst, CUarray src, size_t at, size_t n, CUstream stream);
API cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy);
API cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copy);
API cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream);
API cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy);
API cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream);
API cuMemsetD8_v2(CUdeviceptr dst, unsigned char value, size_t n);
API cuMemsetD16_v2(CUdeviceptr dst, unsigned short value, size_t n);
API cuMemsetD32_v2(CUdeviceptr dst, unsigned int value, size_t n);
API cuMemsetD2D8_v2(CUdeviceptr dst, size_t pitch, unsigned char value, size_t w, size_t h);
API cuMemsetD2D16_v2(CUdeviceptr dst, size_t pitch, unsigned short value, size_t w, size_t h);
API cuMemsetD2D32_v2(CUdeviceptr dst, size_t pitch, unsigned int value, size_t w, size_t h);
API cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t n, CUstream stream);
API cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t n, CUstream stream);
API cuMemsetD32Async(CUdeviceptr dst, unsigned int value, size_t n, CUstream stream);
API cuMemsetD2D8Async(CUdeviceptr dst, size_t pitch, unsigned char value, size_t w, size_t h,
		      CUstream stream);
API cuMemsetD2D16Async(CUdeviceptr dst, size_t pitch, unsigned short value, size_t w, size_t h,
		       CUstream stream);
API cuMemsetD2D32Async(CUdeviceptr dst, size_t pitch, unsigned int value, size_t w, size_t h,
		       CUstream stream);

/* ---- streams, events ---- */

API cuStreamCreate(CUstream *stream, unsigned int flags);
API cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority);
API cuStreamDestroy_v2(CUstream stream);
API cuStreamQuery(CUstream stream);
API cuStreamSynchronize(CUstream stream);
API cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
API cuStreamAddCallback(CUstream stream, CUstreamCallback fn, void *data, unsigned int flags);
API cuStreamAttachMemAsync(CUstream stream, CUdeviceptr addr, size_t bytes, unsigned int flags);
API cuStreamGetPriority(CUstream stream, int *priority);
API cuStreamGetFlags(CUstream stream, unsigned int *flags);
API cuStreamGetId(CUstream stream, unsigned long long *id);
API cuStreamGetCtx(CUstream stream, CUcontext *ctx);
API cuStreamGetDevice(CUstream stream, CUdevice *dev);
API cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status);
API cuEventCreate(CUevent *event, unsigned int flags);
API cuEventDestroy_v2(CUevent event);
API cuEventRecord(CUevent event, CUstream stream);
API cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags);
API cuEventQuery(CUevent event);
API cuEventSynchronize(CUevent event);
API cuEventElapsedTime(float *ms, CUevent start, CUevent end);
API cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end);

/* ---- arrays, textures ---- */

API cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc);
API cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array);
API cuArrayDestroy(CUarray array);
API cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc);
API cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array);
API cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource);
API cuSurfObjectDestroy(CUsurfObject surface);
API cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUsurfObject surface);
API cuSurfRefSetArray(CUsurfref surfref, CUarray array, unsigned int flags);
API cuSurfRefGetArray(CUarray *array, CUsurfref surfref);
API cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
		      const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *view);
API cuTexObjectDestroy(CUtexObject texture);
API cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUtexObject texture);
API cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *desc, CUtexObject texture);
API cuTexRefCreate(CUtexref *texref);
API cuTexRefDestroy(CUtexref texref);
API cuTexRefSetArray(CUtexref texref, CUarray array, unsigned int flags);
API cuTexRefSetAddress_v2(size_t *offset, CUtexref texref, CUdeviceptr addr, size_t bytes);
API cuTexRefSetAddress2D_v3(CUtexref texref, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr addr,
			    size_t pitch);
API cuTexRefSetFormat(CUtexref texref, CUarray_format format, int channels);
API cuTexRefSetAddressMode(CUtexref texref, int dim, CUaddress_mode mode);
API cuTexRefSetFilterMode(CUtexref texref, CUfilter_mode mode);
API cuTexRefSetFlags(CUtexref texref, unsigned int flags);
API cuTexRefSetMaxAnisotropy(CUtexref texref, unsigned int max);
API cuTexRefSetBorderColor(CUtexref texref, float *color);
API cuTexRefGetAddress_v2(CUdeviceptr *addr, CUtexref texref);
API cuTexRefGetArray(CUarray *array, CUtexref texref);
API cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref texref, int dim);
API cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref texref);
API cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref texref);
API cuTexRefGetFlags(unsigned int *flags, CUtexref texref);

#undef API

#ifdef __cplusplus
}
#endif

#endif
