/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - memory of the driver API: how it is allocated, mapped, registered, copied and filled.
 */
#include "tests/record/cuda/rig.h"

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

int
main(void)
{
	size_t before;

	start_driver();
	GOOD(cuMemGetInfo(&before, NULL));
	test_memory();
	test_copies();
	end_driver(before);
	return done();
}
