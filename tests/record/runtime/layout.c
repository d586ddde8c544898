/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.c - prints sizes, offsets and constants of the runtime API. layout.t compiles it with our
 * header and, with NVIDIA_HEADER, with NVIDIA's of the same version: the output must be equal.
 * ERRORS is a file with the rows of errors.def that NVIDIA's version has, a list that grows from
 * version to version.
 */
#ifdef NVIDIA_HEADER
#include <cuda_runtime_api.h>
#else
#include "record/runtime/runtime_api.h"
#endif

#include <stddef.h>
#include <stdio.h>

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
#define PLACE(type, field) printf("%s.%s %zu\n", #type, #field, offsetof(type, field))
#define NUMBER(name) printf("%s %lld\n", #name, (long long)(name))

int
main(void)
{
	SIZE(struct cudaDeviceProp);
#define ROW(type, field, ...) PLACE(struct cudaDeviceProp, field);
#define ALL ROW
#define ALL2 ROW
#define ALL3 ROW
#define NONE(type, field, a)
#if CUDART_VERSION >= 13000
#define OLD NONE
#define NEW ROW
#define NEW13 ROW
#elif CUDART_VERSION >= 12000
#define OLD ROW
#define NEW ROW
#define NEW13 NONE
#else
#define OLD ROW
#define NEW NONE
#define NEW13 NONE
#endif
#include "record/runtime/props.def"
	PLACE(struct cudaDeviceProp, uuid);
	PLACE(struct cudaDeviceProp, luidDeviceNodeMask);
	PLACE(struct cudaDeviceProp, totalGlobalMem);
	SIZE(struct cudaFuncAttributes);
	PLACE(struct cudaFuncAttributes, localSizeBytes);
	PLACE(struct cudaFuncAttributes, cacheModeCA);
	PLACE(struct cudaFuncAttributes, preferredShmemCarveout);
	SIZE(struct cudaPointerAttributes);
	PLACE(struct cudaPointerAttributes, hostPointer);
	SIZE(struct cudaResourceDesc);
	PLACE(struct cudaResourceDesc, res.linear.sizeInBytes);
	PLACE(struct cudaResourceDesc, res.pitch2D.pitchInBytes);
	SIZE(struct cudaTextureDesc);
	PLACE(struct cudaTextureDesc, borderColor);
	PLACE(struct cudaTextureDesc, normalizedCoords);
	PLACE(struct cudaTextureDesc, disableTrilinearOptimization);
	SIZE(struct cudaMemcpy3DParms);
	PLACE(struct cudaMemcpy3DParms, dstPos);
	PLACE(struct cudaMemcpy3DParms, extent);
	PLACE(struct cudaMemcpy3DParms, kind);
	SIZE(cudaLaunchConfig_t);
	PLACE(cudaLaunchConfig_t, stream);
	PLACE(cudaLaunchConfig_t, numAttrs);
	SIZE(struct cudaKernelNodeParams);
	PLACE(struct cudaKernelNodeParams, kernelParams);
	SIZE(struct cudaMemsetParams);
	PLACE(struct cudaMemsetParams, width);
	SIZE(struct cudaHostNodeParams);
	SIZE(struct cudaMemAllocNodeParams);
	PLACE(struct cudaMemAllocNodeParams, poolProps.location);
	PLACE(struct cudaMemAllocNodeParams, bytesize);
	PLACE(struct cudaMemAllocNodeParams, dptr);
#if CUDART_VERSION >= 12000
	SIZE(cudaGraphExecUpdateResultInfo);
#else
	SIZE(struct textureReference);
	PLACE(struct textureReference, addressMode);
	PLACE(struct textureReference, channelDesc);
	PLACE(struct textureReference, maxMipmapLevelClamp);
	SIZE(struct surfaceReference);
#endif
	SIZE(struct cudaPitchedPtr);
	SIZE(struct cudaChannelFormatDesc);
	SIZE(struct cudaMemLocation);
	SIZE(dim3);
#define ERROR(name, number, text) NUMBER(name);
#include ERRORS
	NUMBER(cudaLimitPersistingL2CacheSize);
	NUMBER(cudaFuncCachePreferEqual);
	NUMBER(cudaSharedMemBankSizeEightByte);
	NUMBER(cudaMemcpyDefault);
	NUMBER(cudaMemoryTypeManaged);
	NUMBER(cudaMemPoolAttrReleaseThreshold);
	NUMBER(cudaFuncAttributeMaxDynamicSharedMemorySize);
	NUMBER(cudaFuncAttributePreferredSharedMemoryCarveout);
	NUMBER(cudaChannelFormatKindNone);
	NUMBER(cudaArrayTextureGather);
	NUMBER(cudaAddressModeBorder);
	NUMBER(cudaFilterModeLinear);
	NUMBER(cudaReadModeNormalizedFloat);
	NUMBER(cudaResourceTypePitch2D);
	NUMBER(cudaStreamCaptureStatusActive);
	NUMBER(cudaStreamCaptureModeRelaxed);
	NUMBER(cudaGraphNodeTypeEmpty);
	NUMBER(cudaGraphNodeTypeMemAlloc);
	NUMBER(cudaGraphNodeTypeMemFree);
	NUMBER(cudaStreamNonBlocking);
	NUMBER(cudaEventDisableTiming);
	NUMBER(cudaHostAllocWriteCombined);
	NUMBER(cudaMemAttachHost);
	NUMBER(cudaInvalidDeviceId);
	NUMBER(cudaDeviceLmemResizeToMax);
	return 0;
}
