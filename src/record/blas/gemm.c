/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gemm.c - computes products and sums of matrices. */
#include "record/blas/blas.h"

#include <stdio.h>
#include <string.h>

#define TILE 16u /* of kernels.cu */

struct product {
	int ta, tb, m, n, k;
	const void *alpha, *a, *b, *beta;
	void *c;
	int lda, ldb, ldc;
	long long sa, sb, sc; /* distances of the matrices of a batch */
	int batch;
	int in, out; /* cudaDataType of A and B, and of C */
	bool halves; /* the scalars are f16 */
	bool arrays; /* a, b and c are arrays of the addresses of the batch's matrices */
};

/* Returns the kernel for the types; NULL: there is none. */
static const char *
find_gemm_kernel(const struct product *p)
{
	static const struct {
		int in, out;
		const char *name;
	} kernels[] = {{BLAS_R_32F, BLAS_R_32F, "cublas_gemm_f32"},
		       {BLAS_R_64F, BLAS_R_64F, "cublas_gemm_f64"},
		       {BLAS_R_16F, BLAS_R_16F, "cublas_gemm_f16"},
		       {BLAS_R_16F, BLAS_R_32F, "cublas_gemm_f16_f32"},
		       {BLAS_R_16BF, BLAS_R_16BF, "cublas_gemm_bf16"},
		       {BLAS_R_16BF, BLAS_R_32F, "cublas_gemm_bf16_f32"},
		       {BLAS_R_8I, BLAS_R_32I, "cublas_gemm_s8_s32"}};

	for (size_t i = 0; i < ARRAY_LEN(kernels); i++)
		if (kernels[i].in == p->in && kernels[i].out == p->out)
			return kernels[i].name;
	return NULL;
}

static float
half_to_float(const void *p)
{
	uint16_t h;
	uint32_t bits;
	float f;

	memcpy(&h, p, sizeof(h));
	if (!(h & 0x7c00)) { /* zero, or a small number */
		f = (float)(h & 0x3ff) / 16777216.0f;
		return h & 0x8000 ? -f : f;
	}
	bits = (uint32_t)(h & 0x8000) << 16 | (uint32_t)(h & 0x3ff) << 13;
	bits |= (h & 0x7c00) == 0x7c00 ? 0x7f800000 : ((uint32_t)(h >> 10 & 31) + 112) << 23;
	memcpy(&f, &bits, sizeof(f));
	return f;
}

static struct scalar
get_product_scalar(const struct blas *h, const struct product *p, const void *at)
{
	return p->halves ? (struct scalar){.f = half_to_float(at)}
			 : blas_scalar(h, at, p->in == BLAS_R_64F);
}

static bool
is_valid(const struct product *p)
{
	int a = p->ta ? p->k : p->m, b = p->tb ? p->n : p->k;

	return p->ta >= 0 && p->ta <= BLAS_OP_C && p->tb >= 0 && p->tb <= BLAS_OP_C && p->m >= 0 &&
	       p->n >= 0 && p->k >= 0 && p->batch >= 0 && p->alpha && p->beta &&
	       p->lda >= MAX(a, 1) && p->ldb >= MAX(b, 1) && p->ldc >= MAX(p->m, 1);
}

static cublasStatus_t
launch_product(struct blas *h, struct product *p)
{
	const char *name = find_gemm_kernel(p);
	struct scalar alpha, beta;
	char batched[40];
	unsigned grid[3];

	if (!h)
		return BLAS_NOT_INITIALIZED;
	if (!is_valid(p))
		return BLAS_INVALID_VALUE;
	if (!name || (p->halves && h->pointers)) {
		blas_print(
			"this matrix product is not supported: ctascope's libcublas has f32, f64, "
			"f16 and bf16, f16 and bf16 with C in f32, and s8 with C in s32");
		return BLAS_NOT_SUPPORTED;
	}
	if (!p->m || !p->n || !p->batch)
		return BLAS_SUCCESS;
	if (p->arrays) {
		snprintf(batched, sizeof(batched), "%s_batched", name);
		name = batched;
	}
	alpha = get_product_scalar(h, p, p->alpha);
	beta = get_product_scalar(h, p, p->beta);
	grid[0] = ((unsigned)p->m + TILE - 1) / TILE;
	grid[1] = ((unsigned)p->n + TILE - 1) / TILE;
	grid[2] = (unsigned)p->batch;
	return blas_launch(h, name, grid, TILE, TILE,
			   (void *[]){&p->ta, &p->tb, &p->m, &p->n, &p->k, &alpha.at, &alpha.d,
				      &p->a, &p->lda, &p->sa, &p->b, &p->ldb, &p->sb, &beta.at,
				      &beta.d, &p->c, &p->ldc, &p->sc});
}

