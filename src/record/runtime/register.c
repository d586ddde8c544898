/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * register.c - keeps what a program's constructors register: its fat binaries, and the kernels,
 * variables, textures and surfaces in them, each under the address of its host side.
 *
 * A binary is loaded when it is first needed, as a program may contain kernels that it never
 * launches. If a binary cannot be loaded, this is reported once, and everything in it has that
 * error. A kernel's handle (cudaKernel_t) is its entry in the table, which outlives
 * cudaDeviceReset; its function in the driver is then looked up again. A program linked with
 * -rdc=true has one binary for all its objects (record/cuda/fatbin.c).
 */
#include "record/runtime/runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum kind { KERNEL, VARIABLE, MANAGED, TEXTURE, SURFACE };

struct entry {
	const void *key; /* address of the host side */
	struct entry *next;
	struct binary *binary;
	const char *name; /* owned by the program */
	enum kind kind;
	bool normalized; /* TEXTURE */
	CUfunction function;
	CUdeviceptr addr; /* VARIABLE, MANAGED; 0: not looked up yet */
	size_t bytes;
};

struct binary {
	struct binary *next;
	void *image;
	CUmodule module;    /* NULL: not loaded */
	cudaError_t failed; /* the error of the attempt to load it */
};

#define BUCKETS 1024

static struct {
	pthread_mutex_t lock;
	struct binary *binary;
	struct entry *bucket[BUCKETS];
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct entry **
find_bucket(const void *key)
{
	return &registry.bucket[((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15ull) >> 54];
}

/* Finds the entry of a key, which may also be the handle of a kernel, the entry itself. */
static struct entry *
find_entry(const void *key)
{
	for (struct entry *e = *find_bucket(key); e; e = e->next)
		if (e->key == key)
			return e;
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct entry *e = registry.bucket[i]; e; e = e->next)
			if ((const void *)e == key)
				return e;
	return NULL;
}

/* ---- loading ---- */

/* Writes the addresses of managed variables to the pointers through which the host uses them. */
static cudaError_t
show_managed(struct binary *b)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct entry *e = registry.bucket[i]; e; e = e->next) {
			CUdeviceptr addr;
			CUresult r;

			if (e->binary != b || e->kind != MANAGED)
				continue;
			r = cuModuleGetGlobal_v2(&addr, &e->bytes, b->module, e->name);
			if (r != CUDA_SUCCESS)
				return (cudaError_t)r;
			e->addr = addr;
			memcpy((void *)(uintptr_t)e->key, &addr, sizeof(void *));
		}
	return cudaSuccess;
}

/* Loads a binary in the primary context, so that it stays when the program destroys another one. */
static cudaError_t
load_binary(struct binary *b)
{
	CUcontext primary;
	CUresult r;

	if (b->module || b->failed)
		return b->failed;
	r = cuDevicePrimaryCtxRetain(&primary, 0);
	if (r == CUDA_SUCCESS)
		r = cuCtxPushCurrent_v2(primary);
	if (r != CUDA_SUCCESS)
		return (cudaError_t)r;
	r = cuModuleLoadData(&b->module, b->image);
	b->failed = r ? (cudaError_t)r : show_managed(b);
	cuCtxPopCurrent_v2(NULL);
	cuDevicePrimaryCtxRelease_v2(0);
	return b->failed;
}

void
register_unload(void)
{
	pthread_mutex_lock(&registry.lock);
	for (struct binary *b = registry.binary; b; b = b->next) {
		b->module = NULL;
		b->failed = cudaSuccess;
	}
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct entry *e = registry.bucket[i]; e; e = e->next) {
			e->function = NULL;
			e->addr = 0;
		}
	pthread_mutex_unlock(&registry.lock);
}

/* ---- looking up ---- */

static cudaError_t
load_kernel(struct entry *e, CUfunction *out)
{
	cudaError_t r = load_binary(e->binary);

	if (r == cudaSuccess && !e->function &&
	    cuModuleGetFunction(&e->function, e->binary->module, e->name) != CUDA_SUCCESS)
		r = cudaErrorInvalidDeviceFunction;
	*out = e->function;
	return r;
}

