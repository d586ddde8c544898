/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * virtual.c - virtual memory: mapped and accessible addresses are ordinary memory, under all of
 * their mappings; other addresses end a launch as on a GPU.
 */
#include "record/cuda/cuda_api.h"
#include "tests/tap.h"

#include <string.h>

#define GOOD(call) is_u64(call, CUDA_SUCCESS, #call)
#define REFUSED(result, call) is_u64(call, result, #call)

#define G ((size_t)2 << 20)

/* Computes p[0] = p[0] + 1 and q[0] = p[0] for two addresses. */
static const char ptx[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
			  ".visible .entry k(.param .u64 p, .param .u64 q)\n{\n"
			  "\t.reg .b32 %r<3>;\n\t.reg .b64 %rd<3>;\n"
			  "\tld.param.u64 %rd1, [p];\n\tld.param.u64 %rd2, [q];\n"
			  "\tld.global.u32 %r1, [%rd1];\n\tadd.u32 %r2, %r1, 1;\n"
			  "\tst.global.u32 [%rd2], %r2;\n\tret;\n}\n";

static const CUmemAllocationProp prop = {
	.type = CU_MEM_ALLOCATION_TYPE_PINNED,
	.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
};

static CUcontext context;
static CUfunction kernel;

static void
load(void)
{
	CUmodule m;

	GOOD(cuDevicePrimaryCtxRetain(&context, 0));
	GOOD(cuCtxSetCurrent(context));
	GOOD(cuModuleLoadData(&m, ptx));
	GOOD(cuModuleGetFunction(&kernel, m, "k"));
}

static CUresult
add(CUdeviceptr p, CUdeviceptr q)
{
	void *params[] = {&p, &q};

	return cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
}

static CUresult
may(CUdeviceptr p, size_t bytes, CUmemAccess_flags flags)
{
	CUmemAccessDesc d = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, flags};

	return cuMemSetAccess(p, bytes, &d, 1);
}

static uint32_t
word(CUdeviceptr p)
{
	uint32_t v = UINT32_MAX;

	GOOD(cuMemcpyDtoH(&v, p, sizeof(v)));
	return v;
}

/* Creates the context again after a fault. */
static void
again(void)
{
	GOOD(cuDevicePrimaryCtxReset(0));
	load();
}

