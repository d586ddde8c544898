/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * error.c - returns names and texts of results, and keeps each thread's last error.
 *
 * cudaGetLastError clears the error that it returns, unless a kernel has failed: every later call
 * returns that error until cudaDeviceReset. The driver keeps it, so it is queried there.
 */
#include "record/runtime/runtime.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static _Thread_local cudaError_t last_error;

static const struct {
	cudaError_t number;
	const char *name, *text;
} errors[] = {
#define ERROR(name, number, text) {name, #name, text},
#include "record/runtime/errors.def"
#undef ERROR
};

void
runtime_print(const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "ctascope: %s\n", text);
}

cudaError_t
runtime_done(cudaError_t r)
{
	if (r != cudaSuccess)
		last_error = r;
	return r;
}

void
runtime_forget(void)
{
	last_error = cudaSuccess;
}

EXPORT
cudaGetLastError(void)
{
	cudaError_t r = last_error;

	if (r != cudaSuccess && (cudaError_t)cuCtxSynchronize() != r)
		last_error = cudaSuccess;
	return r;
}

EXPORT
cudaPeekAtLastError(void)
{
	return last_error;
}

__attribute__((visibility("default"))) const char *
cudaGetErrorName(cudaError_t error)
{
	for (size_t i = 0; i < ARRAY_LEN(errors); i++)
		if (errors[i].number == error)
			return errors[i].name;
	return "unrecognized error code";
}

__attribute__((visibility("default"))) const char *
cudaGetErrorString(cudaError_t error)
{
	for (size_t i = 0; i < ARRAY_LEN(errors); i++)
		if (errors[i].number == error)
			return errors[i].text;
	return "unrecognized error code";
}

/* ---- start ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUcontext primary;

cudaError_t
runtime_ready(void)
{
	CUcontext c = NULL;
	CUresult r = cuCtxGetCurrent(&c);

	if (r == CUDA_SUCCESS && c)
		return cudaSuccess;
	if (r == CUDA_ERROR_NOT_INITIALIZED)
		r = cuInit(0);
	pthread_mutex_lock(&lock);
	if (r == CUDA_SUCCESS && !primary)
		r = cuDevicePrimaryCtxRetain(&primary, 0);
	pthread_mutex_unlock(&lock);
	return (cudaError_t)(r ? r : cuCtxSetCurrent(primary));
}
