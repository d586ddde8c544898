/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.c - moves: restores the nearest snapshot and runs forward with listeners muted.
 *
 * Before a move, a snapshot of the present is taken, so that an interrupted or failed move can
 * return at once. On the way snapshots are taken as in a run, and more densely near the goal,
 * because a user who goes back once will probably do so again. The limits of a run do not apply to
 * a replay, since its cycles have been run before.
 */
#include "timeline/timeline_part.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define TICK 20	    /* ms */
#define NEAR 0.008  /* seconds before the goal within which no denser snapshots are useful */
#define TIMED 0.005 /* seconds; a shorter replay says nothing about the speed */

int
timeline_put(struct timeline *t, const struct kept *k, struct err *e)
{
	if (sim_restore(t->sim, k->snap, e))
		return -1;
	t->at = k->spot.at;
	t->applied = k->spot.applied;
	timeline_kept_now(t);
	t->changes++;
	return 0;
}

/* ---------------------------------------------------------------- forward */

static bool
poll_progress(void *ctx)
{
	struct timeline *t = ctx;

	if (!t->opt.every && timeline_keep_due(t))
		timeline_keep(t, NULL);
	if (t->opt.progress)
		t->opt.progress(t->opt.ctx,
				t->done + t->share * (double)(sim_cycle(t->sim) - t->from) /
						  (double)(t->to - t->from));
	return false;
}

/* The cycle to run to next: that of a choice, of a snapshot (*keep), or the goal. */
static cycle_t
next_halt(const struct timeline *t, cycle_t to, cycle_t *keep)
{
	cycle_t now = sim_cycle(t->sim);

	*keep = CYCLE_NEVER;
	if (t->opt.every)
		*keep = timeline_keep_date(t);
	else if (t->dense && to - now >= 2 && (double)(to - now) > 2 * NEAR * t->speed)
		*keep = now + (to - now) / 2;
	return MIN(MIN(to, *keep), timeline_next_choice(t));
}

static int
ended_early(const struct timeline *t, cycle_t to, struct err *e)
{
	char goal[32], end[32];

	return err_set(e, "the replay to cycle %s ended at cycle %s", debug_number(goal, to),
		       debug_number(end, sim_cycle(t->sim)));
}

static int
run_to(struct timeline *t, cycle_t to, struct err *e)
{
	for (;;) {
		cycle_t keep, halt;

		if (timeline_apply_due(t, e))
			return -1;
		if (sim_cycle(t->sim) >= to)
			return 0;
		halt = next_halt(t, to, &keep);
		switch (sim_run(t->sim, halt, e)) {
		case SIM_REACHED:
		case SIM_REQUESTED:
			break;
		case SIM_INTERRUPTED:
			return 1;
		case SIM_DONE:
		case SIM_DEADLOCK:
		case SIM_LIMIT:
			if (sim_cycle(t->sim) < to)
				return ended_early(t, to, e);
			break;
		case SIM_FAILED:
			return -1;
		}
		if (sim_cycle(t->sim) < to && timeline_apply_due(t, e))
			return -1;
		if (sim_cycle(t->sim) < to && sim_cycle(t->sim) == keep)
			timeline_keep(t, NULL);
	}
}

int
timeline_replay(struct timeline *t, cycle_t to, struct err *e)
{
	cycle_t from = sim_cycle(t->sim);
	double began = clock_thread(), took;
	int rc;

	if (from >= to)
		return timeline_apply_due(t, e);
	t->from = from;
	t->to = to;
	sim_poll(t->sim, t->opt.poll);
	sim_every_ms(t->sim, TICK, poll_progress, t);
	rc = run_to(t, to, e);
	sim_every_ms(t->sim, 0, NULL, NULL);
	sim_poll(t->sim, NULL);
	took = clock_thread() - began;
	if (took > TIMED)
		t->speed = (t->speed + (double)(sim_cycle(t->sim) - from) / took) / 2;
	return rc;
}

/* ---------------------------------------------------------------- a move */

static void
set_run(struct timeline *t, const char *key, const char *value, char old[32])
{
	if (old && opt_get(config_db_const(sim_config(t->sim)), key, old, 32, NULL) < 0)
		old[0] = '\0';
	if (*value)
		sim_set(t->sim, key, value, NULL);
}

