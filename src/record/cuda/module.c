/* SPDX-License-Identifier: GPL-3.0-or-later */
/* module.c - modules: loads PTX text from a file, from memory or from a fat binary, and finds the
 * functions and variables in it. */
#include "record/cuda/driver.h"

#include "base/textfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- loading ---- */

static CUresult
load_text(struct driver *d, const char *name, const char *text, size_t n, struct err *e,
	  struct module **out)
{
	struct module *m = calloc(1, sizeof(*m));

	if (!m)
		return err_nomem(e), CUDA_ERROR_OUT_OF_MEMORY;
	m->name = strdup(name);
	m->ptx = ptx_parse(name, text, n, e);
	m->function = m->ptx ? calloc(ptx_n_kernels(m->ptx) + 1, sizeof(struct function *)) : NULL;
	if (!m->name || !m->function || ptx_load(d->device, m->ptx, e) != 0) {
		CUresult r = m->ptx ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_PTX;

		ptx_module_free(m->ptx);
		free(m->function);
		free(m->name);
		free(m);
		return r;
	}
	m->o.ctx = context_current();
	object_add(d, &m->o, OBJ_MODULE, (uintptr_t)m);
	*out = m;
	return CUDA_SUCCESS;
}

static void
set_regs(void *ctx, const char *name, uint32_t regs)
{
	struct module *m = ctx;

	for (uint32_t i = 0; i < ptx_n_kernels(m->ptx); i++)
		if (strcmp(ptx_kernel_at(m->ptx, i)->name, name) == 0)
			ptx_kernel_set_regs(m->ptx, i, regs);
}

/* Reads the registers of the kernels from the machine code for the architecture nearest to the
 * machine, if the image has any. */
static void
read_regs(struct driver *d, struct module *m, const char *image, size_t n)
{
	void *cubin = fatbin_cubin(image, n, &n, d->machine.cc);

	if (cubin)
		cubin_regs(cubin, n, set_regs, m);
	free(cubin);
}

/* Loads an image of n bytes, followed by a '\0'; n SIZE_MAX: unknown. */
static CUresult
load_image(struct driver *d, const char *name, const char *image, size_t n, struct err *e,
	   struct module **out)
{
	size_t room = n;
	char *text;
	CUresult r;

	if (strncmp(image, "\177ELF", 4) == 0) {
		err_set(e,
			"%s is a cubin: ctascope cannot run machine code; give PTX (nvcc -ptx, "
			"clang --cuda-device-only -S)",
			name);
		return CUDA_ERROR_NO_BINARY_FOR_GPU;
	}
	if (strnlen(image, 4) == 4 && image_is_fatbin(image)) {
		text = fatbin_ptx(image, n, &n, d->machine.cc, e);
		if (!text)
			return CUDA_ERROR_NO_BINARY_FOR_GPU;
		r = load_text(d, name, text, n, e, out);
		free(text);
		if (r == CUDA_SUCCESS)
			read_regs(d, *out, image, room);
		return r;
	}
	if (n == SIZE_MAX)
		n = strlen(image);
	if (!memmem(image, n, ".version", 8)) {
		err_set(e, "%s is neither PTX (it has no .version) nor a fat binary", name);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	return load_text(d, name, image, n, e, out);
}

CUresult
module_load(struct driver *d, const char *name, const void *image, struct err *e,
	    struct module **out)
{
	char buf[32];

