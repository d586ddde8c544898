/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sessions.c - random sessions (sessions.h): some hundred here, fewer with FAST=1, any number with
 * `make prop-sessions N=10000`, or from a number on: tests/prop/sessions N FIRST.
 */
#include "tests/prop/sessions.h"

#include "tests/tap.h"

#define SOME 300
#define FAST_SOME 20
#define CYCLES (tap_is_fast() ? 1000u : 2500u)
#define MODERN 3 /* one in this many walks uses the modern machine */

/* Runs two machines in step, one of which visits every unit in every cycle: both are equal after
 * each. */
static void
every_cycle(const char *policy, struct trace *t, bool modern)
{
	struct config *c = walk_config(&(struct walk_source){.modern = modern}, policy);
	struct err e = {0};
	struct sim *a = sim_new(c, t, &e), *b;
	cycle_t at = 0;

	opt_set(config_db(c), "run.skip", "off", &e);
	b = sim_new(c, t, &e);
	if (!a || !b)
		small_die(policy, &e);
	while (at < CYCLES && sim_digest(a) == sim_digest(b)) {
		sim_run(a, ++at, &e);
		sim_run(b, at, &e);
	}
	is_u64(at, CYCLES, "%s: the digest of every cycle, with and without run.skip%s", policy,
	       modern ? ", on the modern machine" : "");
	sim_free(a);
	sim_free(b);
	config_free(c);
}

int
main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : tap_is_fast() ? FAST_SOME : SOME;
	unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, restores = 0, bad = 0;
	static struct walk w;
	struct trace *t = small_trace();

	for (unsigned i = 0; i < ARRAY_LEN(walk_policies) && argc <= 1; i++)
		every_cycle(walk_policies[i], t, i % MODERN == 0);
	for (unsigned long i = first; i < first + n; i++) {
		struct walk_source from = {.x = (uint32_t)i * 2654435761u | 1,
					   .modern = i % MODERN == 0};

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
