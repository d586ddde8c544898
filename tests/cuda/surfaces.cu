// SPDX-License-Identifier: GPL-3.0-or-later
// surfaces.cu - surface objects: an array that one kernel writes and the next reads through a texture.
#include "check.h"

__global__ void
write(cudaSurfaceObject_t s, float more)
{
	surf2Dwrite((float)(100 * blockIdx.x + threadIdx.x) + more, s, threadIdx.x * sizeof(float), blockIdx.x);
}

__global__ void
turn(cudaSurfaceObject_t s, cudaTextureObject_t t, float *to, int w, int h)
{
	int x = threadIdx.x, y = blockIdx.x;
	float v;

	surf2Dread(&v, s, (w - 1 - x) * sizeof(float), h - 1 - y, cudaBoundaryModeTrap);
	to[y * w + x] = v - tex2D<float>(t, x + 0.5f, y + 0.5f);
}

int
main(int argc, char **argv)
{
	const int w = 20, h = 7;
	float got[h][w], *d;
	cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
	cudaResourceDesc r = {};
	cudaTextureDesc t = {};
	cudaSurfaceObject_t s;
	cudaTextureObject_t o;
	cudaArray_t a;

	CALL(cudaMallocArray(&a, &f, w, h, cudaArraySurfaceLoadStore));
	CALL(cudaMalloc(&d, sizeof(got)));
	r.resType = cudaResourceTypeArray;
	r.res.array.array = a;
	CALL(cudaCreateSurfaceObject(&s, &r));
	CALL(cudaCreateTextureObject(&o, &r, &t, nullptr));
	write<<<h, w>>>(s, (float)told_fault(argc, argv));
	CALL(cudaMemcpy2DFromArray(got, sizeof(got[0]), a, 0, 0, sizeof(got[0]), h, cudaMemcpyDeviceToHost));
	for (int i = 0; i < w * h; i++)
		expect(got[i / w][i % w] == 100 * (i / w) + i % w);
	turn<<<h, w>>>(s, o, d, w, h);
	CALL(cudaMemcpy(got, d, sizeof(got), cudaMemcpyDeviceToHost));
	for (int i = 0; i < w * h; i++)
		expect(got[i / w][i % w] == 100 * (h - 1 - 2 * (i / w)) + w - 1 - 2 * (i % w));
	CALL(cudaDestroySurfaceObject(s));
	CALL(cudaDestroyTextureObject(o));
	CALL(cudaFreeArray(a));
	CALL(cudaFree(d));
	return report();
}
