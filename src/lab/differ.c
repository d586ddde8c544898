/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * differ.c - finds the first decision in which two lanes differ.
 *
 * The decisions of a lane arrive in the order in which they happened. Two lanes agree while their
 * decisions are the same (decision_same()). They differ at the first place where the decisions are
 * not the same, or where one lane has a decision and the other is past that cycle without one; the
 * next decision of the other lane then shows what it did instead. So the result does not depend on
 * how the run was cut into steps.
 */
#include "lab/race_part.h"

#include <stdlib.h>
#include <string.h>

int
differ_take(struct differ *d, unsigned lane, const struct decision *what, const char *says,
	    size_t n)
{
	struct received_decision t = {.d = *what, .says = strndup(says, n)};

	if (d->lane[lane].n == d->lane[lane].cap) {
		unsigned cap = d->lane[lane].cap ? 2 * d->lane[lane].cap : 64;
		struct received_decision *grown = realloc(d->lane[lane].d, cap * sizeof(*grown));

		if (grown) {
			d->lane[lane].d = grown;
			d->lane[lane].cap = cap;
		}
	}
	if (!t.says || d->lane[lane].n == d->lane[lane].cap) {
		free(t.says);
		return -1;
	}
	d->lane[lane].d[d->lane[lane].n++] = t;
	return 0;
}

/* The decision of a lane at a place of its run; NULL: it has not arrived. */
static const struct received_decision *
decision_at(const struct differ *d, unsigned lane, uint64_t place)
{
	uint64_t i = place - d->lane[lane].base;

	return place >= d->lane[lane].base && i < d->lane[lane].n ? &d->lane[lane].d[i] : NULL;
}

static void
note_difference(struct race_difference *f, unsigned lane, const struct decision *d)
{
	f->known = true;
	f->lane[1] = lane;
	f->cycle = d->cycle;
	f->core = d->core;
	f->kind = d->kind;
}

static void
compare_pair(struct differ *d, unsigned lane, const cycle_t *to)
{
	struct race_difference *f = &d->pair[lane].first;
	const struct received_decision *a, *b;

	for (; !f->known; d->pair[lane].at++) {
		a = decision_at(d, 0, d->pair[lane].at);
		b = decision_at(d, lane, d->pair[lane].at);
		if (!a && !b)
			break;
		if (a && b && decision_same(&a->d, &b->d))
			continue;
		if (a && (!b || a->d.cycle <= b->d.cycle) && (b || to[lane] > a->d.cycle))
			note_difference(f, lane, &a->d);
		else if (b && (a || to[0] > b->d.cycle))
			note_difference(f, lane, &b->d);
		break;
	}
	for (unsigned k = 0; f->known && k < 2; k++) {
		a = decision_at(d, k ? lane : 0, d->pair[lane].at);
		if (a && !f->says[k][0]) {
			f->came[k] = a->d;
			snprintf(f->says[k], sizeof(f->says[k]), "%s", a->says);
		}
	}
}

/* The first place whose decision a pair still needs, from lane 0 (side 0) or its other lane;
 * CYCLE_NEVER: it needs none. */
static uint64_t
first_needed(const struct differ *d, unsigned lane, unsigned side)
{
	const struct race_difference *f = &d->pair[lane].first;

	return f->known && f->says[side][0] ? CYCLE_NEVER : d->pair[lane].at;
}

/* Frees the decisions that no pair needs any more. */
static void
drop_decisions(struct differ *d, unsigned lanes)
{
	for (unsigned i = 0; i < lanes; i++) {
		uint64_t keep = i ? first_needed(d, i, 1) : CYCLE_NEVER;
		unsigned n;

		for (unsigned k = 1; !i && k < lanes; k++)
			keep = MIN(keep, first_needed(d, k, 0));
		if (keep <= d->lane[i].base)
			continue;
		n = (unsigned)MIN(keep - d->lane[i].base, d->lane[i].n);
		for (unsigned k = 0; k < n; k++)
			free(d->lane[i].d[k].says);
		memmove(d->lane[i].d, d->lane[i].d + n, (d->lane[i].n - n) * sizeof(*d->lane[i].d));
		d->lane[i].n -= n;
		d->lane[i].base += n;
	}
}

void
differ_compare(struct differ *d, unsigned lanes, const cycle_t *to)
{
	for (unsigned i = 1; i < lanes; i++)
		compare_pair(d, i, to);
	drop_decisions(d, lanes);
}

const struct race_difference *
differ_first(const struct differ *d, unsigned lanes)
{
	const struct race_difference *best = NULL;

	for (unsigned i = 1; i < lanes; i++)
		if (d->pair[i].first.known && (!best || d->pair[i].first.cycle < best->cycle))
			best = &d->pair[i].first;
	return best;
}

bool
differ_open(const struct differ *d, unsigned lanes, const cycle_t *to)
{
	for (unsigned i = 1; i < lanes; i++) {
		const struct race_difference *f = &d->pair[i].first;

		if (!f->known || (!f->says[0][0] && to[0] != CYCLE_NEVER) ||
		    (!f->says[1][0] && to[i] != CYCLE_NEVER))
			return true;
	}
	return false;
}

void
differ_free(struct differ *d)
{
	for (unsigned i = 0; i < RACE_LANES; i++) {
		for (unsigned k = 0; k < d->lane[i].n; k++)
			free(d->lane[i].d[k].says);
		free(d->lane[i].d);
	}
	*d = (struct differ){0};
}
