/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * teams.c - the visits of the cores in a cycle, on two threads (ctascope-model(7), COST).
 *
 * The first half of the clusters is the first team, the rest the second. In a cycle with enough
 * awake cores in both, the partner's thread visits the second team while the caller's visits the
 * first; all else, and all other cycles, the caller does alone.
 *
 * Why the result is that of one thread: within a cycle, what a core does touches nothing that
 * another cluster's core reads or writes in that cycle, except for what is kept apart here:
 *
 *   requests       each team takes them from a pool of its own, and gives them back there, however
 *                  many threads there are (struct req_pool)
 *   network        each cluster has its port; the bits that tell the network of the second team's
 *                  packets go to in_mask, and to the network after the visits
 *   next visits    the second team keeps them; the caller books them after the visits
 *
 * The threads meet before and after the visits of a cycle, so each sees what the other wrote. The
 * cores must tell nobody else: no listener, no policy that hears of warps, no policy file.
 */
#include "sim/teams.h"
#include "base/partner.h"
#include "sim/visits.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_AWAKE 3 /* cores of each team; with fewer, meeting takes longer than their visits */

struct teams {
	struct sim *s;
	uint64_t second[2]; /* its cores, one bit each */

	/* written by the caller */
	_Alignas(64) _Atomic uint32_t begun; /* cycles of the second team */
	bool ends;
	cycle_t now;
	uint64_t awake[2]; /* cores that it visits */

	/* written by the second team */
	_Alignas(64) _Atomic uint32_t done;
	uint64_t in_mask[NOC_WORDS]; /* clusters with new packets for the network */
	struct core_visits kept;
};

/* ---------------------------------------------------------------- the second team */

static void
run_second(void *ctx)
{
	struct teams *t = ctx;
	uint32_t seen = 0;

	for (;;) {
		unsigned n = 0;

		while (atomic_load_explicit(&t->begun, memory_order_acquire) == seen)
			partner_pause(&n);
		if (t->ends)
			return;
		tick_cores(t->s, &t->kept, t->awake, t->now);
		atomic_store_explicit(&t->done, ++seen, memory_order_release);
	}
}

/* ---------------------------------------------------------------- the caller */

static bool
has_enough(const uint64_t awake[2])
{
	unsigned n = 0;

	for (unsigned word = 0; word < 2; word++)
		for (uint64_t m = awake[word]; m && n < LEAST_AWAKE; m &= m - 1)
			n++;
	return n >= LEAST_AWAKE;
}

static void
begin_second(struct teams *t)
{
	uint32_t begun = atomic_load_explicit(&t->begun, memory_order_relaxed);

	atomic_store_explicit(&t->begun, begun + 1, memory_order_release);
}

static void
await_second(struct teams *t)
{
	uint32_t begun = atomic_load_explicit(&t->begun, memory_order_relaxed);
	unsigned n = 0;

	while (atomic_load_explicit(&t->done, memory_order_acquire) != begun)
		partner_pause(&n);
}

static void
book_second(struct teams *t)
{
	struct core_visits *v = &t->kept;

	for (unsigned i = 0; i < v->n; i++)
		let_core_sleep(t->s, v->sleeps[i].core, t->now, v->sleeps[i].next);
	v->n = 0;
	for (unsigned word = 0; word < 2; word++) {
		t->s->sleep->freed[word] |= v->freed[word];
		v->freed[word] = 0;
	}
}

void
teams_tick(struct teams *t)
{
	struct sim *s = t->s;
	uint64_t *awake = s->sleep->core_awake, first[2];
	cycle_t now = s->machine->cycle;

	for (unsigned word = 0; word < 2; word++) {
		t->awake[word] = awake[word] & t->second[word];
		first[word] = awake[word] & ~t->second[word];
	}
	if (has_enough(t->awake) && has_enough(first)) {
		t->now = now;
		begin_second(t);
		tick_cores(s, NULL, first, now);
		await_second(t);
		book_second(t);
	} else {
		tick_cores(s, NULL, awake, now);
	}
	for (unsigned word = 0; word < NOC_WORDS; word++) {
		s->request.net->in_mask[word] |= t->in_mask[word];
		t->in_mask[word] = 0;
	}
}

/* Where the ports of the second team tell of packets. */
static void
tell_of_packets(struct teams *t, uint64_t *mask)
{
	struct sim *s = t->s;

	for (unsigned i = s->cluster_of[s->second_team]; i < s->n_clusters; i++)
		s->request.in[i].mask = &mask[i / 64];
}

cycle_t
teams_run(struct teams *t, cycle_t end)
{
	struct sim *s = t->s;
	struct machine *m = s->machine;

	t->ends = false;
	atomic_store(&t->begun, 0);
	atomic_store(&t->done, 0);
	tell_of_packets(t, t->in_mask);
	partner_start(run_second, t);
	while (m->cycle < end && !s->stop && !m->done)
		sim_step_in_teams(s, t);
	t->ends = true;
	begin_second(t);
	partner_wait();
	tell_of_packets(t, s->request.net->in_mask);
	return atomic_load(&t->done);
}

/* ---------------------------------------------------------------- memory */

void
teams_free(struct teams *t)
{
	free(t);
}

struct teams *
teams_new(struct sim *s)
{
	struct teams *t = s->n_clusters > 1 ? aligned_alloc(64, sizeof(*t)) : NULL;

	if (!t)
		return NULL;
	memset(t, 0, sizeof(*t));
	t->s = s;
	for (unsigned i = s->second_team; i < s->n_cores; i++)
		t->second[i / 64] |= UINT64_C(1) << i % 64;
	return t;
}
