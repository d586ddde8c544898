/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_driver.c - any bytes as calls of the CUDA driver API, from three threads at once.
 *
 * Each call takes its arguments from the bytes. Handles are those that earlier calls returned,
 * including destroyed ones, and sometimes arbitrary numbers; sizes are small, or beyond all memory.
 * Host memory is always valid, since the caller is responsible for it. If the first byte is '1',
 * only one thread runs. fuzz_fatbin tests images of modules.
 *
 * Requirements: no crash and no hang, every result has a name, and a reset frees all memory.
 */
#define FUZZ_CORPUS "driver"
#define FUZZ_COVERS                                                                  \
	"src/record/cuda/mem*.c src/record/cuda/virtual.c src/record/cuda/linker.c " \
	"src/record/cuda/copy.c src/record/cuda/array.c"
#define FUZZ_LINKS "src/record/cuda/libcuda_so_1-*.o"
#define FUZZ_OPTIONS "-close_fd_mask=2" /* what the driver says of each mistake */
#include "tests/fuzz/replay.h"

#include "ctascope/base.h"
#include "record/cuda/cuda_api.h"
#include "tests/fuzz/driver_args.h"
#include "tests/fuzz/driver_virtual.h"

#include <pthread.h>
#include <string.h>

#define THREADS 3

static const char text[] =
	".version 6.0\n.target sm_70\n.address_size 64\n"
	".visible .global .align 4 .u32 count = 41;\n.visible .global .texref image;\n"
	".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
	"\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<4>;\n"
	"\tld.param.u64 %rd1, [p];\n\tld.param.u32 %r1, [n];\n\tmov.u32 %r2, %tid.x;\n"
	"\tmul.wide.u32 %rd2, %r2, 4;\n\tadd.u64 %rd3, %rd1, %rd2;\n"
	"\tld.u32 %r3, [%rd3];\n\tadd.u32 %r3, %r3, %r1;\n\tst.u32 [%rd3], %r3;\n"
	"\tret;\n}\n";

static CUresult
call_memory(struct caller *c)
{
	CUdeviceptr p = 0, q = 0;
	size_t n = 0, m = 0;
	void *h = NULL;
	unsigned flags;
	CUresult r = CUDA_SUCCESS;

	switch (byte(c) % 24) {
	case 0:
	case 1:
		r = cuMemAlloc(&p, size_of(c));
		keep(c, pool.address, p);
		break;
	case 2:
		r = cuMemAllocPitch(&p, &n, size_of(c), byte(c), 4u << byte(c) % 4);
		keep(c, pool.address, p);
		break;
	case 3:
		r = cuMemAllocManaged(&p, host_size(c), 1 + byte(c) % 2);
		keep(c, pool.address, p);
		break;
	case 4:
		r = cuMemFree(address(c));
		break;
	case 5:
		r = cuMemGetAddressRange(&p, &n, address(c));
		break;
	case 6:
		r = cuMemcpyHtoD(address(c), c->room, host_size(c));
		break;
	case 7:
		r = cuMemcpyDtoH(c->room, address(c), host_size(c));
		break;
	case 8:
		r = cuMemcpyDtoD(address(c), address(c), size_of(c));
		break;
	case 9:
		r = cuMemcpyHtoDAsync(address(c), c->room, host_size(c), handle(c, pool.stream));
		break;
	case 10:
		r = cuMemsetD8(address(c), (unsigned char)byte(c), size_of(c));
		break;
	case 11:
		r = cuMemsetD32(address(c), byte(c), size_of(c));
		break;
	case 12:
		r = cuMemsetD2D16(address(c), size_of(c), (unsigned short)byte(c), size_of(c),
				  byte(c));
		break;
	case 13:
		r = cuMemAllocHost(&h, host_size(c));
		if (r == CUDA_SUCCESS)
			keep(c, pool.host, (uintptr_t)h);
		break;
	case 14:
		r = cuMemHostGetDevicePointer(&p, handle(c, pool.host), 0);
		break;
	case 15:
		r = cuMemHostGetFlags(&flags, handle(c, pool.host));
		break;
	case 16:
		r = cuMemHostRegister(c->room, host_size(c), byte(c) % 4);
		break;
	case 17:
		r = cuMemHostUnregister(c->room);
		break;
	case 18:
		r = cuMemAllocAsync(&p, size_of(c), handle(c, pool.stream));
		keep(c, pool.address, p);
		break;
	case 19:
		r = cuMemFreeAsync(address(c), handle(c, pool.stream));
		break;
	case 20:
		r = cuPointerGetAttribute(c->room, (CUpointer_attribute)(byte(c) % 24), address(c));
		break;
	case 21:
		r = cuMemGetInfo(&n, &m);
		break;
	case 22:
		q = address(c);
		r = cuMemcpyDtoD(q, q + byte(c), size_of(c));
		break;
	default:
		r = cuMemAdvise(address(c), size_of(c), (CUmem_advise)(byte(c) % 8), 0);
	}
	return r;
}

