/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write_small.c - writes the workload of small.h, or that of two streams if the second argument is
 * "streams", to the file that its argument names. */
#include "tests/small/small.h"

#include <string.h>

int
main(int argc, char **argv)
{
	struct err e = {0};
	bool streams = argc == 3 && strcmp(argv[2], "streams") == 0;

	if ((argc != 2 && !streams) ||
	    trace_writer_commit(streams ? small_write_streams(argv[1]) : small_write(argv[1]), &e) <
		    0) {
		fprintf(stderr, "write_small: %s\n",
			*e.msg ? e.msg : "expected a file name, and perhaps 'streams'");
		return 1;
	}
	return 0;
}
