/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.c - creates handles, and provides their settings, copies of vectors and matrices, and names
 * of results. */
#include "record/blas/blas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kernel_lines[] = {
#include "record/blas/kernels.inc"
};

void
blas_print(const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "ctascope: %s\n", text);
}

/* ---- handles ---- */

static CUresult
require_context(CUcontext *ctx)
{
	CUresult r = cuInit(0);

	*ctx = NULL;
	if (r == CUDA_SUCCESS)
		r = cuCtxGetCurrent(ctx);
	if (r == CUDA_SUCCESS && !*ctx)
		r = cuDevicePrimaryCtxRetain(ctx, 0);
	return r == CUDA_SUCCESS ? cuCtxSetCurrent(*ctx) : r;
}

/* Gives a thread that has no context yet, because it calls only cuBLAS, the context of the
 * handle. */
static CUresult
use_context(const struct blas *h)
{
	CUcontext current = NULL;
	CUresult r = cuCtxGetCurrent(&current);

	return r == CUDA_SUCCESS && !current ? cuCtxSetCurrent(h->context) : r;
}

/* Loads the kernels. */
static CUresult
load_kernels(CUmodule *module)
{
	size_t n = 1;
	char *text, *p;
	CUresult r;

	for (size_t i = 0; i < ARRAY_LEN(kernel_lines); i++)
		n += strlen(kernel_lines[i]);
	text = p = malloc(n);
	if (!text)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*p = '\0';
	for (size_t i = 0; i < ARRAY_LEN(kernel_lines); i++)
		p = stpcpy(p, kernel_lines[i]);
	r = cuModuleLoadData(module, text);
	free(text);
	return r;
}

EXPORT cublasCreate_v2(cublasHandle_t *handle);
EXPORT
cublasCreate_v2(cublasHandle_t *handle)
{
	struct blas *h = handle ? calloc(1, sizeof(*h)) : NULL;

	if (!h)
		return handle ? BLAS_ALLOC_FAILED : BLAS_INVALID_VALUE;
	if (require_context(&h->context) || load_kernels(&h->module) ||
	    cuMemAlloc_v2(&h->result, 8)) {
		free(h);
		return BLAS_NOT_INITIALIZED;
	}
	*handle = h;
	return BLAS_SUCCESS;
}

EXPORT cublasDestroy_v2(cublasHandle_t h);
EXPORT
cublasDestroy_v2(cublasHandle_t h)
{
	if (!h)
		return BLAS_NOT_INITIALIZED;
	cuMemFree_v2(h->result);
	cuModuleUnload(h->module);
	free(h);
	return BLAS_SUCCESS;
}

/* Defines the function that sets a setting of the handle and the one that returns it. */
#define SETTING(name, suffix, type, field)                                    \
	EXPORT cublasSet##name##suffix(cublasHandle_t h, type value);         \
	EXPORT cublasSet##name##suffix(cublasHandle_t h, type value)          \
	{                                                                     \
		if (!h)                                                       \
			return BLAS_NOT_INITIALIZED;                          \
		h->field = value;                                             \
		return BLAS_SUCCESS;                                          \
	}                                                                     \
	EXPORT cublasGet##name##suffix(cublasHandle_t h, type *value);        \
	EXPORT cublasGet##name##suffix(cublasHandle_t h, type *value)         \
	{                                                                     \
		if (!h || !value)                                             \
			return h ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED; \
		*value = h->field;                                            \
		return BLAS_SUCCESS;                                          \
	}
SETTING(Stream, _v2, CUstream, stream)
SETTING(PointerMode, _v2, int, pointers)
SETTING(MathMode, , int, math)
SETTING(AtomicsMode, , int, atomics)

/* The kernels need no memory of their own. */
EXPORT cublasSetWorkspace_v2(cublasHandle_t h, void *p, size_t n);
EXPORT
cublasSetWorkspace_v2(cublasHandle_t h, void *p ATTR_UNUSED, size_t n ATTR_UNUSED)
{
	return h ? BLAS_SUCCESS : BLAS_NOT_INITIALIZED;
}

EXPORT cublasGetVersion_v2(cublasHandle_t h, int *version);
EXPORT
cublasGetVersion_v2(cublasHandle_t h, int *version)
{
	if (!h || !version)
		return h ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
	*version = BLAS_MAJOR * 10000;
	return BLAS_SUCCESS;
}

/* ---- names ---- */