static CUresult
call_array(struct caller *c)
{
	CUDA_ARRAY_DESCRIPTOR d = {.Width = size_of(c), .Height = byte(c)};
	CUarray a = NULL;
	CUtexref t = NULL;
	CUDA_MEMCPY2D copy = {0};
	CUresult r;

	d.Format = (CUarray_format)(byte(c) % 2 ? 0x20 : byte(c));
	d.NumChannels = 1 + byte(c) % 5;
	switch (byte(c) % 10) {
	case 0:
	case 1:
		r = cuArrayCreate(&a, &d);
		keep(c, pool.array, (uintptr_t)a);
		return r;
	case 2:
		return cuArrayDestroy(handle(c, pool.array));
	case 3:
		return cuArrayGetDescriptor(&d, handle(c, pool.array));
	case 4:
		return cuMemcpyHtoA(handle(c, pool.array), size_of(c), c->room, host_size(c));
	case 5:
		return cuMemcpyAtoH(c->room, handle(c, pool.array), size_of(c), host_size(c));
	case 6:
		return cuMemcpyAtoD(address(c), handle(c, pool.array), size_of(c), size_of(c));
	case 7:
		copy.srcMemoryType = (CUmemorytype)(2 + byte(c) % 2);
		copy.srcDevice = address(c);
		copy.srcArray = handle(c, pool.array);
		copy.srcPitch = size_of(c);
		copy.srcXInBytes = size_of(c);
		copy.dstMemoryType = (CUmemorytype)(2 + byte(c) % 2);
		copy.dstDevice = address(c);
		copy.dstArray = handle(c, pool.array);
		copy.dstPitch = size_of(c);
		copy.dstY = byte(c);
		copy.WidthInBytes = size_of(c);
		copy.Height = byte(c);
		return cuMemcpy2D(&copy);
	case 8:
		r = cuModuleGetTexRef(&t, handle(c, pool.module), "image");
		keep(c, pool.texref, (uintptr_t)t);
		return r;
	default:
		return byte(c) % 2
			       ? cuTexRefSetArray(handle(c, pool.texref), handle(c, pool.array), 1)
			       : cuTexRefSetAddress2D(handle(c, pool.texref), &d, address(c),
						      size_of(c));
	}
}

