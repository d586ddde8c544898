/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * back.c - moves backwards to where a forward run would have stopped.
 *
 * The past is searched in stretches between snapshots, the latest first. Each snapshot has the
 * number of events of each kind so far, so a stretch without the events of any stop or of the goal
 * is skipped. Otherwise the snapshot is restored, its cycles are run with a scan (debug.h), and the
 * hits are processed from the last to the first with the counting of a forward run: ignore counts,
 * events of the goal. The hit found is then reached by an ordinary run of one cycle from the cycle
 * before it, so everything about the stop (its text and event, old and new value of a watch, the
 * commands, the end of a temporary stop) is the same as in a forward run. The present stop belongs
 * to the present cycle and is not considered.
 */
#include "timeline/timeline_part.h"

#include <stdlib.h>
#include <string.h>

struct search {
	const struct debug_goal *goal;
	cycle_t floor; /* do not search before this cycle */
	uint64_t left; /* events of the goal still to be passed */
	cycle_t found; /* CYCLE_NEVER: none yet */
	uint64_t nth; /* the goal is the nth of its events in that cycle; 0: the hit is not the goal
		       */
};

static uint64_t
count_of(const struct debug_seen *seen, size_t n, unsigned id)
{
	uint64_t hits = 0;

	for (size_t i = 0; i < n; i++)
		hits += seen[i].id == id;
	return hits;
}

/* Was stop seen[i].id hit earlier in the same cycle? */
static bool
is_again(const struct debug_seen *seen, size_t i)
{
	return count_of(seen, i, seen[i].id) > 0;
}

/* Processes the n hits of one cycle. Returns true if it is the one to stop at, otherwise counts
 * them. */
static bool
take_cycle(struct timeline *t, struct search *s, const struct debug_seen *seen, size_t n)
{
	uint64_t events = count_of(seen, n, 0);
	bool stop = false;

	for (size_t i = 0; i < n; i++) {
		const struct stop *p = seen[i].id ? debug_stop_find(t->debug, seen[i].id) : NULL;

		stop |= p && count_of(seen, n, seen[i].id) > p->ignore;
	}
	if (events >= s->left)
		s->nth = events - s->left + 1;
	if (stop || s->nth) {
		s->found = seen[0].cycle;
		return true;
	}
	s->left -= events;
	for (size_t i = 0; i < n; i++)
		if (seen[i].id && !is_again(seen, i))
			debug_passed(t->debug, seen[i].id, count_of(seen, n, seen[i].id));
	return false;
}

static bool
take_hits(struct timeline *t, struct search *s, const struct debug_scan *scan)
{
	for (size_t to = scan->n; to > 0;) {
		size_t from = to - 1;

		while (from && scan->seen[from - 1].cycle == scan->seen[to - 1].cycle)
			from--;
		if (take_cycle(t, s, &scan->seen[from], to - from))
			return true;
		to = from;
	}
	return false;
}

/* Scans the cycles after `low` up to `high`, starting from the present state, which is at or
 * before low. */
static int
scan_stretch(struct timeline *t, struct search *s, cycle_t low, cycle_t high, struct err *e)
{
	struct debug_scan scan = {.from = low, .to = high};
	char from[32];
	int rc = timeline_replay(t, low, e);

	if (rc)
		return rc;
	debug_unmute(t->debug);
	debug_scan(t->debug, &scan, s->goal);
	rc = timeline_replay(t, high, e);
	debug_scan(t->debug, NULL, NULL);
	debug_mute(t->debug);
	if (!rc && scan.failed)
		rc = err_of(e, ERR_MEMORY, "out of memory for the stops hit from cycle %s on",
			    debug_number(from, low));
	if (!rc)
		take_hits(t, s, &scan);
	free(scan.seen);
	return rc;
}

/* The kinds of events that happened between two states. */
static uint64_t
kinds_between(const uint64_t *from, const uint64_t *to)
{
	uint64_t kinds = 0;

	for (unsigned k = 0; k < EV_KINDS; k++)
		if (from[k] != to[k])
			kinds |= EV_BIT(k);
	return kinds;
}

static int
search_back(struct timeline *t, struct search *s, struct place here, struct err *e)
{
	cycle_t high = here.cycle;
	uint64_t events[EV_KINDS]; /* up to high or slightly more */

	memcpy(events, sim_events(t->sim)->count, sizeof(events));
	if (high)
		high--;
	while (high > s->floor && s->found == CYCLE_NEVER) {
		struct place p = {here.branch, high};
		const struct kept *k = timeline_find_kept(t, p, high);
		cycle_t low;
		uint64_t kinds;
		int rc = 0;

		if (!k)
			return err_set(e, "no snapshot leads to this cycle; " NEW_SNAPSHOTS);
		low = MAX(k->spot.cycle, s->floor);
		t->done = (double)(here.cycle - high) / (double)(here.cycle - s->floor);
		t->share = (double)(high - low) / (double)(here.cycle - s->floor);
		/* at cycle 0, choices restart the run and its counts */
		kinds = k->spot.cycle ? kinds_between(k->events, events) : EV_ALL;
		memcpy(events, k->events, sizeof(events));
		if (debug_scan_worth(t->debug, s->goal, low, high, kinds))
			rc = timeline_put(t, k, e) ? -1 : scan_stretch(t, s, low, high, e);
		if (rc)
			return rc;
		high = low;
	}
	return 0;
}

/* Reaches the hit from the cycle before it by an ordinary run. */
static enum debug_end
arrive_at(struct timeline *t, const struct search *s, struct debug_result *r, struct err *e)
{
	struct debug_goal g = {.until = s->found};

	if (s->nth && s->goal->events) {
		g.events = s->goal->events;
		/* a period ends for all cores at once; that of the core in focus is enough */
		g.count = s->goal->events == EV_BIT(EV_PERIOD) ? 1 : s->nth;
	} else if (s->nth) {
		g.expr = s->goal->expr;
	}
	return debug_run(t->debug, &g, r, e);
}

enum debug_end
timeline_back(struct timeline *t, const struct debug_goal *g, struct debug_result *r, struct err *e)
{
	struct place here = timeline_here(t);
	struct search s = {.goal = g,
			   .floor = g->until == CYCLE_NEVER ? 0 : g->until,
			   .left = MAX(g->count, 1),
			   .found = CYCLE_NEVER};
	bool looks = g->events || g->expr || debug_can_stop(t->debug);
	enum debug_end end = DEBUG_DONE;
	struct travel v;
	int rc = 0;

	*r = (struct debug_result){0};
	timeline_depart(t, &v);
	if (looks)
		rc = search_back(t, &s, here, e);
	t->done = looks;
	t->share = !looks;
	if (!rc)
		rc = timeline_seek(t,
				   (struct place){here.branch, s.found == CYCLE_NEVER
								       ? MIN(s.floor, here.cycle)
								       : s.found - 1},
				   e);
	if (!rc && s.found != CYCLE_NEVER) {
		debug_unmute(t->debug);
		debug_moved(t->debug, true);
		end = arrive_at(t, &s, r, e);
		v.stopped = end != DEBUG_FAILED;
		if (!v.stopped) { /* out of memory: return to the origin */
			debug_mute(t->debug);
			rc = -1;
		}
	} else if (rc) {
		end = rc < 0 ? DEBUG_FAILED : DEBUG_INTERRUPTED;
	} else if (g->until != CYCLE_NEVER) {
		end = DEBUG_GOAL;
	}
	timeline_land(t, &v, rc);
	return end;
}
