// SPDX-License-Identifier: GPL-3.0-or-later
// kernels.cu - the kernels of our libcublas. kernels.inc is their PTX as strings of C, made by
//
//     nvcc -ptx -arch=compute_75 -o kernels.ptx kernels.cu
//     sed '/^[[:space:]]*\/\//d; /^[[:space:]]*$/d; s/[[:space:]]*\/\/.*//; s/"/\\"/g; s/.*/"&\\n",/' kernels.ptx >kernels.inc
//
// Matrices are column-major. A scalar is read from its pointer, unless that is null; then it is the value.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define TILE 16

template <typename T> __device__ T scalar(const T *at, T value) { return at ? *at : value; }
template <typename Sum, typename T> __device__ Sum widen(T x) { return (Sum)x; }
template <> __device__ float widen<float, __half>(__half x) { return __half2float(x); }
template <> __device__ float widen<float, __nv_bfloat16>(__nv_bfloat16 x) { return __bfloat162float(x); }
template <typename T, typename Sum> __device__ T narrow(Sum x) { return (T)x; }
template <> __device__ __half narrow<__half, float>(float x) { return __float2half(x); }
template <> __device__ __nv_bfloat16 narrow<__nv_bfloat16, float>(float x) { return __float2bfloat16(x); }

// C = alpha op(A) op(B) + beta C, of m x k and k x n; a block for each 16 x 16 of C.
template <typename In, typename Out, typename Sum>
__device__ void
gemm(int ta, int tb, int m, int n, int k, const Sum *palpha, Sum alpha, const In *a, int lda, long long sa,
     const In *b, int ldb, long long sb, const Sum *pbeta, Sum beta, Out *c, int ldc, long long sc)
{
	__shared__ Sum left[TILE][TILE + 1], right[TILE][TILE + 1];
	int x = threadIdx.x, y = threadIdx.y;
	int row = blockIdx.x * TILE + x, col = blockIdx.y * TILE + y;
	Sum sum = 0;

	a += blockIdx.z * sa;
	b += blockIdx.z * sb;
	c += blockIdx.z * sc;
#pragma unroll 1
	for (int at = 0; at < k; at += TILE) {
		int p = at + y, q = at + x;

		left[y][x] = row < m && p < k ? widen<Sum>(ta ? a[p + (size_t)row * lda] : a[row + (size_t)p * lda]) : 0;
		right[y][x] = col < n && q < k ? widen<Sum>(tb ? b[col + (size_t)q * ldb] : b[q + (size_t)col * ldb]) : 0;
		__syncthreads();
		for (int i = 0; i < TILE; i++)
			sum += left[i][x] * right[y][i];
		__syncthreads();
	}
	if (row < m && col < n) {
		Out *to = c + row + (size_t)col * ldc;
		Sum scale = scalar(pbeta, beta);

		sum *= scalar(palpha, alpha);
		if (scale != 0) // otherwise C is not read, because it may contain anything, even NaN
			sum += scale * widen<Sum>(*to);
		*to = narrow<Out>(sum);
	}
}

#define GEMM(name, In, Out, Sum)                                                                                       \
	extern "C" __global__ void cublas_gemm_##name(int ta, int tb, int m, int n, int k, const Sum *palpha,          \
						      Sum alpha, const In *a, int lda, long long sa, const In *b,      \
						      int ldb, long long sb, const Sum *pbeta, Sum beta, Out *c,       \
						      int ldc, long long sc)                                           \
	{                                                                                                              \
		gemm<In, Out, Sum>(ta, tb, m, n, k, palpha, alpha, a, lda, sa, b, ldb, sb, pbeta, beta, c, ldc, sc);   \
	}
GEMM(f32, float, float, float)
GEMM(f64, double, double, double)
GEMM(f16, __half, __half, float)
GEMM(f16_f32, __half, float, float)
GEMM(bf16, __nv_bfloat16, __nv_bfloat16, float)
GEMM(bf16_f32, __nv_bfloat16, float, float)
GEMM(s8_s32, signed char, int, int)

// The products of a batch; the arrays a, b and c contain the addresses of its matrices. The distances, parameters of gemm, are not used.
#define GEMM_BATCHED(name, T, Sum)                                                                                     \
	extern "C" __global__ void cublas_gemm_##name##_batched(                                                       \
		int ta, int tb, int m, int n, int k, const Sum *palpha, Sum alpha, const T *const *a, int lda,         \
		long long, const T *const *b, int ldb, long long, const Sum *pbeta, Sum beta, T *const *c, int ldc,    \
		long long)                                                                                             \
	{                                                                                                              \
		int i = blockIdx.z;                                                                                    \
		gemm<T, T, Sum>(ta, tb, m, n, k, palpha, alpha, a[i], lda, 0, b[i], ldb, 0, pbeta, beta, c[i], ldc,    \
				0);                                                                                    \
	}
GEMM_BATCHED(f32, float, float)
GEMM_BATCHED(f64, double, double)
GEMM_BATCHED(f16, __half, float)

