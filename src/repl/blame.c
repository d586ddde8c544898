/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame.c - see blame.h.
 *
 * The range is run once as it was, to know the decisions about the core that changed something;
 * then once more for each of them, from just before it, with that one flipped. Up to a cycle, what
 * core and GPU have done by then tells what the flip gained; to the end of a kernel all do the same
 * work, and the cycles tell it. Nothing else is changed: whatever the policies decide afterwards is
 * part of the effect, so effects do not add up.
 */
#include "repl/blame.h"

#include <stdlib.h>
#include <string.h>

#define STRETCH                                                                           \
	256 /* cycles after which the events of a run are looked at: all are kept so long \
	     */
#define CHANGES                                                                      \
	(EV_BIT(EV_LIMIT) | EV_BIT(EV_GATE) | EV_BIT(EV_UNGATE) | EV_BIT(EV_DRAIN) | \
	 EV_BIT(EV_THROTTLE) | EV_BIT(EV_UNTHROTTLE) | EV_BIT(EV_CORE_PAUSE) |       \
	 EV_BIT(EV_CORE_RESUME) | EV_BIT(EV_CREDIT_EXHAUSTED))

static void
sum_up(const struct blame *b, const struct sim *s, struct blame_sums *to)
{
	struct tally t;

	tally_take(s, &t);
	*to = (struct blame_sums){.cycle = t.cycle, .insts = t.insts, .core = t.core[b->core]};
	memcpy(to->class, t.class[b->core], sizeof(to->class));
}

static void
tell(const struct blame *b, int suspect)
{
	if (b->told)
		b->told(b->ctx, b, suspect);
}

/* ---------------------------------------------------------------- as it was */

static int
suspect_add(struct blame *b, const struct event *ev, struct err *e)
{
	struct decision_view v;
	struct suspect *p;

	if (sim_decision_view(b->lab->sim, ev, &v, NULL) < 0 ||
	    (b->n && strcmp(b->suspect[b->n - 1].name, v.name) == 0))
		return 0;
	if (b->n == b->room) {
		unsigned room = b->room ? 2 * b->room : 64;
		struct suspect *grown = realloc(b->suspect, room * sizeof(*grown));

		if (!grown)
			return err_set(e, "out of memory");
		b->suspect = grown;
		b->room = room;
	}
	p = &b->suspect[b->n++];
	*p = (struct suspect){.cycle = v.cycle};
	snprintf(p->name, sizeof(p->name), "%s", v.name);
	snprintf(p->other, sizeof(p->other), "%s", v.other);
	sim_event_text(b->lab->sim, ev, p->text, sizeof(p->text));
	return 0;
}

static int
run_as_it_was(struct blame *b, struct lab_watch *w, struct err *e)
{
	struct lab *l = b->lab;
	const struct event *ev;

	sum_up(b, l->sim, &b->begin);
	lab_listen(l, true);
	while (!horizon_reached(&b->to, l)) {
		horizon_stretch(&b->to, l, STRETCH);
		for (; (ev = lab_event(l)) != NULL; lab_next_event(l))
			if (ev->core == (int)b->core && CHANGES & EV_BIT(ev->kind) &&
			    suspect_add(b, ev, e) < 0)
				return -1;
		if (lab_going(w, 0))
			return 1;
	}
	lab_listen(l, false);
	sum_up(b, l->sim, &b->end);
	return 0;
}

/* Of more than can be measured those are kept that are spread evenly. */
static void
choose(struct blame *b)
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
run_other(struct session *s, struct blame *b, struct lab_watch *w, struct err *e)
{
	const struct branch *x = timeline_branch_find(s->timeline, b->against, e);
	struct lab *l;
	int rc;

	if (!x)
		return -1;
	rc = lab_take(s, (struct place){x->id, MIN(b->from, x->tip)}, &l, 1, e);
	if (rc)
		return rc;
	lab_run(l, b->from);
	sum_up(b, l->sim, &b->other_begin);
	rc = horizon_run(&b->to, l, w, 0, 0);
	sum_up(b, l->sim, &b->other_end);
	lab_free(l);
	return rc;
}

/* ---------------------------------------------------------------- flipped, one by one */

/* From a mark before it, which moves up to it: the next one is later. */
static int
flip_one(struct blame *b, unsigned i, struct lab_mark *m, struct lab_watch *w, struct err *e)
{
	struct suspect *p = &b->suspect[i];
	double share = 1.0 / (b->n + 1.0);
	struct horizon before = {.until = p->cycle - 1};
	int rc = lab_back(b->lab, m, e) < 0 ? -1
					    : horizon_run(&before, b->lab, w, (i + 1) * share, 0);

	if (rc)
		return rc;
	lab_mark_free(m);
	if (lab_mark(b->lab, m, e) < 0 || sim_force(b->lab->sim, p->name, p->other, e) < 0)
		return -1;
	rc = horizon_run(&b->to, b->lab, w, (i + 1) * share, share);
	if (rc)
		return rc;
	sum_up(b, b->lab->sim, &p->end);
	p->stuck = b->lab->how == SIM_DEADLOCK || b->lab->how == SIM_FAILED;
	p->measured = true;
	tell(b, (int)i);
	return 0;
}

int
blame_measure(struct session *s, struct blame *b, struct lab_watch *w, struct err *e)
{
	struct lab_mark m = {0};
	int rc = lab_take(s, (struct place){b->branch, b->from}, &b->lab, 1, e);

	if (!rc)
		rc = lab_mark(b->lab, &m, e);
	if (!rc)
		rc = run_as_it_was(b, w, e);
	choose(b);
	if (!rc && *b->against)
		rc = run_other(s, b, w, e);
	b->has_range = !rc;
	if (!rc)
		tell(b, -1);
	for (unsigned i = 0; i < b->n && !rc; i++)
		rc = flip_one(b, i, &m, w, e);
	lab_mark_free(&m);
	lab_free(b->lab);
	b->lab = NULL;
	b->state = rc < 0 ? BLAME_FAILED : rc ? BLAME_STOPPED : BLAME_DONE;
	if (rc < 0)
		snprintf(b->why, sizeof(b->why), "%.199s", e->msg);
	return rc;
}
