/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * launch.c - runs kernels immediately and to the end, whatever the stream.
 *
 * The parameters of a launch are checked against the kernel and the machine first; a mistake is
 * reported on standard error and returned by the call. A fault while the kernel runs stays with the
 * context: every later call there returns it, as on a GPU. A kernel with an unsupported instruction
 * is not run; other kernels are. Thread block clusters are rejected.
 */
#include "record/cuda/driver.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define ATTRIBUTE_COOPERATIVE 2
#define ATTRIBUTE_CLUSTER 4

struct shape {
	uint32_t grid[3], block[3], shared;
	bool cooperative;
};

static CUresult refuse_launch(CUresult r, const struct function *f, const char *fmt, ...)
	ATTR_PRINTF(3, 4);

static CUresult
refuse_launch(CUresult r, const struct function *f, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	driver_print("launch of kernel '%s': %s", f->kernel->name, text);
	return r;
}

/* ---- checks ---- */

/* Checks registers. threads: of a block, in whole warps. If a compiler for this machine would have
 * used fewer registers, this is reported once per kernel; --regs can give the actual number. */
static CUresult
check_regs(const struct driver *d, struct function *f, uint64_t threads)
{
	const struct ptx_kernel *k = f->kernel;
	uint32_t regs = kernel_regs(d, k, threads), most = registers_of_sm(d);

	if (threads * regs <= most)
		most = d->machine.registers;
	if (threads * regs > d->machine.registers)
		return refuse_launch(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, f,
				     "%" PRIu64 " threads of %" PRIu32
				     " registers need more than the %" PRIu32
				     " registers of an SM (--regs sets the actual number)",
				     threads, regs, most);
	if (regs < k->regs && !f->fewer_reported && !launch_bounds(k)) {
		f->fewer_reported = true;
		driver_print("kernel '%s': %" PRIu64 " threads of %" PRIu32
			     " registers%s need more than the %" PRIu32
			     " registers of an SM; the run and its occupancy use %" PRIu32
			     " per thread (--regs sets the actual number)",
			     k->name, threads, k->regs, k->regs_known ? "" : " (estimated)",
			     d->machine.registers, regs);
	}
	return CUDA_SUCCESS;
}

static CUresult
check_block(const struct driver *d, struct function *f, const struct shape *s)
{
	static const uint32_t most[3] = {1024, 1024, 64};
	const struct ptx_kernel *k = f->kernel;
	uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2];
	uint64_t limit = MIN(d->machine.threads, 1024), declared = 1;

	for (int i = 0; i < 3; i++) {
		if (!s->block[i] || s->block[i] > most[i])
			return refuse_launch(CUDA_ERROR_INVALID_VALUE, f,
					     "%" PRIu32 " threads along %c, expected 1 to %" PRIu32,
					     s->block[i], "xyz"[i], most[i]);
		if (k->reqntid[0] && s->block[i] != MAX(k->reqntid[i], 1))
			return refuse_launch(CUDA_ERROR_INVALID_VALUE, f,
					     "%" PRIu32 " threads along %c, but it needs %" PRIu32
					     " (.reqntid)",
					     s->block[i], "xyz"[i], MAX(k->reqntid[i], 1));
		declared *= MAX(k->maxntid[i], 1);
	}
	if (threads > limit)
		return refuse_launch(CUDA_ERROR_INVALID_VALUE, f,
				     "blocks of %" PRIu64 " threads, expected at most %" PRIu64,
				     threads, limit);
	if (k->maxntid[0] && threads > declared)
		return refuse_launch(CUDA_ERROR_INVALID_VALUE, f,
				     "blocks of %" PRIu64 " threads, but it allows %" PRIu64
				     " (.maxntid)",
				     threads, declared);
	return check_regs(d, f, (threads + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE);
}

