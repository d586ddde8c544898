/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * entry.c - finds entry points by name. A program that requests a missing one by cuGetProcAddress,
 * or is linked with it, gets a function that reports this when it is called.
 */
#include "record/cuda/driver.h"
#include "record/divert/image.h"

#include <dlfcn.h>
#include <string.h>

/* ---- missing functions ---- */

#define MISSING_ROWS "record/cuda/missing.def"
#define MISSING_PRINT driver_print
#define MISSING_TEXT ": its calls return CUDA_ERROR_NOT_SUPPORTED"
#define MISSING_STATUS CUDA_ERROR_NOT_SUPPORTED
#include "base/missing_functions.inc"

/* ---- by name ---- */

typedef void any_fn(void);

EXPORT cuGetProcAddress(const char *symbol, void **fn, int version, cuuint64_t flags);
EXPORT cuGetExportTable(const void **table, const CUuuid *id);

static const struct {
	const char *name;
	int version;
	any_fn *fn;
} calls[] = {
#define CALL(name, version, symbol) {#name, version, (any_fn *)symbol},
#include "record/cuda/calls.def"
#undef CALL
#define MISSING(symbol) {#symbol, 0, (any_fn *)symbol},
#include "record/cuda/missing.def"
#undef MISSING
};

/* Finds the function of the highest version up to `version`; *later: a newer version exists. */
static any_fn *
find_call(const char *name, int version, bool *later)
{
	int best = -1;
	any_fn *fn = NULL;

	*later = false;
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		if (strcmp(calls[i].name, name) != 0)
			continue;
		if (calls[i].version > version) {
			*later = true;
		} else if (calls[i].version > best) {
			best = calls[i].version;
			fn = calls[i].fn;
		}
	}
	return fn;
}

EXPORT
cuGetProcAddress_v2(const char *symbol, void **fn, int version, cuuint64_t flags,
		    CUdriverProcAddressQueryResult *status)
{
	any_fn *found;
	bool later;

	if (!symbol || !fn || flags > 2)
		return CUDA_ERROR_INVALID_VALUE;
	found = find_call(symbol, version, &later);
	memcpy(fn, &found, sizeof(found));
	if (status)
		*status = found	  ? CU_GET_PROC_ADDRESS_SUCCESS
			  : later ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
				  : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	return found || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

EXPORT
cuGetProcAddress(const char *symbol, void **fn, int version, cuuint64_t flags)
{
	return cuGetProcAddress_v2(symbol, fn, version, flags, NULL);
}

/* Reports, once for each library, why the program's calls of it fail. */
static void
report_own_runtime(const char *path)
{
	static const char *reported[16]; /* names of NVIDIA's libraries; more are not reported */
	static bool other_reported;
	bool needed = true;
	const char *name = image_vendor_library(path, &needed);
	size_t i = 0;

	if (!needed || (!name && other_reported))
		return;
	while (name && i < ARRAY_LEN(reported) && reported[i] && reported[i] != name)
		i++;
	if (i == ARRAY_LEN(reported) || (name && reported[i] == name))
		return;
	if (name) {
		reported[i] = name;
		driver_print(
			"ctascope has no %s; calls of %s fail, because it needs NVIDIA's driver",
			name, path);
		return;
	}
	other_reported = true;
	driver_print(
		"%s contains a CUDA runtime that needs tables of NVIDIA's driver, so its calls "
		"fail: relink it with -cudart shared (man ctascope-record)",
		path);
}

/* Undocumented tables of functions, which NVIDIA's runtime requests. This happens if that runtime
 * is linked into a program and was not diverted to ours (src/record/divert): in a library that was
 * loaded later, one without symbols, or one of NVIDIA's. */
EXPORT
cuGetExportTable(const void **table, const CUuuid *id ATTR_UNUSED)
{
	struct driver *d ATTR_UNUSED __attribute__((cleanup(driver_unlock))) = driver_lock();
	Dl_info who;

	if (dladdr(__builtin_return_address(0), &who) && who.dli_fname)
		report_own_runtime(who.dli_fname);
	if (table)
		*table = NULL;
	return CUDA_ERROR_NOT_FOUND;
}