/* C = alpha op(A) + beta op(B), all of m x n. */
static cublasStatus_t
add_matrices(struct blas *h, struct product *p, const char *name, bool is_double)
{
	struct scalar alpha, beta;
	unsigned grid[3] = {1, 1, 1};

	if (!h)
		return BLAS_NOT_INITIALIZED;
	if (p->ta < 0 || p->ta > BLAS_OP_C || p->tb < 0 || p->tb > BLAS_OP_C || p->m < 0 ||
	    p->n < 0 || !p->alpha || !p->beta || p->lda < MAX(p->ta ? p->n : p->m, 1) ||
	    p->ldb < MAX(p->tb ? p->n : p->m, 1) || p->ldc < MAX(p->m, 1))
		return BLAS_INVALID_VALUE;
	if (!p->m || !p->n)
		return BLAS_SUCCESS;
	alpha = blas_scalar(h, p->alpha, is_double);
	beta = blas_scalar(h, p->beta, is_double);
	grid[0] = ((unsigned)p->m + TILE - 1) / TILE;
	grid[1] = ((unsigned)p->n + TILE - 1) / TILE;
	return blas_launch(h, name, grid, TILE, TILE,
			   (void *[]){&p->ta, &p->tb, &p->m, &p->n, &alpha.at, &alpha.d, &p->a,
				      &p->lda, &beta.at, &beta.d, &p->b, &p->ldb, &p->c, &p->ldc});
}

#define HEAD cublasHandle_t h, int ta, int tb, int m, int n, int k
#define TYPED(name, type, of, small)                                                        \
	EXPORT cublas##name(HEAD, const void *alpha, const void *a, int lda, const void *b, \
			    int ldb, const void *beta, void *c, int ldc);                   \
	EXPORT cublas##name(HEAD, const void *alpha, const void *a, int lda, const void *b, \
			    int ldb, const void *beta, void *c, int ldc)                    \
	{                                                                                   \
		struct product p = {ta,	 tb,  m, n, k, alpha, a,  b,  beta,  c,	   lda,     \
				    ldb, ldc, 0, 0, 0, 1,     of, of, small, false};        \
		return launch_product(h, &p);                                               \
	}
#define STRIDED(name, of, small)                                                             \
	EXPORT cublas##name(HEAD, const void *alpha, const void *a, int lda, long long sa,   \
			    const void *b, int ldb, long long sb, const void *beta, void *c, \
			    int ldc, long long sc, int batch);                               \
	EXPORT cublas##name(HEAD, const void *alpha, const void *a, int lda, long long sa,   \
			    const void *b, int ldb, long long sb, const void *beta, void *c, \
			    int ldc, long long sc, int batch)                                \
	{                                                                                    \
		struct product p = {ta,	 tb,  m,  n,  k,  alpha, a,  b,	 beta,	c,    lda,   \
				    ldb, ldc, sa, sb, sc, batch, of, of, small, false};      \
		return launch_product(h, &p);                                                \
	}
#define BATCHED(name, of, small)                                                            \
	EXPORT cublas##name(HEAD, const void *alpha, const void *a, int lda, const void *b, \
			    int ldb, const void *beta, void *c, int ldc, int batch);        \
	EXPORT cublas##name(HEAD, const void *alpha, const void *a, int lda, const void *b, \
			    int ldb, const void *beta, void *c, int ldc, int batch)         \
	{                                                                                   \
		struct product p = {ta,	 tb,  m, n, k, alpha, a,  b,  beta,  c,	  lda,      \
				    ldb, ldc, 0, 0, 0, batch, of, of, small, true};         \
		return launch_product(h, &p);                                               \
	}
TYPED(Sgemm_v2, float, BLAS_R_32F, false)
TYPED(Dgemm_v2, double, BLAS_R_64F, false)
TYPED(Hgemm, half, BLAS_R_16F, true)
STRIDED(SgemmStridedBatched, BLAS_R_32F, false)
STRIDED(DgemmStridedBatched, BLAS_R_64F, false)
STRIDED(HgemmStridedBatched, BLAS_R_16F, true)
BATCHED(SgemmBatched, BLAS_R_32F, false)
BATCHED(DgemmBatched, BLAS_R_64F, false)
BATCHED(HgemmBatched, BLAS_R_16F, true)

