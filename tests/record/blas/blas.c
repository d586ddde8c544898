/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.c - our libcublas: each function against sums in double precision on the processor. */
#include "record/blas/blas.h"
#include "tests/tap.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GOOD(call) is_u64(call, 0, #call)
#define REFUSED(result, call) is_u64((unsigned)(call), result, #call)

/* What the test calls of cublas_api.h. */
cublasStatus_t cublasCreate_v2(cublasHandle_t *h);
cublasStatus_t cublasDestroy_v2(cublasHandle_t h);
cublasStatus_t cublasSetStream_v2(cublasHandle_t h, CUstream s);
cublasStatus_t cublasGetStream_v2(cublasHandle_t h, CUstream *s);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t h, int mode);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t h, int *version);
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void *a, int lda, void *b,
			       int ldb);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSgemm_v2(cublasHandle_t h, int ta, int tb, int m, int n, int k,
			      const float *alpha, const float *a, int lda, const float *b, int ldb,
			      const float *beta, float *c, int ldc);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t h, int ta, int tb, int m, int n, int k,
					 const double *alpha, const double *a, int lda,
					 long long sa, const double *b, int ldb, long long sb,
					 const double *beta, double *c, int ldc, long long sc,
					 int batch);
cublasStatus_t cublasGemmEx(cublasHandle_t h, int ta, int tb, int m, int n, int k,
			    const void *alpha, const void *a, int type_a, int lda, const void *b,
			    int type_b, int ldb, const void *beta, void *c, int type_c, int ldc,
			    int compute, int algo);
cublasStatus_t cublasSgemv_v2(cublasHandle_t h, int t, int m, int n, const float *alpha,
			      const float *a, int lda, const float *x, int incx, const float *beta,
			      float *y, int incy);
cublasStatus_t cublasSaxpy_v2(cublasHandle_t h, int n, const float *alpha, const float *x, int incx,
			      float *y, int incy);
cublasStatus_t cublasDscal_v2(cublasHandle_t h, int n, const double *alpha, double *x, int incx);
cublasStatus_t cublasDdot_v2(cublasHandle_t h, int n, const double *x, int incx, const double *y,
			     int incy, double *result);
cublasStatus_t cublasSnrm2_v2(cublasHandle_t h, int n, const float *x, int incx, float *result);
cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void *x, int type_x, int incx,
			   const void *y, int type_y, int incy, void *result, int type,
			   int compute);
cublasStatus_t cublasHgemmBatched(cublasHandle_t h, int ta, int tb, int m, int n, int k,
				  const void *alpha, const void *a, int lda, const void *b, int ldb,
				  const void *beta, void *c, int ldc, int batch);
cublasStatus_t cublasDgeam(cublasHandle_t h, int ta, int tb, int m, int n, const double *alpha,
			   const double *a, int lda, const double *beta, const double *b, int ldb,
			   double *c, int ldc);
cublasStatus_t cublasCgemm_v2(void);
cublasStatus_t cublasSgelsBatched(void);
const char *cublasGetStatusString(int status);

#define M 37
#define N 21
#define K 50
#define LD 60

static void *
device(const void *from, size_t bytes)
{
	CUdeviceptr p = 0;

	cuMemAlloc_v2(&p, bytes);
	cuMemcpyHtoD_v2(p, from, bytes);
	return (void *)(uintptr_t)p;
}

static void
fetch(void *to, const void *p, size_t bytes)
{
	cuMemcpyDtoH_v2(to, (CUdeviceptr)(uintptr_t)p, bytes);
}

static void
drop(void *p)
{
	cuMemFree_v2((CUdeviceptr)(uintptr_t)p);
}

static float
number(int i)
{
	return (float)(i * 7 % 23 - 11) / 4;
}

/* Element (row, col) of op(A). */
static float
element(const float *a, int t, int row, int col)
{
	return t ? a[col + row * LD] : a[row + col * LD];
}

