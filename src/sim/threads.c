/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads.c - decides whether a run goes on on two threads or on one, and how they divide the work.
 *
 * The second thread has the memory side of the machine, and with it no cores, a quarter or half of
 * them (halves.h). What is fastest is found out by trying.
 *
 * Where run.threads leaves it open, trials compare one thread with two in the time they take: where
 * few cores are awake and have nearly all the work, one is faster. It is, too, where other programs
 * use the processors: two threads that get much less than two processors wait for each other. The
 * results are the same, so the decision may differ between runs.
 */
#include "sim/threads.h"
#include "base/clock.h"
#include "base/partner.h"
#include "base/process.h"
#include "sim/halves.h"
#include "sim/sim_priv.h"

#include <math.h>
#include <stdlib.h>

enum {
	STRETCH = 1024,	 /* cycles; run_loop() has to look around after as many */
	BLOCK = 4,	 /* stretches of a trial on one thread, then as many on two: a round */
	ROUNDS = 4,	 /* of a trial, at most */
	PAUSE = 128,	 /* cycles until the next attempt */
	FIRST = 4096,	 /* the cycle of the first trial, when the first CTAs are read */
	HOLDS = 1 << 15, /* cycles for which a result holds, at least */
	HOLDS_MOST = 1 << 20
};

#define CLEAR 0.1      /* a difference that ends a trial after its second round */
#define BUSY 0.75      /* got less of the processors asked for: others use them */
#define REMEMBERED 0.9 /* of what was asked and got before, at each stretch */

/* Which is faster, one thread or two? A trial runs blocks of stretches on one and on two in turn.
 * The first stretch of a block does not count: the other thread may have to wake up, and what it
 * works on is in the cache of this one's processor. */
struct trial {
	bool runs;
	unsigned stretches; /* so far */
	double time[2];	   /* in seconds of processor time of the first thread, by threads less 1 */
	cycle_t run[2];	   /* cycles in that time */
	double asked, got; /* seconds of processor time, of late */
	bool two;	   /* the result */
	cycle_t again;	   /* the cycle of the next trial */
	cycle_t holds;	   /* cycles for which a result holds: longer for the same one again */
};

/* How many cores should the partner have beside the memory side (halves.h)? From time to time, some
 * stretches are run with each number, of which the first does not count. What was measured before
 * counts half. */
struct ways {
	unsigned left; /* stretches until the next attempt */
	unsigned tried, holds;
	double time[TEAM_SIZES]; /* in seconds of processor time of the first thread */
	double run[TEAM_SIZES];	 /* cycles in that time */
	enum halves_team best;
};

enum { WAYS_TRIED = 2, WAYS_HOLD = 64, WAYS_HOLD_MOST = 512 }; /* stretches */

struct threads {
	struct halves *halves;
	struct ways ways;
	struct trial trial;
	cycle_t parted; /* cycles that ran on two threads */
};

static bool
has_policy_file(const struct config *c)
{
	unsigned n;
	const struct cta_sched_ops *const *o = config_stack(c, &n);

	for (unsigned i = 0; i < c->n_known; i++)
		for (unsigned k = 0; c->plugin[i] && k < n; k++)
			if (o[k] == c->known[i])
				return true;
	return false;
}

const char *
sim_one_thread_reason(const struct sim *s)
{
	return !s->threads		  ? "there was no memory for a second one"
	       : s->cfg->run.threads == 1 ? "run.threads is 1"
	       : !s->cfg->run.skip	  ? "run.skip is off"
	       : s->concurrent		  ? "several kernels run at once"
	       : has_policy_file(s->cfg)  ? "a policy is from a file"
	       : s->listen_mask		  ? "stops or traces wait for events"
	       : s->each_cycle		  ? "a stop is examined in every cycle"
	       : s->issued		  ? "a stop waits for instructions"
	       : s->profile		  ? "the profile is on"
	       : s->past		  ? "a pane records the warps of a core"
	       : !s->cfg->run.threads && process_processors() < 2 ? "there is one processor"
								  : NULL;
}

static bool
may_part(const struct sim *s)
{
	return !sim_one_thread_reason(s) && partner_is_there();
}

cycle_t
threads_begin(struct sim *s)
{
	return may_part(s) ? s->machine->cycle : CYCLE_NEVER;
}

/* Runs to `end`, or less far, with such a second team. Returns false if it ran none. */
static bool
run_with_team(struct sim *s, cycle_t end, enum halves_team team)
{
	struct threads *t = s->threads;
	cycle_t from = s->machine->cycle;

	if (!halves_run(t->halves, end, team))
		return false;
	t->parted += s->machine->cycle - from;
	return true;
}

static void
choose_way(struct ways *w)
{
	enum halves_team best = TEAM_NONE;

	for (unsigned i = 1; i < TEAM_SIZES; i++)
		if (w->time[i] * w->run[best] < w->time[best] * w->run[i])
			best = i;
	w->holds = best == w->best ? MIN(2 * w->holds, WAYS_HOLD_MOST) : WAYS_HOLD;
	w->holds = MAX(w->holds, WAYS_HOLD);
	w->left = w->holds;
	w->tried = 0;
	w->best = best;
}

/* Runs a stretch in the way whose turn it is, and measures it. */
static bool
try_way(struct sim *s, cycle_t end)
{
	struct ways *w = &s->threads->ways;
	enum halves_team team = w->tried / WAYS_TRIED;
	cycle_t from = s->machine->cycle;
	double used = clock_thread();

	if (!run_with_team(s, end, team))
		return false;
	if (w->tried % WAYS_TRIED) {
		w->time[team] = w->time[team] / 2 + clock_thread() - used;
		w->run[team] = w->run[team] / 2 + (double)(s->machine->cycle - from);
	}
	if (++w->tried == TEAM_SIZES * WAYS_TRIED)
		choose_way(w);
	return true;
}

