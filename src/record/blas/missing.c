/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * missing.c - the functions of cuBLAS that are not supported. A program that is linked with one
 * starts normally; a call reports the function's name, once.
 */
#include "record/blas/blas.h"

#include <stdatomic.h>

enum missing {
#define MISSING(symbol) MISSING_##symbol,
#include "record/blas/missing.def"
#undef MISSING
	N_MISSING
};

static const char *const missing_name[N_MISSING] = {
#define MISSING(symbol) #symbol,
#include "record/blas/missing.def"
#undef MISSING
};

static cublasStatus_t
report_missing(enum missing m)
{
	static atomic_bool said[N_MISSING];

	if (!atomic_exchange(&said[m], true))
		blas_print("%s is not supported", missing_name[m]);
	return BLAS_NOT_SUPPORTED;
}

/* They ignore their arguments, so they need no prototypes. */
#define MISSING(symbol)                                  \
	EXPORT symbol(void);                             \
	EXPORT symbol(void)                              \
	{                                                \
		return report_missing(MISSING_##symbol); \
	}
#include "record/blas/missing.def"
#undef MISSING
