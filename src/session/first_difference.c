/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * first_difference.c - the first decision in which two labs differ (contest.h).
 *
 * Both feed their decisions to the comparison that a race uses (race.h), so `flip`, `try`,
 * `compare`, `diverge` and `race` name the same one. A lab that stopped early, because it reached
 * the end of its kernel, has told nothing of what comes later; one whose program has ended decides
 * nothing more.
 */
#include "session/contest.h"

#include <string.h>

void
first_difference_begin(struct first_difference *f, struct lab *const lab[2])
{
	*f = (struct first_difference){.lab = {lab[0], lab[1]}, .flipped = f->flipped};
	for (unsigned i = 0; i < 2; i++)
		lab_listen(f->lab[i], true);
}

void
first_difference_end(struct first_difference *f)
{
	for (unsigned i = 0; i < 2; i++)
		lab_listen(f->lab[i], false);
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
	struct lab *l = f->lab[lane];
	const struct event *ev;
	struct decision d;
	char text[400];

	for (; (ev = lab_event(l)) != NULL; lab_next_event(l)) {
		if (!decision_read(l->sim, ev, &d) || is_flipped(&f->flipped, &d))
			continue;
		sim_event_text(l->sim, ev, text, sizeof(text));
		if (differ_take(&f->differ, lane, &d, text, strlen(text)))
			f->lost = true;
	}
	f->lost |= l->lost;
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

/* Why a lab's policy took no such decision about the core in that cycle, as long as that is kept.
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
	const struct sim *s = f->lab[lane]->sim;
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
		to[i] = lab_told(f->lab[i]);
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
		lab_listen(f->lab[i], false);
	}
	return true;
}

void
first_difference_say(struct session *s, const struct first_difference *f, const char *const name[2],
		     const char *all)
{
	char at[HUMAN];

	if (f->known) {
		say(s, SAY_RESULT, "first decision that differs, cycle %s:", human(at, f->cycle));
		for (unsigned i = 0; i < 2; i++)
			say(s, SAY_RESULT, "  %s: %s", name[i], f->text[i]);
	} else if (f->lost) {
		say(s, SAY_RESULT, "decisions were not compared: out of memory");
	} else {
		say(s, SAY_RESULT, "%s", all);
	}
}
