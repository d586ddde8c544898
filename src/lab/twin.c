/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * twin.c - see twin.h.
 *
 * The choices of a branch are copied when its twin is made, and the twin makes them again in its
 * own timeline when it reaches their cycles. The first difference is searched on two more machines,
 * which follow both timelines from where the runs part, since the decisions before the split may
 * not be among the events that the session's machine keeps.
 */
#include "lab/twin.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define TICK 3	    /* ms between two looks at the clock */
#define STRETCH 512 /* cycles that one copy of a search may be ahead of the other */

struct twin_choice {
	enum choice_kind kind;
	cycle_t cycle;
	char *key, *value; /* owned; NULL: none */
};

/* The search for the first difference. */
struct search {
	struct machine_copy *copy[2]; /* of the session and of the twin; NULL: not begun, or over */
	struct first_difference first;
	unsigned branch, choices; /* of the session, that it is for */
	uint64_t dropped;
	bool begun, listens;
	cycle_t at; /* both copies have reached this cycle */
};

struct twin {
	char name[POLICY_TEXT];
	struct sim *sim;
	struct debug *debug;
	struct timeline *timeline;
	struct twin_choice *choice; /* of a branch */
	unsigned n_choices, made;   /* made: by the twin's timeline so far */
	unsigned branch;	    /* of the session's timeline; BRANCH_NONE: a stack */
	cycle_t parts;		    /* the cycle from which the runs may differ */
	double until;		    /* on the clock: the end of the slice */
	struct search search;
};

/* ---------------------------------------------------------------- life */

static void
end_search(struct search *s)
{
	if (s->listens && !s->first.known)
		first_difference_end(&s->first);
	else if (s->listens)
		differ_free(&s->first.differ);
	s->listens = false;
	for (unsigned i = 0; i < 2; i++) {
		copy_free(s->copy[i]);
		s->copy[i] = NULL;
	}
}

void
twin_free(struct twin *t)
{
	if (!t)
		return;
	end_search(&t->search);
	timeline_free(t->timeline);
	debug_free(t->debug);
	sim_free(t->sim);
	for (unsigned i = 0; i < t->n_choices; i++) {
		free(t->choice[i].key);
		free(t->choice[i].value);
	}
	free(t->choice);
	free(t);
}

/* Makes a twin of a machine at cycle 0, which it owns, also on failure. */
static struct twin *
twin_new(struct sim *sim, const char *name, size_t memory, struct err *e)
{
	struct twin *t = calloc(1, sizeof(*t));
	struct strbuf lost = {0};

	if (t) {
		t->sim = sim;
		t->branch = BRANCH_NONE;
		snprintf(t->name, sizeof(t->name), "%s", name);
		t->debug = debug_new();
		t->timeline = t->debug ? timeline_new(t->debug) : NULL;
	} else {
		sim_free(sim);
	}
	if (!t || !t->timeline) {
		err_nomem(e);
		twin_free(t);
		return NULL;
	}
	debug_attach(t->debug, sim, &lost);
	sb_free(&lost);
	if (timeline_begin(t->timeline, sim, e) < 0) {
		twin_free(t);
		return NULL;
	}
	timeline_set_options(t->timeline,
			     &(struct timeline_options){.memory = memory, .keep = true});
	return t;
}

struct twin *
twin_of_stack(const struct machine *m, const char *stack, size_t memory, struct err *e)
{
	struct config *own = config_copy(m->config);
	struct sim *sim = NULL;

	if (!own)
		err_nomem(e);
	else if (race_configure(own, stack, e) == 0 &&
		 race_check_cores(own, m->config, stack, e) == 0)
		sim = sim_new(own, m->trace, e);
	config_free(own);
	if (sim && sim_set(sim, "run.max_thread_insts", "0", e) < 0) {
		sim_free(sim);
		sim = NULL;
	}
	return sim ? twin_new(sim, stack, memory, e) : NULL;
}

static char *
copy_text(const char *text, bool *failed)
{
	char *copy = text ? strdup(text) : NULL;

	*failed |= text && !copy;
	return copy;
}

/* Copies the choices on the path to the branch, without those that its machine has made. */
static int
copy_choices(struct twin *t, const struct timeline *of, unsigned branch, unsigned made,
	     struct err *e)
{
	const struct choice *c;
	unsigned n = made;
	bool failed = false;

