/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runtime_api.h - the CUDA runtime API as this folder implements it: our own prototypes, after the
 * public manual. A program that includes this header instead of NVIDIA's cuda_runtime_api.h and is
 * linked with libcudart.so.13 runs under `ctascope record`, or on a GPU with NVIDIA's library;
 * CUDART_MAJOR (runtime_types.h) is 11 or 12 for the older ones. The templates of C++ are not here.
 *
 * The functions that begin with two underscores are called by the code that nvcc and clang make of
 * <<< >>> and of variables of the device.
 */
#ifndef RUNTIME_RUNTIME_API_H
#define RUNTIME_RUNTIME_API_H

#include "record/runtime/runtime_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define API cudaError_t

/* ---- errors ---- */

API cudaGetLastError(void);
API cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* ---- devices ---- */

API cudaGetDeviceCount(int *count);
API cudaGetDevice(int *device);
API cudaSetDevice(int device);
API cudaInitDevice(int device, unsigned int flags, unsigned int all);
API cudaChooseDevice(int *device, const struct cudaDeviceProp *like);
API cudaSetValidDevices(int *device, int n);
API cudaSetDeviceFlags(unsigned int flags);
API cudaGetDeviceFlags(unsigned int *flags);
API cudaDeviceReset(void);
API cudaDeviceSynchronize(void);
API cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
API cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
API cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
API cudaDeviceSetCacheConfig(enum cudaFuncCache config);
API cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
API cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
API cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
API cudaCtxResetPersistingL2Cache(void);
API cudaDeviceGetPCIBusId(char *id, int len, int device);
API cudaDeviceGetByPCIBusId(int *device, const char *id);
API cudaDeviceCanAccessPeer(int *can, int device, int peer);
API cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
API cudaDeviceDisablePeerAccess(int peer);
API cudaDriverGetVersion(int *version);
API cudaRuntimeGetVersion(int *version);
#if CUDART_MAJOR == 11
API cudaGetDriverEntryPoint(const char *symbol, void **fn, unsigned long long flags);
#else
API cudaGetDriverEntryPoint(const char *symbol, void **fn, unsigned long long flags, int *status);
API cudaGetDriverEntryPointByVersion(const char *symbol, void **fn, unsigned int version,
				     unsigned long long flags, int *status);
#endif
API cudaProfilerStart(void);
API cudaProfilerStop(void);
#if CUDART_MAJOR == 12
API cudaGetDeviceProperties(struct cudaDeviceProp11 *p, int device);
API cudaGetDeviceProperties_v2(struct cudaDeviceProp12 *p, int device);
#else
API cudaGetDeviceProperties(struct cudaDeviceProp *p, int device);
#endif
API cudaDeviceGetAttribute(int *value, int attribute, int device);

/* ---- registration, as nvcc writes it ---- */

void **__cudaRegisterFatBinary(void *image);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
			    int threads, void *tid, void *bid, dim3 *block, dim3 *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
		       size_t size, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
			      size_t size, int constant, int global);
void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device,
			   const char *name, int dim, int normalized, int ext);
void __cudaRegisterSurface(void **handle, const struct surfaceReference *host, const void **device,
			   const char *name, int dim, int ext);
void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size);
char __cudaInitModule(void **handle);
API __cudaGetKernel(cudaKernel_t *out, const void *host);
API cudaGetKernel(cudaKernel_t *out, const void *host);
API cudaGetFuncBySymbol(cudaFunction_t *out, const void *host);

/* ---- launches and kernels ---- */

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
				     struct CUstream_st *stream);
API __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
API cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
		     cudaStream_t stream);
API __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
		       cudaStream_t stream);
API cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args);
API cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
				cudaStream_t stream);
API cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *data);
API cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *func);
API cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attribute, int value);
API cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config);
API cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config);
API cudaFuncGetName(const char **name, const void *func);
API cudaFuncGetParamInfo(const void *func, size_t i, size_t *offset, size_t *size);
API cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute,
				    int value, int device);
API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func,
							   int block_size, size_t shared,
							   unsigned int flags);
API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int block_size,
						  size_t shared);
API cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func, int blocks,
					      int block_size);

/* ---- memory ---- */

