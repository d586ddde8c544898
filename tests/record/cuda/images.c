/* SPDX-License-Identifier: GPL-3.0-or-later */
/* images.c - arrays of the driver API, which kernels read as textures and write as surfaces. */
#include "tests/record/cuda/rig.h"

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

int
main(void)
{
	size_t before;

	start_driver();
	GOOD(cuMemGetInfo(&before, NULL));
	test_textures();
	test_surfaces();
	end_driver(before);
	return done();
}
