/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calls.c - the entry points of libcuda.so.1, one after the other: their results and errors. Linked
 * with the library like any program of the driver API.
 */
#include "record/cuda/cuda_api.h"
#include "tests/record/fat.h"
#include "tests/tap.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define GOOD(call) is_u64(call, CUDA_SUCCESS, #call)
#define REFUSED(result, call) is_u64(call, result, #call)

static CUcontext context;
static CUmodule module;

static void
load(void)
{
	const char *src = getenv("srcdir");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/record/cuda/calls.ptx", src ? src : ".");
	GOOD(cuModuleLoad(&module, path));
}

static CUfunction
kernel(const char *name)
{
	CUfunction f = NULL;

	if (cuModuleGetFunction(&f, module, name) != CUDA_SUCCESS)
		ok(false, "there is a kernel %s", name);
	return f;
}

static CUresult
launch(const char *name, unsigned threads, void **params)
{
	return cuLaunchKernel(kernel(name), 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL);
}

static void
test_start(void)
{
	CUdevice dev;
	int n, version;
	CUdeviceptr p;
	const char *text;

	REFUSED(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&n));
	REFUSED(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&p, 4));
	GOOD(cuDriverGetVersion(&version));
	is_u64((unsigned)version, 13000, "the version");
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuInit(1));
	GOOD(cuInit(0));
	GOOD(cuInit(0));
	GOOD(cuDeviceGetCount(&n));
	is_u64((unsigned)n, 1, "one device");
	GOOD(cuDeviceGet(&dev, 0));
	REFUSED(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&dev, 1));
	GOOD(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
	is_str(text, "CUDA_ERROR_ILLEGAL_ADDRESS", "the name of a result");
	GOOD(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
	is_str(text, "out of memory", "its text");
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuGetErrorName((CUresult)12345, &text));
}

static void
test_device(void)
{
	char name[64], small[5];
	CUdevprop prop;
	CUuuid uuid;
	size_t bytes;
	int v, major, minor;

	GOOD(cuDeviceGetName(name, sizeof(name), 0));
	is_str(name, "ctascope emulated GPU", "its name");
	GOOD(cuDeviceGetName(small, sizeof(small), 0));
	is_str(small, "ctas", "its name where there is little room");
	GOOD(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
	is_u64((unsigned)v, 30, "SMs of kayiran30");
	GOOD(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 0));
	is_u64((unsigned)v, 49152, "shared memory of a block, by compute capability");
	GOOD(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
	is_u64((unsigned)v, 65536, "with opt-in");
	GOOD(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 0));
	is_u64((unsigned)v, 1300000, "clock");
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&v, (CUdevice_attribute)9999, 0));
	REFUSED(CUDA_ERROR_INVALID_DEVICE,
		cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1));
	GOOD(cuDeviceComputeCapability(&major, &minor, 0));
	is_u64((unsigned)(10 * major + minor), 75, "compute capability");
	GOOD(cuDeviceTotalMem(&bytes, 0));
	ok(bytes >= 64u << 20, "memory");
	GOOD(cuDeviceGetProperties(&prop, 0));
	is_u64((unsigned)prop.maxThreadsPerBlock, 1024, "threads of a block");
	GOOD(cuDeviceGetUuid(&uuid, 0));
}

