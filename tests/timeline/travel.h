/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * travel.h - a timeline of the small machine, and the expected state of a place: that of a fresh
 * machine that runs forward with the same changes.
 */
#ifndef TESTS_TRAVEL_H
#define TESTS_TRAVEL_H

#include "timeline/timeline.h"

#include "tests/small/small.h"
#include "tests/tap.h"
#include <inttypes.h>

struct travel_bench {
	struct config *c;
	struct trace *t;
	struct sim *sim;
	struct debug *d;
	struct timeline *tl;
	struct debug_result r;
	struct err e;
	char note[2000];
};

static inline struct travel_bench
travel_setup(const char *policy)
{
	struct travel_bench b = {0};

	b.c = small_config(policy);
	b.t = small_trace();
	b.sim = sim_new(b.c, b.t, NULL);
	b.d = debug_new();
	debug_attach(b.d, b.sim, NULL);
	b.tl = timeline_new(b.d);
	timeline_begin(b.tl, b.sim, NULL);
	return b;
}

static inline void
travel_teardown(struct travel_bench *b)
{
	timeline_free(b->tl);
	debug_free(b->d);
	sim_free(b->sim);
	trace_close(b->t);
	config_free(b->c);
}

static inline enum debug_end
travel_run(struct travel_bench *b, cycle_t until)
{
	struct debug_goal g = {.until = until};

	err_clear(&b->e);
	return debug_run(b->d, &g, &b->r, &b->e);
}

static inline int
travel_goto(struct travel_bench *b, cycle_t cycle)
{
	err_clear(&b->e);
	return timeline_goto(b->tl, (struct place){timeline_here(b->tl).branch, cycle}, &b->e);
}

static inline int
travel_set(struct travel_bench *b, const char *key, const char *value)
{
	err_clear(&b->e);
	return timeline_choose(b->tl, CHOICE_OPTION, key, value, b->note, sizeof(b->note), &b->e);
}

static inline int
travel_policy(struct travel_bench *b, const char *stack)
{
	err_clear(&b->e);
	return timeline_choose(b->tl, CHOICE_POLICY, NULL, stack, b->note, sizeof(b->note), &b->e);
}

/* Returns the digest of the present place, computed by a plain run. */
static inline uint64_t
travel_plain(const struct travel_bench *b)
{
	struct place p = timeline_here(b->tl);
	struct trace *t = small_trace();
	struct sim *s = sim_new(b->c, t, NULL);
	const struct choice *c;
	uint64_t digest;

	for (unsigned k = 0; (c = timeline_path_choice(b->tl, p.branch, k)) && c->cycle <= p.cycle;
	     k++) {
		sim_run(s, c->cycle, NULL);
		if (c->kind == CHOICE_POLICY)
			sim_set_policy(s, c->value, NULL, 0, NULL);
		else
			sim_set(s, c->key, c->value, NULL);
	}
	sim_run(s, p.cycle, NULL);
	digest = sim_digest(s);
	sim_free(s);
	trace_close(t);
	return digest;
}

static inline bool
travel_same(const struct travel_bench *b)
{
	return sim_digest(b->sim) == travel_plain(b);
}

#endif
