/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workload.c - see workload.h. The PTX is in the directory of --ptx-dir (default: the current one).
 * No path of the build is compiled in: traces in the cache have a checksum of this program as key.
 */
#include "workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
work_die(const struct work *w, const char *what, const char *detail)
{
	fprintf(stderr, "%s: %s: %s\n", w->name, what, detail);
	exit(1);
}

static void
work_call(const struct work *w, CUresult r, const char *call)
{
	const char *text = NULL;

	if (r == CUDA_SUCCESS)
		return;
	if (cuGetErrorName(r, &text) != CUDA_SUCCESS || !text)
		text = "unknown error";
	work_die(w, call, text);
}

static const char *const work_size_names[WORK_SIZES] = {
#define WORK_SIZE(name, word, help) #word,
#include "sizes.def"
};

static const char work_not_a_size[] = "not a size; expected one of"
#define WORK_SIZE(name, word, help) " " #word
#include "sizes.def"
	;

static void
work_options(struct work *w, int argc, char **argv, const char **dir)
{
	int i, k;

	for (i = 1; i < argc; i++) {
		if (i + 1 < argc && !strcmp(argv[i], "--size")) {
			for (k = 0; k < WORK_SIZES && strcmp(argv[i + 1], work_size_names[k]); k++)
				;
			if (k == WORK_SIZES)
				work_die(w, argv[i + 1], work_not_a_size);
			w->size = k;
			i++;
		} else if (i + 1 < argc && !strcmp(argv[i], "--ptx-dir")) {
			*dir = argv[++i];
		} else {
			work_die(w, argv[i], "options are --size SIZE and --ptx-dir DIR");
		}
	}
}

static char *
work_read(const struct work *w, const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text;
	long n = 0;

	if (!f || fseek(f, 0, SEEK_END) || (n = ftell(f)) < 0 || fseek(f, 0, SEEK_SET))
		work_die(w, path, "cannot be read");
	text = malloc((size_t)n + 1);
	if (!text || fread(text, 1, (size_t)n, f) != (size_t)n)
		work_die(w, path, "cannot be read");
	text[n] = '\0';
	fclose(f);
	return text;
}

void
work_open(struct work *w, int argc, char **argv, const char *name)
{
	const char *dir = ".";
	char path[4096], *text;

	*w = (struct work){.name = name, .size = WORK_DEFAULT, .rng = 0x9e3779b97f4a7c15};
	work_options(w, argc, argv, &dir);
	snprintf(path, sizeof(path), "%s/%s.ptx", dir, name);
	text = work_read(w, path);
	work_call(w, cuInit(0), "cuInit");
	work_call(w, cuDeviceGet(&w->device, 0), "cuDeviceGet");
	work_call(w, cuDevicePrimaryCtxRetain(&w->context, w->device), "cuDevicePrimaryCtxRetain");
	work_call(w, cuCtxSetCurrent(w->context), "cuCtxSetCurrent");
	work_call(w, cuModuleLoadData(&w->module, text), "cuModuleLoadData");
	free(text);
}

int
work_close(struct work *w)
{
	uint32_t i;

	work_call(w, cuCtxSynchronize(), "cuCtxSynchronize");
	for (i = 0; i < w->n_texture; i++)
		work_call(w, cuTexObjectDestroy(w->texture[i]), "cuTexObjectDestroy");
	for (i = 0; i < w->n_alloc; i++)
		work_call(w, cuMemFree(w->alloc[i]), "cuMemFree");
	for (i = 0; i < w->n_host; i++)
		free(w->host[i]);
	work_call(w, cuModuleUnload(w->module), "cuModuleUnload");
	work_call(w, cuDevicePrimaryCtxRelease(w->device), "cuDevicePrimaryCtxRelease");
	if (w->bad)
		printf("%s: wrong, %s\n", w->name, w->message);
	else
		printf("%s: ok, max error %.3g\n", w->name, w->max_error);
	return w->bad;
}

int
work_size_of(const struct work *w, const int *of)
{
	int n = of[w->size];

	if (!n && w->size == WORK_SHORT)
		n = of[WORK_SMALL];
	if (!n)
		work_die(w, work_size_names[w->size], "this workload has no such size");
	return n;
}

/* splitmix64 */
uint32_t
work_rand(struct work *w)
{
	uint64_t z = w->rng += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return (uint32_t)(z >> 32);
}

uint32_t
work_below(struct work *w, uint32_t n)
{
	return (uint32_t)(((uint64_t)work_rand(w) * n) >> 32);
}

