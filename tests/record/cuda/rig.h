/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rig.h - calls of the driver API in tests: their results, and the module `module` with the kernels
 * of calls.ptx.
 */
#ifndef TESTS_RECORD_CUDA_RIG_H
#define TESTS_RECORD_CUDA_RIG_H

#include "record/cuda/cuda_api.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#define GOOD(call) is_u64(call, CUDA_SUCCESS, #call)
#define REFUSED(result, call) is_u64(call, result, #call)

static CUmodule module;

/* Loads the kernels of calls.ptx into the current context. */
static inline void
load(void)
{
	const char *src = getenv("srcdir");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/record/cuda/calls.ptx", src ? src : ".");
	GOOD(cuModuleLoad(&module, path));
}

static inline CUfunction
kernel(const char *name)
{
	CUfunction f = NULL;

	if (cuModuleGetFunction(&f, module, name) != CUDA_SUCCESS)
		ok(false, "there is a kernel %s", name);
	return f;
}

/* Launches one block. */
static inline CUresult
launch(const char *name, unsigned threads, void **params)
{
	return cuLaunchKernel(kernel(name), 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL);
}

/* Initializes the driver, makes the primary context current and loads the module. */
static inline void
start_driver(void)
{
	CUcontext context;

	GOOD(cuInit(0));
	GOOD(cuDevicePrimaryCtxRetain(&context, 0));
	GOOD(cuCtxSetCurrent(context));
	load();
}

/* As much memory must be free as before the test; then the module is unloaded. */
static inline void
end_driver(size_t before)
{
	size_t after;

	GOOD(cuMemGetInfo(&after, NULL));
	is_u64(after, before, "all memory is given back");
	GOOD(cuModuleUnload(module));
}

#endif
