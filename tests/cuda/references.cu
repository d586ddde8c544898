// SPDX-License-Identifier: GPL-3.0-or-later
// references.cu - texture and surface references, which CUDA 12 dropped: variables of the file, bound to memory.
#include "check.h"

static texture<int, 1> line;
static texture<float, 2> plane;
static texture<float4, 2> wide;
static texture<unsigned char, 2, cudaReadModeNormalizedFloat> grey;
static texture<short, 3> box;
static surface<void, 1> row;
static surface<void, 2> sheet;
static surface<void, 3> block;
static surface<void, cudaSurfaceType2DLayered> stack;

__global__ void
read_line(int *to, int n, int more)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] = tex1Dfetch(line, i) + more;
}

__global__ void
read_planes(float *to, int w)
{
	int x = threadIdx.x, y = blockIdx.x;
	float4 v = tex2D(wide, x + 0.5f, y + 0.5f);

	to[y * w + x] = tex2D(plane, x + 1.0f, y + 0.5f) + v.x + v.w +
			255 * tex2D(grey, x + 0.5f, y + 0.5f);
}

__global__ void
read_box(short *to)
{
	int i = threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z);

	to[i] = tex3D(box, threadIdx.x, threadIdx.y, threadIdx.z);
}

__global__ void
change(int *to, int w)
{
	int x = threadIdx.x, y = blockIdx.x, got;
	uchar4 c;

	surf2Dread(&got, sheet, x * 4, y);
	to[y * w + x] = got;
	surf2Dwrite(got * 2, sheet, x * 4, y, cudaBoundaryModeClamp);
	surf1Dwrite(got, row, (y * w + x) * 4, cudaBoundaryModeZero);
	surf3Dread(&c, block, x * 4, y % 2, 1);
	surf3Dwrite(make_uchar4(c.w, c.z, c.y, c.x), block, x * 4, y % 2, 0);
	surf2DLayeredwrite(got + 1, stack, x * 4, y, 1);
}

static void
lines(int more)
{
	const int n = 300;
	int host[n], got[n], *from, *to;
	size_t offset = 1;

	for (int i = 0; i < n; i++)
		host[i] = 5 * i - 40;
	CALL(cudaMalloc(&from, sizeof(host)));
	CALL(cudaMalloc(&to, sizeof(host)));
	CALL(cudaMemcpy(from, host, sizeof(host), cudaMemcpyHostToDevice));
	CALL(cudaBindTexture(&offset, line, from, sizeof(host)));
	expect(offset == 0);
	read_line<<<3, 128>>>(to, n, more);
	CALL(cudaMemcpy(got, to, sizeof(got), cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		expect(got[i] == host[i]);
	CALL(cudaUnbindTexture(line));
	CALL(cudaFree(from));
	CALL(cudaFree(to));
}

static void
planes()
{
	const int w = 16, h = 6;
	float f[h][w], got[h][w], *d;
	float4 v[h][w], *dv;
	unsigned char g[h][w];
	cudaChannelFormatDesc ff = cudaCreateChannelDesc<float>(), gf = cudaCreateChannelDesc<unsigned char>();
	cudaArray_t fa, ga;
	size_t pitch;

	for (int i = 0; i < w * h; i++) {
		f[i / w][i % w] = (float)(i * 2);
		v[i / w][i % w] = make_float4((float)i, -1, -1, (float)(1000 - i));
		g[i / w][i % w] = (unsigned char)(i + 3);
	}
	CALL(cudaMallocArray(&fa, &ff, w, h));
	CALL(cudaMallocArray(&ga, &gf, w, h));
	CALL(cudaMemcpy2DToArray(fa, 0, 0, f, sizeof(f[0]), sizeof(f[0]), h, cudaMemcpyHostToDevice));
	CALL(cudaMemcpyToArray(ga, 0, 0, g, sizeof(g), cudaMemcpyHostToDevice));
	CALL(cudaMallocPitch(&dv, &pitch, sizeof(v[0]), h));
	CALL(cudaMemcpy2D(dv, pitch, v, sizeof(v[0]), sizeof(v[0]), h, cudaMemcpyHostToDevice));
	plane.filterMode = cudaFilterModeLinear;
	plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
	CALL(cudaBindTextureToArray(plane, fa));
	CALL(cudaBindTextureToArray(grey, ga, gf));
	CALL(cudaBindTexture2D(nullptr, wide, dv, cudaCreateChannelDesc<float4>(), w, h, pitch));
	CALL(cudaMalloc(&d, sizeof(got)));
	read_planes<<<h, w - 1>>>(d, w);
	CALL(cudaMemcpy(got, d, sizeof(got), cudaMemcpyDeviceToHost));
	for (int i = 0; i < w * h; i++)
		if (i % w < w - 1) /* 255 times a float of a byte over 255 is nearly that byte */
			expect(fabsf(got[i / w][i % w] - (i * 2 + 1 + 1000 + i + 3)) < 1e-2f);
	CALL(cudaFreeArray(fa));
	CALL(cudaFreeArray(ga));
	CALL(cudaFree(dv));
	CALL(cudaFree(d));
}

static void
boxes()
{
	short host[2][3][4], got[2][3][4], *d;
	cudaChannelFormatDesc f = cudaCreateChannelDesc<short>();
	cudaMemcpy3DParms c = {};
	cudaArray_t a;

	for (int i = 0; i < 24; i++)
		host[i / 12][i / 4 % 3][i % 4] = (short)(7 * i - 50);
	CALL(cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 3, 2)));
	c.srcPtr = make_cudaPitchedPtr(host, sizeof(host[0][0]), 4, 3);
	c.dstArray = a;
	c.extent = make_cudaExtent(4, 3, 2);
	c.kind = cudaMemcpyHostToDevice;
	CALL(cudaMemcpy3D(&c));
	CALL(cudaBindTextureToArray(box, a, f));
	CALL(cudaMalloc(&d, sizeof(got)));
	read_box<<<1, dim3(4, 3, 2)>>>(d);
	CALL(cudaMemcpy(got, d, sizeof(got), cudaMemcpyDeviceToHost));
	expect(memcmp(got, host, sizeof(got)) == 0);
	CALL(cudaFreeArray(a));
	CALL(cudaFree(d));
}

