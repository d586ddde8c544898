/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unwind.h - private to the preloaded library (divert.c): the unwinder's table of a loaded file. */
#ifndef RECORD_UNWIND_H
#define RECORD_UNWIND_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct unwind;

/* NULL: the file has no such table in its usual form. */
const struct unwind *unwind_find(const struct dl_phdr_info *o);
/* Does a function of that size in bytes begin at `at`, and no other one within `room` bytes? */
bool unwind_confirms(const struct unwind *u, uintptr_t at, uint64_t bytes, unsigned room);

#endif
