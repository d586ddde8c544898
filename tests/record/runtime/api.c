/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * api.c - the runtime API as a compiled program uses it, but without a compiler: fat binaries,
 * kernels and variables are registered by hand as nvcc's host code does. Built for each version.
 */
#include "tests/record/runtime/rig.h"

#include <pthread.h>

static char stranger; /* never registered */

static void
test_start(void)
{
	int n = -1, v = 0;

	GOOD(cudaGetDeviceCount(&n));
	is_u64((uint64_t)n, 1, "one device");
	GOOD(cudaGetDevice(&n));
	is_u64((uint64_t)n, 0, "number 0");
	GOOD(cudaSetDevice(0));
	REFUSED(cudaErrorInvalidDevice, cudaSetDevice(1));
	REFUSED(cudaErrorInvalidDevice, cudaGetLastError());
	GOOD(cudaRuntimeGetVersion(&v));
	is_u64((uint64_t)v / 1000, CUDART_MAJOR, "the version of the library");
	GOOD(cudaDriverGetVersion(&n));
	ok(n >= v, "the driver is as new");
}

static void
test_launch(void)
{
	uint32_t h[100], n = 100, v = 5, count = 0;
	void *d = NULL, *args[] = {&d, &n, &v};
	bool right = true;

	GOOD(cudaMalloc(&d, sizeof(h)));
	GOOD(launch(&fill, 4, 32, args, false));
	GOOD(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
	for (int i = 0; i < 100; i++)
		right = right && h[i] == 5;
	ok(right, "a kernel by its stub");
	v = 6;
	GOOD(launch(&fill, 4, 32, args, true));
	GOOD(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDefault));
	is_u64(h[99], 6, "and by its handle");
	GOOD(cudaMemcpyFromSymbol(&count, &counter, 4, 0, cudaMemcpyDeviceToHost));
	is_u64(count, 207, "a variable, which began at 7");
	REFUSED(cudaErrorInvalidDeviceFunction, launch(&stranger, 1, 1, args, false));
	REFUSED(cudaErrorInvalidConfiguration, launch(&fill, 0, 32, args, false));
	REFUSED(cudaErrorInvalidConfiguration, launch(&fill, 1, 2000, args, false));
	REFUSED(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
	REFUSED(cudaErrorInvalidConfiguration, cudaGetLastError());
	GOOD(cudaGetLastError());
	REFUSED(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(NULL, NULL, NULL, NULL));
	GOOD(cudaFree(d));
	REFUSED(cudaErrorInvalidValue, cudaFree(d));
	GOOD(cudaFree(NULL));
	cudaGetLastError();
}

static void
test_variables(void)
{
	uint32_t t[4] = {10, 20, 30, 40}, h[4] = {0};
	struct cudaPointerAttributes a;
	void *d, *args[] = {&d}, *at;
	size_t size;

	ok(__cudaInitModule(handle), "the host wants a managed variable");
	ok(both != NULL, "and has it");
	both[0] = 1;
	GOOD(cudaMemcpyToSymbol(&table, t + 1, 12, 4, cudaMemcpyHostToDevice));
	GOOD(cudaMemcpyToSymbol(&table, t, 4, 0, cudaMemcpyDefault));
	GOOD(cudaMalloc(&d, 16));
	GOOD(launch(&gather, 1, 4, args, false));
	GOOD(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost));
	ok(h[0] == 11 && h[1] == 21 && h[3] == 41, "what was copied there, with an offset");
	is_u64(both[1], 41, "the device writes what the host reads");
	GOOD(cudaGetSymbolSize(&size, &table));
	is_u64(size, 16, "the size of a variable");
	GOOD(cudaGetSymbolAddress(&at, &both));
	ok(at == both, "a managed one has one address");
	GOOD(cudaPointerGetAttributes(&a, both));
	is_u64(a.type, cudaMemoryTypeManaged, "and is known as managed");
	REFUSED(cudaErrorInvalidValue,
		cudaMemcpyToSymbol(&table, t, 16, 4, cudaMemcpyHostToDevice));
	REFUSED(cudaErrorInvalidSymbol,
		cudaMemcpyToSymbol(&stranger, t, 4, 0, cudaMemcpyHostToDevice));
	REFUSED(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&at, &fill));
	REFUSED(cudaErrorInvalidMemcpyDirection,
		cudaMemcpyToSymbol(&table, t, 4, 0, cudaMemcpyDeviceToHost));
	GOOD(cudaFree(d));
	cudaGetLastError();
}

