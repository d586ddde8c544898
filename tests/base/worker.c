/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worker.c - frames arrive complete, malformed ones are rejected, and a reader that has gone causes
 * no signal; a worker answers, waits only if it wants to, and how it ended is reported.
 */
#include "tests/tap.h"

#include "base/process.h"
#include "base/worker.h"
#include "ctascope/err.h"

#include <poll.h>
#include <sys/socket.h>
#include <time.h>

enum { ASK = 1, ANSWER, LARGE };
#define LARGE_BYTES (3u << 20)

static void
frames(void)
{
	struct channel a = {0}, b = {0};
	struct frame f;
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		exit(99);
	a.fd = fd[0];
	b.fd = fd[1];
	channel_add(&a, ASK, (struct frame_part[]){{"ab", 2}, {"c", 1}}, 2);
	channel_add(&a, ANSWER, NULL, 0);
	is_u64((uint64_t)channel_flush(&a, true), 1, "two frames are sent");
	ok(channel_wait(&b, &f) == 0 && f.kind == ASK && f.bytes == 3 && !memcmp(f.body, "abc", 3),
	   "several parts make one body");
	ok(channel_next(&b, &f) == 1 && f.kind == ANSWER && f.bytes == 0, "a body may be empty");
	is_u64((uint64_t)channel_next(&b, &f), 0, "then there is none");
	ok(channel_read(&b, false) && channel_next(&b, &f) == 0, "who does not wait gets nothing");
	channel_add(&a, ASK, &(struct frame_part){"abc", 3}, 1);
	a.out.n--;
	channel_flush(&a, true);
	ok(channel_read(&b, true) && channel_next(&b, &f) == 0, "a frame is not told in part");
	ok(!channel_is_alone(&b), "the other side is there");
	channel_free(&a);
	ok(channel_is_alone(&b), "and has gone");
	ok(!channel_read(&b, true) && channel_wait(&b, &f) < 0, "so nothing more comes");
	channel_add(&b, ASK, NULL, 0);
	ok(channel_flush(&b, true) < 0, "who writes to it is told, and it is no signal");
	channel_free(&b);
}

/* Sends more than the system buffers for a reader. */
static void
large(void)
{
	struct channel a = {0}, b = {0};
	char *bytes = calloc(1, LARGE_BYTES);
	struct frame f = {0};
	unsigned rounds = 0;
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		exit(99);
	a.fd = fd[0];
	b.fd = fd[1];
	channel_add(&a, LARGE, &(struct frame_part){bytes, LARGE_BYTES}, 1);
	while (channel_flush(&a, false) == 0 && channel_read(&b, false))
		rounds++;
	ok(rounds > 0, "who does not wait sends what goes, %u times", rounds);
	ok(channel_wait(&b, &f) == 0 && f.kind == LARGE && f.bytes == LARGE_BYTES,
	   "and it comes through whole");
	channel_free(&a);
	channel_free(&b);
	free(bytes);
}

/* With one bit of a head changed, it is not a frame, or an incomplete one. */
static void
damage(void)
{
	unsigned taken = 0;

	for (unsigned bit = 0; bit < 8 * 16; bit++) {
		struct channel c = {.fd = -1};
		struct frame f;

		channel_add(&c, ASK, &(struct frame_part){"abc", 3}, 1);
		c.in = c.out;
		c.out = (struct strbuf){0};
		c.in.p[bit / 8] = (char)(c.in.p[bit / 8] ^ 1 << bit % 8);
		taken += channel_next(&c, &f) == 1;
		channel_free(&c);
	}
	is_u64(taken, 0, "no damaged head is taken for a frame");
}

/* ---------------------------------------------------------------- workers */

/* Answers ASK n with ANSWER n + 1; ASK 0 ends the worker with status 3. */
static int
answer(struct channel *c, void *ctx)
{
	struct frame f;
	uint32_t n;

	while (channel_wait(c, &f) == 0 && f.bytes == sizeof(n)) {
		memcpy(&n, f.body, sizeof(n));
		if (!n)
			return 3;
		n += *(uint32_t *)ctx;
		channel_add(c, ANSWER, &(struct frame_part){&n, sizeof(n)}, 1);
		channel_flush(c, true);
	}
	return 5;
}

static void
ask(struct worker *w, uint32_t n)
{
	channel_add(&w->channel, ASK, &(struct frame_part){&n, sizeof(n)}, 1);
	channel_flush(&w->channel, true);
}

static void
a_worker(enum worker_kind kind)
{
	struct err e = {0};
	struct worker w;
	struct frame f;
	uint32_t one = 1, n = 0;
	char why[120];

	ok(worker_start(&w, kind, answer, &one, &e) == 0 && worker_runs(&w), "it runs %s", e.msg);
	ask(&w, 7);
	if (channel_wait(&w.channel, &f) == 0 && f.bytes == sizeof(n))
		memcpy(&n, f.body, sizeof(n));
	is_u64(n, 8, "it answers");
	ask(&w, 0);
	while (worker_read(&w))
		poll(&(struct pollfd){.fd = w.channel.fd, .events = POLLIN}, 1, 100);
	ok(!worker_reap(&w, why, sizeof(why)) && !worker_runs(&w), "it has ended");
	is_str(why, "ended with status 3", "its status is told");
}

static void
ended(void)
{
	struct worker w = {0}, idle = {0};
	struct err e = {0};
	uint32_t one = 1;
	char why[120];

	worker_start(&w, WORKER_LANE, answer, &one, &e);
	process_signal(w.pid, SIGINT);
	process_signal(w.pid, SIGUSR1);
	ask(&w, 1);
	ok(channel_wait(&w.channel, &(struct frame){0}) == 0, "signals for the parent end none");
	process_signal(w.pid, SIGTERM);
	ok(!worker_reap(&w, why, sizeof(why)), "others do");
	is_str(why, "was ended by signal 15 (Terminated)", "and are named");
	worker_start(&w, WORKER_LANE, answer, &one, &e);
	worker_end(&w);
	ok(!worker_runs(&w) && w.channel.fd < 0, "it is ended at once");
	worker_end(&w);
	worker_end(&idle);
	ok(true, "one that does not run needs no end");
	worker_start(&w, WORKER_LANE, answer, &one, &e);
	channel_free(&w.channel);
	ok(!worker_reap(&w, why, sizeof(why)) && !strcmp(why, "ended with status 5"),
	   "one that nobody asks any more ends by itself: %s", why);
}

int
main(void)
{
	frames();
	large();
	damage();
	a_worker(WORKER_LANE);
	a_worker(WORKER_QUIET);
	ended();
	return done();
}
