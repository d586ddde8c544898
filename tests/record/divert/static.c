/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * static.c - a program with a CUDA runtime linked in, as nvcc makes them by default, that needs no
 * nvcc: the functions below stand for it. They answer what none would, so the output says who was
 * called.
 *
 * RUNTIME is the version that it looks like: 11, 12 or 13.
 *
 *     static              what the runtime says
 *     static exec PROGRAM another program in its place
 *     static fork         a child that says the same
 */
#include "tests/child.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __clang__
#define FUNCTION __attribute__((noinline, optnone, visibility("hidden")))
#else
#define FUNCTION __attribute__((noipa, visibility("hidden")))
#endif

/* Strings by which a stripped runtime is recognized. */
const char *const texts[] = {"cudaErrorCudartUnloading"};
static volatile int calls; /* prevents the compiler from merging equal bodies */

int cudaRuntimeGetVersion(int *version);
int cudaGetDeviceCount(int *count);
int cudaMalloc(void **p, size_t bytes);
int cudaFree(void *p);
void **__cudaRegisterFatBinary(void *fatbin);
int cudaOfMine(void);

FUNCTION int
cudaRuntimeGetVersion(int *version)
{
	calls += 1;
	*version = 1;
	return 0;
}

FUNCTION int
cudaGetDeviceCount(int *count)
{
	calls += 2;
	*count = 77;
	return 0;
}

FUNCTION int
cudaMalloc(void **p, size_t bytes)
{
	calls += 3;
	*p = malloc(bytes);
	return *p ? 0 : 2;
}

FUNCTION int
cudaFree(void *p)
{
	calls += 4;
	free(p);
	return 0;
}

FUNCTION void **
__cudaRegisterFatBinary(void *fatbin)
{
	calls += 5;
	return fatbin;
}

/* This function is not of the runtime, although its name begins like one. */
FUNCTION int
cudaOfMine(void)
{
	calls += 6;
	return calls;
}

#if RUNTIME == 11
int cudaBindTexture(void);

FUNCTION int
cudaBindTexture(void)
{
	return calls += 7;
}
#elif RUNTIME == 12
int cudaGetDeviceProperties_v2(void);

FUNCTION int
cudaGetDeviceProperties_v2(void)
{
	return calls += 8;
}
#endif

static int
say(void)
{
	int version = 0, count = 0, rc;
	void *p = NULL;

	cudaRuntimeGetVersion(&version);
	cudaGetDeviceCount(&count);
	rc = cudaMalloc(&p, 1000);
	printf("runtime %d, %d device%s, cudaMalloc %d, memory of %s, cudaOfMine %s\n",
	       version / 1000, count, count == 1 ? "" : "s", rc,
	       (uintptr_t)p >> 32 == 0x2000 ? "the device" : "the host",
	       cudaOfMine() ? "stays" : "is lost");
	return cudaFree(p);
}

int
main(int argc, char **argv)
{
	static void *fatbin[4];

	if (argc > 4)
		__cudaRegisterFatBinary(fatbin); /* keeps it in the program */
	if (argc > 2 && strcmp(argv[1], "exec") == 0) {
		execvp(argv[2], argv + 2);
		return 1;
	}
	if (argc > 1 && strcmp(argv[1], "fork") == 0) {
		struct child child;

		if (child_fork(&child) == 0) {
			say();
			fflush(stdout);
			_exit(0);
		}
		child_wait(&child, 60000);
	}
	return texts[0] ? say() : 1;
}