static CUresult
check_shape(const struct driver *d, struct function *f, const struct shape *s)
{
	static const uint32_t most[3] = {2147483647, 65535, 65535};
	uint64_t shared = (uint64_t)s->shared + f->kernel->shared_bytes;
	uint32_t most_shared = machine_block_shared(&d->machine);

	for (int i = 0; i < 3; i++)
		if (!s->grid[i] || s->grid[i] > most[i])
			return refuse_launch(CUDA_ERROR_INVALID_VALUE, f,
					     "%" PRIu32 " blocks along %c, expected 1 to %" PRIu32,
					     s->grid[i], "xyz"[i], most[i]);
	if (shared > most_shared)
		return refuse_launch(CUDA_ERROR_INVALID_VALUE, f,
				     "%" PRIu64 " bytes of shared memory (%" PRIu32
				     " of its own), expected at most %" PRIu32,
				     shared, f->kernel->shared_bytes, most_shared);
	if (s->shared > f->shared_max)
		return refuse_launch(
			CUDA_ERROR_INVALID_VALUE, f,
			"%" PRIu32 " bytes of dynamic shared memory, but the function's attribute "
			"allows %" PRIu32,
			s->shared, f->shared_max);
	return check_block(d, f, s);
}

/* Checks that all blocks fit on the machine at the same time. */
static CUresult
check_cooperative(const struct driver *d, const struct function *f, const struct shape *s)
{
	uint64_t blocks = (uint64_t)s->grid[0] * s->grid[1] * s->grid[2];
	uint64_t room =
		(uint64_t)function_blocks_per_sm(d, f, s->block[0] * s->block[1] * s->block[2],
						 s->shared) *
		d->machine.sms;

	if (blocks <= MIN(room, PTX_MAX_COOPERATIVE))
		return CUDA_SUCCESS;
	return refuse_launch(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, f,
			     "a cooperative launch of %" PRIu64 " blocks, of which only %" PRIu64
			     " fit on the machine at the same time",
			     blocks, room);
}

/* ---- parameters ---- */

static CUresult
copy_params_by_pointer(const struct function *f, void **params, uint8_t *block)
{
	for (uint32_t i = 0; i < f->kernel->n_params; i++) {
		if (!params[i])
			return refuse_launch(CUDA_ERROR_INVALID_VALUE, f,
					     "kernelParams has %" PRIu32
					     " entries before a null pointer, expected %" PRIu32,
					     i, f->kernel->n_params);
		memcpy(block + f->kernel->param[i].offset, params[i], f->kernel->param[i].size);
	}
	return CUDA_SUCCESS;
}

static CUresult
copy_params_in_buffer(const struct function *f, void **extra, uint8_t *block)
{
	const void *buffer = NULL;
	const size_t *size = NULL;
	uint32_t want = f->kernel->param_bytes;

	for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
		if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
			buffer = extra[1];
		else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
			size = extra[1];
		else
			return refuse_launch(CUDA_ERROR_INVALID_VALUE, f, "unknown key in extra");
	}
	if (!buffer || !size)
		return refuse_launch(CUDA_ERROR_INVALID_VALUE, f,
				     "extra has no CU_LAUNCH_PARAM_BUFFER_POINTER and _SIZE");
	/* a struct may end with padding */
	if (*size < want || *size > (want + 15u) / 16u * 16u)
		return refuse_launch(CUDA_ERROR_INVALID_VALUE, f,
				     "%zu bytes of parameters, expected %" PRIu32, *size, want);
	memcpy(block, buffer, want);
	return CUDA_SUCCESS;
}

static CUresult
gather_params(const struct function *f, void **params, void **extra, uint8_t *block)
{
	if (params && extra)
		return refuse_launch(CUDA_ERROR_INVALID_VALUE, f,
				     "both kernelParams and extra are given");
	if (params)
		return copy_params_by_pointer(f, params, block);
	if (extra)
		return copy_params_in_buffer(f, extra, block);
	if (f->kernel->n_params)
		return refuse_launch(CUDA_ERROR_INVALID_VALUE, f,
				     "no parameters, expected %" PRIu32, f->kernel->n_params);
	return CUDA_SUCCESS;
}

/* ---- running ---- */

/* Prints the output of a kernel as that of the program. */
static void
print_text(void *ctx ATTR_UNUSED, const char *text, size_t n)
{
	fwrite(text, 1, n, stdout);
}

/* Returns the result of a GPU for a fault of that kind. tests/record/cuda/record.t has one of
 * each. */
