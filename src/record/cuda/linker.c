/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * linker.c - links device code for the calls cuLink...: the PTX of several inputs becomes one text
 * (link.c), which cuLinkComplete returns as the image.
 *
 * An input is parsed when it is added, because the driver compiles it then; an input that declares
 * symbols of others (.extern) may be complete only together with them. Machine code, libraries and
 * objects of the host compiler are rejected. The program owns the values of the options for logs
 * until the end and may change them, so the sizes of its buffers are stored at the beginning.
 */
#include "record/cuda/driver.h"

#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

struct linker {
	struct object o;
	struct strbuf text;
	unsigned inputs;
	char *image;
	unsigned n;
	CUjit_option *option;
	void **value;  /* owned by the program */
	void **wanted; /* the values at the beginning */
};

static CUresult
report_result(const struct linker *l, const struct err *e, const char *info, CUresult r)
{
	if (l->n)
		memcpy(l->value, l->wanted, l->n * sizeof(*l->value));
	jit_logs(l->n, l->option, l->value, e, info);
	return r ? driver_error(e, r) : r;
}

EXPORT
cuLinkCreate_v2(unsigned int n, CUjit_option *option, void **value, CUlinkState *state)
{
	ENTER(NEED_CONTEXT);
	struct linker *l;

	if (!state || (n && (!option || !value)))
		return CUDA_ERROR_INVALID_VALUE;
	l = calloc(1, sizeof(*l));
	if (!l)
		return CUDA_ERROR_OUT_OF_MEMORY;
	l->option = malloc((n + 1u) * sizeof(*option));
	l->wanted = malloc((n + 1u) * sizeof(*value));
	l->o.ctx = context_current();
	object_add(d, &l->o, OBJ_LINKER, (uintptr_t)l);
	if (!l->option || !l->wanted) {
		linker_free(d, &l->o);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	if (n) {
		memcpy(l->option, option, n * sizeof(*option));
		memcpy(l->wanted, value, n * sizeof(*value));
	}
	l->value = value;
	l->n = n;
	*state = (CUlinkState)l;
	return CUDA_SUCCESS;
}

ALIAS(cuLinkCreate_v2, cuLinkCreate);

void
linker_free(struct driver *d, struct object *o)
{
	struct linker *l = (struct linker *)o;

	object_remove(d, o);
	sb_free(&l->text);
	free(l->image);
	free(l->option);
	free(l->wanted);
	free(l);
}

/* The PTX of an input, which the caller frees; NULL with e. */
static char *
extract_input_ptx(const struct driver *d, CUjitInputType type, const char *data, size_t n,
		  const char *name, struct err *e)
{
	static const char *const what[] = {"machine code (a cubin)",
					   "PTX",
					   "a fat binary",
					   "an object",
					   "a library",
					   "NVVM IR"};
	char *text = NULL;

	if (type == CU_JIT_INPUT_PTX) {
		text = malloc(n + 1);
		if (!text)
			return err_nomem(e), NULL;
		memcpy(text, data, n);
		text[n] = '\0';
	} else if (type == CU_JIT_INPUT_FATBINARY) {
		if (n >= 4 && image_is_fatbin(data))
			text = fatbin_ptx(data, n, &n, d->machine.cc, e);
		else
			err_set(e, "%s is not a fat binary", name);
	} else {
		err_set(e,
			"%s is %s, which cannot be linked here: give PTX, or a fat binary that "
			"contains PTX (nvcc -rdc=true -ptx)",
			name, what[type]);
	}
	if (text && !strstr(text, ".version")) {
		err_set(e, "%s is not PTX: it has no .version", name);
		free(text);
		text = NULL;
	}
	return text;
}

static CUresult
add_input(struct driver *d, struct linker *l, CUjitInputType type, const void *data, size_t n,
	  const char *name)
{
	char *text, given[32];
	struct err e = {0};
	struct ptx_module *m;

	snprintf(given, sizeof(given), "input %u", l->inputs + 1);
	name = name && *name ? name : given;
	text = extract_input_ptx(d, type, data, n, name, &e);
	if (!text)
		return report_result(l, &e, "",
				     type == CU_JIT_INPUT_PTX ? CUDA_ERROR_INVALID_PTX
							      : CUDA_ERROR_NO_BINARY_FOR_GPU);
	m = strstr(text, ".extern") ? NULL : ptx_parse(name, text, strlen(text), &e);
	ptx_module_free(m);
	if (!e.set) {
		link_add(&l->text, text, l->inputs++);
		sb_char(&l->text, '\n');
		if (l->text.failed)
			err_nomem(&e);
	}
	free(text);
	return report_result(l, &e, "", e.set ? CUDA_ERROR_INVALID_PTX : CUDA_SUCCESS);
}

EXPORT
cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
		 unsigned int n ATTR_UNUSED, CUjit_option *option ATTR_UNUSED,
		 void **value ATTR_UNUSED)
{
	ENTER(NEED_CONTEXT);
	struct linker *l = FIND(d, OBJ_LINKER, state);

	if (!l)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!data || !size || size > IMAGE_MAX || (unsigned)type > CU_JIT_INPUT_NVVM || l->image)
		return CUDA_ERROR_INVALID_VALUE;
	return add_input(d, l, type, data, size, name);
}

ALIAS(cuLinkAddData_v2, cuLinkAddData);

EXPORT
cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path,
		 unsigned int n ATTR_UNUSED, CUjit_option *option ATTR_UNUSED,
		 void **value ATTR_UNUSED)
{
	ENTER(NEED_CONTEXT);
	struct linker *l = FIND(d, OBJ_LINKER, state);
	struct err e = {0};
	char *text;
	CUresult r;
	size_t size;

	if (!l)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!path || (unsigned)type > CU_JIT_INPUT_NVVM || l->image)
		return CUDA_ERROR_INVALID_VALUE;
	r = module_read_file(path, &text, &size, &e);
	if (r != CUDA_SUCCESS)
		return report_result(l, &e, "", r);
	r = add_input(d, l, type, text, size, path);
	free(text);
	return r;
}

ALIAS(cuLinkAddFile_v2, cuLinkAddFile);

EXPORT
cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
	ENTER(NEED_CONTEXT);
	struct linker *l = FIND(d, OBJ_LINKER, state);
	struct ptx_module *m;
	struct err e = {0};
	char info[80];

	if (!l)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!image || !l->inputs || l->image)
		return CUDA_ERROR_INVALID_VALUE;
	m = ptx_parse("linked.ptx", l->text.p, l->text.n, &e);
	if (!m)
		return report_result(l, &e, "", CUDA_ERROR_INVALID_PTX);
	snprintf(info, sizeof(info), "linked %u inputs: %u kernels", l->inputs,
		 (unsigned)ptx_n_kernels(m));
	ptx_module_free(m);
	if (bytes)
		*bytes = l->text.n + 1;
	l->image = sb_take(&l->text);
	*image = l->image;
	return report_result(l, &e, info, l->image ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

EXPORT
cuLinkDestroy(CUlinkState state)
{
	ENTER(NEED_CONTEXT);
	struct object *o = FIND(d, OBJ_LINKER, state);

	if (!o)
		return CUDA_ERROR_INVALID_HANDLE;
	linker_free(d, o);
	return CUDA_SUCCESS;
}