static void
test_context(void)
{
	CUcontext own, c;
	CUdeviceptr p;
	CUdevice dev;
	size_t used, now, limit;
	unsigned flags;
	int active;

	GOOD(cuDevicePrimaryCtxGetState(0, &flags, &active));
	is_u64((unsigned)active, 0, "no primary context yet");
	REFUSED(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 4));
	REFUSED(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice(&dev));
	GOOD(cuDevicePrimaryCtxRetain(&context, 0));
	GOOD(cuCtxSetCurrent(context));
	GOOD(cuCtxGetCurrent(&c));
	ok(c == context, "the primary context is current");
	GOOD(cuMemGetInfo(&used, NULL));
	GOOD(cuCtxCreate(&own, CU_CTX_SCHED_YIELD, 0));
	GOOD(cuCtxGetFlags(&flags));
	is_u64(flags, CU_CTX_SCHED_YIELD, "its flags");
	GOOD(cuCtxGetLimit(&limit, CU_LIMIT_MALLOC_HEAP_SIZE));
	GOOD(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 12345));
	GOOD(cuCtxGetLimit(&limit, CU_LIMIT_MALLOC_HEAP_SIZE));
	is_u64(limit, 12345, "a limit is kept");
	GOOD(cuMemAlloc(&p, 1000000));
	GOOD(cuCtxPopCurrent(&c));
	ok(c == own, "popped");
	GOOD(cuCtxDestroy(own));
	GOOD(cuMemGetInfo(&now, NULL));
	is_u64(now, used, "its memory went with it");
	REFUSED(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(own));
	REFUSED(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent((CUcontext)(uintptr_t)&flags));
	GOOD(cuCtxSynchronize());
}

static void
test_memory(void)
{
	CUpointer_attribute what[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
				      CU_POINTER_ATTRIBUTE_IS_MANAGED};
	void *values[2];
	CUdeviceptr p, q, base;
	unsigned type = 0;
	unsigned char is_managed = 9;
	size_t pitch, bytes;
	uint32_t own[4] = {1, 2, 3, 4}, n = 5;
	void *params[] = {&p, &n};
	uint32_t *host;

	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&p, 0));
	REFUSED(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&p, (size_t)1 << 50));
	GOOD(cuMemAlloc(&p, 1000));
	ok(p % 256 == 0, "aligned");
	GOOD(cuMemGetAddressRange(&base, &bytes, p + 999));
	ok(base == p && bytes == 1000, "its range");
	REFUSED(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &bytes, p + 1000));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemFree(p + 4));
	GOOD(cuMemFree(p));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
	GOOD(cuMemFree(0));
	GOOD(cuMemAllocPitch(&p, &pitch, 100, 3, 4));
	ok(pitch >= 100 && pitch % 32 == 0, "a pitch");
	GOOD(cuMemFree(p));

	GOOD(cuMemHostAlloc((void **)&host, 64, CU_MEMHOSTALLOC_DEVICEMAP));
	host[0] = 10;
	GOOD(cuMemHostGetDevicePointer(&p, host, 0));
	GOOD(launch("add", 1, params));
	is_u64(host[0], 15, "a kernel wrote page-locked memory");
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
	GOOD(cuMemFreeHost(host));

	GOOD(cuMemAllocManaged(&p, 64, CU_MEM_ATTACH_GLOBAL));
	host = (uint32_t *)(uintptr_t)p;
	host[1] = 20;
	GOOD(launch("add", 2, params));
	is_u64(host[1], 25, "a kernel wrote managed memory");
	values[0] = &type;
	values[1] = &is_managed;
	GOOD(cuPointerGetAttributes(2, what, values, p + 8));
	ok(type == CU_MEMORYTYPE_DEVICE && is_managed == 1, "what managed memory is");
	GOOD(cuPointerGetAttributes(2, what, values, (CUdeviceptr)(uintptr_t)own));
	ok(type == 0 && is_managed == 0, "nothing is known of the stack");
	REFUSED(CUDA_ERROR_INVALID_VALUE,
		cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
				      (CUdeviceptr)(uintptr_t)own));
	GOOD(cuMemFree(p));

	GOOD(cuMemHostRegister(own, sizeof(own), 0));
	REFUSED(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(own, sizeof(own), 0));
	GOOD(cuMemHostGetDevicePointer(&p, own, 0));
	GOOD(launch("add", 4, params));
	ok(own[0] == 6 && own[3] == 9, "a kernel wrote registered memory");
	GOOD(cuMemHostUnregister(own));
	REFUSED(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(own));
	GOOD(cuMemAllocAsync(&q, 16, NULL));
	GOOD(cuMemFreeAsync(q, NULL));
}

