/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linker.c - the linker API: inputs, results, logs, and errors. */
#include "record/cuda/cuda_api.h"
#include "tests/tap.h"

#include <string.h>

#define GOOD(call) is_u64(call, CUDA_SUCCESS, #call)
#define REFUSED(result, call) is_u64(call, result, #call)
#define HEAD ".version 6.0\n.target sm_70\n.address_size 64\n"

/* k calls f, which is in another input; each has its own variable `own`, and compilers call the
 * second one own$1. */
static char caller[] =
	HEAD ".extern .func (.param .b32 r) f(.param .b32 a);\n.global .u32 own = 5;\n"
	     ".global .u32 own$1 = 100;\n"
	     ".visible .entry k(.param .u64 p)\n{\n\t.reg .b32 %r<5>;\n\t.reg .b64 %rd<2>;\n"
	     "\t.param .b32 a;\n\t.param .b32 r;\n\tld.param.u64 %rd1, [p];\n"
	     "\tst.param.b32 [a], 30;\n\tcall (r), f, (a);\n\tld.param.b32 %r1, [r];\n"
	     "\tld.global.u32 %r2, [own];\n\tadd.u32 %r3, %r1, %r2;\n"
	     "\tld.global.u32 %r2, [own$1];\n\tadd.u32 %r3, %r3, %r2;\n"
	     "\tst.global.u32 [%rd1], %r3;\n\tret;\n}\n";
static char callee[] =
	HEAD ".global .u32 own = 7;\n"
	     ".visible .func (.param .b32 r) f(.param .b32 a)\n{\n\t.reg .b32 %r<4>;\n"
	     "\tld.param.b32 %r1, [a];\n\tld.global.u32 %r2, [own];\n\tadd.u32 %r3, %r1, %r2;\n"
	     "\tst.param.b32 [r], %r3;\n\tret;\n}\n";
static char wrong[] = HEAD ".visible .entry w()\n{\n\tfrob.u32 %r1;\n\tret;\n}\n";

static char info[200], errors[200];
static CUjit_option option[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
				CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
static void *value[4];

static CUlinkState
begin(void)
{
	CUlinkState s = NULL;

	strcpy(info, "?");
	strcpy(errors, "?");
	value[0] = info;
	value[1] = (void *)sizeof(info);
	value[2] = errors;
	value[3] = (void *)sizeof(errors);
	GOOD(cuLinkCreate(4, option, value, &s));
	return s;
}

static CUresult
add(CUlinkState s, CUjitInputType type, char *text, size_t n)
{
	return cuLinkAddData(s, type, text, n, "part", 0, NULL, NULL);
}

static void
test_link(void)
{
	CUlinkState s = begin();
	void *image = NULL, *params[1];
	CUfunction k = NULL;
	CUdeviceptr p = 0;
	CUmodule m = NULL;
	uint32_t v = 0;
	size_t n = 0;

	params[0] = &p;
	GOOD(add(s, CU_JIT_INPUT_PTX, caller, sizeof(caller)));
	GOOD(add(s, CU_JIT_INPUT_PTX, callee, sizeof(callee) - 1));
	GOOD(cuLinkComplete(s, &image, &n));
	ok(image && n == strlen(image) + 1, "an image of that size");
	ok(strstr(info, "2 inputs") && (size_t)value[1] == strlen(info), "the log says so: %s",
	   info);
	ok(!errors[0] && !value[3], "and no error");
	REFUSED(CUDA_ERROR_INVALID_VALUE, add(s, CU_JIT_INPUT_PTX, callee, sizeof(callee)));
	GOOD(cuModuleLoadDataEx(&m, image, 4, option, value));
	GOOD(cuLinkDestroy(s));
	REFUSED(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(s));
	GOOD(cuModuleGetFunction(&k, m, "k"));
	GOOD(cuMemAlloc(&p, 4));
	GOOD(cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	GOOD(cuMemcpyDtoH(&v, p, 4));
	is_u64(v, 30 + 7 + 5 + 100, "each has its own variable, one calls the other");
	GOOD(cuModuleUnload(m));
}

static void
test_refused(void)
{
	static char cubin[] = "\177ELF\2\1\1";
	CUlinkState s = begin();
	void *image;
	size_t n;

	/* There is no input. */
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(s, &image, &n));
	REFUSED(CUDA_ERROR_INVALID_VALUE, add(s, CU_JIT_INPUT_PTX, caller, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, add(s, (CUjitInputType)99, caller, 9));
	REFUSED(CUDA_ERROR_NO_BINARY_FOR_GPU, add(s, CU_JIT_INPUT_CUBIN, cubin, sizeof(cubin)));
	ok(strstr(errors, "part is machine code"), "the log says why: %s", errors);
	is_u64((size_t)value[3], strlen(errors), "and how long that is");
	REFUSED(CUDA_ERROR_NO_BINARY_FOR_GPU, add(s, CU_JIT_INPUT_FATBINARY, cubin, sizeof(cubin)));
	REFUSED(CUDA_ERROR_INVALID_PTX, add(s, CU_JIT_INPUT_PTX, cubin, sizeof(cubin)));
	REFUSED(CUDA_ERROR_INVALID_PTX, add(s, CU_JIT_INPUT_PTX, wrong, sizeof(wrong)));
	ok(strstr(errors, "part:6") && strstr(errors, "frob"), "where it is wrong: %s", errors);
	REFUSED(CUDA_ERROR_FILE_NOT_FOUND,
		cuLinkAddFile(s, CU_JIT_INPUT_PTX, "/nowhere.ptx", 0, NULL, NULL));
	GOOD(add(s, CU_JIT_INPUT_PTX, callee, sizeof(callee)));
	REFUSED(CUDA_ERROR_INVALID_HANDLE,
		add((CUlinkState)(void *)&n, CU_JIT_INPUT_PTX, callee, sizeof(callee)));
	/* the context frees it */
}

int
main(void)
{
	CUcontext context;

	GOOD(cuInit(0));
	GOOD(cuDevicePrimaryCtxRetain(&context, 0));
	GOOD(cuCtxSetCurrent(context));
	test_link();
	test_refused();
	GOOD(cuDevicePrimaryCtxReset(0));
	return done();
}