	while (timeline_path_choice(of, branch, n))
		n++;
	t->choice = calloc(MAX(n - made, 1u), sizeof(*t->choice));
	if (!t->choice)
		return err_nomem(e);
	for (unsigned i = made; i < n; i++) {
		c = timeline_path_choice(of, branch, i);
		t->choice[t->n_choices++] =
			(struct twin_choice){c->kind, c->cycle, copy_text(c->key, &failed),
					     copy_text(c->value, &failed)};
	}
	return failed ? err_nomem(e) : 0;
}

struct twin *
twin_of_branch(const struct machine *m, const struct branch *b, size_t memory, struct err *e)
{
	struct machine_copy *copy = NULL;
	struct sim *sim;
	struct twin *t;
	unsigned made;

	if (copy_take(m, (struct place){b->id, 0}, &copy, 1, e))
		return NULL;
	sim = copy->sim;
	made = copy->choice;
	sim_listen(sim, 0, NULL, NULL);
	sim_poll(sim, NULL);
	copy->sim = NULL;
	copy_free(copy);
	t = twin_new(sim, b->name, memory, e);
	if (t && copy_choices(t, m->timeline, b->id, made, e)) {
		twin_free(t);
		return NULL;
	}
	if (t)
		t->branch = b->id;
	return t;
}

const char *
twin_name(const struct twin *t)
{
	return t->name;
}

struct sim *
twin_sim(const struct twin *t)
{
	return t->sim;
}

struct debug *
twin_debug(const struct twin *t)
{
	return t->debug;
}

struct machine
twin_machine(const struct twin *t)
{
	return (struct machine){.sim = t->sim, .timeline = t->timeline};
}

struct place
twin_here(const struct twin *t)
{
	return timeline_here(t->timeline);
}

/* ---------------------------------------------------------------- in step with the session */

static bool
slice_is_over(void *ctx)
{
	const struct twin *t = ctx;

	return clock_seconds() >= t->until;
}

/* Makes the choices that are due. */
static int
make_choices(struct twin *t, struct err *e)
{
	for (; t->made < t->n_choices; t->made++) {
		const struct twin_choice *c = &t->choice[t->made];

		if (c->cycle > sim_cycle(t->sim))
			return 0;
		if (timeline_choose(t->timeline, c->kind, c->key, c->value, NULL, 0, e))
			return -1;
	}
	return 0;
}

/* Runs to the cycle, at most to the next choice: 1, 0 when the slice is over, or -1 with e. */
static int
run_towards(struct twin *t, cycle_t cycle, struct err *e)
{
	struct debug_result r;
	enum debug_end end;

	if (t->made < t->n_choices)
		cycle = MIN(cycle, t->choice[t->made].cycle);
	sim_every_ms(t->sim, TICK, slice_is_over, t);
	end = debug_run(t->debug, &(struct debug_goal){.until = cycle}, &r, e);
	sim_every_ms(t->sim, 0, NULL, NULL);
	if (end == DEBUG_INTERRUPTED)
		return 0;
	return end == DEBUG_GOAL || end == DEBUG_DONE ? 1 : -1;
}

int
twin_reach(struct twin *t, cycle_t cycle, double seconds, struct err *e)
{
	int rc = 1;

	t->until = clock_seconds() + seconds;
	if (cycle < sim_cycle(t->sim))
		return timeline_goto(t->timeline,
				     (struct place){timeline_here(t->timeline).branch, cycle},
				     e) < 0
			       ? -1
			       : 1;
	while (rc > 0) {
		if (make_choices(t, e))
			return -1;
		if (sim_cycle(t->sim) >= cycle || sim_done(t->sim))
			return 1;
		rc = run_towards(t, cycle, e);
	}
	if (rc < 0 && !e->set)
		return err_set(e, "%s ended at cycle %llu", t->name,
			       (unsigned long long)sim_cycle(t->sim));
	return rc;
}

/* ---------------------------------------------------------------- the first difference */

static unsigned
count_choices(const struct timeline *t, unsigned branch)
{
	unsigned n = 0;

	while (timeline_path_choice(t, branch, n))
		n++;
	return n;
}

