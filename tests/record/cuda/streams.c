/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * streams.c - a program of three streams for record.t: kernels that wait for an event of another
 * stream, a copy in a stream, the default stream, and waits of the program.
 *
 *     streams FILE.ptx [one]       with "one" all kernels are of one stream, which is not the
 * default
 */
#include "record/cuda/cuda_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
check(CUresult r, const char *what)
{
	if (r == CUDA_SUCCESS)
		return;
	printf("%s: %d\n", what, (int)r);
	exit(3);
}

#define CHECK(call) check(call, #call)

int
main(int argc, char **argv)
{
	CUstream first, second, copies;
	float host[128] = {0};
	int n = 128, one = argc > 2 && strcmp(argv[2], "one") == 0;
	CUdeviceptr a;
	CUcontext context;
	CUmodule module;
	CUfunction add;
	CUevent e;
	void *params[] = {&a, &a, &a, &n};

	if (argc < 2)
		return 3;
	CHECK(cuInit(0));
	CHECK(cuDevicePrimaryCtxRetain(&context, 0));
	CHECK(cuCtxSetCurrent(context));
	CHECK(cuModuleLoad(&module, argv[1]));
	CHECK(cuModuleGetFunction(&add, module, "vectoradd"));
	CHECK(cuMemAlloc(&a, sizeof(host)));
	CHECK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
	CHECK(cuStreamCreate(&second, CU_STREAM_DEFAULT));
	CHECK(cuStreamCreate(&copies, CU_STREAM_DEFAULT));
	CHECK(cuEventCreate(&e, 0));
	CHECK(cuMemcpyHtoDAsync(a, host, sizeof(host), copies));
	CHECK(cuEventRecord(e, copies));
	CHECK(cuStreamWaitEvent(first, e, 0));
	CHECK(cuLaunchKernel(add, 1, 1, 1, 128, 1, 1, 0, first, params, NULL));
	CHECK(cuEventRecord(e, first));
	CHECK(cuStreamWaitEvent(one ? first : second, e, 0));
	CHECK(cuLaunchKernel(add, 1, 1, 1, 128, 1, 1, 0, one ? first : second, params, NULL));
	CHECK(cuStreamQuery(second));
	CHECK(cuLaunchKernel(add, 1, 1, 1, 128, 1, 1, 0, one ? first : NULL, params, NULL));
	CHECK(cuCtxSynchronize());
	CHECK(cuMemcpyDtoH(host, a, sizeof(host)));
	CHECK(cuMemFree(a));
	return host[5] != 0;
}
