/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads.c - decides whether a run goes on on two threads or on one.
 *
 * Two threads divide the work in one of two ways: the memory side from the cores (halves.c), or the
 * cores between them (teams.c). Where few cores are awake, it is the first; else both are tried now
 * and then, and the faster one goes on.
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
#include "sim/teams.h"

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

/* Which way of dividing the work is faster? Of every WAYS_EVERY stretches, WAYS_TRIED are run in
 * each way, of which the first does not count. What was measured before counts half. */
enum { WAYS_TRIED = 2, WAYS_EVERY = 32 };
#define FEW_AWAKE 4 /* cores; with fewer, teams cannot be faster */
#define MEMORY 8    /* stretches over which the mean of awake cores is taken, about */

struct ways {
	double awake;	    /* cores, in the mean */
	unsigned stretches; /* with many awake */
	double time[2];	    /* in seconds of processor time of the first thread; [1]: in teams */
	double run[2];	    /* cycles in that time */
	bool teams;	    /* the faster one */
};

struct threads {
	struct halves *halves; /* NULL: not possible */
	struct teams *teams;   /* likewise */
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

static bool
many_are_awake(struct sim *s)
{
	const uint64_t *awake = s->sleep->core_awake;
	double *mean = &s->threads->ways.awake;
	unsigned now = (unsigned)(__builtin_popcountll(awake[0]) + __builtin_popcountll(awake[1]));

	*mean += ((double)now - *mean) / MEMORY;
	return *mean >= FEW_AWAKE;
}

/* Runs to `end`, or less far, in one of the ways. Returns false if it ran none. */
static bool
run_in_way(struct sim *s, cycle_t end, bool teams)
{
	struct threads *t = s->threads;
	cycle_t from = s->machine->cycle;

	if (teams)
		t->parted += teams_run(t->teams, end);
	else if (halves_run(t->halves, end))
		t->parted += s->machine->cycle - from;
	return s->machine->cycle > from;
}

/* The same in the faster way, which is found out from time to time. */
static bool
run_in_faster_way(struct sim *s, cycle_t end)
{
	struct ways *w = &s->threads->ways;
	unsigned at = w->stretches++ % WAYS_EVERY;
	cycle_t from = s->machine->cycle;
	double used = clock_thread();
	bool teams = at < 2 * WAYS_TRIED ? at >= WAYS_TRIED : w->teams, ran;

	ran = run_in_way(s, end, teams);
	if (ran && at < 2 * WAYS_TRIED && at % WAYS_TRIED) {
		w->time[teams] = w->time[teams] / 2 + clock_thread() - used;
		w->run[teams] = w->run[teams] / 2 + (double)(s->machine->cycle - from);
		w->teams = w->time[1] * w->run[0] < w->time[0] * w->run[1];
	}
	return ran || run_in_way(s, end, true);
}

/* Runs to `end`, or less far, on two threads. Returns false if it ran none. A policy that hears of
 * warps hears of them from one thread only, so its cores are no teams. */
static bool
run_on_two(struct sim *s, cycle_t end)
{
	struct threads *t = s->threads;
	bool may_team = t->teams && !s->orders_warps;

	if (may_team && !t->halves)
		return run_in_way(s, end, true);
	if (may_team && many_are_awake(s))
		return run_in_faster_way(s, end);
	return t->halves && run_in_way(s, end, false);
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
	t->teams = teams_new(s);
	if (!t->halves && !t->teams) {
		threads_free(t);
		return NULL;
	}
	if (t)
		t->trial.again = FIRST;
	return t;
}

void
threads_free(struct threads *t)
{
	if (!t)
		return;
	halves_free(t->halves);
	teams_free(t->teams);
	free(t);
}
