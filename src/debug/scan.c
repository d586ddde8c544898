/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scan.c - services for a timeline: muting, dates, and scanning the past.
 *
 * The past is scanned by running it again from an earlier state without stopping. Every hit is
 * recorded with its cycle, and the caller takes the latest. Stops take effect at the end of a
 * cycle, so hits get the cycle number when the cycle ends. A scan changes nothing that a later run
 * would notice: hit counts, ignore counts and tracepoints stay as they are. Only the old values of
 * watches follow, and they are restored when the scan ends.
 */
#include "debug/debug_part.h"

#include <stdlib.h>

void
debug_set_dates(struct debug *d, const struct debug_dates *dates)
{
	d->dates = dates;
}

void
debug_mute(struct debug *d)
{
	d->mutes++;
	debug_listen(d);
}

void
debug_unmute(struct debug *d)
{
	d->mutes--;
	debug_listen(d);
}

void
debug_told(struct debug *d, uint64_t seq)
{
	for (unsigned i = 0; i < d->n_stops; i++)
		d->stop[i]->told = seq;
}

void
debug_passed(struct debug *d, unsigned id, uint64_t hits)
{
	struct stop *p = debug_find(d, id);

	if (!p)
		return;
	p->hits += hits;
	p->ignore -= MIN(p->ignore, hits);
}

void
debug_watch_restart(struct debug *d)
{
	for (unsigned i = 0; i < d->n_stops; i++)
		debug_watch_from_here(d, d->stop[i]);
}

void
debug_moved(struct debug *d, bool anew)
{
	d->stopped_seq = UINT64_MAX;
	d->watched = 0;
	for (unsigned i = 0; anew && i < d->n_stops; i++)
		debug_stop_bind(d, d->stop[i], NULL);
	if (anew && debug_goal_bind(d) && d->scan)
		d->scan->failed = true;
	debug_watch_restart(d);
	debug_listen(d);
}

bool
debug_can_stop(const struct debug *d)
{
	for (unsigned i = 0; i < d->n_stops; i++)
		if (d->stop[i]->enabled && d->stop[i]->kind != STOP_TRACE)
			return true;
	return false;
}

/* ---------------------------------------------------------------- scan */

void
debug_scan(struct debug *d, struct debug_scan *scan, const struct debug_goal *goal)
{
	if (scan) {
		scan->goal = goal;
		scan->stamped = scan->n;
	}
	d->scan = scan;
	debug_moved(d, true);
}

void
debug_scan_hit(struct debug *d, unsigned id)
{
	struct debug_scan *c = d->scan;

	if (c->n == c->room) {
		size_t room = c->room ? 2 * c->room : 256;
		struct debug_seen *grown = realloc(c->seen, room * sizeof(*grown));

		if (!grown) {
			c->failed = true;
			return;
		}
		c->seen = grown;
		c->room = room;
	}
	c->seen[c->n++] = (struct debug_seen){.id = id};
	debug_look_at_cycle(d);
}

static bool
cycle_within(const struct stop *p, cycle_t from, cycle_t to)
{
	return p->kind == STOP_CYCLE && p->enabled && p->cycle > from && p->cycle <= to;
}

bool
debug_scan_worth(const struct debug *d, const struct debug_goal *goal, cycle_t from, cycle_t to,
		 uint64_t events)
{
	bool worth = goal && (goal->expr || goal->events & events);

	for (unsigned i = 0; i < d->n_stops; i++) {
		const struct stop *p = d->stop[i];

		if (!p->enabled || p->kind == STOP_TRACE)
			continue;
		worth |= p->kind == STOP_LINE || cycle_within(p, from, to);
		worth |= (events & debug_stop_events(p)) != 0;
		worth |= p->kind == STOP_WATCH && (!p->changing || p->changing & events);
	}
	return worth;
}

bool
debug_scan_always(const struct debug *d)
{
	const struct debug_scan *c = d->scan;
	bool always = c->goal && c->goal->expr;

	for (unsigned i = 0; i < d->n_stops; i++)
		always |= cycle_within(d->stop[i], c->from, c->to);
	return always;
}

void
debug_scan_event(struct debug *d, const struct event *ev)
{
	const struct debug_goal *g = d->scan->goal;

	if (g && g->events & EV_BIT(ev->kind))
		debug_scan_hit(d, 0);
}

void
debug_scan_cycle(struct debug *d)
{
	struct debug_scan *c = d->scan;
	cycle_t now = sim_cycle(d->sim);

	for (unsigned i = 0; i < d->n_stops; i++) {
		struct stop *p = d->stop[i];

		if (p->kind == STOP_CYCLE && p->enabled && p->cycle == now &&
		    (p->cond_text ? p->cond && expr_true(p->cond) : true))
			debug_scan_hit(d, p->id);
	}
	debug_check_watches(d);
	if (d->expr && expr_true(d->expr))
		debug_scan_hit(d, 0);
	for (; c->stamped < c->n; c->stamped++)
		c->seen[c->stamped].cycle = now;
}
