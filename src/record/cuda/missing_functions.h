/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * missing_functions.h - defines the functions that a library exports and does not support, so that
 * a program that is linked with one of them starts normally. A call returns a status, and the first
 * one of each function prints its name. Include it once per library, after:
 *
 *   MISSING_ROWS     the .def file with one MISSING(symbol) per function
 *   EXPORT           the declaration of an exported function, with its type
 *   MISSING_PRINT    printf() of the library
 *   MISSING_STATUS   the status returned
 */
#include <stdatomic.h>

enum missing {
#define MISSING(symbol) MISSING_##symbol,
#include MISSING_ROWS
#undef MISSING
	N_MISSING
};

static void
report_missing(enum missing m, const char *name)
{
	static atomic_bool reported[N_MISSING];

	if (!atomic_exchange(&reported[m], true))
		MISSING_PRINT("%s is not supported", name);
}

/* They ignore their arguments, so they need no prototypes. */
#define MISSING(symbol)                                    \
	EXPORT symbol(void);                               \
	EXPORT symbol(void)                                \
	{                                                  \
		report_missing(MISSING_##symbol, #symbol); \
		return MISSING_STATUS;                     \
	}
#include MISSING_ROWS
#undef MISSING
