/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * diverge.c - see diverge.h.
 *
 * Events and decisions of both copies are compared in the order of time. States are compared by
 * digest, at growing distances; when they differ, both copies return to the last cycle at which the
 * states were equal and halve the distance, down to one cycle.
 */
#include "lab/diverge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FARTHEST 65536 /* most cycles between two comparisons of the states */

static bool
both_ended(const struct branch_pair *p)
{
	return copy_ended(p->copy[0]) && copy_ended(p->copy[1]);
}

static double
share_done(const struct branch_pair *p)
{
	uint64_t done, all;

	sim_progress(p->copy[0]->sim, &done, &all);
	return all ? (double)done / (double)all : 0;
}

static void
run_both(struct branch_pair *p, cycle_t to)
{
	copy_run(p->copy[0], to);
	copy_run(p->copy[1], to);
}

/* Runs both until something is found. 1: interrupted. */
static int
run_until_found(struct branch_pair *p, const struct lab_progress *progress, bool (*find)(void *ctx),
		void *ctx, bool *found)
{
	bool stop = false;

	*found = false;
	while (!*found && !stop && !both_ended(p)) {
		run_both(p, MAX(sim_cycle(p->copy[0]->sim), sim_cycle(p->copy[1]->sim)) + 1024);
		*found = find(ctx);
		stop = lab_progress_stop(progress, share_done(p));
	}
	return stop && !*found;
}

/* ---------------------------------------------------------------- events */

static bool
same_event(const struct event *a, const struct event *b)
{
	return a->cycle == b->cycle && a->kind == b->kind && a->kernel == b->kernel &&
	       a->core == b->core && a->cta == b->cta && a->slot == b->slot &&
	       a->policy == b->policy && a->rule == b->rule && a->resident == b->resident &&
	       a->among == b->among && memcmp(a->v, b->v, sizeof(a->v)) == 0;
}

struct event_search {
	struct branch_pair *pair;
	struct event_difference *difference;
};

static void
describe_event(const struct event_search *s, unsigned i, const struct event *ev)
{
	struct event_difference *d = s->difference;

	if (ev && ev->cycle == d->cycle)
		sim_event_text(s->pair->copy[i]->sim, ev, d->text[i], sizeof(d->text[i]));
	else
		snprintf(d->text[i], sizeof(d->text[i]), "nothing in that cycle");
}

static bool
find_event(void *ctx)
{
	struct event_search *s = ctx;
	struct machine_copy **copy = s->pair->copy;

	for (;;) {
		const struct event *a = copy_event(copy[0]), *b = copy_event(copy[1]);
		cycle_t at = MIN(a ? a->cycle : CYCLE_NEVER, b ? b->cycle : CYCLE_NEVER);

		if (at == CYCLE_NEVER ||
		    at >= MIN(copy_known_before(copy[0]), copy_known_before(copy[1])))
			return false;
		if (!a || !b || !same_event(a, b)) {
			s->difference->known = true;
			s->difference->cycle = at;
			describe_event(s, 0, a);
			describe_event(s, 1, b);
			return true;
		}
		copy_next_event(copy[0]);
		copy_next_event(copy[1]);
	}
}

int
diverge_by_events(struct branch_pair *p, struct event_difference *d,
		  const struct lab_progress *progress)
{
	struct event_search s = {p, d};
	bool found;
	int rc;

	*d = (struct event_difference){.known = false};
	for (unsigned i = 0; i < 2; i++)
		copy_listen(p->copy[i], true);
	rc = run_until_found(p, progress, find_event, &s, &found);
	for (unsigned i = 0; i < 2; i++)
		copy_listen(p->copy[i], false);
	return rc;
}

static bool
find_decision(void *ctx)
{
	return first_difference_look(ctx);
}

int
diverge_by_decisions(struct branch_pair *p, struct first_difference *f,
		     const struct lab_progress *progress)
{
	bool found;
	int rc;

	first_difference_begin(f, p->copy);
	rc = run_until_found(p, progress, find_decision, f, &found);
	first_difference_end(f);
	return rc;
}

/* ---------------------------------------------------------------- states */

/* The cycle of the last outcome that choices at `at` force. A forced outcome is part of the state
 * from the choice on, so states are compared only after it happened. */
static cycle_t
outcome_due(const struct timeline *t, unsigned branch, cycle_t at)
{
	const struct choice *c;
	cycle_t due = at;

	for (unsigned k = 0; (c = timeline_path_choice(t, branch, k)); k++) {
		const char *cycle = c->kind == CHOICE_OUTCOME ? strchr(c->key, '@') : NULL;

		if (cycle && c->cycle == at)
			due = MAX(due, strtoull(cycle + 1, NULL, 10));
	}
	return due;
}

static bool
same_part(const struct branch_pair *p, unsigned part)
{
	return sim_digest_part(p->copy[0]->sim, part) == sim_digest_part(p->copy[1]->sim, part);
}

/* part SIM_PARTS: all parts. */
static bool
same_state(const struct branch_pair *p, unsigned part)
{
	if (sim_cycle(p->copy[0]->sim) != sim_cycle(p->copy[1]->sim))
		return false; /* one has ended */
	return part == SIM_PARTS ? sim_digest(p->copy[0]->sim) == sim_digest(p->copy[1]->sim)
				 : same_part(p, part);
}

/* Runs both copies from equal states to the first cycle after which the states differ. 0: found, or
 * the states are equal to the end; 1 interrupted, -1 with e. */
static int
find_state(struct branch_pair *p, unsigned part, bool *found, const struct lab_progress *progress,
	   struct err *e)
{
	cycle_t at = sim_cycle(p->copy[0]->sim), step = 1;
	struct copy_mark mark[2] = {{0}};
	bool narrowing = false;
	int rc = 0;

	*found = !same_state(p, part);
	while (!*found && !rc && !both_ended(p)) {
		for (unsigned i = 0; i < 2 && !rc; i++)
			rc = copy_keep_mark(p->copy[i], &mark[i], e);
		if (!rc)
			run_both(p, at + step);
		if (!rc && same_state(p, part)) {
			at += step;
			step = narrowing ? MAX(step / 2, 1) : MIN(step * 2, FARTHEST);
		} else if (!rc && step == 1) {
			*found = true;
		} else {
			narrowing = true;
			step /= 2;
			for (unsigned i = 0; i < 2 && !rc; i++)
				rc = copy_go_back(p->copy[i], &mark[i], e);
		}
		copy_mark_free(&mark[0]);
		copy_mark_free(&mark[1]);
		if (!rc && lab_progress_stop(progress, share_done(p)))
			rc = 1;
	}
	return rc;
}

int
diverge_by_state(struct branch_pair *p, unsigned part, bool *found,
		 const struct lab_progress *progress, struct err *e)
{
	cycle_t due = p->at;

	for (unsigned i = 0; i < 2; i++)
		due = MAX(due, outcome_due(p->timeline, p->branch[i]->id, p->at));
	run_both(p, due);
	return find_state(p, part, found, progress, e);
}