static void
test_copies(void)
{
	uint8_t in[64], out[64], row[32];
	CUDA_MEMCPY2D c2 = {.srcMemoryType = CU_MEMORYTYPE_HOST,
			    .srcHost = in,
			    .srcPitch = 8,
			    .srcXInBytes = 1,
			    .srcY = 2,
			    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			    .dstPitch = 32,
			    .WidthInBytes = 5,
			    .Height = 4};
	CUDA_MEMCPY3D c3 = {.srcMemoryType = CU_MEMORYTYPE_HOST,
			    .srcHost = in,
			    .srcPitch = 4,
			    .srcHeight = 2,
			    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			    .dstPitch = 8,
			    .dstHeight = 3,
			    .WidthInBytes = 4,
			    .Height = 2,
			    .Depth = 3};
	CUdeviceptr p, q;

	for (unsigned i = 0; i < sizeof(in); i++)
		in[i] = (uint8_t)i;
	GOOD(cuMemAlloc(&p, 256));
	GOOD(cuMemAlloc(&q, 256));
	GOOD(cuMemcpyHtoD(p, in, 64));
	GOOD(cuMemcpyDtoDAsync(q + 3, p, 61, NULL));
	GOOD(cuMemcpyDtoH(out, q + 3, 61));
	ok(memcmp(in, out, 61) == 0, "there and back");
	memset(out, 0, sizeof(out));
	GOOD(cuMemcpy((CUdeviceptr)(uintptr_t)out, q + 3, 61));
	ok(memcmp(in, out, 61) == 0, "back without saying where");
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p + 200, in, 64));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p, NULL, 4));
	REFUSED(CUDA_ERROR_INVALID_HANDLE, cuMemcpyHtoDAsync(p, in, 4, (CUstream)(uintptr_t)&p));

	GOOD(cuMemsetD8(p, 0xee, 256));
	c2.dstDevice = p;
	GOOD(cuMemcpy2D(&c2));
	GOOD(cuMemcpyDtoH(row, p + 32, 32));
	ok(row[0] == 25 && row[4] == 29 && row[5] == 0xee, "a box of two dimensions");
	c2.dstPitch = 4;
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&c2));
	c3.dstDevice = p;
	GOOD(cuMemcpy3D(&c3));
	GOOD(cuMemcpyDtoH(row, p + 2 * 24 + 8, 8));
	ok(row[0] == 20 && row[3] == 23 && row[4] != 24, "a box of three dimensions");

	GOOD(cuMemsetD16(p, 0x1234, 5));
	GOOD(cuMemsetD32(p + 12, 0x89abcdef, 2));
	GOOD(cuMemcpyDtoH(row, p, 20));
	ok(row[9] == 0x12 && row[10] != 0x34 && row[12] == 0xef && row[19] == 0x89, "filled");
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(p + 2, 0, 1));
	GOOD(cuMemsetD2D8(p, 16, 7, 3, 2));
	GOOD(cuMemcpyDtoH(row, p, 20));
	ok(row[2] == 7 && row[3] == 0x12 && row[16] == 7 && row[18] == 7 && row[19] == 0x89,
	   "filled in two dimensions");
	GOOD(cuMemFree(p));
	GOOD(cuMemFree(q));
}