cudaError_t
register_function(const void *key, CUfunction *out)
{
	const char *name;
	struct entry *e;
	cudaError_t r = cudaErrorInvalidDeviceFunction;

	*out = NULL;
	pthread_mutex_lock(&registry.lock);
	e = find_entry(key);
	if (e && e->kind == KERNEL)
		r = load_kernel(e, out);
	pthread_mutex_unlock(&registry.lock);
	if (!e && key && cuFuncGetName(&name, (CUfunction)(uintptr_t)key) == CUDA_SUCCESS) {
		*out = (CUfunction)(uintptr_t)key;
		r = cudaSuccess;
	}
	return r;
}

static cudaError_t
load_variable(struct entry *e, CUdeviceptr *addr, size_t *bytes)
{
	cudaError_t r = load_binary(e->binary);

	if (r == cudaSuccess && !e->addr)
		r = (cudaError_t)cuModuleGetGlobal_v2(&e->addr, &e->bytes, e->binary->module,
						      e->name);
	*addr = e->addr;
	*bytes = e->bytes;
	return r;
}

cudaError_t
register_variable(const void *key, CUdeviceptr *addr, size_t *bytes)
{
	struct entry *e;
	cudaError_t r = cudaErrorInvalidSymbol;

	*addr = 0;
	*bytes = 0;
	pthread_mutex_lock(&registry.lock);
	e = find_entry(key);
	if (e && (e->kind == VARIABLE || e->kind == MANAGED))
		r = load_variable(e, addr, bytes);
	pthread_mutex_unlock(&registry.lock);
	return r;
}

bool
register_managed(CUdeviceptr addr)
{
	bool found = false;

	pthread_mutex_lock(&registry.lock);
	for (unsigned i = 0; i < BUCKETS && !found; i++)
		for (struct entry *e = registry.bucket[i]; e && !found; e = e->next)
			found = e->kind == MANAGED && e->addr && addr >= e->addr &&
				addr - e->addr < e->bytes;
	pthread_mutex_unlock(&registry.lock);
	return found;
}

cudaError_t
register_texture(const void *key, CUtexref *out, bool *normalized)
{
	struct entry *e;
	cudaError_t r = cudaErrorInvalidTexture;

	*out = NULL;
	*normalized = false;
	pthread_mutex_lock(&registry.lock);
	e = find_entry(key);
	if (e && e->kind == TEXTURE) {
		r = load_binary(e->binary);
		if (r == cudaSuccess)
			r = (cudaError_t)cuModuleGetTexRef(out, e->binary->module, e->name);
		*normalized = e->normalized;
	}
	pthread_mutex_unlock(&registry.lock);
	return r;
}

cudaError_t
register_surface(const void *key, CUsurfref *out)
{
	struct entry *e;
	cudaError_t r = cudaErrorInvalidSurface;

	*out = NULL;
	pthread_mutex_lock(&registry.lock);
	e = find_entry(key);
	if (e && e->kind == SURFACE) {
		r = load_binary(e->binary);
		if (r == cudaSuccess)
			r = (cudaError_t)cuModuleGetSurfRef(out, e->binary->module, e->name);
	}
	pthread_mutex_unlock(&registry.lock);
	return r;
}

/* ---- functions that compiled programs call ---- */

#define VISIBLE __attribute__((visibility("default")))

VISIBLE void **
__cudaRegisterFatBinary(void *image)
{
	struct binary *b = calloc(1, sizeof(*b));

	if (!b) {
		runtime_print("out of memory");
		return NULL;
	}
	b->image = image;
	pthread_mutex_lock(&registry.lock);
	b->next = registry.binary;
	registry.binary = b;
	pthread_mutex_unlock(&registry.lock);
	return (void **)b;
}

VISIBLE void
__cudaRegisterFatBinaryEnd(void **handle ATTR_UNUSED)
{
}

/* The link to a binary in the list; the link is NULL when it is not there. */
static struct binary **
find_binary(void **handle)
{
	struct binary **p = &registry.binary;

	while (*p && *p != (struct binary *)handle)
		p = &(*p)->next;
	return p;
}

static void
forget_entries(const struct binary *b)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct entry **p = &registry.bucket[i]; *p;) {
			struct entry *e = *p;

			if (e->binary == b) {
				*p = e->next;
				free(e);
			} else {
				p = &e->next;
			}
		}
}

