/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check.h - shared by the CUDA programs of this folder: main takes one word or none, compares the
 * results of its kernels with those that the processor computes, and ends by report(). With "fault"
 * it changes the arguments of its kernels, and must find wrong results.
 *
 * To add a program, write NAME.cu, add a row to tests/cuda/programs.t and one to
 * tests/cuda/clang.t, and its name to tests/cuda/module.am.
 */
#ifndef TESTS_CUDA_CHECK_H
#define TESTS_CUDA_CHECK_H

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static unsigned checked, wrong;

#define CALL(call)                                                           \
	do {                                                                 \
		cudaError_t r_ = (call);                                     \
		if (r_ != cudaSuccess) {                                     \
			printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
			       cudaGetErrorName(r_));                        \
			exit(2);                                             \
		}                                                            \
	} while (0)

static inline void
expect(bool right)
{
	checked++;
	wrong += !right;
}

static inline int
told_fault(int argc, char **argv)
{
	return argc > 1 && strcmp(argv[1], "fault") == 0;
}

static inline int
report()
{
	printf("%u checked, %u wrong\n", checked, wrong);
	return wrong || !checked;
}

#endif
