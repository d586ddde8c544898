/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shared.c - dynamic shared memory of a block on a machine that has 96 KiB: 48 by default, all of
 * it for a kernel that asks for it, and the error beyond.
 */
#include "record/cuda/cuda_api.h"
#include "tests/tap.h"
#include <stdlib.h>

#define GOOD(call) is_u64(call, CUDA_SUCCESS, #call)
#define REFUSED(call) is_u64(call, CUDA_ERROR_INVALID_VALUE, #call)

static CUresult
launch(CUfunction f, unsigned shared)
{
	return cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, shared, NULL, NULL, NULL);
}

int
main(void)
{
	const char *src = getenv("srcdir");
	const CUfunction_attribute most = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
	CUcontext context;
	CUmodule module;
	CUfunction few, big;
	char path[4096];
	int n;

	setenv("CTASCOPE_RECORD_SM_SHARED", "98304", 1);
	snprintf(path, sizeof(path), "%s/tests/record/cuda/calls.ptx", src ? src : ".");
	GOOD(cuInit(0));
	GOOD(cuCtxCreate(&context, 0, 0));
	GOOD(cuModuleLoad(&module, path));
	GOOD(cuModuleGetFunction(&few, module, "few"));
	GOOD(cuModuleGetFunction(&big, module, "big"));
	GOOD(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 0));
	is_u64((unsigned)n, 49152, "of a block");
	GOOD(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
	is_u64((unsigned)n, 98304, "of one that asks");
	GOOD(cuFuncGetAttribute(&n, most, big));
	is_u64((unsigned)n, 49152 - 20000, "dynamic memory beside a kernel's own");
	GOOD(launch(few, 49152));
	REFUSED(launch(few, 49153));
	REFUSED(launch(big, 49152 - 20000 + 1));
	GOOD(cuFuncSetAttribute(few, most, 98304));
	GOOD(launch(few, 98304));
	REFUSED(launch(few, 98305));
	REFUSED(cuFuncSetAttribute(few, most, 98305));
	REFUSED(cuFuncSetAttribute(big, most, 98304));
	GOOD(cuFuncSetAttribute(big, most, 98304 - 20000));
	GOOD(launch(big, 98304 - 20000));
	GOOD(cuCtxSynchronize());
	GOOD(cuCtxDestroy(context));
	return done();
}