/* Called at the end of the process, or when a shared object is closed. */
VISIBLE void
__cudaUnregisterFatBinary(void **handle)
{
	struct binary **p, *b;

	pthread_mutex_lock(&registry.lock);
	p = find_binary(handle);
	b = *p;
	if (b) {
		*p = b->next;
		forget_entries(b);
		if (b->module && runtime_ready() == cudaSuccess)
			cuModuleUnload(b->module);
		free(b);
	}
	pthread_mutex_unlock(&registry.lock);
}

static void
add_entry(void **handle, const void *key, const char *name, enum kind kind, bool normalized)
{
	struct entry *e = calloc(1, sizeof(*e)), **to;

	pthread_mutex_lock(&registry.lock);
	if (e && *find_binary(handle) && key && name) {
		to = find_bucket(key);
		*e = (struct entry){key, *to, (struct binary *)handle, name, kind, normalized, NULL,
				    0,	 0};
		*to = e;
	} else {
		runtime_print("'%s' cannot be registered: %s", name ? name : "",
			      e ? "its fat binary is not registered" : "out of memory");
		free(e);
	}
	pthread_mutex_unlock(&registry.lock);
}

VISIBLE void
__cudaRegisterFunction(void **handle, const char *host, char *device ATTR_UNUSED, const char *name,
		       int threads ATTR_UNUSED, void *tid ATTR_UNUSED, void *bid ATTR_UNUSED,
		       dim3 *block ATTR_UNUSED, dim3 *grid ATTR_UNUSED, int *warp ATTR_UNUSED)
{
	add_entry(handle, host, name, KERNEL, false);
}

VISIBLE void
__cudaRegisterVar(void **handle, char *host, char *device ATTR_UNUSED, const char *name,
		  int ext ATTR_UNUSED, size_t size ATTR_UNUSED, int constant ATTR_UNUSED,
		  int global ATTR_UNUSED)
{
	add_entry(handle, host, name, VARIABLE, false);
}

VISIBLE void
__cudaRegisterManagedVar(void **handle, void **host, char *device ATTR_UNUSED, const char *name,
			 int ext ATTR_UNUSED, size_t size ATTR_UNUSED, int constant ATTR_UNUSED,
			 int global ATTR_UNUSED)
{
	add_entry(handle, host, name, MANAGED, false);
}

/* The name of a reference in the PTX. nvcc passes it instead of a device address; `name` is the C++
 * name ("::space::line"). */
static const char *
ptx_name(const void **device, const char *name)
{
	return device ? (const char *)device : name;
}

VISIBLE void
__cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device,
		      const char *name, int dim ATTR_UNUSED, int normalized, int ext ATTR_UNUSED)
{
	add_entry(handle, host, ptx_name(device, name), TEXTURE, normalized);
}

VISIBLE void
__cudaRegisterSurface(void **handle, const struct surfaceReference *host, const void **device,
		      const char *name, int dim ATTR_UNUSED, int ext ATTR_UNUSED)
{
	add_entry(handle, host, ptx_name(device, name), SURFACE, false);
}

VISIBLE void
__cudaRegisterHostVar(void **handle ATTR_UNUSED, const char *name ATTR_UNUSED,
		      char *host ATTR_UNUSED, size_t size ATTR_UNUSED)
{
}

/* Called before the host uses a managed variable. */
VISIBLE char
__cudaInitModule(void **handle)
{
	struct binary *b;
	cudaError_t r = runtime_ready();

	pthread_mutex_lock(&registry.lock);
	b = *find_binary(handle);
	if (b && r == cudaSuccess)
		r = load_binary(b);
	pthread_mutex_unlock(&registry.lock);
	runtime_done(r);
	return r == cudaSuccess;
}

EXPORT
__cudaGetKernel(cudaKernel_t *out, const void *host)
{
	struct entry *e;

	pthread_mutex_lock(&registry.lock);
	e = find_entry(host);
	pthread_mutex_unlock(&registry.lock);
	*out = (cudaKernel_t)(e && e->kind == KERNEL ? e : NULL);
	return *out ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

EXPORT
cudaGetKernel(cudaKernel_t *out, const void *host)
{
	return runtime_done(out ? __cudaGetKernel(out, host) : cudaErrorInvalidValue);
}

EXPORT
cudaGetFuncBySymbol(cudaFunction_t *out, const void *host)
{
	if (!out)
		return runtime_done(cudaErrorInvalidValue);
	TRY(runtime_ready());
	return runtime_done(register_function(host, out));
}
