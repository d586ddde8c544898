/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool.c - runs points in separate processes, several at a time.
 *
 * A process is a worker (base/worker.h) that runs its point and sends the result: nothing is passed
 * on a command line or read twice, and a crash, or the kernel killing a large process, is the
 * failure of one point only. The parent has no threads and no machine at that time, so the fork is
 * cheap and safe.
 *
 * The handler notes a signal that ends the program, and the loop sees it. The loop admits signals
 * only while it waits. SIGUSR1 asks for the progress. These two notes are the mutable variables of
 * the file.
 */
#define _GNU_SOURCE 1
#include "batch/batch_part.h"

#include "base/clock.h"
#include "base/signals.h"
#include "base/worker.h"
#include "compat/compat.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GRACE 10.0 /* seconds beyond its limit that a run may take to notice it */

static volatile sig_atomic_t noted, asked;

struct child {
	struct worker worker;
	unsigned point;
	double began;
	bool has_result;
};

struct pool {
	const struct pool_job *job;
	struct child *child;
	struct pollfd *poll;
	unsigned n_children, next; /* index into job->todo */
	struct result result;
	sigset_t outside; /* the signal mask while waiting */
};

/* SHARE: the progress of the run, a double, any number of times; then RESULT: a struct outcome and
 * the values. */
enum { SHARE, RESULT };
struct outcome {
	enum run_status status;
	char error[sizeof(((struct result *)0)->error)];
};

static void
note_signal(int signo)
{
	noted = signo;
}

static void
note_request(int signo ATTR_UNUSED)
{
	asked = 1;
}

static bool
is_taken(int signo)
{
	return signo == SIGINT || signo == SIGUSR1 || signal_kind(signo) == SIGNAL_ENDS;
}

/* Blocks the signals that end the program; they are admitted while the loop waits. */
static void
take_signals(struct pool *p, struct sigaction *old)
{
	sigset_t block;

	sigemptyset(&block);
	for (int n = 1; n < SIGNALS; n++) {
		struct sigaction act = {.sa_handler = n == SIGUSR1 ? note_request : note_signal};

		if (!is_taken(n))
			continue;
		sigemptyset(&act.sa_mask);
		signal_catch(n, &act, &old[n]);
		sigaddset(&block, n);
	}
	noted = asked = 0;
	sigprocmask(SIG_BLOCK, &block, &p->outside);
}

static void
give_signals_back(struct pool *p, const struct sigaction *old)
{
	for (int n = 1; n < SIGNALS; n++)
		if (is_taken(n))
			sigaction(n, &old[n], NULL);
	sigprocmask(SIG_SETMASK, &p->outside, NULL);
}

/* ---------------------------------------------------------------- a process */

static void
send_share(void *ctx, double share)
{
	channel_add(ctx, SHARE, &(struct frame_part){&share, sizeof(share)}, 1);
	/* If the parent is gone, sending the result will fail, too. */
	channel_flush(ctx, true);
}

static int
run_child(struct channel *c, void *ctx)
{
	struct pool *p = ctx;
	const struct pool_job *j = p->job;
	unsigned point = j->todo[p->next];
	struct run_teller teller = {send_share, c};
	struct outcome o;

	for (unsigned i = 0; i < p->n_children; i++)
		channel_free(&p->child[i].worker.channel);
	if (j->forked)
		j->forked(j->ctx);
	run_point(j->points->spec, &j->points->p[point], j->columns, &teller, &p->result);
	memset(&o, 0, sizeof(o));
	o.status = p->result.status;
	memcpy(o.error, p->result.error, sizeof(o.error));
	channel_add(c, RESULT,
		    (struct frame_part[]){{&o, sizeof(o)},
					  {p->result.value, p->result.n * sizeof(double)}},
		    2);
	return channel_flush(c, true) < 0;
}

static int
start_child(struct pool *p, struct err *e)
{
	struct child *c = &p->child[p->n_children];
	unsigned point = p->job->todo[p->next];

	*c = (struct child){.point = point, .began = clock_seconds()};
	if (worker_start(&c->worker, WORKER_LANE, run_child, p, e))
		return -1;
	p->n_children++;
	p->next++;
	if (p->job->began)
		p->job->began(p->job->ctx, point);
	return 0;
}

static int
finish_child(struct pool *p, unsigned i, struct err *e)
{
	unsigned point = p->child[i].point;

	p->child[i] = p->child[--p->n_children];
	return p->job->done(p->job->ctx, point, &p->result, e);
}

static void
forget_values(struct pool *p)
{
	for (unsigned i = 0; i < p->result.n; i++)
		p->result.value[i] = NAN;
}