/* Copies a box between arrays and the device; host memory has the size that the call gives. */
static CUresult
call_box(struct caller *c)
{
	unsigned way = byte(c), type = byte(c) % 8;
	CUDA_MEMCPY3D b = {
		.srcMemoryType = (CUmemorytype)(2 + type % 2),
		.dstMemoryType = (CUmemorytype)(2 + byte(c) % 2 + (type == 5) * 8),
		.srcLOD = type == 6,
		.srcDevice = address(c),
		.dstDevice = address(c),
		.srcArray = handle(c, pool.array),
		.dstArray = handle(c, pool.array),
		.WidthInBytes = extent(c),
		.Height = extent(c),
		.Depth = extent(c),
		.dstXInBytes = extent(c),
		.dstY = extent(c),
		.dstZ = extent(c),
		.dstPitch = extent(c),
		.dstHeight = extent(c),
	};
	CUDA_MEMCPY2D flat = {0};

	if (type >= 6) {
		b.srcMemoryType = byte(c) % 2 ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_UNIFIED;
		b.srcHost = c->room;
		b.srcDevice = (uintptr_t)c->room;
		b.WidthInBytes %= 64;
		b.Height %= 16;
		b.Depth %= 16;
	} else {
		b.srcXInBytes = extent(c);
		b.srcY = extent(c);
		b.srcZ = extent(c);
		b.srcPitch = extent(c);
		b.srcHeight = extent(c);
	}
	if (way % 4 == 0)
		return cuMemcpy3D(way % 32 ? &b : NULL);
	if (way % 4 == 1)
		return cuMemcpy3DAsync(&b, handle(c, pool.stream));
	flat.srcMemoryType = b.srcMemoryType;
	flat.srcHost = b.srcHost;
	flat.srcDevice = b.srcDevice;
	flat.srcArray = b.srcArray;
	flat.srcPitch = b.srcPitch;
	flat.dstMemoryType = b.dstMemoryType;
	flat.dstDevice = b.dstDevice;
	flat.dstArray = b.dstArray;
	flat.dstPitch = b.dstPitch;
	flat.WidthInBytes = b.WidthInBytes;
	flat.Height = b.Height;
	return way % 4 == 2 ? cuMemcpy2DAsync(&flat, handle(c, pool.stream))
			    : cuMemcpy2D(way % 32 == 3 ? NULL : &flat);
}

/* Copies and fills in the order of a stream. */
static CUresult
call_stream(struct caller *c)
{
	CUstream s = handle(c, pool.stream);
	CUmemLocation where = {0};
	CUdeviceptr p = address(c);
	unsigned v = byte(c), width = 1u << v % 3;
	size_t n = size_of(c), pitch;

	switch (byte(c) % 12) {
	case 0:
		return cuMemcpyAsync(anywhere(c), anywhere(c), host_size(c), s);
	case 1:
		return cuMemcpy(anywhere(c), anywhere(c), host_size(c));
	case 2:
		return cuMemcpyHtoAAsync(handle(c, pool.array), n, c->room, host_size(c), s);
	case 3:
		return cuMemcpyAtoHAsync(c->room, handle(c, pool.array), n, host_size(c), s);
	case 4:
		return cuMemcpyDtoDAsync(p, address(c), n, s);
	case 5:
		return cuMemcpyDtoHAsync(c->room, p, host_size(c), s);
	case 6:
		return width == 1   ? cuMemsetD8Async(p, (unsigned char)v, n, s)
		       : width == 2 ? cuMemsetD16Async(p, (unsigned short)v, n, s)
				    : cuMemsetD32Async(p, v, n, s);
	case 7:
	case 8:
		pitch = size_of(c);
		return width == 1   ? cuMemsetD2D8Async(p, pitch, (unsigned char)v, v, n, s)
		       : width == 2 ? cuMemsetD2D16Async(p, pitch, (unsigned short)v, v, n, s)
				    : cuMemsetD2D32Async(p, pitch, v, v, n, s);
	case 9:
		return v % 2 ? cuMemPrefetchAsync(p, n, 0, s)
			     : cuMemPrefetchAsync_v2(p, n, where, v % 4, s);
	case 10:
		return cuMemAdvise_v2(p, n, (CUmem_advise)(v % 8), where);
	default:
		return cuStreamAttachMemAsync(s, p, n, v % 8);
	}
}