static CUresult
get_result(enum err_kind kind)
{
	static const CUresult results[] = {
		[ERR_OTHER] = CUDA_ERROR_LAUNCH_FAILED,
		[ERR_MEMORY] = CUDA_ERROR_OUT_OF_MEMORY,
		[ERR_ADDRESS] = CUDA_ERROR_ILLEGAL_ADDRESS,
		[ERR_MISALIGNED] = CUDA_ERROR_MISALIGNED_ADDRESS,
		[ERR_SPACE] = CUDA_ERROR_INVALID_ADDRESS_SPACE,
		[ERR_ASSERT] = CUDA_ERROR_ASSERT,
		[ERR_ENDLESS] = CUDA_ERROR_LAUNCH_TIMEOUT,
		[ERR_TOO_LONG] = CUDA_ERROR_LAUNCH_FAILED,
	};

	return results[kind];
}

static CUresult
run_kernel(struct driver *d, struct function *f, const struct shape *s, const uint8_t *params)
{
	struct ptx_launch l = {.module = f->module->ptx,
			       .kernel = f->kernel,
			       .shared_bytes = s->shared,
			       .cooperative = s->cooperative,
			       .params = params,
			       .print = print_text};
	struct ptx_counts n = {0};
	struct err e = {0};
	CUresult r;

	memcpy(l.grid, s->grid, sizeof(l.grid));
	memcpy(l.block, s->block, sizeof(l.block));
	if (recording_run(d, &l, &n, &e) != 0) {
		r = driver_error(&e, get_result(e.kind));
		context_current()->sticky = r;
		return r;
	}
	d->insts += n.warp_insts;
	return CUDA_SUCCESS;
}

static CUresult
try_launch(struct driver *d, CUfunction function, const struct shape *s, CUstream stream,
	   void **params, void **extra)
{
	struct function *f = FIND(d, OBJ_FUNCTION, function);
	uint8_t *block;
	CUresult r;

	if (!f || !stream_select(d, stream))
		return CUDA_ERROR_INVALID_HANDLE;
	if (f->kernel->bad)
		return driver_error(f->kernel->bad, CUDA_ERROR_NOT_SUPPORTED);
	r = check_shape(d, f, s);
	if (r == CUDA_SUCCESS && s->cooperative)
		r = check_cooperative(d, f, s);
	if (r != CUDA_SUCCESS)
		return r;
	block = calloc(1, f->kernel->param_bytes + 16u);
	if (!block)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r = gather_params(f, params, extra, block);
	if (r == CUDA_SUCCESS)
		r = run_kernel(d, f, s, block);
	free(block);
	return r;
}

static CUresult
launch_kernel(struct driver *d, CUfunction function, const struct shape *s, CUstream stream,
	      void **params, void **extra)
{
	CUresult r = try_launch(d, function, s, stream, params, extra);

	if (r != CUDA_SUCCESS)
		recording_note_failure(d, FAILED_LAUNCH);
	return r;
}

EXPORT
cuLaunchKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz,
	       unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared,
	       CUstream stream, void **params, void **extra)
{
	ENTER(NEED_CONTEXT);
	struct shape s = {{gx, gy, gz}, {bx, by, bz}, shared, false};

	return launch_kernel(d, function, &s, stream, params, extra);
}

ALIAS(cuLaunchKernel, cuLaunchKernel_ptsz);

EXPORT
cuLaunchCooperativeKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz,
			  unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared,
			  CUstream stream, void **params)
{
	ENTER(NEED_CONTEXT);
	struct shape s = {{gx, gy, gz}, {bx, by, bz}, shared, true};

	return launch_kernel(d, function, &s, stream, params, NULL);
}

ALIAS(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel_ptsz);

EXPORT
cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params, void **extra)
{
	ENTER(NEED_CONTEXT);
	const CUlaunchConfig *c = config;
	bool cooperative = false;

	if (!c || (c->numAttrs && !c->attrs))
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < c->numAttrs; i++) {
		uint32_t v[3];

		memcpy(v, &c->attrs[i].value, sizeof(v));
		cooperative |= c->attrs[i].id == ATTRIBUTE_COOPERATIVE && v[0];
		if (c->attrs[i].id == ATTRIBUTE_CLUSTER && v[0] * v[1] * v[2] != 1) {
			driver_print("cuLaunchKernelEx: clusters are not supported");
			recording_note_failure(d, FAILED_LAUNCH);
			return CUDA_ERROR_NOT_SUPPORTED;
		}
	}
	struct shape s = {{c->gridDimX, c->gridDimY, c->gridDimZ},
			  {c->blockDimX, c->blockDimY, c->blockDimZ},
			  c->sharedMemBytes,
			  cooperative};

	return launch_kernel(d, function, &s, c->hStream, params, extra);
}

