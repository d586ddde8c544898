/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * surfref.c - binds surface references, which are variables of a module, to arrays, whose bytes the
 * module's kernels read and write. Destroying the array removes the binding.
 */
#include "record/cuda/driver.h"

#include <stdlib.h>
#include <string.h>

static struct surfref *
surfref_new(struct driver *d, struct module *m, const char *name)
{
	struct surfref *s = calloc(1, sizeof(*s));

	if (!s || !(s->name = strdup(name))) {
		free(s);
		return NULL;
	}
	s->module = m;
	s->next = m->surfref;
	m->surfref = s;
	object_add(d, &s->o, OBJ_SURFREF, (uintptr_t)s);
	return s;
}

void
surfref_free(struct driver *d, struct object *o)
{
	struct surfref *s = (struct surfref *)o;

	object_remove(d, o);
	free(s->name);
	free(s);
}

void
surfref_unbind_array(struct driver *d, const struct array *a)
{
	for (unsigned i = 0; i < OBJECT_BUCKETS; i++)
		for (struct object *o = d->bucket[i]; o; o = o->next) {
			struct surfref *s = (struct surfref *)o;

			if (o->kind != OBJ_SURFREF || s->array != a)
				continue;
			s->array = NULL;
			ptx_surfref_bind(d->device, s->module->ptx, s->name, NULL, NULL);
		}
}

EXPORT
cuModuleGetSurfRef(CUsurfref *surfref, CUmodule module, const char *name)
{
	ENTER(NEED_CONTEXT);
	struct module *m = FIND(d, OBJ_MODULE, module);
	struct err e = {0};
	struct surfref *s;

	if (!surfref || !name)
		return CUDA_ERROR_INVALID_VALUE;
	*surfref = NULL;
	if (!m)
		return CUDA_ERROR_INVALID_HANDLE;
	for (s = m->surfref; s && strcmp(s->name, name) != 0; s = s->next)
		;
	if (!s) {
		if (ptx_surfref_bind(d->device, m->ptx, name, NULL, &e) != 0)
			return driver_error(&e, CUDA_ERROR_NOT_FOUND);
		s = surfref_new(d, m, name);
	}
	*surfref = (CUsurfref)s;
	return s ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT
cuSurfRefSetArray(CUsurfref surfref, CUarray array, unsigned int flags)
{
	ENTER(NEED_CONTEXT);
	struct surfref *s = FIND(d, OBJ_SURFREF, surfref);
	struct array *a = FIND(d, OBJ_ARRAY, array);
	struct ptx_texture x;
	struct err e = {0};

	if (!s || !a)
		return CUDA_ERROR_INVALID_HANDLE;
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	x = array_texture(a);
	if (ptx_surfref_bind(d->device, s->module->ptx, s->name, &x, &e) != 0)
		return driver_error(&e, CUDA_ERROR_INVALID_VALUE);
	s->array = a;
	return CUDA_SUCCESS;
}

EXPORT
cuSurfRefGetArray(CUarray *array, CUsurfref surfref)
{
	ENTER(NEED_CONTEXT);
	const struct surfref *s = FIND(d, OBJ_SURFREF, surfref);

	if (!array || !s)
		return s ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	*array = (CUarray)s->array;
	return CUDA_SUCCESS;
}
