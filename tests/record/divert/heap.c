/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap.c - prints how many bytes of fresh memory are not zero, in a program that seems to have a
 * CUDA runtime linked in. The C library does not promise zeros; other bytes come from whoever used
 * the heap before.
 */
#include <stdio.h>
#include <stdlib.h>

#ifdef __clang__
#define FUNCTION __attribute__((noinline, optnone, visibility("hidden")))
#else
#define FUNCTION __attribute__((noipa, visibility("hidden")))
#endif

void **__cudaRegisterFatBinary(void *fatbin);
static volatile unsigned calls;

FUNCTION void **
__cudaRegisterFatBinary(void *fatbin)
{
	calls += 5; /* makes room for a jump */
	return fatbin;
}

int
main(int argc, char **argv)
{
	static const size_t size[] = {1000, 4000, 20000, 60000};
	size_t used = 0;

	if (argc > 1)
		__cudaRegisterFatBinary(argv);
	for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		/* Not freed, so that no block is returned twice. */
		unsigned char *p = malloc(size[i]);
		volatile unsigned char *q = p;

		for (size_t k = 0; p && k < size[i]; k++)
			used += q[k] != 0;
	}
	printf("%zu\n", used);
	return 0;
}
