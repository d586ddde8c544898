/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blas.h - private to this folder: a small libcublas on the driver API. It has the functions that
 * programs of courses and of training use: handles, streams, products of matrices, and a few
 * functions of vectors. Its kernels (kernels.cu) are in the trace, like any kernel of the program.
 * They are not NVIDIA's, so the number of their instructions and the order of their sums differ.
 */
#ifndef BLAS_BLAS_H
#define BLAS_BLAS_H

#define CUDA_NO_VERSION_NAMES
#include "ctascope/base.h"
#include "record/cuda/cuda_api.h"

/* Numbers of cublas_api.h and library_types.h. */
typedef enum {
	BLAS_SUCCESS = 0,
	BLAS_NOT_INITIALIZED = 1,
	BLAS_ALLOC_FAILED = 3,
	BLAS_INVALID_VALUE = 7,
	BLAS_EXECUTION_FAILED = 13,
	BLAS_NOT_SUPPORTED = 15
} cublasStatus_t;

enum { BLAS_OP_N, BLAS_OP_T, BLAS_OP_C };
enum {
	BLAS_R_32F = 0,
	BLAS_R_64F = 1,
	BLAS_R_16F = 2,
	BLAS_R_8I = 3,
	BLAS_R_32I = 10,
	BLAS_R_16BF = 14
};
enum {
	BLAS_COMPUTE_16F = 64,
	BLAS_COMPUTE_64F = 70,
	BLAS_COMPUTE_64F_PEDANTIC = 71,
	BLAS_COMPUTE_32I = 72,
	BLAS_COMPUTE_32I_PEDANTIC = 73
};

typedef struct blas *cublasHandle_t;

struct blas {
	CUcontext context; /* of the thread that created the handle */
	CUmodule module;
	CUstream stream;
	CUdeviceptr result; /* 8 bytes, for results that go to the host */
	int pointers;	    /* 0: scalars are on the host; 1: on the device */
	int math, atomics;
};

#define EXPORT __attribute__((visibility("default"))) cublasStatus_t

/* A scalar as kernels.cu takes it: the pointer, or the value. */
struct scalar {
	CUdeviceptr at;
	union {
		float f; /* or an int of the same bits */
		double d;
	};
};

/* The scalar at p, a double if is_double, else a float. */
struct scalar blas_scalar(const struct blas *h, const void *p, bool is_double);
/* Launches a kernel of kernels.cu on the stream of the handle. */
cublasStatus_t blas_launch(struct blas *h, const char *name, const unsigned grid[3],
			   unsigned block_x, unsigned block_y, void **args);
void blas_print(const char *fmt, ...) ATTR_PRINTF(1, 2);

#endif