float
work_randf(struct work *w, float lo, float hi)
{
	return lo + (hi - lo) * ((float)(work_rand(w) >> 8) * (1.0f / 16777216.0f));
}

void *
work_host(struct work *w, size_t bytes)
{
	void *p = calloc(bytes ? bytes : 1, 1);

	if (!p || w->n_host == WORK_ALLOCS)
		work_die(w, "memory", "not enough on the host");
	w->host[w->n_host++] = p;
	return p;
}

CUdeviceptr
work_new(struct work *w, size_t bytes)
{
	CUdeviceptr d = 0;

	if (w->n_alloc == WORK_ALLOCS)
		work_die(w, "work_new", "too many allocations");
	work_call(w, cuMemAlloc(&d, bytes), "cuMemAlloc");
	work_call(w, cuMemsetD8(d, 0, bytes), "cuMemsetD8");
	w->alloc[w->n_alloc++] = d;
	return d;
}

CUdeviceptr
work_put(struct work *w, const void *from, size_t bytes)
{
	CUdeviceptr d = work_new(w, bytes);

	work_set(w, d, from, bytes);
	return d;
}

void
work_set(struct work *w, CUdeviceptr to, const void *from, size_t bytes)
{
	work_call(w, cuMemcpyHtoD(to, from, bytes), "cuMemcpyHtoD");
}

void
work_get(struct work *w, void *to, CUdeviceptr from, size_t bytes)
{
	work_call(w, cuMemcpyDtoH(to, from, bytes), "cuMemcpyDtoH");
}

void
work_const(struct work *w, const char *name, const void *from, size_t bytes)
{
	CUdeviceptr d = 0;
	size_t room = 0;

	work_call(w, cuModuleGetGlobal(&d, &room, w->module, name), "cuModuleGetGlobal");
	if (bytes > room)
		work_die(w, name, "is smaller than what is copied there");
	work_set(w, d, from, bytes);
}

CUtexObject
work_texture(struct work *w, CUdeviceptr from, size_t width, size_t height)
{
	CUDA_RESOURCE_DESC memory = {.resType = CU_RESOURCE_TYPE_PITCH2D};
	CUDA_TEXTURE_DESC how = {.filterMode = CU_TR_FILTER_MODE_POINT};
	CUtexObject t = 0;
	int i;

	if (w->n_texture == WORK_TEXTURES)
		work_die(w, "work_texture", "too many textures");
	memory.res.pitch2D.devPtr = from;
	memory.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
	memory.res.pitch2D.numChannels = 1;
	memory.res.pitch2D.width = width;
	memory.res.pitch2D.height = height;
	memory.res.pitch2D.pitchInBytes = width * 4;
	for (i = 0; i < 3; i++)
		how.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
	work_call(w, cuTexObjectCreate(&t, &memory, &how, NULL), "cuTexObjectCreate");
	w->texture[w->n_texture++] = t;
	return t;
}

void
work_launch_args(struct work *w, const char *kernel, struct work_dim grid, struct work_dim block,
		 void **args)
{
	CUfunction f;

	work_call(w, cuModuleGetFunction(&f, w->module, kernel), kernel);
	work_call(w,
		  cuLaunchKernel(f, grid.x, grid.y ? grid.y : 1, grid.z ? grid.z : 1, block.x,
				 block.y ? block.y : 1, block.z ? block.z : 1, 0, NULL, args, NULL),
		  kernel);
}

static void
work_differs(struct work *w, const char *what, size_t i, double got, double want)
{
	if (!w->bad)
		snprintf(w->message, sizeof(w->message), "%s[%zu] is %.9g, should be %.9g", what, i,
			 got, want);
	w->bad = true;
}

void
work_check_i32(struct work *w, const char *what, const int32_t *got, const int32_t *want, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (got[i] != want[i])
			work_differs(w, what, i, got[i], want[i]);
}

void
work_check_bytes(struct work *w, const char *what, const void *got, const void *want, size_t n)
{
	const unsigned char *a = got, *b = want;
	size_t i;

	for (i = 0; i < n; i++)
		if (a[i] != b[i])
			work_differs(w, what, i, a[i], b[i]);
}

void
work_check_f32(struct work *w, const char *what, const float *got, const float *want, size_t n,
	       double tolerance, double scale)
{
	double error;
	size_t i;

	for (i = 0; i < n; i++) {
		error = fabs((double)got[i] - want[i]) / fmax(fabs((double)want[i]), scale);
		if (!(error <= tolerance)) /* also not a number */
			work_differs(w, what, i, got[i], want[i]);
		else if (error > w->max_error)
			w->max_error = error;
	}
}