static void
test_sgemm(cublasHandle_t h)
{
	static float a[LD * LD], b[LD * LD], c[LD * LD], got[LD * LD];
	const float alpha = 1.5f, beta = -2;

	for (int i = 0; i < LD * LD; i++) {
		a[i] = number(i);
		b[i] = number(i + 5);
		c[i] = number(i + 9);
	}
	for (int way = 0; way < 4; way++) {
		int ta = way & 1, tb = way >> 1;
		float *da = device(a, sizeof(a)), *db = device(b, sizeof(b)),
		      *dc = device(c, sizeof(c));
		uint32_t bad = 0;

		GOOD(cublasSgemm_v2(h, ta, tb, M, N, K, &alpha, da, LD, db, LD, &beta, dc, LD));
		fetch(got, dc, sizeof(got));
		for (int row = 0; row < LD; row++)
			for (int col = 0; col < LD; col++) {
				double sum = 0;

				for (int i = 0; i < K; i++)
					sum += (double)element(a, ta, row % M, i) *
					       element(b, tb, i, col % N);
				sum = row < M && col < N ? 1.5 * sum - 2 * c[row + col * LD]
							 : c[row + col * LD];
				bad += fabs(sum - got[row + col * LD]) > 1e-3;
			}
		is_u64(bad, 0, "a product of matrices, transposed %d %d", ta, tb);
		drop(da);
		drop(db);
		drop(dc);
	}
}

/* A batch of two products, C not read where beta is 0. */
static void
test_batch(cublasHandle_t h)
{
	double a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, c[8], one = 1, zero = 0;
	double *da, *dc;

	for (int i = 0; i < 8; i++)
		c[i] = NAN;
	da = device(a, sizeof(a));
	dc = device(c, sizeof(c));
	GOOD(cublasDgemmStridedBatched(h, 0, 0, 2, 2, 2, &one, da, 2, 4, da, 2, 0, &zero, dc, 2, 4,
				       2));
	fetch(c, dc, sizeof(c));
	/* 1 3   5 7   times   1 3
	 * 2 4   6 8           2 4 */
	ok(c[0] == 7 && c[1] == 10 && c[2] == 15 && c[3] == 22 && c[4] == 19 && c[5] == 22 &&
		   c[6] == 43 && c[7] == 50,
	   "two products in doubles");
	drop(da);
	drop(dc);
}

static void
test_halves(cublasHandle_t h)
{
	const uint16_t a[4] = {0x3c00, 0x4000, 0x3800, 0xbc00}; /* 1 2 0.5 -1 */
	const uint16_t b[4] = {0x3f80, 0x4000, 0x3f00, 0xbf80}; /* the same as bf16 */
	float c[4], one = 1, zero = 0;
	void *da = device(a, sizeof(a)), *db = device(b, sizeof(b)), *dc = device(c, sizeof(c));
	static const float want[4] = {2, 0, 0, 2};

	GOOD(cublasGemmEx(h, 0, 0, 2, 2, 2, &one, da, BLAS_R_16F, 2, da, BLAS_R_16F, 2, &zero, dc,
			  BLAS_R_32F, 2, 68, -1));
	fetch(c, dc, sizeof(c));
	ok(memcmp(c, want, sizeof(c)) == 0, "f16 to float: %g %g %g %g", (double)c[0], (double)c[1],
	   (double)c[2], (double)c[3]);
	GOOD(cublasGemmEx(h, 0, 0, 2, 2, 2, &one, db, BLAS_R_16BF, 2, db, BLAS_R_16BF, 2, &zero, dc,
			  BLAS_R_32F, 2, 68, -1));
	fetch(c, dc, sizeof(c));
	ok(memcmp(c, want, sizeof(c)) == 0, "bf16 to float");
	REFUSED(BLAS_NOT_SUPPORTED, cublasGemmEx(h, 0, 0, 2, 2, 2, &one, da, BLAS_R_16F, 2, db,
						 BLAS_R_16BF, 2, &zero, dc, BLAS_R_32F, 2, 68, -1));
	drop(da);
	drop(db);
	drop(dc);
}

