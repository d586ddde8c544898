/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library.c - loads libraries, which are code that a program loads itself, by the driver. */
#include "record/runtime/runtime.h"

EXPORT
cudaLibraryLoadData(cudaLibrary_t *library, const void *code, void *option, void **value,
		    unsigned int n, void *lib_option, void **lib_value, unsigned int n_lib)
{
	FORWARD(cuLibraryLoadData(library, code, option, value, n, lib_option, lib_value, n_lib));
}

EXPORT
cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, void *option, void **value,
			unsigned int n, void *lib_option, void **lib_value, unsigned int n_lib)
{
	FORWARD(cuLibraryLoadFromFile(library, path, option, value, n, lib_option, lib_value,
				      n_lib));
}

EXPORT
cudaLibraryUnload(cudaLibrary_t library)
{
	FORWARD(cuLibraryUnload(library));
}

EXPORT
cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
	FORWARD(cuLibraryGetKernel(kernel, library, name));
}

EXPORT
cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library)
{
	FORWARD(cuLibraryGetKernelCount(count, library));
}

EXPORT
cudaLibraryEnumerateKernels(cudaKernel_t *kernel, unsigned int n, cudaLibrary_t library)
{
	FORWARD(cuLibraryEnumerateKernels(kernel, n, library));
}

EXPORT
cudaLibraryGetGlobal(void **p, size_t *bytes, cudaLibrary_t library, const char *name)
{
	CUdeviceptr addr = 0;

	TRY(runtime_ready());
	TRY(cuLibraryGetGlobal(&addr, bytes, library, name));
	if (p)
		*p = (void *)(uintptr_t)addr;
	return cudaSuccess;
}
