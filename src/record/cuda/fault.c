/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fault.c - which result a failed launch has. The emulator says what happened in words; the table
 * looks for those that distinguish the results a GPU would give. tests/record/cuda/record.t has one
 * of each.
 */
#include "record/cuda/driver.h"

#include <string.h>

CUresult
launch_fault(const struct err *e)
{
	static const struct {
		const char *word;
		CUresult result;
	} known[] = {
		{"Assertion `", CUDA_ERROR_ASSERT},
		{"misaligned", CUDA_ERROR_MISALIGNED_ADDRESS},
		{"outside of", CUDA_ERROR_ILLEGAL_ADDRESS},
		{"null pointer", CUDA_ERROR_ILLEGAL_ADDRESS},
		{"nothing is allocated", CUDA_ERROR_ILLEGAL_ADDRESS},
		{"write to constant memory", CUDA_ERROR_ILLEGAL_ADDRESS},
		{"write to read-only memory", CUDA_ERROR_ILLEGAL_ADDRESS},
		{"atomic operation on local memory", CUDA_ERROR_INVALID_ADDRESS_SPACE},
		{"out of memory", CUDA_ERROR_OUT_OF_MEMORY},
		{"endless loop", CUDA_ERROR_LAUNCH_TIMEOUT},
	};

	char what[sizeof(e->msg)];
	char *end;

	/* without the names of kernels */
	snprintf(what, sizeof(what), "%s", e->msg);
	end = strstr(what, ": kernel ");
	if (end)
		*end = '\0';
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (strstr(what, known[i].word))
			return known[i].result;
	return CUDA_ERROR_LAUNCH_FAILED;
}
