/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race.c - the parent of a race: starts the lanes, sends them cycles, handles their messages
 * (race.h).
 *
 * A lane answers every GO with its samples, its decisions and HERE. Decisions are compared when the
 * last lane has answered, since only then those of all lanes are known up to the same cycle.
 */
#include "lab/race_part.h"

#include "base/clock.h"
#include "base/foreign.h"
#include "base/process.h"

#include <assert.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define STOPPED_SECONDS 2.0 /* before race_stopped_text() reports a stopped process */

bool
lane_ended(const struct lane *l)
{
	return l->state >= LANE_DONE;
}

bool
lane_good(const struct lane *l)
{
	return l->state == LANE_DONE || l->state == LANE_CUT;
}

bool
race_still(const struct race *r)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->lane[i].state == LANE_STARTS || r->lane[i].state == LANE_RUNS)
			return false;
	return true;
}

bool
race_ended(const struct race *r)
{
	for (unsigned i = 0; i < r->n; i++)
		if (!lane_ended(&r->lane[i]))
			return false;
	return true;
}

int
race_process(const struct race *r, unsigned lane)
{
	return (int)r->own->worker[lane].pid;
}

/* ---------------------------------------------------------------- a lane ends */

static void
fail_lane(struct race *r, unsigned i, const char *why, size_t n)
{
	struct lane *l = &r->lane[i];

	l->state = LANE_FAILED;
	snprintf(l->error, sizeof(l->error), "%.*s", (int)MIN(n, sizeof(l->error) - 1), why);
	worker_end(&r->own->worker[i]);
}

/* A lane that closed its channel before it was done has crashed or was killed. */
static void
on_lane_eof(struct race *r, unsigned i)
{
	struct lane *l = &r->lane[i];
	char why[120];

	worker_reap(&r->own->worker[i], why, sizeof(why));
	if (lane_ended(l))
		return;
	l->state = LANE_FAILED;
	snprintf(l->error, sizeof(l->error), "its process %s", why);
}

/* ---------------------------------------------------------------- messages of a lane */

static int
take_hello(struct race *r, struct lane *l, const struct frame *f)
{
	struct wire_hello k;

	if (f->bytes != sizeof(k) || l->state != LANE_STARTS)
		return -1;
	memcpy(&k, f->body, sizeof(k));
	if (k.cores == 0 || k.cores > MAX_CORES || k.sample == 0 ||
	    (r->cores && r->cores != k.cores))
		return -1;
	r->cores = (unsigned)k.cores;
	r->kernels = (unsigned)k.kernels;
	r->ctas = k.ctas;
	r->work = k.work;
	r->sample = k.sample;
	if (!r->period)
		r->period = k.period;
	l->state = LANE_WAITS;
	return 0;
}

static int
take_sample(struct race *r, struct lane *l, const struct frame *f)
{
	size_t row = (size_t)r->cores * RACE_FIELDS * sizeof(float);
	struct race_sample at;
	float core[MAX_CORES * RACE_FIELDS];

	if (f->bytes != sizeof(at) + row || l->state != LANE_RUNS)
		return -1;
	memcpy(&at, f->body, sizeof(at));
	memcpy(core, f->body + sizeof(at), row);
	if (at.span == 0 || at.span > at.end ||
	    (l->samples.n && at.end <= l->samples.at[l->samples.n - 1].end))
		return -1;
	return samples_take(&l->samples, &at, core, r->cores);
}

static int
take_decision(struct race *r, unsigned lane, const struct frame *f)
{
	struct decision d;

	if (f->bytes < sizeof(d) || r->lane[lane].state != LANE_RUNS)
		return -1;
	memcpy(&d, f->body, sizeof(d));
	if (r->own->wants_all &&
	    differ_take(&r->own->differ, lane, &d, f->body + sizeof(d), f->bytes - sizeof(d)))
		return -1;
	return d.kind == EV_CTA_ISSUE ? 0
				      : differ_take(&r->own->policies, lane, &d,
						    f->body + sizeof(d), f->bytes - sizeof(d));
}

static int
take_here(struct race *r, struct lane *l, const struct frame *f)
{
	struct wire_here k;

	if (f->bytes != sizeof(k) || l->state != LANE_RUNS)
		return -1;
	memcpy(&k, f->body, sizeof(k));
	if ((k.ended != LANE_WAITS && k.ended != LANE_DONE && k.ended != LANE_CUT &&
	     k.ended != LANE_FAILED) ||
	    k.cycle < l->cycle || k.cycle > r->goal || k.why[sizeof(k.why) - 1])
		return -1;
	if (k.ended != LANE_FAILED) /* FAIL follows and sets the state */
		l->state = (enum lane_state)k.ended;
	l->final = k.ended == LANE_DONE || k.ended == LANE_FAILED;
	l->cycle = k.cycle;
	l->kernel = (unsigned)k.kernel;
	memcpy(l->number, k.number, sizeof(l->number));
	snprintf(l->error, sizeof(l->error), "%s", k.why);
	return 0;
}