static void
surfaces()
{
	const int w = 8, h = 4;
	int host[h][w], got[h][w], *d;
	uchar4 deep[2][2][w];
	cudaChannelFormatDesc f = cudaCreateChannelDesc<int>(), cf = cudaCreateChannelDesc<uchar4>();
	cudaMemcpy3DParms c = {};
	cudaArray_t a, line, layers, cube;

	for (int i = 0; i < w * h; i++)
		host[i / w][i % w] = 11 * i - 60;
	for (int i = 0; i < 4 * w; i++)
		deep[i / 2 / w][i / w % 2][i % w] = make_uchar4(i, 2 * i, 3 * i, 4 * i);
	CALL(cudaMallocArray(&a, &f, w, h, cudaArraySurfaceLoadStore));
	CALL(cudaMallocArray(&line, &f, w * h, 0, cudaArraySurfaceLoadStore));
	CALL(cudaMalloc3DArray(&layers, &f, make_cudaExtent(w, h, 3), cudaArrayLayered | cudaArraySurfaceLoadStore));
	CALL(cudaMalloc3DArray(&cube, &cf, make_cudaExtent(w, 2, 2), cudaArraySurfaceLoadStore));
	CALL(cudaMemcpy2DToArray(a, 0, 0, host, sizeof(host[0]), sizeof(host[0]), h, cudaMemcpyHostToDevice));
	c.srcPtr = make_cudaPitchedPtr(deep, sizeof(deep[0][0]), w, 2);
	c.dstArray = cube;
	c.extent = make_cudaExtent(w, 2, 2);
	c.kind = cudaMemcpyHostToDevice;
	CALL(cudaMemcpy3D(&c));
	CALL(cudaBindSurfaceToArray(sheet, a));
	CALL(cudaBindSurfaceToArray(row, line));
	CALL(cudaBindSurfaceToArray(stack, layers, f));
	CALL(cudaBindSurfaceToArray(block, cube));
	CALL(cudaMalloc(&d, sizeof(got)));
	change<<<h, w>>>(d, w);
	CALL(cudaMemcpy(got, d, sizeof(got), cudaMemcpyDeviceToHost));
	expect(memcmp(got, host, sizeof(got)) == 0);
	CALL(cudaMemcpy2DFromArray(got, sizeof(got[0]), a, 0, 0, sizeof(got[0]), h, cudaMemcpyDeviceToHost));
	for (int i = 0; i < w * h; i++)
		expect(got[i / w][i % w] == 2 * host[i / w][i % w]);
	CALL(cudaMemcpyFromArray(got, line, 0, 0, sizeof(got), cudaMemcpyDeviceToHost));
	expect(memcmp(got, host, sizeof(got)) == 0);
	c = cudaMemcpy3DParms{};
	c.srcArray = layers;
	c.srcPos = make_cudaPos(0, 0, 1);
	c.dstPtr = make_cudaPitchedPtr(got, sizeof(got[0]), w, h);
	c.extent = make_cudaExtent(w, h, 1);
	c.kind = cudaMemcpyDeviceToHost;
	CALL(cudaMemcpy3D(&c));
	for (int i = 0; i < w * h; i++)
		expect(got[i / w][i % w] == host[i / w][i % w] + 1);
	c = cudaMemcpy3DParms{};
	c.srcArray = cube;
	c.dstPtr = make_cudaPitchedPtr(deep, sizeof(deep[0][0]), w, 2);
	c.extent = make_cudaExtent(w, 2, 1);
	c.kind = cudaMemcpyDeviceToHost;
	CALL(cudaMemcpy3D(&c));
	for (int i = 0; i < 2 * w; i++) {
		uchar4 v = deep[0][i / w][i % w], k = deep[1][i / w][i % w];

		expect(v.x == k.w && v.y == k.z && v.z == k.y && v.w == k.x);
	}
	CALL(cudaFreeArray(a));
	CALL(cudaFreeArray(line));
	CALL(cudaFreeArray(layers));
	CALL(cudaFreeArray(cube));
	CALL(cudaFree(d));
}

int
main(int argc, char **argv)
{
	lines(told_fault(argc, argv));
	planes();
	boxes();
	surfaces();
	return report();
}