static void
test_integers(cublasHandle_t h)
{
	const int8_t a[4] = {1, 2, 100, -128};
	const int32_t two = 2, minus = -1;
	int32_t c[4] = {1, 1, 1, 1};
	static const int32_t want[4] = {401, -509, -25401, 33167};
	void *da = device(a, sizeof(a)), *dc = device(c, sizeof(c));

	/* 2 A A - C, A = 1 100 / 2 -128 */
	GOOD(cublasGemmEx(h, 0, 0, 2, 2, 2, &two, da, BLAS_R_8I, 2, da, BLAS_R_8I, 2, &minus, dc,
			  BLAS_R_32I, 2, BLAS_COMPUTE_32I, -1));
	fetch(c, dc, sizeof(c));
	ok(memcmp(c, want, sizeof(c)) == 0, "int8 to int32: %d %d %d %d", c[0], c[1], c[2], c[3]);
	REFUSED(BLAS_NOT_SUPPORTED, cublasGemmEx(h, 0, 0, 2, 2, 2, &two, da, BLAS_R_8I, 2, da,
						 BLAS_R_8I, 2, &minus, dc, BLAS_R_32I, 2, 68, -1));
	drop(da);
	drop(dc);
}

/* Products of halves whose matrices are listed in arrays on the device. */
static void
test_batch_of_arrays(cublasHandle_t h)
{
	const uint16_t a[4] = {0x3c00, 0x4000, 0x3800, 0xbc00}; /* 1 2 0.5 -1 */
	const uint16_t eye[4] = {0x3c00, 0, 0, 0x3c00}, two = 0x4000, zero = 0;
	const uint16_t twice[4] = {0x4000, 0x4400, 0x3c00, 0xc000};
	const uint16_t doubled_square[4] = {0x4400, 0, 0, 0x4400};
	uint16_t c[8];
	char *da = device(a, sizeof(a)), *de = device(eye, sizeof(eye)), *dc = device(c, sizeof(c));
	void *left = device((char *[]){da, da}, 16), *right = device((char *[]){de, da}, 16);
	void *to = device((char *[]){dc + 8, dc}, 16);

	GOOD(cublasHgemmBatched(h, 0, 0, 2, 2, 2, &two, left, 2, right, 2, &zero, to, 2, 2));
	fetch(c, dc, sizeof(c));
	ok(!memcmp(c + 4, twice, 8) && !memcmp(c, doubled_square, 8),
	   "each product goes where its address says");
	drop(da);
	drop(de);
	drop(dc);
	drop(left);
	drop(right);
	drop(to);
}

/* 2 A + 0.5 B transposed, and B is not read where its factor is 0. */
static void
test_sum(cublasHandle_t h)
{
	double a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {10, 20, 30, 40, 50, 60}, c[6] = {0};
	double two = 2, half = 0.5, zero = 0;
	double *da = device(a, sizeof(a)), *db = device(b, sizeof(b)), *dc = device(c, sizeof(c));
	static const double want[6] = {7, 24, 16, 33, 25, 42};

	GOOD(cublasDgeam(h, 0, 1, 2, 3, &two, da, 2, &half, db, 3, dc, 2));
	fetch(c, dc, sizeof(c));
	ok(memcmp(c, want, sizeof(c)) == 0, "a sum with a transposed matrix: %g %g %g", c[0], c[1],
	   c[2]);
	GOOD(cublasDgeam(h, 1, 0, 3, 2, &half, da, 2, &zero, NULL, 3, dc, 3));
	fetch(c, dc, sizeof(c));
	ok(c[0] == 0.5 && c[1] == 1.5 && c[3] == 1, "a transposed matrix alone");
	REFUSED(BLAS_INVALID_VALUE, cublasDgeam(h, 0, 1, 2, 3, &two, da, 2, &half, db, 2, dc, 2));
	drop(da);
	drop(db);
	drop(dc);
}

