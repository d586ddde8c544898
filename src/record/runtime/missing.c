/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * missing.c - defines the functions of the runtime API that are not supported, because a program
 * may be linked with one of them or find it by dlsym().
 */
#include "record/runtime/runtime.h"

#define MISSING_ROWS "record/runtime/missing.def"
#define MISSING_PRINT runtime_print
#define MISSING_TEXT ": its calls return cudaErrorNotSupported"
#define MISSING_STATUS runtime_done(cudaErrorNotSupported)
#include "base/missing_functions.inc"
