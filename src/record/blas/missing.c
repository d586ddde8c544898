/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * missing.c - defines the functions of cuBLAS that are not supported, so that a program linked with
 * them starts.
 */
#include "record/blas/blas.h"

#define MISSING_ROWS "record/blas/missing.def"
#define MISSING_PRINT blas_print
#define MISSING_TEXT                                                                              \
	": ctascope's libcublas has gemm, geam, gemv, axpy, scal, dot and nrm2 of real numbers, " \
	"and other calls return CUBLAS_STATUS_NOT_SUPPORTED"
#define MISSING_STATUS BLAS_NOT_SUPPORTED
#include "base/missing_functions.inc"