	if (!name) {
		snprintf(buf, sizeof(buf), "module-%llu.ptx", ++d->ids);
		name = buf;
	}
	return load_image(d, name, image, SIZE_MAX, e, out);
}

CUresult
module_read_file(const char *path, char **text, size_t *n, struct err *e)
{
	FILE *f = NULL;
	CUresult r = CUDA_ERROR_FILE_NOT_FOUND;
	struct stat st;

	*text = NULL;
	if (stat(path, &st) != 0) {
		err_set(e, "%s: %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode) || st.st_size > IMAGE_MAX) {
		err_set(e, "%s: not a file of at most %lld MiB", path, IMAGE_MAX >> 20);
	} else if (!(f = text_open(path, (uint64_t)IMAGE_MAX, NULL, NULL))) {
		err_set(e, "%s: %s", path, strerror(errno));
	} else if (!(*text = calloc(1, (size_t)st.st_size + 8))) { /* magic numbers are read */
		err_nomem(e);
		r = CUDA_ERROR_OUT_OF_MEMORY;
	} else {
		*n = fread(*text, 1, (size_t)st.st_size, f);
		r = ferror(f) ? (err_set(e, "%s: %s", path, strerror(errno)),
				 CUDA_ERROR_OPERATING_SYSTEM)
			      : CUDA_SUCCESS;
	}
	if (f)
		fclose(f);
	if (r != CUDA_SUCCESS) {
		free(*text);
		*text = NULL;
	}
	return r;
}

CUresult
module_load_file(struct driver *d, const char *path, struct err *e, struct module **out)
{
	size_t n;
	char *text;
	CUresult r = module_read_file(path, &text, &n, e);

	if (r == CUDA_SUCCESS)
		r = load_image(d, path, text, n, e, out);
	free(text);
	return r;
}

void
module_free(struct driver *d, struct object *o)
{
	struct module *m = (struct module *)o;

	for (uint32_t i = 0; i < ptx_n_kernels(m->ptx); i++)
		if (m->function[i]) {
			object_remove(d, &m->function[i]->o);
			free(m->function[i]->param);
			free(m->function[i]);
		}
	while (m->texref) {
		struct texref *t = m->texref;

		m->texref = t->next;
		texref_free(d, &t->o);
	}
	while (m->surfref) {
		struct surfref *s = m->surfref;

		m->surfref = s->next;
		surfref_free(d, &s->o);
	}
	ptx_unload(d->device, m->ptx, NULL);
	ptx_module_free(m->ptx);
	object_remove(d, o);
	free(m->function);
	free(m->name);
	free(m);
}

void
module_info(const struct module *m, char *buf, size_t size)
{
	size_t at = 0;

	*buf = '\0';
	for (uint32_t i = 0; m && i < ptx_n_kernels(m->ptx) && at < size; i++) {
		const struct ptx_kernel *k = ptx_kernel_at(m->ptx, i);
		int n = snprintf(buf + at, size - at,
				 "%s: %u registers, %u bytes of shared memory\n", k->name,
				 (unsigned)k->regs, (unsigned)k->shared_bytes);

		at += n > 0 ? (size_t)n : size;
	}
}

void
jit_logs(unsigned n, const CUjit_option *option, void **value, const struct err *e,
	 const char *info)
{
	char text[2048] = "", *buf[2] = {NULL, NULL};
	size_t size[2] = {0, 0}, length[2] = {0, 0};

	if (e && e->set)
		err_format(e, "ptx", text, sizeof(text));
	for (unsigned i = 0; i < n; i++) {
		bool error = option[i] >= CU_JIT_ERROR_LOG_BUFFER;

		if (option[i] == CU_JIT_INFO_LOG_BUFFER || option[i] == CU_JIT_ERROR_LOG_BUFFER)
			buf[error] = value[i];
		if (option[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
		    option[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			size[error] = (unsigned)(uintptr_t)value[i];
	}
	for (unsigned k = 0; k < 2; k++)
		if (buf[k] && size[k]) {
			snprintf(buf[k], size[k], "%s", k ? text : info);
			length[k] = strlen(buf[k]);
		}
	for (unsigned i = 0; i < n; i++) {
		float none = 0;

		if (option[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
			value[i] = (void *)length[0];
		if (option[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			value[i] = (void *)length[1];
		if (option[i] == CU_JIT_WALL_TIME)
			memcpy(&value[i], &none, sizeof(none));
	}
}

/* ---- entry points ---- */

CUresult
module_load_logged(struct driver *d, const char *path, const void *image, unsigned n,
		   const CUjit_option *option, void **value, struct module **out)
{
	struct err e = {0};
	char info[2048];
	CUresult r;

	*out = NULL;
	if ((!path && !image) || (n && (!option || !value)))
		return CUDA_ERROR_INVALID_VALUE;
	r = path ? module_load_file(d, path, &e, out) : module_load(d, NULL, image, &e, out);
	module_info(*out, info, sizeof(info));
	jit_logs(n, option, value, &e, info);
	if (r != CUDA_SUCCESS) {
		recording_note_failure(d, FAILED_LOAD);
		driver_error(&e, r);
	}
	return r;
}

static CUresult
load_module(CUmodule *module, const char *path, const void *image, unsigned n,
	    const CUjit_option *option, void **value)
{
	ENTER(NEED_CONTEXT);
	struct module *m;
	CUresult r;

	if (!module)
		return CUDA_ERROR_INVALID_VALUE;
	r = module_load_logged(d, path, image, n, option, value, &m);
	*module = (CUmodule)m;
	return r;
}

EXPORT
cuModuleLoad(CUmodule *module, const char *path)
{
	return load_module(module, path, NULL, 0, NULL, NULL);
}

EXPORT
cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n, CUjit_option *option,
		   void **value)
{
	return load_module(module, NULL, image, n, option, value);
}

EXPORT
cuModuleLoadData(CUmodule *module, const void *image)
{
	return load_module(module, NULL, image, 0, NULL, NULL);
}

EXPORT
cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
	return load_module(module, NULL, image, 0, NULL, NULL);
}

EXPORT
cuModuleUnload(CUmodule module)
{
	ENTER(NEED_CONTEXT);
	struct object *o = FIND(d, OBJ_MODULE, module);

	if (!o)
		return CUDA_ERROR_INVALID_HANDLE;
	module_free(d, o);
	return CUDA_SUCCESS;
}

EXPORT
cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
	ENTER(NEED_INIT);

	if (!mode)
		return CUDA_ERROR_INVALID_VALUE;
	*mode = CU_MODULE_EAGER_LOADING;
	return CUDA_SUCCESS;
}

/* ---- functions and variables ---- */

static CUresult
module_get_function(struct driver *d, struct module *m, uint32_t i, struct function **out)
{
	struct function *f = m->function[i];

	if (!f) {
		f = calloc(1, sizeof(*f));
		if (!f)
			return CUDA_ERROR_OUT_OF_MEMORY;
		f->o.ctx = m->o.ctx;
		f->module = m;
		f->kernel = ptx_kernel_at(m->ptx, i);
		f->index = i;
		f->carveout = -1;
		f->shared_max =
			SHARED_DEFAULT_MAX - MIN(SHARED_DEFAULT_MAX, f->kernel->shared_bytes);
		f->block[0] = f->block[1] = f->block[2] = 1;
		object_add(d, &f->o, OBJ_FUNCTION, (uintptr_t)f);
		m->function[i] = f;
	}
	*out = f;
	return CUDA_SUCCESS;
}

CUresult
module_function(struct driver *d, struct module *m, const char *name, struct function **out)
{
	struct err e = {0};
	const struct ptx_kernel *k;

	if (!m)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	k = ptx_kernel(m->ptx, name, &e);
	for (uint32_t i = 0; k && i < ptx_n_kernels(m->ptx); i++)
		if (ptx_kernel_at(m->ptx, i) == k)
			return module_get_function(d, m, i, out);
	return driver_error(&e, CUDA_ERROR_NOT_FOUND);
}

EXPORT
cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	ENTER(NEED_CONTEXT);
	struct function *f = NULL;
	CUresult r = function ? module_function(d, FIND(d, OBJ_MODULE, module), name, &f)
			      : CUDA_ERROR_INVALID_VALUE;

	if (function)
		*function = (CUfunction)f;
	return r;
}

CUresult
module_count(const struct module *m, unsigned *count)
{
	if (!count || !m)
		return m ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	*count = ptx_n_kernels(m->ptx);
	return CUDA_SUCCESS;
}

CUresult
module_functions(struct driver *d, struct module *m, unsigned n, void *handles)
{
	CUresult r = CUDA_SUCCESS;

	if (!handles || !m)
		return m ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	for (uint32_t i = 0; r == CUDA_SUCCESS && i < n && i < ptx_n_kernels(m->ptx); i++) {
		struct function *f;

		r = module_get_function(d, m, i, &f);
		if (r == CUDA_SUCCESS)
			memcpy((char *)handles + i * sizeof(f), &f, sizeof(f));
	}
	return r;
}

EXPORT
cuModuleGetFunctionCount(unsigned int *count, CUmodule module)
{
	ENTER(NEED_CONTEXT);

	return module_count(FIND(d, OBJ_MODULE, module), count);
}

EXPORT
cuModuleEnumerateFunctions(CUfunction *function, unsigned int n, CUmodule module)
{
	ENTER(NEED_CONTEXT);

	return module_functions(d, FIND(d, OBJ_MODULE, module), n, function);
}

CUresult
module_global(struct driver *d, struct module *m, const char *name, CUdeviceptr *addr,
	      size_t *bytes)
{
	struct err e = {0};
	uint64_t at = 0, n = 0;

	if (!m)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!name || (!addr && !bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (ptx_symbol(d->device, m->ptx, name, &at, &n, &e) != 0)
		return driver_error(&e, CUDA_ERROR_NOT_FOUND);
	if (addr)
		*addr = at;
	if (bytes)
		*bytes = n;
	return CUDA_SUCCESS;
}

EXPORT
cuModuleGetGlobal_v2(CUdeviceptr *addr, size_t *bytes, CUmodule module, const char *name)
{
	ENTER(NEED_CONTEXT);

	return module_global(d, FIND(d, OBJ_MODULE, module), name, addr, bytes);
}
