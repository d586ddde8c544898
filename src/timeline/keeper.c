/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keeper.c - automatic snapshots: when one is taken, and which one is dropped.
 *
 * During runs and replays a snapshot is taken when returning to the last one would take about as
 * long as a person notices, but not so often that snapshots cost more than a small part of the run.
 * (A snapshot costs the run about as much again, because caches are cold after it.) The distance
 * between these checks follows from the measured speed. When snapshots take more memory than
 * allowed, the one is dropped whose absence leaves the smallest gap relative to its distance from
 * the present. They therefore stay dense near the present; further away a way back takes longer,
 * and a replay makes them dense again.
 *
 * Snapshots share pages, so the memory of one is what freeing it would release. Cycle 0, marks and
 * the origin of a move are pinned and never dropped. Two snapshots of the same state are never
 * kept.
 *
 * The option time.every sets the distance in cycles instead; tests use it.
 */
#include "timeline/timeline_part.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define NOTICED 0.035  /* seconds of run between two snapshots */
#define PART 84.0      /* snapshots may take at most 1/PART of the run time */
#define FURTHEST 0.050 /* seconds of run between two snapshots, whatever they cost */
#define ASKED 4	       /* checks between two snapshots */

/* ---------------------------------------------------------------- the table */

static int
compare_spots(const struct spot *a, const struct spot *b)
{
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->cycle != b->cycle)
		return a->cycle < b->cycle ? -1 : 1;
	return (a->applied > b->applied) - (a->applied < b->applied);
}

