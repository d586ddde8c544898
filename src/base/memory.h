/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.h - small memory of the front end, which is always there: these functions return memory or
 * do not return.
 *
 * What a command keeps of a line, a file of settings or a screen is small, and a program that gets
 * no memory for it can do nothing else either. So no caller checks: the program prints that memory
 * ran out and ends with status 1. Whoever holds the terminal restores it by atexit(), and an
 * automatic save stays. The model and the recorder report a failed allocation instead, and so does
 * the front end where a workload or a user's file says how much it needs: a session outlives that.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

void *memory_new(size_t n, size_t size);       /* n elements, all bytes zero */
char *memory_text(const char *text, size_t n); /* as strndup() */
void *memory_kept(void *p);		       /* p, unless it is NULL */
_Noreturn void memory_end(void);

/* Room for one more than the n elements of an array that grew by nothing else, from NULL on:
 *     l->word = array_grow(l->word, l->n, sizeof(*l->word));
 *     l->word[l->n++] = w;
 */
void *array_grow(void *array, size_t n, size_t size);
/* The same for what a workload or a file makes large: NULL when there is no memory, and the array
 * stays. */
void *array_try_grow(void *array, size_t n, size_t size);

#endif
