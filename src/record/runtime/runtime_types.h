/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runtime_types.h - types and constants of the CUDA runtime API, as its public manual describes
 * them.
 *
 * CUDART_MAJOR (11, 12 or 13; 13 when it is not defined) chooses the layout where the versions
 * differ: struct cudaDeviceProp, cudaFuncAttributes, cudaPointerAttributes, cudaResourceDesc.
 * tests/record/runtime/layout.t compares with NVIDIA's header where that is installed. Only what
 * this folder implements is here.
 */
#ifndef RUNTIME_RUNTIME_TYPES_H
#define RUNTIME_RUNTIME_TYPES_H

#include "record/cuda/cuda_api.h"

#ifndef CUDART_MAJOR
#define CUDART_MAJOR 13
#endif
#if CUDART_MAJOR == 11
#define CUDART_VERSION 11080
#elif CUDART_MAJOR == 12
#define CUDART_VERSION 12090
#else
#define CUDART_VERSION 13000
#endif

typedef enum cudaError {
#define ERROR(name, number, text) name = number,
#include "record/runtime/errors.def"
#undef ERROR
} cudaError_t;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUlib_st *cudaLibrary_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);

typedef struct dim3 {
	unsigned int x, y, z;
#ifdef __cplusplus
	/* not explicit, so that a launch accepts a number as a grid or a block */
	constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
	    : x(x_), y(y_), z(z_)
	{
	}
#endif
} dim3;

#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)

/* ---- devices ---- */

/* The fields that all versions share; the others are in props.def. */
#define CUDART_PROP_HEAD             \
	char name[256];              \
	CUuuid uuid;                 \
	char luid[8];                \
	unsigned luidDeviceNodeMask; \
	size_t totalGlobalMem;

#define ALL(type, field, a) type field;
#define ALL2(type, field, a, b) type field[2];
#define ALL3(type, field, a, b, c) type field[3];
#define NEW13(type, field, a)

#define OLD(type, field, a) type field;
#define NEW(type, field, a)
struct cudaDeviceProp11 {
	CUDART_PROP_HEAD
#include "record/runtime/props.def"
};
#undef NEW
#define NEW(type, field, a) type field;
struct cudaDeviceProp12 {
	CUDART_PROP_HEAD
#include "record/runtime/props.def"
	int reserved[63];
};
#undef OLD
#undef NEW13
#define OLD(type, field, a)
#define NEW13(type, field, a) type field;
struct cudaDeviceProp13 {
	CUDART_PROP_HEAD
#include "record/runtime/props.def"
	int reserved[56];
};
#undef ALL
#undef ALL2
#undef ALL3
#undef OLD
#undef NEW
#undef NEW13

#if CUDART_MAJOR == 11
#define cudaDeviceProp cudaDeviceProp11
#elif CUDART_MAJOR == 12
#define cudaDeviceProp cudaDeviceProp12
#else
#define cudaDeviceProp cudaDeviceProp13
#endif

enum cudaFuncCache {
	cudaFuncCachePreferNone,
	cudaFuncCachePreferShared,
	cudaFuncCachePreferL1,
	cudaFuncCachePreferEqual
};

enum cudaSharedMemConfig {
	cudaSharedMemBankSizeDefault,
	cudaSharedMemBankSizeFourByte,
	cudaSharedMemBankSizeEightByte
};

enum cudaLimit {
	cudaLimitStackSize,
	cudaLimitPrintfFifoSize,
	cudaLimitMallocHeapSize,
	cudaLimitDevRuntimeSyncDepth,
	cudaLimitDevRuntimePendingLaunchCount,
	cudaLimitMaxL2FetchGranularity,
	cudaLimitPersistingL2CacheSize
};

#define cudaDeviceScheduleMask 0x07
#define cudaDeviceMapHost 0x08
#define cudaDeviceLmemResizeToMax 0x10

/* ---- memory ---- */

enum cudaMemcpyKind {
	cudaMemcpyHostToHost,
	cudaMemcpyHostToDevice,
	cudaMemcpyDeviceToHost,
	cudaMemcpyDeviceToDevice,
	cudaMemcpyDefault
};

enum cudaMemoryType {
	cudaMemoryTypeUnregistered,
	cudaMemoryTypeHost,
	cudaMemoryTypeDevice,
	cudaMemoryTypeManaged
};

#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2

struct cudaMemLocation {
	int type, id;
};

struct cudaPointerAttributes {
	enum cudaMemoryType type;
	int device;
	void *devicePointer, *hostPointer;
#if CUDART_MAJOR >= 13
	long reserved[8];
#endif
};

struct cudaPitchedPtr {
	void *ptr;
	size_t pitch, xsize, ysize;
};