API cudaMalloc(void **p, size_t bytes);
API cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
API cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent);
API cudaFree(void *p);
API cudaMallocManaged(void **p, size_t bytes, unsigned int flags);
API cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream);
API cudaFreeAsync(void *p, cudaStream_t stream);
API cudaMemGetInfo(size_t *available, size_t *total);
API cudaHostAlloc(void **p, size_t bytes, unsigned int flags);
API cudaMallocHost(void **p, size_t bytes);
API cudaFreeHost(void *p);
API cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
API cudaHostGetFlags(unsigned int *flags, void *host);
API cudaHostRegister(void *p, size_t bytes, unsigned int flags);
API cudaHostUnregister(void *p);
API cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *p);
#if CUDART_MAJOR >= 13
API cudaMemPrefetchAsync(const void *p, size_t bytes, struct cudaMemLocation to, unsigned int flags,
			 cudaStream_t stream);
API cudaMemAdvise(const void *p, size_t bytes, int advice, struct cudaMemLocation where);
#else
API cudaMemPrefetchAsync(const void *p, size_t bytes, int device, cudaStream_t stream);
API cudaMemPrefetchAsync_v2(const void *p, size_t bytes, struct cudaMemLocation to,
			    unsigned int flags, cudaStream_t stream);
API cudaMemAdvise(const void *p, size_t bytes, int advice, int device);
API cudaMemAdvise_v2(const void *p, size_t bytes, int advice, struct cudaMemLocation where);
#endif
API cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
API cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
API cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
API cudaMemPoolCreate(cudaMemPool_t *pool, const void *props);
API cudaMemPoolDestroy(cudaMemPool_t pool);
API cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
API cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void *value);
API cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void *value);
API cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);

/* ---- copies ---- */

API cudaMemcpy(void *dst, const void *src, size_t n, enum cudaMemcpyKind kind);
API cudaMemcpyAsync(void *dst, const void *src, size_t n, enum cudaMemcpyKind kind,
		    cudaStream_t stream);
API cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t n,
			cudaStream_t stream);
API cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t n);
API cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
		      size_t height, enum cudaMemcpyKind kind, cudaStream_t stream);
API cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
		 size_t height, enum cudaMemcpyKind kind);
API cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch,
			     size_t width, size_t height, enum cudaMemcpyKind kind,
			     cudaStream_t stream);
API cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch,
			size_t width, size_t height, enum cudaMemcpyKind kind);
API cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y,
			       size_t width, size_t height, enum cudaMemcpyKind kind,
			       cudaStream_t stream);
API cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y,
			  size_t width, size_t height, enum cudaMemcpyKind kind);
API cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src,
			     size_t sx, size_t sy, size_t width, size_t height,
			     enum cudaMemcpyKind kind);
API cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream);
API cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
API cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t n,
		      enum cudaMemcpyKind kind);
API cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t n,
			enum cudaMemcpyKind kind);
API cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t n,
			   enum cudaMemcpyKind kind, cudaStream_t stream);
API cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t n,
			     enum cudaMemcpyKind kind, cudaStream_t stream);

/* ---- variables and fills ---- */

API cudaGetSymbolAddress(void **p, const void *symbol);
API cudaGetSymbolSize(size_t *size, const void *symbol);
API cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t n, size_t offset,
			    enum cudaMemcpyKind kind, cudaStream_t stream);
API cudaMemcpyToSymbol(const void *symbol, const void *src, size_t n, size_t offset,
		       enum cudaMemcpyKind kind);
API cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t n, size_t offset,
			      enum cudaMemcpyKind kind, cudaStream_t stream);
API cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t n, size_t offset,
			 enum cudaMemcpyKind kind);
API cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t stream);
API cudaMemset(void *p, int value, size_t n);
API cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height,
		      cudaStream_t stream);
API cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
API cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent n, cudaStream_t stream);
API cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent n);

/* ---- streams and events ---- */

API cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
API cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
API cudaStreamCreate(cudaStream_t *stream);
API cudaStreamDestroy(cudaStream_t stream);
API cudaStreamQuery(cudaStream_t stream);
API cudaStreamSynchronize(cudaStream_t stream);
API cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
API cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t fn, void *data,
			  unsigned int flags);
API cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t bytes, unsigned int flags);
API cudaStreamGetPriority(cudaStream_t stream, int *priority);
API cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
API cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
API cudaStreamGetDevice(cudaStream_t stream, int *device);
API cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
API cudaEventCreate(cudaEvent_t *event);
API cudaEventDestroy(cudaEvent_t event);
API cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
API cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags);
API cudaEventQuery(cudaEvent_t event);
API cudaEventSynchronize(cudaEvent_t event);
API cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

