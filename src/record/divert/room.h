/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * room.h - private to the preloaded library (divert.c): memory that is not the program's.
 *
 * A program that reads memory of malloc's before it has written it finds zeros there, as a rule,
 * because nobody has used the heap before. So it must be under record: what we need lies in pages
 * of our own.
 */
#ifndef RECORD_ROOM_H
#define RECORD_ROOM_H

#include <stddef.h>
#include <stdint.h>

/* As realloc and free. NULL: out of memory, and p is as it was. */
void *room_grow(void *p, size_t bytes);
void room_free(void *p);
/* Sorts numbers in place; qsort may take memory. */
void room_sort(uint64_t *p, size_t n);

#endif
