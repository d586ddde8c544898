/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * abi.c - prints sizes, offsets of members and constants of the driver API, for abi.t: once with
 * our header and once with NVIDIA's (-DNVIDIA_HEADER).
 */
#ifdef NVIDIA_HEADER
#include <cuda.h>
#else
#include "record/cuda/cuda_api.h"
#endif
#include <stddef.h>
#include <stdio.h>

#define SIZE(type) printf("sizeof " #type " %zu\n", sizeof(type))
#define AT(type, member) printf(#type "." #member " %zu\n", offsetof(type, member))
#define NUMBER(name) printf(#name " %lld\n", (long long)(name))

int
main(void)
{
#define ERROR(name, number, text) NUMBER(name);
#include "record/cuda/errors.def"
#undef ERROR
#define ATTR(name, number, value) NUMBER(CU_DEVICE_ATTRIBUTE_##name);
#include "record/cuda/attributes.def"
#undef ATTR
	SIZE(CUdeviceptr);
	SIZE(CUtexObject);
	SIZE(CUuuid);
	SIZE(CUdevprop);
	AT(CUdevprop, sharedMemPerBlock);
	AT(CUdevprop, textureAlign);
	SIZE(CUlaunchConfig);
	AT(CUlaunchConfig, sharedMemBytes);
	AT(CUlaunchConfig, hStream);
	AT(CUlaunchConfig, attrs);
	AT(CUlaunchConfig, numAttrs);
	SIZE(CUlaunchAttribute);
	AT(CUlaunchAttribute, id);
	AT(CUlaunchAttribute, value);
	SIZE(CUDA_MEMCPY2D);
	AT(CUDA_MEMCPY2D, srcArray);
	AT(CUDA_MEMCPY2D, dstMemoryType);
	AT(CUDA_MEMCPY2D, WidthInBytes);
	SIZE(CUDA_MEMCPY3D);
	AT(CUDA_MEMCPY3D, srcMemoryType);
	AT(CUDA_MEMCPY3D, srcPitch);
	AT(CUDA_MEMCPY3D, dstLOD);
	AT(CUDA_MEMCPY3D, dstArray);
	AT(CUDA_MEMCPY3D, Depth);
	SIZE(CUDA_ARRAY_DESCRIPTOR);
	AT(CUDA_ARRAY_DESCRIPTOR, NumChannels);
	SIZE(CUDA_ARRAY3D_DESCRIPTOR);
	AT(CUDA_ARRAY3D_DESCRIPTOR, Flags);
	SIZE(CUDA_RESOURCE_DESC);
	AT(CUDA_RESOURCE_DESC, res.linear.sizeInBytes);
	AT(CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes);
	AT(CUDA_RESOURCE_DESC, flags);
	SIZE(CUDA_TEXTURE_DESC);
	AT(CUDA_TEXTURE_DESC, filterMode);
	AT(CUDA_TEXTURE_DESC, flags);
	AT(CUDA_TEXTURE_DESC, borderColor);
	SIZE(CUDA_RESOURCE_VIEW_DESC);
	AT(CUDA_RESOURCE_VIEW_DESC, width);
	SIZE(CUmemAllocationProp);
	AT(CUmemAllocationProp, location);
	AT(CUmemAllocationProp, allocFlags);
	SIZE(CUmemAccessDesc);
	AT(CUmemAccessDesc, flags);
	NUMBER(CU_MEM_LOCATION_TYPE_DEVICE);
	NUMBER(CU_MEM_ALLOCATION_TYPE_PINNED);
	NUMBER(CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
	NUMBER(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	NUMBER(CU_CTX_MAP_HOST);
	NUMBER(CU_CTX_FLAGS_MASK);
	NUMBER(CU_LIMIT_PERSISTING_L2_CACHE_SIZE);
	NUMBER(CU_FUNC_CACHE_PREFER_EQUAL);
	NUMBER(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
	NUMBER(CU_JIT_CACHE_MODE);
	NUMBER(CU_JIT_INPUT_NVVM);
	NUMBER(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
	NUMBER(CU_MEMORYTYPE_UNIFIED);
	NUMBER(CU_MEM_ATTACH_SINGLE);
	NUMBER(CU_POINTER_ATTRIBUTE_MAPPED);
	NUMBER(CU_AD_FORMAT_SIGNED_INT32);
	NUMBER(CU_AD_FORMAT_FLOAT);
	NUMBER(CU_TR_ADDRESS_MODE_BORDER);
	NUMBER(CU_TRSF_NORMALIZED_COORDINATES);
	NUMBER(CU_RESOURCE_TYPE_PITCH2D);
	NUMBER(CU_MODULE_LAZY_LOADING);
	NUMBER(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
	NUMBER((size_t)CU_LAUNCH_PARAM_BUFFER_SIZE);
	NUMBER((size_t)CU_STREAM_PER_THREAD);
	return 0;
}
