/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame.c - see blame.h.
 *
 * The first run repeats the range unchanged and finds the decisions about the core that changed
 * something. Then the range is run once for each of them, from just before it, with that decision
 * flipped. When the range ends at a cycle, the effect is the difference of the work done by then;
 * when it ends with a kernel, all runs do the same work and the effect is the difference of cycles.
 * Later decisions of the policies follow from the flip and are part of its effect, so effects do
 * not add up.
 */
#include "lab/blame.h"

#include <stdlib.h>
#include <string.h>

/* Cycles between two looks at the events of a run. The copy keeps all events until then. */
#define STRETCH 256
#define CHANGES                                                                      \
	(EV_BIT(EV_LIMIT) | EV_BIT(EV_GATE) | EV_BIT(EV_UNGATE) | EV_BIT(EV_DRAIN) | \
	 EV_BIT(EV_THROTTLE) | EV_BIT(EV_UNTHROTTLE) | EV_BIT(EV_CORE_PAUSE) |       \
	 EV_BIT(EV_CORE_RESUME) | EV_BIT(EV_CREDIT_EXHAUSTED))

static void
sum_up(const struct blame *b, const struct sim *s, struct blame_sums *to)
{
	struct counts t;

	counts_take(s, &t);
	*to = (struct blame_sums){.cycle = t.cycle, .insts = t.insts, .core = t.core[b->core]};
	memcpy(to->class, t.class[b->core], sizeof(to->class));
}

static void
report_found(const struct blame *b, int suspect)
{
	if (b->on_found)
		b->on_found(b->ctx, b, suspect);
}

/* ---------------------------------------------------------------- as it was */

static int
suspect_add(struct blame *b, const struct event *ev, struct err *e)
{
	struct decision_view v;
	struct suspect *p;

	if (sim_decision_view(b->copy->sim, ev, &v, NULL) < 0 ||
	    (b->n && strcmp(b->suspect[b->n - 1].name, v.name) == 0))
		return 0;
	if (b->n == b->room) {
		unsigned room = b->room ? 2 * b->room : 64;
		struct suspect *grown = realloc(b->suspect, room * sizeof(*grown));

		if (!grown)
			return err_nomem(e);
		b->suspect = grown;
		b->room = room;
	}
	p = &b->suspect[b->n++];
	*p = (struct suspect){.cycle = v.cycle};
	snprintf(p->name, sizeof(p->name), "%s", v.name);
	snprintf(p->other, sizeof(p->other), "%s", v.other);
	sim_event_sentence(b->copy->sim, ev, p->text, sizeof(p->text));
	return 0;
}

static int
run_as_it_was(struct blame *b, const struct lab_progress *progress, struct err *e)
{
	struct machine_copy *copy = b->copy;
	const struct event *ev;

	sum_up(b, copy->sim, &b->begin);
	copy_listen(copy, true);
	while (!horizon_reached(&b->to, copy)) {
		horizon_stretch(&b->to, copy, STRETCH);
		for (; (ev = copy_event(copy)) != NULL; copy_next_event(copy))
			if (ev->core == (int)b->core && CHANGES & EV_BIT(ev->kind) &&
			    suspect_add(b, ev, e) < 0)
				return -1;
		if (lab_progress_stop(progress, 0))
			return 1;
	}
	copy_listen(copy, false);
	sum_up(b, copy->sim, &b->end);
	return 0;
}

/* Reduces the suspects to the number that is measured, evenly spread. */
static void
choose_suspects(struct blame *b)
{
	b->found = b->n;
	if (b->n <= b->most)
		return;
	for (unsigned i = 0; i < b->most; i++)
		b->suspect[i] = b->suspect[(uint64_t)i * b->n / b->most];
	b->n = b->most;
}

/* ---------------------------------------------------------------- the other branch */

static int
run_other(const struct machine *m, struct blame *b, const struct lab_progress *progress,
	  struct err *e)
{
	const struct branch *x = timeline_branch_find(m->timeline, b->against, e);
	struct machine_copy *copy;
	int rc;

	if (!x)
		return -1;
	rc = copy_take(m, (struct place){x->id, MIN(b->from, x->tip)}, &copy, 1, e);
	if (rc)
		return rc;
	copy_run(copy, b->from);
	sum_up(b, copy->sim, &b->other_begin);
	rc = horizon_run(&b->to, copy, progress, 0, 0);
	sum_up(b, copy->sim, &b->other_end);
	copy_free(copy);
	return rc;
}

/* ---------------------------------------------------------------- flipped, one by one */

/* Runs from the mark, which is before the decision, and moves the mark to just before the decision,
 * as the next suspect is later. */
static int
flip_one(struct blame *b, unsigned i, struct copy_mark *mark, const struct lab_progress *progress,
	 struct err *e)
{
	struct suspect *p = &b->suspect[i];
	double share = 1.0 / (b->n + 1.0);
	struct horizon before = {.until = p->cycle - 1};
	int rc = copy_go_back(b->copy, mark, e) < 0
			 ? -1
			 : horizon_run(&before, b->copy, progress, (i + 1) * share, 0);

	if (rc)
		return rc;
	copy_mark_free(mark);
	if (copy_keep_mark(b->copy, mark, e) < 0 ||
	    sim_force(b->copy->sim, p->name, p->other, e) < 0)
		return -1;
	rc = horizon_run(&b->to, b->copy, progress, (i + 1) * share, share);
	if (rc)
		return rc;
	sum_up(b, b->copy->sim, &p->end);
	p->stuck = b->copy->how == SIM_DEADLOCK || b->copy->how == SIM_FAILED;
	p->measured = true;
	report_found(b, (int)i);
	return 0;
}

int
blame_measure(const struct machine *m, struct blame *b, const struct lab_progress *progress,
	      struct err *e)
{
	struct copy_mark mark = {0};
	int rc = copy_take(m, (struct place){b->branch, b->from}, &b->copy, 1, e);

	if (!rc)
		rc = copy_keep_mark(b->copy, &mark, e);
	if (!rc)
		rc = run_as_it_was(b, progress, e);
	choose_suspects(b);
	if (!rc && *b->against)
		rc = run_other(m, b, progress, e);
	b->has_range = !rc;
	if (!rc)
		report_found(b, -1);
	for (unsigned i = 0; i < b->n && !rc; i++)
		rc = flip_one(b, i, &mark, progress, e);
	copy_mark_free(&mark);
	copy_free(b->copy);
	b->copy = NULL;
	b->state = rc < 0 ? BLAME_FAILED : rc ? BLAME_STOPPED : BLAME_DONE;
	if (rc < 0)
		snprintf(b->why, sizeof(b->why), "%.199s", e->msg);
	return rc;
}
