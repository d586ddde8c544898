/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replica.c - see replica.h.
 *
 * The way to a place has two parts: up to `from` without records, then with them. Wanting the next
 * cycle goes on from the present state. Wanting an earlier one starts again from a snapshot, so on
 * a long way snapshots are taken, more densely near its end, because a user who goes back one step
 * probably goes back another.
 */
#include "lab/replica.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define TICK 3	   /* ms between two looks at the clock */
#define MARKS 8	   /* own snapshots */
#define NEAR 0.008 /* seconds before the goal within which no snapshot is worth its cost */
#define SPEED 2e5  /* cycles per second, until it is measured */

/* A state on the way to a branch's tip. */
struct station {
	cycle_t cycle;
	unsigned branch;
	struct copy_mark mark;
};

struct replica {
	struct machine_copy *copy;
	struct sim *of; /* the session's machine */
	uint64_t dropped;
	bool is_placed;		 /* the state is one of the run's */
	bool records;		 /* the records have begun */
	struct replica_want has; /* what is recorded */
	struct station station[MARKS];
	unsigned next_station;
	cycle_t began; /* the cycle from which it runs to the place */
	double done, speed;
	double until; /* on the clock: the end of the slice */
};

struct replica *
replica_new(const struct machine *m, struct err *e)
{
	struct replica *r = calloc(1, sizeof(*r));

	if (!r) {
		err_nomem(e);
		return NULL;
	}
	r->of = m->sim;
	r->speed = SPEED;
	r->copy = copy_twin(m, e);
	if (r->copy)
		return r;
	free(r);
	return NULL;
}

static void
forget_stations(struct replica *r)
{
	for (unsigned i = 0; i < MARKS; i++)
		copy_mark_free(&r->station[i].mark);
}

void
replica_free(struct replica *r)
{
	if (!r)
		return;
	forget_stations(r);
	copy_free(r->copy);
	free(r);
}

/* ---------------------------------------------------------------- what leads to a place */

/* True if a state of the branch with so many choices leads to p: the path has the same choices up
 * to it, and none of the others should have been made. */
static bool
leads_to(const struct timeline *t, unsigned branch, unsigned choices, cycle_t cycle, struct place p)
{
	const struct choice *next = timeline_path_choice(t, p.branch, choices);

	for (unsigned k = 0; k < choices; k++)
		if (timeline_path_choice(t, branch, k) != timeline_path_choice(t, p.branch, k))
			return false;
	return cycle <= p.cycle && (!next || next->cycle >= cycle);
}

static struct station *
find_station(struct replica *r, const struct replica_want *w)
{
	struct station *best = NULL;

	for (struct station *i = r->station; i < r->station + MARKS; i++)
		if (i->mark.snapshot && i->cycle <= w->from && (!best || i->cycle > best->cycle) &&
		    leads_to(r->copy->timeline, i->branch, i->mark.choice, i->cycle, w->place))
			best = i;
	return best;
}

/* The cycle of the latest snapshot that leads to what is wanted, the timeline's or an own one. */
static cycle_t
nearest_cycle(struct replica *r, const struct replica_want *w)
{
	const struct station *own = find_station(r, w);
	unsigned choices;
	const struct snapshot *k = timeline_nearest(r->copy->timeline, w->place, w->from, &choices);

	return MAX(own ? own->cycle : 0, k ? snapshot_cycle(k) : 0);
}

/* True if the present state and its records lead to what is wanted, and no snapshot is nearer. */
static bool
goes_on(struct replica *r, const struct replica_want *w)
{
	const struct machine_copy *c = r->copy;
	bool same = r->has.core == w->core && r->has.profile == w->profile &&
		    r->has.sample == w->sample;
	/* a profile and samples are of these cycles, the warps' past may be longer */
	bool fits = w->profile || w->sample ? r->has.from == w->from : r->has.from <= w->from;

	return r->is_placed && nearest_cycle(r, w) <= sim_cycle(c->sim) &&
	       leads_to(c->timeline, c->branch, c->choice, sim_cycle(c->sim), w->place) &&
	       (r->records ? same && fits : sim_cycle(c->sim) <= w->from);
}

/* ---------------------------------------------------------------- the way */

static int
start_at_snapshot(struct replica *r, const struct replica_want *w, struct err *e)
{
	struct machine_copy *c = r->copy;
	const struct station *own = find_station(r, w);
	unsigned choices;
	const struct snapshot *k = timeline_nearest(c->timeline, w->place, w->from, &choices);
	struct copy_mark mark = {(struct snapshot *)(uintptr_t)k, choices};

	sim_past_off(c->sim);
	sim_profile_off(c->sim);
	r->is_placed = r->records = false;
	if (own && (!k || own->cycle >= snapshot_cycle(k)))
		mark = own->mark;
	if (!mark.snapshot)
		return err_set(e, "no snapshot leads to this cycle; " NEW_SNAPSHOTS);
	if (copy_go_back(c, &mark, e) < 0)
		return -1;
	c->branch = w->place.branch;
	r->began = sim_cycle(c->sim);
	r->is_placed = true;
	return 0;
}