static void
test_memory(void)
{
	struct cudaPitchedPtr box;
	struct cudaPointerAttributes a;
	struct cudaMemcpy3DParms c = {0};
	uint8_t h[3 * 5 * 7], back[sizeof(h)];
	size_t pitch, before, after;
	cudaMemPool_t pool;
	void *d, *p;

	for (size_t i = 0; i < sizeof(h); i++)
		h[i] = (uint8_t)i;
	GOOD(cudaMemGetInfo(&before, NULL));
	GOOD(cudaMalloc(&d, 0));
	ok(!d, "nothing is a null pointer");
	GOOD(cudaMallocPitch(&d, &pitch, 7, 15));
	ok(pitch >= 7 && pitch % 16 == 0, "rows are aligned");
	GOOD(cudaMemcpy2D(d, pitch, h, 7, 7, 15, cudaMemcpyHostToDevice));
	GOOD(cudaMemset2D((char *)d + pitch, pitch, 200, 2, 1));
	GOOD(cudaMemcpy2D(back, 7, d, pitch, 7, 15, cudaMemcpyDeviceToHost));
	ok(back[6] == 6 && back[7] == 200 && back[8] == 200 && back[9] == 9 && back[104] == 104,
	   "a rectangle there and back");
	REFUSED(cudaErrorInvalidPitchValue,
		cudaMemcpy2D(d, pitch, h, 6, 7, 15, cudaMemcpyHostToDevice));
	REFUSED(cudaErrorInvalidMemcpyDirection,
		cudaMemcpy2D(d, pitch, h, 7, 7, 15, (enum cudaMemcpyKind)9));
	GOOD(cudaFree(d));

	GOOD(cudaMalloc3D(&box, (struct cudaExtent){7, 5, 3}));
	c.srcPtr = (struct cudaPitchedPtr){h, 7, 7, 5};
	c.dstPtr = box;
	c.extent = (struct cudaExtent){7, 5, 3};
	c.kind = cudaMemcpyHostToDevice;
	GOOD(cudaMemcpy3D(&c));
	GOOD(cudaMemset3D(box, 255, (struct cudaExtent){1, 1, 2}));
	memset(back, 0, sizeof(back));
	c.srcPtr = box;
	c.dstPtr = (struct cudaPitchedPtr){back, 7, 7, 5};
	c.kind = cudaMemcpyDeviceToHost;
	GOOD(cudaMemcpy3D(&c));
	ok(back[0] == 255 && back[1] == 1 && back[35] == 255 && back[70] == 70 && back[104] == 104,
	   "a box there and back");
	GOOD(cudaFree(box.ptr));

	GOOD(cudaMallocHost(&p, 64));
	GOOD(cudaPointerGetAttributes(&a, p));
	is_u64(a.type, cudaMemoryTypeHost, "page-locked memory");
	GOOD(cudaHostGetDevicePointer(&d, p, 0));
	ok(d == a.devicePointer, "has an address on the device");
	GOOD(cudaFreeHost(p));
	GOOD(cudaMallocManaged(&p, 64, cudaMemAttachGlobal));
	GOOD(cudaPointerGetAttributes(&a, (char *)p + 9));
	ok(a.type == cudaMemoryTypeManaged && a.hostPointer == (char *)p + 9, "managed memory");
	GOOD(cudaFree(p));
	GOOD(cudaHostRegister(h, sizeof(h), cudaHostRegisterDefault));
	GOOD(cudaHostUnregister(h));
	GOOD(cudaPointerGetAttributes(&a, h));
	is_u64(a.type, cudaMemoryTypeUnregistered, "memory of the program");
	GOOD(cudaMallocAsync(&d, 64, NULL));
	GOOD(cudaMemsetAsync(d, 3, 64, NULL));
	GOOD(cudaFreeAsync(d, NULL));
	GOOD(cudaDeviceGetDefaultMemPool(&pool, 0));
	GOOD(cudaMallocFromPoolAsync(&d, 64, pool, NULL));
	GOOD(cudaFreeAsync(d, NULL));
	GOOD(cudaMemGetInfo(&after, NULL));
	is_u64(after, before, "all memory is given back");
	cudaGetLastError();
}