/* Arrays of all kinds, copies between them and the device, and reads of them by kernels. */
static CUresult
call_texture(struct caller *c)
{
	CUDA_ARRAY3D_DESCRIPTOR d = {0};
	CUDA_RESOURCE_DESC what = {.resType = CU_RESOURCE_TYPE_ARRAY};
	CUDA_TEXTURE_DESC how = {0};
	CUarray a = handle(c, pool.array), made = NULL;
	unsigned long long object = 0;
	void *h = NULL;
	CUresult r;

	what.res.array.hArray = a;
	switch (byte(c) % 10) {
	case 0:
	case 1:
		d.Width = 1 + extent(c);
		d.Height = byte(c) % 2 ? d.Width : extent(c);
		d.Depth = byte(c) % 2 ? 6 : extent(c);
		d.Format = (CUarray_format)(byte(c) % 2 ? 0x20 : byte(c) % 16);
		d.NumChannels = byte(c) % 5;
		d.Flags = byte(c) % 8;
		r = cuArray3DCreate(&made, &d);
		if (r == CUDA_SUCCESS)
			keep(c, pool.array, (uintptr_t)made);
		return r;
	case 2:
		return cuArray3DGetDescriptor(byte(c) % 16 ? &d : NULL, a);
	case 3:
		return cuMemcpyDtoA(a, size_of(c), address(c), size_of(c));
	case 4:
		return cuMemcpyAtoA(a, extent(c), handle(c, pool.array), extent(c), size_of(c));
	case 5:
		if (byte(c) % 2) {
			what.resType = (CUresourcetype)(byte(c) % 4);
			what.res.pitch2D.devPtr = address(c);
			what.res.pitch2D.format = (CUarray_format)(byte(c) % 16);
			what.res.pitch2D.numChannels = byte(c) % 5;
			what.res.pitch2D.width = extent(c);
			what.res.pitch2D.height = extent(c);
			what.res.pitch2D.pitchInBytes = size_of(c);
		}
		r = cuTexObjectCreate(&object, &what, &how, NULL);
		keep(c, pool.texture, object);
		return r;
	case 6:
		return cuTexObjectDestroy(from(c, pool.texture));
	case 7:
		r = cuSurfObjectCreate(&object, &what);
		keep(c, pool.texture, object);
		return r;
	case 8:
		return cuSurfObjectDestroy(from(c, pool.texture));
	default:
		r = cuMemHostAlloc(&h, host_size(c), byte(c));
		if (r == CUDA_SUCCESS)
			keep(c, pool.host, (uintptr_t)h);
		return r;
	}
}

static CUresult
call_order(struct caller *c)
{
	CUstream s = NULL;
	CUevent e = NULL;
	CUcontext x = NULL;
	CUresult r = CUDA_SUCCESS;
	unsigned flags;
	float ms;

	switch (byte(c) % 16) {
	case 0:
		r = cuStreamCreate(&s, byte(c) % 3);
		keep(c, pool.stream, (uintptr_t)s);
		break;
	case 1:
		r = cuStreamDestroy(handle(c, pool.stream));
		break;
	case 2:
		r = cuStreamSynchronize(handle(c, pool.stream));
		break;
	case 3:
		r = cuStreamWaitEvent(handle(c, pool.stream), handle(c, pool.event), 0);
		break;
	case 4:
		r = cuStreamGetFlags(handle(c, pool.stream), &flags);
		break;
	case 5:
		r = cuEventCreate(&e, byte(c) % 4);
		keep(c, pool.event, (uintptr_t)e);
		break;
	case 6:
		r = cuEventDestroy(handle(c, pool.event));
		break;
	case 7:
		r = cuEventRecord(handle(c, pool.event), handle(c, pool.stream));
		break;
	case 8:
		r = cuEventElapsedTime(&ms, handle(c, pool.event), handle(c, pool.event));
		break;
	case 9:
		r = cuEventSynchronize(handle(c, pool.event));
		break;
	case 10:
		r = cuCtxCreate(&x, byte(c) % 16, 0);
		keep(c, pool.context, (uintptr_t)x);
		if (r == CUDA_SUCCESS)
			cuCtxPopCurrent(&x);
		break;
	case 11:
		r = cuCtxPushCurrent(handle(c, pool.context));
		break;
	case 12:
		r = cuCtxPopCurrent(&x);
		break;
	case 13:
		r = cuCtxDestroy(handle(c, pool.context));
		break;
	case 14:
		r = cuCtxSetCurrent(c->context);
		break;
	default:
		r = cuCtxSynchronize();
	}
	return r;
}

