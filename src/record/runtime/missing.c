/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * missing.c - the functions of the runtime API that are not supported. A program may also find one
 * of them by dlsym().
 */
#include "record/runtime/runtime.h"

#define MISSING_ROWS "record/runtime/missing.def"
#define MISSING_PRINT runtime_print
#define MISSING_TEXT ": its calls return cudaErrorNotSupported"
#define MISSING_STATUS runtime_done(cudaErrorNotSupported)
#include "base/missing_functions.inc"