static void
test_arrays(void)
{
	struct cudaChannelFormatDesc f32 =
		cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	struct cudaResourceDesc r = {.resType = cudaResourceTypeArray};
	struct cudaTextureDesc t = {.filterMode = cudaFilterModePoint};
	struct cudaChannelFormatDesc f;
	struct cudaExtent e;
	cudaTextureObject_t object;
	float h[16], back[16];
	cudaArray_t a;
	void *d, *args[] = {&d, &object};
	unsigned flags;

	for (int i = 0; i < 16; i++)
		h[i] = (float)i;
	GOOD(cudaMalloc(&d, sizeof(h)));
	GOOD(cudaMallocArray(&a, &f32, 4, 4, cudaArrayDefault));
	GOOD(cudaMemcpy2DToArray(a, 0, 0, h, 16, 16, 4, cudaMemcpyHostToDevice));
	GOOD(cudaArrayGetInfo(&f, &e, &flags, a));
	ok(f.x == 32 && !f.y && f.f == cudaChannelFormatKindFloat && e.width == 4 && e.height == 4,
	   "what an array is");
	r.res.array.array = a;
	for (int i = 0; i < 3; i++)
		t.addressMode[i] = cudaAddressModeClamp;
	GOOD(cudaCreateTextureObject(&object, &r, &t, NULL));
	GOOD(cudaLaunchKernel(&image, (dim3){1, 1, 1}, (dim3){4, 4, 1}, args, 0, NULL));
	GOOD(cudaMemcpy(back, d, sizeof(back), cudaMemcpyDeviceToHost));
	ok(memcmp(back, h, sizeof(h)) == 0, "a texture object over an array");
	memset(&r, 0xff, sizeof(r));
	GOOD(cudaGetTextureObjectResourceDesc(&r, object));
	ok(r.resType == cudaResourceTypeArray && r.res.array.array == a, "and what it is over");
	GOOD(cudaDestroyTextureObject(object));
	REFUSED(cudaErrorInvalidResourceHandle, cudaDestroyTextureObject(object));
	GOOD(cudaMemcpyFromArray(back, a, 8, 1, 16, cudaMemcpyDeviceToHost));
	ok(back[0] > 5.5F && back[0] < 6.5F && back[3] > 8.5F && back[3] < 9.5F,
	   "lines of an array go on in the next row");
	GOOD(cudaFreeArray(a));
	f32.y = 16;
	REFUSED(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&a, &f32, 4, 4, 0));

	f32.y = 0;
	ref.channelDesc = f32;
	for (int i = 0; i < 3; i++)
		ref.addressMode[i] = cudaAddressModeClamp;
	GOOD(cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice));
	cudaGetLastError();
	GOOD(cudaFree(d));
}