static void
test_module(void)
{
	static const char bad[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
				  ".visible .entry k()\n{\n\tnonsense.u32 %r1;\n}\n";
	char log[500] = "", elf[8] = "\177ELF";
	CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *value[] = {log, (void *)sizeof(log)};
	CUmodule m;
	CUfunction f;
	CUdeviceptr p;
	size_t bytes;
	uint32_t v;

	load();
	REFUSED(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&m, "/nowhere/x.ptx"));
	REFUSED(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&m, bad, 2, option, value));
	ok(strstr(log, "nonsense"), "the log says what is wrong");
	is_u64((uintptr_t)value[1], strlen(log), "and how long it is");
	REFUSED(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&m, elf));
	REFUSED(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&m, "hello"));
	REFUSED(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&f, module, "nothing"));
	REFUSED(CUDA_ERROR_INVALID_HANDLE,
		cuModuleGetFunction(&f, (CUmodule)(uintptr_t)log, "add"));
	ok(kernel("add") == kernel("add"), "a function has one handle");
	GOOD(cuModuleGetGlobal(&p, &bytes, module, "table"));
	is_u64(bytes, 16, "the size of a variable");
	GOOD(cuMemcpyDtoH(&v, p + 12, 4));
	is_u64(v, 40, "its value");
	REFUSED(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&p, &bytes, module, "nothing"));
}

/* ---- fat binaries ---- */

static CUresult
load_fat(uint16_t kind, uint64_t flags, const void *data, size_t n, size_t unpacked,
	 uint32_t longer)
{
	struct fat f = {0};
	struct fat_wrapper wrapper = fat_wrapper(&f);
	struct fat_entry e = fat_entry(kind, 70, flags, n, unpacked);
	CUmodule m;
	CUfunction k;
	CUresult r;

	e.bytes += longer;
	fat_add(&f, e, data);
	r = cuModuleLoadFatBinary(&m, &wrapper);
	if (r == CUDA_SUCCESS) {
		r = cuModuleGetFunction(&k, m, "k");
		cuModuleUnload(m);
	}
	return r;
}

