// SPDX-License-Identifier: GPL-3.0-or-later
// gemm.cu - C = a A B + b C in the manner of PolyBench: a thread for each element, and the rows of A summed up.
#include "check.h"

__global__ void
gemm(const double *a, const double *b, double *c, int ni, int nj, int nk, double alpha, double beta)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i >= ni || j >= nj)
		return;
	c[i * nj + j] *= beta;
	for (int k = 0; k < nk; k++)
		c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
}

__global__ void
rows(const double *a, double *sum, int ni, int nk)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= ni)
		return;
	sum[i] = 0;
	for (int k = 0; k < nk; k++)
		sum[i] += a[i * nk + k];
}

int
main(int argc, char **argv)
{
	const int ni = 20, nj = 33, nk = 12;
	double a[ni * nk], b[nk * nj], c[ni * nj], got[ni * nj], sum[ni], *da, *db, *dc, *ds;
	double alpha = 3, beta = 2 + told_fault(argc, argv);

	for (int i = 0; i < ni * nk; i++)
		a[i] = i % 17 - 5;
	for (int i = 0; i < nk * nj; i++)
		b[i] = i % 13 - 4;
	for (int i = 0; i < ni * nj; i++)
		c[i] = i % 7 + 1;
	CALL(cudaMalloc(&da, sizeof(a)));
	CALL(cudaMalloc(&db, sizeof(b)));
	CALL(cudaMalloc(&dc, sizeof(c)));
	CALL(cudaMalloc(&ds, sizeof(sum)));
	CALL(cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice));
	CALL(cudaMemcpy(db, b, sizeof(b), cudaMemcpyHostToDevice));
	CALL(cudaMemcpy(dc, c, sizeof(c), cudaMemcpyHostToDevice));
	gemm<<<dim3((nj + 31) / 32, (ni + 7) / 8), dim3(32, 8)>>>(da, db, dc, ni, nj, nk, alpha, beta);
	rows<<<1, 32>>>(da, ds, ni, nk);
	CALL(cudaDeviceSynchronize());
	CALL(cudaMemcpy(got, dc, sizeof(got), cudaMemcpyDeviceToHost));
	CALL(cudaMemcpy(sum, ds, sizeof(sum), cudaMemcpyDeviceToHost));
	for (int i = 0; i < ni; i++) {
		double s = 0;

		for (int j = 0; j < nj; j++) {
			double v = 2 * c[i * nj + j];

			for (int k = 0; k < nk; k++)
				v += 3 * a[i * nk + k] * b[k * nj + j];
			expect(got[i * nj + j] == v);
		}
		for (int k = 0; k < nk; k++)
			s += a[i * nk + k];
		expect(sum[i] == s);
	}
	CALL(cudaFree(da));
	CALL(cudaFree(db));
	CALL(cudaFree(dc));
	CALL(cudaFree(ds));
	return report();
}