// C = alpha op(A) + beta op(B), a thread for each element of C, which is m x n. A matrix times 0 is not read.
template <typename T>
__device__ void
geam(int ta, int tb, int m, int n, const T *palpha, T alpha, const T *a, int lda, const T *pbeta, T beta, const T *b,
     int ldb, T *c, int ldc)
{
	int row = blockIdx.x * TILE + threadIdx.x, col = blockIdx.y * TILE + threadIdx.y;
	T p = scalar(palpha, alpha), q = scalar(pbeta, beta), sum = 0;

	if (row >= m || col >= n)
		return;
	if (p != 0)
		sum = p * (ta ? a[col + (size_t)row * lda] : a[row + (size_t)col * lda]);
	if (q != 0)
		sum += q * (tb ? b[col + (size_t)row * ldb] : b[row + (size_t)col * ldb]);
	c[row + (size_t)col * ldc] = sum;
}

#define GEAM(name, T)                                                                                                  \
	extern "C" __global__ void cublas_geam_##name(int ta, int tb, int m, int n, const T *palpha, T alpha,          \
						      const T *a, int lda, const T *pbeta, T beta, const T *b,         \
						      int ldb, T *c, int ldc)                                          \
	{                                                                                                              \
		geam(ta, tb, m, n, palpha, alpha, a, lda, pbeta, beta, b, ldb, c, ldc);                                \
	}
GEAM(f32, float)
GEAM(f64, double)

// y = alpha op(A) x + beta y, a thread for each element of y; A is m x n.
template <typename T>
__device__ void
gemv(int t, int m, int n, const T *palpha, T alpha, const T *a, int lda, const T *x, int incx, const T *pbeta,
     T beta, T *y, int incy)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, rows = t ? n : m, cols = t ? m : n;
	T sum = 0, scale = scalar(pbeta, beta);

	if (i >= rows)
		return;
	if (incx < 0)
		x -= (long long)(cols - 1) * incx;
	if (incy < 0)
		y -= (long long)(rows - 1) * incy;
#pragma unroll 1
	for (int j = 0; j < cols; j++)
		sum += (t ? a[j + (size_t)i * lda] : a[i + (size_t)j * lda]) * x[(long long)j * incx];
	sum *= scalar(palpha, alpha);
	if (scale != 0)
		sum += scale * y[(long long)i * incy];
	y[(long long)i * incy] = sum;
}

// The sum of x[i] y[i] of all threads of the only block; thread 0 has it.
template <typename Sum, typename T>
__device__ Sum
block_dot(int n, const T *x, int incx, const T *y, int incy)
{
	__shared__ Sum part[256];
	Sum sum = 0;

	if (incx < 0)
		x -= (long long)(n - 1) * incx;
	if (incy < 0)
		y -= (long long)(n - 1) * incy;
#pragma unroll 1
	for (int i = threadIdx.x; i < n; i += 256)
		sum += widen<Sum>(x[(long long)i * incx]) * widen<Sum>(y[(long long)i * incy]);
	part[threadIdx.x] = sum;
#pragma unroll 1
	for (int half = 128; half; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
	}
	return part[0];
}

#define DOT(name, T, Sum)                                                                                              \
	extern "C" __global__ void cublas_dot_##name(int n, const T *x, int incx, const T *y, int incy, T *to)         \
	{                                                                                                              \
		Sum sum = block_dot<Sum>(n, x, incx, y, incy);                                                         \
		if (threadIdx.x == 0)                                                                                  \
			*to = narrow<T>(sum);                                                                          \
	}
DOT(f32, float, float)
DOT(f64, double, double)
DOT(f16, __half, float)
DOT(bf16, __nv_bfloat16, float)

#define VECTORS(name, T)                                                                                               \
	extern "C" __global__ void cublas_gemv_##name(int t, int m, int n, const T *palpha, T alpha, const T *a,       \
						      int lda, const T *x, int incx, const T *pbeta, T beta, T *y,     \
						      int incy)                                                        \
	{                                                                                                              \
		gemv(t, m, n, palpha, alpha, a, lda, x, incx, pbeta, beta, y, incy);                                   \
	}                                                                                                              \
	extern "C" __global__ void cublas_axpy_##name(int n, const T *palpha, T alpha, const T *x, int incx, T *y,     \
						      int incy)                                                        \
	{                                                                                                              \
		int i = blockIdx.x * blockDim.x + threadIdx.x;                                                         \
		if (i < n)                                                                                             \
			y[(long long)(incy < 0 ? i - n + 1 : i) * incy] +=                                             \
				scalar(palpha, alpha) * x[(long long)(incx < 0 ? i - n + 1 : i) * incx];               \
	}                                                                                                              \
	extern "C" __global__ void cublas_scal_##name(int n, const T *palpha, T alpha, T *x, int incx)                 \
	{                                                                                                              \
		int i = blockIdx.x * blockDim.x + threadIdx.x;                                                         \
		if (i < n)                                                                                             \
			x[(long long)i * incx] *= scalar(palpha, alpha);                                               \
	}                                                                                                              \
	extern "C" __global__ void cublas_nrm2_##name(int n, const T *x, int incx, T *to)                              \
	{                                                                                                              \
		T sum = block_dot<T>(n, x, incx, x, incx);                                                             \
		if (threadIdx.x == 0)                                                                                  \
			*to = sqrt(sum);                                                                               \
	}
VECTORS(f32, float)
VECTORS(f64, double)
