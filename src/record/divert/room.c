/* SPDX-License-Identifier: GPL-3.0-or-later */
/* room.c - allocates memory in separate pages, and sorts without allocating. */
#include "record/divert/room.h"

#include <sys/mman.h>

#define HEAD 16u /* bytes before each allocation, which hold its size, HEAD included */
#define STEP 65536u

void *
room_grow(void *p, size_t bytes)
{
	size_t *old = p ? (size_t *)p - HEAD / sizeof(size_t) : NULL, *now;
	size_t want = (bytes + HEAD + STEP - 1) / STEP * STEP;

	if (old && want <= *old)
		return p;
	now = old ? mremap(old, *old, want, MREMAP_MAYMOVE)
		  : mmap(NULL, want, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (now == MAP_FAILED)
		return NULL;
	*now = want;
	return now + HEAD / sizeof(size_t);
}

void
room_free(void *p)
{
	size_t *all = p ? (size_t *)p - HEAD / sizeof(size_t) : NULL;

	if (all)
		munmap(all, *all);
}

/* Shellsort with steps 3 k + 1. */
void
room_sort(uint64_t *p, size_t n)
{
	size_t step = 1;

	while (step < n / 3)
		step = 3 * step + 1;
	for (; step; step /= 3)
		for (size_t i = step; i < n; i++) {
			uint64_t v = p[i];
			size_t k = i;

			for (; k >= step && p[k - step] > v; k -= step)
				p[k] = p[k - step];
			p[k] = v;
		}
}