static CUresult
call_module(struct caller *c)
{
	CUmodule m = NULL;
	CUfunction f = NULL;
	CUdeviceptr p;
	CUresult r;
	size_t n;
	int v;

	switch (byte(c) % 10) {
	case 0:
		r = cuModuleLoadData(&m, text);
		keep(c, pool.module, (uintptr_t)m);
		return r;
	case 1:
		return cuModuleUnload(handle(c, pool.module));
	case 2:
	case 3:
		r = cuModuleGetFunction(&f, handle(c, pool.module), byte(c) % 8 ? "k" : "none");
		keep(c, pool.function, (uintptr_t)f);
		return r;
	case 4:
		r = cuModuleGetGlobal(&p, &n, handle(c, pool.module), "count");
		if (r == CUDA_SUCCESS)
			keep(c, pool.address, p);
		return r;
	case 5:
		return cuFuncGetAttribute(&v, (CUfunction_attribute)(byte(c) % 20),
					  handle(c, pool.function));
	case 6:
		return cuFuncSetAttribute(handle(c, pool.function),
					  (CUfunction_attribute)(byte(c) % 20), (int)byte(c));
	case 7:
		return cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, handle(c, pool.function),
								   (int)byte(c) * 8, size_of(c));
	default: {
		CUdeviceptr a = address(c);
		unsigned k = byte(c);
		void *params[] = {&a, &k};

		return cuLaunchKernel(handle(c, pool.function), byte(c) % 5, 1, 1, byte(c), 1, 1,
				      (unsigned)size_of(c), handle(c, pool.stream),
				      byte(c) ? params : NULL, NULL);
	}
	}
}

static void *
calls(void *arg)
{
	struct caller *c = arg;
	const char *name;

	cuCtxSetCurrent(c->context);
	while (c->p < c->end) {
		CUresult r;

		switch (byte(c) % 14) {
		case 0:
		case 1:
		case 2:
			r = call_memory(c);
			break;
		case 3:
			r = call_array(c);
			break;
		case 8:
			r = call_box(c);
			break;
		case 9:
			r = call_stream(c);
			break;
		case 10:
			r = call_texture(c);
			break;
		case 11:
			r = call_physical(c);
			break;
		case 12:
			r = call_range(c);
			break;
		case 13:
			r = call_link(c, text);
			break;
		case 4:
		case 5:
			r = call_order(c);
			break;
		default:
			r = call_module(c);
		}
		fuzz_check(cuGetErrorName(r, &name) == CUDA_SUCCESS && name[0]);
	}
	cuMemHostUnregister(c->room);
	return NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct caller caller[THREADS];
	static CUcontext context;
	pthread_t thread[THREADS];
	unsigned n = size && data[0] == '1' ? 1 : THREADS;
	size_t all, left;

	if (!context) {
		fuzz_check(cuInit(0) == CUDA_SUCCESS);
		fuzz_check(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
	}
	if (size < 2 || size > 2000)
		return 0;
	fuzz_check(cuCtxSetCurrent(context) == CUDA_SUCCESS);
	fuzz_check(cuMemGetInfo(&left, &all) == CUDA_SUCCESS);
	memset(&pool, 0, sizeof(pool));
	for (unsigned i = 0; i < n; i++) {
		caller[i].p = data + 1 + (size - 1) * i / n;
		caller[i].end = data + 1 + (size - 1) * (i + 1) / n;
		caller[i].context = context;
		caller[i].alone = n == 1;
	}
	if (n == 1) {
		calls(&caller[0]);
	} else {
		for (unsigned i = 0; i < n; i++)
			fuzz_check(pthread_create(&thread[i], NULL, calls, &caller[i]) == 0);
		for (unsigned i = 0; i < n; i++)
			pthread_join(thread[i], NULL);
	}
	for (unsigned i = 0; i < POOL; i++) {
		cuCtxDestroy((CUcontext)(uintptr_t)pool.context[i]);
		cuMemFreeHost((void *)(uintptr_t)pool.host[i]);
	}
	virtual_put_away();
	fuzz_check(cuDevicePrimaryCtxReset(0) == CUDA_SUCCESS);
	fuzz_check(cuCtxSetCurrent(context) == CUDA_SUCCESS);
	cuMemGetInfo(&all, &left);
	return 0;
}
