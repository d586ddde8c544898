/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workload.h - what the host programs of the workloads share: an ordinary user of the CUDA driver
 * API.
 *
 *     struct work w;
 *     work_open(&w, argc, argv, "bfs");              device, context, module NAME.ptx
 *     n = work_size(&w, 8192, 65536, 655360, [WORK_CLASO] = 20480);    by --size
 *     d = work_put(&w, host, bytes);                 a copy on the device
 *     work_launch(&w, "visit", DIM(128, 1), DIM(512, 1), &d, &n);
 *     work_get(&w, host, d, bytes);
 *     work_check_i32(&w, "cost", host, reference, n);
 *     return work_close(&w);                         prints "bfs: ok, max error 0", 0 or 1
 *
 * A call of the driver that fails ends the program with status 1 and the call's name. Nothing here
 * measures time: output and memory are the same in every run.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef WORKLOAD_CUDA_H
#include WORKLOAD_CUDA_H
#else
#include "record/cuda/cuda_api.h"
#endif

#define WORK_ALLOCS 64
#define WORK_TEXTURES 4

/* WORK_SMALL and so on, in the order of sizes.def. */
enum work_size_name {
#define WORK_SIZE(name, word, help) WORK_##name,
#include "sizes.def"
	WORK_SIZES
};

struct work {
	const char *name;
	int size; /* enum work_size_name */
	uint64_t rng;
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUdeviceptr alloc[WORK_ALLOCS];
	uint32_t n_alloc;
	CUtexObject texture[WORK_TEXTURES];
	uint32_t n_texture;
	void *host[WORK_ALLOCS];
	uint32_t n_host;
	double max_error; /* largest relative error seen */
	bool bad;
	char message[256]; /* where it differs first */
};

struct work_dim {
	unsigned x, y, z;
};
#define DIM(x, y) ((struct work_dim){x, y, 1})

void work_open(struct work *w, int argc, char **argv, const char *name);
int work_close(struct work *w); /* exit status */

/* A number of the input, by size: small, default, large, then [WORK_TCS] = and so on for those the
 * workload has. short is small where it is not said. Asked for one that is not there (0), the
 * program ends with a message. */
#define work_size(w, ...) work_size_of(w, (const int[WORK_SIZES]){__VA_ARGS__})
int work_size_of(const struct work *w, const int *of);

uint32_t work_rand(struct work *w);		      /* 32 random bits, the same in every run */
uint32_t work_below(struct work *w, uint32_t n);      /* 0 .. n - 1 */
float work_randf(struct work *w, float lo, float hi); /* lo <= x < hi */
void *work_host(struct work *w, size_t bytes);	      /* zeroed, freed by work_close */

CUdeviceptr work_new(struct work *w, size_t bytes); /* zeroed */
CUdeviceptr work_put(struct work *w, const void *from, size_t bytes);
void work_set(struct work *w, CUdeviceptr to, const void *from, size_t bytes);
void work_get(struct work *w, void *to, CUdeviceptr from, size_t bytes);
void work_const(struct work *w, const char *name, const void *from, size_t bytes); /* a variable */

/* A texture of one float per texel over rows that follow one another at from, which stays the
 * caller's: points, not normalized, clamped to its edges. Its handle is what a kernel takes. */
CUtexObject work_texture(struct work *w, CUdeviceptr from, size_t width, size_t height);

/* Pointers to the arguments follow: their types must be the kernel's. */
#define work_launch(w, kernel, grid, block, ...) \
	work_launch_args(w, kernel, grid, block, (void *[]){__VA_ARGS__})
void work_launch_args(struct work *w, const char *kernel, struct work_dim grid,
		      struct work_dim block, void **args);

/* what names the array. Integers must be equal; floats differ by at most tolerance * max(|b|,
 * scale). */
void work_check_i32(struct work *w, const char *what, const int32_t *got, const int32_t *want,
		    size_t n);
void work_check_bytes(struct work *w, const char *what, const void *got, const void *want,
		      size_t n);
void work_check_f32(struct work *w, const char *what, const float *got, const float *want, size_t n,
		    double tolerance, double scale);

static inline int
work_div_up(int a, int b)
{
	return (a + b - 1) / b;
}

#endif