#define GEAM(name, type, suffix, is_double)                                                    \
	EXPORT cublas##name(cublasHandle_t h, int ta, int tb, int m, int n, const type *alpha, \
			    const type *a, int lda, const type *beta, const type *b, int ldb,  \
			    type *c, int ldc);                                                 \
	EXPORT cublas##name(cublasHandle_t h, int ta, int tb, int m, int n, const type *alpha, \
			    const type *a, int lda, const type *beta, const type *b, int ldb,  \
			    type *c, int ldc)                                                  \
	{                                                                                      \
		struct product p = {.ta = ta,                                                  \
				    .tb = tb,                                                  \
				    .m = m,                                                    \
				    .n = n,                                                    \
				    .alpha = alpha,                                            \
				    .a = a,                                                    \
				    .b = b,                                                    \
				    .beta = beta,                                              \
				    .c = c,                                                    \
				    .lda = lda,                                                \
				    .ldb = ldb,                                                \
				    .ldc = ldc};                                               \
		return add_matrices(h, &p, "cublas_geam_" suffix, is_double);                  \
	}
GEAM(Sgeam, float, "f32", false)
GEAM(Dgeam, double, "f64", true)

/* Launches a product of the Ex functions, for which the caller gives the types; A and B have the
 * same. */
static cublasStatus_t
launch_product_ex(struct blas *h, struct product *p, int type_b, int compute)
{
	bool wide = compute == BLAS_COMPUTE_64F || compute == BLAS_COMPUTE_64F_PEDANTIC;
	bool whole = compute == BLAS_COMPUTE_32I || compute == BLAS_COMPUTE_32I_PEDANTIC;

	p->halves = compute == BLAS_COMPUTE_16F || compute == BLAS_COMPUTE_16F + 1;
	if (p->in != type_b || wide != (p->in == BLAS_R_64F) || whole != (p->in == BLAS_R_8I))
		p->in = -1; /* no kernel */
	return launch_product(h, p);
}

EXPORT cublasGemmEx(HEAD, const void *alpha, const void *a, int type_a, int lda, const void *b,
		    int type_b, int ldb, const void *beta, void *c, int type_c, int ldc,
		    int compute, int algo);
EXPORT
cublasGemmEx(HEAD, const void *alpha, const void *a, int type_a, int lda, const void *b, int type_b,
	     int ldb, const void *beta, void *c, int type_c, int ldc, int compute,
	     int algo ATTR_UNUSED)
{
	struct product p = {ta,	 tb,  m, n, k, alpha, a,      b,      beta,  c,	   lda,
			    ldb, ldc, 0, 0, 0, 1,     type_a, type_c, false, false};

	return launch_product_ex(h, &p, type_b, compute);
}

EXPORT cublasGemmStridedBatchedEx(HEAD, const void *alpha, const void *a, int type_a, int lda,
				  long long sa, const void *b, int type_b, int ldb, long long sb,
				  const void *beta, void *c, int type_c, int ldc, long long sc,
				  int batch, int compute, int algo);
EXPORT
cublasGemmStridedBatchedEx(HEAD, const void *alpha, const void *a, int type_a, int lda,
			   long long sa, const void *b, int type_b, int ldb, long long sb,
			   const void *beta, void *c, int type_c, int ldc, long long sc, int batch,
			   int compute, int algo ATTR_UNUSED)
{
	struct product p = {ta,	 tb,  m,  n,  k,  alpha, a,	 b,	 beta,	c,    lda,
			    ldb, ldc, sa, sb, sc, batch, type_a, type_c, false, false};

	return launch_product_ex(h, &p, type_b, compute);
}

EXPORT cublasSgemmEx(HEAD, const void *alpha, const void *a, int type_a, int lda, const void *b,
		     int type_b, int ldb, const void *beta, void *c, int type_c, int ldc);
EXPORT
cublasSgemmEx(HEAD, const void *alpha, const void *a, int type_a, int lda, const void *b,
	      int type_b, int ldb, const void *beta, void *c, int type_c, int ldc)
{
	return cublasGemmEx(h, ta, tb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c,
			    type_c, ldc, 0, 0);
}
