/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * first_difference.c - finds the first decision in which two copies differ (comparison.h).
 *
 * It gives the decisions of both copies to the comparison that a race uses (differ.c), so `flip`,
 * `try`, `compare`, `diverge` and `race` report the same difference. The later decisions of a copy
 * that stopped at the end of a kernel are unknown; a copy whose workload has ended has no later
 * decisions.
 */
#include "lab/comparison.h"

#include <string.h>

void
first_difference_begin(struct first_difference *f, struct machine_copy *const copy[2])
{
	*f = (struct first_difference){.copy = {copy[0], copy[1]}, .flipped = f->flipped};
	for (unsigned i = 0; i < 2; i++)
		copy_listen(f->copy[i], true);
}

void
first_difference_end(struct first_difference *f)
{
	for (unsigned i = 0; i < 2; i++)
		copy_listen(f->copy[i], false);
	differ_free(&f->differ);
}

static bool
is_flipped(const struct flipped *f, const struct decision *d)
{
	return f->kinds & EV_BIT(d->kind) && d->cycle == f->cycle && d->core == (int)f->core &&
	       d->kernel + 1 == f->kernel;
}

static void
take_decisions(struct first_difference *f, unsigned lane)
{
	struct machine_copy *copy = f->copy[lane];
	const struct event *ev;
	struct decision d;
	char text[400];

	for (; (ev = copy_event(copy)) != NULL; copy_next_event(copy)) {
		if (!decision_read(copy->sim, ev, &d) || is_flipped(&f->flipped, &d))
			continue;
		sim_event_text(copy->sim, ev, text, sizeof(text));
		if (differ_take(&f->differ, lane, &d, text, strlen(text)))
			f->lost = true;
	}
	f->lost |= copy->lost;
}

/* The events that explain why a decision of that kind was not taken. */
static uint64_t
reasons_against(uint32_t kind)
{
	if (kind == EV_CTA_ISSUE)
		return EV_BIT(EV_CREDIT_EXHAUSTED);
	if (EV_BIT(kind) & (EV_BIT(EV_LIMIT) | EV_BIT(EV_PAUSE) | EV_BIT(EV_RESUME)))
		return EV_BIT(EV_PERIOD);
	return 0;
}

/* The event that explains why a copy's policy did not take that decision about the core in that
 * cycle; NULL if there is none, or it was dropped from the ring. */
static const struct event *
find_reason(const struct sim *s, const struct race_difference *d)
{
	const struct event_ring *ring = sim_events(s);

	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (!ev || ev->cycle < d->cycle)
			return NULL;
		if (ev->cycle == d->cycle && ev->core == d->core &&
		    reasons_against(d->kind) & EV_BIT(ev->kind))
			return ev;
	}
	return NULL;
}

/* Describes a copy's decision about that core; else the reason that it took none; else another
 * decision of that cycle. */
static void
describe_side(struct first_difference *f, const struct race_difference *d, unsigned lane)
{
	const struct decision *came = &d->came[lane];
	const struct sim *s = f->copy[lane]->sim;
	bool has = d->says[lane][0] && came->cycle == d->cycle;
	const struct event *ev = has && came->core == d->core ? NULL : find_reason(s, d);

	if (ev)
		sim_event_text(s, ev, f->text[lane], sizeof(f->text[lane]));
	else
		snprintf(f->text[lane], sizeof(f->text[lane]), "%s",
			 has ? d->says[lane] : "nothing in that cycle");
}

bool
first_difference_look(struct first_difference *f)
{
	const struct race_difference *d;
	cycle_t to[2];

	if (f->known)
		return true;
	for (unsigned i = 0; i < 2; i++) {
		take_decisions(f, i);
		to[i] = copy_known_before(f->copy[i]);
	}
	if (f->lost)
		return false;
	differ_compare(&f->differ, 2, to);
	d = differ_first(&f->differ, 2);
	if (!d)
		return false;
	f->known = true;
	f->cycle = d->cycle;
	for (unsigned i = 0; i < 2; i++) {
		describe_side(f, d, i);
		copy_listen(f->copy[i], false);
	}
	return true;
}