static void
test_mistakes(CUdeviceptr range, CUmemGenericAllocationHandle h)
{
	CUmemAllocationProp host = prop, other = prop, shared = prop;
	CUmemGenericAllocationHandle none = 4711;
	CUdeviceptr p;
	unsigned long long flags;

	host.location.type = 2;
	other.location.id = 1;
	shared.requestedHandleTypes = 1;
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&p, G + 4096, 0, 0, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&p, 0, 0, 0, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&p, G, 3, 0, 0));
	REFUSED(CUDA_ERROR_OUT_OF_MEMORY, cuMemAddressReserve(&p, (size_t)1 << 60, 0, 0, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&none, 4096, &prop, 0));
	REFUSED(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&none, (size_t)1 << 60, &prop, 0));
	REFUSED(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&none, G, &host, 0));
	REFUSED(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&none, G, &shared, 0));
	REFUSED(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&none, G, &other, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemRelease(none));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemMap(range, G, 0, none, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemMap(range, 3 * G, 0, h, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemMap(range, G, G, h, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemMap(range + 4096, G, 0, h, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemMap(range + 4 * G, G, 0, h, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemMap(64, G, 0, h, 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(range, G));
	REFUSED(CUDA_ERROR_INVALID_VALUE, may(range, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(&flags, &prop.location, range));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(range, G));
}

/* Two pieces of two granules are mapped to ranges of four. */
static void
test_map(void)
{
	CUmemGenericAllocationHandle h[2], same;
	CUmemAllocationProp got;
	CUdeviceptr a, b;
	uint32_t v[2] = {41, 7}, back[2] = {0, 0};
	unsigned long long flags;
	size_t before, after, all;

	GOOD(cuMemGetInfo(&before, &all));
	GOOD(cuMemAddressReserve(&a, 4 * G, 0, 0, 0));
	GOOD(cuMemAddressReserve(&b, 4 * G, 8 * G, 0, 0));
	ok(b % (8 * G) == 0 && a != b, "aligned as asked for");
	GOOD(cuMemCreate(&h[0], 2 * G, &prop, 0));
	GOOD(cuMemCreate(&h[1], 2 * G, &prop, 0));
	GOOD(cuMemGetInfo(&after, &all));
	is_u64(before - after, 4 * G, "it is taken from the device's memory");
	test_mistakes(a, h[0]);
	GOOD(cuMemMap(a, 2 * G, 0, h[0], 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemMap(a + G, G, 0, h[1], 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(a, v, 8));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemcpy(a, (CUdeviceptr)(uintptr_t)v, 8));
	GOOD(cuMemMap(a + 2 * G, 2 * G, 0, h[1], 0));
	REFUSED(CUDA_ERROR_INVALID_VALUE, may(a, 3 * G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
	GOOD(may(a, 4 * G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
	GOOD(cuMemGetAccess(&flags, &prop.location, a + 3 * G));
	is_u64(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE, "rights");
	is_u64(word(a + 2 * G - 4), 0, "new memory is zero");
	GOOD(cuMemcpyHtoD(a + 2 * G - 4, v, 8)); /* half in each mapping */
	GOOD(cuMemcpyDtoH(back, a + 2 * G - 4, 8));
	ok(back[0] == 41 && back[1] == 7, "a copy over two pieces");
	GOOD(add(a + 2 * G - 4, a));
	is_u64(word(a), 42, "a kernel");

	/* maps the second piece a second time */
	GOOD(cuMemMap(b + G, 2 * G, 0, h[1], 0));
	GOOD(may(b + G, 2 * G, CU_MEM_ACCESS_FLAGS_PROT_READ));
	is_u64(word(b + G), 7, "under another address");
	GOOD(add(a, a + 2 * G));
	is_u64(word(b + G), 43, "written there, read here");
	GOOD(cuMemGetAllocationPropertiesFromHandle(&got, h[1]));
	ok(memcmp(&got, &prop, sizeof(got)) == 0, "its properties");
	GOOD(cuMemRetainAllocationHandle(&same, (void *)(uintptr_t)(b + G + 64)));
	is_u64(same, h[1], "its handle");

	GOOD(cuMemRelease(h[0]));
	GOOD(cuMemRelease(h[1]));
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemRelease(h[0]));
	is_u64(word(a), 42, "memory stays while it is mapped");
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(a, G));
	GOOD(cuMemUnmap(a + 2 * G, 2 * G));
	is_u64(word(b + G), 43, "under the other address");

	/* addresses that are not accessible */
	REFUSED(CUDA_ERROR_ILLEGAL_ADDRESS, add(a, b + G));
	again();
	REFUSED(CUDA_ERROR_ILLEGAL_ADDRESS, add(a + 2 * G, a));
	again();
	is_u64(word(a), 42, "a context's end is not memory's");
	GOOD(may(a, 2 * G, CU_MEM_ACCESS_FLAGS_PROT_NONE));
	REFUSED(CUDA_ERROR_ILLEGAL_ADDRESS, add(a, a));
	again();

	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(a, 4 * G));
	GOOD(cuMemUnmap(a, 2 * G));
	GOOD(cuMemAddressFree(a, 4 * G));
	GOOD(cuMemUnmap(b + G, 2 * G));
	GOOD(cuMemAddressFree(b, 4 * G));
	GOOD(cuMemGetInfo(&after, &all));
	is_u64(before - after, 2 * G, "a handle is left");
	GOOD(cuMemRelease(same));
	GOOD(cuMemGetInfo(&after, &all));
	is_u64(after, before, "all is given back");
}

int
main(void)
{
	size_t granule;
	int can = 0;

	cuInit(0);
	cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 0);
	if (tap_skip(can ? NULL : "the device's addresses are not the host's here"))
		return done();
	load();
	GOOD(cuMemGetAllocationGranularity(&granule, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	is_u64(granule, G, "what sizes are multiples of");
	test_map();
	return done();
}
