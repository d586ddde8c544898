/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernels.c - properties of kernels that involve the driver: an unsupported instruction,
 * cooperative launches, surfaces and layers, printf and assert.
 */
#include "record/cuda/cuda_api.h"
#include "tests/tap.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GOOD(call) is_u64(call, CUDA_SUCCESS, #call)
#define REFUSED(result, call) is_u64(call, result, #call)

static const char text[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
	".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
	".param .b64 e);\n"
	".global .b8 hello[7] = {104, 101, 108, 108, 111, 10, 0};\n"
	".global .b8 what[6] = {120, 32, 62, 32, 48, 0};\n"
	".visible .entry odd() { .reg .b32 %r<2>; frob.u32 %r1, 2; ret; }\n"
	".visible .entry grid(.param .u64 out) { .reg .b64 %d<3>; .reg .b32 %r<3>;\n"
	"ld.param.u64 %d1, [out]; mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; or.b32 %r1, %r1, "
	"%r2;\nst.global.u32 [%d1], %r1; ret; }\n"
	".visible .entry face(.param .u64 s) { .reg .b64 %d<2>; .reg .b32 %r<5>;\n"
	"ld.param.u64 %d1, [s]; mov.u32 %r1, 4; mov.u32 %r2, 1; mov.u32 %r3, 99;\n"
	"sust.b.a2d.b32.trap [%d1, {%r2, %r1, %r2, %r2}], {%r3}; ret; }\n"
	".visible .entry say() { .reg .b64 %d<2>; .reg .b32 %r<2>; mov.u64 %d1, hello;\n"
	"call.uni (%r1), vprintf, (%d1, 0); ret; }\n"
	".visible .entry fail() { .reg .b64 %d<2>; mov.u64 %d1, what;\n"
	"call.uni __assertfail, (%d1, %d1, 7, %d1, 1); ret; }\n";

static CUmodule module;

static CUfunction
kernel(const char *name)
{
	CUfunction f = NULL;

	GOOD(cuModuleGetFunction(&f, module, name));
	return f;
}

static void
test_grid(void)
{
	CUdeviceptr p;
	unsigned got = 0;
	void *params[] = {&p};

	REFUSED(CUDA_ERROR_NOT_SUPPORTED,
		cuLaunchKernel(kernel("odd"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	GOOD(cuMemAlloc(&p, 4));
	GOOD(cuLaunchKernel(kernel("grid"), 2, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	GOOD(cuMemcpyDtoH(&got, p, 4));
	is_u64(got, 0, "an ordinary grid has no workspace");
	GOOD(cuLaunchCooperativeKernel(kernel("grid"), 2, 1, 1, 1, 1, 1, 0, NULL, params));
	GOOD(cuMemcpyDtoH(&got, p, 4));
	ok(got, "a cooperative one has");
	REFUSED(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
		cuLaunchCooperativeKernel(kernel("grid"), 100000, 1, 1, 1, 1, 1, 0, NULL, params));
	GOOD(cuMemFree(p));
}

static void
test_layers(void)
{
	CUDA_ARRAY3D_DESCRIPTOR desc = {.Width = 4,
					.Height = 4,
					.Depth = 6,
					.Format = CU_AD_FORMAT_UNSIGNED_INT32,
					.NumChannels = 1,
					.Flags = CUDA_ARRAY3D_CUBEMAP};
	CUDA_RESOURCE_DESC res = {.resType = CU_RESOURCE_TYPE_ARRAY}, got;
	CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
			      .dstMemoryType = CU_MEMORYTYPE_HOST,
			      .WidthInBytes = 16,
			      .Height = 4,
			      .Depth = 6};
	unsigned out[96] = {0};
	CUsurfObject surface;
	CUdeviceptr before;
	CUarray array;
	void *params[] = {&surface};

	GOOD(cuMemAlloc(&before, 512));
	desc.Depth = 5;
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&array, &desc));
	desc.Depth = 6;
	GOOD(cuArray3DCreate(&array, &desc));
	res.res.array.hArray = array;
	GOOD(cuSurfObjectCreate(&surface, &res));
	GOOD(cuSurfObjectGetResourceDesc(&got, surface));
	ok(got.res.array.hArray == array, "the array of a surface");
	GOOD(cuLaunchKernel(kernel("face"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	copy.srcArray = array;
	copy.dstHost = out;
	GOOD(cuMemcpy3D(&copy));
	is_u64(out[16 + 4 + 1], 99, "texel 1, 1 of face 1 was written");
	copy.srcXInBytes = SIZE_MAX - 3; /* 8 more overflow to 4 */
	copy.WidthInBytes = 8;
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));
	GOOD(cuMemFree(before));
	GOOD(cuSurfObjectDestroy(surface));
	REFUSED(CUDA_ERROR_INVALID_HANDLE, cuSurfObjectDestroy(surface));
	GOOD(cuArrayDestroy(array));
}

/* Sizes whose product is 0 in 64 bits. */
static void
test_beyond(void)
{
	unsigned in[4] = {0};
	CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
			      .srcHost = in,
			      .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			      .WidthInBytes = 4,
			      .Height = (size_t)1 << 62,
			      .Depth = 3};

	GOOD(cuMemAlloc(&copy.dstDevice, 512));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));
	copy.Height = 2;
	copy.Depth = SIZE_MAX;
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));
	copy.Depth = 1;
	copy.dstXInBytes = SIZE_MAX - 3;
	copy.dstPitch = 4;
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));
	GOOD(cuMemFree(copy.dstDevice));
}

/* Standard output goes into a pipe meanwhile. */
static void
test_printf(void)
{
	CUfunction say = kernel("say");
	char got[64] = "";
	int fd[2], was, rc;
	ssize_t n;

	if (pipe(fd))
		exit(99);
	fflush(stdout);
	was = dup(STDOUT_FILENO);
	dup2(fd[1], STDOUT_FILENO);
	rc = (int)cuLaunchKernel(say, 2, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
	fflush(stdout);
	dup2(was, STDOUT_FILENO);
	close(was);
	close(fd[1]);
	n = read(fd[0], got, sizeof(got) - 1);
	close(fd[0]);
	got[n < 0 ? 0 : n] = '\0';
	is_u64((unsigned)rc, CUDA_SUCCESS, "a kernel that prints");
	is_str(got, "hello\nhello\n", "its text is the program's output");
}

int
main(void)
{
	CUcontext context;

	GOOD(cuInit(0));
	GOOD(cuCtxCreate(&context, 0, 0));
	GOOD(cuModuleLoadData(&module, text));
	test_grid();
	test_layers();
	test_beyond();
	test_printf();
	REFUSED(CUDA_ERROR_ASSERT,
		cuLaunchKernel(kernel("fail"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	GOOD(cuCtxDestroy(context));
	return done();
}