int
race_take(struct race *r, unsigned lane, const struct frame *f)
{
	struct lane *l = &r->lane[lane];

	switch (f->kind) {
	case WIRE_HELLO:
		return take_hello(r, l, f);
	case WIRE_SAMPLE:
		return take_sample(r, l, f);
	case WIRE_DECISION:
		return take_decision(r, lane, f);
	case WIRE_HERE:
		return take_here(r, l, f);
	case WIRE_FAIL:
		fail_lane(r, lane, f->body, f->bytes);
		return 0;
	default:
		return -1;
	}
}

/* Reads and handles the frames of a lane. */
static void
receive_frames(struct race *r, unsigned i)
{
	static const char damaged[] = "its process sent an invalid frame";
	struct worker *w = &r->own->worker[i];
	bool open = worker_read(w);
	struct frame f;
	int rc = 0;

	while (worker_runs(w) && (rc = channel_next(&w->channel, &f)) > 0)
		if (race_take(r, i, &f)) {
			rc = -1;
			break;
		}
	if (!worker_runs(w)) /* it sent FAIL */
		return;
	if (rc < 0)
		fail_lane(r, i, damaged, sizeof(damaged) - 1);
	else if (!open && w->channel.in.failed)
		fail_lane(r, i, "out of memory", strlen("out of memory"));
	else if (!open)
		on_lane_eof(r, i);
}

/* Sets to[] to the cycle before which all decisions of each lane are known. Those of the lane's
 * present cycle are. */
static void
set_known_before(const struct race *r, cycle_t *to)
{
	for (unsigned i = 0; i < r->n; i++)
		to[i] = r->lane[i].final ? CYCLE_NEVER : r->lane[i].cycle + 1;
}

unsigned
race_descriptors(const struct race *r, struct pollfd *p)
{
	/* poll() ignores those that are -1 */
	for (unsigned i = 0; i < r->n; i++)
		p[i] = (struct pollfd){.fd = r->own->worker[i].channel.fd, .events = POLLIN};
	return r->n;
}

void
race_wait(struct race *r, int ms)
{
	struct pollfd p[RACE_LANES];
	cycle_t to[RACE_LANES];
	bool was_still = race_still(r);

	if (poll(p, race_descriptors(r, p), ms) <= 0)
		return;
	for (unsigned i = 0; i < r->n; i++)
		if (p[i].revents)
			receive_frames(r, i);
	if (was_still || !race_still(r))
		return;
	set_known_before(r, to);
	if (r->own->wants_all)
		differ_compare(&r->own->differ, r->n, to);
	differ_compare(&r->own->policies, r->n, to);
	if (differ_first(&r->own->differ, r->n))
		r->difference = *differ_first(&r->own->differ, r->n);
	if (differ_first(&r->own->policies, r->n))
		r->of_policy = *differ_first(&r->own->policies, r->n);
}

bool
race_stopped_text(const struct race *r, char *buf, size_t size)
{
	char name[POLICY_TEXT];

	*buf = '\0';
	for (unsigned i = 0; i < r->n && clock_seconds() - r->own->go_time >= STOPPED_SECONDS; i++)
		if ((r->lane[i].state == LANE_STARTS || r->lane[i].state == LANE_RUNS) &&
		    process_is_stopped(r->own->worker[i].pid)) {
			snprintf(buf, size,
				 "waiting for %s: process %d is stopped; kill -CONT %d "
				 "continues it",
				 race_short_name(r, i, 40, "...", name), race_process(r, i),
				 race_process(r, i));
			break;
		}
	return *buf;
}

/* ---------------------------------------------------------------- running */

void
race_go(struct race *r, cycle_t until)
{
	struct wire_go go = {.until = until};
	cycle_t to[RACE_LANES];

	assert(race_still(r));
	set_known_before(r, to);
	r->own->wants_all = differ_open(&r->own->differ, r->n, to);
	go.decisions = r->own->wants_all			  ? DECISIONS_AND_CTAS
		       : differ_open(&r->own->policies, r->n, to) ? DECISIONS_OF_POLICY
								  : DECISIONS_NONE;
	r->goal = until;
	r->own->go_time = clock_seconds();
	for (unsigned i = 0; i < r->n; i++) {
		if (lane_ended(&r->lane[i]))
			continue;
		/* if the lane is gone, reading from it finds the end of file */
		r->lane[i].state = LANE_RUNS;
		channel_add(&r->own->worker[i].channel, WIRE_GO,
			    &(struct frame_part){&go, sizeof(go)}, 1);
		channel_flush(&r->own->worker[i].channel, true);
	}
}

