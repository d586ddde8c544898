/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vector.c - computes gemv, axpy, scal, dot and nrm2 of float and double, and dot of f16 and
 * bf16. */
#include "record/blas/blas.h"

#include <string.h>

#define THREADS 256u /* of kernels.cu */

static void
make_grid(int n, unsigned grid[3])
{
	grid[0] = ((unsigned)n + THREADS - 1) / THREADS;
	grid[1] = grid[2] = 1;
}

/* Launches a kernel of one block, whose last argument is the address of the result: on the device,
 * or h->result, from which it is copied to the host, which then waits. */
static cublasStatus_t
launch_reduction(struct blas *h, const char *name, void **args, CUdeviceptr *to, void *result,
		 size_t bytes)
{
	const unsigned grid[3] = {1, 1, 1};
	cublasStatus_t r;

	*to = h->pointers ? (CUdeviceptr)(uintptr_t)result : h->result;
	r = blas_launch(h, name, grid, THREADS, 1, args);
	if (r == BLAS_SUCCESS && !h->pointers &&
	    (cuMemcpyDtoHAsync_v2(result, h->result, bytes, h->stream) ||
	     cuStreamSynchronize(h->stream)))
		r = BLAS_EXECUTION_FAILED;
	return r;
}

#define VECTORS(S, type, suffix, is_double)                                                        \
	EXPORT cublas##S##gemv_v2(cublasHandle_t h, int t, int m, int n, const type *alpha,        \
				  const type *a, int lda, const type *x, int incx,                 \
				  const type *beta, type *y, int incy);                            \
	EXPORT cublas##S##gemv_v2(cublasHandle_t h, int t, int m, int n, const type *alpha,        \
				  const type *a, int lda, const type *x, int incx,                 \
				  const type *beta, type *y, int incy)                             \
	{                                                                                          \
		struct scalar p, q;                                                                \
		unsigned grid[3];                                                                  \
		if (!h)                                                                            \
			return BLAS_NOT_INITIALIZED;                                               \
		if (t < 0 || t > BLAS_OP_C || m < 0 || n < 0 || lda < MAX(m, 1) || !incx ||        \
		    !incy || !alpha || !beta)                                                      \
			return BLAS_INVALID_VALUE;                                                 \
		if (!m || !n)                                                                      \
			return BLAS_SUCCESS;                                                       \
		p = blas_scalar(h, alpha, is_double);                                              \
		q = blas_scalar(h, beta, is_double);                                               \
		make_grid(t ? n : m, grid);                                                        \
		return blas_launch(h, "cublas_gemv_" suffix, grid, THREADS, 1,                     \
				   (void *[]){&t, &m, &n, &p.at, &p.d, &a, &lda, &x, &incx, &q.at, \
					      &q.d, &y, &incy});                                   \
	}                                                                                          \
	EXPORT cublas##S##axpy_v2(cublasHandle_t h, int n, const type *alpha, const type *x,       \
				  int incx, type *y, int incy);                                    \
	EXPORT cublas##S##axpy_v2(cublasHandle_t h, int n, const type *alpha, const type *x,       \
				  int incx, type *y, int incy)                                     \
	{                                                                                          \
		struct scalar p;                                                                   \
		unsigned grid[3];                                                                  \
		if (!h || !alpha)                                                                  \
			return h ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;                      \
		if (n <= 0)                                                                        \
			return BLAS_SUCCESS;                                                       \
		p = blas_scalar(h, alpha, is_double);                                              \
		make_grid(n, grid);                                                                \
		return blas_launch(h, "cublas_axpy_" suffix, grid, THREADS, 1,                     \
				   (void *[]){&n, &p.at, &p.d, &x, &incx, &y, &incy});             \
	}                                                                                          \
	EXPORT cublas##S##scal_v2(cublasHandle_t h, int n, const type *alpha, type *x, int incx);  \
	EXPORT cublas##S##scal_v2(cublasHandle_t h, int n, const type *alpha, type *x, int incx)   \
	{                                                                                          \
		struct scalar p;                                                                   \
		unsigned grid[3];                                                                  \
		if (!h || !alpha)                                                                  \
			return h ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;                      \
		if (n <= 0 || incx <= 0)                                                           \
			return BLAS_SUCCESS;                                                       \
		p = blas_scalar(h, alpha, is_double);                                              \
		make_grid(n, grid);                                                                \
		return blas_launch(h, "cublas_scal_" suffix, grid, THREADS, 1,                     \
				   (void *[]){&n, &p.at, &p.d, &x, &incx});                        \
	}                                                                                          \
	EXPORT cublas##S##dot_v2(cublasHandle_t h, int n, const type *x, int incx, const type *y,  \
				 int incy, type *result);                                          \
	EXPORT cublas##S##dot_v2(cublasHandle_t h, int n, const type *x, int incx, const type *y,  \
				 int incy, type *result)                                           \
	{                                                                                          \
		CUdeviceptr to;                                                                    \
		if (!h || !result)                                                                 \
			return h ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;                      \
		return launch_reduction(h, "cublas_dot_" suffix,                                   \
					(void *[]){&n, &x, &incx, &y, &incy, &to}, &to, result,    \
					sizeof(type));                                             \
	}                                                                                          \
	EXPORT cublas##S##nrm2_v2(cublasHandle_t h, int n, const type *x, int incx, type *result); \
	EXPORT cublas##S##nrm2_v2(cublasHandle_t h, int n, const type *x, int incx, type *result)  \
	{                                                                                          \
		CUdeviceptr to;                                                                    \
		if (!h || !result)                                                                 \
			return h ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;                      \
		return launch_reduction(h, "cublas_nrm2_" suffix, (void *[]){&n, &x, &incx, &to},  \
					&to, result, sizeof(type));                                \
	}
VECTORS(S, float, "f32", false)
VECTORS(D, double, "f64", true)

/* The kernel and the bytes of a dot product whose operands and result have the same type. */
static const char *
find_dot_kernel(int type, int compute, size_t *bytes)
{
	static const struct {
		int type, compute;
		size_t bytes;
		const char *name;
	} kernels[] = {{BLAS_R_32F, BLAS_R_32F, 4, "cublas_dot_f32"},
		       {BLAS_R_64F, BLAS_R_64F, 8, "cublas_dot_f64"},
		       {BLAS_R_16F, BLAS_R_32F, 2, "cublas_dot_f16"},
		       {BLAS_R_16BF, BLAS_R_32F, 2, "cublas_dot_bf16"}};

	for (size_t i = 0; i < ARRAY_LEN(kernels); i++)
		if (kernels[i].type == type && kernels[i].compute == compute) {
			*bytes = kernels[i].bytes;
			return kernels[i].name;
		}
	return NULL;
}

EXPORT cublasDotEx(cublasHandle_t h, int n, const void *x, int type_x, int incx, const void *y,
		   int type_y, int incy, void *result, int type, int compute);
EXPORT
cublasDotEx(cublasHandle_t h, int n, const void *x, int type_x, int incx, const void *y, int type_y,
	    int incy, void *result, int type, int compute)
{
	size_t bytes = 0;
	const char *name = find_dot_kernel(type, compute, &bytes);
	CUdeviceptr to;

	if (!h || !result)
		return h ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
	if (!name || type_x != type || type_y != type) {
		blas_print("this dot product is not supported: ctascope's libcublas has f32, f64, "
			   "f16 and bf16, of vectors and a result of the same type");
		return BLAS_NOT_SUPPORTED;
	}
	return launch_reduction(h, name, (void *[]){&n, &x, &incx, &y, &incy, &to}, &to, result,
				bytes);
}
