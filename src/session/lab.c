/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lab.c - copies of the machine that are run on beside it (lab.h).
 *
 * To copy a state the session's machine is brought to the place, and its bytes are read by a fresh
 * one of the same options; so a lab needs no snapshot of its own to begin with, and what is done in
 * it cannot touch the session.
 */
#include "session/lab.h"

#include "base/clock.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_SECONDS 1.0 /* short work shows nothing */
#define EVERY_SECONDS 0.25
#define TICK_SECONDS 0.033 /* keys and frames of a screen */

/* ---------------------------------------------------------------- there and back */

int
lab_leave(struct session *s, struct lab_origin *o, struct err *e)
{
	o->at = debug_standing(s->debug);
	o->events = s->events;
	s->events = NULL; /* the log is of the path one comes back to */
	if (timeline_hold(s->timeline, &o->hold, e) == 0) {
		o->profile = sim_profile_lay_aside(s->sim);
		return 0;
	}
	s->events = o->events;
	return -1;
}

int
lab_move(struct session *s, struct place p, struct err *e)
{
	struct place here = timeline_here(s->timeline);
	int rc;

	if (here.branch == p.branch && here.cycle == p.cycle)
		return 0;
	session_seek(s, true);
	rc = timeline_goto(s->timeline, p, e);
	session_seek(s, false);
	return rc;
}

void
lab_return(struct session *s, struct lab_origin *o)
{
	struct err e = {0};

	session_seek(s, true);
	if (timeline_return(s->timeline, &o->hold, &e) < 0)
		say(s, SAY_ERROR, "the way back failed: %s", e.msg);
	session_seek(s, false);
	sim_profile_take_up(s->sim, o->profile);
	debug_stand(s->debug, &o->at);
	s->events = o->events;
}

/* ---------------------------------------------------------------- life */

void
lab_free(struct lab *l)
{
	if (!l)
		return;
	sim_free(l->sim);
	free(l->ev);
	free(l);
}

/* How many choices of the path are part of the state at a place. */
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
lab_parting(const struct timeline *t, unsigned a, unsigned b)
{
	cycle_t at = CYCLE_NEVER;

	while (a != b) { /* a child has a higher number than what it comes from */
		const struct branch *later = timeline_branch(t, MAX(a, b));

		at = MIN(at, later->from);
		if (a > b)
			a = later->parent;
		else
			b = later->parent;
	}
	return at;
}

/* In the state the session's machine is in. */
static struct lab *
copy_here(struct session *s, struct place p, const struct strbuf *state, struct err *e)
{
	struct lab *l = calloc(1, sizeof(*l));
	struct snapshot *k = NULL;

	if (!l) {
		err_nomem(e);
		return NULL;
	}
	*l = (struct lab){.s = s, .branch = p.branch, .k = choices_done(s->timeline, p)};
	l->sim = sim_new(sim_config(s->sim), s->trace, e);
	if (l->sim)
		k = snapshot_read(l->sim, state->p, state->n, e);
	if (!k || sim_restore(l->sim, k, e) < 0 ||
	    sim_set(l->sim, "run.max_thread_insts", "0", e) < 0) {
		lab_free(l);
		l = NULL;
	}
	snapshot_free(k);
	if (l) {
		sim_poll(l->sim, &s->poll);
		lab_listen(l, false);
	}
	return l;
}

static int
take_here(struct session *s, struct place p, struct lab **lab, unsigned n, struct err *e)
{
	struct snapshot *k = sim_save(s->sim, e);
	struct strbuf state = {0};
	unsigned i = 0;

	if (!k)
		return -1;
	snapshot_write(s->sim, k, &state);
	if (state.failed)
		err_nomem(e);
	while (!state.failed && i < n && (lab[i] = copy_here(s, p, &state, e)))
		i++;
	sb_free(&state);
	snapshot_free(k);
	return i == n ? 0 : -1;
}

int
lab_take(struct session *s, struct place p, struct lab **lab, unsigned n, struct err *e)
{
	struct lab_origin o;
	int rc;

	for (unsigned i = 0; i < n; i++)
		lab[i] = NULL;
	if (lab_leave(s, &o, e) < 0)
		return -1;
	rc = lab_move(s, p, e);
	if (!rc)
		rc = take_here(s, p, lab, n, e);
	lab_return(s, &o);
	for (unsigned i = 0; rc && i < n; i++) {
		lab_free(lab[i]);
		lab[i] = NULL;
	}
	return rc;
}

/* ---------------------------------------------------------------- running */

