/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.c - the list of runs, and the parent's side of the worker that measures them
 * (reference.h). There is one worker at a time; runs that are requested meanwhile come after it.
 */
#include "lab/reference.h"

#include "base/clock.h"

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
	worker_end(&r->worker);
	for (unsigned i = 0; i < r->n; i++)
		free(r->run[i].point);
	free(r);
}

struct job {
	const struct machine *machine;
	struct reference *reference;
};

static int
run_worker(struct channel *c, void *ctx)
{
	const struct job *job = ctx;

	reference_measure(job->reference, job->machine, c);
	return 0;
}

int
reference_start(const struct machine *m, struct reference *r, struct err *e)
{
	struct job job = {m, r};

	return worker_start(&r->worker, WORKER_QUIET, run_worker, &job, e);
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
take_message(struct reference *r, const struct reference_message *m, const char *points)
{
	struct reference_run *run = &r->run[m->run];

	if (run->state == REF_WAITS)
		run->began = clock_seconds();
	r->at = m->run;
	run->state = m->state;
	run->cycles = m->cycles;
	run->insts = m->insts;
	run->share = m->share;
	snprintf(run->why, sizeof(run->why), "%s", m->why);
	add_points(run, m, points);
}

/* The worker has ended: runs that are not done have failed. */
static void
reap_worker(struct reference *r)
{
	char why[120];

	if (worker_reap(&r->worker, why, sizeof(why)))
		return;
	for (unsigned i = 0; i < r->n; i++) {
		struct reference_run *run = &r->run[i];

		if (run->state != REF_WAITS && run->state != REF_RUNS)
			continue;
		run->state = REF_FAILED;
		snprintf(run->why, sizeof(run->why), "the process %s", why);
	}
}

bool
reference_receive(struct reference *r, void (*took)(void *ctx, const struct reference_run *k),
		  void *ctx)
{
	struct reference_message m;
	bool ended = false, open;
	struct frame f;
	int rc;

	if (!worker_runs(&r->worker))
		return false;
	do {
		open = worker_read(&r->worker);
		while ((rc = channel_next(&r->worker.channel, &f)) > 0) {
			if (f.bytes < sizeof(m))
				continue;
			memcpy(&m, f.body, sizeof(m));
			if (f.bytes != sizeof(m) + m.n * sizeof(struct reference_point) ||
			    m.run >= r->n)
				continue;
			take_message(r, &m, f.body + sizeof(m));
			took(ctx, &r->run[m.run]);
			ended |= m.state != REF_RUNS;
		}
	} while (open && rc == 0 && channel_has_more(&r->worker.channel));
	if (open && rc == 0)
		return ended;
	worker_stop(&r->worker); /* it may still run */
	reap_worker(r);
	return true;
}
