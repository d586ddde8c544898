/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.h - small memory of the front end: these functions return memory or end the program.
 *
 * What a command keeps of a line, a settings file or a screen is small, and a program that gets no
 * memory for it cannot do anything else either. Callers therefore do not check: the program reports
 * that memory ran out and ends with status 1. Whoever owns the terminal restores it by atexit(),
 * and an automatic save is kept. The model and the recorder report a failed allocation instead. So
 * does the front end where a workload or a user's file determines the size; a session survives
 * that.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

void *memory_new(size_t n, size_t size);	     /* n elements, all bytes zero */
char *memory_text(const char *text, size_t n);	     /* as strndup() */
void *memory_resize(void *p, size_t n, size_t size); /* as realloc(), to n elements */
void *memory_kept(void *p);			     /* p, unless it is NULL */
_Noreturn void memory_end(void);

/*
 * Room for one more than the n elements of an array that grows only by this function, from NULL on:
 *     l->word = array_grow(l->word, l->n, sizeof(*l->word));
 *     l->word[l->n++] = w;
 */
void *array_grow(void *array, size_t n, size_t size);
/* The same for arrays whose size a workload or file determines: NULL when memory runs out; the
 * array is kept. */
void *array_try_grow(void *array, size_t n, size_t size);

#endif