ALIAS(cuLaunchKernelEx, cuLaunchKernelEx_ptsz);

/* ---- the calls of CUDA 3 and before ---- */

EXPORT
cuFuncSetBlockShape(CUfunction function, int x, int y, int z)
{
	ENTER(NEED_CONTEXT);
	struct function *f = FIND(d, OBJ_FUNCTION, function);

	if (!f || x <= 0 || y <= 0 || z <= 0)
		return f ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	f->block[0] = (uint32_t)x;
	f->block[1] = (uint32_t)y;
	f->block[2] = (uint32_t)z;
	return CUDA_SUCCESS;
}

EXPORT
cuFuncSetSharedSize(CUfunction function, unsigned int bytes)
{
	ENTER(NEED_CONTEXT);
	struct function *f = FIND(d, OBJ_FUNCTION, function);

	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	f->shared = bytes;
	return CUDA_SUCCESS;
}

EXPORT
cuParamSetSize(CUfunction function, unsigned int bytes)
{
	ENTER(NEED_CONTEXT);
	struct function *f = FIND(d, OBJ_FUNCTION, function);

	if (!f || bytes > PARAM_MAX)
		return f ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	f->param_size = bytes;
	return CUDA_SUCCESS;
}

EXPORT
cuParamSetv(CUfunction function, int offset, void *p, unsigned int bytes)
{
	ENTER(NEED_CONTEXT);
	struct function *f = FIND(d, OBJ_FUNCTION, function);

	if (!f)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!p || offset < 0 || bytes > PARAM_MAX || (unsigned)offset > PARAM_MAX - bytes)
		return CUDA_ERROR_INVALID_VALUE;
	if (!f->param)
		f->param = calloc(1, PARAM_MAX);
	if (!f->param)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(f->param + offset, p, bytes);
	return CUDA_SUCCESS;
}

EXPORT
cuParamSeti(CUfunction function, int offset, unsigned int value)
{
	return cuParamSetv(function, offset, &value, sizeof(value));
}

EXPORT
cuParamSetf(CUfunction function, int offset, float value)
{
	return cuParamSetv(function, offset, &value, sizeof(value));
}

EXPORT
cuParamSetTexRef(CUfunction function, int unit, CUtexref texref)
{
	ENTER(NEED_CONTEXT);

	if (unit != CU_PARAM_TR_DEFAULT)
		return CUDA_ERROR_INVALID_VALUE;
	return FIND(d, OBJ_FUNCTION, function) && FIND(d, OBJ_TEXREF, texref)
		       ? CUDA_SUCCESS
		       : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult
launch_old(struct driver *d, CUfunction function, int width, int height, CUstream stream)
{
	struct function *f = FIND(d, OBJ_FUNCTION, function);
	struct shape s = {{(uint32_t)width, (uint32_t)height, 1}, {0}, 0, false};
	uint8_t none[1] = {0};
	size_t size;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, none, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
			 CU_LAUNCH_PARAM_END};

	if (!f || width <= 0 || height <= 0)
		return f ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	memcpy(s.block, f->block, sizeof(s.block));
	s.shared = f->shared;
	size = f->param ? f->param_size : 0;
	if (f->param)
		extra[1] = f->param;
	return launch_kernel(d, function, &s, stream, NULL, extra);
}

EXPORT
cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)
{
	ENTER(NEED_CONTEXT);

	return launch_old(d, function, width, height, stream);
}

EXPORT
cuLaunchGrid(CUfunction function, int width, int height)
{
	return cuLaunchGridAsync(function, width, height, NULL);
}

EXPORT
cuLaunch(CUfunction function)
{
	return cuLaunchGridAsync(function, 1, 1, NULL);
}
