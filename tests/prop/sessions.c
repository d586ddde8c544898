/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sessions.c - random sessions (sessions.h): some hundred here, as many as one likes with
 * `make prop-sessions N=10000`, or from a number on: tests/prop/sessions N FIRST.
 */
#include "tests/prop/sessions.h"

#include "tests/tap.h"

#define SOME 300

int
main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : SOME;
	unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, restores = 0, bad = 0;
	static struct walk w;
	struct trace *t = small_trace();

	for (unsigned long i = first; i < first + n; i++) {
		struct walk_source from = {.x = (uint32_t)i * 2654435761u | 1};

		walk_session(&w, t, &from);
		restores += w.restores;
		if (w.broken[0]) {
			bad++;
			printf("# walk %lu: %s\n#   %s\n", i, w.broken, w.log);
		}
		if (n > SOME && i % 1000 == 0)
			printf("# %lu walks, %lu broken\n", i - first + 1, bad), fflush(stdout);
	}
	is_u64(bad, 0, "of %lu sessions each depends on what was chosen alone", n);
	ok(restores > n, "they went back often: %lu times", restores);
	trace_close(t);
	return done();
}
