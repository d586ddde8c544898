/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame.c - see blame.h.
 *
 * The first run repeats the range unchanged and finds the decisions about the core that changed
 * something. Then the copy goes through the range again. Before each of those decisions a worker
 * starts (jobs.h), which flips the decision and runs to the end of the range. When the range ends
 * at a cycle, the effect is the difference of the work done by then; when it ends with a kernel,
 * all runs do the same work and the effect is the difference of cycles. Later decisions of the
 * policies follow from the flip and are part of its effect, so effects do not add up.
 */
#include "lab/blame.h"

#include "lab/jobs.h"

#include <assert.h>
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

/* ---------------------------------------------------------------- flipped, one by one */

/* The jobs 0 to n - 1 are the suspects; job n is the run of the other branch. */
struct flips {
	struct blame *b;
	struct machine_copy *other; /* NULL: there is none, or its run has started */
	bool other_starts;	    /* the run of the other branch has been prepared */
	unsigned next;
};

struct flip_result {
	struct blame_sums begin, end; /* begin: of the other branch */
	bool stuck;
};

static int
copy_other(const struct machine *m, const struct blame *b, struct machine_copy **other,
	   struct err *e)
{
	const struct branch *x = timeline_branch_find(m->timeline, b->against, e);

	return x ? copy_take(m, (struct place){x->id, MIN(b->from, x->tip)}, other, 1, e) : -1;
}

/* Runs to just before the next suspect's decision, where its worker begins. */
static int
next_flip(void *ctx, unsigned *job, const struct lab_progress *p, struct err *e ATTR_UNUSED)
{
	struct flips *f = ctx;
	struct blame *b = f->b;
	int rc;

	*job = JOB_NONE;
	if (f->other && !f->other_starts) {
		f->other_starts = true;
		*job = b->n;
		return 0;
	}
	copy_free(f->other);
	f->other = NULL;
	if (f->next == b->n)
		return 0;
	rc = horizon_run(&(struct horizon){.until = b->suspect[f->next].cycle - 1}, b->copy, p, 0,
			 0);
	*job = f->next++;
	return rc;
}

static int
run_flip(void *ctx, unsigned job, const struct lab_progress *p, struct strbuf *result,
	 struct err *e)
{
	struct flips *f = ctx;
	struct blame *b = f->b;
	struct machine_copy *copy = job < b->n ? b->copy : f->other;
	struct flip_result r;

	memset(&r, 0, sizeof(r));
	if (b->on_fork)
		b->on_fork(b->ctx);
	if (job == b->n)
		copy_run(copy, b->from);
	else if (sim_force(copy->sim, b->suspect[job].name, b->suspect[job].other, e) < 0)
		return -1;
	sum_up(b, copy->sim, &r.begin);
	horizon_run(&b->to, copy, p, 0, 1);
	sum_up(b, copy->sim, &r.end);
	r.stuck = copy->how == SIM_DEADLOCK || copy->how == SIM_FAILED;
	sb_add(result, &r, sizeof(r));
	return 0;
}

static void
take_other(struct blame *b, const struct flip_result *r)
{
	b->other_begin = r->begin;
	b->other_end = r->end;
	b->has_range = true;
	report_found(b, -1);
	for (unsigned i = 0; i < b->n; i++)
		if (b->suspect[i].measured)
			report_found(b, (int)i);
}

static int
take_flip(void *ctx, unsigned job, const struct job_result *from, struct err *e)
{
	struct blame *b = ((struct flips *)ctx)->b;
	struct flip_result r;

	if (!from->body)
		return err_of(e, from->why->kind, "the run %s%s failed: %.300s",
			      job == b->n ? "of " : "with another ",
			      job == b->n ? b->against : b->suspect[job].name, from->why->msg);
	assert(from->n == sizeof(r));
	memcpy(&r, from->body, sizeof(r));
	if (job == b->n) {
		take_other(b, &r);
		return 0;
	}
	b->suspect[job].end = r.end;
	b->suspect[job].stuck = r.stuck;
	b->suspect[job].measured = true;
	if (b->has_range)
		report_found(b, (int)job);
	return 0;
}

static int
flip_all(const struct machine *m, struct blame *b, const struct copy_mark *begin,
	 const struct lab_progress *progress, struct err *e)
{
	struct flips f = {.b = b};
	const struct jobs j = {b->n + !!*b->against, next_flip, run_flip, take_flip, &f};
	int rc = *b->against ? copy_other(m, b, &f.other, e) : 0;

	if (!rc && !*b->against) {
		b->has_range = true;
		report_found(b, -1);
	}
	if (!rc)
		rc = copy_go_back(b->copy, begin, e);
	if (!rc)
		rc = jobs_run(&j, m, progress, 1 / (b->n + 1.0), b->n / (b->n + 1.0), e);
	copy_free(f.other);
	return rc;
}

int
blame_measure(const struct machine *m, struct blame *b, const struct lab_progress *progress,
	      struct err *e)
{
	struct copy_mark begin = {0};
	int rc = copy_take(m, (struct place){b->branch, b->from}, &b->copy, 1, e);

	if (!rc)
		rc = copy_keep_mark(b->copy, &begin, e);
	if (!rc)
		rc = run_as_it_was(b, progress, e);
	choose_suspects(b);
	if (!rc)
		rc = flip_all(m, b, &begin, progress, e);
	copy_mark_free(&begin);
	copy_free(b->copy);
	b->copy = NULL;
	b->state = rc < 0 ? BLAME_FAILED : rc ? BLAME_STOPPED : BLAME_DONE;
	if (rc < 0)
		snprintf(b->why, sizeof(b->why), "%.199s", e->msg);
	return rc;
}