static void
test_fatbin(void)
{
	static const char text[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
				   ".visible .entry k()\n{\n\tret;\n}\n";
	uint8_t lz4[200], z[200];
	size_t n = sizeof(text), zn = ZSTD_compress(z, sizeof(z), text, n, 1), at = 0;

	GOOD(load_fat(FAT_PTX, FAT_PLAIN, text, n, 0, 0));
	GOOD(load_fat(FAT_PTX, FAT_ZSTD, z, zn, n, 0));
	/* LZ4: a run of literals, then the last one, a newline, ten more times */
	lz4[at++] = 0xf0 | (10 - 4);
	lz4[at++] = (uint8_t)(n - 1 - 15);
	memcpy(lz4 + at, text, n - 1);
	at += n - 1;
	lz4[at++] = 1;
	lz4[at++] = 0;
	GOOD(load_fat(FAT_PTX, FAT_LZ4, lz4, at, n - 1 + 10, 0));
	/* entries with file names, as nvcc 11.8, 13.0 and 12.4 write them */
	GOOD(load_fat(FAT_PTX, FAT_LZ4, lz4, at, n - 1 + 10, 8));
	GOOD(load_fat(FAT_PTX, FAT_ZSTD, z, zn, n, 16));
	GOOD(load_fat(FAT_PTX, FAT_PLAIN, text, n, 0, 24));
	REFUSED(CUDA_ERROR_NO_BINARY_FOR_GPU, load_fat(FAT_PTX, FAT_LZ4, lz4, at, n + 10, 0));
	REFUSED(CUDA_ERROR_NO_BINARY_FOR_GPU,
		load_fat(FAT_PTX, FAT_LZ4, lz4, at - 1, n - 1 + 10, 0));
	lz4[at - 2] = 200;
	REFUSED(CUDA_ERROR_NO_BINARY_FOR_GPU, load_fat(FAT_PTX, FAT_LZ4, lz4, at, n - 1 + 10, 0));
	REFUSED(CUDA_ERROR_NO_BINARY_FOR_GPU, load_fat(FAT_CUBIN, FAT_PLAIN, text, n, 0, 0));
}

/* ---- launches ---- */

static void
test_launch(void)
{
	struct {
		char a;
		int b;
		double c;
		CUdeviceptr p;
	} buffer = {3, 40, 0.5, 0};
	size_t size = sizeof(buffer);
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE,
			 &size, CU_LAUNCH_PARAM_END};
	void *none[] = {NULL, NULL};
	CUlaunchConfig config = {1, 1, 1, 1, 1, 1, 48, NULL, NULL, 0};
	CUdeviceptr p;
	CUfunction f;
	double d = 0;
	uint32_t v = 0;
	int n;
	void *params[] = {&p};

	GOOD(cuMemAlloc(&p, 64));
	buffer.p = p;
	f = kernel("mixed");
	GOOD(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
	GOOD(cuMemcpyDtoH(&d, p, 8));
	ok(d > 43.4 && d < 43.6, "parameters in a buffer");
	size = 20;
	REFUSED(CUDA_ERROR_INVALID_VALUE,
		cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, none, NULL));
	REFUSED(CUDA_ERROR_INVALID_VALUE, launch("store", 1025, params));
	REFUSED(CUDA_ERROR_INVALID_VALUE, launch("store", 0, params));
	REFUSED(CUDA_ERROR_INVALID_VALUE, launch("few", 65, NULL));
	GOOD(launch("few", 64, NULL));
	REFUSED(CUDA_ERROR_INVALID_VALUE,
		cuLaunchKernel(kernel("big"), 1, 1, 1, 1, 1, 1, 29153, NULL, NULL, NULL));
	GOOD(cuLaunchKernel(kernel("big"), 1, 1, 1, 1, 1, 1, 29152, NULL, NULL, NULL));
	REFUSED(CUDA_ERROR_INVALID_VALUE,
		cuFuncSetAttribute(kernel("big"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
				   45537));
	GOOD(cuFuncSetAttribute(kernel("big"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
				45536));
	GOOD(cuLaunchKernel(kernel("big"), 1, 1, 1, 1, 1, 1, 45536, NULL, NULL, NULL));
	GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel("big"), 32, 45536));
	is_u64((unsigned)n, 1, "a block that needs the opt-in fills an SM");
	GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel("big"), 32, 45537));
	is_u64((unsigned)n, 0, "one beyond it never fits");
	REFUSED(CUDA_ERROR_INVALID_HANDLE,
		cuLaunchKernel((CUfunction)(uintptr_t)&p, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	GOOD(cuCtxSynchronize());

	GOOD(cuLaunchKernelEx(&config, kernel("globals"), params, NULL));
	GOOD(cuMemcpyDtoH(&v, p, 4));
	is_u64(v, 41 + 30 + 48, "variables and dynamic shared memory");

	f = kernel("add");
	v = 100;
	GOOD(cuMemcpyHtoD(p, &v, 4));
	GOOD(cuFuncSetBlockShape(f, 1, 1, 1));
	GOOD(cuParamSetv(f, 0, &p, 8));
	GOOD(cuParamSeti(f, 8, 11));
	GOOD(cuParamSetSize(f, 12));
	GOOD(cuLaunchGrid(f, 1, 1));
	GOOD(cuMemcpyDtoH(&v, p, 4));
	is_u64(v, 111, "the calls of old");

	GOOD(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel("big")));
	is_u64((unsigned)n, 20000, "shared memory of a kernel");
	GOOD(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel("few")));
	is_u64((unsigned)n, 64, "threads it allows");
	GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel("big"), 32, 0));
	is_u64((unsigned)n, 1, "blocks on an SM, by shared memory");
	GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel("store"), 256, 0));
	is_u64((unsigned)n, 4, "by threads");
	GOOD(cuMemFree(p));
}

