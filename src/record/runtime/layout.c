/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.c - checks at compile time that the structs of programs have the sizes and layouts of
 * NVIDIA's headers 11.8, 12.9 and 13.0.
 */
#include "record/runtime/runtime.h"

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)
#define PLACE(type, field, at) _Static_assert(offsetof(type, field) == (at), #type "." #field)

SIZE(struct cudaDeviceProp11, 728);
PLACE(struct cudaDeviceProp11, multiProcessorCount, 388);
PLACE(struct cudaDeviceProp11, reservedSharedMemPerBlock, 720);
SIZE(struct cudaDeviceProp12, 1032);
PLACE(struct cudaDeviceProp12, unifiedFunctionPointers, 776);
SIZE(struct cudaDeviceProp13, 1008);
PLACE(struct cudaDeviceProp13, multiProcessorCount, 384);
PLACE(struct cudaDeviceProp13, unifiedFunctionPointers, 752);
PLACE(struct cudaDeviceProp13, hostNumaMultinodeIpcSupported, 780);

SIZE(struct cudaFuncAttributes, CUDART_MAJOR == 11 ? 56 : 144);
PLACE(struct cudaFuncAttributes, preferredShmemCarveout, 48);
SIZE(struct cudaPointerAttributes, CUDART_MAJOR >= 13 ? 88 : 24);
SIZE(struct cudaResourceDesc, CUDART_MAJOR >= 13 ? 144 : 64);
PLACE(struct cudaResourceDesc, res.pitch2D.pitchInBytes, 56);
SIZE(struct cudaTextureDesc, CUDART_MAJOR == 11 ? 68 : 72);
SIZE(struct textureReference, 124);
PLACE(struct textureReference, channelDesc, 20);
SIZE(struct surfaceReference, 20);
SIZE(struct cudaMemcpy3DParms, 160);
SIZE(struct cudaChannelFormatDesc, 20);
SIZE(struct cudaLaunchConfig_st, 56);
PLACE(struct cudaLaunchConfig_st, attrs, 40);
