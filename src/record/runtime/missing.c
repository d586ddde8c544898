/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * missing.c - the functions of the runtime API that are not supported. A program that is linked
 * with one, or finds it by dlsym, starts normally; a call reports the function's name.
 */
#include "record/runtime/runtime.h"

#include <stdatomic.h>

enum missing {
#define MISSING(symbol) MISSING_##symbol,
#include "record/runtime/missing.def"
#undef MISSING
	N_MISSING
};

static const char *const missing_name[N_MISSING] = {
#define MISSING(symbol) #symbol,
#include "record/runtime/missing.def"
#undef MISSING
};

static cudaError_t
report_missing(enum missing m)
{
	static atomic_bool said[N_MISSING];

	if (!atomic_exchange(&said[m], true))
		runtime_print("%s is not supported", missing_name[m]);
	return runtime_done(cudaErrorNotSupported);
}

/* They ignore their arguments, so they need no prototypes. */
#define MISSING(symbol)                                  \
	EXPORT symbol(void);                             \
	EXPORT symbol(void)                              \
	{                                                \
		return report_missing(MISSING_##symbol); \
	}
#include "record/runtime/missing.def"
#undef MISSING