static void
test_library(void)
{
	static const char text[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
				   ".visible .entry one()\n{\n\tret;\n}\n";
	CUlibrary lib;
	CUkernel k;
	CUfunction f;
	unsigned n;
	const char *name;

	GOOD(cuLibraryLoadData(&lib, text, NULL, NULL, 0, NULL, NULL, 0));
	GOOD(cuLibraryGetKernelCount(&n, lib));
	is_u64(n, 1, "kernels of a library");
	GOOD(cuLibraryGetKernel(&k, lib, "one"));
	GOOD(cuKernelGetName(&name, k));
	is_str(name, "one", "its name");
	GOOD(cuKernelGetFunction(&f, k));
	GOOD(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	GOOD(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	GOOD(cuLibraryUnload(lib));
	REFUSED(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(lib));
	REFUSED(CUDA_ERROR_FILE_NOT_FOUND,
		cuLibraryLoadFromFile(&lib, "/nowhere/x.ptx", NULL, NULL, 0, NULL, NULL, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE,
		cuLibraryLoadFromFile(&lib, NULL, NULL, NULL, 0, NULL, NULL, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE,
		cuLibraryLoadData(&lib, NULL, NULL, NULL, 0, NULL, NULL, 0));
}

/* ---- streams, events ---- */

static void
count(void *data)
{
	++*(int *)data;
}

static void
call_back(CUstream stream, CUresult status, void *data)
{
	*(int *)data += stream && status == CUDA_SUCCESS ? 10 : 1000;
}

static void
test_streams(void)
{
	CUstream s;
	CUevent a, b;
	CUdeviceptr p;
	float ms = -1;
	int n = 0;
	void *params[] = {&p};

	GOOD(cuMemAlloc(&p, 4));
	GOOD(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	GOOD(cuEventCreate(&a, 0));
	GOOD(cuEventCreate(&b, 0));
	REFUSED(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, a, b));
	GOOD(cuEventRecord(a, s));
	GOOD(cuLaunchKernel(kernel("store"), 1, 1, 1, 1, 1, 1, 0, s, params, NULL));
	GOOD(cuEventRecord(b, s));
	GOOD(cuStreamWaitEvent(CU_STREAM_PER_THREAD, b, 0));
	GOOD(cuEventSynchronize(b));
	GOOD(cuEventElapsedTime(&ms, a, b));
	ok(ms > 0 && ms < 0.001f, "time passes by instructions");
	GOOD(cuLaunchHostFunc(s, count, &n));
	GOOD(cuStreamAddCallback(s, call_back, &n, 0));
	is_u64((unsigned)n, 11, "functions of the host were called");
	GOOD(cuStreamQuery(s));
	GOOD(cuStreamSynchronize(NULL));
	GOOD(cuStreamDestroy(s));
	REFUSED(CUDA_ERROR_INVALID_HANDLE, cuStreamQuery(s));
	GOOD(cuEventDestroy(a));
	GOOD(cuEventDestroy(b));
	GOOD(cuMemFree(p));
}

/* Each thread has its own stack of contexts; the lock separates them. */
static void *
thread(void *out)
{
	CUdeviceptr p;
	uint32_t n = 3, v = 0;
	void *params[] = {&p, &n};
	CUfunction f;

	if (cuCtxSynchronize() != CUDA_ERROR_INVALID_CONTEXT ||
	    cuCtxSetCurrent(context) != CUDA_SUCCESS)
		return NULL;
	for (unsigned i = 0; i < 50; i++)
		if (cuMemAlloc(&p, 4) || cuMemsetD32(p, i, 1) ||
		    cuModuleGetFunction(&f, module, "add") ||
		    cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL) ||
		    cuMemcpyDtoH(&v, p, 4) || v != i + 3 || cuMemFree(p))
			return NULL;
	return out;
}

static void
test_threads(void)
{
	pthread_t t[4];
	void *result;
	unsigned good = 0;

	for (unsigned i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, thread, &good) != 0)
			return;
	for (unsigned i = 0; i < 4; i++) {
		pthread_join(t[i], &result);
		good += result == &good;
	}
	is_u64(good, 4, "four threads at once");
}

/* ---- textures ---- */

static void
test_textures(void)
{
	CUDA_ARRAY_DESCRIPTOR desc = {4, 3, CU_AD_FORMAT_FLOAT, 1};
	CUDA_RESOURCE_DESC res = {.resType = CU_RESOURCE_TYPE_ARRAY};
	CUDA_TEXTURE_DESC how = {
		.addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP}};
	CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
			      .dstMemoryType = CU_MEMORYTYPE_ARRAY,
			      .WidthInBytes = 16,
			      .Height = 3};
	float in[12], out[12] = {0};
	CUtexObject object;
	CUtexref ref;
	CUarray array;
	CUdeviceptr p, q;
	void *params[] = {&object, &p}, *params_ref[] = {&p};

	for (int i = 0; i < 12; i++)
		in[i] = (float)i + 0.25f;
	GOOD(cuMemAlloc(&p, sizeof(out)));
	GOOD(cuMemAlloc(&q, sizeof(in)));
	GOOD(cuArrayCreate(&array, &desc));
	copy.srcHost = in;
	copy.dstArray = array;
	GOOD(cuMemcpy2D(&copy));
	copy.Height = 4;
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
	GOOD(cuMemcpyAtoH(out, array, 8, 24));
	ok(memcmp(out, in + 2, 24) == 0, "an array read across its rows");
	res.res.array.hArray = array;
	GOOD(cuTexObjectCreate(&object, &res, &how, NULL));
	GOOD(cuLaunchKernel(kernel("sample"), 1, 1, 1, 4, 3, 1, 0, NULL, params, NULL));
	GOOD(cuMemcpyDtoH(out, p, sizeof(out)));
	ok(memcmp(out, in, sizeof(in)) == 0, "a texture object");
	GOOD(cuTexObjectDestroy(object));
	REFUSED(CUDA_ERROR_INVALID_HANDLE, cuTexObjectDestroy(object));

	REFUSED(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&ref, module, "counter"));
	GOOD(cuModuleGetTexRef(&ref, module, "image"));
	GOOD(cuTexRefSetFormat(ref, CU_AD_FORMAT_FLOAT, 1));
	GOOD(cuMemcpyHtoD(q, in, sizeof(in)));
	GOOD(cuTexRefSetAddress(NULL, ref, q, sizeof(in)));
	GOOD(cuLaunchKernel(kernel("sample_reference"), 1, 1, 1, 12, 1, 1, 0, NULL, params_ref,
			    NULL));
	memset(out, 0, sizeof(out));
	GOOD(cuMemcpyDtoH(out, p, sizeof(out)));
	ok(memcmp(out, in, sizeof(in)) == 0, "a texture reference");
	GOOD(cuArrayDestroy(array));
	GOOD(cuMemFree(p));
	GOOD(cuMemFree(q));
}

