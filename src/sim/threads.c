/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads.c - decides whether a run goes on on two threads (halves.c) or on one.
 *
 * Where run.threads leaves it open, trials compare both in the time they take: where other programs
 * use the processors, or where the cores have nearly all the work, one thread is faster. The
 * results are the same, so the decision may differ between runs.
 */
#include "sim/threads.h"
#include "base/clock.h"
#include "base/partner.h"
#include "base/process.h"
#include "sim/halves.h"
#include "sim/sim_priv.h"

#include <stdlib.h>

enum {
	STRETCH = 1024,	     /* cycles; run_loop() has to look around after as many */
	TRIAL = 16,	     /* stretches */
	TRIAL_STRETCH = 512, /* cycles of each */
	PAUSE = 128,	     /* cycles until the next attempt */
	HOLDS = 1 << 17,     /* cycles for which a result holds, at least */
	HOLDS_MOST = 1 << 22
};

/* Which is faster, one thread or two? A trial runs stretches on one and on two in turn. */
struct trial {
	unsigned left;	/* stretches; 0: there is a result */
	double time[2]; /* in seconds, by number of threads less 1 */
	cycle_t run[2]; /* cycles in that time */
	bool two;	/* the result */
	cycle_t again;	/* the cycle of the next trial */
	cycle_t holds;	/* cycles for which a result holds; longer if one thread wins again */
};

struct threads {
	struct halves *halves;
	struct trial trial;
	cycle_t parted; /* cycles that ran on two threads */
};

static bool
has_policy_file(const struct config *c)
{
	for (unsigned i = 0; i < c->n_known; i++)
		for (unsigned k = 0; c->plugin[i] && k < c->n_stack; k++)
			if (c->stack[k] == c->known[i])
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

/* Seconds per cycle on one thread and on two. */
static double
pace(const struct trial *t, unsigned two)
{
	return t->time[two] / (double)MAX(t->run[two], 1);
}

/* Runs to `end`, or less far, on two threads. Returns false if it ran none. */
static bool
run_on_two(struct sim *s, cycle_t end)
{
	cycle_t from = s->machine->cycle;
	bool ran = halves_run(s->threads->halves, end);

	s->threads->parted += s->machine->cycle - from;
	return ran;
}

static void
run_on_one(struct sim *s, cycle_t end)
{
	while (s->machine->cycle < end && !s->stop && !s->machine->done)
		sim_step(s);
}

static void
end_trial(struct trial *t, cycle_t now)
{
	t->left = 0;
	t->two = pace(t, 1) < pace(t, 0);
	t->holds = t->two ? HOLDS : MIN(2 * MAX(t->holds, HOLDS), HOLDS_MOST);
	t->again = now + t->holds;
}

/* Runs a stretch of a trial. Where processors are busy, two threads are so much slower that one
 * stretch tells. Returns false if two threads could not begin. */
static bool
run_trial(struct sim *s, cycle_t end)
{
	struct trial *t = &s->threads->trial;
	unsigned two = t->left % 2;
	cycle_t from = s->machine->cycle;
	double start = clock_seconds();

	if (two && !run_on_two(s, end))
		return false;
	if (!two)
		run_on_one(s, end);
	t->time[two] += clock_seconds() - start;
	t->run[two] += s->machine->cycle - from;
	if (!--t->left || (two && pace(t, 1) > 2 * pace(t, 0)))
		end_trial(t, s->machine->cycle);
	return true;
}

/* Runs a stretch on two threads, which won the last trial. If that takes twice the time of one,
 * there is a trial again. */
static bool
run_watched(struct sim *s, cycle_t end)
{
	struct trial *t = &s->threads->trial;
	cycle_t from = s->machine->cycle;
	double start = clock_seconds(), time;

	if (!run_on_two(s, end))
		return false;
	time = clock_seconds() - start;
	if (time > 2 * pace(t, 0) * (double)(s->machine->cycle - from))
		t->again = 0;
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
	if (!t->left && (now >= t->again || now + HOLDS_MOST < t->again))
		*t = (struct trial){.left = TRIAL, .holds = t->holds};
	if (t->left)
		return run_trial(s, MIN(end, now + TRIAL_STRETCH));
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

	if (t && !(t->halves = halves_new(s))) {
		free(t);
		return NULL;
	}
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