/* Makes a copy that follows the timeline from its nearest snapshot before a cycle. */
static struct machine_copy *
copy_from(const struct machine *m, cycle_t at, struct err *e)
{
	struct place p = timeline_here(m->timeline);
	struct machine_copy *copy = copy_twin(m, e);
	struct copy_mark mark = {0};

	if (!copy)
		return NULL;
	mark.snapshot =
		(struct snapshot *)(uintptr_t)timeline_nearest(m->timeline, p, MIN(at, p.cycle),
							       &mark.choice);
	copy->branch = p.branch;
	if ((mark.snapshot && copy_go_back(copy, &mark, e) == 0) || (!mark.snapshot && !p.cycle))
		return copy;
	if (!mark.snapshot)
		err_set(e, "no snapshot leads to this cycle; " NEW_SNAPSHOTS);
	copy_free(copy);
	return NULL;
}

static int
begin_search(struct twin *t, const struct machine *m, struct err *e)
{
	struct search *s = &t->search;
	struct machine own = twin_machine(t);

	s->begun = true;
	s->copy[0] = copy_from(m, t->parts, e);
	s->copy[1] = s->copy[0] ? copy_from(&own, t->parts, e) : NULL;
	return s->copy[1] ? 0 : -1;
}

/* The search is for another path than the session's present one. */
static bool
is_outdated(const struct twin *t, const struct machine *m)
{
	const struct search *s = &t->search;
	unsigned branch = timeline_here(m->timeline).branch;

	return s->branch != branch || s->choices != count_choices(m->timeline, branch) ||
	       s->dropped != timeline_dropped(m->timeline);
}

/* Returns the cycle up to which the twin and the session's branch are known to be the same. */
static cycle_t
common_cycles(const struct twin *t, const struct timeline *of, unsigned branch)
{
	if (t->branch == BRANCH_NONE || t->branch == branch || !timeline_branch(of, t->branch))
		return 0;
	return branches_part_at(of, t->branch, branch);
}

static void
restart_search(struct twin *t, const struct machine *m)
{
	struct search *s = &t->search;
	unsigned branch = timeline_here(m->timeline).branch;

	end_search(s);
	t->parts = common_cycles(t, m->timeline, branch);
	*s = (struct search){.branch = branch,
			     .choices = count_choices(m->timeline, branch),
			     .dropped = timeline_dropped(m->timeline)};
}

static bool
has_reached(const struct machine_copy *copy, cycle_t cycle)
{
	return copy_ended(copy) || sim_cycle(copy->sim) >= cycle;
}

/* Runs both copies to the next cycle of the search, at most to `to`. */
static void
stretch_search(struct search *s, cycle_t parts, cycle_t to)
{
	cycle_t next = s->at < parts ? parts : s->at + STRETCH;

	next = MIN(next, to);
	if (s->at >= parts && !s->listens) {
		first_difference_begin(&s->first, s->copy);
		s->listens = true;
	}
	for (unsigned i = 0; i < 2; i++)
		if (!has_reached(s->copy[i], next))
			copy_run(s->copy[i], next);
	s->at = next;
	if (s->listens)
		first_difference_look(&s->first);
}

int
twin_compare(struct twin *t, const struct machine *m, double seconds, struct err *e)
{
	struct search *s = &t->search;
	cycle_t to = MIN(sim_cycle(m->sim), sim_cycle(t->sim));
	double until = clock_seconds() + seconds;

	if (is_outdated(t, m))
		restart_search(t, m);
	if (s->first.known || to == 0 || s->at >= to)
		return 1;
	if (!s->begun && begin_search(t, m, e))
		return -1;
	if (!s->copy[1])
		return 1; /* it failed before */
	while (s->at < to && !s->first.known && clock_seconds() < until)
		stretch_search(s, t->parts, to);
	if (s->first.known)
		end_search(s);
	return s->first.known || s->at >= to;
}

void
twin_difference(const struct twin *t, struct twin_difference *d)
{
	const struct search *s = &t->search;

	*d = (struct twin_difference){.known = s->first.known,
				      .cycle = s->first.known ? s->first.cycle : s->at,
				      .text = {s->first.text[0], s->first.text[1]}};
}
