// SPDX-License-Identifier: GPL-3.0-or-later
// structs.cu - what a program and its runtime hand to each other as structs, which have other fields in CUDA 11, 12 and
// 13: whoever fills one of another version writes behind it, or into the wrong fields.
#include "check.h"

template <typename T> struct guarded {
	unsigned long long before[8];
	T s;
	unsigned long long after[8];
};

template <typename T>
static void
guard(guarded<T> *g)
{
	memset((void *)g, 0xa5, sizeof(*g));
}

template <typename T>
static bool
intact(const guarded<T> *g)
{
	unsigned long long a5 = 0xa5a5a5a5a5a5a5a5ull;
	bool good = true;

	for (int i = 0; i < 8; i++)
		good = good && g->before[i] == a5 && g->after[i] == a5;
	return good;
}

__global__ void
kernel(int *p, int v)
{
	__shared__ int s[200];

	s[threadIdx.x] = v;
	__syncthreads();
	p[threadIdx.x] = s[31 - threadIdx.x];
}

/* A field says what the attribute says. */
#define SAME(field, attribute)                                          \
	do {                                                            \
		int v_ = -1;                                            \
		CALL(cudaDeviceGetAttribute(&v_, cudaDevAttr##attribute, 0)); \
		expect((long long)g.s.field == v_);                     \
	} while (0)

static void
properties(int more)
{
	guarded<cudaDeviceProp> g;

	guard(&g);
	CALL(cudaGetDeviceProperties(&g.s, 0));
	expect(intact(&g));
	expect(strcmp(g.s.name, "ctascope emulated GPU") == 0);
	expect(g.s.totalGlobalMem > 1 << 20 && g.s.warpSize == 32 + more);
	SAME(sharedMemPerBlock, MaxSharedMemoryPerBlock);
	SAME(regsPerBlock, MaxRegistersPerBlock);
	SAME(maxThreadsPerBlock, MaxThreadsPerBlock);
	SAME(maxThreadsDim[2], MaxBlockDimZ);
	SAME(maxGridSize[0], MaxGridDimX);
	SAME(totalConstMem, TotalConstantMemory);
	SAME(major, ComputeCapabilityMajor);
	SAME(minor, ComputeCapabilityMinor);
	SAME(multiProcessorCount, MultiProcessorCount);
	SAME(maxTexture2D[1], MaxTexture2DHeight);
	SAME(maxSurface3D[2], MaxSurface3DDepth);
	SAME(concurrentKernels, ConcurrentKernels);
	SAME(asyncEngineCount, AsyncEngineCount);
	SAME(unifiedAddressing, UnifiedAddressing);
	SAME(memoryBusWidth, GlobalMemoryBusWidth);
	SAME(l2CacheSize, L2CacheSize);
	SAME(maxThreadsPerMultiProcessor, MaxThreadsPerMultiProcessor);
	SAME(sharedMemPerMultiprocessor, MaxSharedMemoryPerMultiprocessor);
	SAME(regsPerMultiprocessor, MaxRegistersPerMultiprocessor);
	SAME(managedMemory, ManagedMemory);
	SAME(concurrentManagedAccess, ConcurrentManagedAccess);
	SAME(cooperativeLaunch, CooperativeLaunch);
	SAME(sharedMemPerBlockOptin, MaxSharedMemoryPerBlockOptin);
	SAME(maxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor);
	SAME(reservedSharedMemPerBlock, ReservedSharedMemoryPerBlock);
#if CUDART_VERSION < 13000
	SAME(clockRate, ClockRate);
	SAME(deviceOverlap, GpuOverlap);
	SAME(computeMode, ComputeMode);
	SAME(memoryClockRate, MemoryClockRate);
#endif
#if CUDART_VERSION >= 12000
	SAME(hostRegisterSupported, HostRegisterSupported);
	SAME(memoryPoolsSupported, MemoryPoolsSupported);
	SAME(clusterLaunch, ClusterLaunch);
#endif
}

static void
pointers()
{
	guarded<cudaPointerAttributes> g;
	int *device, *host, *both, own;

	CALL(cudaMalloc(&device, 64));
	CALL(cudaMallocHost(&host, 64));
	CALL(cudaMallocManaged(&both, 64));
	guard(&g);
	CALL(cudaPointerGetAttributes(&g.s, device + 3));
	expect(intact(&g) && g.s.type == cudaMemoryTypeDevice && g.s.devicePointer == device + 3 && !g.s.hostPointer);
	expect(g.s.device == 0);
	guard(&g);
	CALL(cudaPointerGetAttributes(&g.s, host));
	expect(intact(&g) && g.s.type == cudaMemoryTypeHost && g.s.hostPointer == host);
	guard(&g);
	CALL(cudaPointerGetAttributes(&g.s, both));
	expect(intact(&g) && g.s.type == cudaMemoryTypeManaged && g.s.hostPointer == both);
	guard(&g);
	CALL(cudaPointerGetAttributes(&g.s, &own));
	expect(intact(&g) && g.s.type == cudaMemoryTypeUnregistered && !g.s.devicePointer);
	CALL(cudaFree(device));
	CALL(cudaFreeHost(host));
	CALL(cudaFree(both));
}

static void
functions()
{
	guarded<cudaFuncAttributes> g;

	guard(&g);
	CALL(cudaFuncGetAttributes(&g.s, kernel));
	expect(intact(&g) && g.s.sharedSizeBytes == 800 && g.s.localSizeBytes == 0 && g.s.numRegs > 0);
	expect(g.s.maxThreadsPerBlock == 1024 && g.s.ptxVersion >= 50 && g.s.binaryVersion >= 50);
	CALL(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096));
	CALL(cudaFuncGetAttributes(&g.s, kernel));
	expect(g.s.maxDynamicSharedSizeBytes == 4096);
}

/* A box of a box, there and back; memory with a pitch and an array. */
static void
boxes()
{
	const int w = 9, h = 5, d = 4;
	short host[d][h][w], got[d][h][w];
	cudaChannelFormatDesc f = cudaCreateChannelDesc<short>(), back;
	guarded<cudaExtent> extent;
	guarded<cudaPitchedPtr> box;
	cudaMemcpy3DParms c = {};
	cudaArray_t a;
	unsigned flags = 9;

	for (int i = 0; i < w * h * d; i++)
		host[i / w / h][i / w % h][i % w] = (short)(31 * i);
	guard(&box);
	CALL(cudaMalloc3D(&box.s, make_cudaExtent(w * sizeof(short), h, d)));
	expect(intact(&box) && box.s.pitch >= w * sizeof(short) && box.s.xsize == w * sizeof(short) && box.s.ysize == h);
	c.srcPtr = make_cudaPitchedPtr(host, sizeof(host[0][0]), w, h);
	c.dstPtr = box.s;
	c.extent = make_cudaExtent(w * sizeof(short), h, d);
	c.kind = cudaMemcpyHostToDevice;
	CALL(cudaMemcpy3D(&c));
	CALL(cudaMalloc3DArray(&a, &f, make_cudaExtent(w, h, d)));
	c = cudaMemcpy3DParms{};
	c.srcPtr = box.s;
	c.srcPos = make_cudaPos(2 * sizeof(short), 1, 1);
	c.dstArray = a;
	c.dstPos = make_cudaPos(3, 2, 0);
	c.extent = make_cudaExtent(4, 3, 2);
	c.kind = cudaMemcpyDeviceToDevice;
	CALL(cudaMemcpy3D(&c));
	memset(got, 0, sizeof(got));
	c = cudaMemcpy3DParms{};
	c.srcArray = a;
	c.dstPtr = make_cudaPitchedPtr(got, sizeof(got[0][0]), w, h);
	c.extent = make_cudaExtent(w, h, d);
	c.kind = cudaMemcpyDeviceToHost;
	CALL(cudaMemcpy3DAsync(&c, 0));
	CALL(cudaStreamSynchronize(0));
	for (int z = 0; z < 2; z++)
		for (int y = 0; y < 3; y++)
			for (int x = 0; x < 4; x++)
				expect(got[z][y + 2][x + 3] == host[z + 1][y + 1][x + 2]);
	guard(&extent);
	CALL(cudaArrayGetInfo(&back, &extent.s, &flags, a));
	expect(intact(&extent) && extent.s.width == w && extent.s.height == h && extent.s.depth == d && !flags);
	expect(back.x == 16 && !back.y && back.f == cudaChannelFormatKindSigned);
	CALL(cudaFreeArray(a));
	CALL(cudaFree(box.s.ptr));
}

static void
described()
{
	guarded<cudaResourceDesc> g;
	cudaResourceDesc r = {};
	cudaTextureDesc t = {};
	cudaTextureObject_t o;
	float *p;

	CALL(cudaMalloc(&p, 4096));
	r.resType = cudaResourceTypePitch2D;
	r.res.pitch2D.devPtr = p;
	r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
	r.res.pitch2D.width = 30;
	r.res.pitch2D.height = 8;
	r.res.pitch2D.pitchInBytes = 512;
	t.readMode = cudaReadModeElementType;
	CALL(cudaCreateTextureObject(&o, &r, &t, nullptr));
	guard(&g);
	CALL(cudaGetTextureObjectResourceDesc(&g.s, o));
	expect(intact(&g) && g.s.resType == cudaResourceTypePitch2D && g.s.res.pitch2D.devPtr == p);
	expect(g.s.res.pitch2D.width == 30 && g.s.res.pitch2D.pitchInBytes == 512 && g.s.res.pitch2D.desc.x == 32);
	CALL(cudaDestroyTextureObject(o));
	CALL(cudaFree(p));
}

int
main(int argc, char **argv)
{
	int *p, host[32];

	properties(told_fault(argc, argv));
	pointers();
	functions();
	boxes();
	described();
	CALL(cudaMalloc(&p, sizeof(host)));
	kernel<<<1, 32>>>(p, 5);
	CALL(cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost));
	expect(host[0] == 5 && host[31] == 5);
	CALL(cudaFree(p));
	return report();
}
