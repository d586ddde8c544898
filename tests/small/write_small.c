/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write_small.c - writes the workload of small.h to the file that its argument names: with the
 * second argument "streams" that of two streams, with "mangled" that with names of C++, with
 * "overloads" that of two kernels of one name. */
#include "tests/small/small.h"

#include <string.h>

static struct trace_writer *
write_named(const char *path, const char *first, const char *second)
{
	return small_write_shape(path, &(struct small_shape){1, UINT32_MAX, {first, second}});
}

int
main(int argc, char **argv)
{
	struct err e = {0};
	const char *which = argc == 3 ? argv[2] : "";
	bool streams = strcmp(which, "streams") == 0, mangled = strcmp(which, "mangled") == 0,
	     overloads = strcmp(which, "overloads") == 0;

	if ((argc != 2 && !streams && !mangled && !overloads) ||
	    trace_writer_commit(streams	    ? small_write_streams(argv[1])
				: mangled   ? write_named(argv[1], "_Z6matmulPfS_S_i",
							  "_ZN3lib6reduceIfLi4EEEvPT_")
				: overloads ? write_named(argv[1], "_Z4workPf", "_Z4workPd")
					    : small_write(argv[1]),
				&e) < 0) {
		fprintf(stderr, "write_small: %s\n",
			*e.msg ? e.msg
			       : "expected a file name, and perhaps 'streams', 'mangled' or "
				 "'overloads'");
		return 1;
	}
	return 0;
}
