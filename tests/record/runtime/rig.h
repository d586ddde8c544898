/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rig.h - a program of the runtime API that needs no compiler for it: kernels.ptx is put into a fat
 * binary and registered by hand as nvcc's host code does. The addresses of the variables below are
 * registered.
 */
#ifndef TESTS_RUNTIME_RIG_H
#define TESTS_RUNTIME_RIG_H

#include "record/runtime/runtime_api.h"

#include "tests/record/fat.h"
#include "tests/tap.h"

static bool
good(cudaError_t r, const char *what)
{
	return tap_ok(r == cudaSuccess, "%s: %s", what, cudaGetErrorName(r));
}

static bool
refused(cudaError_t want, cudaError_t r, const char *what)
{
	return tap_ok(r == want, "%s: %s, expected %s", what, cudaGetErrorName(r),
		      cudaGetErrorName(want));
}

#define GOOD(call) good(call, #call)
#define REFUSED(want, call) refused(want, call, #call)

/* ---- what nvcc writes ---- */

static struct fat fat;
static struct fat_wrapper wrapper;
static void **handle;

/* The host sides: only their addresses matter. */
static char fill, gather, fault, line, image, halve, counter, table;
static uint32_t *both;
static struct textureReference ref;
static struct surfaceReference plane;

static void
read_kernels(void)
{
	static char text[sizeof(fat.data) - sizeof(struct fat_entry)];
	const char *srcdir = getenv("srcdir");
	char path[4096];
	size_t n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/record/runtime/kernels.ptx", srcdir ? srcdir : ".");
	f = fopen(path, "r");
	if (f) {
		n = fread(text, 1, sizeof(text) - 1, f) + 1;
		fclose(f);
	}
	fat_add(&fat, fat_entry(FAT_PTX, 60, FAT_PLAIN, n, 0), text);
	wrapper = fat_wrapper(&fat);
}

static void
register_kernel(char *host, const char *name)
{
	__cudaRegisterFunction(handle, host, host, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static inline void
register_all(void)
{
	read_kernels();
	handle = __cudaRegisterFatBinary(&wrapper);
	register_kernel(&fill, "fill");
	register_kernel(&gather, "gather");
	register_kernel(&fault, "fault");
	register_kernel(&line, "line");
	register_kernel(&image, "image");
	register_kernel(&halve, "halve");
	__cudaRegisterVar(handle, &counter, &counter, "counter", 0, 4, 0, 0);
	__cudaRegisterVar(handle, &table, &table, "table", 0, 16, 1, 0);
	__cudaRegisterManagedVar(handle, (void **)&both, (char *)&both, "both", 0, 8, 0, 0);
	/* for references nvcc passes the name that the PTX has in place of an address */
	__cudaRegisterTexture(handle, &ref, (const void **)(uintptr_t) "ref", "::ref", 1, 0, 0);
	__cudaRegisterSurface(handle, &plane, (const void **)(uintptr_t) "plane", "::plane", 2, 0);
	__cudaRegisterFatBinaryEnd(handle);
}

/* Does k<<<grid, block>>>(args), in one of two older ways or the newer one. */
static inline cudaError_t
launch(char *kernel, unsigned grid, unsigned block, void **args, bool newer)
{
	dim3 g = {grid, 1, 1}, b = {block, 1, 1}, g2, b2;
	cudaKernel_t k;
	cudaStream_t s;
	size_t shared;
	cudaError_t r;

	if (__cudaPushCallConfiguration(g, b, 0, NULL))
		return cudaErrorUnknown;
	r = __cudaPopCallConfiguration(&g2, &b2, &shared, &s);
	if (r != cudaSuccess)
		return r;
	if (!newer)
		return cudaLaunchKernel(kernel, g2, b2, args, shared, s);
	r = __cudaGetKernel(&k, kernel);
	return r ? r : __cudaLaunchKernel(k, g2, b2, args, shared, s);
}

static inline void
add_one(void *data)
{
	++*(int *)data;
}

#endif
