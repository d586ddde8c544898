/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine_copy.c - see machine_copy.h.
 *
 * To make a copy, the machine is moved to the place, and a new machine with the same options reads
 * the bytes of its snapshot. The copy shares no memory with the machine, so it cannot change it.
 */
#include "lab/machine_copy.h"

#include "base/strbuf.h"

#include <stdlib.h>

bool
lab_progress_stop(const struct lab_progress *p, double share)
{
	return p->stop(p->ctx, share);
}

/* ---------------------------------------------------------------- moving the machine */

int
machine_leave(const struct machine *m, struct machine_origin *o, struct err *e)
{
	o->at = debug_standing(m->debug);
	o->log = *m->log;
	*m->log = NULL; /* the log is of the present path */
	if (timeline_hold(m->timeline, &o->hold, e) == 0) {
		o->profile = sim_profile_lay_aside(m->sim);
		return 0;
	}
	*m->log = o->log;
	return -1;
}

int
machine_move(const struct machine *m, struct place p, struct err *e)
{
	struct place here = timeline_here(m->timeline);
	int rc;

	if (here.branch == p.branch && here.cycle == p.cycle)
		return 0;
	m->seek(m->ctx, true);
	rc = timeline_goto(m->timeline, p, e);
	m->seek(m->ctx, false);
	return rc;
}

void
machine_return(const struct machine *m, struct machine_origin *o)
{
	struct err e = {0};

	m->seek(m->ctx, true);
	if (timeline_return(m->timeline, &o->hold, &e) < 0)
		m->lost(m->ctx, e.msg);
	m->seek(m->ctx, false);
	sim_profile_take_up(m->sim, o->profile);
	debug_stand(m->debug, &o->at);
	*m->log = o->log;
}

/* ---------------------------------------------------------------- life */

void
copy_free(struct machine_copy *copy)
{
	if (!copy)
		return;
	sim_free(copy->sim);
	free(copy->ev);
	free(copy);
}

/* The number of choices that the state at a place includes. */
static unsigned
choices_done(const struct timeline *t, struct place p)
{
	const struct choice *c;
	unsigned k = 0;

	while ((c = timeline_path_choice(t, p.branch, k)) && c->cycle <= p.cycle)
		k++;
	return k;
}

cycle_t
branches_part_at(const struct timeline *t, unsigned a, unsigned b)
{
	cycle_t at = CYCLE_NEVER;

	while (a != b) { /* a branch has a higher number than its parent */
		const struct branch *later = timeline_branch(t, MAX(a, b));

		at = MIN(at, later->from);
		if (a > b)
			a = later->parent;
		else
			b = later->parent;
	}
	return at;
}

struct machine_copy *
copy_new(const struct config *c, struct trace *t, struct err *e)
{
	struct machine_copy *copy = calloc(1, sizeof(*copy));

	if (!copy) {
		err_nomem(e);
		return NULL;
	}
	copy->sim = sim_new(c, t, e);
	if (!copy->sim) {
		copy_free(copy);
		return NULL;
	}
	return copy;
}

struct machine_copy *
copy_twin(const struct machine *m, struct err *e)
{
	struct machine_copy *copy = calloc(1, sizeof(*copy));

	if (!copy) {
		err_nomem(e);
		return NULL;
	}
	copy->timeline = m->timeline;
	copy->sim = sim_twin(m->sim, e);
	if (!copy->sim) {
		copy_free(copy);
		return NULL;
	}
	return copy;
}

/* Makes a copy from the bytes of the machine's state. */
static struct machine_copy *
copy_here(const struct machine *m, struct place p, const struct strbuf *state, struct err *e)
{
	struct machine_copy *copy = copy_new(sim_config(m->sim), m->trace, e);
	struct snapshot *k = copy ? snapshot_read(copy->sim, state->p, state->n, e) : NULL;

	if (!k || sim_restore(copy->sim, k, e) < 0 ||
	    sim_set(copy->sim, "run.max_thread_insts", "0", e) < 0) {
		copy_free(copy);
		copy = NULL;
	}
	snapshot_free(k);
	if (copy) {
		copy->timeline = m->timeline;
		copy->branch = p.branch;
		copy->choice = choices_done(m->timeline, p);
		sim_poll(copy->sim, m->poll);
		copy_listen(copy, false);
	}
	return copy;
}

static int
take_here(const struct machine *m, struct place p, struct machine_copy **copy, unsigned n,
	  struct err *e)
{
	struct snapshot *k = sim_save(m->sim, e);
	struct strbuf state = {0};
	unsigned i = 0;

	if (!k)
		return -1;
	snapshot_write(m->sim, k, &state);
	if (state.failed)
		err_nomem(e);
	while (!state.failed && i < n && (copy[i] = copy_here(m, p, &state, e)))
		i++;
	sb_free(&state);
	snapshot_free(k);
	return i == n ? 0 : -1;
}

