/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvrtc.c - gives a program that compiles kernels with NVRTC for a real architecture (sm_75) the
 * PTX instead of machine code, which the emulator cannot run.
 *
 * NVRTC keeps the PTX from which it made the machine code, so the two functions that would return
 * machine code return the PTX; the program loads whatever it got with cuModuleLoadData. For a
 * virtual architecture (compute_75) there is no machine code, and the size stays 0.
 *
 * Not handled: an NVRTC whose functions the program finds with dlsym.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define NVRTC_ERROR_INTERNAL 11

typedef int get_size(void *program, size_t *bytes);
typedef int get_text(void *program, char *text);

int nvrtcGetCUBINSize(void *program, size_t *bytes);
int nvrtcGetCUBIN(void *program, char *text);

__attribute__((visibility("default"))) int
nvrtcGetCUBINSize(void *program, size_t *bytes)
{
	void *cubin = dlsym(RTLD_NEXT, "nvrtcGetCUBINSize");
	void *ptx = dlsym(RTLD_NEXT, "nvrtcGetPTXSize");
	get_size *call;
	int rc;

	if (!cubin || !ptx)
		return NVRTC_ERROR_INTERNAL;
	memcpy(&call, &cubin, sizeof(call));
	rc = call(program, bytes);
	if (rc || !bytes || !*bytes)
		return rc;
	memcpy(&call, &ptx, sizeof(call));
	return call(program, bytes);
}

__attribute__((visibility("default"))) int
nvrtcGetCUBIN(void *program, char *text)
{
	void *ptx = dlsym(RTLD_NEXT, "nvrtcGetPTX");
	get_text *call;

	if (!ptx)
		return NVRTC_ERROR_INTERNAL;
	memcpy(&call, &ptx, sizeof(call));
	return call(program, text);
}