static bool
slice_is_over(void *ctx)
{
	const struct replica *r = ctx;

	return clock_seconds() >= r->until;
}

/* Where to stop on the way without records, to take a snapshot. */
static cycle_t
next_station(const struct replica *r, cycle_t to)
{
	cycle_t left = to - sim_cycle(r->copy->sim);

	return left >= 2 && (double)left > 2 * NEAR * r->speed ? to - left / 2 : to;
}

static void
keep_station(struct replica *r)
{
	struct station *s = &r->station[r->next_station++ % MARKS];

	copy_mark_free(&s->mark);
	s->cycle = sim_cycle(r->copy->sim);
	s->branch = r->copy->branch;
	copy_keep_mark(r->copy, &s->mark, NULL); /* without memory there is none */
}

/* Runs until it is at `to`, or the slice is over: 1, 0, or -1 with e. */
static int
run_slice(struct replica *r, cycle_t to, struct err *e)
{
	struct machine_copy *c = r->copy;
	cycle_t from = sim_cycle(c->sim);
	double began = clock_seconds(), took;

	sim_every_ms(c->sim, TICK, slice_is_over, r);
	copy_run(c, to);
	sim_every_ms(c->sim, 0, NULL, NULL);
	took = clock_seconds() - began;
	if (took > 0.002)
		r->speed = (double)(sim_cycle(c->sim) - from) / took;
	if (sim_cycle(c->sim) >= to)
		return 1;
	if (c->how == SIM_INTERRUPTED)
		return 0;
	*e = c->why;
	return e->set ? -1
		      : err_set(e, "the replay ended at cycle %llu",
				(unsigned long long)sim_cycle(c->sim));
}

static int
begin_records(struct replica *r, const struct replica_want *w, struct err *e)
{
	struct sim *sim = r->copy->sim;

	if (copy_make_choices(r->copy) < 0) {
		*e = r->copy->why;
		return -1;
	}
	if ((w->core >= 0 && sim_past_on(sim, (unsigned)w->core, e) < 0) ||
	    (w->profile && sim_profile_on(sim, e) < 0))
		return -1;
	if (w->sample)
		sim_resample(sim, w->sample);
	r->has = *w;
	r->records = true;
	return 0;
}

static int
run_to_place(struct replica *r, const struct replica_want *w, struct err *e)
{
	struct machine_copy *c = r->copy;

	for (;;) {
		cycle_t now = sim_cycle(c->sim), to = r->records ? w->place.cycle : w->from;
		cycle_t halt = r->records ? to : next_station(r, to);
		int rc = 1;

		if (now < to)
			rc = run_slice(r, halt, e);
		else if (!r->records)
			rc = begin_records(r, w, e) < 0 ? -1 : 1;
		else if (copy_make_choices(c) == 0)
			return 1;
		else
			rc = err_set(e, "%s", c->why.msg);
		if (rc < 1)
			return rc;
		if (!r->records && halt < to && sim_cycle(c->sim) == halt)
			keep_station(r);
	}
}

int
replica_reach(struct replica *r, const struct replica_want *w, double seconds, struct err *e)
{
	struct machine_copy *c = r->copy;
	int rc;

	if (r->dropped != timeline_dropped(c->timeline)) {
		forget_stations(r);
		r->is_placed = false;
		r->dropped = timeline_dropped(c->timeline);
	}
	if (!goes_on(r, w) && start_at_snapshot(r, w, e) < 0)
		return -1;
	c->branch = w->place.branch;
	r->until = clock_seconds() + seconds;
	rc = run_to_place(r, w, e);
	r->is_placed = rc >= 0;
	r->done = w->place.cycle > r->began ? (double)(sim_cycle(c->sim) - r->began) /
						      (double)(w->place.cycle - r->began)
					    : 1;
	return rc;
}

void
replica_give_records(struct replica *r)
{
	if (r->has.core >= 0)
		sim_past_give(r->copy->sim, r->of);
	if (r->has.profile)
		sim_profile_take_up(r->of, sim_profile_lay_aside(r->copy->sim));
	r->records = false;
}

double
replica_done(const struct replica *r)
{
	return r->done;
}

struct sim *
replica_sim(const struct replica *r)
{
	return r->copy->sim;
}