static int
reap_child(struct pool *p, unsigned i, struct err *e)
{
	struct child *c = &p->child[i];
	struct result *r = &p->result;
	char why[120];

	if (!worker_reap(&c->worker, why, sizeof(why)) || !c->has_result) {
		forget_values(p);
		r->status = RUN_CRASH;
		snprintf(r->error, sizeof(r->error), "the process %s%s", why,
			 strncmp(why, "ended", 5) == 0 ? " without a result" : "");
	}
	return finish_child(p, i, e);
}

/* Returns true if it will send nothing more. */
static bool
receive_messages(struct pool *p, struct child *c)
{
	bool open = worker_read(&c->worker);
	struct result *r = &p->result;
	struct outcome o;
	struct frame f;
	double share;
	int rc;

	while ((rc = channel_next(&c->worker.channel, &f)) > 0) {
		if (f.kind == SHARE && f.bytes == sizeof(share)) {
			memcpy(&share, f.body, sizeof(share));
			if (p->job->share)
				p->job->share(p->job->ctx, c->point, share);
		} else if (f.kind == RESULT && f.bytes == sizeof(o) + r->n * sizeof(double)) {
			memcpy(&o, f.body, sizeof(o));
			r->status = o.status;
			memcpy(r->error, o.error, sizeof(r->error));
			memcpy(r->value, f.body + sizeof(o), r->n * sizeof(double));
			c->has_result = true;
			return true; /* it ends by itself */
		}
	}
	return !open || rc < 0;
}

/* Kills a run that does not notice its limit because it never reads the clock. */
static int
kill_late(struct pool *p, struct err *e)
{
	double seconds = (double)p->job->points->spec->max_seconds, now = clock_seconds();

	for (unsigned i = 0; seconds > 0 && i < p->n_children;) {
		if (now - p->child[i].began < 1.5 * seconds + GRACE) {
			i++;
			continue;
		}
		worker_end(&p->child[i].worker);
		forget_values(p);
		p->result.status = RUN_LIMIT;
		snprintf(p->result.error, sizeof(p->result.error),
			 "limit of %.0f s reached, and the process did not answer", seconds);
		if (finish_child(p, i, e))
			return -1;
	}
	return 0;
}

static void
kill_all(struct pool *p)
{
	for (unsigned i = 0; i < p->n_children; i++)
		worker_stop(&p->child[i].worker);
	while (p->n_children)
		worker_end(&p->child[--p->n_children].worker);
}

/* ---------------------------------------------------------------- all of them */

static int
wait_a_bit(struct pool *p, struct err *e)
{
	struct timespec quarter = {.tv_nsec = 250000000};
	int n;

	for (unsigned i = 0; i < p->n_children; i++)
		p->poll[i] = (struct pollfd){.fd = p->child[i].worker.channel.fd, .events = POLLIN};
	n = compat_poll(p->poll, p->n_children, &quarter, &p->outside);
	if (noted || n <= 0)
		return 0;
	/* backwards, since removing one moves the last into its place */
	for (unsigned i = p->n_children; i-- > 0;)
		if (p->poll[i].revents && receive_messages(p, &p->child[i]) && reap_child(p, i, e))
			return -1;
	return 0;
}

static int
run_children(struct pool *p, struct err *e)
{
	const struct pool_job *j = p->job;

	while (p->next < j->n_todo || p->n_children) {
		while (p->n_children < j->processes && p->next < j->n_todo)
			if (start_child(p, e)) {
				if (!p->n_children)
					return -1;
				break; /* the running ones will free memory */
			}
		if (wait_a_bit(p, e))
			return -1;
		if (noted)
			return noted;
		if (asked && j->asked)
			j->asked(j->ctx);
		asked = 0;
		if (kill_late(p, e))
			return -1;
		if (j->tick)
			j->tick(j->ctx);
	}
	return 0;
}

int
pool_run(const struct pool_job *j, struct err *e)
{
	struct pool p = {.job = j};
	struct sigaction old[SIGNALS];
	int rc;

	p.result.n = j->columns->n;
	p.result.value = calloc(p.result.n + 1, sizeof(double));
	p.child = calloc(j->processes, sizeof(*p.child));
	p.poll = calloc(j->processes, sizeof(*p.poll));
	if (!p.result.value || !p.child || !p.poll) {
		rc = err_nomem(e);
	} else {
		take_signals(&p, old);
		rc = run_children(&p, e);
		kill_all(&p);
		give_signals_back(&p, old);
	}
	free(p.result.value);
	free(p.child);
	free(p.poll);
	return rc;
}
