// SPDX-License-Identifier: GPL-3.0-or-later
// textures.cu - texture objects over arrays of one, two and three dimensions and over memory.
#include "check.h"

__global__ void
read2d(cudaTextureObject_t t, float *to, int w, float shift)
{
	int x = threadIdx.x, y = blockIdx.x;

	to[y * w + x] = tex2D<float>(t, x + 0.5f + shift, y + 0.5f);
}

__global__ void
read1d(cudaTextureObject_t t, int *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] = tex1Dfetch<int>(t, i);
}

__global__ void
read3d(cudaTextureObject_t t, uchar4 *to)
{
	int i = threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z);

	to[i] = tex3D<uchar4>(t, threadIdx.x + 0.5f, threadIdx.y + 0.5f, threadIdx.z + 0.5f);
}

static void
two(float shift)
{
	const int w = 32, h = 8;
	float host[h][w], got[h][w], *d;
	cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
	cudaResourceDesc r = {};
	cudaTextureDesc t = {};
	cudaTextureObject_t o;
	cudaArray_t a;

	for (int i = 0; i < w * h; i++)
		host[i / w][i % w] = (float)(i * i % 97);
	CALL(cudaMallocArray(&a, &f, w, h));
	CALL(cudaMemcpy2DToArray(a, 0, 0, host, sizeof(host[0]), sizeof(host[0]), h, cudaMemcpyHostToDevice));
	CALL(cudaMalloc(&d, sizeof(got)));
	r.resType = cudaResourceTypeArray;
	r.res.array.array = a;
	t.addressMode[0] = t.addressMode[1] = cudaAddressModeClamp;
	t.filterMode = cudaFilterModeLinear;
	t.readMode = cudaReadModeElementType;
	CALL(cudaCreateTextureObject(&o, &r, &t, nullptr));
	read2d<<<h, w>>>(o, d, w, shift);
	CALL(cudaMemcpy(got, d, sizeof(got), cudaMemcpyDeviceToHost));
	for (int i = 0; i < w * h; i++)
		expect(got[i / w][i % w] == host[i / w][i % w]);
	/* half way between two texels lies their mean */
	read2d<<<h, w - 1>>>(o, d, w, shift + 0.5f);
	CALL(cudaMemcpy(got, d, sizeof(got), cudaMemcpyDeviceToHost));
	expect(got[2][3] == (host[2][3] + host[2][4]) / 2);
	CALL(cudaDestroyTextureObject(o));
	CALL(cudaFreeArray(a));
	CALL(cudaFree(d));
}

static void
line()
{
	const int n = 300;
	int host[n], got[n], *d, *out;
	cudaResourceDesc r = {};
	cudaTextureDesc t = {};
	cudaTextureObject_t o;

	for (int i = 0; i < n; i++)
		host[i] = 3 * i - 100;
	CALL(cudaMalloc(&d, sizeof(host)));
	CALL(cudaMalloc(&out, sizeof(host)));
	CALL(cudaMemcpy(d, host, sizeof(host), cudaMemcpyHostToDevice));
	r.resType = cudaResourceTypeLinear;
	r.res.linear.devPtr = d;
	r.res.linear.desc = cudaCreateChannelDesc<int>();
	r.res.linear.sizeInBytes = sizeof(host);
	CALL(cudaCreateTextureObject(&o, &r, &t, nullptr));
	read1d<<<3, 128>>>(o, out, n);
	CALL(cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		expect(got[i] == host[i]);
	CALL(cudaDestroyTextureObject(o));
	CALL(cudaFree(d));
	CALL(cudaFree(out));
}

static void
three()
{
	uchar4 host[2][3][4], got[2][3][4], *d;
	cudaChannelFormatDesc f = cudaCreateChannelDesc<uchar4>();
	cudaMemcpy3DParms c = {};
	cudaResourceDesc r = {};
	cudaTextureDesc t = {};
	cudaTextureObject_t o;
	cudaArray_t a;

	for (int i = 0; i < 24; i++)
		host[i / 12][i / 4 % 3][i % 4] = make_uchar4(i, 2 * i, 3 * i, 4 * i);
	CALL(cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 3, 2)));
	c.srcPtr = make_cudaPitchedPtr(host, 4 * sizeof(uchar4), 4, 3);
	c.dstArray = a;
	c.extent = make_cudaExtent(4, 3, 2);
	c.kind = cudaMemcpyHostToDevice;
	CALL(cudaMemcpy3D(&c));
	CALL(cudaMalloc(&d, sizeof(got)));
	r.resType = cudaResourceTypeArray;
	r.res.array.array = a;
	CALL(cudaCreateTextureObject(&o, &r, &t, nullptr));
	read3d<<<1, dim3(4, 3, 2)>>>(o, d);
	CALL(cudaMemcpy(got, d, sizeof(got), cudaMemcpyDeviceToHost));
	expect(memcmp(got, host, sizeof(got)) == 0);
	CALL(cudaDestroyTextureObject(o));
	CALL(cudaFreeArray(a));
	CALL(cudaFree(d));
}

int
main(int argc, char **argv)
{
	two((float)told_fault(argc, argv));
	line();
	three();
	return report();
}