static bool
tries_ways(const struct sim *s)
{
	return !s->threads->ways.left && halves_may_team(s->threads->halves);
}

/* Runs to `end`, or less far, on two threads. Returns false if it ran none. */
static bool
run_on_two(struct sim *s, cycle_t end)
{
	struct ways *w = &s->threads->ways;

	if (tries_ways(s))
		return try_way(s, end);
	w->left -= w->left > 0;
	return run_with_team(s, end, halves_may_team(s->threads->halves) ? w->best : TEAM_NONE);
}

static void
run_on_one(struct sim *s, cycle_t end)
{
	while (s->machine->cycle < end && !s->stop && !s->machine->done)
		sim_step(s);
}

/* Runs to `end`, or less far, and measures that if it counts. Returns the processor time of this
 * thread, which waits by spinning, or less than 0 if two threads could not begin. */
static double
run_measured(struct sim *s, cycle_t end, bool two, bool counts)
{
	struct trial *t = &s->threads->trial;
	double wall = clock_seconds(), used = clock_thread();

	if (!two)
		run_on_one(s, end);
	else if (!run_on_two(s, end))
		return -1;
	wall = clock_seconds() - wall;
	used = clock_thread() - used;
	if (counts) {
		t->asked = REMEMBERED * t->asked + (two ? 2 * wall : wall);
		t->got = REMEMBERED * t->got + used + (two ? partner_used() : 0);
	}
	return used;
}

static void
set_result(struct trial *t, bool two, cycle_t now)
{
	t->holds = t->two == two ? MIN(2 * t->holds, HOLDS_MOST) : HOLDS;
	t->holds = MAX(t->holds, HOLDS);
	t->two = two;
	t->again = now + t->holds;
	t->runs = false;
}

static bool
is_busy(const struct trial *t)
{
	return t->got < BUSY * t->asked;
}

/* The time of a cycle on two threads, where on one it is 1. */
static double
pace_of_two(const struct trial *t)
{
	return t->time[1] * (double)t->run[0] / MAX(t->time[0] * (double)t->run[1], 1e-9);
}

static bool
is_decided(const struct trial *t)
{
	unsigned rounds = t->stretches / (2 * BLOCK);

	if (t->stretches % (2 * BLOCK))
		return false;
	return rounds == ROUNDS || (rounds > 1 && fabs(pace_of_two(t) - 1) > CLEAR);
}

/* Runs a stretch of a trial. Returns false if two threads could not begin. */
static bool
run_trial(struct sim *s, cycle_t end)
{
	struct trial *t = &s->threads->trial;
	bool two = t->stretches / BLOCK % 2, counts = t->stretches % BLOCK;
	cycle_t from = s->machine->cycle;
	double time = run_measured(s, end, two, counts);

	if (time < 0)
		return false;
	if (counts) {
		t->time[two] += time;
		t->run[two] += s->machine->cycle - from;
	}
	t->stretches++;
	if (is_busy(t))
		set_result(t, false, s->machine->cycle);
	else if (is_decided(t))
		set_result(t, pace_of_two(t) < 1, s->machine->cycle);
	return true;
}

/* Runs a stretch on two threads, which won the last trial, until processors are busy. */
static bool
run_watched(struct sim *s, cycle_t end)
{
	struct trial *t = &s->threads->trial;

	if (run_measured(s, end, true, true) < 0)
		return false;
	if (is_busy(t))
		set_result(t, false, s->machine->cycle);
	return true;
}

/* Runs a stretch as run.threads and the trials say. Returns false if it ran none; *again as in
 * threads_run(). */
static bool
run_stretch(struct sim *s, cycle_t end, cycle_t *again)
{
	struct trial *t = &s->threads->trial;
	cycle_t now = s->machine->cycle;

	*again = now + PAUSE;
	if (s->cfg->run.threads == 2)
		return run_on_two(s, end);
	if (!t->runs && (now >= t->again || now + HOLDS_MOST < t->again))
		*t = (struct trial){.runs = true, .two = t->two, .holds = t->holds};
	if (t->runs && tries_ways(s))
		return try_way(s, end);
	if (t->runs)
		return run_trial(s, end);
	if (t->two)
		return run_watched(s, end);
	*again = t->again;
	return false;
}

bool
threads_run(struct sim *s, cycle_t until, cycle_t *again)
{
	cycle_t now = s->machine->cycle, end = (now / STRETCH + 1) * STRETCH;

	end = MIN(MIN(end, until), s->sleep->next_sample);
	*again = end;
	if (!may_part(s) || end < now + HALVES_LEAST || !run_stretch(s, end, again))
		return false;
	*again = s->machine->cycle;
	return true;
}

double
threads_share(const struct sim *s)
{
	double cycles = (double)MAX(s->machine->cycle, 1);

	return s->threads ? MIN((double)s->threads->parted / cycles, 1) : 0;
}

struct threads *
threads_new(struct sim *s)
{
	struct threads *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->halves = halves_new(s);
	if (!t->halves) {
		threads_free(t);
		return NULL;
	}
	t->trial.again = FIRST;
	return t;
}

void
threads_free(struct threads *t)
{
	if (!t)
		return;
	halves_free(t->halves);
	free(t);
}
