/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * missing.c - the functions of the runtime API that are not here: a program that is linked with
 * one, or finds it by dlsym, starts all the same, and hears its name when it calls it.
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
missing(enum missing m)
{
	static atomic_bool said[N_MISSING];

	if (!atomic_exchange(&said[m], true))
		runtime_say("%s is not supported", missing_name[m]);
	return runtime_done(cudaErrorNotSupported);
}

/* Their arguments are not looked at, so they need no prototypes of their own. */
#define MISSING(symbol)                           \
	EXPORT symbol(void);                      \
	EXPORT symbol(void)                       \
	{                                         \
		return missing(MISSING_##symbol); \
	}
#include "record/runtime/missing.def"
#undef MISSING
