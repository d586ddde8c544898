/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fatbin.c - writes a fat binary of the PTX on standard input, for programs that clang compiles:
 *
 *     fatbin ARCH <FILE.ptx >FILE.fatbin
 */
#include "tests/record/fat.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST (1u << 20)

int
main(int argc, char **argv)
{
	static char text[MOST + 1];
	/* Including the '\0' at the end. */
	size_t n = fread(text, 1, MOST, stdin) + 1;
	struct fat_entry entry;
	struct fat_header head;

	if (argc != 2 || n == 1 || n > MOST)
		return 1;
	entry = fat_entry(FAT_PTX, (uint32_t)strtoul(argv[1], NULL, 10), FAT_PLAIN, n, 0);
	head = fat_header(sizeof(entry) + n);
	return fwrite(&head, sizeof(head), 1, stdout) != 1 ||
	       fwrite(&entry, sizeof(entry), 1, stdout) != 1 || fwrite(text, n, 1, stdout) != 1 ||
	       fflush(stdout) != 0;
}
