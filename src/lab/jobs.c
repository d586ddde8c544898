/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jobs.c - see jobs.h.
 *
 * A worker sends SHARE now and then, then one RESULT or FAILED. A worker that ends without either
 * has crashed, or the system has killed it; this is a failure of its job.
 */
#include "lab/jobs.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/worker.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#define EVERY_MS 100
#define SHARE_SECONDS 0.1

/* The messages: a double; the result; a struct err. */
enum { SHARE, RESULT, FAILED };

struct child {
	struct worker worker;
	unsigned job;
	double share;
	bool has_result;
};

struct pool {
	const struct jobs *jobs;
	const struct lab_progress *progress;
	double from, share; /* of the progress that is reported */
	struct child child[JOBS_AT_ONCE];
	unsigned n, most;  /* children; the most of them */
	unsigned ended;	   /* jobs */
	unsigned prepared; /* a job that next() has returned and that has not started; JOB_NONE */
};

unsigned
jobs_at_once(const struct machine *m)
{
	return MIN(m->workers ? m->workers : process_processors(), JOBS_AT_ONCE);
}

/* ---------------------------------------------------------------- the worker */

struct sender {
	struct channel *channel;
	double last_sent;
};

/* The parent ends a worker that the user interrupts, so this never asks to stop. */
static bool
send_share(void *ctx, double share)
{
	struct sender *s = ctx;
	double now = clock_seconds();

	if (now - s->last_sent < SHARE_SECONDS)
		return false;
	s->last_sent = now;
	channel_add(s->channel, SHARE, &(struct frame_part){&share, sizeof(share)}, 1);
	if (channel_flush(s->channel, true) < 0)
		_exit(1); /* the parent has gone */
	return false;
}

static int
run_worker(struct channel *c, void *ctx)
{
	struct pool *q = ctx;
	struct sender sender = {c, clock_seconds()};
	struct lab_progress progress = {send_share, &sender};
	struct strbuf result = {0};
	struct err e = {0};
	int rc;

	for (unsigned i = 0; i < q->n; i++)
		channel_free(&q->child[i].worker.channel);
	rc = q->jobs->work(q->jobs->ctx, q->prepared, &progress, &result, &e);
	if (!rc && result.failed)
		rc = err_nomem(&e);
	if (rc)
		channel_add(c, FAILED, &(struct frame_part){&e, sizeof(e)}, 1);
	else
		channel_add(c, RESULT, &(struct frame_part){result.p, result.n}, 1);
	sb_free(&result);
	return channel_flush(c, true) < 0;
}

/* ---------------------------------------------------------------- the parent */

static bool
report_progress(void *ctx, double share ATTR_UNUSED)
{
	const struct pool *q = ctx;
	double done = q->ended;

	for (unsigned i = 0; i < q->n; i++)
		done += q->child[i].share;
	return lab_progress_stop(q->progress,
				 q->from + q->share * MIN(done / MAX(q->jobs->n, 1u), 1.0));
}

/* Starts the prepared job. When the system has no room for another process, the job waits until one
 * of the others has ended. */
static int
start_child(struct pool *q, bool *waits, struct err *e)
{
	struct child *k = &q->child[q->n];
	struct err why = {0};

	*k = (struct child){.job = q->prepared};
	*waits = worker_start(&k->worker, WORKER_LANE, run_worker, q, &why) < 0;
	if (*waits && !q->n) {
		*e = why;
		return -1;
	}
	if (!*waits) {
		q->n++;
		q->prepared = JOB_NONE;
	}
	return 0;
}

static int
start_children(struct pool *q, struct err *e)
{
	struct lab_progress progress = {report_progress, q};
	bool waits = false;
	int rc = 0;

	while (!rc && !waits && q->n < q->most) {
		if (q->prepared == JOB_NONE)
			rc = q->jobs->next(q->jobs->ctx, &q->prepared, &progress, e);
		if (!rc && q->prepared == JOB_NONE)
			break;
		if (!rc)
			rc = start_child(q, &waits, e);
	}
	return rc;
}

static int
take_result(struct pool *q, struct child *k, const struct frame *f, struct err *e)
{
	struct job_result r = {.body = NULL};
	struct err why = {0};

	k->has_result = true;
	if (f->kind == RESULT) {
		r.body = f->body;
		r.n = f->bytes;
	} else {
		if (f->bytes == sizeof(why))
			memcpy(&why, f->body, sizeof(why));
		r.why = &why;
	}
	return q->jobs->took(q->jobs->ctx, k->job, &r, e);
}

/* The worker sends nothing more. */
static int
reap_child(struct pool *q, struct child *k, struct err *e)
{
	struct job_result r = {.body = NULL};
	bool has_result = k->has_result;
	unsigned job = k->job;
	struct err why = {0};
	char end[120];

	worker_stop(&k->worker); /* it may still run */
	worker_reap(&k->worker, end, sizeof(end));
	*k = q->child[--q->n];
	q->ended++;
	if (has_result)
		return 0;
	err_set(&why, "its process %s", end);
	r.why = &why;
	return q->jobs->took(q->jobs->ctx, job, &r, e);
}

static int
read_child(struct pool *q, struct child *k, struct err *e)
{
	bool open = worker_read(&k->worker);
	struct frame f;
	int rc = 0, got = 0;

	while (!rc && (got = channel_next(&k->worker.channel, &f)) > 0) {
		if (f.kind == SHARE && f.bytes == sizeof(k->share))
			memcpy(&k->share, f.body, sizeof(k->share));
		else if (!k->has_result)
			rc = take_result(q, k, &f, e);
	}
	return rc || (open && got == 0 && !k->has_result) ? rc : reap_child(q, k, e);
}

static int
wait_for_children(struct pool *q, struct err *e)
{
	struct pollfd p[JOBS_AT_ONCE];
	int rc = 0;

	for (unsigned i = 0; i < q->n; i++)
		p[i] = (struct pollfd){q->child[i].worker.channel.fd, POLLIN, 0};
	if (poll(p, q->n, EVERY_MS) <= 0)
		return 0;
	/* backwards, since the last child takes the place of one that has ended */
	for (unsigned i = q->n; !rc && i-- > 0;)
		if (p[i].revents)
			rc = read_child(q, &q->child[i], e);
	return rc;
}

int
jobs_run(const struct jobs *j, const struct machine *m, const struct lab_progress *p, double from,
	 double share, struct err *e)
{
	struct pool q = {.jobs = j,
			 .progress = p,
			 .from = from,
			 .share = share,
			 .most = jobs_at_once(m),
			 .prepared = JOB_NONE};
	int rc;

	do {
		rc = start_children(&q, e);
		if (rc || !q.n)
			break;
		rc = wait_for_children(&q, e);
		if (!rc && report_progress(&q, 0))
			rc = 1;
	} while (!rc);
	for (unsigned i = 0; i < q.n; i++)
		worker_stop(&q.child[i].worker);
	for (unsigned i = 0; i < q.n; i++)
		worker_end(&q.child[i].worker);
	return rc;
}