static const char *
status_name(int status)
{
	static const struct {
		int status;
		const char *name;
	} names[] = {{0, "CUBLAS_STATUS_SUCCESS"},	     {1, "CUBLAS_STATUS_NOT_INITIALIZED"},
		     {3, "CUBLAS_STATUS_ALLOC_FAILED"},	     {7, "CUBLAS_STATUS_INVALID_VALUE"},
		     {8, "CUBLAS_STATUS_ARCH_MISMATCH"},     {11, "CUBLAS_STATUS_MAPPING_ERROR"},
		     {13, "CUBLAS_STATUS_EXECUTION_FAILED"}, {14, "CUBLAS_STATUS_INTERNAL_ERROR"},
		     {15, "CUBLAS_STATUS_NOT_SUPPORTED"},    {16, "CUBLAS_STATUS_LICENSE_ERROR"}};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i].status == status)
			return names[i].name;
	return "unknown status";
}

#define EXPORT_NAME __attribute__((visibility("default"))) const char *
EXPORT_NAME cublasGetStatusName(int status);
EXPORT_NAME
cublasGetStatusName(int status)
{
	return status_name(status);
}

EXPORT_NAME cublasGetStatusString(int status);
EXPORT_NAME
cublasGetStatusString(int status)
{
	return status_name(status);
}

/* ---- copies ---- */

/* Copies n rows of that many bytes, at distances of from_pitch and to_pitch. */
static cublasStatus_t
copy_rows(int n, size_t bytes, const void *from, size_t from_pitch, void *to, size_t to_pitch,
	  bool to_device)
{
	CUDA_MEMCPY2D c = {.srcMemoryType = to_device ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
			   .dstMemoryType = to_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST,
			   .srcPitch = from_pitch,
			   .dstPitch = to_pitch,
			   .WidthInBytes = bytes,
			   .Height = (size_t)n};

	if (n <= 0 || !bytes)
		return n < 0 ? BLAS_INVALID_VALUE : BLAS_SUCCESS;
	if (from_pitch < bytes || to_pitch < bytes)
		return BLAS_INVALID_VALUE;
	if (to_device) {
		c.srcHost = from;
		c.dstDevice = (CUdeviceptr)(uintptr_t)to;
	} else {
		c.srcDevice = (CUdeviceptr)(uintptr_t)from;
		c.dstHost = to;
	}
	return cuMemcpy2D_v2(&c) == CUDA_SUCCESS ? BLAS_SUCCESS : BLAS_EXECUTION_FAILED;
}

#define COPIES(Set, to_device)                                                                     \
	EXPORT cublas##Set##Vector(int n, int size, const void *x, int incx, void *y, int incy);   \
	EXPORT cublas##Set##Vector(int n, int size, const void *x, int incx, void *y, int incy)    \
	{                                                                                          \
		if (size <= 0 || incx <= 0 || incy <= 0)                                           \
			return BLAS_INVALID_VALUE;                                                 \
		return copy_rows(n, (size_t)size, x, (size_t)incx * (size_t)size, y,               \
				 (size_t)incy * (size_t)size, to_device);                          \
	}                                                                                          \
	EXPORT cublas##Set##Matrix(int rows, int cols, int size, const void *a, int lda, void *b,  \
				   int ldb);                                                       \
	EXPORT cublas##Set##Matrix(int rows, int cols, int size, const void *a, int lda, void *b,  \
				   int ldb)                                                        \
	{                                                                                          \
		if (rows < 0 || size <= 0 || lda <= 0 || ldb <= 0)                                 \
			return BLAS_INVALID_VALUE;                                                 \
		return copy_rows(cols, (size_t)rows * (size_t)size, a, (size_t)lda * (size_t)size, \
				 b, (size_t)ldb * (size_t)size, to_device);                        \
	}
COPIES(Set, true)
COPIES(Get, false)

/* ---- for the other files ---- */

struct scalar
blas_scalar(const struct blas *h, const void *p, bool is_double)
{
	struct scalar s = {.d = 0};

	if (h->pointers)
		s.at = (CUdeviceptr)(uintptr_t)p;
	else
		memcpy(&s.d, p, is_double ? sizeof(double) : sizeof(float));
	return s;
}

cublasStatus_t
blas_launch(struct blas *h, const char *name, const unsigned grid[3], unsigned block_x,
	    unsigned block_y, void **args)
{
	CUfunction f;

	if (use_context(h) || cuModuleGetFunction(&f, h->module, name) ||
	    cuLaunchKernel(f, grid[0], grid[1], grid[2], block_x, block_y, 1, 0, h->stream, args,
			   NULL))
		return BLAS_EXECUTION_FAILED;
	return BLAS_SUCCESS;
}
