/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.c - the list of runs, and the parent's side of the workers that measure them
 * (reference.h).
 */
#include "lab/reference.h"

#include "base/clock.h"
#include "base/process.h"

#include <stdlib.h>
#include <string.h>

bool
reference_waits(const struct reference *r)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->run[i].state == REF_WAITS)
			return true;
	return false;
}

const struct reference_run *
reference_best(const struct reference *r)
{
	const struct reference_run *best = NULL;

	for (unsigned i = 0; i < r->n; i++) {
		const struct reference_run *k = &r->run[i];

		if (k->sweep && k->sweep == r->sweep && k->state == REF_DONE &&
		    (!best || k->cycles < best->cycles))
			best = k;
	}
	return best;
}

void
reference_delete(struct reference *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < REFERENCE_LANES; i++)
		worker_stop(&r->lane[i].worker);
	for (unsigned i = 0; i < REFERENCE_LANES; i++)
		worker_end(&r->lane[i].worker);
	for (unsigned i = 0; i < r->n; i++)
		free(r->run[i].point);
	free(r);
}

bool
reference_is_measuring(const struct reference *r)
{
	int fd[REFERENCE_LANES];

	return r && reference_descriptors(r, fd) > 0;
}

unsigned
reference_descriptors(const struct reference *r, int fd[REFERENCE_LANES])
{
	unsigned n = 0;

	for (unsigned i = 0; i < REFERENCE_LANES; i++)
		if (worker_runs(&r->lane[i].worker))
			fd[n++] = r->lane[i].worker.channel.fd;
	return n;
}

/* The least cycles of the sweep's runs whose results count. */
static cycle_t
best_cycles(const struct reference *r, unsigned run)
{
	cycle_t best = CYCLE_NEVER;

	for (unsigned i = 0; r->run[run].sweep && i < r->n; i++)
		if (i != run && r->run[i].sweep == r->run[run].sweep && r->run[i].state == REF_DONE)
			best = MIN(best, r->run[i].cycles);
	return best;
}

/* ---------------------------------------------------------------- starting */

struct job {
	const struct machine *machine;
	struct reference *reference;
	unsigned run;
	cycle_t most;
};

static int
run_worker(struct channel *c, void *ctx)
{
	const struct job *job = ctx;

	reference_measure(job->reference, job->run, job->most, job->machine, c);
	return 0;
}

/* The cycle at which a run is cut: also by earlier runs whose results do not count yet. */
static cycle_t
most_cycles(const struct reference *r, unsigned run)
{
	cycle_t best = best_cycles(r, run);

	for (unsigned i = 0; r->run[run].sweep && i < run; i++)
		if (r->run[i].sweep == r->run[run].sweep && r->run[i].result == REF_DONE)
			best = MIN(best, r->run[i].cycles);
	return best;
}

static int
start_lane(struct reference_lane *lane, const struct machine *m, struct reference *r, unsigned run,
	   struct err *e)
{
	struct job job = {m, r, run, most_cycles(r, run)};

	if (worker_start(&lane->worker, WORKER_QUIET, run_worker, &job, e) < 0)
		return -1;
	lane->run = run;
	r->run[run].state = REF_RUNS;
	r->run[run].began = clock_seconds();
	return 0;
}

int
reference_start(const struct machine *m, struct reference *r, struct err *e)
{
	const unsigned most = MIN(process_processors(), REFERENCE_LANES);
	int rc = 0;

	for (unsigned i = 0, run = 0; !rc && i < most; i++) {
		if (worker_runs(&r->lane[i].worker))
			continue;
		while (run < r->n && r->run[run].state != REF_WAITS)
			run++;
		if (run == r->n)
			break;
		rc = start_lane(&r->lane[i], m, r, run, e);
	}
	return rc;
}

/* ---------------------------------------------------------------- messages */

static void
add_points(struct reference_run *run, const struct reference_message *m, const char *bytes)
{
	if (m->anew)
		run->n = 0;
	if (run->n + m->n > run->room) {
		unsigned room = run->n + m->n + 256;
		struct reference_point *grown = realloc(run->point, room * sizeof(*grown));

		if (!grown)
			return; /* the picture has a gap; the results are complete */
		run->point = grown;
		run->room = room;
	}
	if (m->n)
		memcpy(run->point + run->n, bytes, m->n * sizeof(*run->point));
	run->n += m->n;
}

static void
take_message(struct reference_run *run, const struct reference_message *m, const char *points)
{
	if (m->state != REF_RUNS)
		run->result = m->state;
	run->cycles = m->cycles;
	run->insts = m->insts;
	run->share = m->share;
	snprintf(run->why, sizeof(run->why), "%s", m->why);
	add_points(run, m, points);
}

/* The run had lost at this cycle. */
static void
cut_run(struct reference_run *run, cycle_t at)
{
	run->state = REF_CUT;
	run->cycles = at;
	run->why[0] = '\0';
	while (run->n && run->point[run->n - 1].cycle > at)
		run->n--;
}

/* Lets the results count for which no earlier run of the sweep is missing. */
static bool
settle_results(struct reference *r, void (*took)(void *ctx, const struct reference_run *k),
	       void *ctx)
{
	const struct cta_sched_ops *missing = NULL; /* the sweep that lacks a result */
	bool any = false;

	for (unsigned i = 0; i < r->n; i++) {
		struct reference_run *run = &r->run[i];
		cycle_t best = best_cycles(r, i);

		if (run->sweep && (run->state == REF_WAITS ||
				   (run->state == REF_RUNS && run->result == REF_WAITS)))
			missing = run->sweep;
		if (run->result == REF_WAITS || (run->sweep && run->sweep == missing))
			continue;
		run->state = run->result;
		run->result = REF_WAITS;
		if (run->cycles > best || run->state == REF_CUT)
			cut_run(run, best);
		took(ctx, run);
		any = true;
	}
	return any;
}

/* The worker has ended. A run without a result has failed. */
static void
reap_lane(struct reference *r, struct reference_lane *lane)
{
	struct reference_run *run = &r->run[lane->run];
	char why[120];
	bool good;

	worker_stop(&lane->worker); /* it may still run */
	good = worker_reap(&lane->worker, why, sizeof(why));
	if (run->state != REF_RUNS || run->result != REF_WAITS)
		return;
	run->result = REF_FAILED;
	snprintf(run->why, sizeof(run->why), "the process %s", good ? "ended early" : why);
}

static void
read_lane(struct reference *r, struct reference_lane *lane)
{
	struct reference_message m;
	struct frame f;
	bool open;
	int rc;

	do {
		open = worker_read(&lane->worker);
		while ((rc = channel_next(&lane->worker.channel, &f)) > 0) {
			if (f.bytes < sizeof(m))
				continue;
			memcpy(&m, f.body, sizeof(m));
			if (f.bytes == sizeof(m) + m.n * sizeof(struct reference_point))
				take_message(&r->run[lane->run], &m, f.body + sizeof(m));
		}
	} while (open && rc == 0 && channel_has_more(&lane->worker.channel));
	if (!open || rc < 0)
		reap_lane(r, lane);
}

bool
reference_receive(struct reference *r, void (*took)(void *ctx, const struct reference_run *k),
		  void *ctx)
{
	bool ended = false;

	for (unsigned i = 0; i < REFERENCE_LANES; i++) {
		struct reference_lane *lane = &r->lane[i];

		if (!worker_runs(&lane->worker))
			continue;
		read_lane(r, lane);
		ended |= !worker_runs(&lane->worker);
	}
	return settle_results(r, took, ctx) || ended;
}
