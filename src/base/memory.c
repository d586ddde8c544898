/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - see memory.h. */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST 8 /* initial capacity of an array */

void
memory_end(void)
{
	fputs("ctascope: out of memory\n", stderr);
	exit(1);
}

void *
memory_kept(void *p)
{
	if (!p)
		memory_end();
	return p;
}

void *
memory_new(size_t n, size_t size)
{
	return memory_kept(calloc(n ? n : 1, size));
}

void *
memory_resize(void *p, size_t n, size_t size)
{
	return memory_kept(n > SIZE_MAX / size ? NULL : realloc(p, (n ? n : 1) * size));
}

char *
memory_text(const char *text, size_t n)
{
	return memory_kept(strndup(text, n));
}

/* The capacity follows from n: FIRST at first, doubled whenever n reaches a power of two. */
void *
array_try_grow(void *array, size_t n, size_t size)
{
	if (n && (n < FIRST || (n & (n - 1))))
		return array;
	n = n ? 2 * n : FIRST;
	return n > SIZE_MAX / size ? NULL : realloc(array, n * size);
}

void *
array_grow(void *array, size_t n, size_t size)
{
	return memory_kept(array_try_grow(array, n, size));
}