cycle_t
race_step(struct race *r)
{
	enum { LEAST_MS = 20, MOST_MS = 80 };
	double ms = 1000 * (clock_seconds() - r->own->go_time);

	if (r->own->step < r->sample)
		r->own->step = r->sample;
	else if (ms < LEAST_MS && r->own->step < (cycle_t)1 << 40)
		r->own->step *= 2;
	else if (ms > MOST_MS && r->own->step >= 2 * r->sample)
		r->own->step /= 2;
	return r->own->step;
}

int
race_run(struct race *r, bool (*stop)(void *ctx, const struct race *r), void *ctx)
{
	while (!race_ended(r)) {
		if (race_still(r))
			race_go(r, r->goal + race_step(r));
		race_wait(r, 50);
		if (stop && stop(ctx, r))
			return 1;
	}
	return 0;
}

/* ---------------------------------------------------------------- start and end */

struct lane_start {
	struct race *r;
	unsigned lane;
	const struct racer_job *job;
};

static int
run_lane(struct channel *c, void *ctx)
{
	const struct lane_start *s = ctx;

	for (unsigned i = 0; i < s->lane; i++)
		channel_free(&s->r->own->worker[i].channel);
	return racer_main(c, s->job);
}

static int
start_lane(struct race *r, unsigned i, const struct racer_job *job, struct err *e)
{
	struct lane_start s = {r, i, job};

	return worker_start(&r->own->worker[i], WORKER_LANE, run_lane, &s, e);
}

/* Makes a race whose lanes have no processes yet. */
static struct race *
make_race(unsigned n, struct err *e)
{
	struct race *r = calloc(1, sizeof(*r));

	if (r)
		r->own = calloc(1, sizeof(*r->own));
	if (!r || !r->own) {
		free(r);
		err_nomem(e);
		return NULL;
	}
	r->n = n;
	r->own->go_time = clock_seconds();
	for (unsigned i = 0; i < r->n; i++) {
		r->own->worker[i].channel.fd = -1;
		for (unsigned k = 0; k < RACE_NUMBERS; k++)
			r->lane[i].number[k] = NAN;
	}
	return r;
}

/* Names a lane by its stack and the parameters that it runs with; those that were set by themselves
 * hold in every lane. */
static int
name_lane(struct race *r, unsigned i, const struct config *c, const char *stack, struct err *e)
{
	struct config *own = config_copy(c);
	char text[POLICY_TEXT];
	int rc;

	if (own)
		config_set_try(own, foreign_try);
	rc = own ? race_configure(own, stack, e) : err_nomem(e);
	if (rc == 0)
		rc = race_check_cores(own, c, stack, e);
	if (rc == 0) {
		config_stack_text(own, text);
		snprintf(r->lane[i].stack, sizeof(r->lane[i].stack), "%s%s", text,
			 race_lane_options(stack));
	}
	config_free(own);
	for (unsigned k = 0; rc == 0 && k < i; k++)
		if (strcmp(r->lane[k].stack, r->lane[i].stack) == 0)
			return err_set(e, "%.100s is in the race already; a stack runs once",
				       r->lane[i].stack);
	return rc;
}

struct race *
race_new(const struct race_stacks *s, struct config *c, const struct trace_info *t, struct err *e)
{
	struct race *r = make_race(s->n, e);

	for (unsigned i = 0; r && i < r->n; i++) {
		struct racer_job job = {.config = c, .stack = s->text[i], .path = t->path};

		if (name_lane(r, i, c, s->text[i], e) || start_lane(r, i, &job, e)) {
			race_free(r);
			return NULL;
		}
	}
	return r;
}

struct race *
race_of_branches(const struct race_branch *b, unsigned n, struct err *e)
{
	struct race *r = make_race(n, e);

	if (!r)
		return NULL;
	r->branches = true;
	r->from = r->goal = sim_cycle(b->copy->sim);
	for (unsigned i = 0; i < n; i++) {
		struct racer_job job = {.copy = b[i].copy};

		snprintf(r->lane[i].stack, sizeof(r->lane[i].stack), "%s", b[i].name);
		r->lane[i].cycle = r->from;
		if (start_lane(r, i, &job, e)) {
			race_free(r);
			return NULL;
		}
	}
	return r;
}

void
race_free(struct race *r)
{
	if (!r)
		return;
	/* stop all of them before waiting for each */
	for (unsigned i = 0; i < r->n; i++)
		worker_stop(&r->own->worker[i]);
	for (unsigned i = 0; i < r->n; i++) {
		worker_end(&r->own->worker[i]);
		samples_drop(&r->lane[i].samples);
	}
	differ_free(&r->own->differ);
	differ_free(&r->own->policies);
	free(r->own);
	free(r);
}
