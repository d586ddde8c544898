/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runtime.h - private to this folder: the runtime API, implemented on the driver API.
 *
 * Memory, modules, streams and errors of the device belong to libcuda. The runtime keeps only what
 * the driver does not know: the fat binaries, kernels and variables that a program's constructors
 * have registered, found by the address of their host side; the launch that a thread has
 * configured; and each thread's last error.
 */
#ifndef RUNTIME_RUNTIME_H
#define RUNTIME_RUNTIME_H

#define CUDA_NO_VERSION_NAMES
#include "ctascope/base.h"
#include "record/runtime/runtime_api.h"

#define EXPORT __attribute__((visibility("default"))) cudaError_t
#define ALIAS(symbol, other) \
	extern __typeof__(symbol) other __attribute__((alias(#symbol), visibility("default")))

/* Starts the driver if necessary, and gives this thread a context: the primary one, unless the
 * program has made another current. */
cudaError_t runtime_ready(void);
/* Keeps r, if it is an error, for cudaGetLastError; returns it. */
cudaError_t runtime_done(cudaError_t r);
void runtime_forget(void); /* clears this thread's last error */
void runtime_print(const char *fmt, ...) ATTR_PRINTF(1, 2);

/* Returns the result of a call of the driver, as most entry points do. Both APIs have the same
 * numbers for results. */
#define FORWARD(call)                                                       \
	do {                                                                \
		cudaError_t ready_ = runtime_ready();                       \
		return runtime_done(ready_ ? ready_ : (cudaError_t)(call)); \
	} while (0)

/* Returns only when a call of the driver fails. */
#define TRY(call)                                     \
	do {                                          \
		cudaError_t r_ = (cudaError_t)(call); \
		if (r_ != cudaSuccess)                \
			return runtime_done(r_);      \
	} while (0)

/* ---- stream.c ---- */

CUresult runtime_stream(cudaStream_t stream); /* an error if it is not a stream */
/* The program waits for the default stream, as after a copy in it; returns r. */
cudaError_t runtime_wait(cudaError_t r);

/* ---- register.c ---- */

/* The function of a kernel. key: the address of its host stub, a handle of __cudaGetKernel, or a
 * function of the driver. Loads its module if necessary. */
cudaError_t register_function(const void *key, CUfunction *out);
/* A variable, by the address of its host side. */
cudaError_t register_variable(const void *key, CUdeviceptr *addr, size_t *bytes);
/* A texture reference; normalized: integers are read as 0..1. */
cudaError_t register_texture(const void *key, CUtexref *out, bool *normalized);
cudaError_t register_surface(const void *key, CUsurfref *out); /* a surface reference */
bool register_managed(CUdeviceptr addr); /* is it inside a __managed__ variable? */
void register_unload(void);		 /* notes that a reset of the device unloaded all modules */

/* ---- array.c ---- */

/* Finds format and channels; false: the descriptor is not supported. */
bool channel_format(const struct cudaChannelFormatDesc *c, CUarray_format *format,
		    unsigned *channels);
struct cudaChannelFormatDesc channel_desc(CUarray_format format, unsigned channels);
size_t array_element(cudaArray_const_t array); /* bytes; 0: not an array */

#endif
