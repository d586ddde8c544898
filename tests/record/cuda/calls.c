/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calls.c - the entry points of libcuda.so.1: their results and errors. It is linked with the
 * library like any program of the driver API. Memory is tested in memory.c, arrays in images.c.
 */
#include "tests/record/cuda/rig.h"
#include "tests/record/fat.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static CUcontext context;

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
	test_fatbin();
	test_launch();
	test_library();
	test_streams();
	test_threads();
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
