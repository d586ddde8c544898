/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * damage.c - damage FILE OFFSET SIZE N: overwrites 40 bytes of that part of a file, with the same
 * bytes for the same N.
 */
#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	FILE *f = argc == 5 ? fopen(argv[1], "r+b") : NULL;
	long offset, size, n;

	if (!f)
		return 2;
	offset = atol(argv[2]);
	size = atol(argv[3]);
	n = atol(argv[4]);
	if (size <= 0)
		return 2;
	for (long k = 0; k < 40; k++) {
		if (fseek(f, offset + (n * 7919 + k * 4513 + n * k) % size, SEEK_SET))
			return 2;
		putc((int)((n * 37 + k * 101 + 13) % 256), f);
	}
	return fclose(f) ? 2 : 0;
}
