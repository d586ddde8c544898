/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.c - names and texts of results; initialization; the profiler calls, which do nothing. */
#include "record/cuda/driver.h"

#include <string.h>

static const struct {
	CUresult number;
	const char *name, *text;
} errors[] = {
#define ERROR(name, number, text) {name, #name, text},
#include "record/cuda/errors.def"
#undef ERROR
};

EXPORT
cuGetErrorName(CUresult error, const char **name)
{
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	*name = NULL;
	for (size_t i = 0; i < ARRAY_LEN(errors) && !*name; i++)
		if (errors[i].number == error)
			*name = errors[i].name;
	return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT
cuGetErrorString(CUresult error, const char **text)
{
	if (!text)
		return CUDA_ERROR_INVALID_VALUE;
	*text = NULL;
	for (size_t i = 0; i < ARRAY_LEN(errors) && !*text; i++)
		if (errors[i].number == error)
			*text = errors[i].text;
	return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT
cuInit(unsigned int flags)
{
	ENTER(NEED_NOTHING);

	return flags ? CUDA_ERROR_INVALID_VALUE : driver_start(d);
}

EXPORT
cuDriverGetVersion(int *version)
{
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	*version = 13000;
	return CUDA_SUCCESS;
}

EXPORT
cuProfilerStart(void)
{
	ENTER(NEED_CONTEXT);

	return CUDA_SUCCESS;
}

EXPORT
cuProfilerStop(void)
{
	ENTER(NEED_CONTEXT);

	return CUDA_SUCCESS;
}