/* ---- arrays ---- */

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
						   enum cudaChannelFormatKind f);
API cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
		      struct cudaExtent extent, unsigned int flags);
API cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
		    size_t height, unsigned int flags);
API cudaFreeArray(cudaArray_t array);
API cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
		     unsigned int *flags, cudaArray_t array);
API cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);

/* ---- textures and surfaces ---- */

API cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *r,
			    const struct cudaTextureDesc *t,
			    const struct cudaResourceViewDesc *view);
API cudaDestroyTextureObject(cudaTextureObject_t texture);
API cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out, cudaTextureObject_t texture);
API cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *r);
API cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
API cudaBindTexture(size_t *offset, const struct textureReference *ref, const void *p,
		    const struct cudaChannelFormatDesc *desc, size_t bytes);
API cudaBindTexture2D(size_t *offset, const struct textureReference *ref, const void *p,
		      const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
		      size_t pitch);
API cudaBindTextureToArray(const struct textureReference *ref, cudaArray_const_t array,
			   const struct cudaChannelFormatDesc *desc);
API cudaUnbindTexture(const struct textureReference *ref);
API cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *ref);
API cudaGetTextureReference(const struct textureReference **ref, const void *symbol);
API cudaBindSurfaceToArray(const struct surfaceReference *ref, cudaArray_const_t array,
			   const struct cudaChannelFormatDesc *desc);
API cudaGetSurfaceReference(const struct surfaceReference **ref, const void *symbol);

/* ---- libraries ---- */

API cudaLibraryLoadData(cudaLibrary_t *library, const void *code, void *option, void **value,
			unsigned int n, void *lib_option, void **lib_value, unsigned int n_lib);
API cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, void *option, void **value,
			    unsigned int n, void *lib_option, void **lib_value, unsigned int n_lib);
API cudaLibraryUnload(cudaLibrary_t library);
API cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name);
API cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library);
API cudaLibraryEnumerateKernels(cudaKernel_t *kernel, unsigned int n, cudaLibrary_t library);
API cudaLibraryGetGlobal(void **p, size_t *bytes, cudaLibrary_t library, const char *name);

/* ---- graphs ---- */

API cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
API cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
API cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
API cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
			     unsigned long long *id);
API cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
API cudaGraphCreate(cudaGraph_t *out, unsigned int flags);
API cudaGraphDestroy(cudaGraph_t g);
API cudaGraphClone(cudaGraph_t *out, cudaGraph_t g);
API cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n);
API cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
API cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			   size_t n, const struct cudaKernelNodeParams *p);
API cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			   size_t n, const struct cudaMemcpy3DParms *p);
API cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			     size_t n, void *to, const void *from, size_t bytes,
			     enum cudaMemcpyKind kind);
API cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			   size_t n, const struct cudaMemsetParams *p);
API cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			 size_t n, const struct cudaHostNodeParams *p);
API cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			       size_t n, cudaGraph_t child);
API cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			  size_t n);
API cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			     size_t n, struct cudaMemAllocNodeParams *p);
API cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *p);
API cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
			    size_t n, void *p);
API cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *p);
API cudaDeviceGraphMemTrim(int device);
API cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p);
API cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t g, unsigned long long flags);
API cudaGraphExecDestroy(cudaGraphExec_t x);
API cudaGraphUpload(cudaGraphExec_t x, cudaStream_t stream);
API cudaGraphLaunch(cudaGraphExec_t x, cudaStream_t stream);
API cudaGraphExecKernelNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t node,
				     const struct cudaKernelNodeParams *p);
#if CUDART_MAJOR == 11
API cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t g, cudaGraphNode_t *bad, char *log,
			 size_t bytes);
API cudaGraphExecUpdate(cudaGraphExec_t x, cudaGraph_t g, cudaGraphNode_t *bad, int *result);
#else
API cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t g, unsigned long long flags);
API cudaGraphExecUpdate(cudaGraphExec_t x, cudaGraph_t g, cudaGraphExecUpdateResultInfo *info);
#endif
#if CUDART_MAJOR >= 13
API cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
			     const void *edge, size_t n);
#else
API cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
			     size_t n);
#endif

#undef API

#ifdef __cplusplus
}
#endif

#endif
