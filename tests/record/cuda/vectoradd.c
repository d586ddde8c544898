/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectoradd.c - the vector addition of the driver API's manual: load a module, copy two vectors to
 * the device, launch, copy the sum back, compare. Compiled against src/record/cuda/cuda_api.h, and with
 * -DNVIDIA_HEADER against NVIDIA's cuda.h.
 *
 *     vectoradd FILE.ptx [N [LAUNCHES [STATUS]]]
 *
 * prints "N sums, M wrong" and exits with STATUS.
 */
#ifdef NVIDIA_HEADER
#include <cuda.h>
#else
#include "record/cuda/cuda_api.h"
#endif
#include <stdio.h>
#include <stdlib.h>

static void
check(CUresult r, const char *what)
{
	const char *name = "?";

	if (r == CUDA_SUCCESS)
		return;
	cuGetErrorName(r, &name);
	printf("%s: %s\n", what, name);
	exit(3);
}

#define CHECK(call) check(call, #call)

int
main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 1000, launches = argc > 3 ? atoi(argv[3]) : 1, wrong = 0;
	size_t bytes = (size_t)n * sizeof(float);
	float *a = malloc(bytes), *b = malloc(bytes), *c = calloc(1, bytes);
	CUdeviceptr da, db, dc;
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction add;

	if (argc < 2 || !a || !b || !c)
		return 3;
	for (int i = 0; i < n; i++) {
		a[i] = (float)i;
		b[i] = (float)(2 * i);
	}
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&device, 0));
	CHECK(cuDevicePrimaryCtxRetain(&context, device));
	CHECK(cuCtxSetCurrent(context));
	CHECK(cuModuleLoad(&module, argv[1]));
	CHECK(cuModuleGetFunction(&add, module, "vectoradd"));
	CHECK(cuMemAlloc(&da, bytes));
	CHECK(cuMemAlloc(&db, bytes));
	CHECK(cuMemAlloc(&dc, bytes));
	CHECK(cuMemcpyHtoD(da, a, bytes));
	CHECK(cuMemcpyHtoD(db, b, bytes));
	for (int i = 0; i < launches; i++) {
		void *params[] = {&da, &db, &dc, &n};

		CHECK(cuLaunchKernel(add, (unsigned)(n + 127) / 128, 1, 1, 128, 1, 1, 0, NULL,
				     params, NULL));
	}
	CHECK(cuMemcpyDtoH(c, dc, bytes));
	for (int i = 0; i < n; i++)
		wrong += c[i] != a[i] + b[i];
	CHECK(cuMemFree(da));
	CHECK(cuMemFree(db));
	CHECK(cuMemFree(dc));
	CHECK(cuDevicePrimaryCtxRelease(device));
	printf("%d sums, %d wrong\n", n, wrong);
	free(a);
	free(b);
	free(c);
	return argc > 4 ? atoi(argv[4]) : 0;
}
