/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * room.h - private to the preloaded library (divert.c): memory outside the program's heap.
 *
 * A program that reads memory from malloc before writing it usually finds zeros, because the heap
 * was not used before. This must hold while recording as well, so the library's data lies in
 * separate pages.
 */
#ifndef RECORD_ROOM_H
#define RECORD_ROOM_H

#include <stddef.h>
#include <stdint.h>

/* Like realloc and free. NULL: out of memory, and p is unchanged. */
void *room_grow(void *p, size_t bytes);
void room_free(void *p);
/* Sorts numbers in place. qsort may allocate memory, so it is not used. */
void room_sort(uint64_t *p, size_t n);

#endif
