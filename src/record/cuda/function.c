/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * function.c - the attributes of a kernel, and its occupancy: how many of its blocks fit on an SM,
 * by the timing model's rule (cta_occupancy in src/cta/host.c), with threads rounded up to warps.
 */
#include "record/cuda/driver.h"

static struct function *
find_function(struct driver *d, CUfunction function)
{
	return FIND(d, OBJ_FUNCTION, function);
}

static uint64_t
round_to_warps(uint64_t threads)
{
	return (threads + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
}

uint64_t
launch_bounds(const struct ptx_kernel *k)
{
	const uint32_t *limit = k->reqntid[0] ? k->reqntid : k->maxntid;
	uint64_t n = limit[0];

	for (int i = 1; i < 3; i++)
		n *= MAX(limit[i], 1);
	return n;
}

uint32_t
registers_of_sm(const struct driver *d)
{
	return recording_regs(d) ? d->machine.registers : MAX(d->machine.registers, 65536u);
}

uint32_t
machine_block_shared(const struct machine *m)
{
	/* CUDA C++ Programming Guide, technical specifications per compute capability */
	static const struct {
		uint32_t cc, bytes;
	} most[] = {{20, 49152},  {70, 98304},	{75, 65536},  {80, 166912}, {86, 101376},
		    {87, 166912}, {89, 101376}, {90, 232448}, {120, 101376}};
	uint32_t bytes = m->shared;

	for (size_t i = ARRAY_LEN(most); i-- > 0;)
		if (m->cc >= most[i].cc)
			return MAX(bytes, most[i].bytes);
	return bytes;
}

uint32_t
kernel_regs(const struct driver *d, const struct ptx_kernel *k, uint64_t threads)
{
	uint32_t option = recording_regs(d), regs = ((option ? option : k->regs) + 3) / 4 * 4;
	uint64_t fit = d->machine.registers / threads / 4 * 4;

	if (option || !fit || (k->regs_known && regs * threads > registers_of_sm(d)))
		return regs;
	return (uint32_t)MIN(regs, fit);
}

static uint32_t
compute_max_threads(const struct driver *d, const struct function *f)
{
	uint64_t n = MIN(d->machine.threads, 1024), allowed = launch_bounds(f->kernel), regs;

	if (allowed)
		n = MIN(n, allowed);
	n = MIN(n, d->machine.registers / 4 / WARP_SIZE * WARP_SIZE); /* a thread has at least 4 */
	regs = f->kernel->regs && n ? kernel_regs(d, f->kernel, round_to_warps(n)) : 0;
	if (regs * round_to_warps(n) > d->machine.registers)
		n = MIN(n, registers_of_sm(d) / regs / WARP_SIZE * WARP_SIZE);
	return (uint32_t)n;
}

CUresult
function_attribute(const struct driver *d, const struct function *f, CUfunction_attribute a,
		   int *value)
{
	switch (a) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		*value = (int)compute_max_threads(d, f);
		break;
	case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
		*value = (int)f->kernel->shared_bytes;
		break;
	case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
		*value = (int)f->kernel->local_bytes;
		break;
	case CU_FUNC_ATTRIBUTE_NUM_REGS:
		*value = (int)f->kernel->regs;
		break;
	case CU_FUNC_ATTRIBUTE_PTX_VERSION:
	case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
		*value = (int)d->machine.cc;
		break;
	case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
	case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
		*value = 0;
		break;
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		*value = (int)f->shared_max;
		break;
	case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		*value = f->carveout;
		break;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

CUresult
function_set_attribute(const struct driver *d, struct function *f, CUfunction_attribute a,
		       int value)
{
	switch (a) {
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		if (value < 0 ||
		    (uint64_t)value + f->kernel->shared_bytes > machine_block_shared(&d->machine))
			return CUDA_ERROR_INVALID_VALUE;
		f->shared_max = (uint32_t)value;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		if (value < -1 || value > 100)
			return CUDA_ERROR_INVALID_VALUE;
		f->carveout = value;
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

EXPORT
cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
	ENTER(NEED_CONTEXT);
	struct function *f = find_function(d, function);

	if (!value || !f)
		return f ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	return function_attribute(d, f, attribute, value);
}

EXPORT
cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
	ENTER(NEED_CONTEXT);
	struct function *f = find_function(d, function);

	return f ? function_set_attribute(d, f, attribute, value) : CUDA_ERROR_INVALID_HANDLE;
}

EXPORT
cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
	ENTER(NEED_CONTEXT);

	if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
		return CUDA_ERROR_INVALID_VALUE;
	return find_function(d, function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

EXPORT
cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
	ENTER(NEED_CONTEXT);

	if ((unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
		return CUDA_ERROR_INVALID_VALUE;
	return find_function(d, function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

EXPORT
cuFuncGetModule(CUmodule *module, CUfunction function)
{
	ENTER(NEED_CONTEXT);
	struct function *f = find_function(d, function);

	if (!module || !f)
		return f ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	*module = (CUmodule)f->module;
	return CUDA_SUCCESS;
}

EXPORT
cuFuncGetName(const char **name, CUfunction function)
{
	ENTER(NEED_INIT);
	struct function *f = find_function(d, function);

	if (!name || !f)
		return f ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	*name = f->kernel->name;
	return CUDA_SUCCESS;
}

EXPORT
cuFuncGetParamInfo(CUfunction function, size_t i, size_t *offset, size_t *size)
{
	ENTER(NEED_INIT);
	struct function *f = find_function(d, function);

	if (!offset || !f)
		return f ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	if (i >= f->kernel->n_params)
		return CUDA_ERROR_INVALID_VALUE;
	*offset = f->kernel->param[i].offset;
	if (size)
		*size = f->kernel->param[i].size;
	return CUDA_SUCCESS;
}

EXPORT
cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
	ENTER(NEED_CONTEXT);

	if (!state || !find_function(d, function))
		return state ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
	*state = CU_FUNCTION_LOADING_STATE_LOADED;
	return CUDA_SUCCESS;
}

EXPORT
cuFuncLoad(CUfunction function)
{
	ENTER(NEED_CONTEXT);

	return find_function(d, function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- occupancy ---- */

uint32_t
function_blocks_per_sm(const struct driver *d, const struct function *f, uint32_t block,
		       uint64_t shared)
{
	uint32_t threads = (uint32_t)round_to_warps(block), n;

	if (!block || block > compute_max_threads(d, f))
		return 0;
	shared += f->kernel->shared_bytes;
	n = MIN(d->machine.ctas, d->machine.threads / threads);
	if (f->kernel->regs)
		n = MIN(n, d->machine.registers / (threads * kernel_regs(d, f->kernel, threads)));
	if (shared > machine_block_shared(&d->machine))
		return 0;
	if (shared) /* a block with more than the machine's shared memory fills an SM */
		n = (uint32_t)MIN(n, MAX(d->machine.shared, shared) / shared);
	return n;
}

EXPORT
cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
						     int block_size, size_t shared,
						     unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	struct function *f = find_function(d, function);

	if (!blocks || block_size <= 0 || flags > 1)
		return CUDA_ERROR_INVALID_VALUE;
	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	*blocks = (int)function_blocks_per_sm(d, f, (uint32_t)block_size, shared);
	return CUDA_SUCCESS;
}

EXPORT
cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size,
					    size_t shared)
{
	return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
								    shared, 0);
}

/* Finds the block size with the most threads on an SM, the largest if there are several. */
EXPORT
cuOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block_size, CUfunction function,
					  CUoccupancyB2DSize shared_of, size_t shared, int limit,
					  unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	struct function *f = find_function(d, function);
	uint32_t most = 0, top;

	if (!min_grid || !block_size || limit < 0 || flags > 1)
		return CUDA_ERROR_INVALID_VALUE;
	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	top = compute_max_threads(d, f);
	if (limit)
		top = MIN(top, (uint32_t)limit);
	*min_grid = *block_size = 0;
	for (uint32_t size = top; size > 0; size = (size - 1) / WARP_SIZE * WARP_SIZE) {
		uint32_t n = function_blocks_per_sm(d, f, size,
						    shared_of ? shared_of((int)size) : shared);

		if (n * size > most) {
			most = n * size;
			*block_size = (int)size;
			*min_grid = (int)(n * d->machine.sms);
		}
	}
	return CUDA_SUCCESS;
}

EXPORT
cuOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size, CUfunction function,
				 CUoccupancyB2DSize shared_of, size_t shared, int limit)
{
	return cuOccupancyMaxPotentialBlockSizeWithFlags(min_grid, block_size, function, shared_of,
							 shared, limit, 0);
}

EXPORT
cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks,
					int block_size)
{
	ENTER(NEED_CONTEXT);
	struct function *f = find_function(d, function);
	uint32_t each;

	if (!bytes || blocks <= 0 || block_size <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	if (function_blocks_per_sm(d, f, (uint32_t)block_size, 0) < (uint32_t)blocks)
		return CUDA_ERROR_INVALID_VALUE;
	each = d->machine.shared / (uint32_t)blocks;
	*bytes = each > f->kernel->shared_bytes ? each - f->kernel->shared_bytes : 0;
	return CUDA_SUCCESS;
}
