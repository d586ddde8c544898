// SPDX-License-Identifier: GPL-3.0-or-later
// stencil.cu - heat spreads over a plate, in the manner of Rodinia's hotspot: tiles with a border in shared memory, two
// buffers that change places.
#include "check.h"

#define TILE 16

__global__ void
spread(const float *from, float *to, int w, int h, float part)
{
	__shared__ float tile[TILE + 2][TILE + 2];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
	bool inside = x < w && y < h;

	if (inside) {
		tile[ty][tx] = from[y * w + x];
		if (tx == 1 && x > 0)
			tile[ty][0] = from[y * w + x - 1];
		if ((tx == TILE || x == w - 1) && x < w - 1)
			tile[ty][tx + 1] = from[y * w + x + 1];
		if (ty == 1 && y > 0)
			tile[0][tx] = from[(y - 1) * w + x];
		if ((ty == TILE || y == h - 1) && y < h - 1)
			tile[ty + 1][tx] = from[(y + 1) * w + x];
	}
	__syncthreads();
	if (inside && x > 0 && y > 0 && x < w - 1 && y < h - 1)
		to[y * w + x] = tile[ty][tx] + part * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
						       tile[ty + 1][tx] - 4 * tile[ty][tx]);
	else if (inside)
		to[y * w + x] = tile[ty][tx];
}

static float
expected(const float *p, int w)
{
	return p[0] + 0.125f * (p[-1] + p[1] + p[-w] + p[w] - 4 * p[0]);
}

int
main(int argc, char **argv)
{
	const int w = 45, h = 38, steps = 4;
	static float a[h * w], b[h * w], got[h * w];
	float part = told_fault(argc, argv) ? 0.25f : 0.125f, *d[2];

	for (int i = 0; i < w * h; i++)
		a[i] = b[i] = (float)(i * 7 % 64); /* eighths stay exact for some steps */
	CALL(cudaMalloc(&d[0], sizeof(a)));
	CALL(cudaMalloc(&d[1], sizeof(a)));
	CALL(cudaMemcpy(d[0], a, sizeof(a), cudaMemcpyHostToDevice));
	for (int s = 0; s < steps; s++) {
		spread<<<dim3((w + TILE - 1) / TILE, (h + TILE - 1) / TILE), dim3(TILE, TILE)>>>(d[s % 2], d[1 - s % 2],
												   w, h, part);
		for (int y = 1; y < h - 1; y++)
			for (int x = 1; x < w - 1; x++)
				b[y * w + x] = expected(a + y * w + x, w);
		memcpy(a, b, sizeof(a));
	}
	CALL(cudaMemcpy(got, d[steps % 2], sizeof(got), cudaMemcpyDeviceToHost));
	for (int i = 0; i < w * h; i++)
		expect(got[i] == a[i]);
	CALL(cudaFree(d[0]));
	CALL(cudaFree(d[1]));
	return report();
}