static int
do_choices(struct lab *l)
{
	const struct choice *c;
	int rc = 0;

	while (!rc && (c = timeline_path_choice(l->s->timeline, l->branch, l->k)) &&
	       c->cycle <= sim_cycle(l->sim)) {
		if (c->kind == CHOICE_OPTION)
			rc = sim_set(l->sim, c->key, c->value, &l->why);
		else if (c->kind == CHOICE_POLICY)
			rc = sim_set_policy(l->sim, c->value, NULL, 0, &l->why);
		else
			rc = sim_force(l->sim, c->key, c->value, &l->why);
		l->k++;
	}
	return rc;
}

enum sim_stop
lab_run(struct lab *l, cycle_t until)
{
	l->how = SIM_REACHED;
	while (sim_cycle(l->sim) < until && l->how == SIM_REACHED) {
		const struct choice *c;
		cycle_t to = until;

		if (do_choices(l) < 0)
			return l->how = SIM_FAILED;
		c = timeline_path_choice(l->s->timeline, l->branch, l->k);
		if (c)
			to = MIN(to, c->cycle);
		l->how = sim_run(l->sim, to, &l->why);
		if (l->how == SIM_REQUESTED && !l->halt)
			l->how = SIM_REACHED;
	}
	return l->how;
}

bool
lab_ended(const struct lab *l)
{
	return l->how == SIM_DONE || l->how == SIM_DEADLOCK || l->how == SIM_FAILED;
}

cycle_t
lab_told(const struct lab *l)
{
	return l->how == SIM_DONE || l->how == SIM_DEADLOCK ? CYCLE_NEVER : sim_cycle(l->sim) + 1;
}

int
lab_mark(struct lab *l, struct lab_mark *m, struct err *e)
{
	m->snap = sim_save(l->sim, e);
	m->k = l->k;
	return m->snap ? 0 : -1;
}

int
lab_back(struct lab *l, const struct lab_mark *m, struct err *e)
{
	l->k = m->k;
	l->how = SIM_REACHED;
	l->n_ev = l->at = 0;
	err_clear(&l->why);
	return sim_restore(l->sim, m->snap, e);
}

void
lab_mark_free(struct lab_mark *m)
{
	snapshot_free(m->snap);
	m->snap = NULL;
}

/* ---------------------------------------------------------------- events */

static void
heard(void *ctx, const struct event *ev)
{
	struct lab *l = ctx;

	if (ev->kind == EV_KERNEL && l->halt)
		sim_request_stop(l->sim);
	if (!l->listens)
		return;
	if (l->n_ev == l->room) {
		size_t room = l->room ? 2 * l->room : 1024;
		struct event *grown = realloc(l->ev, room * sizeof(*grown));

		if (!grown) {
			l->lost = true;
			return;
		}
		l->ev = grown;
		l->room = room;
	}
	l->ev[l->n_ev++] = *ev;
}

void
lab_listen(struct lab *l, bool on)
{
	l->listens = on;
	l->n_ev = l->at = on ? l->n_ev : 0;
	sim_listen(l->sim, on ? EV_ALL & ~EV_BIT(EV_SAMPLE) : EV_BIT(EV_KERNEL), heard, l);
}

const struct event *
lab_event(struct lab *l)
{
	if (l->at < l->n_ev)
		return &l->ev[l->at];
	l->at = l->n_ev = 0;
	return NULL;
}

void
lab_next_event(struct lab *l)
{
	l->at++;
}

/* ---------------------------------------------------------------- progress */

void
lab_watch(struct lab_watch *w, struct session *s, const char *what)
{
	*w = (struct lab_watch){.s = s, .what = what, .began = clock_seconds()};
	w->drawn = w->began;
}

bool
lab_going(struct lab_watch *w, double share)
{
	double now = clock_seconds(), took = now - w->began;
	struct session *s = w->s;
	bool draws = s->ui.draws;
	char left[48] = "";

	if (w->tell)
		w->tell(w->ctx, share);
	if (draws && s->ui.tick && now - w->drawn > TICK_SECONDS) {
		w->drawn = now;
		s->running = s->seeking = true;
		s->seek_began = w->began;
		s->seek_done = share;
		if (s->ui.tick(s->ui.ctx))
			s->poll = 1;
		s->running = s->seeking = false;
	}
	if (!draws && took > FIRST_SECONDS && now - w->drawn > EVERY_SECONDS &&
	    isatty(STDERR_FILENO)) {
		double more = share > 0 ? took * (1 - share) / share : 0;

		if (more > 0)
			snprintf(left, sizeof(left),
				 more < 120 ? ", %.0f s left" : ", %.0f min left",
				 more < 120 ? more : more / 60);
		fprintf(stderr, "\r%s: %.0f %%%s\033[K", w->what, 100 * share, left);
		fflush(stderr);
		w->drawn = now;
		w->shown = true;
	}
	return s->poll;
}

void
lab_watched(struct lab_watch *w)
{
	if (w->shown) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	w->shown = false;
}