/* Dot products of types that are given as numbers. */
static void
test_dot_ex(cublasHandle_t h)
{
	const uint16_t a[3] = {0x3c00, 0x4000, 0x3800}; /* 1 2 0.5 as f16 */
	const uint16_t b[3] = {0x3f80, 0x4000, 0x3f00}; /* the same as bf16 */
	uint16_t sum = 0;
	void *da = device(a, sizeof(a)), *db = device(b, sizeof(b));

	GOOD(cublasDotEx(h, 3, da, BLAS_R_16F, 1, da, BLAS_R_16F, -1, &sum, BLAS_R_16F, 0));
	is_u64(sum, 0x4500, "1 * 0.5 + 2 * 2 + 0.5 * 1 in f16");
	GOOD(cublasDotEx(h, 3, db, BLAS_R_16BF, 1, db, BLAS_R_16BF, 1, &sum, BLAS_R_16BF, 0));
	is_u64(sum, 0x40a8, "1 + 4 + 0.25 in bf16");
	REFUSED(BLAS_NOT_SUPPORTED,
		cublasDotEx(h, 3, da, BLAS_R_16F, 1, db, BLAS_R_16BF, 1, &sum, BLAS_R_16F, 0));
	drop(da);
	drop(db);
}

static void
test_vectors(cublasHandle_t h)
{
	float x[600], y[600], r = 0, alpha = 2, beta = 1, a[6] = {1, 2, 3, 4, 5, 6};
	double d[300], s = 0, half = 0.5, want = 0;
	float *dx, *dy, *da = device(a, sizeof(a));
	double *dd;
	uint32_t bad = 0;

	for (int i = 0; i < 600; i++) {
		x[i] = number(i);
		y[i] = (float)i;
	}
	for (int i = 0; i < 300; i++)
		d[i] = i % 7;
	dx = device(x, sizeof(x));
	dy = device(y, sizeof(y));
	dd = device(d, sizeof(d));
	GOOD(cublasSaxpy_v2(h, 300, &alpha, dx, -2, dy, 1)); /* x backwards */
	fetch(y, dy, sizeof(y));
	for (int i = 0; i < 600; i++)
		bad += y[i] != (float)i + (i < 300 ? 2 * x[598 - 2 * i] : 0);
	is_u64(bad, 0, "axpy with other distances");
	GOOD(cublasDscal_v2(h, 100, &half, dd, 3));
	fetch(d, dd, sizeof(d));
	for (int i = 0; i < 300; i++)
		want += d[i] * d[299 - i];
	ok(d[3] == 1.5 && d[4] == 4, "scal");
	GOOD(cublasDdot_v2(h, 300, dd, 1, dd, -1, &s));
	ok(fabs(s - want) < 1e-9, "dot: %g", s);
	GOOD(cublasSnrm2_v2(h, 2, device((const float[]){3, 4}, 8), 1, &r));
	ok(r == 5, "nrm2: %g", (double)r);
	/* y = 2 A x + y, A = 1 3 5 / 2 4 6, x = 1 1 1 */
	fetch(y, dy, sizeof(y));
	for (int i = 0; i < 600; i++)
		x[i] = 1;
	drop(dx);
	dx = device(x, sizeof(x));
	GOOD(cublasSgemv_v2(h, 0, 2, 3, &alpha, da, 2, dx, 1, &beta, dy, 1));
	fetch(x, dy, 8);
	ok(x[0] == y[0] + 18 && x[1] == y[1] + 24, "gemv");
	GOOD(cublasSgemv_v2(h, 1, 2, 3, &alpha, da, 2, dx, 1, &beta, dy, 1));
	fetch(y, dy, 12);
	ok(y[0] == x[0] + 6 && y[1] == x[1] + 14, "gemv, transposed");
	/* scalars and results on the device */
	GOOD(cublasSetPointerMode_v2(h, 1));
	GOOD(cublasSnrm2_v2(h, 4, dx, 1, da));
	GOOD(cublasSaxpy_v2(h, 1, da, dx, 1, dy, 1));
	fetch(x, dy, 4);
	ok(x[0] == y[0] + 2, "a result on the device is the next scalar: %g", (double)x[0]);
	GOOD(cublasSetPointerMode_v2(h, 0));
	drop(dx);
	drop(dy);
	drop(dd);
	drop(da);
}

