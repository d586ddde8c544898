/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * walk.c - random walks through time: forward, back, to any place of any branch, with changes of
 * options and of the policy stack in the present and in the past. At every place the machine must
 * have the state of a plain run with the changes of that branch.
 */
#include "tests/timeline/travel.h"

#define STEPS 60

static uint64_t
random_below(uint64_t *seed, uint64_t n)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*seed >> 33) % n;
}

static unsigned
any_branch(struct travel_bench *b, uint64_t *seed)
{
	unsigned id;

	do
		id = (unsigned)random_below(seed, timeline_branches(b->tl));
	while (!timeline_branch(b->tl, id));
	return id;
}

static const char *
one_step(struct travel_bench *b, uint64_t *seed)
{
	static const char *const values[] = {"24", "40", "60", "90"};
	static const char *const stacks[] = {"rr", "dyncta", "dyncta+claso"};
	struct place here = timeline_here(b->tl);
	unsigned id;

	switch (random_below(seed, 9)) {
	case 0:
	case 1:
	case 2:
		travel_run(b, here.cycle + 1 + random_below(seed, 700));
		return "forward";
	case 3:
		travel_goto(b, random_below(seed, here.cycle + 1));
		return "back";
	case 4:
		id = any_branch(b, seed);
		timeline_goto(b->tl,
			      (struct place){id, random_below(seed,
							      timeline_branch(b->tl, id)->tip + 1)},
			      &b->e);
		return "to a place";
	case 5:
		timeline_switch(b->tl, any_branch(b, seed), &b->e);
		return "switch";
	case 6:
		travel_set(b, "dyncta.t_mem_h", values[random_below(seed, ARRAY_LEN(values))]);
		return "set";
	case 7:
		travel_policy(b, stacks[random_below(seed, ARRAY_LEN(stacks))]);
		return "policy";
	default:
		timeline_fork(b->tl, "", &b->e);
		return "fork";
	}
}

static void
walk(uint64_t seed, size_t memory, cycle_t every, bool drop)
{
	struct travel_bench b = travel_setup("dyncta");
	struct timeline_state v;
	uint64_t random = seed;
	unsigned bad = 0;

	timeline_set_options(b.tl, &(struct timeline_options){.memory = memory,
							      .every = every,
							      .keep = true,
							      .drop = drop});
	for (unsigned i = 0; i < STEPS && !bad; i++) {
		const char *what;

		err_clear(&b.e);
		what = one_step(&b, &random);
		if (travel_same(&b))
			continue;
		bad++;
		diag("walk %" PRIu64 ", step %u, %s: cycle %" PRIu64 " of branch %u: %s", seed, i,
		     what, timeline_here(b.tl).cycle, timeline_here(b.tl).branch, b.e.msg);
	}
	timeline_state(b.tl, &v);
	ok(!bad, "walk %" PRIu64 ": %u branches, %u snapshots, %u dropped", seed,
	   timeline_branches(b.tl), v.snapshots, v.dropped);
	travel_teardown(&b);
}

int
main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 12;

	for (unsigned i = 0; i < n; i++)
		walk(i, i % 3 ? (size_t)1 << 30 : (size_t)1 << 20, i % 2 ? 0 : 173, i % 4 == 3);
	return done();
}
