/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write_small.c - writes the workload of small.h to the file that its argument names. */
#include "tests/small/small.h"

int
main(int argc, char **argv)
{
	struct err e = {0};

	if (argc != 2 || trace_writer_commit(small_write(argv[1]), &e) < 0) {
		fprintf(stderr, "write_small: %s\n", argc == 2 ? e.msg : "expected a file name");
		return 1;
	}
	return 0;
}
