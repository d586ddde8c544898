/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * first_difference.c - the first decision in which two copies differ (comparison.h).
 *
 * Both feed their decisions to the comparison that a race uses (race.h), so `flip`, `try`,
 * `compare`, `diverge` and `race` name the same one. A copy that stopped early, because it reached
 * the end of its kernel, has told nothing of what comes later; one whose program has ended decides
 * nothing more.
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
	return f->kinds & EV_BIT(d->kind) && d->cycle == f->cycle && d->core == (int)f->core;
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

/* Events that say why a decision of that kind was not taken. */
static uint64_t
reasons_against(uint32_t kind)
{
	if (kind == EV_CTA_ISSUE)
		return EV_BIT(EV_CREDIT_EXHAUSTED);
	if (EV_BIT(kind) & (EV_BIT(EV_LIMIT) | EV_BIT(EV_PAUSE) | EV_BIT(EV_RESUME)))
		return EV_BIT(EV_PERIOD);
	return 0;
}

/* Why a copy's policy took no such decision about the core in that cycle, as long as that is kept.
 */
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

/* Its decision about that core; else why it took none; else what it decided in that cycle. */
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
