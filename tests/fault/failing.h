/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * failing.h - malloc and the calls that write, replaced so that one call of them fails. The dynamic
 * linker prefers them to those of the C library, also for other libraries.
 */
#ifndef TESTS_FAULT_FAILING_H
#define TESTS_FAULT_FAILING_H

#include "base/sanitized.h"

#include <stdbool.h>
#include <stdlib.h> /* for __GLIBC__ */

/* Sanitizers replace malloc themselves. */
#if defined __GLIBC__ && !defined SANITIZED
#define FAILING_POSSIBLE 1
#else
#define FAILING_POSSIBLE 0
#endif

enum kind { ALLOCATION, WRITING, KINDS };

/* Shared by all processes of a trial, since a sweep runs several. */
struct shared {
	bool armed;		    /* calls are counted, and may fail */
	bool named;		    /* the file system has no unnamed files */
	bool only_ours;		    /* only allocations of the program itself fail */
	enum kind kind;		    /* of the call that fails */
	int error;		    /* errno of a write that fails */
	unsigned long n[KINDS], at; /* n: calls so far; at: the one that fails, 0: none */
};

/* NULL until points.c has mapped it: nothing fails before. */
extern struct shared *shared;

#endif
