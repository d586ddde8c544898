/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * library.c - loads libraries and finds kernels, the newer names of modules and functions, which
 * need no context. Here they are the same: a CUlibrary is a module, a CUkernel a function.
 */
#include "record/cuda/driver.h"

/* Loads code from memory, or from a file when path is given. No context owns the library. */
static CUresult
load_library(CUlibrary *library, const char *path, const void *code, unsigned n,
	     const CUjit_option *option, void **value)
{
	ENTER(NEED_INIT);
	struct module *m;
	CUresult r;

	if (!library)
		return CUDA_ERROR_INVALID_VALUE;
	r = module_load_logged(d, path, code, n, option, value, &m);
	if (m)
		m->o.ctx = NULL;
	*library = (CUlibrary)m;
	return r;
}

EXPORT
cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *option, void **value,
		  unsigned int n, CUlibraryOption *lib_option ATTR_UNUSED,
		  void **lib_value ATTR_UNUSED, unsigned int n_lib ATTR_UNUSED)
{
	return load_library(library, NULL, code, n, option, value);
}

EXPORT
cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *option, void **value,
		      unsigned int n, CUlibraryOption *lib_option ATTR_UNUSED,
		      void **lib_value ATTR_UNUSED, unsigned int n_lib ATTR_UNUSED)
{
	return load_library(library, path, NULL, n, option, value);
}

EXPORT
cuLibraryUnload(CUlibrary library)
{
	ENTER(NEED_INIT);
	struct object *o = FIND(d, OBJ_MODULE, library);

	if (!o)
		return CUDA_ERROR_INVALID_HANDLE;
	module_free(d, o);
	return CUDA_SUCCESS;
}

EXPORT
cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
	ENTER(NEED_INIT);
	struct function *f = NULL;
	CUresult r = kernel ? module_function(d, FIND(d, OBJ_MODULE, library), name, &f)
			    : CUDA_ERROR_INVALID_VALUE;

	if (kernel)
		*kernel = (CUkernel)f;
	return r;
}

EXPORT
cuLibraryGetKernelCount(unsigned int *count, CUlibrary library)
{
	ENTER(NEED_INIT);

	return module_count(FIND(d, OBJ_MODULE, library), count);
}

EXPORT
cuLibraryEnumerateKernels(CUkernel *kernel, unsigned int n, CUlibrary library)
{
	ENTER(NEED_INIT);

	return module_functions(d, FIND(d, OBJ_MODULE, library), n, kernel);
}

EXPORT
cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
	ENTER(NEED_CONTEXT);

	if (!module || !FIND(d, OBJ_MODULE, library))
		return module ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
	*module = (CUmodule)library;
	return CUDA_SUCCESS;
}

EXPORT
cuLibraryGetGlobal(CUdeviceptr *addr, size_t *bytes, CUlibrary library, const char *name)
{
	ENTER(NEED_CONTEXT);

	return module_global(d, FIND(d, OBJ_MODULE, library), name, addr, bytes);
}

EXPORT
cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
	ENTER(NEED_CONTEXT);

	if (!function || !FIND(d, OBJ_FUNCTION, kernel))
		return function ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
	*function = (CUfunction)kernel;
	return CUDA_SUCCESS;
}

EXPORT
cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
	ENTER(NEED_INIT);
	struct function *f = FIND(d, OBJ_FUNCTION, kernel);

	if (!library || !f)
		return library ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
	*library = (CUlibrary)f->module;
	return CUDA_SUCCESS;
}

EXPORT
cuKernelGetName(const char **name, CUkernel kernel)
{
	return cuFuncGetName(name, (CUfunction)kernel);
}

EXPORT
cuKernelGetParamInfo(CUkernel kernel, size_t i, size_t *offset, size_t *size)
{
	return cuFuncGetParamInfo((CUfunction)kernel, i, offset, size);
}

EXPORT
cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice dev)
{
	ENTER(NEED_INIT);
	struct function *f = FIND(d, OBJ_FUNCTION, kernel);

	if (!value || !f || dev != 0)
		return !value ? CUDA_ERROR_INVALID_VALUE
		       : dev  ? CUDA_ERROR_INVALID_DEVICE
			      : CUDA_ERROR_INVALID_HANDLE;
	return function_attribute(d, f, attribute, value);
}

EXPORT
cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice dev)
{
	ENTER(NEED_INIT);
	struct function *f = FIND(d, OBJ_FUNCTION, kernel);

	if (!f || dev != 0)
		return dev ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_HANDLE;
	return function_set_attribute(d, f, attribute, value);
}

EXPORT
cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev)
{
	return dev ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetCacheConfig((CUfunction)kernel, config);
}
