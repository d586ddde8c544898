/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * launch.c - launches kernels, and returns and sets their attributes. A launch returns when the
 * kernel has ended, with the kernel's error, as on a GPU with CUDA_LAUNCH_BLOCKING=1.
 */
#include "record/runtime/graph.h"

#include <string.h>

#define ATTRIBUTE_COOPERATIVE 2
#define NESTED 32

/* The configurations of <<< >>>, for the stubs that are called next. They nest, as computing the
 * arguments of a launch may launch kernels. */
static _Thread_local struct {
	struct {
		dim3 grid, block;
		size_t shared;
		cudaStream_t stream;
	} at[NESTED];
	unsigned n;
} configured;

__attribute__((visibility("default"))) unsigned
__cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
	if (configured.n == NESTED)
		return cudaErrorMissingConfiguration;
	configured.at[configured.n].grid = grid;
	configured.at[configured.n].block = block;
	configured.at[configured.n].shared = shared;
	configured.at[configured.n++].stream = stream;
	return 0;
}

EXPORT
__cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	if (!configured.n)
		return runtime_done(cudaErrorMissingConfiguration);
	configured.n--;
	*grid = configured.at[configured.n].grid;
	*block = configured.at[configured.n].block;
	*shared = configured.at[configured.n].shared;
	memcpy(stream, &configured.at[configured.n].stream, sizeof(cudaStream_t));
	return cudaSuccess;
}

/* Can a device run this shape? If not, the runtime API returns a different result than the driver.
 */
static bool
is_valid_shape(dim3 grid, dim3 block)
{
	return grid.x && grid.y && grid.z && grid.x <= 2147483647 && grid.y <= 65535 &&
	       grid.z <= 65535 && block.x && block.y && block.z && block.x <= 1024 &&
	       block.y <= 1024 && block.z <= 64 && (uint64_t)block.x * block.y * block.z <= 1024;
}

static cudaError_t
launch_kernel(const void *key, const CUlaunchConfig *c, void **args)
{
	dim3 grid = {c->gridDimX, c->gridDimY, c->gridDimZ};
	dim3 block = {c->blockDimX, c->blockDimY, c->blockDimZ};
	cudaGraph_t into = capture_of(c->hStream);
	CUfunction f;
	CUresult r;

	TRY(runtime_ready());
	if (into) {
		struct cudaKernelNodeParams p = {(void *)(uintptr_t)key, grid, block,
						 c->sharedMemBytes,	 args, NULL};

		return graph_add_kernel(into, &p, NULL, 0, NULL);
	}
	TRY(register_function(key, &f));
	r = cuLaunchKernelEx(c, f, args, NULL);
	if (r == CUDA_ERROR_INVALID_VALUE && !is_valid_shape(grid, block))
		return runtime_done(cudaErrorInvalidConfiguration);
	return runtime_done((cudaError_t)r);
}

static CUlaunchConfig
make_config(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
	return (CUlaunchConfig){.gridDimX = grid.x,
				.gridDimY = grid.y,
				.gridDimZ = grid.z,
				.blockDimX = block.x,
				.blockDimY = block.y,
				.blockDimZ = block.z,
				.sharedMemBytes = (unsigned)MIN(shared, UINT32_MAX),
				.hStream = stream};
}

EXPORT
cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
		 cudaStream_t stream)
{
	CUlaunchConfig c = make_config(grid, block, shared, stream);

	return launch_kernel(func, &c, args);
}

ALIAS(cudaLaunchKernel, cudaLaunchKernel_ptsz);

EXPORT
__cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
		   cudaStream_t stream)
{
	return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}

ALIAS(__cudaLaunchKernel, __cudaLaunchKernel_ptsz);

EXPORT
cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
	CUlaunchConfig c;

	if (!config)
		return runtime_done(cudaErrorInvalidValue);
	c = make_config(config->gridDim, config->blockDim, config->dynamicSmemBytes,
			config->stream);
	c.attrs = config->attrs;
	c.numAttrs = config->numAttrs;
	return launch_kernel(func, &c, args);
}

ALIAS(cudaLaunchKernelExC, cudaLaunchKernelExC_ptsz);