void
timeline_depart(struct timeline *t, struct travel *v)
{
	cycle_t since;

	*v = (struct travel){0};
	t->keeping = true;
	t->dense = false;
	t->done = 0;
	t->share = 1;
	timeline_touch(t);
	v->branch = t->here;
	timeline_leave(t);
	v->origin = timeline_keep(t, NULL);
	if (v->origin)
		v->origin->pins++;
	v->profile = sim_profile_since(t->sim, &since);
	set_run(t, "run.max_thread_insts", "0", v->insts);
	set_run(t, "run.deadlock", "1099511627776", v->deadlock);
	debug_mute(t->debug);
}

int
timeline_land(struct timeline *t, struct travel *v, int failed)
{
	if (failed) {
		t->here = v->branch;
		if (v->origin)
			timeline_put(t, v->origin, NULL);
	}
	set_run(t, "run.max_thread_insts", v->insts, NULL);
	set_run(t, "run.deadlock", v->deadlock, NULL);
	if (v->profile) { /* the profile must not include replayed cycles */
		sim_profile_off(t->sim);
		sim_profile_on(t->sim, NULL);
	}
	if (!v->stopped) {
		debug_unmute(t->debug);
		debug_moved(t->debug, true);
	}
	if (v->origin)
		timeline_unpin(t, v->origin);
	return failed;
}

int
timeline_seek(struct timeline *t, struct place p, struct err *e)
{
	const struct kept *k = timeline_find_kept(t, p, CYCLE_NEVER);
	struct spot now = {t->at, t->applied, sim_cycle(t->sim)};
	bool ahead = timeline_leads_to(t, &now, p);
	char far[32];

	t->here = p.branch;
	t->dense = true;
	if (!ahead && !k)
		return err_set(e, "no snapshot leads to cycle %s; " NEW_SNAPSHOTS,
			       debug_number(far, p.cycle));
	if ((!ahead || (k && k->spot.cycle > now.cycle)) && timeline_put(t, k, e))
		return -1;
	return timeline_replay(t, p.cycle, e);
}

/* Where the branch was left last, the stop there is the present one again: `why` and `flip` explain
 * and change its decision. */
static void
stand_again(struct timeline *t)
{
	const struct branch *b = t->branch[t->here];
	cycle_t now = sim_cycle(t->sim);

	if (b->left == now && b->stood.cycle == now)
		debug_stand(t->debug, &b->stood);
}

int
timeline_goto(struct timeline *t, struct place p, struct err *e)
{
	struct place here = timeline_here(t);
	const struct branch *b = timeline_branch(t, p.branch);
	char far[32], tip[32];
	struct travel v;
	int rc;

	if (!b)
		return err_set(e, "no such branch");
	if (p.cycle > b->tip)
		return err_set(e, "cycle %s is after the last cycle of branch %s, %s",
			       debug_number(far, p.cycle), b->name, debug_number(tip, b->tip));
	timeline_depart(t, &v);
	rc = timeline_land(t, &v, timeline_seek(t, p, e));
	if (rc)
		return rc;
	stand_again(t);
	if (p.branch != here.branch)
		timeline_parted(t, timeline_common(t, p.branch, here.branch), b->told);
	return 0;
}

/* ---------------------------------------------------------------- there and back */

int
timeline_hold(struct timeline *t, struct timeline_hold *h, struct err *e)
{
	t->keeping = true;
	h->place = timeline_here(t);
	h->kept = timeline_keep(t, e);
	if (!h->kept)
		return -1;
	h->kept->pins++;
	h->n_branches = t->n_branches;
	for (unsigned i = 0; i < t->n_branches; i++)
		if (t->branch[i]) {
			t->branch[i]->held = t->branch[i]->left;
			t->branch[i]->held_stood = t->branch[i]->stood;
		}
	return 0;
}

int
timeline_return(struct timeline *t, struct timeline_hold *h, struct err *e)
{
	struct place here = timeline_here(t);
	int rc = 0;

	if (here.branch != h->place.branch || here.cycle != h->place.cycle) {
		t->branch[here.branch]->left = here.cycle;
		t->here = h->place.branch;
		debug_mute(t->debug);
		rc = timeline_put(t, h->kept, e);
		debug_unmute(t->debug);
		debug_moved(t->debug, true);
		if (here.branch != h->place.branch)
			timeline_parted(t, timeline_common(t, here.branch, h->place.branch),
					t->branch[t->here]->told);
	}
	for (unsigned i = 0; i < MIN(h->n_branches, t->n_branches); i++)
		if (t->branch[i]) {
			t->branch[i]->left = t->branch[i]->held;
			t->branch[i]->stood = t->branch[i]->held_stood;
		}
	timeline_unpin(t, h->kept);
	h->kept = NULL;
	return rc;
}