/* A reference is a variable of the host that contains the description. */
static void
test_reference(void)
{
	float h[8], back[8];
	size_t offset = 1;
	void *from, *to, *args[] = {&to};

	for (int i = 0; i < 8; i++)
		h[i] = (float)(10 * i);
	GOOD(cudaMalloc(&from, sizeof(h)));
	GOOD(cudaMalloc(&to, sizeof(h)));
	GOOD(cudaMemcpy(from, h, sizeof(h), cudaMemcpyHostToDevice));
	GOOD(cudaBindTexture(&offset, &ref, from, &ref.channelDesc, UINT32_MAX));
	is_u64(offset, 0, "no offset is needed");
	GOOD(launch(&line, 1, 8, args, false));
	GOOD(cudaMemcpy(back, to, sizeof(h), cudaMemcpyDeviceToHost));
	ok(memcmp(h, back, sizeof(h)) == 0, "a texture reference");
	GOOD(cudaUnbindTexture(&ref));
	REFUSED(cudaErrorInvalidTexture, cudaUnbindTexture((struct textureReference *)&fill));
	cudaGetLastError();
	GOOD(cudaFree(from));
	GOOD(cudaFree(to));
}

static void
test_surface_reference(void)
{
	struct cudaChannelFormatDesc u32 =
		cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
	const struct surfaceReference *found;
	uint32_t h[8], back[8], wrong = 0;
	cudaArray_t a;
	void *to, *args[] = {&to};

	for (uint32_t i = 0; i < 8; i++)
		h[i] = 50 * i;
	GOOD(cudaMalloc(&to, sizeof(h)));
	GOOD(cudaMallocArray(&a, &u32, 8, 2, cudaArraySurfaceLoadStore));
	GOOD(cudaMemcpy2DToArray(a, 0, 0, h, sizeof(h), sizeof(h), 1, cudaMemcpyHostToDevice));
	GOOD(cudaGetSurfaceReference(&found, &plane));
	ok(found == &plane, "a surface reference by its symbol");
	GOOD(cudaBindSurfaceToArray(&plane, a, &u32));
	GOOD(launch(&halve, 1, 8, args, false));
	GOOD(cudaMemcpy(back, to, sizeof(h), cudaMemcpyDeviceToHost));
	ok(memcmp(h, back, sizeof(h)) == 0, "is read");
	GOOD(cudaMemcpy2DFromArray(back, sizeof(h), a, 0, 0, sizeof(h), 1, cudaMemcpyDeviceToHost));
	for (uint32_t i = 0; i < 8; i++)
		wrong += back[i] != h[i] / 2;
	is_u64(wrong, 0, "and written");
	REFUSED(cudaErrorInvalidSurface,
		cudaBindSurfaceToArray((struct surfaceReference *)&ref, a, &u32));
	REFUSED(cudaErrorInvalidTexture, cudaUnbindTexture((struct textureReference *)&plane));
	cudaGetLastError();
	GOOD(cudaFreeArray(a));
	GOOD(cudaFree(to));
}

static void
add_ten(cudaStream_t stream, cudaError_t status, void *data)
{
	if (stream && status == cudaSuccess)
		*(int *)data += 10;
}