int
copy_take(const struct machine *m, struct place p, struct machine_copy **copy, unsigned n,
	  struct err *e)
{
	struct machine_origin o;
	int rc;

	for (unsigned i = 0; i < n; i++)
		copy[i] = NULL;
	if (machine_leave(m, &o, e) < 0)
		return -1;
	rc = machine_move(m, p, e);
	if (!rc)
		rc = take_here(m, p, copy, n, e);
	machine_return(m, &o);
	for (unsigned i = 0; rc && i < n; i++) {
		copy_free(copy[i]);
		copy[i] = NULL;
	}
	return rc;
}

/* ---------------------------------------------------------------- running */

static const struct choice *
next_choice(const struct machine_copy *copy)
{
	return copy->timeline ? timeline_path_choice(copy->timeline, copy->branch, copy->choice)
			      : NULL;
}

int
copy_make_choices(struct machine_copy *copy)
{
	const struct choice *c;
	int rc = 0;

	while (!rc && (c = next_choice(copy)) && c->cycle <= sim_cycle(copy->sim)) {
		if (c->kind == CHOICE_OPTION)
			rc = sim_set(copy->sim, c->key, c->value, &copy->why);
		else if (c->kind == CHOICE_POLICY)
			rc = sim_set_policy(copy->sim, c->value, NULL, 0, &copy->why);
		else
			rc = sim_force(copy->sim, c->key, c->value, &copy->why);
		copy->choice++;
	}
	return rc;
}

enum sim_stop
copy_run(struct machine_copy *copy, cycle_t until)
{
	copy->how = SIM_REACHED;
	while (sim_cycle(copy->sim) < until && copy->how == SIM_REACHED) {
		const struct choice *c;
		cycle_t to = until;

		if (copy_make_choices(copy) < 0)
			return copy->how = SIM_FAILED;
		c = next_choice(copy);
		if (c)
			to = MIN(to, c->cycle);
		copy->how = sim_run(copy->sim, to, &copy->why);
		if (copy->how == SIM_REQUESTED && !copy->stops_at_kernels)
			copy->how = SIM_REACHED;
	}
	return copy->how;
}

bool
copy_ended(const struct machine_copy *copy)
{
	return copy->how == SIM_DONE || copy->how == SIM_DEADLOCK || copy->how == SIM_FAILED;
}

cycle_t
copy_known_before(const struct machine_copy *copy)
{
	return copy->how == SIM_DONE || copy->how == SIM_DEADLOCK ? CYCLE_NEVER
								  : sim_cycle(copy->sim) + 1;
}

int
copy_keep_mark(struct machine_copy *copy, struct copy_mark *m, struct err *e)
{
	m->snapshot = sim_save(copy->sim, e);
	m->choice = copy->choice;
	return m->snapshot ? 0 : -1;
}

int
copy_go_back(struct machine_copy *copy, const struct copy_mark *m, struct err *e)
{
	copy->choice = m->choice;
	copy->how = SIM_REACHED;
	copy->n_ev = copy->at = 0;
	err_clear(&copy->why);
	return sim_restore(copy->sim, m->snapshot, e);
}

void
copy_mark_free(struct copy_mark *m)
{
	snapshot_free(m->snapshot);
	m->snapshot = NULL;
}

/* ---------------------------------------------------------------- events */

static void
keep_event(void *ctx, const struct event *ev)
{
	struct machine_copy *copy = ctx;

	if (ev->kind == EV_KERNEL && copy->stops_at_kernels)
		sim_request_stop(copy->sim);
	if (!copy->listens)
		return;
	if (copy->n_ev == copy->room) {
		size_t room = copy->room ? 2 * copy->room : 1024;
		struct event *grown = realloc(copy->ev, room * sizeof(*grown));

		if (!grown) {
			copy->lost = true;
			return;
		}
		copy->ev = grown;
		copy->room = room;
	}
	copy->ev[copy->n_ev++] = *ev;
}

void
copy_listen(struct machine_copy *copy, bool on)
{
	copy->listens = on;
	copy->n_ev = copy->at = on ? copy->n_ev : 0;
	sim_listen(copy->sim, on ? EV_ALL & ~EV_BIT(EV_SAMPLE) : EV_BIT(EV_KERNEL), keep_event,
		   copy);
}

const struct event *
copy_event(struct machine_copy *copy)
{
	if (copy->at < copy->n_ev)
		return &copy->ev[copy->at];
	copy->at = copy->n_ev = 0;
	return NULL;
}

void
copy_next_event(struct machine_copy *copy)
{
	copy->at++;
}
