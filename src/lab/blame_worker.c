/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame_worker.c - the worker that measures a blame in the background (blame.h), and the functions
 * with which the session reads its results.
 *
 * The worker has its own copy of machine, timeline and trace, so later commands of the session do
 * not affect it. While the session does not read, messages about progress are dropped and results
 * wait.
 */
#include "base/clock.h"
#include "lab/blame.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_SECONDS 0.2

/* The messages, one struct each; that of PROGRESS is the share that is done, a double. */
enum { PROGRESS, RANGE, SUSPECT, END };
struct range_message {
	unsigned n, found;
	struct blame_sums begin, end, other_begin, other_end;
};
struct suspect_message {
	unsigned at;
	struct suspect suspect;
};
struct end_message {
	enum blame_state state;
	char why[200];
};

/* ---------------------------------------------------------------- in the worker */

struct sender {
	struct channel *channel;
	const struct machine *machine;
	double last_sent;
};

static void
send_message(struct channel *c, unsigned kind, const void *m, size_t n)
{
	channel_add(c, kind, &(struct frame_part){m, n}, 1);
	if (channel_flush(c, true) < 0)
		_exit(1); /* the session is gone */
}

static void
send_found(void *ctx, const struct blame *b, int suspect)
{
	struct channel *c = ((struct sender *)ctx)->channel;

	if (suspect < 0) {
		struct range_message m = {.n = b->n,
					  .found = b->found,
					  .begin = b->begin,
					  .end = b->end,
					  .other_begin = b->other_begin,
					  .other_end = b->other_end};

		send_message(c, RANGE, &m, sizeof(m));
	} else {
		struct suspect_message m = {(unsigned)suspect, b->suspect[suspect]};

		send_message(c, SUSPECT, &m, sizeof(m));
	}
}

static bool
send_progress(void *ctx, double share)
{
	struct sender *t = ctx;

	if (clock_seconds() - t->last_sent >= PROGRESS_SECONDS) {
		t->last_sent = clock_seconds();
		/* send_message() notices that the session is gone; this need not */
		if (channel_flush(t->channel, false) == 1) {
			channel_add(t->channel, PROGRESS,
				    &(struct frame_part){&share, sizeof(share)}, 1);
			channel_flush(t->channel, false);
		}
	}
	return *t->machine->poll;
}

/* The worker of a decision does not keep the channel to the session open. */
static void
close_channel(void *ctx)
{
	channel_free(((struct sender *)ctx)->channel);
}

struct job {
	const struct machine *machine;
	struct blame *blame;
};

static int
run_worker(struct channel *c, void *ctx)
{
	const struct job *job = ctx;
	struct blame *b = job->blame;
	struct sender t = {.channel = c, .machine = job->machine};
	struct lab_progress progress = {send_progress, &t};
	struct end_message m = {0};
	struct err e = {0};

	job->machine->detach(job->machine->ctx);
	b->on_found = send_found;
	b->on_fork = close_channel;
	b->ctx = &t;
	blame_measure(job->machine, b, &progress, &e);
	m.state = b->state;
	snprintf(m.why, sizeof(m.why), "%s", b->why);
	send_message(c, END, &m, sizeof(m));
	return 0;
}

/* ---------------------------------------------------------------- in the session */

static int
make_room(struct blame *b, unsigned n)
{
	struct suspect *grown;

	if (n <= b->room)
		return 0;
	grown = realloc(b->suspect, n * sizeof(*grown));
	if (!grown)
		return -1;
	memset(grown + b->room, 0, (n - b->room) * sizeof(*grown));
	b->suspect = grown;
	b->room = n;
	return 0;
}

static void
fail_for(struct blame *b, const char *why)
{
	b->state = BLAME_FAILED;
	snprintf(b->why, sizeof(b->why), "%s", why);
}

static void
take_range(struct blame *b, const struct range_message *m)
{
	if (make_room(b, m->n)) {
		fail_for(b, "out of memory");
		return;
	}
	b->n = m->n;
	b->found = m->found;
	b->begin = m->begin;
	b->end = m->end;
	b->other_begin = m->other_begin;
	b->other_end = m->other_end;
	b->has_range = true;
}

static void
take_frame(struct blame *b, const struct frame *f)
{
	struct suspect_message suspect;
	struct range_message range;
	struct end_message end;

	if (f->kind == PROGRESS && f->bytes == sizeof(b->share)) {
		memcpy(&b->share, f->body, sizeof(b->share));
	} else if (f->kind == RANGE && f->bytes == sizeof(range)) {
		memcpy(&range, f->body, sizeof(range));
		take_range(b, &range);
	} else if (f->kind == SUSPECT && f->bytes == sizeof(suspect)) {
		memcpy(&suspect, f->body, sizeof(suspect));
		if (suspect.at < b->n)
			b->suspect[suspect.at] = suspect.suspect;
	} else if (f->kind == END && f->bytes == sizeof(end)) {
		memcpy(&end, f->body, sizeof(end));
		b->state = end.state;
		snprintf(b->why, sizeof(b->why), "%s", end.why);
	}
}

bool
blame_read(struct blame *b)
{
	struct frame f;
	char why[120], text[140];
	bool open;
	int rc = 0;

	if (!b || !worker_runs(&b->worker))
		return false;
	do {
		open = worker_read(&b->worker);
		while (b->state == BLAME_RUNS && (rc = channel_next(&b->worker.channel, &f)) > 0)
			take_frame(b, &f);
	} while (b->state == BLAME_RUNS && open && rc == 0 && channel_has_more(&b->worker.channel));
	if (b->state == BLAME_RUNS && open && rc == 0)
		return false;
	worker_stop(&b->worker); /* it may still run */
	worker_reap(&b->worker, why, sizeof(why));
	if (b->state == BLAME_RUNS) { /* it ended without END */
		snprintf(text, sizeof(text), "its process %s", why);
		fail_for(b, text);
	}
	b->news = true;
	return true;
}

void
blame_stop(struct blame *b)
{
	if (!worker_runs(&b->worker))
		return;
	worker_end(&b->worker);
	b->state = BLAME_STOPPED;
}

void
blame_free(struct blame *b)
{
	if (!b)
		return;
	blame_stop(b);
	free(b->suspect);
	free(b);
}

int
blame_start(const struct machine *m, struct blame *b, struct err *e)
{
	struct job job = {m, b};

	b->began = clock_seconds();
	return worker_start(&b->worker, WORKER_QUIET, run_worker, &job, e);
}
