/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads.c - decides whether a run goes on on two threads or on one, and how they divide the work.
 *
 * The second thread has the memory side of the machine, and with it no cores, a quarter or half of
 * them (halves.h). What is fastest depends on the kernel and on the processors, so from time to
 * time a trial runs some stretches of cycles in each way, and the fastest one goes on. Where other
 * programs use the processors it is one thread: two that get much less than two processors wait for
 * each other. The results are the same, so the choice may differ between runs.
 */
#include "sim/threads.h"
#include "base/clock.h"
#include "base/partner.h"
#include "base/process.h"
#include "sim/halves.h"
#include "sim/sim_priv.h"

#include <stdlib.h>

/* Two threads, with a second team of each size, or one. */
enum way { ON_TWO = TEAM_NONE, ON_ONE = TEAM_SIZES, WAYS };

enum {
	STRETCH = 1024,	 /* cycles; run_loop() has to look around after as many */
	TRIED = 2,	 /* stretches in a way, of which the first does not count */
	ROUNDS = 2,	 /* of a trial through the ways */
	PAUSE = 128,	 /* cycles until the next attempt */
	FIRST = 1 << 14, /* the cycle of the first trial, which costs a shorter run too much */
	HOLDS = 1 << 15, /* cycles for which a result holds, at least */
	HOLDS_MOST = 1 << 20
};

#define BUSY 0.75      /* got less of the processors asked for: others use them */
#define REMEMBERED 0.9 /* of what was asked and got before, at each stretch */

/* Which way is the fastest? The first stretch in each does not count: the other thread may have to
 * wake up, and what it works on is in the cache of this one's processor. */
struct trial {
	bool runs;
	enum way way;		    /* whose turn it is, or the result */
	unsigned stretches, rounds; /* run in that way, completed */
	double time[WAYS]; /* in seconds of processor time of the first thread, which spins */
	double run[WAYS];  /* cycles in that time */
	double asked, got; /* seconds of processor time, of late */
	cycle_t again;	   /* the cycle of the next trial */
	cycle_t holds;	   /* cycles for which a result holds: longer for the same one again */
	enum way before;   /* the last result */
};

struct threads {
	struct halves *halves;
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
	if (!s->threads)
		return halves_refusal(s) ? halves_refusal(s)
					 : "there was no memory for a second one";
	return s->cfg->run.threads == 1	 ? "run.threads is 1"
	       : !s->cfg->run.skip	 ? "run.skip is off"
	       : s->concurrent		 ? "several kernels run at once"
	       : has_policy_file(s->cfg) ? "a policy is from a file"
	       : s->listen_mask		 ? "stops or traces wait for events"
	       : s->each_cycle		 ? "a stop is examined in every cycle"
	       : s->issued		 ? "a stop waits for instructions"
	       : s->profile		 ? "the profile is on"
	       : s->past		 ? "a pane records the warps of a core"
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
is_allowed(const struct sim *s, enum way way)
{
	if (way == ON_ONE)
		return s->cfg->run.threads != 2;
	return way == ON_TWO || halves_may_team(s->threads->halves);
}

/* Runs to `end`, or less far. Returns false if it ran none, because two threads could not begin. */
static bool
run_in_way(struct sim *s, cycle_t end, enum way way)
{
	struct threads *t = s->threads;
	cycle_t from = s->machine->cycle;

	if (way == ON_ONE) {
		while (s->machine->cycle < end && !s->stop && !s->machine->done)
			sim_step(s);
		return true;
	}
	if (!halves_run(t->halves, end, (enum halves_team)way))
		return false;
	t->parted += s->machine->cycle - from;
	return true;
}

/* The same; adds the processor time of this thread, which waits by spinning, to what is known of
 * this way if that counts. */
static bool
run_measured(struct sim *s, cycle_t end, enum way way, bool counts)
{
	struct trial *t = &s->threads->trial;
	cycle_t from = s->machine->cycle;
	double wall = clock_seconds(), used = clock_thread();

	if (!run_in_way(s, end, way))
		return false;
	wall = clock_seconds() - wall;
	used = clock_thread() - used;
	if (!counts)
		return true;
	t->time[way] += used;
	t->run[way] += (double)(s->machine->cycle - from);
	t->asked = REMEMBERED * t->asked + (way == ON_ONE ? wall : 2 * wall);
	t->got = REMEMBERED * t->got + used + (way == ON_ONE ? 0 : partner_used());
	return true;
}

static void
begin_trial(struct sim *s)
{
	struct trial *t = &s->threads->trial;

	*t = (struct trial){.runs = true, .before = t->before, .holds = t->holds};
}

static void
end_trial(struct trial *t, enum way way, cycle_t now)
{
	t->holds = t->before == way ? MIN(2 * t->holds, HOLDS_MOST) : HOLDS;
	t->holds = MAX(t->holds, HOLDS);
	t->way = t->before = way;
	t->again = now + t->holds;
	t->runs = false;
}

static enum way
fastest_way(const struct trial *t)
{
	enum way best = ON_TWO;

	for (unsigned i = 1; i < WAYS; i++)
		if (t->run[i] > 0 && t->time[i] * t->run[best] < t->time[best] * t->run[i])
			best = i;
	return best;
}

/* Others use the processors, and one thread is allowed. */
static bool
is_busy(const struct sim *s)
{
	const struct trial *t = &s->threads->trial;

	return is_allowed(s, ON_ONE) && t->got < BUSY * t->asked;
}

static bool
run_trial(struct sim *s, cycle_t end)
{
	struct trial *t = &s->threads->trial;

	if (!run_measured(s, end, t->way, t->stretches % TRIED))
		return false;
	if (++t->stretches % TRIED == 0)
		do {
			t->way = (t->way + 1) % WAYS;
			t->rounds += t->way == ON_TWO;
		} while (!is_allowed(s, t->way));
	if (is_busy(s))
		end_trial(t, ON_ONE, s->machine->cycle);
	else if (t->rounds == ROUNDS)
		end_trial(t, fastest_way(t), s->machine->cycle);
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
	if (!t->runs && (now >= t->again || now + HOLDS_MOST < t->again || !is_allowed(s, t->way)))
		begin_trial(s);
	if (t->runs)
		return run_trial(s, end);
	if (t->way != ON_ONE) {
		if (!run_measured(s, end, t->way, true))
			return false;
		if (is_busy(s))
			end_trial(t, ON_ONE, s->machine->cycle);
		return true;
	}
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
	t->trial = (struct trial){.way = ON_ONE, .before = ON_ONE, .again = FIRST};
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
