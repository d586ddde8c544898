/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * library.c - libraries and kernels: the newer names of modules and functions, which need no
 * context. Here they are the same: a CUlibrary is a module, a CUkernel a function.
 */
#include "record/cuda/driver.h"

/* From code in memory, or from a file when path is given. */
static CUresult
load(struct driver *d, CUlibrary *library, const char *path, const void *code, unsigned int n,
     CUjit_option *option, void **value)
{
	struct err e = {0};
	struct module *m = NULL;
	char info[2048];
	CUresult r;

	if (!library || (!path && !code) || (n && (!option || !value)))
		return CUDA_ERROR_INVALID_VALUE;
	r = path ? module_load_file(d, path, &e, &m) : module_load(d, NULL, code, &e, &m);
	module_info(m, info, sizeof(info));
	jit_logs(n, option, value, &e, info);
	if (m)
		m->o.ctx = NULL;
	*library = (CUlibrary)m;
	return r ? driver_error(&e, r) : r;
}

EXPORT
cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *option, void **value,
		  unsigned int n, CUlibraryOption *lib_option ATTR_UNUSED,
		  void **lib_value ATTR_UNUSED, unsigned int n_lib ATTR_UNUSED)
{
	ENTER(NEED_INIT);

	return load(d, library, NULL, code, n, option, value);
}

EXPORT
cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *option, void **value,
		      unsigned int n, CUlibraryOption *lib_option ATTR_UNUSED,
		      void **lib_value ATTR_UNUSED, unsigned int n_lib ATTR_UNUSED)
{
	ENTER(NEED_INIT);

	return load(d, library, path, NULL, n, option, value);
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
	struct module *m = FIND(d, OBJ_MODULE, library);

	if (!count || !m)
		return m ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	*count = ptx_n_kernels(m->ptx);
	return CUDA_SUCCESS;
}

EXPORT
cuLibraryEnumerateKernels(CUkernel *kernel, unsigned int n, CUlibrary library)
{
	ENTER(NEED_INIT);
	struct module *m = FIND(d, OBJ_MODULE, library);
	CUresult r = CUDA_SUCCESS;

	if (!kernel || !m)
		return m ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < n && i < ptx_n_kernels(m->ptx); i++) {
		struct function *f;

		r = module_function_at(d, m, i, &f);
		if (r == CUDA_SUCCESS)
			kernel[i] = (CUkernel)f;
	}
	return r;
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