struct scaling {
	cublasHandle_t h;
	double *x;
	unsigned result;
};

static void *
halve_first(void *arg)
{
	struct scaling *s = arg;
	const double half = 0.5;

	s->result = cublasDscal_v2(s->h, 1, &half, s->x, 1);
	return NULL;
}

/* A thread that has called nothing of CUDA before. */
static void
test_thread(cublasHandle_t h)
{
	double x = 3;
	struct scaling s = {h, device(&x, sizeof(x)), 0};
	pthread_t thread;

	ok(!pthread_create(&thread, NULL, halve_first, &s) && !pthread_join(thread, NULL), "run");
	is_u64(s.result, 0, "a call of another thread");
	fetch(&x, s.x, sizeof(x));
	ok(x == 1.5, "its result: %g", x);
	drop(s.x);
}

/* A function that is missing is named once, with what the library has. */
static void
test_refusal(void)
{
	char text[300] = "";
	int before = dup(STDERR_FILENO);
	FILE *said = tmpfile();

	fflush(stderr);
	if (!said || before < 0 || dup2(fileno(said), STDERR_FILENO) < 0)
		exit(99);
	REFUSED(BLAS_NOT_SUPPORTED, cublasSgelsBatched());
	REFUSED(BLAS_NOT_SUPPORTED, cublasSgelsBatched());
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(said);
	text[fread(text, 1, sizeof(text) - 1, said)] = '\0';
	fclose(said);
	is_str(text,
	       "ctascope: cublasSgelsBatched is not supported: ctascope's libcublas has gemm, "
	       "geam, "
	       "gemv, axpy, scal, dot and nrm2 of real numbers, and other calls return "
	       "CUBLAS_STATUS_NOT_SUPPORTED\n",
	       "what is missing is named once");
}

static void
test_rest(cublasHandle_t h)
{
	float m[6] = {1, 2, 3, 4, 5, 6}, v[3] = {0};
	float *d = device(m, sizeof(m));
	CUstream s, t;
	int version = 0;

	GOOD(cuStreamCreate(&s, 0));
	GOOD(cublasSetStream_v2(h, s));
	GOOD(cublasGetStream_v2(h, &t));
	ok(s == t, "the stream");
	GOOD(cublasGetVersion_v2(h, &version));
	is_u64((unsigned)version, BLAS_MAJOR * 10000u, "the version");
	GOOD(cublasSetMatrix(1, 3, 4, m + 1, 2, d, 1));
	GOOD(cublasGetVector(3, 4, d, 1, v, 1));
	ok(v[0] == 2 && v[1] == 4 && v[2] == 6, "a row of a matrix");
	REFUSED(BLAS_INVALID_VALUE, cublasSetMatrix(1, 3, 4, m, 0, d, 1));
	REFUSED(BLAS_NOT_INITIALIZED, cublasSetStream_v2(NULL, s));
	REFUSED(BLAS_NOT_SUPPORTED, cublasCgemm_v2());
	test_refusal();
	REFUSED(BLAS_INVALID_VALUE, cublasSgemm_v2(h, 0, 0, 4, 4, 4, m, d, 3, d, 4, m, d, 4));
	is_str(cublasGetStatusString(13), "CUBLAS_STATUS_EXECUTION_FAILED", "names of results");
	drop(d);
}

int
main(void)
{
	cublasHandle_t h = NULL;

	GOOD(cublasCreate_v2(&h));
	if (!h)
		return done();
	test_sgemm(h);
	test_batch(h);
	test_halves(h);
	test_integers(h);
	test_batch_of_arrays(h);
	test_sum(h);
	test_dot_ex(h);
	test_vectors(h);
	test_thread(h);
	test_rest(h);
	GOOD(cublasDestroy_v2(h));
	return done();
}