EXPORT
cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
			    cudaStream_t stream)
{
	CUlaunchConfig c = make_config(grid, block, shared, stream);
	CUlaunchAttribute together = {.id = ATTRIBUTE_COOPERATIVE};
	int yes = 1;

	memcpy(&together.value, &yes, sizeof(yes));
	c.attrs = &together;
	c.numAttrs = 1;
	return launch_kernel(func, &c, args);
}

ALIAS(cudaLaunchCooperativeKernel, cudaLaunchCooperativeKernel_ptsz);

EXPORT
cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *data)
{
	struct cudaHostNodeParams p = {fn, data};
	cudaGraph_t into = capture_of(stream);

	if (into)
		return cudaGraphAddHostNode(NULL, into, NULL, 0, &p);
	FORWARD(cuLaunchHostFunc(stream, fn, data));
}

ALIAS(cudaLaunchHostFunc, cudaLaunchHostFunc_ptsz);

/* ---- attributes ---- */

EXPORT
cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *func)
{
	static const CUfunction_attribute bytes[] = {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
						     CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
						     CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES};
	static const CUfunction_attribute numbers[] = {
		CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
		CU_FUNC_ATTRIBUTE_NUM_REGS,
		CU_FUNC_ATTRIBUTE_PTX_VERSION,
		CU_FUNC_ATTRIBUTE_BINARY_VERSION,
		CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
		CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
		CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT};
	size_t *size[ARRAY_LEN(bytes)];
	int *number[ARRAY_LEN(numbers)], v;
	CUfunction f;

	if (!out)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	TRY(register_function(func, &f));
	memset(out, 0, sizeof(*out));
	size[0] = &out->sharedSizeBytes;
	size[1] = &out->constSizeBytes;
	size[2] = &out->localSizeBytes;
	number[0] = &out->maxThreadsPerBlock;
	number[1] = &out->numRegs;
	number[2] = &out->ptxVersion;
	number[3] = &out->binaryVersion;
	number[4] = &out->cacheModeCA;
	number[5] = &out->maxDynamicSharedSizeBytes;
	number[6] = &out->preferredShmemCarveout;
	for (size_t i = 0; i < ARRAY_LEN(bytes); i++) {
		TRY(cuFuncGetAttribute(&v, bytes[i], f));
		*size[i] = (size_t)v;
	}
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		TRY(cuFuncGetAttribute(number[i], numbers[i], f));
	return cudaSuccess;
}

/* Calls the driver with f, the function of kernel func. */
#define WITH_FUNCTION(call)                               \
	do {                                              \
		CUfunction f;                             \
		TRY(runtime_ready());                     \
		TRY(register_function(func, &f));         \
		return runtime_done((cudaError_t)(call)); \
	} while (0)

EXPORT
cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attribute, int value)
{
	WITH_FUNCTION(cuFuncSetAttribute(f, (CUfunction_attribute)attribute, value));
}

EXPORT
cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
	WITH_FUNCTION(cuFuncSetCacheConfig(f, (CUfunc_cache)config));
}

EXPORT
cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
	WITH_FUNCTION(cuFuncSetSharedMemConfig(f, (CUsharedconfig)config));
}

EXPORT
cudaFuncGetName(const char **name, const void *func)
{
	WITH_FUNCTION(cuFuncGetName(name, f));
}

EXPORT
cudaFuncGetParamInfo(const void *func, size_t i, size_t *offset, size_t *size)
{
	WITH_FUNCTION(cuFuncGetParamInfo(f, i, offset, size));
}

EXPORT
cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value,
				int device)
{
	return device ? runtime_done(cudaErrorInvalidDevice)
		      : cudaFuncSetAttribute(kernel, attribute, value);
}

/* ---- occupancy ---- */

EXPORT
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func,
						       int block_size, size_t shared,
						       unsigned int flags)
{
	WITH_FUNCTION(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, block_size,
									   shared, flags));
}

EXPORT
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int block_size,
					      size_t shared)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, func, block_size,
								      shared, 0);
}

EXPORT
cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func, int blocks,
					  int block_size)
{
	WITH_FUNCTION(cuOccupancyAvailableDynamicSMemPerBlock(bytes, f, blocks, block_size));
}