/* The index of the first snapshot that is not before s. */
static unsigned
find_slot(const struct timeline *t, const struct spot *s)
{
	unsigned low = 0, high = t->n_kept;

	while (low < high) {
		unsigned mid = (low + high) / 2;

		if (compare_spots(&t->kept[mid]->spot, s) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void
drop_kept(struct timeline *t, unsigned i)
{
	struct kept *k = t->kept[i];

	t->bytes -= MIN(t->bytes, snapshot_own(k->snap));
	snapshot_free(k->snap);
	free(k);
	t->n_kept--;
	memmove(&t->kept[i], &t->kept[i + 1], (t->n_kept - i) * sizeof(*t->kept));
}

/* The cost of losing this snapshot; infinite: it must stay. */
static double
loss_of(const struct timeline *t, unsigned i, const struct spot *now)
{
	const struct kept *k = t->kept[i], *a = i ? t->kept[i - 1] : NULL,
			  *b = i + 1 < t->n_kept ? t->kept[i + 1] : NULL;
	const struct branch *of = t->branch[k->spot.at];
	cycle_t from = a && a->spot.at == k->spot.at ? a->spot.cycle : of->from;
	cycle_t to = b && b->spot.at == k->spot.at ? b->spot.cycle : MAX(of->tip, k->spot.cycle);
	double away = (double)(k->spot.cycle < now->cycle ? now->cycle - k->spot.cycle
							  : k->spot.cycle - now->cycle);
	unsigned choices;
	cycle_t cycle;

	if (k->pins)
		return __builtin_inf();
	if (!timeline_on_path(t, t->here, k->spot.at, &choices, &cycle))
		away += (double)(of->tip - of->from) + (double)now->cycle;
	return (double)(to - MIN(from, to)) / (away + t->speed * NOTICED);
}

static bool
drop_least(struct timeline *t)
{
	struct spot now = {t->at, t->applied, sim_cycle(t->sim)};
	double least = __builtin_inf();
	unsigned which = 0;

	for (unsigned i = 0; i < t->n_kept; i++) {
		double m = loss_of(t, i, &now);

		if (m < least) {
			least = m;
			which = i;
		}
	}
	if (least == __builtin_inf())
		return false;
	drop_kept(t, which);
	t->dropped++;
	return true;
}

void
timeline_thin(struct timeline *t)
{
	while (t->sim && t->bytes > t->opt.memory && drop_least(t))
		;
}

void
timeline_unpin(struct timeline *t, struct kept *k)
{
	if (k && k->pins)
		k->pins--;
	timeline_thin(t);
}

void
timeline_forget_kept(struct timeline *t, unsigned branch, cycle_t from)
{
	t->n_dropped++;
	for (unsigned i = t->n_kept; i-- > 0;)
		if (t->kept[i]->spot.at == branch && t->kept[i]->spot.cycle >= from)
			drop_kept(t, i);
}

void
timeline_forget_all_kept(struct timeline *t)
{
	while (t->n_kept)
		drop_kept(t, t->n_kept - 1);
}

/* ---------------------------------------------------------------- taking */

/* Takes a snapshot. When memory runs out, drops automatic ones first. */
static struct snapshot *
take_snapshot(struct timeline *t, struct err *e)
{
	struct snapshot *k = sim_save(t->sim, e);

	while (!k) {
		unsigned half = (t->n_kept + 1) / 2, gone = 0;

		while (gone < half && drop_least(t))
			gone++;
		t->starved = true;
		if (!gone)
			return NULL;
		if (e)
			err_clear(e);
		k = sim_save(t->sim, e);
	}
	return k;
}

struct kept *
timeline_keep(struct timeline *t, struct err *e)
{
	struct spot s = timeline_spot(t);
	unsigned i = find_slot(t, &s);
	double began = clock_thread(), took;
	struct kept *k;

	if (i < t->n_kept && compare_spots(&t->kept[i]->spot, &s) == 0)
		return t->kept[i];
	if (t->n_kept == t->kept_room) {
		unsigned room = t->kept_room ? 2 * t->kept_room : 64;
		struct kept **grown = realloc(t->kept, room * sizeof(*grown));

		if (!grown) {
			err_of(e, ERR_MEMORY, "out of memory for a checkpoint");
			return NULL;
		}
		t->kept = grown;
		t->kept_room = room;
	}
	k = calloc(1, sizeof(*k));
	if (!k)
		err_of(e, ERR_MEMORY, "out of memory for a checkpoint");
	if (!k || !(k->snap = take_snapshot(t, e))) {
		free(k);
		return NULL;
	}
	k->spot = s;
	memcpy(k->events, sim_events(t->sim)->count, sizeof(k->events));
	k->pins = s.cycle == 0 && s.at == 0 && s.applied == 0;
	i = find_slot(t, &s); /* some may have been dropped */
	memmove(&t->kept[i + 1], &t->kept[i], (t->n_kept - i) * sizeof(*t->kept));
	t->kept[i] = k;
	t->n_kept++;
	t->bytes += snapshot_added(k->snap);
	timeline_kept_now(t);
	took = t->last - began;
	t->cost = t->cost > 0 ? t->cost * 0.75 + took * 0.25 : took;
	k->pins++;
	timeline_thin(t);
	k->pins--;
	return k;
}

void
timeline_kept_now(struct timeline *t)
{
	t->last = clock_thread();
	t->last_at = sim_cycle(t->sim);
}

bool
timeline_keep_due(const struct timeline *t)
{
	cycle_t every = t->opt.every, now = sim_cycle(t->sim);
	double since = clock_thread() - t->last;

	if (every)
		return now % every == 0;
	return since >= NOTICED && since >= MIN(t->cost * PART, FURTHEST);
}

cycle_t
timeline_keep_date(const struct timeline *t)
{
	cycle_t every = t->opt.every, now = sim_cycle(t->sim);

	return every ? (now / every + 1) * every : now + 1 + (cycle_t)(t->speed * NOTICED / ASKED);
}

struct kept *
timeline_find_kept(const struct timeline *t, struct place p, cycle_t below)
{
	struct kept *best = NULL;

	for (unsigned i = 0; i < t->n_kept; i++) {
		struct kept *k = t->kept[i];

		if (k->spot.cycle < below && timeline_leads_to(t, &k->spot, p) &&
		    (!best || k->spot.cycle > best->spot.cycle ||
		     (k->spot.cycle == best->spot.cycle && k->spot.at >= best->spot.at)))
			best = k;
	}
	return best;
}

/* The number of choices, from the root on, that a state includes. */
static unsigned
count_choices(const struct timeline *t, const struct spot *s)
{
	unsigned n = s->applied;

	for (const struct branch *b = t->branch[s->at]; b && b->parent != BRANCH_NONE;
	     b = t->branch[b->parent])
		n += b->inherits;
	return n;
}

const struct snapshot *
timeline_nearest(const struct timeline *t, struct place p, cycle_t at_most, unsigned *choices)
{
	const struct kept *k = t->n_branches ? timeline_find_kept(t, p, at_most + 1) : NULL;

	if (!k)
		return NULL;
	*choices = count_choices(t, &k->spot);
	return k->snap;
}

uint64_t
timeline_dropped(const struct timeline *t)
{
	return t->n_dropped;
}