struct cudaExtent {
	size_t width, height, depth;
};

struct cudaPos {
	size_t x, y, z;
};

struct cudaMemcpy3DParms {
	cudaArray_t srcArray;
	struct cudaPos srcPos;
	struct cudaPitchedPtr srcPtr;
	cudaArray_t dstArray;
	struct cudaPos dstPos;
	struct cudaPitchedPtr dstPtr;
	struct cudaExtent extent;
	enum cudaMemcpyKind kind;
};

enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };

/* ---- functions ---- */

struct cudaFuncAttributes {
	size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
	int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
	int maxDynamicSharedSizeBytes, preferredShmemCarveout;
#if CUDART_MAJOR >= 12
	int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
	int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
	int reserved[16];
#endif
};

enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
	cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

typedef struct cudaLaunchConfig_st {
	dim3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	CUlaunchAttribute *attrs;
	unsigned int numAttrs;
} cudaLaunchConfig_t;

/* ---- arrays, textures ---- */

enum cudaChannelFormatKind {
	cudaChannelFormatKindSigned,
	cudaChannelFormatKindUnsigned,
	cudaChannelFormatKindFloat,
	cudaChannelFormatKindNone
};

struct cudaChannelFormatDesc {
	int x, y, z, w;
	enum cudaChannelFormatKind f;
};

#define cudaArrayDefault 0
#define cudaArrayLayered 1
#define cudaArraySurfaceLoadStore 2
#define cudaArrayCubemap 4
#define cudaArrayTextureGather 8

enum cudaTextureAddressMode {
	cudaAddressModeWrap,
	cudaAddressModeClamp,
	cudaAddressModeMirror,
	cudaAddressModeBorder
};

enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };

enum cudaResourceType {
	cudaResourceTypeArray,
	cudaResourceTypeMipmappedArray,
	cudaResourceTypeLinear,
	cudaResourceTypePitch2D
};

struct cudaResourceDesc {
	enum cudaResourceType resType;
	union {
		struct {
			cudaArray_t array;
		} array;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t width, height, pitchInBytes;
		} pitch2D;
#if CUDART_MAJOR >= 13
		struct {
			int reserved[32];
		} reserved;
#endif
	} res;
#if CUDART_MAJOR >= 13
	unsigned int flags;
#endif
};

/* The fields that CUDA 12 added at the end are not read. */
struct cudaTextureDesc {
	enum cudaTextureAddressMode addressMode[3];
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureReadMode readMode;
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy;
	enum cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	int disableTrilinearOptimization;
#if CUDART_MAJOR >= 12
	int seamlessCubemap;
#endif
};

struct cudaResourceViewDesc;

/* CUDA 11 and before. */
struct textureReference {
	int normalized;
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureAddressMode addressMode[3];
	struct cudaChannelFormatDesc channelDesc;
	int sRGB;
	unsigned int maxAnisotropy;
	enum cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	int disableTrilinearOptimization;
	int reserved[14];
};

struct surfaceReference {
	struct cudaChannelFormatDesc channelDesc;
};

/* ---- streams ---- */

#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2

enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
enum cudaStreamCaptureMode {
	cudaStreamCaptureModeGlobal,
	cudaStreamCaptureModeThreadLocal,
	cudaStreamCaptureModeRelaxed
};

/* ---- graphs ---- */

typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;

enum cudaGraphNodeType {
	cudaGraphNodeTypeKernel,
	cudaGraphNodeTypeMemcpy,
	cudaGraphNodeTypeMemset,
	cudaGraphNodeTypeHost,
	cudaGraphNodeTypeGraph,
	cudaGraphNodeTypeEmpty,
	cudaGraphNodeTypeMemAlloc = 10,
	cudaGraphNodeTypeMemFree
};

struct cudaKernelNodeParams {
	void *func;
	dim3 gridDim, blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams, **extra;
};

struct cudaMemsetParams {
	void *dst;
	size_t pitch;
	unsigned int value, elementSize;
	size_t width, height;
};

struct cudaHostNodeParams {
	cudaHostFn_t fn;
	void *userData;
};

struct cudaMemPoolProps {
	int allocType, handleTypes;
	struct cudaMemLocation location;
	void *win32SecurityAttributes;
	unsigned char reserved[64];
};

struct cudaMemAllocNodeParams {
	struct cudaMemPoolProps poolProps;
	const void *accessDescs;
	size_t accessDescCount, bytesize;
	void *dptr;
};

/* CUDA 12 and later. */
typedef struct cudaGraphExecUpdateResultInfo_st {
	int result; /* 0: done */
	cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

#endif