static void
test_surfaces(void)
{
	CUDA_ARRAY_DESCRIPTOR desc = {4, 3, CU_AD_FORMAT_UNSIGNED_INT32, 1};
	CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
			      .srcPitch = 16,
			      .dstMemoryType = CU_MEMORYTYPE_ARRAY,
			      .WidthInBytes = 16,
			      .Height = 3};
	uint32_t in[12], out[12] = {0}, wrong = 0;
	CUsurfref ref, again;
	CUarray array, bound = NULL;
	CUdeviceptr p;
	void *params[] = {&p};

	for (uint32_t i = 0; i < 12; i++)
		in[i] = 100 + 7 * i;
	GOOD(cuMemAlloc(&p, sizeof(out)));
	GOOD(cuArrayCreate(&array, &desc));
	copy.srcHost = in;
	copy.dstArray = array;
	GOOD(cuMemcpy2D(&copy));
	REFUSED(CUDA_ERROR_NOT_FOUND, cuModuleGetSurfRef(&ref, module, "image"));
	REFUSED(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef((CUtexref *)&ref, module, "plane"));
	GOOD(cuModuleGetSurfRef(&ref, module, "plane"));
	GOOD(cuModuleGetSurfRef(&again, module, "plane"));
	ok(ref == again, "a surface reference is there once");
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuSurfRefSetArray(ref, array, 1));
	REFUSED(CUDA_ERROR_INVALID_HANDLE, cuSurfRefSetArray((CUsurfref)array, array, 0));
	GOOD(cuSurfRefSetArray(ref, array, 0));
	GOOD(cuSurfRefGetArray(&bound, ref));
	ok(bound == array, "what it is bound to");
	GOOD(cuLaunchKernel(kernel("surface_reference"), 1, 1, 1, 4, 3, 1, 0, NULL, params, NULL));
	GOOD(cuMemcpyDtoH(out, p, sizeof(out)));
	ok(memcmp(out, in, sizeof(in)) == 0, "it is read");
	GOOD(cuMemcpyAtoH(out, array, 0, sizeof(out)));
	for (uint32_t i = 0; i < 12; i++)
		wrong += out[i] != i;
	is_u64(wrong, 0, "and written");
	GOOD(cuArrayDestroy(array));
	GOOD(cuSurfRefGetArray(&bound, ref));
	ok(!bound, "until its array is destroyed");
	GOOD(cuMemFree(p));
}

