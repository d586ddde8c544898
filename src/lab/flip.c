/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flip.c - see flip.h.
 *
 * To find whether an outcome differs from the actual one, its cycle is run once with that outcome:
 * the host reports no forced outcome when the policies decide the same.
 */
#include "lab/flip.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

#define STRETCH 256 /* cycles between two looks at the events */

bool
flip_is_possible(const struct sim *s, const struct event *ev, unsigned core, unsigned kernel)
{
	struct decision_view v;

	return ev->core == (int)core && (!kernel || ev->kernel + 1 == kernel) &&
	       sim_event_is_decision(ev) && sim_decision_view(s, ev, &v, NULL) == 0;
}

/* Is it the outcome that an issue decision had? The decision's other outcome tells this. */
static bool
is_actual_issue_outcome(const struct decision_view *v, const char *outcome)
{
	bool took = strcmp(v->other, "refuse") == 0;
	char own[32];

	snprintf(own, sizeof(own), "core %u", v->core);
	if (strncmp(v->name, "issue", 5) != 0)
		return false;
	return took ? !strcmp(outcome, "take") || !strcmp(outcome, own)
		    : !strcmp(outcome, "refuse");
}

static bool
was_forced(const struct sim *s, const struct decision_view *v)
{
	const struct event_ring *ring = sim_events(s);

	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (ev->cycle != v->cycle)
			break;
		if (ev->kind == EV_FORCED && ev->core == (int)v->core &&
		    ev->kernel + 1 == v->kernel)
			return true;
	}
	return false;
}

int
flip_check(const struct machine *m, const struct decision_view *v, const char *outcome,
	   struct err *e)
{
	struct place before = {timeline_here(m->timeline).branch, v->cycle - 1};
	struct machine_copy *copy;
	uint64_t limit;
	int rc;

	if (v->n_max && number_count(outcome, &limit) == 0 && (!limit || limit > v->n_max))
		return err_set(e, "flip: a core can have 1 to %u CTAs of kernel %u, not %.40s",
			       v->n_max, v->kernel, outcome);
	rc = copy_take(m, before, &copy, 1, e);
	if (rc)
		return rc;
	rc = sim_force(copy->sim, v->name, outcome, e);
	if (!rc)
		copy_run(copy, v->cycle);
	if (!rc && (is_actual_issue_outcome(v, outcome) || !was_forced(copy->sim, v)))
		rc = err_set(
			e,
			"flip: this decision already had the outcome '%.40s'; its outcomes are %s",
			outcome, v->can);
	copy_free(copy);
	return rc;
}

int
flip_find_next(const struct machine *m, unsigned core, unsigned kernel, cycle_t cycles,
	       const struct lab_progress *p, cycle_t *at, bool *ended, char *text, size_t size)
{
	struct place here = timeline_here(m->timeline);
	const struct event *ev = NULL;
	struct machine_copy *copy;
	bool stop = false;

	if (copy_take(m, here, &copy, 1, NULL))
		return -1;
	copy_listen(copy, true);
	while (!ev && !stop && !copy_ended(copy) && sim_cycle(copy->sim) < here.cycle + cycles) {
		copy_run(copy, sim_cycle(copy->sim) + STRETCH);
		while ((ev = copy_event(copy)) && !flip_is_possible(copy->sim, ev, core, kernel))
			copy_next_event(copy);
		stop = lab_progress_stop(p, (double)(sim_cycle(copy->sim) - here.cycle) /
						    (double)cycles);
	}
	*ended = copy_ended(copy);
	*at = ev ? ev->cycle : sim_cycle(copy->sim);
	if (ev)
		sim_event_text(copy->sim, ev, text, size);
	copy_free(copy);
	return ev != NULL;
}

int
branch_with_choice(const struct machine *m, const char *name, cycle_t cycle, const struct choice *c,
		   char *note, size_t size, unsigned *id, struct err *e)
{
	struct machine_origin o;
	int rc;

	if (machine_leave(m, &o, e) < 0)
		return -1;
	rc = machine_move(m, (struct place){o.hold.place.branch, cycle}, e);
	if (!rc)
		rc = timeline_fork(m->timeline, name, e);
	if (!rc) {
		*id = timeline_here(m->timeline).branch;
		m->seek(m->ctx, true);
		rc = timeline_choose(m->timeline, c->kind, c->key, c->value, note, size, e);
		m->seek(m->ctx, false);
	}
	machine_return(m, &o);
	if (rc && timeline_branch_find(m->timeline, name, NULL))
		timeline_delete(m->timeline, *id, NULL);
	return rc;
}

const struct choice *
branch_left_out(const struct machine *m, cycle_t cycle)
{
	unsigned here = timeline_here(m->timeline).branch;
	const struct choice *c;

	for (unsigned k = 0; (c = timeline_path_choice(m->timeline, here, k)); k++)
		if (c->cycle > cycle)
			return c;
	return NULL;
}

int
branch_compare(const struct machine *m, unsigned branch, cycle_t cycle, cycle_t for_cycles,
	       struct comparison *c, const struct lab_progress *p, bool *stopped, struct err *e)
{
	struct place here = timeline_here(m->timeline);
	int rc = copy_take(m, (struct place){here.branch, cycle}, &c->copy[0], 1, e);

	if (!rc)
		rc = copy_take(m, (struct place){branch, cycle}, &c->copy[1], 1, e);
	if (rc)
		return rc;
	c->copy[0]->timeline = NULL; /* the branch has no later changes, so neither has this run */
	horizon_set(&c->to, m->sim, for_cycles);
	if (for_cycles)
		c->to.until = cycle + MIN(for_cycles, CYCLE_NEVER - 1 - cycle);
	*stopped = comparison_run(c, p);
	return 0;
}
