// SPDX-License-Identifier: GPL-3.0-or-later
// streams.cu - vector addition in pieces: streams, events, callbacks, page-locked memory, 2D copies.
#include "check.h"

__global__ void
add(const float *a, const float *b, float *c, int n, float more)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i] + more;
}

__global__ void
transpose(const int *from, int *to, int w, int h, size_t pitch)
{
	__shared__ int tile[16][17];
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;

	if (x < w && y < h)
		tile[threadIdx.y][threadIdx.x] = from[y * (pitch / sizeof(int)) + x];
	__syncthreads();
	x = blockIdx.y * 16 + threadIdx.x;
	y = blockIdx.x * 16 + threadIdx.y;
	if (x < h && y < w)
		to[y * h + x] = tile[threadIdx.x][threadIdx.y];
}

static void CUDART_CB
count(cudaStream_t, cudaError_t status, void *data)
{
	*(int *)data += status == cudaSuccess;
}

static void
pieces(float more)
{
	const int n = 4000, piece = 1000;
	float *a, *b, *c, *da, *db, *dc, ms = 0;
	cudaStream_t s[4];
	cudaEvent_t begin, end;
	int called = 0;

	CALL(cudaMallocHost(&a, n * sizeof(float)));
	CALL(cudaHostAlloc(&b, n * sizeof(float), cudaHostAllocMapped));
	CALL(cudaMallocHost(&c, n * sizeof(float)));
	CALL(cudaMalloc(&da, n * sizeof(float)));
	CALL(cudaHostGetDevicePointer(&db, b, 0));
	CALL(cudaMallocAsync(&dc, n * sizeof(float), 0));
	for (int i = 0; i < n; i++) {
		a[i] = i;
		b[i] = 2 * i;
	}
	CALL(cudaEventCreate(&begin));
	CALL(cudaEventCreate(&end));
	CALL(cudaEventRecord(begin));
	for (int i = 0; i < 4; i++) {
		int at = i * piece;

		CALL(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
		CALL(cudaMemcpyAsync(da + at, a + at, piece * sizeof(float), cudaMemcpyHostToDevice,
				     s[i]));
		add<<<(piece + 127) / 128, 128, 0, s[i]>>>(da + at, db + at, dc + at, piece, more);
		CALL(cudaGetLastError());
		CALL(cudaMemcpyAsync(c + at, dc + at, piece * sizeof(float), cudaMemcpyDeviceToHost,
				     s[i]));
		CALL(cudaStreamAddCallback(s[i], count, &called, 0));
	}
	CALL(cudaEventRecord(end));
	CALL(cudaEventSynchronize(end));
	CALL(cudaDeviceSynchronize());
	CALL(cudaEventElapsedTime(&ms, begin, end));
	expect(ms > 0);
	expect(called == 4);
	for (int i = 0; i < n; i++)
		expect(c[i] == 3.0f * i);
	for (int i = 0; i < 4; i++)
		CALL(cudaStreamDestroy(s[i]));
	CALL(cudaFreeAsync(dc, 0));
	CALL(cudaFree(da));
	CALL(cudaFreeHost(a));
	CALL(cudaFreeHost(b));
	CALL(cudaFreeHost(c));
}

int
main(int argc, char **argv)
{
	const int w = 50, h = 35;
	int from[h][w], to[w][h], *d, *t;
	size_t pitch;

	pieces((float)told_fault(argc, argv));
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			from[y][x] = 1000 * y + x;
	CALL(cudaMallocPitch(&d, &pitch, w * sizeof(int), h));
	CALL(cudaMalloc(&t, sizeof(to)));
	CALL(cudaMemcpy2D(d, pitch, from, sizeof(from[0]), sizeof(from[0]), h, cudaMemcpyHostToDevice));
	transpose<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d, t, w, h, pitch);
	CALL(cudaMemcpy(to, t, sizeof(to), cudaMemcpyDefault));
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			expect(to[x][y] == 1000 * y + x);
	CALL(cudaFree(d));
	CALL(cudaFree(t));
	return report();
}