static void
test_streams(void)
{
	uint32_t n = 1, v = 1;
	cudaStream_t s;
	cudaEvent_t a, b;
	void *d, *args[] = {&d, &n, &v};
	float ms = -1;
	int calls = 0;

	GOOD(cudaMalloc(&d, 4));
	GOOD(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	GOOD(cudaEventCreate(&a));
	GOOD(cudaEventCreateWithFlags(&b, cudaEventBlockingSync));
	GOOD(cudaEventRecord(a, s));
	GOOD(cudaLaunchKernel(&fill, (dim3){1, 1, 1}, (dim3){32, 1, 1}, args, 0, s));
	GOOD(cudaEventRecord(b, s));
	GOOD(cudaEventSynchronize(b));
	GOOD(cudaEventElapsedTime(&ms, a, b));
	ok(ms > 0, "a kernel takes time");
	GOOD(cudaLaunchHostFunc(s, add_one, &calls));
	GOOD(cudaStreamAddCallback(s, add_ten, &calls, 0));
	GOOD(cudaStreamSynchronize(s));
	is_u64((uint64_t)calls, 11, "functions of the host");
	GOOD(cudaStreamQuery(s));
	GOOD(cudaStreamWaitEvent(s, a, 0));
	GOOD(cudaEventDestroy(a));
	GOOD(cudaEventDestroy(b));
	GOOD(cudaStreamDestroy(s));
	REFUSED(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(s));
	GOOD(cudaFree(d));
	cudaGetLastError();
}

static void
test_device(void)
{
#if CUDART_MAJOR == 12
	struct cudaDeviceProp11 old;
#endif
	struct {
		struct cudaDeviceProp p;
		uint64_t guard;
	} d = {.guard = 0x1234567890abcdef};
	struct cudaFuncAttributes f;
	int v, blocks;
	size_t n;

#if CUDART_MAJOR == 12
	GOOD(cudaGetDeviceProperties_v2(&d.p, 0));
	GOOD(cudaGetDeviceProperties(&old, 0));
	is_u64((uint64_t)old.multiProcessorCount, 30, "the struct of CUDA 11 in 12");
#else
	GOOD(cudaGetDeviceProperties(&d.p, 0));
#endif
	is_u64(d.guard, 0x1234567890abcdef, "the struct is not larger than ours");
	is_str(d.p.name, "ctascope emulated GPU", "its name");
	is_u64((uint64_t)d.p.multiProcessorCount, 30, "its SMs");
	ok(d.p.warpSize == 32 && d.p.maxThreadsDim[2] == 64 && d.p.major >= 7, "what it is");
	is_u64(d.p.sharedMemPerBlock, 49152, "shared memory");
	GOOD(cudaDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
	is_u64((uint64_t)v, 30, "attributes agree");
	GOOD(cudaDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 0));
	is_u64((uint64_t)v, 1, "pools of memory are the runtime's");
	REFUSED(cudaErrorInvalidDevice,
		cudaDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 3));
	GOOD(cudaFuncGetAttributes(&f, &fill));
	ok(f.maxThreadsPerBlock == 1024 && f.numRegs > 0 && !f.sharedSizeBytes, "of a kernel");
	REFUSED(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&f, &counter));
	GOOD(cudaFuncSetCacheConfig(&fill, cudaFuncCachePreferL1));
	GOOD(cudaFuncSetAttribute(&fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096));
	GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill, 128, 0));
	is_u64((uint64_t)blocks, 8, "blocks on an SM");
	GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill, 128, 16384));
	is_u64((uint64_t)blocks, 2, "shared memory allows two");
	GOOD(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
	GOOD(cudaDeviceGetLimit(&n, cudaLimitStackSize));
	is_u64(n, 2048, "a limit");
	GOOD(cudaDeviceCanAccessPeer(&v, 0, 0));
	REFUSED(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
	is_str(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress", "a name");
	is_str(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory", "a text");
	is_str(cudaGetErrorString((cudaError_t)12345), "unrecognized error code", "none");
	cudaGetLastError();
}

static cudaError_t in_thread[3];

static void *
other_thread(void *unused)
{
	void *d = NULL;

	in_thread[0] = cudaGetLastError();
	in_thread[1] = cudaMalloc(&d, 64);
	in_thread[2] = cudaFree(d);
	cudaSetDevice(7);
	return unused;
}

static void
run_thread(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, other_thread, NULL) == 0)
		pthread_join(t, NULL);
}

static void
test_errors(void)
{
	uint32_t n = 1, v = 9, h = 0;
	void *d, *args[] = {&d, &n, &v};

	REFUSED(cudaErrorInvalidDevice, cudaSetDevice(2));
	run_thread();
	good(in_thread[0], "another thread has errors of its own");
	good(in_thread[1], "and a context");
	REFUSED(cudaErrorInvalidDevice, cudaGetLastError());
	GOOD(cudaGetLastError());

	REFUSED(cudaErrorIllegalAddress, launch(&fault, 1, 1, NULL, false));
	REFUSED(cudaErrorIllegalAddress, cudaDeviceSynchronize());
	REFUSED(cudaErrorIllegalAddress, cudaGetLastError());
	REFUSED(cudaErrorIllegalAddress, cudaGetLastError());
	REFUSED(cudaErrorIllegalAddress, cudaMalloc(&d, 4));
	run_thread();
	refused(cudaErrorIllegalAddress, in_thread[1], "every thread hears of a broken context");
	GOOD(cudaDeviceReset());
	GOOD(cudaGetLastError());
	GOOD(cudaMalloc(&d, 4));
	GOOD(launch(&fill, 1, 32, args, true));
	GOOD(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
	is_u64(h, 9, "after a reset kernels are there again");
	GOOD(cudaMemcpyFromSymbol(&h, &counter, 4, 0, cudaMemcpyDeviceToHost));
	is_u64(h, 8, "and variables as they began");
	GOOD(cudaFree(d));
}

/* Fat binaries that are invalid, give a wrong size, or are cut: the test asks each for a kernel. */
static void
test_damage(void)
{
	static const uint32_t empty[16] = {0xba55ed50};
	static struct fat liar;
	struct fat_wrapper bad = fat_wrapper(NULL);
	struct fat_entry first;
	const void *header[] = {NULL, empty, &liar, fat.data};
	void **h, *args[] = {NULL};
	static char lost;

	memcpy(&liar, &fat, sizeof(liar));
	liar.head.size = 1ull << 40;
	memcpy(&first, liar.data, sizeof(first));
	first.payload = liar.head.size - sizeof(first);
	memcpy(liar.data, &first, sizeof(first));
	for (unsigned i = 0; i < 4; i++) {
		bad.data = header[i];
		h = __cudaRegisterFatBinary(&bad);
		ok(h != NULL, "damaged fat binary %u is registered", i);
		__cudaRegisterFunction(h, &lost, &lost, "lost", -1, NULL, NULL, NULL, NULL, NULL);
		REFUSED(cudaErrorNoKernelImageForDevice, launch(&lost, 1, 1, args, false));
		REFUSED(cudaErrorNoKernelImageForDevice, launch(&lost, 1, 1, args, false));
		GOOD(cudaDeviceSynchronize());
		__cudaUnregisterFatBinary(h);
		REFUSED(cudaErrorInvalidDeviceFunction, launch(&lost, 1, 1, args, false));
		__cudaUnregisterFatBinary(h);
	}
	for (size_t cut = 0; cut < 1200; cut += 7) { /* its end is replaced by zeros */
		memcpy(&liar, &fat, sizeof(liar));
		memset((char *)&liar + cut, 0, sizeof(liar) - cut);
		bad.data = &liar;
		h = __cudaRegisterFatBinary(&bad);
		__cudaRegisterFunction(h, &lost, &lost, "fault", -1, NULL, NULL, NULL, NULL, NULL);
		if (launch(&lost, 1, 1, args, false) == cudaSuccess)
			ok(false, "cut at %zu, and it runs", cut);
		__cudaUnregisterFatBinary(h);
	}
	cudaGetLastError();
}

extern cudaError_t cudaGraphDebugDotPrint(void *graph, const char *path, unsigned flags);
extern cudaError_t cudaGetExportTable(const void **table, const void *id);

static void
test_missing(void)
{
	const void *t;

	REFUSED(cudaErrorNotSupported, cudaGraphDebugDotPrint(NULL, "", 0));
	REFUSED(cudaErrorNotSupported, cudaGetLastError());
	REFUSED(cudaErrorNotSupported, cudaGetExportTable(&t, "0123456789abcde"));
	cudaGetLastError();
}

int
main(void)
{
	register_all();
	test_start();
	test_launch();
	test_variables();
	test_memory();
	test_arrays();
	test_reference();
	test_surface_reference();
	test_streams();
	test_device();
	test_missing();
	test_damage();
	test_errors();
	__cudaUnregisterFatBinary(handle);
	REFUSED(cudaErrorInvalidDeviceFunction, launch(&fill, 1, 1, NULL, false));
	return done();
}