/* ---- what goes wrong ---- */

static void
test_entry(void)
{
	CUdriverProcAddressQueryResult status;
	CUresult (*graph)(void *, unsigned) = NULL;
	CUresult (*alloc)(CUdeviceptr *, size_t) = NULL;
	void *fn;

	GOOD(cuGetProcAddress("cuMemAlloc", &fn, 12000, 0, &status));
	memcpy(&alloc, &fn, sizeof(fn));
	ok(alloc == cuMemAlloc, "the newest of a name");
	is_u64(status, CU_GET_PROC_ADDRESS_SUCCESS, "found");
	GOOD(cuGetProcAddress("cuMemPrefetchAsync", &fn, 7000, 0, &status));
	is_u64(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, "only for newer programs");
	GOOD(cuGetProcAddress("cuNothing", &fn, 13000, 0, &status));
	is_u64(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, "not there");
	GOOD(cuGetProcAddress("cuGraphCreate", &fn, 13000, 0, NULL));
	memcpy(&graph, &fn, sizeof(fn));
	REFUSED(CUDA_ERROR_NOT_SUPPORTED, graph(&fn, 0));
}

/* After a kernel fails, the context is unusable until it is created again. */
static void
spoil(const char *name, CUdeviceptr p, CUresult want)
{
	void *params[] = {&p};

	is_u64(launch(name, 1, params), want, "%s", name);
	REFUSED(want, cuCtxSynchronize());
	REFUSED(want, cuMemAlloc(&p, 4));
	GOOD(cuDevicePrimaryCtxReset(0));
	GOOD(cuCtxSynchronize());
	load();
}

static void
test_faults(void)
{
	CUdeviceptr p;

	spoil("store", 0, CUDA_ERROR_ILLEGAL_ADDRESS);
	GOOD(cuMemAlloc(&p, 4));
	spoil("store", p + 4, CUDA_ERROR_ILLEGAL_ADDRESS);
	GOOD(cuMemAlloc(&p, 8));
	spoil("store", p + 2, CUDA_ERROR_MISALIGNED_ADDRESS);
	GOOD(cuModuleGetGlobal(&p, NULL, module, "table"));
	spoil("store", p, CUDA_ERROR_ILLEGAL_ADDRESS);
	spoil("outside_misaligned_trap", 0, CUDA_ERROR_LAUNCH_FAILED);
}

int
main(void)
{
	size_t before, after;

	test_start();
	test_device();
	test_context();
	GOOD(cuMemGetInfo(&before, NULL));
	test_module();
	test_memory();
	test_copies();
	test_fatbin();
	test_launch();
	test_library();
	test_streams();
	test_threads();
	test_textures();
	test_surfaces();
	test_entry();
	GOOD(cuModuleUnload(module));
	GOOD(cuMemGetInfo(&after, NULL));
	is_u64(after, before, "all memory is given back");
	REFUSED(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
	load();
	test_faults();
	GOOD(cuDevicePrimaryCtxRelease(0));
	REFUSED(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
	return done();
}
